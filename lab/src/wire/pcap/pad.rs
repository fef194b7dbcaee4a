//! Short frames are padded before they go on the wire.

/// The shortest frame on a wire, without FCS (IEEE 802.3, 64 bytes with it). A capture on the sending machine shows
/// frames before they are padded; a NIC would reject them so short.
pub(in super::super) const SHORTEST_ON_WIRE: usize = 60;

/// Room for one short frame with its padding.
#[derive(Clone, Copy, Debug)]
pub struct Padded([u8; SHORTEST_ON_WIRE]);

impl Default for Padded {
    fn default() -> Self {
        Padded([0; SHORTEST_ON_WIRE])
    }
}

impl Padded {
    /// The frame as it looks on the wire: itself, or filled up with zeros.
    pub fn pad<'a>(&'a mut self, frame: &'a [u8]) -> &'a [u8] {
        if frame.len() >= SHORTEST_ON_WIRE {
            return frame;
        }
        self.0[..frame.len()].copy_from_slice(frame);
        self.0[frame.len()..].fill(0);
        &self.0
    }
}

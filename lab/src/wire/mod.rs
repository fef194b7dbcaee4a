//! What a NIC's port is plugged into.
//!
//! A wire has two directions, named from the NIC: frames that the NIC *receives* are asked of the wire with
//! [`Wire::peek`] and [`Wire::advance`], so that a NIC without descriptors holds back or drops by its own rules;
//! frames that the NIC *sends* are handed to [`Wire::send`]. Frames carry no FCS (the CRC is the NIC's business).

mod burst;
pub mod cable;
pub mod capture;
pub mod generator;
mod headers;
pub mod latency;
pub mod manual;
pub mod null;
pub mod pcap;
pub mod replay;
pub mod restore;
pub mod tap;

pub use self::burst::{Burst, Place};
pub(crate) use self::headers::{HEADERS, same_headers};
use crate::clock::Nanos;

/// A frame on its way to a NIC.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// From the destination address to the end of the payload, without FCS.
    pub bytes: &'a [u8],
    /// Whether the FCS that follows on the wire is right; a wrong one is a CRC error at the NIC.
    pub fcs_good: bool,
}

/// Something that a port can be plugged into.
pub trait Wire: Send {
    /// The frame that the NIC would receive next, or `None` when none is due at `now`. Called again without
    /// [`advance`](Wire::advance) it returns the same frame.
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>>;

    /// The NIC has taken (or, by its own rules, dropped) the frame that `peek` returned last.
    fn advance(&mut self, now: Nanos);

    /// The NIC sends a frame. The wire must copy what it wants to keep.
    fn send(&mut self, frame: &[u8], now: Nanos);

    /// At most `most` of the frames that are due at `now`, the first one being that of [`peek`](Wire::peek), all with a right
    /// FCS. None, if the wire would rather be asked for one at a time.
    fn burst(&mut self, _now: Nanos, _most: usize) -> Burst<'_> {
        Burst::EMPTY
    }

    /// The NIC has taken the first `frames` of the burst that was returned last.
    fn advance_burst(&mut self, _frames: usize, _now: Nanos) {}

    /// The NIC sends several frames, as if [one by one](Wire::send).
    fn send_burst(&mut self, burst: Burst<'_>, now: Nanos) {
        burst.frames().for_each(|frame| self.send(frame, now));
    }

    /// One turn of work that is not driven by frames (reading a TAP, flushing). Returns whether anything was done.
    fn poll(&mut self, _now: Nanos) -> bool {
        false
    }

    /// When the next frame is due, if the wire knows and it is in the future; lets the poller sleep.
    fn next_due(&mut self, _now: Nanos) -> Option<Nanos> {
        None
    }

    /// Nothing more will come out of [`peek`](Wire::peek): a file that has ended, a source that has sent its count.
    fn exhausted(&self) -> bool {
        false
    }

    /// Writes out what is buffered. Called when the NIC is removed and at orderly shutdown.
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    /// Frames that the NIC has sent and that the wire could not carry: the cable was full, the interface down.
    fn dropped(&self) -> u64 {
        0
    }

    /// An error that stopped the wire (disk full, interface gone), if any; taken once.
    fn take_error(&mut self) -> Option<std::io::Error> {
        None
    }
}

//! A port with nothing behind it that takes everything.

use super::{Frame, Wire};
use crate::clock::Nanos;

/// Never delivers a frame; counts and forgets what the NIC sends.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullWire {
    /// Frames that the NIC has sent.
    pub frames: u64,
    /// Their bytes, without FCS.
    pub bytes: u64,
}

impl Wire for NullWire {
    fn peek(&mut self, _now: Nanos) -> Option<Frame<'_>> {
        None
    }

    fn advance(&mut self, _now: Nanos) {}

    fn send(&mut self, frame: &[u8], _now: Nanos) {
        self.frames += 1;
        self.bytes += frame.len() as u64;
    }

    fn exhausted(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_everything_and_gives_nothing() {
        let mut wire = NullWire::default();
        wire.send(&[0; 60], Nanos(0));
        wire.send(&[0; 1514], Nanos(1));
        assert!(wire.peek(Nanos(2)).is_none());
        assert!(wire.exhausted());
        assert_eq!((wire.frames, wire.bytes), (2, 1574));
    }
}

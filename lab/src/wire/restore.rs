//! Undoes what the forward workload changes, so that real protocols survive it.
//!
//! The forward workload adds one to byte 48 of each frame, which breaks checksums. Where a kernel is behind the NIC,
//! this wire takes the one off again from each frame that the NIC sends.

use std::io;

use super::replay::CHANGED_BYTE;
use super::{Frame, Wire};
use crate::clock::Nanos;

/// Subtracts from byte 48 of what the NIC sends what the driver has added.
pub struct RestoreWire {
    inner: Box<dyn Wire>,
    increment: u8,
    frame: Vec<u8>,
}

impl RestoreWire {
    /// Restores on the way to `inner`.
    pub fn new(inner: Box<dyn Wire>, increment: u8) -> Self {
        RestoreWire { inner, increment, frame: Vec::with_capacity(1 << 14) }
    }
}

impl Wire for RestoreWire {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        self.inner.peek(now)
    }

    fn advance(&mut self, now: Nanos) {
        self.inner.advance(now);
    }

    fn send(&mut self, frame: &[u8], now: Nanos) {
        self.frame.clear();
        self.frame.extend_from_slice(frame);
        if let Some(byte) = self.frame.get_mut(CHANGED_BYTE) {
            *byte = byte.wrapping_sub(self.increment);
        }
        self.inner.send(&self.frame, now);
    }

    fn poll(&mut self, now: Nanos) -> bool {
        self.inner.poll(now)
    }

    fn next_due(&mut self, now: Nanos) -> Option<Nanos> {
        self.inner.next_due(now)
    }

    fn exhausted(&self) -> bool {
        self.inner.exhausted()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }

    fn dropped(&self) -> u64 {
        self.inner.dropped()
    }

    fn take_error(&mut self) -> Option<io::Error> {
        self.inner.take_error()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::manual;

    #[test]
    fn only_byte_48_of_what_is_sent_is_restored() {
        let (inner, hand) = manual::pair();
        let mut wire = RestoreWire::new(Box::new(inner), 1);
        hand.inject(vec![5; 60]);
        assert_eq!(wire.peek(Nanos(0)).unwrap().bytes, [5; 60]);
        wire.send(&[0; 60], Nanos(0));
        wire.send(&[7; 48], Nanos(0));
        let mut expected = vec![0; 60];
        expected[48] = 255;
        assert_eq!(hand.sent(), [expected, vec![7; 48]]);
    }
}

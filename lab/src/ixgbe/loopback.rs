//! HLREG0.LPBK: what the NIC sends, it receives.

use std::collections::VecDeque;

use crate::clock::Nanos;
use crate::wire::{Frame, Wire};

/// Bytes that may be under way, as many as the receive packet buffer has.
const CAPACITY: usize = 512 * 1024;

/// A wire from the port to itself.
#[derive(Debug, Default)]
pub struct Loopback {
    frames: VecDeque<Vec<u8>>,
    bytes: usize,
}

impl Wire for Loopback {
    fn peek(&mut self, _now: Nanos) -> Option<Frame<'_>> {
        self.frames.front().map(|bytes| Frame { bytes, fcs_good: true })
    }

    fn advance(&mut self, _now: Nanos) {
        if let Some(frame) = self.frames.pop_front() {
            self.bytes -= frame.len();
        }
    }

    fn send(&mut self, frame: &[u8], _now: Nanos) {
        if self.bytes + frame.len() <= CAPACITY {
            self.bytes += frame.len();
            self.frames.push_back(frame.to_vec());
        }
    }
}

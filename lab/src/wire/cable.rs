//! A cable between two NICs of the lab: what one sends, the other receives.
//!
//! A cable holds only so much. When the other NIC does not take its frames, further ones are dropped and counted, as
//! they would be on a wire without flow control.

mod ring;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::ring::FrameRing;
use super::{Frame, Wire};
use crate::clock::Nanos;

/// Bytes that a cable holds in each direction unless told otherwise: 64 frames of 16 KB, some 3800 of 64 bytes.
pub const CAPACITY: usize = 1 << 18;

/// The two ends of a cable.
pub fn pair() -> (CableWire, CableWire) {
    pair_with_capacity(CAPACITY)
}

/// The two ends of a cable that holds so many bytes in each direction, with four more for each frame.
pub fn pair_with_capacity(bytes: usize) -> (CableWire, CableWire) {
    let [there, back] = [0, 1].map(|_| Arc::new(Mutex::new(Lane::new(bytes))));
    let end = |out: &Shared, inward: &Shared| CableWire {
        out: Arc::clone(out),
        inward: Arc::clone(inward),
        current: Vec::new(),
        peeked: false,
    };
    (end(&there, &back), end(&back, &there))
}

type Shared = Arc<Mutex<Lane>>;

/// One direction.
#[derive(Debug)]
struct Lane {
    ring: FrameRing,
    /// Frames that did not fit.
    dropped: u64,
}

impl Lane {
    fn new(bytes: usize) -> Self {
        Lane { ring: FrameRing::new(bytes), dropped: 0 }
    }
}

fn lock(lane: &Mutex<Lane>) -> MutexGuard<'_, Lane> {
    // A frame is put in or taken out as a whole, so that a panic elsewhere leaves nothing half done.
    lane.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One end of a cable.
#[derive(Debug)]
pub struct CableWire {
    out: Shared,
    inward: Shared,
    /// The frame that was peeked at.
    current: Vec<u8>,
    peeked: bool,
}

impl Wire for CableWire {
    fn peek(&mut self, _now: Nanos) -> Option<Frame<'_>> {
        if !self.peeked {
            self.peeked = lock(&self.inward).ring.pop(&mut self.current);
        }
        self.peeked.then_some(Frame { bytes: &self.current, fcs_good: true })
    }

    fn advance(&mut self, _now: Nanos) {
        self.peeked = false;
    }

    fn send(&mut self, frame: &[u8], _now: Nanos) {
        let mut lane = lock(&self.out);
        let fits = lane.ring.push(frame);
        lane.dropped += u64::from(!fits);
    }

    fn dropped(&self) -> u64 {
        lock(&self.out).dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Nanos = Nanos(0);

    #[test]
    fn frames_cross_in_both_directions() {
        let (mut a, mut b) = pair();
        a.send(&[1; 60], NOW);
        a.send(&[2; 1514], NOW);
        b.send(&[3; 61], NOW);
        assert_eq!(b.peek(NOW).unwrap().bytes, [1; 60]);
        assert_eq!(b.peek(NOW).unwrap().bytes, [1; 60]);
        b.advance(NOW);
        assert_eq!(b.peek(NOW).unwrap().bytes, [2; 1514]);
        b.advance(NOW);
        assert!(b.peek(NOW).is_none());
        assert_eq!(a.peek(NOW).unwrap().bytes, [3; 61]);
    }

    #[test]
    fn a_full_cable_drops_and_counts_and_goes_on_when_there_is_room() {
        let (mut a, mut b) = pair_with_capacity(1000);
        (0..20).for_each(|n| a.send(&[n; 96], NOW));
        assert_eq!((a.dropped(), b.dropped()), (10, 0));
        for n in 0..10 {
            assert_eq!(b.peek(NOW).unwrap().bytes, [n; 96]);
            b.advance(NOW);
        }
        assert!(b.peek(NOW).is_none());
        a.send(&[77; 96], NOW);
        assert_eq!(b.peek(NOW).unwrap().bytes, [77; 96]);
    }
}

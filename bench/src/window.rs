//! Saturation that wastes nothing: as many packets under way as keep the driver busy, and no more.
//!
//! A source without a limit fills the ring of a driver, and then it depends on the driver's set-up whether the NIC drops the
//! rest (which costs the lab time and makes the driver look slow) or holds it back. With a window there is always a full
//! batch waiting in each ring, never a reason to drop, and the lab does the same work for every contender. Packets that do
//! get lost are given up after a while, so that they do not close the window for good.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ringway_lab::clock::Nanos;
use ringway_lab::wire::generator::GeneratorWire;
use ringway_lab::wire::{Frame, Wire};

/// Packets that are under way for so long without any arriving are given up.
const PATIENCE_NS: u64 = 20_000_000;

/// Frames under way in each direction that keep a ring of `slots` busy without ever filling it.
pub fn size_for(slots: u32) -> u64 {
    u64::from(slots) * 3 / 4
}

/// One end of a pair of generators with windows.
pub struct Windowed {
    wire: GeneratorWire,
    window: u64,
    /// What this end sent and the other end got.
    arrived: Arc<AtomicU64>,
    /// What this end got.
    got: Arc<AtomicU64>,
    taken: u64,
    given_up: u64,
    seen: u64,
    moved: Nanos,
}

/// Puts a window around both ends of a pair. Both must be polled by one thread.
pub fn pair(wires: [GeneratorWire; 2], window: u64) -> [Windowed; 2] {
    let counts = [Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0))];
    let [first, second] = wires;
    let end = |wire, arrived: usize, got: usize| Windowed {
        wire,
        window,
        arrived: Arc::clone(&counts[arrived]),
        got: Arc::clone(&counts[got]),
        taken: 0,
        given_up: 0,
        seen: 0,
        moved: Nanos::default(),
    };
    [end(first, 1, 0), end(second, 0, 1)]
}

impl Windowed {
    #[inline]
    fn open(&mut self, now: Nanos) -> bool {
        let arrived = self.arrived.load(Relaxed);
        let under_way = self.taken.saturating_sub(arrived + self.given_up);
        if arrived != self.seen || under_way < self.window {
            (self.seen, self.moved) = (arrived, now);
        } else if now.since(self.moved) > PATIENCE_NS {
            self.given_up += under_way;
            self.moved = now;
            return true;
        }
        under_way < self.window
    }
}

impl Wire for Windowed {
    #[inline]
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        if !self.open(now) {
            return None;
        }
        self.wire.peek(now)
    }

    #[inline]
    fn advance(&mut self, now: Nanos) {
        self.taken += 1;
        self.wire.advance(now);
    }

    #[inline]
    fn send(&mut self, frame: &[u8], now: Nanos) {
        // Both ends belong to one thread: no other writes this.
        self.got.store(self.got.load(Relaxed) + 1, Relaxed);
        self.wire.send(frame, now);
    }

    fn poll(&mut self, now: Nanos) -> bool {
        self.wire.poll(now)
    }

    fn next_due(&mut self, now: Nanos) -> Option<Nanos> {
        self.wire.next_due(now)
    }

    fn exhausted(&self) -> bool {
        self.wire.exhausted()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.wire.flush()
    }

    fn take_error(&mut self) -> Option<io::Error> {
        self.wire.take_error()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringway_lab::wire::generator::{self, GeneratorOptions};

    #[test]
    fn so_many_are_under_way_and_a_loss_does_not_stop_the_rest() {
        let (first, second, _handle) = generator::pair(&GeneratorOptions::default()).unwrap();
        let [mut first, mut second] = pair([first, second], size_for(512));
        let mut take = |now| {
            let mut taken = 0;
            while first.peek(Nanos(now)).is_some() {
                first.advance(Nanos(now));
                taken += 1;
            }
            taken
        };
        assert_eq!(take(1), 384);
        assert_eq!(take(2), 0);
        second.send(&[0; 60], Nanos(3));
        second.send(&[0; 60], Nanos(3));
        assert_eq!(take(3), 2);
        assert_eq!(take(PATIENCE_NS), 0, "not yet");
        assert_eq!(take(PATIENCE_NS + 4), 384, "those before are given up");
    }
}

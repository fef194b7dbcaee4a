//! Saturation that wastes nothing: as many packets under way as keep the driver busy, and no more.
//!
//! A source without a limit fills the ring of a driver, and then it depends on the driver's set-up whether the NIC drops the
//! rest (which costs the lab time and makes the driver look slow) or holds it back. With a window there is always a full
//! batch waiting in each ring, never a reason to drop, and the lab does the same work for every contender. Packets that do
//! get lost are given up after a while, so that they do not close the window for good.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use ringway_lab::clock::Nanos;
use ringway_lab::wire::generator::GeneratorWire;
use ringway_lab::wire::{Burst, Frame, Wire};

/// Packets that are under way for so long without any arriving are given up.
const PATIENCE: Duration = Duration::from_millis(20);

/// So many packets may be under way. Those that do not arrive are given up after a while.
#[derive(Debug)]
pub struct Window {
    size: u64,
    patience: Duration,
    given_up: u64,
    /// Arrived at the last look, and when that number changed, or the window was open.
    arrived: u64,
    moved: Nanos,
}

impl Window {
    /// For `size` packets under way, of which those are given up that are so for `patience` while none arrives.
    pub fn new(size: u64, patience: Duration) -> Self {
        Window { size, patience, given_up: 0, arrived: 0, moved: Nanos::default() }
    }

    /// How many more may be sent, when so many have been sent and so many have arrived since the start.
    #[inline]
    pub fn room(&mut self, now: Nanos, sent: u64, arrived: u64) -> u64 {
        let mut under_way = sent.saturating_sub(arrived + self.given_up);
        if arrived != self.arrived || under_way < self.size {
            (self.arrived, self.moved) = (arrived, now);
        } else if u128::from(now.since(self.moved)) > self.patience.as_nanos() {
            self.given_up += under_way;
            self.moved = now;
            under_way = 0;
        }
        self.size.saturating_sub(under_way)
    }
}

/// Frames under way in each direction that keep a ring of `slots` busy without ever filling it.
pub fn size_for(slots: u32) -> u64 {
    u64::from(slots) * 3 / 4
}

/// One end of a pair of generators with windows.
pub struct Windowed {
    wire: GeneratorWire,
    window: Window,
    /// What this end sent and the other end got.
    arrived: Arc<AtomicU64>,
    /// What this end got.
    got: Arc<AtomicU64>,
    taken: u64,
}

/// Puts a window around both ends of a pair. Both must be polled by one thread.
pub fn pair(wires: [GeneratorWire; 2], window: u64) -> [Windowed; 2] {
    let counts = [Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0))];
    let [first, second] = wires;
    let end = |wire, arrived: usize, got: usize| Windowed {
        wire,
        window: Window::new(window, PATIENCE),
        arrived: Arc::clone(&counts[arrived]),
        got: Arc::clone(&counts[got]),
        taken: 0,
    };
    [end(first, 1, 0), end(second, 0, 1)]
}

impl Windowed {
    #[inline]
    fn room(&mut self, now: Nanos) -> u64 {
        self.window.room(now, self.taken, self.arrived.load(Relaxed))
    }

    /// So many came from the other end. Both ends belong to one thread: no other writes this.
    #[inline]
    fn count(&self, frames: u64) {
        self.got.store(self.got.load(Relaxed) + frames, Relaxed);
    }
}

impl Wire for Windowed {
    #[inline]
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        if self.room(now) == 0 {
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
        self.count(1);
        self.wire.send(frame, now);
    }

    #[inline]
    fn burst(&mut self, now: Nanos, most: usize) -> Burst<'_> {
        let room = usize::try_from(self.room(now)).unwrap_or(usize::MAX);
        self.wire.burst(now, most.min(room))
    }

    #[inline]
    fn advance_burst(&mut self, frames: usize, now: Nanos) {
        self.taken += frames as u64;
        self.wire.advance_burst(frames, now);
    }

    #[inline]
    fn send_burst(&mut self, burst: Burst<'_>, now: Nanos) {
        self.count(burst.len() as u64);
        self.wire.send_burst(burst, now);
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
    use ringway_lab::wire::Place;
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
        let patience = PATIENCE.as_nanos() as u64;
        assert_eq!(take(patience), 0, "not yet");
        assert_eq!(take(patience + 4), 384, "those before are given up");
    }

    #[test]
    fn bursts_keep_to_the_window() {
        let (first, second, _handle) = generator::pair(&GeneratorOptions::default()).unwrap();
        let [mut first, mut second] = pair([first, second], 40);
        assert_eq!(first.burst(Nanos(1), 64).len(), 32);
        first.advance_burst(32, Nanos(1));
        let frames: Vec<_> = first.burst(Nanos(1), 64).frames().map(<[u8]>::to_vec).collect();
        assert_eq!(frames.len(), 8);
        first.advance_burst(8, Nanos(1));
        assert!(first.burst(Nanos(1), 64).is_empty());
        let place = Place { start: 0, length: 60 };
        second.send_burst(Burst::new(&frames[0], &[place; 3]), Nanos(2));
        assert_eq!(first.burst(Nanos(2), 64).len(), 3);
    }
}

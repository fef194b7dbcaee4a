//! Keeps a replay from overrunning the driver.
//!
//! A stalled lab or driver (a busy machine is enough) makes packets due all at once, and a driver drops what the other
//! NIC cannot take. A capture is not a flood: only so many of its packets may be under way.

use std::io;

use ringway_lab::clock::Nanos;
use ringway_lab::wire::replay::{ReplayHandle, ReplayWire};
use ringway_lab::wire::{Frame, Wire};

/// Packets under way: half of the drivers' default ring.
const WINDOW: u64 = 256;
/// Packets that are under way for so long without any arriving are given up, so that a loss does not stop the rest.
const PATIENCE_NS: u64 = 50_000_000;

/// A replay with a window.
pub struct Windowed {
    wire: ReplayWire,
    handle: ReplayHandle,
    given_up: u64,
    arrived: u64,
    moved: Nanos,
}

impl Windowed {
    /// Around `wire`, of which `handle` tells.
    pub fn new(wire: ReplayWire, handle: ReplayHandle) -> Self {
        Windowed { wire, handle, given_up: 0, arrived: 0, moved: Nanos::default() }
    }

    /// There is room for one more packet under way.
    fn open(&mut self, now: Nanos) -> bool {
        let progress = self.handle.progress();
        let under_way = (progress.sent - progress.arrived).saturating_sub(self.given_up);
        if progress.arrived != self.arrived || under_way < WINDOW {
            (self.arrived, self.moved) = (progress.arrived, now);
        } else if now.since(self.moved) > PATIENCE_NS {
            self.given_up += under_way;
            self.moved = now;
            return true;
        }
        under_way < WINDOW
    }
}

impl Wire for Windowed {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        if !self.open(now) {
            return None;
        }
        self.wire.peek(now)
    }

    fn advance(&mut self, now: Nanos) {
        self.wire.advance(now);
    }

    fn send(&mut self, frame: &[u8], now: Nanos) {
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
    use ringway_lab::wire::pcap::{Capture, ReadOptions};
    use ringway_lab::wire::replay::{self, ReplayOptions};
    use std::path::Path;
    use std::sync::Arc;

    /// A classic pcap file of one packet.
    fn capture() -> Arc<Capture> {
        let words = [0xA1B2_C3D4_u32, 0x0004_0002, 0, 0, 65_535, 1, 0, 0, 60, 60];
        let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        file.extend([7; 60]);
        Arc::new(Capture::from_bytes(Path::new("x"), file, &ReadOptions::default()).unwrap())
    }

    #[test]
    fn so_many_are_under_way_and_a_loss_does_not_stop_the_rest() {
        let options = ReplayOptions { rounds: None, increment: 0, ..ReplayOptions::default() };
        let (wire, mut record, handle) = replay::pair(capture(), options);
        let mut wire = Windowed::new(wire, handle);
        let mut take = |now| {
            let mut taken = 0;
            while wire.peek(Nanos(now)).is_some() {
                wire.advance(Nanos(now));
                taken += 1;
            }
            taken
        };
        assert_eq!(take(1), WINDOW);
        assert_eq!(take(2), 0);
        record.send(&[7; 60], Nanos(3));
        assert_eq!(take(3), 1);
        assert_eq!(take(PATIENCE_NS), 0, "not yet");
        assert_eq!(take(PATIENCE_NS + 4), WINDOW, "those before are given up");
    }
}

//! Keeps a replay from overrunning the driver.
//!
//! A stalled lab or driver (a busy machine is enough) makes packets due all at once, and a driver drops what the other
//! NIC cannot take. A capture is not a flood: only so many of its packets may be under way.

use std::io;
use std::time::Duration;

use ringway_bench::window::Window;
use ringway_lab::clock::Nanos;
use ringway_lab::wire::replay::{ReplayHandle, ReplayWire};
use ringway_lab::wire::{Frame, Wire};

/// Packets under way: half of the drivers' default ring.
const UNDER_WAY: u64 = 256;
/// Packets that are under way for so long without any arriving are given up, so that a loss does not stop the rest.
const PATIENCE: Duration = Duration::from_millis(50);

/// A replay with a window.
pub struct Windowed {
    wire: ReplayWire,
    handle: ReplayHandle,
    window: Window,
}

impl Windowed {
    /// Around `wire`, of which `handle` tells.
    pub fn new(wire: ReplayWire, handle: ReplayHandle) -> Self {
        Windowed { wire, handle, window: Window::new(UNDER_WAY, PATIENCE) }
    }

    /// There is room for one more packet under way.
    fn is_open(&mut self, now: Nanos) -> bool {
        let progress = self.handle.progress();
        self.window.room(now, progress.sent, progress.arrived) != 0
    }
}

impl Wire for Windowed {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        if !self.is_open(now) {
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
        assert_eq!(take(1), UNDER_WAY);
        assert_eq!(take(2), 0);
        record.send(&[7; 60], Nanos(3));
        assert_eq!(take(3), 1);
        let patience = PATIENCE.as_nanos() as u64;
        assert_eq!(take(patience), 0, "not yet");
        assert_eq!(take(patience + 4), UNDER_WAY, "those before are given up");
    }
}

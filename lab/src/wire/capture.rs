//! A tap on any wire: everything that goes over it is also written to a file.

use std::io;

use super::pcap::{Direction, Recorder};
use super::{Frame, Wire};
use crate::clock::Nanos;

/// A wire that is listened to. In pcapng, each packet keeps which way it went (seen from the NIC: inbound is what the
/// NIC received). What the NIC never took off the wire is not in the file.
pub struct CaptureWire {
    inner: Box<dyn Wire>,
    recorder: Recorder,
}

impl CaptureWire {
    /// Listens to `inner`.
    pub fn new(inner: Box<dyn Wire>, recorder: Recorder) -> Self {
        CaptureWire { inner, recorder }
    }
}

impl Wire for CaptureWire {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        self.inner.peek(now)
    }

    fn advance(&mut self, now: Nanos) {
        if let Some(frame) = self.inner.peek(now) {
            self.recorder.record(frame.bytes, now, Some(Direction::Inbound));
        }
        self.inner.advance(now);
    }

    fn send(&mut self, frame: &[u8], now: Nanos) {
        self.recorder.record(frame, now, Some(Direction::Outbound));
        self.inner.send(frame, now);
    }

    fn poll(&mut self, now: Nanos) -> bool {
        let wrote = self.recorder.poll(now);
        self.inner.poll(now) || wrote
    }

    fn next_due(&mut self, now: Nanos) -> Option<Nanos> {
        self.inner.next_due(now)
    }

    fn exhausted(&self) -> bool {
        self.inner.exhausted()
    }

    fn flush(&mut self) -> io::Result<()> {
        let recorded = self.recorder.flush();
        self.inner.flush().and(recorded)
    }

    fn dropped(&self) -> u64 {
        self.inner.dropped()
    }

    fn take_error(&mut self) -> Option<io::Error> {
        self.inner.take_error().or_else(|| self.recorder.take_error())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt;

    use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketOption;
    use pcap_file::pcapng::{Block, PcapNgReader};

    use super::*;
    use crate::wire::manual;

    /// Direction flags and contents of each packet.
    fn packets(file: &[u8]) -> Vec<(u32, Vec<u8>)> {
        let mut reader = PcapNgReader::new(file).unwrap();
        let mut packets = Vec::new();
        while let Some(block) = reader.next_block() {
            let Block::EnhancedPacket(packet) = block.unwrap().into_owned() else { continue };
            let flags = packet.options.iter().find_map(|option| match option {
                EnhancedPacketOption::Flags(flags) => Some(*flags),
                _ => None,
            });
            packets.push((flags.unwrap(), packet.data.into_owned()));
        }
        packets
    }

    #[test]
    fn both_directions_are_recorded_and_pass_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tap.pcapng");
        let (inner, hand) = manual::pair();
        let mut wire = CaptureWire::new(Box::new(inner), Recorder::create(&path, "nic0").unwrap());
        hand.inject_many([vec![1; 60], vec![2; 70]]);
        assert_eq!(wire.peek(Nanos(0)).unwrap().bytes, [1; 60]);
        wire.peek(Nanos(0));
        wire.advance(Nanos(0));
        wire.send(&[9; 64], Nanos(0));
        assert_eq!(hand.sent(), [vec![9; 64]]);
        assert_eq!(wire.peek(Nanos(0)).unwrap().bytes, [2; 70]);
        drop(wire);
        let expected = [(1, vec![1; 60]), (2, vec![9; 64])];
        assert_eq!(
            packets(&std::fs::read(path).unwrap()),
            expected,
            "what was only peeked at is not recorded"
        );
    }

    #[test]
    fn an_error_stops_the_recording_but_not_the_wire() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe.pcapng");
        let (fifo, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
        rustix::fs::mknodat(rustix::fs::CWD, &path, fifo, mode, 0).unwrap();
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        let reader = OpenOptions::new().read(true).custom_flags(nonblocking).open(&path).unwrap();
        let (inner, hand) = manual::pair();
        let mut wire = CaptureWire::new(Box::new(inner), Recorder::create(&path, "nic0").unwrap());
        drop(reader);
        wire.send(&[1; 60], Nanos(0));
        assert_eq!(wire.flush().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        wire.send(&[2; 60], Nanos(0));
        wire.flush().unwrap();
        assert_eq!(hand.sent_count(), 2);
        assert!(wire.take_error().is_none(), "told once");
    }
}

use std::fs;

use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{Block, PcapBlockOwned, PcapNGSlice, parse_pcap};
use proptest::prelude::*;

use super::super::{Capture, Direction, PcapWire, ReadOptions, Record, Recorder};
use super::frame;
use crate::clock::Nanos;
use crate::wire::Wire;

const TIMESTAMP: u64 = 1_700_000_000_123_456_789;

fn written(name: &str, records: &[(Vec<u8>, Option<Direction>)]) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    let mut recorder = Recorder::create(&path, "ab").unwrap();
    for (bytes, direction) in records {
        recorder.record_as(&Record { bytes, timestamp: TIMESTAMP, direction: *direction });
    }
    recorder.flush().unwrap();
    assert_eq!(recorder.written(), records.len() as u64);
    fs::read(path).unwrap()
}

#[test]
fn classic_pcap_to_the_byte() {
    let bytes = written("out.pcap", &[(vec![1, 2, 3, 4, 5], None)]);
    #[rustfmt::skip]
    let expected = [
        0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0,
        0x00, 0xf1, 0x53, 0x65, 0x15, 0xcd, 0x5b, 0x07, 5, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4, 5,
    ];
    assert_eq!(bytes, expected);
}

#[test]
fn pcapng_to_the_byte() {
    let bytes = written("out.PcapNG", &[(vec![1, 2, 3, 4, 5], Some(Direction::Outbound))]);
    let name = concat!("ringway ", env!("CARGO_PKG_VERSION")).as_bytes();
    assert_eq!(name.len(), 13, "the golden bytes below are for a name of this length");
    #[rustfmt::skip]
    let mut expected = vec![
        0x0a, 0x0d, 0x0d, 0x0a, 52, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0,
        255, 255, 255, 255, 255, 255, 255, 255, 4, 0, 13, 0,
    ];
    expected.extend(name);
    #[rustfmt::skip]
    expected.extend([
        0, 0, 0, 0, 0, 0, 0, 52, 0, 0, 0,
        1, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, b'a', b'b', 0, 0,
        9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0,
        6, 0, 0, 0, 52, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0x9c, 0x97, 0x17, 0x15, 0xcd, 0x85, 0x3d,
        5, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 2, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0, 52, 0, 0, 0,
    ]);
    assert_eq!(bytes, expected);
}

#[test]
fn a_second_opinion_reads_what_we_write() {
    let records: Vec<_> = (14..90).map(|length| (frame(length, 3), None)).collect();
    let bytes = written("out.pcap", &records);
    let (rest, file) = parse_pcap(&bytes).unwrap();
    assert!(rest.is_empty() && file.header.is_nanosecond_precision());
    assert_eq!(file.blocks.len(), records.len());
    for ((expected, _), packet) in records.iter().zip(&file.blocks) {
        assert_eq!((packet.data, packet.origlen as usize), (&expected[..], expected.len()));
        assert_eq!(u64::from(packet.ts_sec) * 1_000_000_000 + u64::from(packet.ts_usec), TIMESTAMP);
    }

    let bytes = written("out.pcapng", &records);
    let mut packets = Vec::new();
    for block in PcapNGSlice::from_slice(&bytes).unwrap() {
        match block.unwrap() {
            PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                assert_eq!(interface.ts_resolution(), Some(1_000_000_000));
                assert_eq!(interface.if_name().unwrap().unwrap(), "ab");
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                assert_eq!(u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low), TIMESTAMP);
                packets.push((packet.packet_data().to_vec(), None));
            }
            _ => {}
        }
    }
    assert_eq!(packets, records);
}

#[test]
fn the_file_is_whole_whenever_it_is_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["live.pcap", "live.pcapng"] {
        let path = dir.path().join(name);
        let recorder = Recorder::create(&path, "nic").unwrap();
        let mut wire = PcapWire::new(None, Some(recorder));
        let read = || Capture::read(&path, &ReadOptions::default()).unwrap().len();
        assert_eq!(read(), 0);
        let start = Nanos::now();
        let mut seen = 0;
        for n in 0..3000 {
            wire.send(&frame(60 + n % 1400, n as u8), start);
            if n % 100 == 0 {
                assert!(read() >= seen);
                seen = read();
            }
        }
        assert!(seen > 0, "long before the end something is in the file");
        assert!(wire.poll(Nanos(start.0 + 1_000_000_000)));
        assert_eq!(read(), 3000);
        assert!(!wire.poll(Nanos(start.0 + 9_000_000_000)), "nothing is left to write");
    }
}

#[test]
fn arrival_times_are_calendar_times() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.pcap");
    let mut recorder = Recorder::create(&path, "nic").unwrap();
    let now = Nanos::now();
    recorder.record(&frame(60, 1), now, None);
    recorder.record(&frame(60, 1), Nanos(now.0 + 1234), None);
    drop(recorder);
    let capture = Capture::read(&path, &ReadOptions::default()).unwrap();
    let wall = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    assert!(wall.abs_diff(capture.packet(0).timestamp) < 60_000_000_000);
    assert_eq!(capture.packet(1).timestamp - capture.packet(0).timestamp, 1234);
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        packets in prop::collection::vec((prop::collection::vec(any::<u8>(), 14..200), 0..u64::from(u32::MAX) * 1_000_000_000), 0..20),
        ng in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(if ng { "a.pcapng" } else { "a.pcap" });
        let mut recorder = Recorder::create(&path, "nic").unwrap();
        for (bytes, timestamp) in &packets {
            recorder.record_as(&Record { bytes, timestamp: *timestamp, direction: None });
        }
        drop(recorder);
        let capture = Capture::read(&path, &ReadOptions::default()).unwrap();
        let read: Vec<_> = capture.packets().map(|packet| (packet.bytes.to_vec(), packet.timestamp)).collect();
        prop_assert_eq!(read, packets);
    }
}

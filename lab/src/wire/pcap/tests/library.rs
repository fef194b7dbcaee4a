//! Where the library that parses the bytes needs help, or gives more than is common.

use super::super::CaptureError;
use super::build::{BIG, LITTLE};
use super::{frame, parse};

#[test]
fn options_are_read_in_the_byte_order_of_the_section_up_to_their_end() {
    for writer in [LITTLE, BIG] {
        let mut file = writer.section();
        let (offset, none) = (writer.u64(100), writer.u64(0));
        let options = [(2, &b"eth0"[..]), (14, &offset), (9, &[9]), (0, &[]), (9, &[3]), (14, &none)];
        file.extend(writer.interface(1, 0, &options));
        file.extend(writer.enhanced(0, 5, 60, &frame(60, 0)));
        assert_eq!(parse(&file).unwrap().packet(0).timestamp, 100_000_000_005);
    }
}

#[test]
fn an_option_longer_than_its_block_is_refused() {
    for writer in [LITTLE, BIG] {
        let mut file = writer.section();
        let at = file.len();
        file.extend(writer.interface(1, 0, &[(9, &[9]), (2, b"eth0")]));
        let length = file.len() - 4 - 6;
        file[length..length + 2].copy_from_slice(&writer.u16(5));
        let Err(CaptureError::Malformed { offset, .. }) = parse(&file) else { panic!("accepted") };
        assert_eq!(offset, at);
    }
}

#[test]
fn what_stands_in_blocks_that_do_not_matter_is_not_looked_at() {
    for writer in [LITTLE, BIG] {
        let mut file = writer.section();
        file.extend(writer.interface(1, 0, &[]));
        // Names, statistics, journal, secrets, process and custom blocks, all too short or full of nonsense.
        for kind in [4, 5, 9, 10, 0x0bad, 0x4000_0bad, 0x8000_0001] {
            for body in [&[][..], &[0xff; 4], &[0xff; 16]] {
                file.extend(writer.block(kind, body));
            }
        }
        file.extend(writer.enhanced(0, 5, 60, &frame(60, 0)));
        assert_eq!(parse(&file).unwrap().len(), 1);
    }
}

#[test]
fn classic_files_with_longer_record_headers() {
    let mut file = LITTLE.pcap_header(0xa1b2_cd34, 65535, 1);
    for mark in [1, 2] {
        let record = LITTLE.pcap_record(7, 123_456, 60, &frame(60, mark));
        // Interface, protocol and packet type stand between the lengths and the packet.
        file.extend([&record[..16], &[9; 8], &record[16..]].concat());
    }
    let capture = parse(&file).unwrap();
    let expected: Vec<_> = [1, 2].into_iter().map(|mark| (frame(60, mark), 7_123_456_000)).collect();
    let read: Vec<_> = capture.packets().map(|packet| (packet.bytes.to_vec(), packet.timestamp)).collect();
    assert_eq!(read, expected);
}

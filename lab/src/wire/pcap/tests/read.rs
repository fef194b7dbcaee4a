use proptest::prelude::*;

use super::super::{CaptureError, LeftOut, ReadOptions};
use super::build::{BIG, LITTLE};
use super::{frame, parse, parse_with};

const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;

#[test]
fn classic_files_of_both_byte_orders_and_resolutions() {
    for writer in [LITTLE, BIG] {
        for (magic, fraction) in [(MICROSECONDS, 123_456), (NANOSECONDS, 123_456_000)] {
            let mut file = writer.pcap_header(magic, 65535, 1);
            file.extend(writer.pcap_record(7, fraction, 60, &frame(60, 1)));
            file.extend(writer.pcap_record(8, 0, 1514, &frame(1514, 2)));
            let capture = parse(&file).unwrap();
            assert_eq!(capture.len(), 2);
            assert_eq!(capture.bytes(), 1574);
            assert_eq!(capture.packet(0).timestamp, 7_123_456_000);
            assert_eq!(capture.packet(0).bytes, frame(60, 1));
            assert_eq!(capture.packet(1).bytes, frame(1514, 2));
        }
    }
}

#[test]
fn pcapng_of_both_byte_orders_with_blocks_that_we_do_not_know() {
    for writer in [LITTLE, BIG] {
        let mut file = writer.section();
        file.extend(writer.block(0x0bad_cafe, &[1, 2, 3]));
        file.extend(writer.interface(1, 0, &[]));
        file.extend(writer.enhanced(0, 5_000_001, 61, &frame(61, 1)));
        file.extend(writer.block(5, &[0; 12]));
        file.extend(writer.enhanced(0, 5_000_002, 62, &frame(62, 2)));
        let capture = parse(&file).unwrap();
        assert_eq!(capture.len(), 2);
        assert_eq!(capture.packet(0).timestamp, 5_000_001_000);
        assert_eq!(capture.packet(0).bytes, frame(61, 1));
        assert_eq!(capture.packet(1).bytes, frame(62, 2));
    }
}

#[test]
fn timestamps_follow_each_interfaces_resolution_and_offset() {
    let mut file = LITTLE.section();
    file.extend(LITTLE.interface(1, 0, &[(2, b"eth0"), (9, &[9]), (0, &[])]));
    // The end of the options need not be marked.
    file.extend(LITTLE.interface(1, 0, &[(9, &[0x80 | 10])]));
    file.extend(LITTLE.interface(1, 0, &[(14, &LITTLE.u64(100)), (9, &[3])]));
    for (interface, ticks) in [(0, 1_500_000_000), (1, 1536), (2, 1500)] {
        file.extend(LITTLE.enhanced(interface, ticks, 60, &frame(60, 0)));
    }
    let times: Vec<_> = parse(&file).unwrap().packets().map(|packet| packet.timestamp).collect();
    assert_eq!(times, [1_500_000_000, 1_500_000_000, 101_500_000_000]);
}

#[test]
fn a_second_section_may_have_another_byte_order_and_interfaces() {
    let mut file = LITTLE.section();
    file.extend(LITTLE.interface(1, 0, &[]));
    file.extend(LITTLE.enhanced(0, 1, 60, &frame(60, 1)));
    file.extend(BIG.section());
    file.extend(BIG.interface(1, 0, &[(9, &[0])]));
    file.extend(BIG.enhanced(0, 2, 60, &frame(60, 2)));
    let capture = parse(&file).unwrap();
    assert_eq!((capture.packet(0).timestamp, capture.packet(1).timestamp), (1000, 2_000_000_000));
    file.extend(BIG.section());
    let end = file.len();
    file.extend(BIG.enhanced(0, 2, 60, &frame(60, 2)));
    let Err(CaptureError::Malformed { offset, .. }) = parse(&file) else { panic!("interface is unknown") };
    assert_eq!(offset, end);
}

#[test]
fn simple_and_obsolete_packet_blocks() {
    let mut file = LITTLE.section();
    file.extend(LITTLE.interface(1, 100, &[]));
    let mut simple = LITTLE.u32(61).to_vec();
    simple.extend(frame(61, 1));
    file.extend(LITTLE.block(3, &simple));
    let mut obsolete = [LITTLE.u16(0), LITTLE.u16(9)].concat();
    for word in [0, 77, 62, 62] {
        obsolete.extend(LITTLE.u32(word));
    }
    obsolete.extend(frame(62, 2));
    file.extend(LITTLE.block(2, &obsolete));
    let capture = parse(&file).unwrap();
    assert_eq!(capture.packet(0).bytes, frame(61, 1));
    assert_eq!(capture.packet(1).bytes, frame(62, 2));
    assert_eq!(capture.packet(1).timestamp, 77_000);

    let mut snapped = LITTLE.u32(200).to_vec();
    snapped.extend(frame(100, 3));
    file.extend(LITTLE.block(3, &snapped));
    assert!(matches!(parse(&file), Err(CaptureError::Snapped { number: 3, captured: 100, .. })));
}

#[test]
fn the_fcs_is_cut_off_where_the_file_says_that_it_is_there() {
    let with_fcs = 1 << 26 | 2 << 28 | 1;
    let mut file = BIG.pcap_header(MICROSECONDS, 65535, with_fcs);
    file.extend(BIG.pcap_record(0, 0, 64, &frame(64, 1)));
    assert_eq!(parse(&file).unwrap().packet(0).bytes, &frame(64, 1)[..60]);

    let mut file = BIG.section();
    file.extend(BIG.interface(1, 0, &[(13, &[4])]));
    file.extend(BIG.enhanced(0, 0, 64, &frame(64, 1)));
    assert_eq!(parse(&file).unwrap().packet(0).bytes, &frame(64, 1)[..60]);
}

fn two_packets() -> (Vec<u8>, Vec<usize>) {
    let mut file = LITTLE.section();
    file.extend(LITTLE.interface(1, 0, &[]));
    let mut bounds = vec![28, file.len()];
    for mark in 0..2 {
        file.extend(LITTLE.enhanced(0, 0, 61, &frame(61, mark)));
        bounds.push(file.len());
    }
    (file, bounds)
}

#[test]
fn a_file_cut_off_anywhere_is_refused_with_the_place_or_read_up_to_it() {
    let (ng, ng_bounds) = two_packets();
    let mut classic = LITTLE.pcap_header(NANOSECONDS, 65535, 1);
    let mut classic_bounds = vec![classic.len()];
    for mark in 0..2 {
        classic.extend(LITTLE.pcap_record(0, 0, 61, &frame(61, mark)));
        classic_bounds.push(classic.len());
    }
    for (file, bounds) in [(ng, ng_bounds), (classic, classic_bounds)] {
        for cut in 4..file.len() {
            let whole = bounds.iter().copied().filter(|&end| end <= cut).max();
            if whole == Some(cut) {
                parse(&file[..cut]).unwrap();
                continue;
            }
            let Err(CaptureError::Truncated { offset, packets, .. }) = parse(&file[..cut]) else {
                panic!("a file cut at {cut} was accepted");
            };
            assert_eq!(offset, whole.unwrap_or(0));
            let lenient = ReadOptions { whole_only: true, ..Default::default() };
            if let Some(offset) = whole {
                let capture = parse_with(&file[..cut], &lenient).unwrap();
                assert_eq!(capture.len(), packets);
                assert_eq!(capture.left_out().cut_off_at, Some(offset));
            }
        }
    }
}

#[test]
fn packets_that_cannot_be_replayed_truly_are_refused_or_skipped_and_counted() {
    let mut file = LITTLE.pcap_header(MICROSECONDS, 96, 1);
    file.extend(LITTLE.pcap_record(0, 0, 60, &frame(60, 1)));
    let snapped_at = file.len();
    file.extend(LITTLE.pcap_record(0, 0, 1514, &frame(96, 2)));
    file.extend(LITTLE.pcap_record(0, 0, 13, &frame(13, 3)));
    file.extend(LITTLE.pcap_record(0, 0, 60, &frame(60, 4)));
    let error = parse(&file).unwrap_err();
    assert!(matches!(error, CaptureError::Snapped { number: 2, captured: 96, original: 1514, offset, .. }
        if offset == snapped_at));
    let text = error.to_string();
    assert!(text.contains("packet 2") && text.contains("96 of 1514 bytes") && !text.contains('\n'), "{text}");

    let options = ReadOptions { skip_unsuitable: true, ..Default::default() };
    let capture = parse_with(&file, &options).unwrap();
    assert_eq!(capture.packet(1).bytes, frame(60, 4));
    assert_eq!(capture.left_out(), LeftOut { snapped: 1, unsendable: 1, cut_off_at: None });
}

#[test]
fn frames_longer_than_a_port_carries_are_refused() {
    let mut file = LITTLE.pcap_header(MICROSECONDS, 262_144, 1);
    file.extend(LITTLE.pcap_record(0, 0, 40_000, &frame(40_000, 1)));
    let text = parse(&file).unwrap_err().to_string();
    assert!(text.contains("40000 bytes") && text.contains("ethtool"), "{text}");
}

#[test]
fn what_is_no_ethernet_capture_is_named() {
    let raw_ip = LITTLE.pcap_header(MICROSECONDS, 65535, 101);
    let mut cooked = BIG.section();
    cooked.extend(BIG.interface(113, 0, &[]));
    cooked.extend(BIG.enhanced(0, 0, 60, &frame(60, 1)));
    for (file, expected) in [
        (raw_ip, "raw IP (link type 101)"),
        (cooked, "Linux \"cooked\" (link type 113)"),
        (Vec::new(), "it is empty"),
        (vec![0x1f, 0x8b, 8, 0], "gunzip"),
        (b"GET / HTTP".to_vec(), "it begins with 47 45 54 20"),
    ] {
        let text = parse(&file).unwrap_err().to_string();
        assert!(text.contains(expected) && text.contains("in.pcap") && !text.contains('\n'), "{text}");
    }
}

#[test]
fn an_absent_file_is_named() {
    let path = std::path::Path::new("/nonexistent/in.pcap");
    let text = super::Capture::read(path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(text.contains("/nonexistent/in.pcap") && text.contains("No such file"), "{text}");
}

#[test]
fn broken_lengths_are_refused_with_the_place() {
    let mut classic = LITTLE.pcap_header(MICROSECONDS, 65535, 1);
    let mut record = LITTLE.pcap_record(0, 0, 60, &frame(60, 1));
    record[8..12].copy_from_slice(&LITTLE.u32(300_000));
    classic.extend(record);
    assert!(matches!(parse(&classic), Err(CaptureError::Malformed { offset: 24, .. })));

    for length in [0u32, 8, 11, 0x7fff_fff2, u32::MAX] {
        let (mut ng, bounds) = two_packets();
        ng[bounds[1] + 4..bounds[1] + 8].copy_from_slice(&LITTLE.u32(length));
        assert!(matches!(parse(&ng), Err(CaptureError::Malformed { offset, .. }) if offset == bounds[1]));
    }

    let (mut ng, bounds) = two_packets();
    let trailer = bounds[2] - 4;
    ng[trailer] ^= 4;
    assert!(matches!(parse(&ng), Err(CaptureError::Malformed { offset, .. }) if offset == bounds[1]));
}

proptest! {
    #[test]
    fn no_file_makes_the_reader_panic(
        kind in 0..4usize,
        flips in prop::collection::vec((0..400usize, any::<u8>()), 0..8),
        tail in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let (ng, _) = two_packets();
        let mut big = BIG.section();
        big.extend(BIG.interface(1, 0, &[(9, &[9]), (13, &[4]), (14, &BIG.u64(5))]));
        big.extend(BIG.enhanced(0, 3, 64, &frame(64, 1)));
        let mut classic = LITTLE.pcap_header(NANOSECONDS, 65535, 1);
        classic.extend(LITTLE.pcap_record(0, 0, 61, &frame(61, 1)));
        let mut file = [ng, big, classic, Vec::new()][kind].clone();
        file.extend(tail);
        for (at, value) in flips {
            if let Some(byte) = file.get_mut(at) {
                *byte = value;
            }
        }
        for whole_only in [false, true] {
            for skip_unsuitable in [false, true] {
                let options = ReadOptions { whole_only, skip_unsuitable, ..Default::default() };
                if let Ok(capture) = parse_with(&file, &options) {
                    for packet in capture.packets() {
                        prop_assert!((14..=options.longest_frame).contains(&packet.bytes.len()));
                    }
                }
            }
        }
    }
}

use std::sync::Arc;

use super::super::{Capture, PcapWire, Player, Timing};
use super::build::LITTLE;
use super::{frame, parse};
use crate::clock::Nanos;
use crate::wire::Wire;

/// Packets at 0, 10 and 30 microseconds.
fn capture() -> Arc<Capture> {
    let mut file = LITTLE.pcap_header(0xa1b2_c3d4, 65535, 1);
    for (number, time) in [0, 10, 30].into_iter().enumerate() {
        file.extend(LITTLE.pcap_record(5, time, 60 + number, &frame(60 + number, number as u8)));
    }
    Arc::new(parse(&file).unwrap())
}

/// Plays everything and tells when each packet came, in nanoseconds from the start.
fn times(timing: Timing, rounds: Option<u64>, count: usize) -> Vec<u64> {
    let start = 1_000_000;
    let mut wire = PcapWire::new(Some(Player::new(capture(), timing, rounds)), None);
    let mut times = Vec::new();
    let mut now = Nanos(start);
    while times.len() < count && !wire.exhausted() {
        if wire.peek(now).is_some() {
            times.push(now.0 - start);
            wire.advance(now);
        } else {
            let due = wire.next_due(now).unwrap();
            assert!(due > now, "a packet that is due is given");
            now = due;
        }
    }
    times
}

#[test]
fn each_timing_gives_each_packet_its_time() {
    assert_eq!(times(Timing::Fastest, Some(1), 9), [0, 0, 0]);
    assert_eq!(times(Timing::Original, Some(1), 9), [0, 10_000, 30_000]);
    assert_eq!(times(Timing::Scaled(2.0), Some(1), 9), [0, 5_000, 15_000]);
    assert_eq!(times(Timing::Scaled(0.5), Some(1), 9), [0, 20_000, 60_000]);
    assert_eq!(times(Timing::Rate(1e6), Some(1), 9), [0, 1000, 2000]);
}

#[test]
fn rounds_follow_each_other_with_the_mean_gap() {
    assert_eq!(times(Timing::Original, Some(2), 9), [0, 10_000, 30_000, 45_000, 55_000, 75_000]);
    assert_eq!(times(Timing::Rate(1e6), None, 7), [0, 1000, 2000, 3000, 4000, 5000, 6000]);
    assert_eq!(times(Timing::Fastest, Some(0), 9), [0; 0]);
}

#[test]
fn frames_keep_their_order_and_contents_and_stay_until_taken() {
    let mut wire = PcapWire::new(Some(Player::new(capture(), Timing::Fastest, Some(1))), None);
    for number in 0..3 {
        let expected = frame(60 + number, number as u8);
        assert_eq!(wire.peek(Nanos(0)).unwrap().bytes, expected);
        assert_eq!(wire.peek(Nanos(5)).unwrap().bytes, expected);
        wire.advance(Nanos(5));
    }
    assert!(wire.peek(Nanos(0)).is_none() && wire.exhausted() && wire.next_due(Nanos(9)).is_none());
}

#[test]
fn short_frames_are_padded_with_zeros() {
    let mut file = LITTLE.pcap_header(0xa1b2_c3d4, 65535, 1);
    file.extend(LITTLE.pcap_record(0, 0, 59, &[9; 59]));
    file.extend(LITTLE.pcap_record(0, 0, 42, &[7; 42]));
    let mut wire =
        PcapWire::new(Some(Player::new(Arc::new(parse(&file).unwrap()), Timing::Fastest, None)), None);
    wire.peek(Nanos(0));
    wire.advance(Nanos(0));
    let bytes = wire.peek(Nanos(0)).unwrap().bytes;
    assert_eq!((&bytes[..42], &bytes[42..]), (&[7; 42][..], &[0; 18][..]));
}

#[test]
fn speeds_that_make_no_sense_are_known() {
    assert!(Timing::Scaled(2.0).is_valid());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(!Timing::Scaled(bad).is_valid() && !Timing::Rate(bad).is_valid());
    }
}

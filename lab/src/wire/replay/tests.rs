use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::wire::pcap::ReadOptions;

/// A capture with the given frames, a microsecond apart.
fn capture(frames: &[Vec<u8>]) -> Arc<Capture> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("in.pcapng");
    let mut recorder = Recorder::create(&path, "test").unwrap();
    for (number, bytes) in frames.iter().enumerate() {
        recorder.record_as(&Record { bytes, timestamp: 1_000_000 + 1000 * number as u64, direction: None });
    }
    drop(recorder);
    Arc::new(Capture::read(&path, &ReadOptions::default()).unwrap())
}

/// `count` different frames of 40 to 139 bytes.
fn frames(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|n| (0..40 + n % 100).map(|at| (n * 7 + at * 13 + (n >> 8)) as u8).collect()).collect()
}

/// What the driver is meant to do.
fn forwarded(frame: &[u8]) -> Vec<u8> {
    let mut frame = frame.to_vec();
    if let Some(byte) = frame.get_mut(CHANGED_BYTE) {
        *byte = byte.wrapping_add(1);
    }
    frame
}

/// Takes everything off the wire, as the driver would forward it.
fn drain(wire: &mut ReplayWire) -> Vec<Vec<u8>> {
    let mut taken = Vec::new();
    while let Some(frame) = wire.peek(Nanos(100)) {
        taken.push(forwarded(frame.bytes));
        wire.advance(Nanos(100));
    }
    taken
}

fn report_of(frames: &[Vec<u8>], change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Report {
    let (mut a, mut b, handle) = pair(capture(frames), ReplayOptions::default());
    let mut under_way = drain(&mut a);
    change(&mut under_way);
    for frame in under_way {
        b.send(&frame, Nanos(350));
    }
    handle.report()
}

#[test]
fn a_faultless_driver_gives_a_clean_report() {
    let report = report_of(&frames(500), |_| {});
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.counts.sent, report.counts.arrived), (500, 500));
    assert_eq!(report.counts.arrived_bytes, frames(500).iter().map(|frame| frame.len() as u64).sum::<u64>());
    let latency = report.latency.unwrap();
    assert_eq!((latency.samples, latency.min_ns, latency.max_ns), (500, 250, 250));
}

#[test]
fn a_driver_that_changes_nothing_is_corrupt_at_byte_48_unless_that_is_expected() {
    let input = frames(1);
    let unchanged = |increment| {
        let options = ReplayOptions { increment, ..Default::default() };
        let (mut a, mut b, handle) = pair(capture(&input), options);
        let frame = a.peek(Nanos(0)).unwrap().bytes.to_vec();
        a.advance(Nanos(0));
        b.send(&frame, Nanos(0));
        handle.report()
    };
    let report = unchanged(1);
    let expected = Difference { packet: 1, offset: 48, expected: Some(1), got: Some(0) };
    assert_eq!((report.counts.corrupt, report.first_corrupt), (1, Some(expected)));
    assert!(unchanged(0).is_clean());
}

#[test]
fn a_frame_that_lost_its_tail_is_corrupt_at_its_end() {
    let report = report_of(&frames(100), |under_way| under_way[90].truncate(99));
    let difference = report.first_corrupt.unwrap();
    assert_eq!((difference.packet, difference.offset, difference.got), (91, 99, None));
    assert_eq!((report.counts.corrupt, report.lost), (1, 0));
}

#[test]
fn frames_that_nobody_sent_and_frames_that_come_back_are_counted() {
    let (mut a, mut b, handle) = pair(capture(&frames(10)), ReplayOptions::default());
    b.send(&[0x55; 900], Nanos(0));
    a.send(&[0x55; 60], Nanos(0));
    let report = handle.report();
    assert_eq!((report.counts.unexpected, report.returned, report.counts.corrupt), (1, 1, 0));
    assert!(!report.is_clean());
}

#[test]
fn equal_packets_are_told_apart_by_number() {
    let mut input = frames(1);
    input.extend(vec![input[0].clone(); 9]);
    assert!(report_of(&input, |_| {}).is_clean());
    assert_eq!(report_of(&input, |under_way| drop(under_way.pop())).lost, 1);
    let report = report_of(&input, |under_way| under_way.push(under_way[0].clone()));
    assert_eq!((report.counts.duplicates, report.lost), (1, 0));
}

#[test]
fn loss_of_more_than_is_remembered_is_counted_and_the_rest_is_found() {
    let options = ReplayOptions { rounds: Some(400), ..Default::default() };
    let (mut a, mut b, handle) = pair(capture(&frames(100)), options);
    let mut sent = 0;
    while a.peek(Nanos(0)).is_some() {
        let frame = forwarded(a.peek(Nanos(0)).unwrap().bytes);
        a.advance(Nanos(0));
        sent += 1;
        if sent > 39_900 {
            b.send(&frame, Nanos(0));
        }
    }
    let report = handle.report();
    assert_eq!((report.counts.arrived, report.lost, report.first_lost), (100, 39_900, Some(1)));
    assert_eq!(report.counts.corrupt + report.counts.unexpected + report.counts.duplicates, 0);
}

#[test]
fn nothing_is_sent_before_the_start() {
    let (mut a, _b, handle) = pair(capture(&frames(3)), ReplayOptions { hold: true, ..Default::default() });
    assert!(a.peek(Nanos(0)).is_none());
    handle.start();
    assert_eq!(drain(&mut a).len(), 3);
    let progress = handle.progress();
    assert_eq!(progress, Progress { total: Some(3), sent: 3, arrived: 0, finished_sending: true });
    assert!(!progress.complete());
}

#[test]
fn the_recorded_file_is_the_input_but_for_byte_48() {
    let dir = tempfile::tempdir().unwrap();
    for timestamps in [Timestamps::Original, Timestamps::Arrival] {
        let path = dir.path().join("out.pcap");
        let input = capture(&frames(200));
        let output = Some(Recorder::create(&path, "b").unwrap());
        let options = ReplayOptions { output, timestamps, ..Default::default() };
        let (mut a, mut b, handle) = pair(Arc::clone(&input), options);
        for frame in drain(&mut a) {
            b.send(&frame, Nanos::now());
        }
        b.flush().unwrap();
        assert_eq!(handle.report().recorded, Some(200));
        let recorded = Capture::read(Path::new(&path), &ReadOptions::default()).unwrap();
        assert_eq!(recorded.len(), 200);
        for (before, after) in input.packets().zip(recorded.packets()) {
            assert_eq!(after.bytes, forwarded(before.bytes));
            assert_eq!(after.timestamp == before.timestamp, timestamps == Timestamps::Original);
        }
    }
}

proptest! {
    #[test]
    fn any_wrong_byte_is_found_with_its_place(packet in 0..200usize, at in 0..139usize, xor in 1..=255u8) {
        let mut offset = 0;
        let report = report_of(&frames(200), |under_way| {
            offset = at % under_way[packet].len();
            under_way[packet][offset] ^= xor;
        });
        prop_assert_eq!((report.counts.corrupt, report.lost, report.counts.unexpected), (1, 0, 0));
        let difference = report.first_corrupt.unwrap();
        prop_assert_eq!((difference.packet, difference.offset), (packet as u64 + 1, offset));
        prop_assert_eq!(difference.got.unwrap() ^ difference.expected.unwrap(), xor);
    }

    #[test]
    fn loss_and_duplication_are_counted_exactly(
        lost in prop::collection::btree_set(0..200usize, 0..50),
        doubled in prop::collection::btree_set(0..200usize, 0..50),
    ) {
        let mut duplicates = 0;
        let report = report_of(&frames(200), |under_way| {
            let mut arriving = Vec::new();
            for (number, frame) in under_way.drain(..).enumerate().filter(|(number, _)| !lost.contains(number)) {
                if doubled.contains(&number) {
                    duplicates += 1;
                    arriving.push(frame.clone());
                }
                arriving.push(frame);
            }
            *under_way = arriving;
        });
        prop_assert_eq!((report.lost, report.counts.duplicates), (lost.len() as u64, duplicates));
        prop_assert_eq!(report.first_lost, lost.first().map(|&number| number as u64 + 1));
        prop_assert_eq!(report.counts.reordered + report.counts.corrupt + report.counts.unexpected, 0);
    }

    #[test]
    fn reordering_counts_the_packets_that_were_overtaken(order in Just((0..60usize).collect::<Vec<_>>()).prop_shuffle()) {
        let report = report_of(&frames(60), |under_way| {
            *under_way = order.iter().map(|&number| under_way[number].clone()).collect();
        });
        let mut latest = None;
        let overtaken = order.iter().filter(|&&number| {
            let behind = latest > Some(number);
            latest = latest.max(Some(number));
            behind
        });
        prop_assert_eq!(report.counts.reordered, overtaken.count() as u64);
        prop_assert_eq!(report.lost + report.counts.duplicates + report.counts.corrupt, 0);
    }
}

use std::collections::HashSet;

use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use proptest::prelude::*;

use super::image::CHANGED_BYTE;
use super::*;

/// Takes up to `count` frames off the wire, as the driver forwards them.
fn forward(wire: &mut GeneratorWire, count: usize, now: Nanos) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    while frames.len() < count {
        let Some(frame) = wire.peek(now) else { break };
        let mut frame = frame.bytes.to_vec();
        frame[CHANGED_BYTE] = frame[CHANGED_BYTE].wrapping_add(1);
        frames.push(frame);
        wire.advance(now);
    }
    frames
}

/// The report of the first direction after these changes on the way.
fn direction_of(
    options: &GeneratorOptions,
    count: usize,
    change: impl FnOnce(&mut Vec<Vec<u8>>),
) -> Direction {
    let (mut a, mut b, handle) = pair(options).unwrap();
    let mut frames = forward(&mut a, count, Nanos(1000));
    change(&mut frames);
    frames.iter().for_each(|frame| b.send(frame, Nanos(3500)));
    a.flush().unwrap();
    b.flush().unwrap();
    handle.report().directions.swap_remove(0)
}

fn mixed() -> GeneratorOptions {
    GeneratorOptions { sizes: Sizes::List(vec![64, 65, 128, 1518]), flows: 8, ..Default::default() }
}

#[test]
fn frames_are_valid_have_the_sizes_asked_for_and_spread_over_the_flows() {
    let (mut wire, _handle) = echo(&mixed()).unwrap();
    let (mut tuples, mut lengths) = (HashSet::new(), Vec::new());
    for _ in 0..64 {
        let frame = wire.peek(Nanos(7)).unwrap().bytes.to_vec();
        wire.advance(Nanos(7));
        let parsed = SlicedPacket::from_ethernet(&frame).unwrap();
        let Some(NetSlice::Ipv4(ip)) = parsed.net else { panic!("no IPv4") };
        let Some(TransportSlice::Udp(udp)) = parsed.transport else { panic!("no UDP") };
        let header = ip.header();
        assert_eq!(header.header_checksum(), header.to_header().calc_header_checksum());
        assert_eq!(usize::from(udp.length()), frame.len() - 34);
        assert_eq!(udp.checksum(), 0);
        tuples.insert((header.source(), header.destination(), udp.source_port(), udp.destination_port()));
        lengths.push(frame.len() + 4);
    }
    assert_eq!(tuples.len(), 8);
    for size in [64, 65, 128, 1518] {
        assert_eq!(lengths.iter().filter(|&&length| length == size).count(), 16);
    }
}

#[test]
fn both_directions_of_a_pair_are_counted() {
    let options = GeneratorOptions { count: Some(1000), ..mixed() };
    let (mut a, mut b, handle) = pair(&options).unwrap();
    let to_b = forward(&mut a, usize::MAX, Nanos(0));
    let to_a = forward(&mut b, usize::MAX, Nanos(0));
    assert!(a.exhausted() && b.exhausted());
    to_b.iter().for_each(|frame| b.send(frame, Nanos(5)));
    to_a[..400].iter().for_each(|frame| a.send(frame, Nanos(5)));
    a.flush().unwrap();
    b.flush().unwrap();
    let report = handle.report();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.sent(), report.received(), report.missing()), (2000, 1400, 600));
    assert_eq!((report.directions[1].lost, report.directions[1].outstanding), (0, 600));
    let bytes: usize = to_b.iter().map(Vec::len).sum();
    assert_eq!(report.directions[0].received_bytes, bytes as u64);
}

#[test]
fn frames_that_come_back_to_where_they_came_from_are_unexpected() {
    let (mut a, _b, handle) = pair(&mixed()).unwrap();
    let frames = forward(&mut a, 10, Nanos(0));
    frames.iter().for_each(|frame| a.send(frame, Nanos(0)));
    a.send(&[0; 14], Nanos(0));
    a.send(&[0; 2000], Nanos(0));
    a.flush().unwrap();
    let back = &handle.report().directions[1];
    assert_eq!((back.unexpected, back.corrupt, back.received, back.lost), (12, 0, 0, 0));
}

#[test]
fn an_echo_expects_its_own_frames_and_one_way_expects_none() {
    let options = GeneratorOptions { increment: 0, ..Default::default() };
    for (made, received) in [(echo(&options), 1), (one_way(&options), 0)] {
        let (mut wire, handle) = made.unwrap();
        let frame = wire.peek(Nanos(0)).unwrap().bytes.to_vec();
        wire.advance(Nanos(0));
        wire.send(&frame, Nanos(0));
        wire.flush().unwrap();
        let direction = &handle.report().directions[0];
        assert_eq!((direction.received, direction.unexpected), (received, 1 - received));
    }
}

#[test]
fn latency_is_from_being_taken_to_being_sent() {
    let options = GeneratorOptions { latency_every: 1, ..Default::default() };
    let direction = direction_of(&options, 1000, |_| {});
    let latency = direction.latency.unwrap();
    assert_eq!(latency.samples, 1000);
    assert!(latency.min_ns == 2500 && latency.max_ns.abs_diff(2500) <= 2, "{latency:?}");
}

#[test]
fn a_frame_that_is_not_taken_at_once_gets_a_new_time_but_is_the_same_otherwise() {
    let (mut wire, _handle) = echo(&GeneratorOptions::default()).unwrap();
    let early = wire.peek(Nanos(5)).unwrap().bytes.to_vec();
    assert_eq!(wire.peek(Nanos(5)).unwrap().bytes, early);
    let late = wire.peek(Nanos(900)).unwrap().bytes.to_vec();
    let different: Vec<_> = (0..60).filter(|&at| early[at] != late[at]).collect();
    assert!(!different.is_empty() && different.iter().all(|at| (49..60).contains(at)), "{different:?}");
}

#[test]
fn the_handle_holds_starts_stops_and_sets_the_rate() {
    let options = GeneratorOptions { hold: true, ..Default::default() };
    let (mut a, _b, handle) = pair(&options).unwrap();
    assert!(a.peek(Nanos(0)).is_none());
    handle.start();
    a.poll(Nanos(0));
    assert!(a.peek(Nanos(0)).is_some());
    handle.set_rate(Rate::PerSecond(1e6)).unwrap();
    a.poll(Nanos(0));
    assert_eq!(forward(&mut a, usize::MAX, Nanos(10)).len(), 1);
    assert_eq!(a.next_due(Nanos(10)), Some(Nanos(1010)));
    assert_eq!(forward(&mut a, usize::MAX, Nanos(3010)).len(), 3);
    handle.stop();
    a.poll(Nanos(0));
    assert!(a.peek(Nanos(9999)).is_none() && a.next_due(Nanos(9999)).is_none() && !a.exhausted());
    assert!(handle.set_rate(Rate::PerSecond(-1.0)).is_err());
}

#[test]
fn counts_are_published_while_frames_flow() {
    let (mut a, mut b, handle) = pair(&GeneratorOptions::default()).unwrap();
    for frame in forward(&mut a, 100, Nanos(0)) {
        b.send(&frame, Nanos(50));
    }
    for wire in [&mut a, &mut b] {
        wire.poll(Nanos(PUBLISH_EVERY_NS));
    }
    let report = handle.report();
    assert_eq!((report.sent(), report.received()), (100, 100));
    assert_eq!(report.directions[0].received_at_ns, PUBLISH_EVERY_NS);
    assert!(serde_json::to_value(&report).unwrap()["directions"][0]["latency"]["p50_ns"].is_u64());
    handle.clear_latencies();
    assert_eq!(handle.report().directions[0].latency, None);
}

#[test]
fn other_seeds_make_other_frames() {
    let frame = |seed| {
        let (mut wire, _handle) =
            echo(&GeneratorOptions { seed, sizes: Sizes::Fixed(256), ..Default::default() }).unwrap();
        wire.peek(Nanos(0)).unwrap().bytes.to_vec()
    };
    assert_eq!(frame(1), frame(1));
    assert_ne!(frame(1)[60..], frame(2)[60..]);
}

#[test]
fn a_frame_with_the_contents_of_another_is_found() {
    let options = GeneratorOptions { sizes: Sizes::Fixed(512), ..Default::default() };
    let direction = direction_of(&options, 10, |frames| {
        let stale = frames[3][256..].to_vec();
        frames[4][256..].copy_from_slice(&stale);
    });
    assert_eq!((direction.corrupt, direction.missing(), direction.received), (1, 0, 9));
    let corruption = direction.first_corrupt.unwrap();
    assert_eq!(corruption.sequence, 4);
    assert!((256..260).contains(&corruption.offset));
}

/// Nanoseconds that this thread has computed, so that a busy machine does not count.
fn cpu_time() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Costs of source and sink together; run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn what_a_frame_costs() {
    for (name, sizes) in [("64", Sizes::Fixed(64)), ("1518", Sizes::Fixed(1518)), ("imix", Sizes::Imix)] {
        for flows in [1, 64] {
            let options =
                GeneratorOptions { sizes: sizes.clone(), flows, increment: 0, ..Default::default() };
            let (mut wire, _handle) = echo(&options).unwrap();
            let mut slots = vec![([0; 2112], 0); 32];
            let frames = 2_000_000u64;
            let (start, cpu) = (Nanos::now(), cpu_time());
            for round in 0..frames / 32 {
                let now = Nanos(start.0 + round * 100);
                for (slot, length) in &mut slots {
                    let frame = wire.peek(now).unwrap().bytes;
                    *length = frame.len();
                    slot[..*length].copy_from_slice(frame);
                    wire.advance(now);
                }
                for (slot, length) in &slots {
                    wire.send(&slot[..*length], now);
                }
                wire.poll(now);
            }
            let each = (cpu_time() - cpu) as f64 / frames as f64;
            println!("{name} bytes, {flows} flows: {each:.1} ns of CPU for each frame, with one copy");
            assert!(wire.sink.counts().frames == frames);
        }
    }
}

proptest! {
    #[test]
    fn any_wrong_byte_is_found_with_its_place(
        packet in 0..40usize, at in any::<prop::sample::Index>(), xor in 1..=255u8,
    ) {
        let mut offset = 0;
        let direction = direction_of(&mixed(), 40, |frames| {
            offset = at.index(frames[packet].len());
            frames[packet][offset] ^= xor;
        });
        prop_assert_eq!((direction.corrupt, direction.received, direction.unexpected), (1, 39, 0));
        prop_assert_eq!(direction.missing(), 0, "a damaged frame is not lost as well");
        let corruption = direction.first_corrupt.unwrap();
        prop_assert_eq!((corruption.sequence as usize, corruption.offset), (packet, offset));
        prop_assert_eq!(corruption.got.unwrap() ^ corruption.expected.unwrap(), xor);
    }

    #[test]
    fn wrong_lengths_are_found(packet in 0..40usize, cut in 1..30usize, longer in any::<bool>()) {
        let direction = direction_of(&mixed(), 40, |frames| {
            let length = frames[packet].len();
            frames[packet].resize(if longer { length + cut } else { length - cut }, 0);
        });
        prop_assert_eq!((direction.corrupt + direction.unexpected, direction.received), (1, 39));
    }

    #[test]
    fn loss_duplication_and_reordering_are_counted_exactly(
        lost in prop::collection::btree_set(0..300usize, 0..80),
        doubled in prop::collection::btree_set(0..300usize, 0..80),
        swapped in prop::collection::btree_set(0..149usize, 0..40),
    ) {
        let options = GeneratorOptions::default();
        let (mut duplicates, mut reordered, mut last) = (0, 0, None);
        let direction = direction_of(&options, 300, |frames| {
            let mut order: Vec<usize> = (0..300).collect();
            swapped.iter().for_each(|&pair| order.swap(2 * pair, 2 * pair + 1));
            order.retain(|number| !lost.contains(number));
            reordered = order.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
            last = order.iter().max().copied();
            let mut arriving = Vec::new();
            for number in order {
                arriving.push(frames[number].clone());
                if doubled.contains(&number) {
                    arriving.push(frames[number].clone());
                    duplicates += 1;
                }
            }
            *frames = arriving;
        });
        prop_assert_eq!((direction.duplicates, direction.reordered), (duplicates, reordered));
        let overtaken = lost.iter().filter(|&&number| Some(number) < last).count() as u64;
        prop_assert_eq!((direction.lost, direction.missing()), (overtaken, lost.len() as u64));
        prop_assert_eq!(direction.received, 300 - lost.len() as u64 + duplicates);
        prop_assert_eq!(direction.corrupt + direction.unexpected + direction.stale, 0);
    }
}

/// Frames taken in bursts of at most `most`, each at its own time, with one taken singly in between.
fn in_bursts(wire: &mut GeneratorWire, count: usize, most: usize) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    let mut now = Nanos(1000);
    while frames.len() < count {
        now = Nanos(now.0 + 7);
        let burst: Vec<_> = wire.burst(now, most).frames().map(<[u8]>::to_vec).collect();
        let taken = burst.len().div_ceil(2);
        frames.extend(burst.into_iter().take(taken));
        wire.advance_burst(taken, now);
        now = Nanos(now.0 + 1);
        let Some(frame) = wire.peek(now) else { break };
        frames.push(frame.bytes.to_vec());
        wire.advance(now);
    }
    frames
}

#[test]
fn frames_of_bursts_are_those_that_are_awaited_with_the_time_at_which_they_went() {
    for (options, most) in [(GeneratorOptions::default(), 64), (mixed(), 5), (mixed(), 1)] {
        let options = GeneratorOptions { increment: 0, latency_every: 1, ..options };
        let (mut a, mut b, handle) = pair(&options).unwrap();
        let frames = in_bursts(&mut a, 500, most);
        frames.iter().for_each(|frame| b.send(frame, Nanos(100_000)));
        a.flush().unwrap();
        b.flush().unwrap();
        let direction = handle.report().directions.swap_remove(0);
        assert_eq!(direction.received, frames.len() as u64);
        assert_eq!(
            (direction.corrupt, direction.reordered, direction.lost, direction.duplicates),
            (0, 0, 0, 0)
        );
    }
}

#[test]
fn a_count_ends_bursts_too_and_a_rate_has_none() {
    let options = GeneratorOptions { count: Some(40), ..Default::default() };
    let (mut wire, _handle) = echo(&options).unwrap();
    assert_eq!(wire.burst(Nanos(1), 64).len(), 32);
    wire.advance_burst(32, Nanos(1));
    assert_eq!(wire.burst(Nanos(1), 64).len(), 8);
    wire.advance_burst(8, Nanos(1));
    assert!(wire.burst(Nanos(1), 64).is_empty() && wire.exhausted());
    let (mut wire, _handle) =
        echo(&GeneratorOptions { rate: Rate::PerSecond(1e6), ..Default::default() }).unwrap();
    assert!(wire.burst(Nanos(1), 64).is_empty());
    assert!(wire.peek(Nanos(1)).is_some());
}

//! Transmitting.

use ringway_lab::events::{Event, Side};
use ringway_lab::faults::Fault;
use ringway_lab::ixgbe::regs::tx_data;

use crate::case::{Case, case};
use crate::commands::Device;
use crate::frames::{LONGEST, SHORTEST, STRANGER, mixed, numbered, series};
use crate::outcome::{Outcome, expect, expect_eq, expect_frames};
use crate::protocol::Kind;
use crate::record::{rung, tx};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(sends_a_packet_of_every_length, "82599:7.2.3"),
    case!(pads_short_packets_with_zeros, "82599:8.2.3.22.8"),
    case!(keeps_order_across_the_ring_end, "82599:7.2.3.3"),
    case!(a_full_ring_takes_fewer_and_the_rest_stays_in_order, "design:2"),
    case!(gives_all_slots_back, "82599:7.2.3.5"),
    case!(rings_the_doorbell_once_a_batch, "design:2").trapped(),
    case!(asks_for_completion_now_and_then, "82599:7.2.3.2.4").descriptors(),
    case!(refuses_packets_that_no_wire_carries, "protocol:small print"),
    case!(sends_nothing_when_there_is_nothing, "design:2").trapped(),
    case!(sends_after_a_long_silence, "design:2"),
];

/// Slots that may wait in a transmit ring for the next completion: see "slots" in the small print of the protocol.
const UNREPORTED: u64 = 64;

fn sends_a_packet_of_every_length(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let frames: Vec<_> =
        (SHORTEST..=LONGEST).map(|length| numbered(STRANGER, length as u32, length)).collect();
    rig.transmits(0, device, 0, &frames)
}

fn pads_short_packets_with_zeros(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    // What was in the slots before must not show in the padding.
    let long = series(STRANGER, 0, 600, LONGEST);
    rig.transmits(0, device, 0, &long)?;
    let short: Vec<_> = (14..SHORTEST).map(|length| numbered(STRANGER, 1, length)).collect();
    let mut padded = short.clone();
    padded.iter_mut().for_each(|frame| frame.resize(SHORTEST, 0));
    rig.transmit(device, 0, &short)?;
    let sent = rig.sent(0, padded.len())?;
    expect_frames("short packets on the wire", &sent, &padded)
}

fn keeps_order_across_the_ring_end(rig: &mut Rig) -> Outcome {
    for slots in [64, 128, 512] {
        let device = rig.open(0, &format!("ring_slots={slots}"))?;
        let mut number = 0;
        while number < 3 * slots + 7 {
            let count = rig.random.between(1, 32);
            let frames = series(STRANGER, number, count, 60);
            rig.transmits(0, device, 0, &frames)?;
            number += count as u32;
        }
        rig.testee.close(device)?;
    }
    Ok(())
}

fn a_full_ring_takes_fewer_and_the_rest_stays_in_order(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=512")?;
    let frames = mixed(rig.mac(0), 0, 150, &mut rig.random);
    for frames in frames.chunks(30) {
        rig.inject(0, frames);
        rig.grasp(device, 0, frames.len())?;
    }
    // The card sends, but does not say so: the ring fills up.
    rig.fault(0, Fault::DeadDd(Side::Tx));
    let first = rig.testee.send(device, 0, frames.len())?;
    expect((1..=63).contains(&first), "a ring of 64 takes from 1 to 63 packets", || format!("n={first}"))?;
    expect_eq("taken by a full ring", rig.testee.send(device, 0, frames.len() - first)?, 0)?;
    expect_eq("hand", rig.testee.slots(device)?.hand, (frames.len() - first) as u64)?;
    let mut sent = rig.sent(0, first)?;
    rig.calm(0);
    rig.testee.close(device)?;
    expect_frames("sent from a hand that did not fit", &sent, &frames[..first])?;
    // The same with a card that only completes late: the rest follows in order.
    let device = rig.open(0, "ring_slots=64 pool_slots=512")?;
    for frames in frames.chunks(30) {
        rig.inject(0, frames);
        rig.grasp(device, 0, frames.len())?;
    }
    rig.send(device, 0, frames.len())?;
    sent = rig.sent(0, frames.len())?;
    expect_frames("sent from the hand in several turns", &sent, &frames)
}

fn gives_all_slots_back(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=256")?;
    let before = rig.testee.slots(device)?;
    expect_eq("slots in all", before.total, 256)?;
    for _ in 0..10 {
        let frames = mixed(STRANGER, 0, 100, &mut rig.random);
        rig.transmits(0, device, 0, &frames)?;
        let after = rig.until(5.0, "slots come back from the ring", |rig| {
            let slots = rig.testee.slots(device)?;
            Ok((slots.tx < UNREPORTED).then_some(slots))
        })?;
        expect(
            after.pool + after.tx == before.pool && after.hand == 0,
            "no slot but in pool or transmit ring",
            || format!("before {before:?}, after {after:?}"),
        )?;
    }
    Ok(())
}

fn rings_the_doorbell_once_a_batch(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    for count in [1, 2, 32, 60] {
        rig.record(0).clear();
        let frames = series(STRANGER, 0, count, 60);
        let n = rig.testee.transmit(device, 0, &frames)?;
        expect_eq("taken by an empty ring", n, count)?;
        let sent = rig.sent(0, count)?;
        expect_frames("on the wire", &sent, &frames)?;
        let rings = rig.record(0).count(|event| rung(event, tx(0)));
        expect_eq(&format!("writes of TDT for {count} packets"), rings, 1)?;
    }
    Ok(())
}

fn asks_for_completion_now_and_then(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    for count in [1, 5, 32, 7, 1] {
        let frames = series(STRANGER, 0, count * 10, 60);
        for frames in frames.chunks(count) {
            rig.transmits(0, device, 0, frames)?;
        }
    }
    let fetched = rig.record(0).events().into_iter().filter_map(|event| match event {
        Event::Fetched { queue, words, .. } if queue == tx(0) => Some(tx_data::RS.is_set(&words)),
        _ => None,
    });
    let (mut total, mut silent, mut longest) = (0, 0, 0);
    for asks in fetched {
        total += 1;
        silent = if asks { 0 } else { silent + 1 };
        longest = longest.max(silent);
    }
    expect(total >= 460, "a descriptor for each packet", || format!("{total} descriptors"))?;
    expect(longest < UNREPORTED, format!("RS in one of {UNREPORTED} descriptors"), || {
        format!("{longest} descriptors in a row without it")
    })
}

fn refuses_packets_that_no_wire_carries(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let good = "00".repeat(60);
    for length in [1, 13, LONGEST + 1, 4000] {
        let bad = "00".repeat(length);
        for words in [bad.clone(), format!("{good} {bad}")] {
            let command = format!("transmit {} 0 {words}", device.0);
            rig.testee.ask_refused(&command, &[Kind::Usage])?;
        }
    }
    rig.works(0, device)
}

fn sends_nothing_when_there_is_nothing(rig: &mut Rig) -> Outcome {
    let device: Device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.record(0).clear();
    for _ in 0..10 {
        expect_eq("sent from an empty hand", rig.testee.send(device, 0, 10)?, 0)?;
    }
    expect_eq("writes of TDT", rig.record(0).count(|event| rung(event, tx(0))), 0)?;
    rig.works(0, device)
}

fn sends_after_a_long_silence(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.transmits(0, device, 0, &series(STRANGER, 0, 3, 60))?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    let slots = rig.testee.slots(device)?;
    expect(slots.tx < UNREPORTED, "the slots have come back", || format!("{slots:?}"))?;
    rig.transmits(0, device, 0, &series(STRANGER, 10, 3, 60))
}

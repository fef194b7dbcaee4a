//! The forward workload.

use crate::case::{Case, case};
use crate::commands::{ANSWER, Device, Forwarded};
use crate::frames::{SHORTEST, forwarded, mixed, numbered, series};
use crate::outcome::{Outcome, expect, expect_eq, expect_frames};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(goes_both_ways, "design:5").two_nics(),
    case!(adds_one_to_byte_48_and_touches_nothing_else, "design:5").two_nics(),
    case!(works_with_every_size_of_batch, "design:5").two_nics(),
    case!(loses_nothing_of_twenty_thousand, "design:5").two_nics(),
    case!(ends_when_its_time_is_over, "protocol:forward").two_nics(),
    case!(ends_when_its_packets_are_over, "protocol:forward").two_nics(),
    case!(leaves_the_hand_alone, "protocol:forward").two_nics(),
    case!(counts_agree_with_the_wire, "protocol:forward").two_nics(),
];

fn open(rig: &mut Rig) -> Outcome<(Device, Device)> {
    Ok((rig.open(0, "promiscuous=1")?, rig.open(1, "promiscuous=1")?))
}

fn changed(frames: &[Vec<u8>]) -> Vec<Vec<u8>> {
    frames.iter().map(|frame| forwarded(frame)).collect()
}

/// Injects frames at both ends, a burst at a time so that no ring overflows, and lets the testee forward them all.
fn forwards(
    rig: &mut Rig,
    (a, b): (Device, Device),
    at: [&[Vec<u8>]; 2],
    options: &str,
) -> Outcome<Forwarded> {
    let all = at[0].len() + at[1].len();
    rig.testee.tell_forward(a, b, &format!("packets={all} millis=30000 {options}"))?;
    let bursts = at.map(|frames| frames.chunks(200).collect::<Vec<_>>());
    let mut sent = [Vec::new(), Vec::new()];
    for round in 0..bursts[0].len().max(bursts[1].len()) {
        for nic in [0, 1] {
            if let Some(burst) = bursts[nic].get(round) {
                rig.inject(nic, burst);
            }
        }
        for nic in [0, 1] {
            if let Some(burst) = bursts[1 - nic].get(round) {
                sent[nic].extend(rig.sent(nic, burst.len())?);
            }
        }
    }
    let told = rig.testee.forwarded(ANSWER)?;
    expect_frames("forwarded from the first to the second", &sent[1], &changed(at[0]))?;
    expect_frames("forwarded from the second to the first", &sent[0], &changed(at[1]))?;
    let all = all as u64;
    expect_eq("answer", told, Forwarded { received: all, sent: all, dropped: 0 })?;
    Ok(told)
}

fn goes_both_ways(rig: &mut Rig) -> Outcome {
    let devices = open(rig)?;
    let (there, back) = (series(rig.mac(0), 0, 500, 60), series(rig.mac(1), 1000, 300, 200));
    forwards(rig, devices, [&there, &back], "")?;
    forwards(rig, devices, [&there, &[]], "")?;
    forwards(rig, devices, [&[], &back], "").map(drop)
}

fn adds_one_to_byte_48_and_touches_nothing_else(rig: &mut Rig) -> Outcome {
    let devices = open(rig)?;
    let frames: Vec<_> = (0..=255)
        .map(|byte| {
            let mut frame = numbered(rig.mac(0), u32::from(byte), SHORTEST);
            frame[47..50].copy_from_slice(&[255, byte, 0]);
            frame
        })
        .collect();
    forwards(rig, devices, [&frames, &frames], "").map(drop)
}

fn works_with_every_size_of_batch(rig: &mut Rig) -> Outcome {
    let devices = open(rig)?;
    for batch in [1, 2, 7, 31, 32, 64, 256] {
        let (there, back) =
            (mixed(rig.mac(0), 0, 300, &mut rig.random), mixed(rig.mac(1), 0, 300, &mut rig.random));
        forwards(rig, devices, [&there, &back], &format!("batch={batch}"))?;
    }
    Ok(())
}

fn loses_nothing_of_twenty_thousand(rig: &mut Rig) -> Outcome {
    let devices = open(rig)?;
    let there = mixed(rig.mac(0), 0, 10_000, &mut rig.random);
    let back = mixed(rig.mac(1), 10_000, 10_000, &mut rig.random);
    forwards(rig, devices, [&there, &back], "")?;
    for device in [devices.0, devices.1] {
        let slots = rig.testee.slots(device)?;
        expect(slots.hand == 0 && slots.tx <= 64, "no slot is lost", || format!("{slots:?}"))?;
    }
    Ok(())
}

fn ends_when_its_time_is_over(rig: &mut Rig) -> Outcome {
    let (a, b) = open(rig)?;
    let start = std::time::Instant::now();
    let told = rig.testee.forward(a, b, "millis=300", ANSWER)?;
    let took = start.elapsed();
    expect_eq("received from idle wires", told.received, 0)?;
    expect(took.as_millis() >= 300, "300 ms of forwarding", || format!("{took:?}"))?;
    forwards(rig, (a, b), [&series(rig.mac(0), 0, 10, 60), &[]], "").map(drop)
}

fn ends_when_its_packets_are_over(rig: &mut Rig) -> Outcome {
    let (a, b) = open(rig)?;
    let frames = series(rig.mac(0), 0, 100, 60);
    rig.inject(0, &frames);
    // Not more than asked for: what is left in the ring is there for the next.
    let told = rig.testee.forward(a, b, "packets=40 batch=8", ANSWER)?;
    expect_eq("received", told.received, 40)?;
    let mut sent = rig.sent(1, 40)?;
    let told = rig.testee.forward(a, b, "packets=60", ANSWER)?;
    expect_eq("received", told.received, 60)?;
    sent.extend(rig.sent(1, 60)?);
    expect_frames("forwarded in two runs", &sent, &changed(&frames))
}

fn leaves_the_hand_alone(rig: &mut Rig) -> Outcome {
    let (a, b) = open(rig)?;
    let held = series(rig.mac(0), 5000, 10, 90);
    rig.inject(0, &held);
    rig.grasp(a, 0, held.len())?;
    forwards(rig, (a, b), [&series(rig.mac(0), 0, 500, 60), &series(rig.mac(1), 0, 500, 60)], "")?;
    rig.send(b, 0, held.len())?;
    let sent = rig.sent(1, held.len())?;
    expect_frames("sent from the hand after forwarding", &sent, &held)
}

fn counts_agree_with_the_wire(rig: &mut Rig) -> Outcome {
    let (a, b) = open(rig)?;
    let (there, back) =
        (mixed(rig.mac(0), 0, 400, &mut rig.random), mixed(rig.mac(1), 0, 100, &mut rig.random));
    forwards(rig, (a, b), [&there, &back], "")?;
    let bytes = |frames: &[Vec<u8>]| frames.iter().map(|frame| frame.len() as u64 + 4).sum::<u64>();
    let (stats_a, stats_b) = (rig.testee.stats(a)?, rig.testee.stats(b)?);
    expect_eq("packets at the first", (stats_a.rx_packets, stats_a.tx_packets), (400, 100))?;
    expect_eq("packets at the second", (stats_b.rx_packets, stats_b.tx_packets), (100, 400))?;
    expect_eq("bytes at the first", (stats_a.rx_bytes, stats_a.tx_bytes), (bytes(&there), bytes(&back)))?;
    expect_eq("bytes at the second", (stats_b.rx_bytes, stats_b.tx_bytes), (bytes(&back), bytes(&there)))
}

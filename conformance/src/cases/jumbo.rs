//! Frames of several slots.

use crate::case::{Case, case};
use crate::commands::Stats;
use crate::frames::{FCS, STRANGER, numbered};
use crate::outcome::{Outcome, expect, expect_eq, expect_frames};
use crate::protocol::Kind;
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(receives_long_frames_whole, "82599:7.1.6").needs("jumbo"),
    case!(sends_long_frames_whole, "82599:7.2.3.2").needs("jumbo"),
    case!(mixes_long_and_short_across_the_ring_end, "82599:7.1.9").needs("jumbo"),
    case!(sends_long_frames_from_the_hand, "design:2").needs("jumbo"),
    case!(counts_long_frames_once, "82599:8.2.3.23").needs("jumbo"),
    case!(frames_longer_than_asked_for_are_dropped, "82599:8.2.3.22.13").needs("jumbo"),
    case!(without_the_feature_it_is_refused, "protocol:small print"),
];

/// Largest frame that the cases ask for, with FCS, and without.
const MAX_FRAME: usize = 9018;
const LONGEST: usize = MAX_FRAME - FCS;
const OPTIONS: &str = "max_frame=9018 pool_slots=4096";

/// Lengths around every edge: one slot, several slots, the longest.
fn edges() -> Vec<usize> {
    let around = [1514, 2044, 2048, 2112, 3072, 4096, 6144, 8192].into_iter().flat_map(|n| n - 2..=n + 2);
    around.chain([60, 1600, 5000, 7777, LONGEST - 1, LONGEST]).collect()
}

fn receives_long_frames_whole(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, OPTIONS)?;
    let frames: Vec<_> =
        edges().into_iter().map(|length| numbered(rig.mac(0), length as u32, length)).collect();
    rig.receives(0, device, 0, &frames, 10)
}

fn sends_long_frames_whole(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, OPTIONS)?;
    let frames: Vec<_> =
        edges().into_iter().map(|length| numbered(STRANGER, length as u32, length)).collect();
    rig.transmits(0, device, 0, &frames)?;
    let bad = "00".repeat(LONGEST + 1);
    rig.testee.ask_refused(&format!("transmit {} 0 {bad}", device.0), &[Kind::Usage]).map(drop)
}

fn mixes_long_and_short_across_the_ring_end(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "max_frame=9018 ring_slots=64 pool_slots=512")?;
    for round in 0..60 {
        let frames: Vec<_> = (0..6)
            .map(|n| {
                let length = if rig.random.coin() {
                    rig.random.between(60, 1514)
                } else {
                    rig.random.between(1515, LONGEST)
                };
                numbered(rig.mac(0), round * 10 + n, length)
            })
            .collect();
        rig.receives(0, device, 0, &frames, 6)?;
        rig.transmits(0, device, 0, &frames)?;
    }
    let slots = rig.testee.slots(device)?;
    expect(slots.hand == 0 && slots.tx < 64, "every slot has come back", || format!("{slots:?}"))
}

fn sends_long_frames_from_the_hand(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "max_frame=9018 ring_slots=64 pool_slots=512")?;
    for round in 0..20 {
        let frames = [3000, 60, 9014, 2048].map(|length| numbered(rig.mac(0), round, length));
        rig.inject(0, &frames);
        rig.grasp(device, 0, frames.len())?;
        rig.send(device, 0, frames.len())?;
        let sent = rig.sent(0, frames.len())?;
        expect_frames("sent from the hand", &sent, &frames)?;
    }
    Ok(())
}

fn counts_long_frames_once(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, OPTIONS)?;
    let frames: Vec<_> = (0..5).map(|n| numbered(rig.mac(0), n, LONGEST)).collect();
    rig.receives(0, device, 0, &frames, 5)?;
    rig.transmits(0, device, 0, &frames)?;
    let bytes = 5 * MAX_FRAME as u64;
    let expected =
        Stats { rx_packets: 5, tx_packets: 5, rx_bytes: bytes, tx_bytes: bytes, ..Stats::default() };
    expect_eq("stats", rig.testee.stats(device)?, expected)
}

fn frames_longer_than_asked_for_are_dropped(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "max_frame=4000 pool_slots=4096")?;
    let good = numbered(rig.mac(0), 1, 4000 - FCS);
    let bad = numbered(rig.mac(0), 2, 4000 - FCS + 1);
    rig.inject(0, &[good.clone(), bad, good.clone()]);
    let got = rig.gather(device, 0, 2)?;
    expect_frames("received with max_frame=4000", &got, &[good.clone(), good])?;
    rig.nothing_left(device, 0)?;
    expect_eq("rx_errors", rig.testee.stats(device)?.rx_errors, 1)
}

fn without_the_feature_it_is_refused(rig: &mut Rig) -> Outcome {
    let socket = rig.socket(0);
    if rig.has("jumbo") {
        // No 82599 takes more than 15.5 KiB (82599 8.2.3.22.13).
        rig.testee.open_refused(&socket, "max_frame=20000", &[Kind::Unsupported, Kind::Usage])?;
    } else {
        rig.testee.open_refused(&socket, "max_frame=9018", &[Kind::Unsupported])?;
    }
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

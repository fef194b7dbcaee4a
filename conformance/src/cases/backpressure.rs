//! A receiver that takes less than comes.

use ringway_lab::events::Side;
use ringway_lab::faults::Fault;

use crate::case::{Case, case};
use crate::frames::{forwarded, series};
use crate::outcome::{Outcome, expect, expect_eq, expect_frames};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(forward_drops_and_counts_what_the_other_side_does_not_take, "design:5").two_nics(),
    case!(a_stalled_side_does_not_hold_up_the_other, "design:5").two_nics(),
];

fn forward_drops_and_counts_what_the_other_side_does_not_take(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "ring_slots=64 pool_slots=512")?, rig.open(1, "ring_slots=64 pool_slots=512")?);
    rig.fault(1, Fault::DeadDd(Side::Tx));
    let mut all = Vec::new();
    let mut sum = (0, 0, 0);
    for round in 0..10 {
        let frames = series(rig.mac(0), round * 100, 30, 80);
        rig.inject(0, &frames);
        let told = rig.testee.forward(a, b, "packets=30 millis=3000", 8.0)?;
        expect_eq("received", told.received, 30)?;
        sum = (sum.0 + told.received, sum.1 + told.sent, sum.2 + told.dropped);
        all.extend(frames);
    }
    expect((1..=63).contains(&sum.1), "a ring of 64 that is never emptied takes from 1 to 63", || {
        format!("{sum:?}")
    })?;
    let sent = rig.sent(1, sum.1 as usize)?;
    let expected: Vec<_> = all[..sum.1 as usize].iter().map(|frame| forwarded(frame)).collect();
    expect_frames("sent before the ring was full", &sent, &expected)?;
    let slots = rig.testee.slots(a)?;
    expect(slots.hand == 0 && slots.pool > 300, "dropped packets are back in the pool", || {
        format!("{slots:?}")
    })
}

fn a_stalled_side_does_not_hold_up_the_other(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "ring_slots=64 pool_slots=512")?, rig.open(1, "ring_slots=64 pool_slots=512")?);
    rig.fault(1, Fault::DeadDd(Side::Tx));
    let mut back = 0;
    for round in 0..10 {
        rig.inject(0, &series(rig.mac(0), round * 100, 30, 80));
        let frames = series(rig.mac(1), round * 100, 30, 80);
        rig.inject(1, &frames);
        let told = rig.testee.forward(a, b, "packets=60 millis=3000", 8.0)?;
        expect_eq("received", told.received, 60)?;
        let sent = rig.sent(0, frames.len())?;
        let expected: Vec<_> = frames.iter().map(|frame| forwarded(frame)).collect();
        expect_frames("sent by the side that works", &sent, &expected)?;
        back += sent.len();
    }
    expect_eq("frames sent by the side that works", back, 300)?;
    rig.world.port(1).wire.clear();
    Ok(())
}

//! Where slots are: each in exactly one of pool, hand, receive ring, transmit ring.

use crate::case::{Case, case};
use crate::commands::Device;
use crate::frames::{STRANGER, mixed, series};
use crate::outcome::{Outcome, expect, expect_eq, expect_frames};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(survives_an_empty_pool_and_recovers, "design:2"),
    case!(transmits_nothing_from_an_empty_pool, "protocol:transmit"),
    case!(loses_no_slot_in_a_random_walk, "design:2"),
    case!(gives_slots_back_to_the_pool_they_came_from, "protocol:small print").two_nics(),
    case!(gives_every_slot_back_when_the_hand_is_released, "design:2"),
];

/// Receives into the hand until the pool is empty and nothing comes any more. Returns how many packets are held.
fn exhaust(rig: &mut Rig, device: Device) -> Outcome<usize> {
    let mut held = 0;
    let mut silent = 0;
    for number in 0..2000 {
        rig.inject(0, &series(rig.mac(0), number * 8, 8, 60));
        let got = rig.testee.receive(device, 0, 64, "")?.packets.len();
        held += got;
        silent = if got == 0 { silent + 1 } else { 0 };
        if silent == 20 && rig.testee.slots(device)?.pool == 0 {
            return Ok(held);
        }
    }
    expect(false, "the pool is used up when every packet stays in the hand", || {
        format!("{held} are in the hand")
    })?;
    Ok(held)
}

fn survives_an_empty_pool_and_recovers(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=160")?;
    for _ in 0..3 {
        let held = exhaust(rig, device)?;
        let slots = rig.testee.slots(device)?;
        expect_eq("hand", slots.hand, held as u64)?;
        expect(held >= 96, "what the pool holds beside the ring can be in the hand", || {
            format!("{slots:?}")
        })?;
        expect_eq("released", rig.testee.release()?, held)?;
        rig.world.port(0).wire.clear();
        rig.until(5.0, "the ring runs dry of old frames", |rig| {
            let got = rig.testee.receive(device, 0, 64, "")?.packets.len();
            rig.testee.release()?;
            Ok((got == 0).then_some(()))
        })?;
        let frames = mixed(rig.mac(0), 1_000_000, 200, &mut rig.random);
        rig.receives(0, device, 0, &frames, 20)?;
    }
    Ok(())
}

fn transmits_nothing_from_an_empty_pool(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=160")?;
    let held = exhaust(rig, device)?;
    expect_eq(
        "transmitted from an empty pool",
        rig.testee.transmit(device, 0, &series(STRANGER, 0, 4, 60))?,
        0,
    )?;
    rig.send(device, 0, held)?;
    rig.sent(0, held)?;
    rig.world.port(0).wire.clear();
    rig.until(5.0, "slots come back to the pool", |rig| {
        rig.testee.receive(device, 0, 64, "")?;
        rig.testee.release()?;
        Ok((rig.testee.slots(device)?.pool >= 4).then_some(()))
    })?;
    rig.transmits(0, device, 0, &series(STRANGER, 0, 4, 60))
}

fn loses_no_slot_in_a_random_walk(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=200")?;
    let mut hand = 0;
    let (mut put, mut taken) = (0, 0);
    for step in 0..400 {
        match rig.random.between(0, 5) {
            0 | 1 => {
                let count = rig.random.between(1, 24);
                rig.inject(0, &series(rig.mac(0), step * 100, count, 60));
                put += count;
            }
            2 => {
                let count = rig.random.between(1, 40);
                hand += rig.testee.receive(device, 0, count, "batch=16")?.packets.len();
            }
            3 => {
                let count = rig.random.between(1, 40).min(hand);
                let sent = if count > 0 { rig.testee.send(device, 0, count)? } else { 0 };
                hand -= sent;
                taken += sent;
            }
            4 => {
                let frames = series(STRANGER, step * 100, rig.random.between(1, 16), 70);
                taken += rig.testee.transmit(device, 0, &frames)?;
            }
            _ => {
                expect_eq("released", rig.testee.release()?, hand)?;
                hand = 0;
            }
        }
        let slots = rig.testee.slots(device)?;
        expect_eq("total", slots.total, 200)?;
        expect_eq("hand", slots.hand, hand as u64)?;
        expect(slots.rx <= 63, "at most 63 slots in a receive ring of 64", || format!("{slots:?}"))?;
    }
    rig.sent(0, taken)?;
    rig.testee.release()?;
    expect(put > 500 && taken > 200, "a walk that went somewhere", || format!("{put} in, {taken} out"))?;
    rig.world.port(0).wire.clear();
    rig.until(5.0, "the ring runs dry", |rig| {
        let got = rig.testee.receive(device, 0, 64, "")?.packets.len();
        rig.testee.release()?;
        Ok((got == 0).then_some(()))
    })?;
    rig.works(0, device)
}

fn gives_slots_back_to_the_pool_they_came_from(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "ring_slots=64 pool_slots=256")?, rig.open(1, "ring_slots=64 pool_slots=128")?);
    let (before_a, before_b) = (rig.testee.slots(a)?, rig.testee.slots(b)?);
    for _ in 0..20 {
        let frames = mixed(rig.mac(0), 0, 32, &mut rig.random);
        rig.inject(0, &frames);
        rig.grasp(a, 0, frames.len())?;
        rig.send(b, 0, frames.len())?;
        let sent = rig.sent(1, frames.len())?;
        expect_frames("received by one card, sent by the other", &sent, &frames)?;
        rig.testee.slots(a)?;
        rig.testee.slots(b)?;
    }
    rig.until(5.0, "the slots are back in their own pool", |rig| {
        rig.testee.slots(b)?;
        let slots = rig.testee.slots(a)?;
        Ok((slots.pool + slots.tx + slots.rx == 256 && slots.tx < 64 && slots.hand == 0).then_some(()))
    })?;
    let after_b = rig.testee.slots(b)?;
    expect_eq(
        "slots of the second device",
        (after_b.pool + after_b.tx, after_b.rx),
        (before_b.pool, before_b.rx),
    )?;
    expect_eq("slots of the first device in all", rig.testee.slots(a)?.total, before_a.total)
}

fn gives_every_slot_back_when_the_hand_is_released(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=256")?;
    let before = rig.testee.slots(device)?;
    for number in 0..30 {
        rig.inject(0, &series(rig.mac(0), number * 100, 20, 60));
        rig.grasp(device, 0, 20)?;
        if number % 3 == 2 {
            expect_eq("released", rig.testee.release()?, 60)?;
        }
    }
    let after = rig.testee.slots(device)?;
    expect_eq("slots in pool and receive ring", after.pool + after.rx, before.pool + before.rx)
}

//! Rules about slots of a ring: what is handed over, whether it stays as it was, and which buffers it refers to.

use super::buffers::{Claim, Ownership, Use, describe};
use super::context::Context;
use super::queues::{Extent, QueueState, Slot};
use super::rules::{Rule, buffers as memory_rules, receive, rings};
use super::transmit_packets::{self, At};
use crate::events::{Queue, Side};
use crate::ixgbe::regs::{rx_legacy, rx_writeback};

/// A ring is about to be used.
pub(super) fn enabled(cx: &mut Context<'_>, owned: &mut Ownership, state: &mut QueueState, queue: Queue) {
    state.ring.clear();
    state.ring.resize(state.slots as usize, Slot::default());
    let ring = Claim::new(Use::Ring, queue, 0, state.ring_extent());
    if let Some(other) = owned.claim(ring) {
        let rule =
            if other.usage == Use::Ring { &memory_rules::RINGS_OVERLAP } else { &memory_rules::OVER_RING };
        overlap(cx, rule, &ring, &other);
    }
}

/// The NIC has let go of a ring and everything in it.
pub(super) fn disabled(owned: &mut Ownership, state: &mut QueueState, queue: Queue) {
    owned.release(Claim::new(Use::Ring, queue, 0, state.ring_extent()));
    let mut ring = std::mem::take(&mut state.ring);
    for (number, slot) in ring.iter_mut().enumerate().filter(|(_, slot)| slot.owned) {
        give_back(owned, queue, number as u32, slot);
    }
    state.ring = ring;
}

/// The tail has passed a slot.
pub(super) fn handed_over(
    cx: &mut Context<'_>,
    owned: &mut Ownership,
    state: &mut QueueState,
    queue: Queue,
    number: u32,
    words: [u64; 2],
) {
    let slots = state.slots;
    let Some(slot) = state.ring.get_mut(number as usize) else { return };
    if slot.owned {
        // Handed over twice, which the doorbell has reported.
        give_back(owned, queue, number, slot);
    }
    let (usage, buffer) = match queue.side {
        Side::Rx => {
            receive_descriptor(cx, state.format.legacy, queue, number, &words);
            (Use::Receive, Extent { start: words[0], length: state.format.reach })
        }
        Side::Tx => {
            let last = (number + 1) % slots == state.tail;
            state.assembly.add(cx, At { queue, slot: number, slots, last }, words);
            (Use::Send, transmit_packets::buffer(&words))
        }
    };
    let buffer = reachable(cx, queue, number, usage, buffer);
    *slot = Slot { owned: true, words, buffer };
    if buffer.length == 0 {
        return;
    }
    let claim = Claim::new(usage, queue, number, buffer);
    if let Some(other) = owned.claim(claim) {
        overlap(cx, overlap_rule(&claim, &other), &claim, &other);
    }
}

/// The buffer, or nothing if it is not mapped in full.
fn reachable(cx: &mut Context<'_>, queue: Queue, number: u32, usage: Use, buffer: Extent) -> Extent {
    let Err(fault) = cx.scene.memory.check(buffer.start, buffer.length as usize, usage == Use::Receive)
    else {
        return buffer;
    };
    cx.queue(&memory_rules::BUFFER_OUTSIDE, queue, || {
        let Extent { start, length } = buffer;
        let access = if usage == Use::Receive { "writing" } else { "reading" };
        format!(
            "slot {number}: buffer at {start:#x}, {length} bytes, is not mapped for {access} at {:#x}",
            fault.iova
        )
    });
    Extent::default()
}

fn overlap_rule(claim: &Claim, other: &Claim) -> &'static Rule {
    match (claim.usage, other.usage) {
        (Use::Ring, _) | (_, Use::Ring) => &memory_rules::OVER_RING,
        (Use::Receive, Use::Receive) => &memory_rules::GIVEN_TWICE,
        _ => &memory_rules::RECEIVE_OVER_SEND,
    }
}

fn overlap(cx: &mut Context<'_>, rule: &'static Rule, claim: &Claim, other: &Claim) {
    cx.queue(rule, claim.queue, || {
        format!(
            "{} at {:#x} to {:#x} overlaps {} at {:#x} to {:#x}",
            describe(claim),
            claim.extent.start,
            claim.extent.end(),
            describe(other),
            other.extent.start,
            other.extent.end()
        )
    });
}

fn receive_descriptor(cx: &mut Context<'_>, legacy: bool, queue: Queue, number: u32, words: &[u64; 2]) {
    let (done, bit) = if legacy { (rx_legacy::DD, rx_legacy::DD.shift) } else { (rx_writeback::DD, 0) };
    if done.is_set(words) {
        cx.queue(&receive::STALE_DD, queue, || {
            format!("slot {number}: second quadword {:#018x} has DD (bit {bit}) = 1; expected 0", words[1])
        });
    }
    if words[0] & 1 != 0 {
        cx.queue(&receive::ODD_ADDRESS, queue, || {
            format!("slot {number}: buffer address {:#x} is odd", words[0])
        });
    }
}

/// The NIC fetches a descriptor: is it still what was handed over?
pub(super) fn fetched(cx: &mut Context<'_>, state: &QueueState, queue: Queue, number: u32, words: [u64; 2]) {
    let Some(slot) = state.ring.get(number as usize) else { return };
    if !slot.owned || slot.words == words {
        return;
    }
    let rule = match queue.side {
        Side::Rx => &rings::RX_CHANGED_DESCRIPTOR,
        Side::Tx => &rings::TX_CHANGED_DESCRIPTOR,
    };
    cx.queue(rule, queue, || {
        let [then, there] = slot.words;
        format!(
            "slot {number}: handed over as {then:#018x} {there:#018x}, fetched as {:#018x} {:#018x}",
            words[0], words[1]
        )
    });
}

/// The NIC gives a slot back.
pub(super) fn completed(owned: &mut Ownership, state: &mut QueueState, queue: Queue, number: u32) {
    if let Some(slot) = state.ring.get_mut(number as usize).filter(|slot| slot.owned) {
        give_back(owned, queue, number, slot);
    }
}

fn give_back(owned: &mut Ownership, queue: Queue, number: u32, slot: &mut Slot) {
    slot.owned = false;
    if slot.buffer.length != 0 {
        let usage = if queue.side == Side::Rx { Use::Receive } else { Use::Send };
        owned.release(Claim::new(usage, queue, number, slot.buffer));
    }
}

/// The model could make nothing of a descriptor.
pub(super) fn bad_descriptor(cx: &mut Context<'_>, queue: Queue, number: u32, words: [u64; 2], why: &str) {
    let rule = match queue.side {
        Side::Rx => &rings::RX_BAD_DESCRIPTOR,
        Side::Tx => &rings::TX_BAD_DESCRIPTOR,
    };
    cx.queue(rule, queue, || format!("slot {number}: {:#018x} {:#018x}: {why}", words[0], words[1]));
}

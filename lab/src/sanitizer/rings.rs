//! Rules about a ring's registers, its tail and its head, alike for both directions.

use super::context::{Context, Write};
use super::lookup::Found;
use super::queues::{Enabling, QueueState, Queues, SideRegisters, SingleSteps, of, registers};
use super::rules::{self, Rule};
use crate::events::{Queue, Side};
use crate::ixgbe::regs;

/// Bytes of a descriptor.
const DESCRIPTOR: u64 = 16;
/// Bytes: alignment of a ring's base, and unit of its length.
const ALIGNMENT: u32 = 128;
/// Bytes: longest ring, 8192 descriptors.
const LONGEST: u32 = 128 << 10;

/// Doorbells of one descriptor each, in an unbroken run, from which on the driver is told.
const MANY_SINGLE_STEPS: u32 = 1024;
/// Slower than this there may just be no more packets. Nanoseconds for each doorbell.
const BUSY_STEP: u64 = 1000;

/// The rules of one direction.
struct RingRules {
    misaligned: &'static Rule,
    length: &'static Rule,
    not_set: &'static Rule,
    changed: &'static Rule,
    tail_disabled: &'static Rule,
    enable_not_read: &'static Rule,
    tail_beyond: &'static Rule,
    tail_past_head: &'static Rule,
    head_moved: &'static Rule,
    head_rewritten: &'static Rule,
    doorbell_rate: &'static Rule,
}

static RX: RingRules = RingRules {
    misaligned: &rules::rings::RX_MISALIGNED,
    length: &rules::rings::RX_LENGTH,
    not_set: &rules::rings::RX_NOT_SET,
    changed: &rules::rings::RX_CHANGED,
    tail_disabled: &rules::rings::RX_TAIL_DISABLED,
    enable_not_read: &rules::rings::RX_ENABLE_NOT_READ,
    tail_beyond: &rules::rings::RX_TAIL_BEYOND,
    tail_past_head: &rules::rings::RX_TAIL_PAST_HEAD,
    head_moved: &rules::rings::RX_HEAD_MOVED,
    head_rewritten: &rules::rings::RX_HEAD_REWRITTEN,
    doorbell_rate: &rules::rings::RX_DOORBELL_RATE,
};

static TX: RingRules = RingRules {
    misaligned: &rules::rings::TX_MISALIGNED,
    length: &rules::rings::TX_LENGTH,
    not_set: &rules::rings::TX_NOT_SET,
    changed: &rules::rings::TX_CHANGED,
    tail_disabled: &rules::rings::TX_TAIL_DISABLED,
    enable_not_read: &rules::rings::TX_ENABLE_NOT_READ,
    tail_beyond: &rules::rings::TX_TAIL_BEYOND,
    tail_past_head: &rules::rings::TX_TAIL_PAST_HEAD,
    head_moved: &rules::rings::TX_HEAD_MOVED,
    head_rewritten: &rules::rings::TX_HEAD_REWRITTEN,
    doorbell_rate: &rules::rings::TX_DOORBELL_RATE,
};

fn rules_of(side: Side) -> &'static RingRules {
    match side {
        Side::Rx => &RX,
        Side::Tx => &TX,
    }
}

/// The queue that a ring register belongs to.
fn queue_of(at: Found) -> Option<(Queue, &'static SideRegisters)> {
    [Side::Rx, Side::Tx].into_iter().find_map(|side| {
        let regs = registers(side);
        let known = [regs.base_low, regs.base_high, regs.length, regs.head, regs.tail, regs.control];
        let srrctl = side == Side::Rx && at.is(&regs::SRRCTL);
        let found = srrctl || known.into_iter().any(|register| at.is(register));
        found.then_some((Queue { side, number: at.index }, regs))
    })
}

/// A trapped read.
pub(super) fn read(queues: &mut Queues, at: Found, value: u32) {
    let Some((queue, regs)) = queue_of(at).filter(|(_, regs)| at.is(regs.control)) else { return };
    if let Some(state) = queues.get_mut(queue)
        && state.enabling == Enabling::Written
        && regs.enable.is_set(value)
    {
        state.enabling = Enabling::ReadBack;
    }
}

/// A write to any register.
pub(super) fn write(cx: &mut Context<'_>, queues: &mut Queues, write: &Write) {
    let Some((queue, regs)) = queue_of(write.at) else { return };
    let Some(state) = queues.get_mut(queue) else { return };
    let at = write.at;
    if at.is(regs.base_low) {
        state.written.base_low = true;
        base_low_aligned(cx, queue, write);
    } else if at.is(regs.base_high) {
        state.written.base_high = true;
    } else if at.is(regs.length) {
        state.written.length = true;
        length_written(cx, queue, write);
    } else if at.is(regs.control) {
        return control_written(cx, state, queue, write);
    } else if at.is(regs.tail) {
        return tail_written(cx, state, queue, write);
    } else if at.is(regs.head) {
        return head_written(cx, state, queue, write);
    }
    changed_while_enabled(cx, state, queue, write);
}

fn base_low_aligned(cx: &mut Context<'_>, queue: Queue, write: &Write) {
    if !write.value.is_multiple_of(ALIGNMENT) {
        cx.queue(rules_of(queue.side).misaligned, queue, || {
            format!("{} = {:#x}; expected a multiple of 128", write.at, write.value)
        });
    }
}

fn length_written(cx: &mut Context<'_>, queue: Queue, write: &Write) {
    if !write.value.is_multiple_of(ALIGNMENT) {
        cx.queue(rules_of(queue.side).length, queue, || {
            format!("{} = {:#x}; expected a multiple of 128", write.at, write.value)
        });
    }
}

/// Whether a write in a mapped page surely came while the queue was enabled: both edges of ENABLE may be in the same
/// round as the write, in an order that cannot be known.
fn surely_enabled(cx: &Context<'_>, state: &QueueState, queue: Queue, write: &Write) -> bool {
    let regs = registers(queue.side);
    let still = cx.is_set(of(regs.control, queue), regs.enable);
    state.enabled && (!write.mapped || (still && state.enabled_at != cx.scene.now))
}

/// A queue that is disabled and enabled again in less time than passes between two looks at a mapped page was never
/// disabled for the NIC either, which is worth a word.
fn mapped_hint(write: &Write) -> &'static str {
    if write.mapped {
        " (if it was disabled in between, then too shortly to be seen: read STATUS after clearing ENABLE)"
    } else {
        ""
    }
}

fn changed_while_enabled(cx: &mut Context<'_>, state: &QueueState, queue: Queue, write: &Write) {
    // DROP_EN may change under way; format and sizes may not.
    let relevant = if write.at.is(&regs::SRRCTL) {
        write.changes(regs::srrctl::BSIZEPACKET) || write.changes(regs::srrctl::DESCTYPE)
    } else {
        write.value != write.before
    };
    if relevant && surely_enabled(cx, state, queue, write) {
        cx.queue(rules_of(queue.side).changed, queue, || {
            let Write { at, before, value, .. } = write;
            let hint = mapped_hint(write);
            format!("{at} changed from {before:#x} to {value:#x} while the queue is enabled{hint}")
        });
    }
}

fn control_written(cx: &mut Context<'_>, state: &mut QueueState, queue: Queue, write: &Write) {
    let enable = registers(queue.side).enable;
    if write.raises(enable) {
        state.enabling = if write.mapped { Enabling::Unseen } else { Enabling::Written };
    } else if write.drops(enable) {
        (state.stop_asked, state.dropped_at) = (true, None);
        super::transmit::disabled(cx, queue);
    }
}

fn tail_written(cx: &mut Context<'_>, state: &mut QueueState, queue: Queue, write: &Write) {
    let regs = registers(queue.side);
    // Writing 0 where 0 is belongs to setting up a ring.
    if write.value == 0 || write.mapped {
        return;
    }
    if !state.enabled && !cx.is_set(of(regs.control, queue), regs.enable) {
        // The doorbell that follows is no news.
        state.tail = write.value;
        cx.queue(rules_of(queue.side).tail_disabled, queue, || {
            let control = of(regs.control, queue);
            format!(
                "{} = {} while {control}.ENABLE = 0; expected the queue to be enabled first",
                write.at, write.value
            )
        });
    } else if state.enabling == Enabling::Written {
        enable_not_read(cx, queue, write.value);
    }
}

fn enable_not_read(cx: &mut Context<'_>, queue: Queue, tail: u32) {
    let regs = registers(queue.side);
    cx.queue(rules_of(queue.side).enable_not_read, queue, || {
        let (register, control) = (of(regs.tail, queue), of(regs.control, queue));
        format!("{register} = {tail} written before {control} was read with ENABLE (bit 25) = 1")
    });
}

fn head_written(cx: &mut Context<'_>, state: &QueueState, queue: Queue, write: &Write) {
    if !surely_enabled(cx, state, queue, write) {
        return;
    }
    let rules = rules_of(queue.side);
    let Write { at, before, value, .. } = write;
    if value == before {
        cx.queue(rules.head_rewritten, queue, || {
            format!("{at} = {value} written while the queue is enabled")
        });
    } else {
        cx.queue(rules.head_moved, queue, || {
            let hint = mapped_hint(write);
            format!("{at} written with {value} while the queue is enabled; the head was at {before}{hint}")
        });
    }
}

/// The rising edge of ENABLE: is the ring in order?
pub(super) fn enabled(cx: &mut Context<'_>, state: &QueueState, queue: Queue) {
    let (rules, regs) = (rules_of(queue.side), registers(queue.side));
    if !state.base.is_multiple_of(u64::from(ALIGNMENT)) {
        cx.queue(rules.misaligned, queue, || {
            format!("{} enabled at {:#x}; expected a multiple of 128", of(regs.base_low, queue), state.base)
        });
    }
    let length = cx.peek(of(regs.length, queue));
    if length == 0 || !length.is_multiple_of(ALIGNMENT) || length > LONGEST {
        cx.queue(rules.length, queue, || {
            let register = of(regs.length, queue);
            format!("queue enabled with {register} = {length:#x}; expected a multiple of 128 from 128 to {LONGEST:#x}")
        });
    }
    not_set(cx, state, queue);
    if let Err(fault) = cx.scene.memory.check(state.base, state.slots as usize * DESCRIPTOR as usize, true) {
        cx.queue(&rules::buffers::RING_OUTSIDE, queue, || {
            let end = state.base.saturating_add(u64::from(state.slots) * DESCRIPTOR);
            format!(
                "ring of {} at {:#x} to {end:#x} is not mapped at {:#x}",
                state.slots, state.base, fault.iova
            )
        });
    }
}

/// In a mapped page a write that changes nothing is not seen, and after a reset that is a 0 where 0 was.
fn not_set(cx: &mut Context<'_>, state: &QueueState, queue: Queue) {
    let regs = registers(queue.side);
    let trapped = state.enabling != Enabling::Unseen;
    let parts = [
        (regs.base_low, state.written.base_low),
        (regs.base_high, state.written.base_high),
        (regs.length, state.written.length),
    ];
    for (registers, written) in parts {
        let register = of(registers, queue);
        let value = cx.peek(register);
        if !written && (trapped || value != 0) {
            cx.queue(rules_of(queue.side).not_set, queue, || {
                format!("queue enabled, but {register} ({value:#x}) was not written since the reset")
            });
        }
    }
}

/// A move of the tail.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub head: u32,
    pub before: u32,
    pub tail: u32,
}

/// The tail moved.
pub(super) fn doorbell(cx: &mut Context<'_>, state: &mut QueueState, queue: Queue, moved: Move) {
    let Move { head, before, tail } = moved;
    let known = std::mem::replace(&mut state.tail, tail) == tail;
    if !state.enabled {
        return doorbell_while_disabled(cx, queue, moved, known);
    }
    let slots = state.slots;
    if tail >= slots {
        cx.queue(rules_of(queue.side).tail_beyond, queue, || {
            let register = of(registers(queue.side).tail, queue);
            let last = slots.saturating_sub(1);
            format!(
                "{register} moved from {before} to {tail}; the last of the ring's {slots} slots is {last}"
            )
        });
        return;
    }
    if head < slots && before < slots {
        past_head(cx, queue, moved, slots);
    }
    let step = if tail >= before { tail - before } else { tail + slots.saturating_sub(before) };
    single_step(cx, state, queue, step);
}

/// Seen by polling only; if ENABLE is 1 by now, it may have been written before the tail.
fn doorbell_while_disabled(cx: &mut Context<'_>, queue: Queue, moved: Move, known: bool) {
    let (regs, Move { before, tail, .. }) = (registers(queue.side), moved);
    if tail != 0 && !known && !cx.is_set(of(regs.control, queue), regs.enable) {
        cx.queue(rules_of(queue.side).tail_disabled, queue, || {
            let register = of(regs.tail, queue);
            format!("{register} moved from {before} to {tail} while the queue is disabled")
        });
    }
}

fn past_head(cx: &mut Context<'_>, queue: Queue, moved: Move, slots: u32) {
    let Move { head, before, tail } = moved;
    let owned = (before + slots - head) % slots;
    let given = (tail + slots - before) % slots;
    let free = slots - 1 - owned;
    if given <= free {
        return;
    }
    let regs = registers(queue.side);
    cx.queue(rules_of(queue.side).tail_past_head, queue, || {
        let (tail_name, head_name) = (of(regs.tail, queue), of(regs.head, queue));
        let what = if tail == head { "reaches" } else { "passes" };
        let twice = given - free;
        format!(
            "{tail_name} moved from {before} to {tail} and {what} {head_name} = {head} (ring of {slots}): \
             {given} descriptors handed over where {free} were free, {twice} too many"
        )
    });
}

fn single_step(cx: &mut Context<'_>, state: &mut QueueState, queue: Queue, step: u32) {
    let run = &mut state.single_steps;
    if step != 1 {
        *run = SingleSteps::default();
        return;
    }
    if run.count == 0 {
        run.since = cx.scene.now;
    }
    run.count += 1;
    if run.count < MANY_SINGLE_STEPS {
        return;
    }
    let took = cx.scene.now.since(run.since);
    *run = SingleSteps::default();
    if took < u64::from(MANY_SINGLE_STEPS) * BUSY_STEP {
        cx.queue(rules_of(queue.side).doorbell_rate, queue, || {
            let tail = of(registers(queue.side).tail, queue);
            format!(
                "{tail} moved {MANY_SINGLE_STEPS} times by 1 within {} us; expected a batch at a time",
                took / 1000
            )
        });
    }
}

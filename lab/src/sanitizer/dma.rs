//! Rules about what the NIC may reach.

use super::context::Context;
use super::findings::Place;
use super::queues::{Extent, Queues, registers};
use super::rules::buffers as rules;
use crate::events::Queue;
use crate::memory::DmaFault;

/// The NIC could not reach what a descriptor told it to.
pub(super) fn fault(cx: &mut Context<'_>, queues: &Queues, queue: Option<Queue>, slot: u32, fault: DmaFault) {
    let place = queue.map_or(Place::Device, Place::Queue);
    cx.report.report(&rules::DMA_FAULT, place, || {
        let DmaFault { iova, length, write } = fault;
        let access = if write { "write" } else { "read" };
        let user =
            queue.map_or("the device".to_owned(), |queue| format!("{} slot {slot}", queues.name(queue)));
        format!("{user}: {access} of {length} bytes at {iova:#x} is in no mapping")
    });
}

/// Memory was unmapped: does any queue still use it?
pub(super) fn unmapped(cx: &mut Context<'_>, queues: &Queues, iova: u64, size: u64) {
    let last = iova.saturating_add(size.saturating_sub(1));
    let within = |extent: Extent| extent.length != 0 && extent.start <= last && extent.end() > iova;
    for (queue, state) in queues.iter().filter(|(_, state)| state.enabled) {
        let what = if within(state.ring_extent()) {
            "its ring".to_owned()
        } else if let Some(slot) = state.ring.iter().position(|slot| slot.owned && within(slot.buffer)) {
            format!("the buffer of slot {slot}")
        } else {
            continue;
        };
        cx.queue(&rules::UNMAPPED_IN_USE, queue, || {
            let control = registers(queue.side).control.at(queue.number);
            format!("{iova:#x} to {last:#x} unmapped while {control}.ENABLE = 1; {what} is in it")
        });
    }
}

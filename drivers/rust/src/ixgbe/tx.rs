// ixgbe/tx · 82599:7.2.1 82599:7.2.3
// Slots move from the batch into the ring and home again; completion is asked for by groups, so most need no look.

//! The transmit queue: *reclaim, fill, publish*.
//!
//! The device reports a descriptor as done only where RS is set. The driver sets it every [`GROUP`] descriptors, and
//! in the last packet of each call so that a few packets followed by silence are reported too. What lies between two
//! reports is a group: when its last descriptor is done, all of it is.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Descriptors, Nic, Retired, desc, regs};
use crate::bus::Watch;
use crate::device::Transmit;
use crate::dma::{DmaSpan, Mark, Slot, Table};
use crate::error::{Error, Result};
use crate::mmio::Doorbell;
use crate::packet::{Batch, Pool, Returns, move_slots};
use crate::ring::Ring;

/// Descriptors after which a report is asked for, at the end of the packet.
const GROUP: u32 = 32;

/// How far ahead of what is filled descriptors are fetched, and how many share a cache line.
const AHEAD: u32 = 32;
const PER_LINE: usize = 4;

/// The device pads packets to the wire's minimum, but not ones that are shorter than this: the driver does.
/// [82599:7.2.3.2.4]
const SHORTEST: usize = 17;

/// One transmit queue: the descriptors, and what the driver knows of them.
pub(super) struct TxQueue {
    pub(super) number: u16,
    pub(super) span: Arc<DmaSpan>,
    state: State,
    tail: Doorbell,
    watch: Watch,
}

struct State {
    nic: Arc<Nic>,
    ring: Ring,
    /// The slot behind each descriptor that was handed over and not yet taken back.
    slots: Box<[Option<Slot>]>,
    /// For the first descriptor of a group: the last one.
    group_end: Box<[u32]>,
    returns: Returns,
}

impl TxQueue {
    /// Makes an empty ring. The device does not know of it yet.
    pub(super) fn new(nic: &Arc<Nic>, number: u16) -> Result<TxQueue> {
        let size = nic.config.ring_slots;
        let span = Arc::new(nic.memory.span(size as usize * 16, 128)?);
        let state = State {
            ring: Ring::new(size),
            slots: (0..size).map(|_| None).collect(),
            group_end: (0..size).collect(),
            returns: Returns::default(),
            nic: nic.clone(),
        };
        Ok(TxQueue { number, span, state, tail: nic.regs.doorbell(regs::TDT.at(number)), watch: nic.watch() })
    }
}

impl State {
    /// Takes back every group that is done, and sends its slots home. Returns the number of descriptors.
    #[inline(always)]
    fn reclaim(&mut self, descriptors: Descriptors<'_>) -> u32 {
        let before = self.ring.used();
        while self.ring.used() > 0 {
            let end = self.group_end[self.ring.clean() as usize];
            let status = descriptors[end as usize][1].load(Ordering::Acquire); // [tx.reclaim]
            if !desc::transmitted(status) {
                break;
            }
            let mut left = self.ring.distance(end) + 1;
            while left > 0 {
                let start = self.ring.clean() as usize;
                let run = self.ring.up_to_the_end(start as u32, left);
                self.returns.give_back(&self.nic.memory, &mut self.slots[start..start + run as usize]);
                self.ring.take_back(run);
                left -= run;
            }
        }
        before - self.ring.used()
    }

    /// Has the descriptors brought that come after the `done` which were filled: the device wrote them last.
    #[inline(always)]
    fn fetch_ahead(&self, span: &DmaSpan, done: u32) {
        let ahead = AHEAD.min(self.ring.size());
        for place in (ahead.saturating_sub(done)..ahead).step_by(PER_LINE) {
            span.fetch(self.ring.ahead(place));
        }
    }

    /// Writes descriptors for whole packets from the front of `batch`, as many as the ring has room for, and moves
    /// their slots into the ring. Returns the number of packets.
    #[inline(always)]
    fn fill(&mut self, descriptors: Descriptors<'_>, batch: &mut Batch) -> usize {
        let (count, packets) = batch.front(self.ring.free() as usize, usize::MAX);
        let table = self.nic.memory.table();
        let slots = &mut batch.slots_mut()[..count];
        let (mut index, mut total) = (self.ring.fill(), 0);
        let (mut group, mut in_group) = (index, 0);
        for position in 0..count {
            let mut mark = slots[position].as_ref().map_or(Mark::last(0), |slot| table.mark(slot));
            if total == 0 {
                total = mark.length();
                if mark.goes_on() || total < SHORTEST {
                    (mark, total) = measure(table, &mut slots[position..]);
                }
            }
            let Some(slot) = &slots[position] else { break };
            let ends = !mark.goes_on();
            let [buffer, mut command] = desc::transmit(table.iova(slot), mark.length(), total, ends);
            let next = self.ring.next(index);
            in_group += 1;
            if ends && (in_group >= GROUP || position + 1 == count) {
                command |= desc::REPORT;
                self.group_end[group as usize] = index;
                (group, in_group) = (next, 0);
            }
            let [first, second] = &descriptors[index as usize];
            first.store(buffer, Ordering::Relaxed); // [tx.fill]
            second.store(command, Ordering::Relaxed);
            index = next;
            total = if ends { 0 } else { total };
        }
        let (start, run) =
            (self.ring.fill(), self.ring.up_to_the_end(self.ring.fill(), count as u32) as usize);
        let (here, wrapped) = slots.split_at_mut(run);
        move_slots(here, &mut self.slots[start as usize..]);
        move_slots(wrapped, &mut self.slots);
        self.ring.hand_over(count as u32);
        batch.taken_front(count, packets);
        packets
    }
}

/// The packet that starts `slots`, if it has several or is too short for the device: the mark of its first slot, after
/// padding, and its bytes in all.
#[cold]
fn measure(table: Table<'_>, slots: &mut [Option<Slot>]) -> (Mark, usize) {
    let (mut first, mut total) = (None, 0);
    for slot in slots.iter().flatten() {
        let mark = table.mark(slot);
        first = first.or(Some(mark));
        total += mark.length();
        if !mark.goes_on() {
            break;
        }
    }
    if let (Some(Some(slot)), 0..SHORTEST) = (slots.first_mut(), total) {
        table.bytes_mut(slot, SHORTEST)[total..].fill(0);
        first = Some(Mark::last(SHORTEST as u16));
        table.set_mark(slot, Mark::last(SHORTEST as u16));
        total = SHORTEST;
    }
    (first.unwrap_or(Mark::last(0)), total)
}

impl Transmit for TxQueue {
    fn transmit(&mut self, batch: &mut Batch) -> Result<usize> {
        let (state, descriptors) = (&mut self.state, self.span.descriptors());
        if !batch.memory().is_same(&state.nic.memory) {
            return Err(Error::Unsupported("a batch of another DMA memory than the device's".into()));
        }
        let reclaimed = state.reclaim(descriptors);
        let (before, packets) = (state.ring.used(), state.fill(descriptors, batch));
        if packets > 0 {
            self.tail.ring(state.ring.fill())?; // [tx.publish]
            state.fetch_ahead(&self.span, state.ring.used() - before);
        } else if reclaimed == 0 {
            self.watch.in_vain()?;
        }
        Ok(packets)
    }

    fn reclaim(&mut self) -> usize {
        self.state.reclaim(self.span.descriptors()) as usize
    }

    fn used(&self) -> usize {
        self.state.ring.used() as usize
    }

    fn slots_of(&self, pool: &Pool) -> usize {
        self.state.slots.iter().flatten().filter(|slot| pool.owns(slot)).count()
    }
}

impl Drop for TxQueue {
    fn drop(&mut self) {
        // The device may still read these slots: they go home when it has been stopped.
        let slots = std::mem::take(&mut self.state.slots);
        self.state.nic.retire(Retired { _descriptors: self.span.clone(), slots });
    }
}

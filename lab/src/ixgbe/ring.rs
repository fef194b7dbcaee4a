//! A queue's ring as the NIC sees it: geometry taken over on the rising edge of ENABLE, head and tail.
//!
//! The NIC owns [head, tail). Receive and transmit queues have the same layout of registers, so one ring serves both.

use super::host::Host;
use super::regs;
use crate::events::{Event, Queue, Side};
use crate::faults::Fault;
use crate::memory::Recent;

/// Bytes of a descriptor.
pub const DESCRIPTOR: u64 = 16;
/// How many share a cache line.
const DESCRIPTORS_PER_LINE: u32 = 4;
/// How many buffers are fetched ahead of the frame that is handled.
const BUFFERS_AHEAD: u32 = 16;

/// Offsets in a queue's block of registers; the same for both sides, which the assertions below check.
mod at {
    use crate::ixgbe::regs;

    pub const BASE_LOW: u32 = 0;
    pub const BASE_HIGH: u32 = regs::RDBAH.at(0).offset - regs::RDBAL.at(0).offset;
    pub const LENGTH: u32 = regs::RDLEN.at(0).offset - regs::RDBAL.at(0).offset;
    pub const HEAD: u32 = regs::RDH.at(0).offset - regs::RDBAL.at(0).offset;
    pub const TAIL: u32 = regs::RDT.at(0).offset - regs::RDBAL.at(0).offset;
    pub const CONTROL: u32 = regs::RXDCTL.at(0).offset - regs::RDBAL.at(0).offset;

    const TX: u32 = regs::TDBAL.at(0).offset;
    const _: () = assert!(regs::TDBAH.at(0).offset == TX + BASE_HIGH);
    const _: () = assert!(regs::TDLEN.at(0).offset == TX + LENGTH);
    const _: () = assert!(regs::TDH.at(0).offset == TX + HEAD);
    const _: () = assert!(regs::TDT.at(0).offset == TX + TAIL);
    const _: () = assert!(regs::TXDCTL.at(0).offset == TX + CONTROL);
    const _: () = assert!(regs::rxdctl::ENABLE.shift == regs::txdctl::ENABLE.shift);
    const _: () = assert!(regs::rdlen::LEN.shift == regs::tdlen::LEN.shift);
}

/// What a look at a queue's control register found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// As before.
    None,
    /// ENABLE went from 0 to 1.
    Rising,
    /// ENABLE went from 1 to 0.
    Falling,
}

/// One queue's ring.
#[derive(Debug)]
pub struct Ring {
    /// Which queue.
    pub queue: Queue,
    /// First register of its block.
    block: u32,
    /// ENABLE has been seen.
    pub enabled: bool,
    /// Address of the first descriptor.
    pub base: u64,
    /// Descriptors in the ring.
    pub slots: u32,
    /// Next descriptor that the NIC will use.
    pub head: u32,
    /// First descriptor that the NIC may not use, as last seen.
    pub tail: u32,
    /// Descriptors that the NIC owns: follows from head, tail and length, and is asked for several times a frame.
    owned: u32,
}

impl Ring {
    /// A disabled queue.
    pub fn new(queue: Queue) -> Self {
        let block = match queue.side {
            Side::Rx => regs::RDBAL.at(queue.number).offset,
            Side::Tx => regs::TDBAL.at(queue.number).offset,
        };
        Ring { queue, block, enabled: false, base: 0, slots: 0, head: 0, tail: 0, owned: 0 }
    }

    /// The control register, RXDCTL or TXDCTL.
    #[inline]
    pub fn control(&self, host: &Host) -> u32 {
        host.registers.get(self.block + at::CONTROL)
    }

    /// A register of this queue's block, by its distance from the block's start.
    #[inline]
    pub fn register(&self, host: &Host, distance: u32) -> u32 {
        host.registers.get(self.block + distance)
    }

    /// Address of descriptor `slot`.
    #[inline]
    pub fn address(&self, slot: u32) -> u64 {
        self.base + u64::from(slot) * DESCRIPTOR
    }

    /// The slot after `slot`.
    #[inline]
    pub fn next(&self, slot: u32) -> u32 {
        if slot + 1 >= self.slots { 0 } else { slot + 1 }
    }

    /// A round of at most `frames` begins: has the descriptors of all of them fetched, and the first buffers. Both come from
    /// another core's cache, which takes long for one line and hardly longer for twenty at a time.
    #[inline]
    pub fn look_ahead(&self, memory: Recent<'_>, frames: u32) {
        let owned = self.owned();
        let mut slot = self.head;
        for _ in 0..owned.min(frames + BUFFERS_AHEAD).div_ceil(DESCRIPTORS_PER_LINE) {
            memory.prefetch(self.address(slot));
            slot = self.advance(slot, DESCRIPTORS_PER_LINE);
        }
        let mut slot = self.head;
        for _ in 0..owned.min(BUFFERS_AHEAD) {
            self.fetch_buffer(memory, slot);
            slot = self.next(slot);
        }
    }

    /// A frame of the round is about to be handled: has a buffer fetched that will be needed some frames later.
    #[inline(always)]
    pub fn look_further(&self, memory: Recent<'_>) {
        if self.owned > BUFFERS_AHEAD {
            self.fetch_buffer(memory, self.advance(self.head, BUFFERS_AHEAD));
        }
    }

    #[inline(always)]
    fn fetch_buffer(&self, memory: Recent<'_>, slot: u32) {
        if let Some(buffer) = memory.load(self.address(slot)) {
            memory.prefetch(buffer);
        }
    }

    /// The slot `count` behind `slot`, which is less than the ring has.
    #[inline]
    fn advance(&self, slot: u32, count: u32) -> u32 {
        let after = slot + count;
        if after >= self.slots { after - self.slots } else { after }
    }

    /// Descriptors that the NIC owns.
    #[inline]
    pub fn owned(&self) -> u32 {
        self.owned
    }

    /// Descriptors from the head to where the tail stands now, which the NIC has perhaps not looked at.
    #[inline]
    pub fn waiting(&self, host: &Host) -> u32 {
        self.up_to(self.tail_register(host))
    }

    /// Descriptors from the head to `tail`; a tail outside of the ring gives the NIC none.
    #[inline]
    fn up_to(&self, tail: u32) -> u32 {
        if tail < self.head {
            self.slots - self.head + tail
        } else if tail < self.slots {
            tail - self.head
        } else {
            0
        }
    }

    /// The NIC is done with the descriptor at the head.
    #[inline]
    pub fn step(&mut self) {
        self.head = self.next(self.head);
        self.owned = self.owned.saturating_sub(1);
    }

    /// The NIC is done with `count` descriptors from the head on, which it owns.
    #[inline]
    pub fn step_by(&mut self, count: u32) {
        self.head = self.advance(self.head, count);
        self.owned = self.owned.saturating_sub(count);
    }

    /// Reads the descriptors from the head on and has the buffers fetched whose addresses are their first words. Returns
    /// how many: as there is room for, at most what the NIC owns.
    #[inline]
    pub fn descriptors(&self, memory: Recent<'_>, descriptors: &mut [[u64; 2]]) -> usize {
        let most = descriptors.len().min(self.owned as usize);
        let mut slot = self.head;
        for (count, words) in descriptors[..most].iter_mut().enumerate() {
            let Some(found) = memory.load_pair(self.address(slot)) else { return count };
            memory.prefetch(found[0]);
            *words = found;
            slot = self.next(slot);
        }
        most
    }

    /// Head and tail go to the start, for a reset.
    pub fn rewind(&mut self) {
        self.head = 0;
        self.take_tail(0);
    }

    /// Takes a tail over.
    #[inline]
    fn take_tail(&mut self, tail: u32) {
        self.tail = tail;
        self.owned = self.up_to(tail);
    }

    /// Looks at the queue's registers: ENABLE first, then the tail.
    pub fn look(&mut self, host: &mut Host) -> Edge {
        // Before ENABLE: a tail that was moved after ENABLE was set must not be seen without it.
        let tail = self.tail_register(host);
        let wanted = regs::rxdctl::ENABLE.is_set(self.control(host));
        let edge = match (self.enabled, wanted) {
            (false, true) => self.enable(host),
            (true, false) => {
                // What was handed over before.
                self.look_at_tail(host);
                self.disable(host);
                Edge::Falling
            }
            _ => Edge::None,
        };
        if self.enabled {
            self.look_at_tail(host);
        } else if edge == Edge::None {
            self.follow_tail(host, tail);
        }
        edge
    }

    /// The acquire load: descriptors written before the tail moved are visible from here on.
    #[inline]
    fn tail_register(&self, host: &Host) -> u32 {
        host.registers.get(self.block + at::TAIL) & regs::rdt::RDT.mask()
    }

    /// Takes the tail as it is: nobody has moved it, it was there before.
    pub fn settle(&mut self, host: &Host) {
        self.take_tail(self.tail_register(host));
    }

    /// Reads the tail.
    #[inline]
    pub fn look_at_tail(&mut self, host: &mut Host) {
        self.follow_tail(host, self.tail_register(host));
    }

    #[inline]
    fn follow_tail(&mut self, host: &mut Host, tail: u32) {
        if tail != self.tail {
            let before = self.tail;
            self.take_tail(tail);
            if host.log.wants_registers() {
                self.tell_doorbell(host, before);
            }
        }
    }

    #[cold]
    fn tell_doorbell(&self, host: &mut Host, before: u32) {
        let (queue, head, tail) = (self.queue, self.head, self.tail);
        host.log.registers(|| Event::Doorbell { queue, head, before, tail });
        if !host.log.wants_descriptors() || !self.enabled || before >= self.slots || tail >= self.slots {
            return;
        }
        let mut slot = before;
        while slot != tail {
            // A fault will be told when the NIC fetches the descriptor to use it.
            if let Ok(words) = self.read(host, slot) {
                host.log.descriptors(|| Event::HandedOver { queue, slot, words });
            }
            slot = self.next(slot);
        }
    }

    /// Both words of a descriptor.
    #[inline]
    pub fn read(&self, host: &Host, slot: u32) -> Result<[u64; 2], crate::memory::DmaFault> {
        let at = self.address(slot);
        Ok([host.memory.load_u64_acquire(at)?, host.memory.load_u64_acquire(at + 8)?])
    }

    fn enable(&mut self, host: &mut Host) -> Edge {
        if host.faults.is_armed(Fault::EnableNeverReadsBack(self.queue.side)) {
            host.registers.clear_bits(self.block + at::CONTROL, regs::rxdctl::ENABLE.mask());
            return Edge::None;
        }
        let registers = &host.registers;
        let low = registers.get(self.block + at::BASE_LOW) & regs::rdbal::BASE.mask();
        self.base = u64::from(registers.get(self.block + at::BASE_HIGH)) << 32 | u64::from(low);
        // The length counts units of 128 bytes; lower bits do not exist.
        self.slots = (registers.get(self.block + at::LENGTH) & regs::rdlen::LEN.mask()) / DESCRIPTOR as u32;
        let head = registers.get(self.block + at::HEAD) & regs::rdh::RDH.mask();
        self.head = if head < self.slots { head } else { 0 };
        self.take_tail(self.head);
        self.enabled = true;
        let (queue, base, slots) = (self.queue, self.base, self.slots);
        host.log.registers(|| Event::QueueEnabled { queue, base, slots, head });
        Edge::Rising
    }

    /// Forgets outstanding descriptors. The head register keeps its value until the driver or a reset changes it.
    pub fn disable(&mut self, host: &mut Host) {
        self.enabled = false;
        let (queue, head, tail) = (self.queue, self.head, self.tail);
        host.log.registers(|| Event::QueueDisabled { queue, head, tail });
    }

    /// Publishes the head after a batch.
    #[inline]
    pub fn publish_head(&self, host: &mut Host) {
        let side = self.queue.side;
        if host.faults.concern(side)
            && host.faults.strike(|fault| (fault == Fault::HeadStuck(side)).then_some(())).is_some()
        {
            return;
        }
        host.registers.set(self.block + at::HEAD, self.head);
        let (queue, head) = (self.queue, self.head);
        host.log.registers(|| Event::HeadMoved { queue, head });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn owned_is_the_way_from_head_to_tail(slots in 1u32..64, head in 0u32..64, tail in 0u32..80) {
            let mut ring = Ring::new(Queue { side: Side::Rx, number: 0 });
            ring.slots = slots * 8;
            ring.head = head % ring.slots;
            ring.take_tail(tail);
            let mut steps = 0;
            let mut slot = ring.head;
            while tail < ring.slots && slot != tail {
                slot = ring.next(slot);
                steps += 1;
            }
            prop_assert_eq!(ring.owned(), steps);
        }
    }

    #[test]
    fn queues_above_63_are_in_the_second_bank() {
        assert_eq!(Ring::new(Queue { side: Side::Rx, number: 64 }).block, 0xD000);
        assert_eq!(Ring::new(Queue { side: Side::Tx, number: 64 }).block, 0x7000);
    }
}

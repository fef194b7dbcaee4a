// dma · vfio-user DMA_MAP
// One sealed memfd per process; ownership tokens (`Slot`) and atomics make every view of it safe to hold in Rust.

//! The one memory that driver and device share, and safe views of it.
//!
//! A [`DmaMemory`] is a sealed, shared memory file. Every device that the process opens on it sees all of it at the
//! same I/O addresses: counted from 4 GiB ([`DmaMemory::IOVA`]), or the physical ones if it is made of hugepages
//! ([`DmaMemory::huge`]), which are contiguous by the hugepage only. Two kinds of pieces are cut from it, and neither
//! lies across two hugepages:
//!
//! * **spans** from the top: descriptor rings, seen as slices of atomics, since the device reads and writes them at
//!   any time;
//! * **slots** from the bottom, one packet (or a piece of one) each, 2112 bytes apart: an odd number of cache lines,
//!   or the first lines of all packets would share two sets of the L1 cache. A slot has one owner at any time,
//!   a `Slot` token that can neither be copied nor made up. Lengths live in a dense array beside the memory.
//!
//! # What the compiler can and cannot promise
//!
//! Ring memory is only ever touched through atomics. Packet bytes are lent as ordinary slices to whoever owns the
//! slot; the device owns the slots that are in rings, and nobody else can reach those. A device that breaks this rule
//! and writes into a packet which it has handed over can change the packet's *bytes* under its reader, as on any
//! driver in any language; it cannot change lengths, addresses or ownership, which are never read from there.
#![allow(unsafe_code)]

mod address;
mod create;
mod fetch;
mod huge;
mod mapping;
mod ranges;
mod slot;
mod span;
mod table;

use std::num::NonZeroU32;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::packet::Pools;
use address::{Addresses, EXTENT};
use mapping::Mapping;
use ranges::FreeRanges;

pub use address::Run;
pub(crate) use huge::memlock_limit;
pub(crate) use slot::{Mark, Slot, SlotRun};
pub(crate) use span::DmaSpan;
pub(crate) use table::Table;

/// Bytes that a packet, or one piece of a long packet, may fill in its slot.
pub const SLOT_BYTES: usize = 2048;

/// Distance of two slots: 33 cache lines.
const SLOT_STRIDE: usize = 33 * 64;

const PAGE: usize = 4096;

/// Numbers for slots are never used twice in a process, so that a slot of one memory is none of another.
static NEXT_NUMBER: AtomicU32 = AtomicU32::new(1);

/// The process's DMA memory. Cheap to clone: all clones are the same memory.
///
/// ```
/// # fn main() -> ringway::Result<()> {
/// let memory = ringway::DmaMemory::new(16 << 20)?;
/// assert_eq!(memory.len(), 16 << 20);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct DmaMemory(Arc<Shared>);

struct Shared {
    mapping: Mapping,
    file: OwnedFd,
    /// What [`Addresses`] says.
    extents: Box<[u64]>,
    first_number: u32,
    /// One word for each slot: what [`Mark`] says.
    marks: Box<[AtomicU64]>,
    free: Mutex<FreeRanges>,
    pools: Pools,
}

impl DmaMemory {
    /// I/O address of the first byte: 4 GiB, which suits vfio-user, kernel VFIO and small IOMMUs alike.
    pub const IOVA: u64 = 1 << 32;

    /// Bytes of memory that `slots` packet slots and `descriptors` ring descriptors need, with room for alignment.
    pub const fn bytes_for(slots: usize, descriptors: usize) -> usize {
        slots * SLOT_STRIDE + descriptors * 16 + 64 * PAGE
    }

    /// Size in bytes.
    #[allow(clippy::len_without_is_empty, reason = "a memory is never empty")]
    pub fn len(&self) -> usize {
        self.0.mapping.length
    }

    /// The memory's file, for whoever has to hand it to a device.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.0.file.as_fd()
    }

    /// Address of the memory in this process, for ways to a device that map by address. Never for reading or writing.
    pub fn address(&self) -> usize {
        self.0.mapping.base.as_ptr() as usize
    }

    /// True if the I/O addresses are physical ones: a device without an IOMMU can reach it.
    pub fn is_physical(&self) -> bool {
        !self.0.extents.is_empty()
    }

    /// The runs of contiguous I/O addresses that the memory is made of, in order. One, unless it is of hugepages.
    pub fn runs(&self) -> Vec<Run> {
        self.addresses().runs(self.len())
    }

    fn addresses(&self) -> Addresses<'_> {
        Addresses(&self.0.extents)
    }

    /// True if both are the same memory.
    #[inline]
    pub fn is_same(&self, other: &DmaMemory) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The pools whose slots are cut from this memory.
    pub(crate) fn pools(&self) -> &Pools {
        &self.0.pools
    }

    /// Cuts a zeroed span of `bytes` bytes, aligned to `align` (at least 16).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there is no such piece left.
    pub(crate) fn span(&self, bytes: usize, align: usize) -> Result<DmaSpan> {
        let align = align.max(16);
        let length = bytes.next_multiple_of(align);
        let found = self.free().take_high(length, align, self.addresses().extent());
        let offset = found.ok_or_else(|| self.full("a ring", bytes))?;
        let span = DmaSpan { memory: self.clone(), offset, length };
        span.words().iter().for_each(|word| word.store(0, Ordering::Relaxed));
        Ok(span)
    }

    /// Cuts `count` slots with ascending numbers; those between them that lie across two hugepages are left out.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there is no such piece left.
    pub(crate) fn take_slots(&self, count: u32) -> Result<SlotRun> {
        let fits = |place: &usize| self.addresses().are_contiguous(place * SLOT_STRIDE, SLOT_BYTES);
        let bytes = count as usize * SLOT_STRIDE;
        // One slot at most lies across each border, and those that are left out have to be made up for.
        let borders = if self.is_physical() { bytes / (EXTENT - SLOT_STRIDE) + 3 } else { 0 };
        let numbers = count as usize + borders;
        let found = self.free().take_low(numbers * SLOT_STRIDE, SLOT_STRIDE);
        let start = found.ok_or_else(|| self.full("packet slots", bytes))? / SLOT_STRIDE;
        let first = self.0.first_number + start as u32;
        let places = (start..start + numbers).filter(fits).take(count as usize);
        let slot = |place: usize| NonZeroU32::new(self.0.first_number + place as u32).map(Slot);
        Ok(SlotRun { first, numbers: numbers as u32, slots: places.filter_map(slot).collect() })
    }

    /// Takes back all `count` slots of one [`DmaMemory::take_slots`], which spread over `numbers` numbers from `first`
    /// on. An incomplete set is kept (and lost), not believed.
    pub(crate) fn give_back_slots(
        &self,
        slots: impl IntoIterator<Item = Slot>,
        first: u32,
        numbers: u32,
        count: u32,
    ) {
        // Tokens are unique and only `count` of them were made of these numbers, so `count` of them are all.
        let ours = slots.into_iter().filter(|slot| slot.number().wrapping_sub(first) < numbers).count();
        let complete = ours == count as usize && first >= self.0.first_number;
        if complete && count > 0 {
            let offset = (first - self.0.first_number) as usize * SLOT_STRIDE;
            self.free().give_back(offset, numbers as usize * SLOT_STRIDE);
        }
    }

    /// What loops over slots need.
    #[inline(always)]
    pub(crate) fn table(&self) -> Table<'_> {
        let Shared { mapping, first_number, marks, extents, .. } = &*self.0;
        Table { mapping, first_number: *first_number, marks, addresses: Addresses(extents) }
    }

    fn free(&self) -> std::sync::MutexGuard<'_, FreeRanges> {
        self.0.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn full(&self, what: &str, bytes: usize) -> Error {
        let (left, all) = (self.free().total(), self.len());
        Error::OutOfMemory(format!("{what} of {bytes} bytes in DMA memory of {all} bytes with {left} left"))
    }
}

impl std::fmt::Debug for DmaMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DmaMemory({} bytes, slots from {})", self.len(), self.0.first_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> DmaMemory {
        DmaMemory::new(1 << 20).unwrap()
    }

    #[test]
    fn the_file_is_sealed() {
        let memory = memory();
        assert!(rustix::fs::ftruncate(memory.file(), 0).is_err());
        assert!(rustix::fs::ftruncate(memory.file(), 2 << 20).is_err());
    }

    #[test]
    fn slots_are_an_odd_number_of_lines_apart_and_hold_their_bytes() {
        let memory = memory();
        let mut slots = memory.take_slots(3).unwrap().slots;
        assert_eq!(memory.table().iova(&slots[0]), DmaMemory::IOVA);
        assert_eq!(memory.table().iova(&slots[2]), DmaMemory::IOVA + 2 * 2112);
        memory.table().bytes_mut(&mut slots[1], 60).fill(7);
        memory.table().set_mark(&mut slots[1], Mark::last(60));
        assert_eq!(memory.table().bytes(&slots[1]), [7; 60]);
        assert!(memory.table().bytes(&slots[0]).is_empty());
    }

    #[test]
    fn a_mark_never_reaches_beyond_the_slot() {
        assert_eq!(Mark::last(u16::MAX).length(), SLOT_BYTES);
        let mark = Mark::more(2048).with_hash(0xDEAD_BEEF);
        assert!(mark.goes_on());
        assert_eq!((mark.length(), mark.hash()), (2048, Some(0xDEAD_BEEF)));
        assert_eq!(Mark::last(60).hash(), None);
    }

    #[test]
    fn an_incomplete_set_of_slots_is_not_taken_back() {
        let memory = memory();
        let before = memory.free().total();
        let SlotRun { first, numbers, mut slots } = memory.take_slots(4).unwrap();
        slots.pop();
        memory.give_back_slots(slots, first, numbers, 4);
        assert_eq!(memory.free().total(), before - 4 * SLOT_STRIDE);
    }

    #[test]
    fn spans_are_zeroed_aligned_and_come_back() {
        let memory = memory();
        let before = memory.free().total();
        let span = memory.span(16 * 64, 128).unwrap();
        assert_eq!(span.iova() % 128, 0);
        assert_eq!(span.descriptors().len(), 64);
        span.words()[5].store(9, Ordering::Relaxed);
        drop(span);
        assert_eq!(memory.free().total(), before);
        assert!(memory.span(16 * 64, 128).unwrap().words().iter().all(|w| w.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn nothing_lies_across_two_hugepages() {
        let memory = DmaMemory::fake_huge(12 << 20);
        let before = memory.free().total();
        let span = memory.span(16 * 8192, 128).unwrap();
        let other = memory.span(EXTENT - 128, 128).unwrap();
        for span in [&span, &other] {
            assert!(memory.addresses().are_contiguous(span.offset, span.length), "{}", span.offset);
            assert_eq!(span.iova(), memory.addresses().iova(span.offset));
        }
        let SlotRun { first, numbers, slots } = memory.take_slots(2000).unwrap();
        assert_eq!(slots.len(), 2000);
        for slot in &slots {
            let at = (slot.number() - memory.0.first_number) as usize * SLOT_STRIDE;
            assert!(memory.addresses().are_contiguous(at, SLOT_BYTES), "{at}");
            assert_eq!(memory.table().iova(slot), memory.addresses().iova(at));
        }
        let last = slots[1999].number();
        // Slot 992 ends just at the first border, slot 1985 lies across the second.
        assert!(last - first == 2000 && last < first + numbers, "{first} to {last}");
        memory.give_back_slots(slots, first, numbers, 2000);
        drop((span, other));
        assert_eq!(memory.free().total(), before);
    }

    #[test]
    fn asking_for_too_much_is_out_of_memory() {
        assert_eq!(memory().span(2 << 20, 128).map(|_| ()).unwrap_err().kind(), "OutOfMemory");
        assert_eq!(memory().take_slots(1 << 20).map(|_| ()).unwrap_err().kind(), "OutOfMemory");
        assert_eq!(DmaMemory::new(usize::MAX).unwrap_err().kind(), "OutOfMemory");
    }

    #[test]
    #[should_panic(expected = "another DMA memory")]
    fn a_slot_of_another_memory_is_refused() {
        let (ours, theirs) = (memory(), memory());
        let slots = theirs.take_slots(1).unwrap().slots;
        ours.table().bytes(&slots[0]);
    }
}

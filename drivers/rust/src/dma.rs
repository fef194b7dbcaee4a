// dma · vfio-user DMA_MAP
// One sealed memfd per process; ownership tokens (`Slot`) and atomics make every view of it safe to hold in Rust.

//! The one memory that driver and device share, and safe views of it.
//!
//! A [`DmaMemory`] is a sealed, shared memory file. Every device that the process opens on it sees all of it at the
//! same I/O addresses, counted from 4 GiB ([`DmaMemory::IOVA`]). Two kinds of pieces are cut from it:
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
use mapping::{Mapping, sealed_file};
use ranges::FreeRanges;
pub(crate) use slot::{Mark, Slot};
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
    first_number: u32,
    /// One word for each slot: what [`Mark`] says.
    marks: Box<[AtomicU64]>,
    free: Mutex<FreeRanges>,
    pools: Pools,
}

impl DmaMemory {
    /// I/O address of the first byte: 4 GiB, which suits vfio-user, kernel VFIO and small IOMMUs alike.
    pub const IOVA: u64 = 1 << 32;

    /// Makes a memory of at least `bytes` bytes (rounded up to pages). Pages take no RAM until they are used.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system does not give that much.
    pub fn new(bytes: usize) -> Result<DmaMemory> {
        let refused = |why: &dyn std::fmt::Display| {
            Error::OutOfMemory(format!("the system gives no {bytes} bytes of shared memory: {why}"))
        };
        let length = bytes.max(1).checked_next_multiple_of(PAGE).ok_or_else(|| refused(&"too large"))?;
        let file = sealed_file(length as u64).map_err(|errno| refused(&errno))?;
        let mapping = Mapping::new(file.as_fd(), length).map_err(|errno| refused(&errno))?;
        let slots = u32::try_from(length / SLOT_STRIDE).map_err(|_| refused(&"too large"))?;
        let first_number = NEXT_NUMBER
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_add(slots))
            .map_err(|_| refused(&"this process has used up all slot numbers"))?;
        let marks = (0..slots).map(|_| AtomicU64::new(0)).collect();
        Ok(DmaMemory(Arc::new(Shared {
            mapping,
            file,
            first_number,
            marks,
            free: Mutex::new(FreeRanges::new(length)),
            pools: Pools::default(),
        })))
    }

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
        let found = self.free().take_high(length, align);
        let offset = found.ok_or_else(|| self.full("a ring", bytes))?;
        let span = DmaSpan { memory: self.clone(), offset, length };
        span.words().iter().for_each(|word| word.store(0, Ordering::Relaxed));
        Ok(span)
    }

    /// Cuts `count` slots with neighbouring numbers, in ascending order.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there is no such piece left.
    pub(crate) fn take_slots(&self, count: u32) -> Result<Vec<Slot>> {
        let bytes = count as usize * SLOT_STRIDE;
        let found = self.free().take_low(bytes, SLOT_STRIDE);
        let offset = found.ok_or_else(|| self.full("packet slots", bytes))?;
        let first = self.0.first_number + (offset / SLOT_STRIDE) as u32;
        Ok((first..first + count).filter_map(NonZeroU32::new).map(Slot).collect())
    }

    /// Takes back all slots of one [`DmaMemory::take_slots`]. An incomplete set is kept (and lost), not believed.
    pub(crate) fn give_back_slots(&self, slots: impl IntoIterator<Item = Slot>, first: u32, count: u32) {
        // Tokens are unique: `count` of them within a range of `count` numbers are all of that range.
        let ours = slots.into_iter().filter(|slot| slot.number().wrapping_sub(first) < count).count();
        let complete = ours == count as usize && first >= self.0.first_number;
        if complete && count > 0 {
            let offset = (first - self.0.first_number) as usize * SLOT_STRIDE;
            self.free().give_back(offset, count as usize * SLOT_STRIDE);
        }
    }

    /// What loops over slots need.
    #[inline(always)]
    pub(crate) fn table(&self) -> Table<'_> {
        let Shared { mapping, first_number, marks, .. } = &*self.0;
        Table { mapping, first_number: *first_number, marks }
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
        let mut slots = memory.take_slots(3).unwrap();
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
        let mut slots = memory.take_slots(4).unwrap();
        let first = slots[0].number();
        slots.pop();
        memory.give_back_slots(slots, first, 4);
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
    fn asking_for_too_much_is_out_of_memory() {
        assert_eq!(memory().span(2 << 20, 128).map(|_| ()).unwrap_err().kind(), "OutOfMemory");
        assert_eq!(memory().take_slots(1 << 20).map(|_| ()).unwrap_err().kind(), "OutOfMemory");
        assert_eq!(DmaMemory::new(usize::MAX).unwrap_err().kind(), "OutOfMemory");
    }

    #[test]
    #[should_panic(expected = "another DMA memory")]
    fn a_slot_of_another_memory_is_refused() {
        let (ours, theirs) = (memory(), memory());
        let slots = theirs.take_slots(1).unwrap();
        ours.table().bytes(&slots[0]);
    }
}

//! All slots of a memory by their tokens: contents, marks and addresses.

use std::sync::atomic::{AtomicU64, Ordering};

use super::address::Addresses;
use super::mapping::Mapping;
use super::{Mark, SLOT_BYTES, SLOT_STRIDE, Slot, fetch};

/// What loops over slots need of a memory, in a few registers.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub(super) mapping: &'a Mapping,
    pub(super) first_number: u32,
    pub(super) marks: &'a [AtomicU64],
    pub(super) addresses: Addresses<'a>,
}

impl<'a> Table<'a> {
    /// The I/O address of a slot's first byte.
    #[inline(always)]
    pub(crate) fn iova(self, slot: &Slot) -> u64 {
        let place = slot.number().wrapping_sub(self.first_number);
        self.addresses.iova(place as usize * SLOT_STRIDE)
    }

    /// What is known of the slot's contents.
    #[inline(always)]
    pub(crate) fn mark(self, slot: &Slot) -> Mark {
        Mark(self.marks[self.place(slot)].load(Ordering::Relaxed))
    }

    /// Notes what the slot contains. Taking the token mutably keeps this for the slot's owner.
    #[inline(always)]
    pub(crate) fn set_mark(self, slot: &mut Slot, mark: Mark) {
        self.marks[self.place(slot)].store(mark.0, Ordering::Relaxed);
    }

    /// The bytes in use of a slot.
    #[inline(always)]
    pub(crate) fn bytes(self, slot: &'a Slot) -> &'a [u8] {
        let length = self.mark(slot).length();
        let at = self.place(slot) * SLOT_STRIDE;
        // SAFETY: needed because a slice cannot be made of mapped memory otherwise. There is a mark for each slot that
        // fits the mapping and `place` is below their number, hence at + SLOT_STRIDE <= the mapping's length; and
        // length <= SLOT_BYTES < SLOT_STRIDE. The token is unique, so a shared borrow of it means that nobody in this
        // process has a mutable view; the mapping lives as long as 'a. u8 has no invalid values.
        unsafe { std::slice::from_raw_parts(self.mapping.base.as_ptr().add(at), length) }
    }

    /// The first `length` bytes (at most [`SLOT_BYTES`]) of a slot, for writing.
    #[inline(always)]
    pub(crate) fn bytes_mut<'s>(self, slot: &'s mut Slot, length: usize) -> &'s mut [u8]
    where
        'a: 's,
    {
        let at = self.place(slot) * SLOT_STRIDE;
        // SAFETY: as in `bytes`; the mutable borrow of the unique token makes this the only view of these bytes, and
        // slots do not overlap each other or any span (`FreeRanges` hands out disjoint pieces).
        unsafe { std::slice::from_raw_parts_mut(self.mapping.base.as_ptr().add(at), length.min(SLOT_BYTES)) }
    }

    /// Has the slot's first line brought, which whoever forwards the packet will touch.
    #[inline(always)]
    pub(crate) fn fetch(self, slot: &Slot) {
        fetch::to_write(self.mapping.base.as_ptr().wrapping_add(self.place(slot) * SLOT_STRIDE));
    }

    /// The slot's index within this memory. One comparison checks both the bounds and that the slot is ours.
    #[inline(always)]
    fn place(self, slot: &Slot) -> usize {
        let place = slot.number().wrapping_sub(self.first_number) as usize;
        assert!(place < self.marks.len(), "a slot of another DMA memory");
        place
    }
}

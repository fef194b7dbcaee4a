//! Who may touch a slot, and what is known of its contents.

use std::num::NonZeroU32;

use super::SLOT_BYTES;

/// The right to one slot: whoever has the token owns the bytes. Neither `Clone` nor `Copy`, and made only here.
///
/// A token that is dropped is a slot lost, so the crate always gives them back; a lost slot is never unsound.
#[derive(Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Slot(pub(super) NonZeroU32);

impl Slot {
    /// The slot's number, unique in the process.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        self.0.get()
    }
}

/// Slots that were cut from a memory together.
pub(crate) struct SlotRun {
    /// The lowest number.
    pub(crate) first: u32,
    /// How many numbers they spread over. Some of them may belong to nobody.
    pub(crate) numbers: u32,
    /// The slots, in ascending order.
    pub(crate) slots: Vec<Slot>,
}

/// What is known of a slot's contents, packed into the word beside the pool.
///
/// ```text
///  63           32 31        18 17   16  15        0
/// ┌───────────────┬────────────┬────┬────┬───────────┐
/// │   RSS hash    │     0      │HASH│MORE│  length   │
/// └───────────────┴────────────┴────┴────┴───────────┘
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u64);

impl Mark {
    const MORE: u64 = 1 << 16;
    const HASH: u64 = 1 << 17;

    /// A packet, or its last piece, of `length` bytes.
    #[inline(always)]
    pub(crate) const fn last(length: u16) -> Mark {
        Mark(length as u64)
    }

    /// A piece of `length` bytes that is continued in the next slot.
    #[inline(always)]
    pub(crate) const fn more(length: u16) -> Mark {
        Mark(length as u64 | Mark::MORE)
    }

    /// The same with an RSS hash.
    #[inline(always)]
    pub(crate) const fn with_hash(self, hash: u32) -> Mark {
        Mark(self.0 | Mark::HASH | (hash as u64) << 32)
    }

    /// Bytes in use, at most [`SLOT_BYTES`] whatever was stored.
    #[inline(always)]
    pub(crate) const fn length(self) -> usize {
        let length = (self.0 & u16::MAX as u64) as usize;
        if length < SLOT_BYTES { length } else { SLOT_BYTES }
    }

    /// True if the packet goes on in the next slot.
    #[inline(always)]
    pub(crate) const fn goes_on(self) -> bool {
        self.0 & Mark::MORE != 0
    }

    /// The hash that the device computed, if it did.
    #[inline(always)]
    pub(crate) const fn hash(self) -> Option<u32> {
        if self.0 & Mark::HASH != 0 { Some((self.0 >> 32) as u32) } else { None }
    }
}

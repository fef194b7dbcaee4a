//! The two pages of queue registers that a driver may map, so that moving a tail costs no message.
//!
//! RX queues 0 to 63 live at 0x1000, TX queues 0 to 63 at 0x6000, 64 bytes each: one cache line per queue. The pages
//! are in a sealed memfd as long as BAR0, so that file offset and register offset are the same number. A client gets
//! the whole file whatever areas it was told of; therefore nothing else is kept there.
//!
//! The NIC sees plain memory: it reads tails with acquire loads, publishes heads and counters with release stores,
//! and cannot notice a read, or a write that changes nothing.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use crate::device::Area;
use crate::shared::SharedWords;

/// Bytes of BAR0, and of the file.
pub const BAR_BYTES: usize = 0x20000;

/// Bytes of a page.
const PAGE: usize = 0x1000;

/// The areas that a client may map.
pub static AREAS: [Area; 2] =
    [Area { offset: 0x1000, size: PAGE as u64 }, Area { offset: 0x6000, size: PAGE as u64 }];

/// The same for a driver that maps the whole BAR ([`Doorbells::Plain`](super::Doorbells::Plain)).
pub static WHOLE: [Area; 1] = [Area { offset: 0, size: BAR_BYTES as u64 }];

/// Whether the register at `offset` lies in a page that can be mapped.
#[inline]
pub const fn is_shared(offset: u32) -> bool {
    matches!(offset >> 12, 0x1 | 0x6)
}

/// The file and this process's mapping of it.
#[derive(Debug)]
pub struct DoorbellPages {
    file: OwnedFd,
    words: SharedWords,
}

impl DoorbellPages {
    /// A new file, all zero.
    ///
    /// # Errors
    ///
    /// What the system says if it gives no memory.
    pub fn new() -> io::Result<Self> {
        let file = memfd_create("ringway-doorbells", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&file, BAR_BYTES as u64)?;
        // Without these a client could truncate the file, and the next look at a tail would be a SIGBUS.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let words = SharedWords::map(&file, BAR_BYTES)?;
        Ok(DoorbellPages { file, words })
    }

    /// The file to hand to a client.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    #[inline]
    fn cell(&self, offset: u32) -> &AtomicU32 {
        self.words.word(offset as usize)
    }

    /// The value at `offset` now, before anything that is read afterwards.
    #[inline]
    pub fn load(&self, offset: u32) -> u32 {
        u32::from_le(self.cell(offset).load(Ordering::Acquire))
    }

    /// Puts `value` at `offset`, after everything that was written before.
    #[inline]
    pub fn store(&self, offset: u32, value: u32) {
        self.cell(offset).store(value.to_le(), Ordering::Release);
    }

    /// Which is the first of the pairs of dwords from `offset` on, a multiple of 8, that is not as in `last`.
    pub fn first_difference(&self, offset: u32, last: &[u64]) -> Option<usize> {
        let quads = self.words.quads(offset as usize, last.len());
        quads.iter().zip(last).position(|(quad, last)| u64::from_le(quad.load(Ordering::Relaxed)) != *last)
    }

    /// Puts `new` at `offset` if `old` is still there. `false` if the driver has stored something else meanwhile.
    pub fn replace(&self, offset: u32, old: u32, new: u32) -> bool {
        let (old, new) = (old.to_le(), new.to_le());
        self.cell(offset).compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Clears `bits` without losing others that the driver sets at the same moment.
    pub fn clear_bits(&self, offset: u32, bits: u32) {
        self.cell(offset).fetch_and(!bits.to_le(), Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_stores_is_seen_and_the_other_way_round() {
        let pages = DoorbellPages::new().unwrap();
        let client = SharedWords::map(pages.file(), BAR_BYTES).unwrap();
        client.word(0x1018).store(511, Ordering::Relaxed);
        assert_eq!(pages.load(0x1018), 511);
        pages.store(0x1010, 7);
        assert_eq!(client.word(0x1010).load(Ordering::Relaxed), 7);
        pages.clear_bits(0x1018, 1);
        assert_eq!(client.word(0x1018).load(Ordering::Relaxed), 510);
    }

    #[test]
    fn a_client_cannot_truncate_the_file() {
        let pages = DoorbellPages::new().unwrap();
        assert_eq!(ftruncate(pages.file(), 0), Err(rustix::io::Errno::PERM));
    }

    #[test]
    fn only_the_announced_areas_are_shared() {
        for area in AREAS {
            assert!(is_shared(area.offset as u32) && is_shared((area.offset + area.size - 1) as u32));
        }
        assert!(!is_shared(0x2000) && !is_shared(0x7000) && !is_shared(0xD000) && !is_shared(0));
    }
}

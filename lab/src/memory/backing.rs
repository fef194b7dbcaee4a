//! Memory that nobody has mapped for the device, but that it can reach all the same: that of a machine without an IOMMU.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use super::mapping::{Prot, Window};

/// A run of memory, and where it lies in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its first address, as the device sees it.
    pub iova: u64,
    /// Bytes.
    pub size: u64,
    /// Where it lies here; readable and writable.
    pub base: *mut u8,
}

impl From<Run> for Window {
    fn from(run: Run) -> Window {
        Window::new(run.iova, run.size, run.base, Prot::READ_WRITE)
    }
}

/// Memory in pages of [`Grid::UNIT`] bytes, each of which lies here at one distance from its address. Hugepages are scattered
/// over physical memory, and a ring has its buffers in many of them: where one window would be missed all the time, a bit says
/// whether a page is there.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Where address 0 would lie.
    pub base: *mut u8,
    /// A bit for each page that is there, lowest first.
    pub present: *const AtomicU64,
    /// Pages that there are bits for; a multiple of 64.
    pub pages: u64,
}

impl Grid {
    /// Bytes of a page.
    pub const UNIT: u64 = 2 << 20;

    /// Where `length` bytes (at least 1, at most a page) from `iova` lie, if they are there.
    #[inline(always)]
    pub(super) fn locate(&self, iova: u64, length: usize) -> Option<*mut u8> {
        let first = iova / Grid::UNIT;
        let last = iova.wrapping_add(length as u64 - 1) / Grid::UNIT;
        if length as u64 > Grid::UNIT || first >= self.pages || !self.has(first) {
            return None;
        }
        if last != first && (last >= self.pages || !self.has(last)) {
            return None;
        }
        // SAFETY: `base` has room for all pages, and those of these bytes are mapped.
        Some(unsafe { self.base.add(iova as usize) })
    }

    #[inline(always)]
    fn has(&self, page: u64) -> bool {
        // SAFETY: `page` is less than `pages`, for which there are bits.
        let word = unsafe { &*self.present.add(page as usize / 64) };
        word.load(Ordering::Relaxed) >> (page % 64) & 1 != 0
    }
}

/// Finds memory by its address. Asked when no mapping covers an address.
///
/// # Safety
///
/// All `size` bytes from `base` of a run are mapped in this process, readable and writable, outside of any Rust object, and
/// stay so until [`forget`](Backing::forget) is called or the backing is dropped. The same holds for the pages of a grid whose
/// bits are set; its pointers hold as long as the backing lives.
pub unsafe trait Backing: Debug + Send {
    /// The run of memory around `iova`; `None` if there is none.
    fn locate(&self, iova: u64) -> Option<Run>;

    /// Everything that was located, if it lies in a grid: asked once.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The driver is gone: no run that was given out will be used again.
    fn forget(&mut self);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bytes_of_pages_that_are_there_are_located() {
        let present: Vec<AtomicU64> = [0b0110, 1 << 63].map(AtomicU64::new).into();
        // Nothing is done with the pointers, so it does not matter where they lead.
        let base = std::ptr::without_provenance_mut::<u8>(1 << 40);
        let grid = Grid { base, present: present.as_ptr(), pages: 128 };
        let at = |iova: u64, length| grid.locate(iova, length).map(|found| found.addr() as u64 - (1 << 40));
        let unit = Grid::UNIT;
        assert_eq!(at(unit, 64), Some(unit));
        assert_eq!(at(2 * unit - 8, 16), Some(2 * unit - 8), "both pages are there");
        assert_eq!(at(3 * unit - 8, 16), None, "the second is not");
        assert_eq!((at(0, 1), at(3 * unit, 1), at(128 * unit, 1), at(u64::MAX, 8)), (None, None, None, None));
        assert_eq!((at(128 * unit - 1, 1), at(128 * unit - 1, 2)), (Some(128 * unit - 1), None));
        assert_eq!((at(unit, unit as usize), at(unit, unit as usize + 1)), (Some(unit), None));
    }
}

//! Many accesses to the mapping that was used last.

use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use super::mapping::{Prot, Window};
use super::{ClientMemory, Grid};

/// The mapping that was used last, if the device may read and write it. A driver has one DMA memory, so a run of
/// accesses most likely lies in it, and the table need not be asked for each. `None` says that an access does not lie in
/// it: nothing has happened, and [`ClientMemory`] knows whether it is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Recent<'a> {
    /// Allows both, or is empty.
    window: Window,
    grid: Option<Grid>,
    /// While this lives, nothing can be unmapped.
    memory: PhantomData<&'a ClientMemory>,
}

impl Recent<'_> {
    #[inline]
    pub(super) fn new(last: Window, grid: Option<Grid>) -> Self {
        let window = if last.allows(Prot::READ_WRITE) { last } else { Window::EMPTY };
        Recent { window, grid, memory: PhantomData }
    }

    #[inline(always)]
    fn locate(&self, iova: u64, length: usize) -> Option<*mut u8> {
        match (self.window.locate_any(iova, length), &self.grid) {
            (None, Some(grid)) if length > 0 => grid.locate(iova, length),
            (located, _) => located,
        }
    }

    #[inline(always)]
    fn words<const N: usize>(&self, iova: u64) -> Option<[&AtomicU64; N]> {
        if !iova.is_multiple_of(8) {
            return None;
        }
        let first: *mut u64 = self.locate(iova, 8 * N)?.cast();
        // SAFETY: the window or the grid holds 8 * N bytes at `first`, in whole words as mappings begin at whole pages on both sides;
        // the shared memory lives as long as `self`, and two processes may share words by atomic operations.
        Some(std::array::from_fn(|n| unsafe { AtomicU64::from_ptr(first.add(n)) }))
    }

    /// Loads a little-endian word before anything that follows; `iova` is a multiple of 8.
    #[inline(always)]
    pub fn load(&self, iova: u64) -> Option<u64> {
        let [word] = self.words(iova)?;
        Some(u64::from_le(word.load(Ordering::Acquire)))
    }

    /// Loads two words that lie side by side.
    #[inline(always)]
    pub fn load_pair(&self, iova: u64) -> Option<[u64; 2]> {
        Some(self.words::<2>(iova)?.map(|word| u64::from_le(word.load(Ordering::Acquire))))
    }

    /// Stores two words that lie side by side, the second one after everything before.
    #[inline(always)]
    pub fn store_pair(&self, iova: u64, [first, second]: [u64; 2]) -> Option<()> {
        let words = self.words::<2>(iova)?;
        words[0].store(first.to_le(), Ordering::Relaxed);
        words[1].store(second.to_le(), Ordering::Release);
        Some(())
    }

    /// Copies bytes out.
    #[inline(always)]
    pub fn read(&self, iova: u64, data: &mut [u8]) -> Option<()> {
        let source = self.locate(iova, data.len())?;
        // SAFETY: the window or the grid holds so many bytes at `source`, outside of any Rust object; if the client changes them
        // meanwhile, the copy holds some mixture, which any bytes are.
        unsafe { copy(source, data.as_mut_ptr(), data.len()) };
        Some(())
    }

    /// Copies bytes in.
    #[inline(always)]
    pub fn write(&self, iova: u64, data: &[u8]) -> Option<()> {
        let target = self.locate(iova, data.len())?;
        // SAFETY: as in `read`, the other way round.
        unsafe { copy(data.as_ptr(), target, data.len()) };
        Some(())
    }

    /// Asks the processor to fetch the cache line at `iova`: a hint.
    #[inline(always)]
    pub fn prefetch(&self, iova: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(line) = self.locate(iova, 1) {
            // SAFETY: prefetching never faults, and SSE is part of x86_64.
            unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = iova;
    }
}

/// Copies like [`ptr::copy_nonoverlapping`], but lengths from 32 to 64, which most packets in a measurement have, without
/// a call: their halves, which may overlap.
///
/// # Safety
///
/// As there.
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, length: usize) {
    type Half = [u8; 32];
    if (32..=64).contains(&length) {
        let last = length - size_of::<Half>();
        // SAFETY: both halves lie within `length` bytes, which the caller vouches for.
        unsafe {
            let halves =
                [from.cast::<Half>().read_unaligned(), from.add(last).cast::<Half>().read_unaligned()];
            to.cast::<Half>().write_unaligned(halves[0]);
            to.add(last).cast::<Half>().write_unaligned(halves[1]);
        }
    } else {
        // SAFETY: the caller's.
        unsafe { ptr::copy_nonoverlapping(from, to, length) };
    }
}

//! Memory that another process, or another thread, changes at the same time.

use std::io;
use std::os::fd::AsFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, AtomicU64};

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// A shared mapping of a file from its start, seen as atomic words.
#[derive(Debug)]
pub(crate) struct SharedWords {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping is owned by this value and used for atomic accesses only; nothing depends on the thread that
// made it.
unsafe impl Send for SharedWords {}
// SAFETY: as above; atomic accesses may come from several threads.
unsafe impl Sync for SharedWords {}

impl SharedWords {
    /// Maps the first `bytes` of `file`, which must be that long and sealed against shrinking: touching what is no
    /// longer there would be a SIGBUS.
    ///
    /// # Errors
    ///
    /// What the system says if it gives no memory.
    pub fn map(file: impl AsFd, bytes: usize) -> io::Result<Self> {
        // SAFETY: a new mapping at an address of the kernel's choice replaces nothing.
        let start = unsafe {
            mmap(ptr::null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, file, 0)?
        };
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(SharedWords { start, bytes })
    }

    /// The 32-bit word at `offset`, which must be aligned and inside.
    #[inline]
    pub fn word(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4) && offset + 4 <= self.bytes);
        // SAFETY: inside of the mapping, aligned (mappings begin at a page), and alive as long as `self`. Others change
        // it at the same time, which is what atomics are for.
        unsafe { self.start.add(offset).cast::<AtomicU32>().as_ref() }
    }

    /// The 64-bit word at `offset`, which must be aligned and inside.
    #[inline]
    pub fn quad(&self, offset: usize) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8) && offset + 8 <= self.bytes);
        // SAFETY: as in `word`.
        unsafe { self.start.add(offset).cast::<AtomicU64>().as_ref() }
    }

    /// The 64-bit words from `offset` on, which must be aligned and inside.
    pub fn quads(&self, offset: usize, count: usize) -> &[AtomicU64] {
        assert!(offset.is_multiple_of(8) && offset <= self.bytes && count <= (self.bytes - offset) / 8);
        // SAFETY: as in `word`, for each of them.
        unsafe { std::slice::from_raw_parts(self.start.add(offset).cast::<AtomicU64>().as_ptr(), count) }
    }
}

impl Drop for SharedWords {
    fn drop(&mut self) {
        // SAFETY: mapped in `map`; no reference into it outlives `self`.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

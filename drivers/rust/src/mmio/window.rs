//! Parts of a region that are memory of this process: every access a load or a store of 32 bits.
#![allow(unsafe_code)]

use std::os::fd::BorrowedFd;
use std::ptr::NonNull;
use std::sync::atomic::{Ordering, fence};

use rustix::mm::{MapFlags, ProtFlags};

use crate::error::{Error, Result};

/// A part of a region that is mapped into this process. Unmapped on drop.
#[derive(Debug)]
pub struct Window {
    base: NonNull<u8>,
    start: u32,
    length: u32,
}

// SAFETY: the mapping belongs to the process. All access goes through aligned volatile 32-bit loads and stores, which
// is what the device on the other side expects from any thread.
unsafe impl Send for Window {}
// SAFETY: as above; concurrent volatile accesses of a register are ordinary for a device and cannot tear.
unsafe impl Sync for Window {}

impl Window {
    /// Maps `length` bytes at `file_offset` of `file`, which are the region's bytes from `start` on.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`] if the file is too short (a later access would kill the process) or cannot be mapped.
    pub fn map(file: BorrowedFd<'_>, file_offset: u64, start: u32, length: u32) -> Result<Window> {
        let failed = |why: String| {
            Error::DeviceFailed(format!("mapping {length} bytes at {start:#x} of a region: {why}"))
        };
        let aligned = (u64::from(start) | u64::from(length) | file_offset).is_multiple_of(4096);
        let end = file_offset.checked_add(u64::from(length));
        if !aligned || length == 0 || start.checked_add(length).is_none() {
            return Err(failed("not in whole pages".into()));
        }
        let stat = rustix::fs::fstat(file).map_err(|errno| failed(errno.to_string()))?;
        let is_file = rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::RegularFile;
        if is_file && end.is_none_or(|end| end > stat.st_size as u64) {
            return Err(failed(format!("its file has only {} bytes", stat.st_size)));
        }
        // SAFETY: a new mapping at an address of the kernel's choice disturbs nothing that exists.
        let base = unsafe {
            let flags = ProtFlags::READ | ProtFlags::WRITE;
            rustix::mm::mmap(
                std::ptr::null_mut(),
                length as usize,
                flags,
                MapFlags::SHARED,
                file,
                file_offset,
            )
        };
        let base = base.map_err(|errno| failed(errno.to_string()))?;
        let base = NonNull::new(base.cast()).ok_or_else(|| failed("no address".into()))?;
        Ok(Window { base, start, length })
    }

    /// The region's offset of the first mapped byte, and the number of mapped bytes.
    pub fn range(&self) -> (u32, u32) {
        (self.start, self.length)
    }

    /// True if the 32-bit register at `offset` of the region is in this window.
    pub(crate) fn covers(&self, offset: u32) -> bool {
        offset.is_multiple_of(4) && offset.checked_sub(self.start).is_some_and(|at| at < self.length)
    }

    #[inline(always)]
    fn register(&self, offset: u32) -> NonNull<u32> {
        assert!(self.covers(offset));
        // SAFETY: just checked: in bounds (`length` is whole pages, so four bytes at a multiple of 4 fit).
        unsafe { self.base.add((offset - self.start) as usize).cast() }
    }

    /// Loads the 32-bit word at `offset` of the region; nothing that follows comes before it (acquire).
    ///
    /// # Panics
    /// If there is no such word in this window.
    pub fn load(&self, offset: u32) -> u32 {
        // SAFETY: needed because a register is no ordinary memory: the load must happen, once, 32 bits wide. The
        // pointer is in bounds and aligned (`register`), and mapped as long as `self` lives.
        let value = unsafe { self.register(offset).read_volatile() };
        fence(Ordering::Acquire);
        value
    }

    /// Stores a 32-bit word at `offset` of the region, after everything before it (release).
    ///
    /// # Panics
    /// If there is no such word in this window.
    pub fn store(&self, offset: u32, value: u32) {
        fence(Ordering::Release);
        // SAFETY: as in `load`.
        unsafe { self.register(offset).write_volatile(value) }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: this range was mapped by `Window::map`, and whoever uses it holds an `Arc` of the window.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.length as usize) };
    }
}

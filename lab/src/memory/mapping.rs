//! One mapping of a client's file, and the plain window onto it that accesses go through.

use std::ffi::c_void;
use std::os::fd::BorrowedFd;
use std::ptr;

use rustix::fs::{SealFlags, fcntl_get_seals, fstat};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use super::PAGE;
use super::error::MapError;

/// What the device may do with a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prot(u8);

impl Prot {
    /// The device may do nothing; such a mapping is refused.
    pub const NONE: Prot = Prot(0);
    /// The device may read.
    pub const READ: Prot = Prot(1);
    /// The device may write.
    pub const WRITE: Prot = Prot(2);
    /// The device may read and write.
    pub const READ_WRITE: Prot = Prot(3);

    /// From the two permissions.
    pub const fn new(read: bool, write: bool) -> Self {
        Prot(read as u8 | (write as u8) << 1)
    }

    const fn allows(self, wanted: Prot) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    fn flags(self) -> ProtFlags {
        let mut flags = ProtFlags::empty();
        flags.set(ProtFlags::READ, self.allows(Prot::READ));
        flags.set(ProtFlags::WRITE, self.allows(Prot::WRITE));
        flags
    }
}

/// A range of I/O virtual addresses and where it lies in this process. Plain data: the [`Mapping`] keeps it alive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) iova: u64,
    pub(super) size: u64,
    base: *mut u8,
    prot: Prot,
}

impl Window {
    /// Covers nothing.
    pub(super) const EMPTY: Window = Window { iova: 0, size: 0, base: ptr::null_mut(), prot: Prot::NONE };

    pub(super) fn new(iova: u64, size: u64, base: *mut u8, prot: Prot) -> Self {
        Window { iova, size, base, prot }
    }

    /// Bytes from `iova` to the end of the window; 0 if `iova` is outside or `wanted` is forbidden.
    #[inline]
    pub(super) fn left(&self, iova: u64, wanted: Prot) -> u64 {
        let offset = iova.wrapping_sub(self.iova);
        if self.prot.allows(wanted) { self.size.saturating_sub(offset) } else { 0 }
    }

    /// What the device may do with it.
    #[inline]
    pub(super) fn allows(&self, wanted: Prot) -> bool {
        self.prot.allows(wanted)
    }

    /// Where `length` bytes from `iova` lie, if the window covers all of them, whatever it allows.
    #[inline(always)]
    pub(super) fn locate_any(&self, iova: u64, length: usize) -> Option<*mut u8> {
        let offset = iova.wrapping_sub(self.iova);
        if offset >= self.size || self.size - offset < length as u64 {
            return None;
        }
        // SAFETY: `offset + length` stays within the window, whose `size` bytes from `base` are one live mapping.
        Some(unsafe { self.base.add(offset as usize) })
    }

    /// Where `length` (at least 1) bytes from `iova` lie, if the window covers all of them and allows `wanted`.
    #[inline]
    pub(super) fn locate(&self, iova: u64, length: usize, wanted: Prot) -> Option<*mut u8> {
        if self.left(iova, wanted) < length as u64 {
            return None;
        }
        // SAFETY: `left` found that `iova + length` stays within the window, whose `size` bytes from `base` are one
        // live mapping of this process.
        Some(unsafe { self.base.add((iova - self.iova) as usize) })
    }
}

/// One mapping; unmapped when dropped.
#[derive(Debug)]
pub(super) struct Mapping {
    pub(super) window: Window,
    /// What was mapped, which may begin earlier and end later than the window (whole huge pages).
    start: *mut c_void,
    length: usize,
}

impl Mapping {
    /// Maps `size` bytes at `offset` of `file`, whose file system hands out blocks of `block` bytes.
    pub(super) fn new(
        file: BorrowedFd<'_>,
        block: u64,
        offset: u64,
        iova: u64,
        size: u64,
        prot: Prot,
    ) -> Result<Self, MapError> {
        let first = offset - offset % block;
        let lead = (offset - first) as usize;
        let length = size
            .checked_add(offset - first)
            .and_then(|length| length.checked_next_multiple_of(block))
            .and_then(|length| usize::try_from(length).ok())
            .ok_or(MapError::Range { iova, size })?;
        // SAFETY: a new mapping at an address of the kernel's choice replaces nothing.
        let start = unsafe { mmap(ptr::null_mut(), length, prot.flags(), MapFlags::SHARED, file, first)? };
        // SAFETY: `lead` is less than `length`, the size of the mapping just made.
        let base = unsafe { start.cast::<u8>().add(lead) };
        Ok(Mapping { window: Window { iova, size, base, prot }, start, length })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this mapping was made in `new` and is unmapped only here. Windows copied from it are forgotten by
        // `ClientMemory` before, and addresses taken from them do not outlive one call.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

/// Makes sure that touching the range can never raise SIGBUS. Returns the size of the file's blocks, to which a
/// mapping must be rounded (2 MiB or 1 GiB for huge pages).
pub(super) fn check_file(file: BorrowedFd<'_>, offset: u64, size: u64) -> Result<u64, MapError> {
    // Seals first: only after that the length is known to stay.
    let seals = fcntl_get_seals(file).map_err(|_| MapError::Unsealed)?;
    if !seals.contains(SealFlags::SHRINK) {
        return Err(MapError::Unsealed);
    }
    let stat = fstat(file)?;
    let length = u64::try_from(stat.st_size).unwrap_or(0);
    let end = offset.saturating_add(size);
    if end > length {
        return Err(MapError::PastEnd { end, length });
    }
    Ok(u64::try_from(stat.st_blksize).ok().filter(|b| b.is_power_of_two()).unwrap_or(PAGE).max(PAGE))
}

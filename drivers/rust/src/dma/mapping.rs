//! Memory files and their mappings.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::ptr::NonNull;

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};

/// A mapped file that is unmapped on drop.
pub(super) struct Mapping {
    pub(super) base: NonNull<u8>,
    pub(super) length: usize,
}

// SAFETY: a mapping is an address range that belongs to the process, not to a thread. What may be done with it is
// decided where it is accessed: atomics for rings, the owner of a slot for packets.
unsafe impl Send for Mapping {}
// SAFETY: as above; `Mapping` itself has no method that reads or writes memory.
unsafe impl Sync for Mapping {}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this range was mapped by `Mapping::new` and every view borrows the `DmaMemory` that owns it, so no
        // view is left. A failure leaves it mapped, which harms nobody.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.length) };
    }
}

impl Mapping {
    /// Maps all of `file`, which has `length` bytes and is sealed against shrinking.
    pub(super) fn new(file: BorrowedFd<'_>, length: usize, flags: MapFlags) -> rustix::io::Result<Mapping> {
        // SAFETY: a new mapping at an address of the kernel's choice cannot disturb anything that exists. The file is
        // sealed against shrinking, so no access in range can fault.
        let base = unsafe {
            rustix::mm::mmap(
                std::ptr::null_mut(),
                length,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED | flags,
                file,
                0,
            )?
        };
        NonNull::new(base.cast()).map(|base| Mapping { base, length }).ok_or(rustix::io::Errno::NOMEM)
    }

    /// Keeps it in memory as long as it is mapped.
    pub(super) fn lock(&self) -> rustix::io::Result<()> {
        // SAFETY: needed because rustix cannot know the range; it is the one that `self` has mapped. Locking changes
        // no contents.
        unsafe { rustix::mm::mlock(self.base.as_ptr().cast(), self.length) }
    }
}

/// A memory file that can neither shrink nor grow: the device's side may rely on its length for good.
pub(super) fn sealed_file(length: u64, flags: MemfdFlags) -> rustix::io::Result<OwnedFd> {
    let flags = flags | MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = rustix::fs::memfd_create("ringway-dma", flags)?;
    rustix::fs::ftruncate(&file, length)?;
    rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
    Ok(file)
}

//! Hugepages, for devices without an IOMMU: each is contiguous, the kernel leaves them where they are, and pagemap says
//! where that is.
//!
//! They come as a memory file, which needs no mount of hugetlbfs and vanishes with the process.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{MemfdFlags, Mode, OFlags};
use rustix::io::Errno;
use rustix::mm::MapFlags;
use rustix::process::{Resource, getrlimit};

use super::address::EXTENT;
use super::mapping::{Mapping, sealed_file};
use crate::error::{Error, Result};

/// Pages that pagemap counts in, whatever the size of those behind a mapping.
const PAGE: usize = 4096;
const PAGES: usize = EXTENT / PAGE;

/// Entry of pagemap: the page is in memory, and the number of its frame.
const PRESENT: u64 = 1 << 63;
const FRAME: u64 = (1 << 55) - 1;

/// What the kernel gives and tells. Tests play it.
pub(super) trait Kernel {
    /// A sealed file of `bytes` bytes in hugepages.
    fn file(&self, bytes: u64) -> rustix::io::Result<OwnedFd>;
    /// Locks a mapping in memory.
    fn lock(&self, mapping: &Mapping) -> rustix::io::Result<()>;
    /// What pagemap says of the pages of this process from page number `first` on.
    fn frames(&self, first: usize, entries: &mut [u8]) -> rustix::io::Result<()>;
}

/// The real one.
pub(super) struct Linux;

impl Kernel for Linux {
    fn file(&self, bytes: u64) -> rustix::io::Result<OwnedFd> {
        sealed_file(bytes, MemfdFlags::HUGETLB | MemfdFlags::HUGE_2MB)
    }

    fn lock(&self, mapping: &Mapping) -> rustix::io::Result<()> {
        mapping.lock()
    }

    fn frames(&self, first: usize, entries: &mut [u8]) -> rustix::io::Result<()> {
        let pagemap =
            rustix::fs::open("/proc/self/pagemap", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let got = rustix::io::pread(&pagemap, &mut *entries, first as u64 * 8)?;
        if got == entries.len() { Ok(()) } else { Err(Errno::IO) }
    }
}

/// Memory in hugepages, mapped and locked, and the physical address of each.
pub(super) struct Huge {
    pub(super) file: OwnedFd,
    pub(super) mapping: Mapping,
    pub(super) extents: Box<[u64]>,
}

impl Huge {
    /// Takes `length` bytes, a multiple of [`EXTENT`].
    pub(super) fn new(kernel: &dyn Kernel, length: usize) -> Result<Huge> {
        let file = kernel.file(length as u64).map_err(no_file)?;
        let mapping = Mapping::new(file.as_fd(), length, MapFlags::POPULATE)
            .map_err(|errno| too_few(length / EXTENT, errno))?;
        kernel.lock(&mapping).map_err(|errno| not_locked(length, errno))?;
        let first = mapping.base.as_ptr() as usize / PAGE;
        let extents = (0..length / EXTENT).map(|extent| address(kernel, first + extent * PAGES));
        let extents = extents.collect::<Result<_>>()?;
        Ok(Huge { file, mapping, extents })
    }
}

/// Physical address of the extent at page number `first`: its pages must follow each other, or it is no hugepage.
fn address(kernel: &dyn Kernel, first: usize) -> Result<u64> {
    let mut entries = [0; PAGES * 8];
    kernel.frames(first, &mut entries).map_err(hidden)?;
    let mut frames = entries.as_chunks::<8>().0.iter().map(|bytes| u64::from_ne_bytes(*bytes));
    let entry = frames.next().unwrap_or(0);
    let frame = entry & FRAME;
    if entry & PRESENT == 0 || frame == 0 {
        return Err(hidden(Errno::PERM));
    }
    if !frames.zip(frame + 1..).all(|(entry, expected)| entry & FRAME == expected) {
        return Err(Error::OutOfMemory(
            "the kernel gave no contiguous hugepages of 2 MiB; use VFIO and an IOMMU".into(),
        ));
    }
    Ok(frame * PAGE as u64)
}

fn no_file(errno: Errno) -> Error {
    match errno {
        Errno::NOSYS | Errno::NODEV | Errno::NOENT | Errno::INVAL => Error::Unsupported(format!(
            "this kernel has no hugetlbfs with pages of 2 MiB ({errno}); use VFIO, or a kernel with CONFIG_HUGETLBFS"
        )),
        other => Error::OutOfMemory(format!("the kernel gives no file of hugepages: {other}")),
    }
}

fn too_few(pages: usize, errno: Errno) -> Error {
    Error::OutOfMemory(format!(
        "not enough free hugepages for {} MiB of DMA memory ({errno}); \
         echo {pages} | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
        pages * 2
    ))
}

fn not_locked(length: usize, errno: Errno) -> Error {
    Error::OutOfMemory(format!(
        "cannot lock {} MiB of DMA memory, the limit is {} ({errno}); run as root, or `ulimit -l unlimited`",
        length >> 20,
        memlock_limit()
    ))
}

/// The limit of locked memory, for people.
pub(crate) fn memlock_limit() -> String {
    let limit = getrlimit(Resource::Memlock).current;
    limit.map_or("none".into(), |bytes| format!("{} KiB", bytes >> 10))
}

fn hidden(errno: Errno) -> Error {
    Error::PermissionDenied {
        what: format!("/proc/self/pagemap hides physical addresses from this process ({errno})"),
        remedy: "run as root (CAP_SYS_ADMIN), or bind the function to vfio-pci: sudo ringway bind ADDRESS --user $USER"
            .into(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::dma::DmaMemory;

    /// A kernel whose hugepages go downwards, so that none follows the one before.
    #[derive(Default)]
    pub(crate) struct Fake {
        pub(crate) file: Option<Errno>,
        pub(crate) map_too_few: bool,
        pub(crate) lock: Option<Errno>,
        pub(crate) pagemap: Option<Errno>,
        pub(crate) hides: bool,
        pub(crate) scattered: bool,
    }

    impl Kernel for Fake {
        fn file(&self, bytes: u64) -> rustix::io::Result<OwnedFd> {
            if self.map_too_few {
                // A file that is open for reading only cannot be mapped for writing.
                let flags = OFlags::RDONLY | OFlags::CLOEXEC;
                return rustix::fs::open("/proc/self/exe", flags, Mode::empty());
            }
            self.file.map_or_else(|| sealed_file(bytes, MemfdFlags::empty()), Err)
        }

        fn lock(&self, _mapping: &Mapping) -> rustix::io::Result<()> {
            self.lock.map_or(Ok(()), Err)
        }

        fn frames(&self, first: usize, entries: &mut [u8]) -> rustix::io::Result<()> {
            let step = if self.scattered { 2 } else { 1 };
            let start = (1 << 40) - first as u64 * 8;
            for (index, entry) in entries.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                let frame = if self.hides { 0 } else { start + index as u64 * step };
                *entry = (PRESENT | frame).to_ne_bytes();
            }
            self.pagemap.map_or(Ok(()), Err)
        }
    }

    #[test]
    fn every_extent_has_its_own_address() {
        let memory = DmaMemory::huge_from(&Fake::default(), 5 << 20).unwrap();
        assert!(memory.is_physical());
        assert_eq!(memory.len(), 6 << 20);
        let first = memory.address() / PAGE;
        let runs = memory.runs();
        assert_eq!(runs.len(), 3);
        for (index, run) in runs.iter().enumerate() {
            let frame = (1u64 << 40) - (first + index * PAGES) as u64 * 8;
            assert_eq!((run.offset, run.iova, run.bytes), (index * EXTENT, frame * PAGE as u64, EXTENT));
        }
    }

    #[test]
    fn every_refusal_says_what_to_do() {
        let refusals = [
            (Fake { file: Some(Errno::NODEV), ..Fake::default() }, "Unsupported", "CONFIG_HUGETLBFS"),
            (Fake { file: Some(Errno::MFILE), ..Fake::default() }, "OutOfMemory", "Too many open files"),
            (
                Fake { map_too_few: true, ..Fake::default() },
                "OutOfMemory",
                "echo 2 | sudo tee /sys/kernel/mm",
            ),
            (Fake { lock: Some(Errno::NOMEM), ..Fake::default() }, "OutOfMemory", "ulimit -l unlimited"),
            (Fake { pagemap: Some(Errno::ACCESS), ..Fake::default() }, "PermissionDenied", "run as root"),
            (Fake { hides: true, ..Fake::default() }, "PermissionDenied", "CAP_SYS_ADMIN"),
            (Fake { scattered: true, ..Fake::default() }, "OutOfMemory", "no contiguous hugepages"),
        ];
        for (kernel, kind, words) in refusals {
            let error = DmaMemory::huge_from(&kernel, 4 << 20).unwrap_err();
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(words), "{error}");
            assert!(!error.to_string().contains('\n'));
        }
    }
}

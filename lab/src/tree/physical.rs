//! The driver's memory, found by physical address.
//!
//! A driver that reaches a card through `resource0` gives it physical addresses of hugepages, which the kernel neither
//! moves nor gives away while they are mapped. They are found in `/proc/PID/maps` and `/proc/PID/pagemap` of all
//! processes of the namespace, opened through `/proc/PID/map_files` (drivers like to unlink their files at once), and mapped
//! here at a distance from each other that is that of their addresses, so that neighbours are one run. What was mapped is
//! then looked up in this process's own pagemap: only a page that has the address asked for counts.
//!
//! Everything that is asked for is looked for when it is first used; a page costs some microseconds, once.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{Mode, OFlags, fstatfs, open};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};

use super::processes::{Area, areas, companions};
use crate::clock::Nanos;
use crate::memory::{Backing, Grid, PAGE, Run};

/// `HUGETLBFS_MAGIC` of linux/magic.h.
const HUGETLBFS: u64 = 0x9584_58f6;
/// Physical addresses above this are not looked for.
const LIMIT: u64 = 1 << 40;
/// The largest hugepages; the window into physical memory starts at a multiple of it.
const LARGEST: u64 = 1 << 30;
/// An address that was not found is not looked for again so soon.
const PATIENCE_NS: u64 = 5_000_000;

/// Entries of pagemap: the page is in memory; its frame number.
const PRESENT: u64 = 1 << 63;
const FRAME: u64 = (1 << 55) - 1;

/// Physical memory, as far as drivers of this namespace have it mapped.
#[derive(Debug)]
pub struct PhysicalMemory {
    window: Window,
    pagemap: File,
    known: RefCell<Known>,
    /// A bit for each page of a grid that is in `known.runs`.
    present: Box<[AtomicU64]>,
}

/// Address space for all physical memory below [`LIMIT`], most of it empty.
#[derive(Debug)]
struct Window {
    reserved: *mut c_void,
    base: *mut u8,
}

// SAFETY: a reservation of address space, owned by this value; nothing depends on the thread that made it.
unsafe impl Send for Window {}

/// What has been found so far.
#[derive(Debug, Default)]
struct Known {
    /// Mapped runs: first address, and bytes.
    runs: BTreeMap<u64, u64>,
    /// Hugepages that were seen, by address.
    pages: HashMap<u64, Page>,
    /// Sizes of hugepages that occur.
    sizes: HashSet<u64>,
    /// Which file systems are hugetlbfs, with the size of their pages.
    devices: HashMap<(u32, u32), Option<u64>>,
    /// Addresses (of 4 KiB pages) that were not found, and when.
    missing: HashMap<u64, Nanos>,
}

/// A hugepage of some process.
#[derive(Clone, Copy, Debug)]
struct Page {
    process: u32,
    area: Area,
    /// In the file.
    offset: u64,
    size: u64,
}

impl PhysicalMemory {
    /// Nothing yet.
    ///
    /// # Errors
    ///
    /// The system gives no address space, or hides pagemap from this process.
    pub fn new() -> io::Result<Self> {
        Ok(PhysicalMemory {
            window: Window::reserve()?,
            pagemap: File::open("/proc/self/pagemap")?,
            known: RefCell::default(),
            present: (0..LIMIT / Grid::UNIT / 64).map(|_| AtomicU64::new(0)).collect(),
        })
    }

    /// Maps the hugepage around `address`, if it is known, and is still there.
    fn take(&self, known: &mut Known, address: u64) -> Option<()> {
        let start =
            known.sizes.iter().map(|size| address & !(size - 1)).find(|at| known.pages.contains_key(at))?;
        let page = known.pages[&start];
        if self.map(start, &page).is_err() || self.frame_at(self.window.at(start)) != Some(start) {
            known.pages.remove(&start);
            // Whatever was mapped there is not what was asked for.
            let _ = self.window.clear(start, page.size);
            return None;
        }
        known.insert_run(start, page.size);
        // Of smaller pages than those of the grid, none is in it. A hugepage lies at a multiple of its size.
        let units = page.size / Grid::UNIT;
        for unit in (start / Grid::UNIT..).take(units as usize) {
            self.present[unit as usize / 64].fetch_or(1 << (unit % 64), Ordering::Relaxed);
        }
        Some(())
    }

    fn map(&self, start: u64, page: &Page) -> io::Result<()> {
        let Page { process, area, offset, size } = *page;
        let path = format!("/proc/{process}/map_files/{:x}-{:x}", area.start, area.end);
        let file = open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        self.window.map(start, size, &file, offset)
    }

    /// Physical address of the page at `pointer`.
    fn frame_at(&self, pointer: *mut u8) -> Option<u64> {
        frame(&self.pagemap, pointer as u64)
    }
}

/// Physical address of the page at `address` of the process that `pagemap` belongs to; `None` if it is not in memory.
fn frame(pagemap: &File, address: u64) -> Option<u64> {
    let mut entry = [0; 8];
    pagemap.read_exact_at(&mut entry, address / PAGE * 8).ok()?;
    let entry = u64::from_ne_bytes(entry);
    (entry & PRESENT != 0 && entry & FRAME != 0).then_some((entry & FRAME) * PAGE)
}

impl Known {
    fn run(&self, address: u64) -> Option<(u64, u64)> {
        let (start, size) = self.runs.range(..=address).next_back()?;
        (address - start < *size).then_some((*start, *size))
    }

    /// Adds a page, joined with its neighbours.
    fn insert_run(&mut self, mut start: u64, mut size: u64) {
        if let Some((before, bytes)) = start.checked_sub(1).and_then(|last| self.run(last)) {
            (start, size) = (before, bytes + size);
        }
        if let Some(after) = self.runs.remove(&(start + size)) {
            size += after;
        }
        self.runs.insert(start, size);
    }

    /// Looks at every hugepage of every process of the namespace.
    fn look_around(&mut self) {
        self.pages.clear();
        for process in companions() {
            let Ok(pagemap) = File::open(format!("/proc/{process}/pagemap")) else { continue };
            for area in areas(process).into_iter().filter(|area| area.shared) {
                if let Some(size) = self.page_size(process, &area) {
                    self.look_at(process, &pagemap, area, size);
                }
            }
        }
    }

    fn look_at(&mut self, process: u32, pagemap: &File, area: Area, size: u64) {
        self.sizes.insert(size);
        for address in (area.start..area.end).step_by(size as usize) {
            if let Some(start) = frame(pagemap, address) {
                let offset = area.offset + (address - area.start);
                self.pages.insert(start, Page { process, area, offset, size });
            }
        }
    }

    /// Size of the pages of the file system that `area` is a file of; `None` if it has no hugepages.
    fn page_size(&mut self, process: u32, area: &Area) -> Option<u64> {
        if let Some(size) = self.devices.get(&area.device) {
            return *size;
        }
        // If this fails, the process has just ended, which says nothing of the file system.
        let path = format!("/proc/{process}/map_files/{:x}-{:x}", area.start, area.end);
        let file = open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let about = fstatfs(&file).ok()?;
        let size = (about.f_type as u64 == HUGETLBFS).then_some(about.f_bsize as u64);
        self.devices.insert(area.device, size);
        size
    }
}

// SAFETY: a run is joined from pages that were mapped, readable and writable, at their place in the window, and nothing is
// taken out of the window before `forget`.
unsafe impl Backing for PhysicalMemory {
    fn locate(&self, iova: u64) -> Option<Run> {
        let mut known = self.known.borrow_mut();
        if known.run(iova).is_none() && self.take(&mut known, iova).is_none() {
            let now = Nanos::now();
            let recent = |then: &Nanos| now.since(*then) < PATIENCE_NS;
            if iova >= LIMIT || known.missing.get(&(iova / PAGE)).is_some_and(recent) {
                return None;
            }
            known.look_around();
            if self.take(&mut known, iova).is_none() {
                known.missing.retain(|_, then| recent(then));
                known.missing.insert(iova / PAGE, now);
                return None;
            }
        }
        let (start, size) = known.run(iova)?;
        Some(Run { iova: start, size, base: self.window.at(start) })
    }

    fn grid(&self) -> Option<Grid> {
        let pages = LIMIT / Grid::UNIT;
        Some(Grid { base: self.window.at(0), present: self.present.as_ptr(), pages })
    }

    fn forget(&mut self) {
        self.present.iter_mut().for_each(|word| *word.get_mut() = 0);
        let known = std::mem::take(&mut *self.known.borrow_mut());
        for (start, size) in known.runs {
            // Address space that cannot be emptied keeps the driver's pages; nothing is done with them.
            let _ = self.window.clear(start, size);
        }
    }
}

impl Window {
    fn reserve() -> io::Result<Self> {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice replaces nothing.
        let reserved = unsafe {
            mmap_anonymous(ptr::null_mut(), (LIMIT + LARGEST) as usize, ProtFlags::empty(), flags)?
        };
        let lead = (reserved as usize).next_multiple_of(LARGEST as usize) - reserved as usize;
        // SAFETY: `lead` is less than LARGEST, which was reserved on top.
        let base = unsafe { reserved.cast::<u8>().add(lead) };
        Ok(Window { reserved, base })
    }

    /// Where the physical address, which is below [`LIMIT`], lies.
    fn at(&self, address: u64) -> *mut u8 {
        // SAFETY: LIMIT bytes from `base` on are reserved.
        unsafe { self.base.add(address.min(LIMIT) as usize) }
    }

    fn inside(start: u64, size: u64) -> io::Result<()> {
        let end = start.checked_add(size).filter(|end| *end <= LIMIT);
        end.map(|_| ()).ok_or_else(|| io::Error::other("the address is beyond what is looked for"))
    }

    fn map(&self, start: u64, size: u64, file: &OwnedFd, offset: u64) -> io::Result<()> {
        Window::inside(start, size)?;
        let flags = MapFlags::SHARED | MapFlags::FIXED | MapFlags::POPULATE;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: inside of the reservation, where nothing is mapped that anybody uses: a page is mapped only once, before
        // a run has it.
        unsafe { mmap(self.at(start).cast(), size as usize, access, flags, file, offset)? };
        Ok(())
    }

    /// Makes a part of the window empty again.
    fn clear(&self, start: u64, size: u64) -> io::Result<()> {
        Window::inside(start, size)?;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        // SAFETY: inside of the reservation; who calls this has forgotten the run.
        unsafe { mmap_anonymous(self.at(start).cast(), size as usize, ProtFlags::empty(), flags)? };
        Ok(())
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: reserved in `reserve`, with all that was mapped in it since; runs of it are not used any more.
        let _ = unsafe { munmap(self.reserved, (LIMIT + LARGEST) as usize) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_one_run() {
        let mut known = Known::default();
        for page in [4, 1, 2, 5, 3] {
            known.insert_run(page * 0x20_0000, 0x20_0000);
        }
        assert_eq!(known.runs, BTreeMap::from([(0x20_0000, 5 * 0x20_0000)]));
        assert_eq!(known.run(0xBF_FFFF), Some((0x20_0000, 0xA0_0000)));
        assert_eq!((known.run(0xC0_0000), known.run(0x1F_FFFF)), (None, None));
    }
}

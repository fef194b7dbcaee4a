//! A kernel with VFIO and iommufd, for tests: it checks what it is asked, remembers it, and refuses what it is told to.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use rustix::event::EventfdFlags;
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, Result};

use super::Session;
use super::kernel::Kernel;
use crate::bus::bytes::{put, u32_at, u64_at};
use crate::bus::tree::{BAR_BYTES, Tree};
use crate::bus::wire::{
    attach_iommufd_pt, cap_header, dma_unmap, group_flags, group_status, ioas_alloc, ioas_map, ioas_unmap,
    ioctl, iommu, iommu_ioctl, irq, irq_info, irq_set, region, region_cap, region_flags, region_info,
    sparse_area, sparse_mmap, type1_dma_map,
};

/// Of BAR 0 in the device's file; the real kernel has another, and says so as well.
const BAR_OFFSET: u64 = 0x10_0000;
/// Of the only address space.
const SPACE: u32 = 5;

/// What happened, and what is to happen.
#[derive(Default)]
pub(crate) struct State {
    /// End of a path, and what opening it says.
    pub(crate) refuse: Vec<(&'static str, Errno)>,
    pub(crate) refuse_call: Vec<(u32, Errno)>,
    pub(crate) not_viable: bool,
    pub(crate) version: u32,
    pub(crate) no_iommu: bool,
    /// BAR 0 may only be mapped in these areas.
    pub(crate) sparse: Vec<(u64, u64)>,
    /// Address in the process, IOVA, bytes.
    pub(crate) maps: Vec<(u64, u64, u64)>,
    pub(crate) containers: usize,
    pub(crate) spaces: usize,
    pub(crate) resets: usize,
    /// MSI-X vectors that are bound.
    pub(crate) vectors: u32,
    /// The eventfd by which the host asks for the function.
    pub(crate) request: Option<OwnedFd>,
}

pub(crate) struct FakeKernel {
    root: PathBuf,
    state: Mutex<State>,
}

impl FakeKernel {
    pub(crate) fn new(tree: &Tree) -> Arc<FakeKernel> {
        tree.write("vfio/vfio", "");
        tree.make_device("device", BAR_OFFSET + BAR_BYTES);
        Arc::new(FakeKernel { root: tree.as_ref().into(), state: Mutex::default() })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn session(self: &Arc<FakeKernel>) -> Arc<Session> {
        Session::new(self.clone(), self.root.join("vfio"), self.root.join("iommu"))
    }

    /// The device's BAR 0, for whoever plays the card.
    pub(crate) fn card(&self) -> crate::mmio::Window {
        let file = std::fs::File::options().read(true).write(true).open(self.root.join("device")).unwrap();
        crate::mmio::Window::map(file.as_fd(), BAR_OFFSET, 0, BAR_BYTES as u32).unwrap()
    }

    fn refusal(&self, path: &Path) -> Option<Errno> {
        let path = path.to_str().unwrap();
        let state = self.state();
        state.refuse.iter().find(|(end, _)| path.ends_with(end)).map(|(_, errno)| *errno)
    }

    fn refused_call(&self, call: u32) -> Result<()> {
        let state = self.state();
        let refused = state.refuse_call.iter().find(|(refused, _)| *refused == call);
        refused.map_or(Ok(()), |(_, errno)| Err(*errno))
    }

    fn map(&self, vaddr: u64, iova: u64, bytes: u64) -> Result<u32> {
        let mut state = self.state();
        let overlaps = |&(_, at, length): &(u64, u64, u64)| iova < at + length && at < iova + bytes;
        if !(vaddr | iova | bytes).is_multiple_of(4096) || bytes == 0 {
            return Err(Errno::INVAL);
        }
        if state.maps.iter().any(overlaps) {
            return Err(Errno::EXIST);
        }
        state.maps.push((vaddr, iova, bytes));
        Ok(0)
    }

    fn unmap(&self, iova: u64, bytes: u64) -> Result<u32> {
        let mut state = self.state();
        let at = state.maps.iter().position(|map| (map.1, map.2) == (iova, bytes)).ok_or(Errno::NOENT)?;
        state.maps.swap_remove(at);
        Ok(0)
    }

    fn region(&self, record: &mut [u8]) -> Result<u32> {
        let (flags, size, offset) = match u32_at(record, region_info::INDEX) {
            region::BAR0 => {
                (region_flags::READ | region_flags::WRITE | region_flags::MMAP, BAR_BYTES, BAR_OFFSET)
            }
            region::CONFIG => (region_flags::READ | region_flags::WRITE, 256, 0),
            region::VGA => return Err(Errno::INVAL),
            _ => (0, 0, 0),
        };
        put(record, region_info::FLAGS, &flags.to_ne_bytes());
        put(record, region_info::SIZE, &size.to_ne_bytes());
        put(record, region_info::OFFSET, &offset.to_ne_bytes());
        let areas = self.state().sparse.clone();
        if size == BAR_BYTES && !areas.is_empty() {
            let at = region_info::BYTES;
            put(record, region_info::FLAGS, &(flags | region_flags::CAPS).to_ne_bytes());
            put(record, region_info::CAP_OFFSET, &(at as u32).to_ne_bytes());
            put(record, at + cap_header::ID, &region_cap::SPARSE_MMAP.to_ne_bytes());
            put(record, at + sparse_mmap::NR_AREAS, &(areas.len() as u32).to_ne_bytes());
            for (index, (offset, size)) in areas.iter().enumerate() {
                let at = at + sparse_mmap::BYTES + index * sparse_area::BYTES;
                put(record, at + sparse_area::OFFSET, &offset.to_ne_bytes());
                put(record, at + sparse_area::SIZE, &size.to_ne_bytes());
            }
        }
        Ok(0)
    }

    fn set_irqs(&self, record: &[u8]) -> Result<u32> {
        let count = u32_at(record, irq_set::COUNT);
        if record.len() != irq_set::BYTES + 4 * count as usize {
            return Err(Errno::INVAL);
        }
        let mut state = self.state();
        match u32_at(record, irq_set::INDEX) {
            irq::MSIX if count <= 64 => state.vectors = count,
            irq::REQ if count == 1 => {
                // Another descriptor for the same eventfd, as the kernel has one.
                let number = u32_at(record, irq_set::BYTES);
                let path = format!("/proc/self/fd/{number}");
                assert!(std::fs::read_link(path).unwrap().to_string_lossy().contains("eventfd"));
                state.request = Some(duplicate(number));
            }
            _ => return Err(Errno::INVAL),
        }
        Ok(0)
    }
}

/// A copy of a descriptor that is known by its number only, as the kernel knows it.
fn duplicate(number: u32) -> OwnedFd {
    let pid = rustix::process::getpid();
    let process = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).unwrap();
    let flags = rustix::process::PidfdGetfdFlags::empty();
    rustix::process::pidfd_getfd(&process, number as i32, flags).unwrap()
}

impl Kernel for FakeKernel {
    fn may_open(&self, path: &Path) -> bool {
        path.exists() && self.refusal(path).is_none()
    }

    fn open(&self, path: &Path) -> Result<OwnedFd> {
        if let Some(errno) = self.refusal(path) {
            return Err(errno);
        }
        let node = path.parent().is_some_and(|parent| parent.ends_with("devices"));
        let path = if node { &self.root.join("device") } else { path };
        rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
    }

    fn tell(&self, _file: BorrowedFd<'_>, call: u32, argument: u32) -> Result<u32> {
        self.refused_call(call)?;
        let mut state = self.state();
        match (call, argument) {
            (ioctl::GET_API_VERSION, 0) => Ok(state.version),
            (ioctl::CHECK_EXTENSION, iommu::TYPE1V2) => Ok(u32::from(!state.no_iommu)),
            (ioctl::SET_IOMMU, iommu::TYPE1V2) => {
                state.spaces += 1;
                Ok(0)
            }
            (ioctl::DEVICE_RESET, 0) => {
                state.resets += 1;
                Ok(0)
            }
            _ => Err(Errno::NOTTY),
        }
    }

    fn exchange(&self, _file: BorrowedFd<'_>, call: u32, record: &mut [u8]) -> Result<u32> {
        assert_eq!(u32_at(record, 0) as usize, record.len(), "{call:#x}");
        self.refused_call(call)?;
        match call {
            ioctl::GROUP_GET_STATUS => {
                let flags = if self.state().not_viable { 0 } else { group_flags::VIABLE };
                put(record, group_status::FLAGS, &flags.to_ne_bytes());
                Ok(0)
            }
            ioctl::DEVICE_GET_REGION_INFO => self.region(record),
            ioctl::DEVICE_GET_IRQ_INFO => {
                put(record, irq_info::COUNT, &64u32.to_ne_bytes());
                Ok(0)
            }
            ioctl::DEVICE_SET_IRQS => self.set_irqs(record),
            ioctl::IOMMU_MAP_DMA if u32_at(record, type1_dma_map::FLAGS) == 3 => self.map(
                u64_at(record, type1_dma_map::VADDR),
                u64_at(record, type1_dma_map::IOVA),
                u64_at(record, type1_dma_map::SIZE),
            ),
            ioctl::IOMMU_UNMAP_DMA => {
                self.unmap(u64_at(record, dma_unmap::IOVA), u64_at(record, dma_unmap::SIZE))
            }
            ioctl::DEVICE_BIND_IOMMUFD => Ok(0),
            ioctl::DEVICE_ATTACH_IOMMUFD_PT if u32_at(record, attach_iommufd_pt::PT_ID) == SPACE => Ok(0),
            iommu_ioctl::IOAS_ALLOC => {
                self.state().spaces += 1;
                put(record, ioas_alloc::OUT_IOAS_ID, &SPACE.to_ne_bytes());
                Ok(0)
            }
            iommu_ioctl::IOAS_MAP
                if (u32_at(record, ioas_map::FLAGS), u32_at(record, ioas_map::IOAS_ID)) == (7, SPACE) =>
            {
                self.map(
                    u64_at(record, ioas_map::USER_VA),
                    u64_at(record, ioas_map::IOVA),
                    u64_at(record, ioas_map::LENGTH),
                )
            }
            iommu_ioctl::IOAS_UNMAP if u32_at(record, ioas_unmap::IOAS_ID) == SPACE => {
                self.unmap(u64_at(record, ioas_unmap::IOVA), u64_at(record, ioas_unmap::LENGTH))
            }
            _ => Err(Errno::INVAL),
        }
    }

    fn enter(&self, _group: BorrowedFd<'_>, _container: BorrowedFd<'_>) -> Result<()> {
        self.refused_call(ioctl::GROUP_SET_CONTAINER)?;
        self.state().containers += 1;
        Ok(())
    }

    fn device(&self, _group: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd> {
        self.refused_call(ioctl::GROUP_GET_DEVICE_FD)?;
        assert!(name.to_str().unwrap().starts_with("0000:03:00."));
        rustix::fs::open(self.root.join("device"), OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
    }
}

/// An eventfd that nobody has signalled yet.
pub(crate) fn event() -> OwnedFd {
    rustix::event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).unwrap()
}

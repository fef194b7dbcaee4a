// bus/vfio · Linux ABI: linux/vfio.h, linux/iommufd.h
// A trait of six system calls is the only unsafe part; groups, address spaces and the device itself are values that close
// themselves in the right order.

//! Kernel VFIO: a PCI function bound to vfio-pci, without root once its node is ours, and with an IOMMU that keeps the
//! card within the DMA memory.
//!
//! ```text
//!   group:   /dev/vfio/vfio ─ version, TYPE1v2 ─ /dev/vfio/GROUP ─ viable? ─ SET_CONTAINER ─ SET_IOMMU ─ GET_DEVICE_FD
//!   node:    /dev/vfio/devices/vfioN ─ /dev/iommu ─ BIND_IOMMUFD ─ IOAS_ALLOC ─ ATTACH_IOMMUFD_PT
//! ```
//!
//! The node is taken where the kernel has it and both files may be opened, else the group. All devices of a process
//! that came by the same path share one IO address space. BAR 0 is mapped; config space, which the kernel filters, is
//! read and written.

#[cfg(test)]
pub(crate) mod fake;
mod group;
mod iommufd;
mod kernel;
mod session;
mod space;
#[cfg(test)]
pub(crate) mod tests;

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::bytes::{put, u32_at, u64_at};
use super::pci::PciFunction;
use super::region;
use super::wire::{ioctl, irq, irq_info, irq_set, irq_set_flags, region_info};
use super::{Function, Way, check_vectors, covering};
use crate::dma::DmaMemory;
use crate::error::{Error, Result};
use crate::mmio::Window;
use kernel::Record;
pub(crate) use session::Session;
use session::{Membership, lock};

/// Regions of a PCI function: six BARs, ROM, configuration space, VGA.
const REGIONS: u32 = super::wire::region::COUNT;

/// Space for what is said of a region: capabilities follow.
const ANSWER_BYTES: usize = 4096;

/// One region: where it is in the device's file.
struct Region {
    size: u64,
    offset: u64,
    windows: Vec<Arc<Window>>,
}

/// A function that is reached by kernel VFIO.
pub struct Vfio {
    // In the order in which they are to go: mappings, device, group or address space.
    regions: Vec<Region>,
    device: OwnedFd,
    membership: Membership,
    name: String,
    /// Signalled when the host wants the function back.
    wanted_back: OwnedFd,
    mapped: Mutex<Vec<DmaMemory>>,
}

impl Vfio {
    /// Opens a function that is bound to vfio-pci.
    ///
    /// # Errors
    /// [`Error::PermissionDenied`] if its nodes may not be opened or somebody else has it, [`Error::Unsupported`] if
    /// there is no IOMMU or the kernel has no VFIO.
    pub(crate) fn open(session: &Arc<Session>, function: &PciFunction) -> Result<Vfio> {
        let name = function.name().to_owned();
        let (device, membership) = session::join(session, function)?;
        let events = rustix::event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK);
        let wanted_back =
            events.map_err(|errno| Error::DeviceFailed(format!("{name}: making an eventfd: {errno}")))?;
        let mut vfio =
            Vfio { regions: Vec::new(), device, membership, name, wanted_back, mapped: Mutex::default() };
        vfio.regions = (0..REGIONS).map(|index| vfio.region(index)).collect::<Result<_>>()?;
        // Kernels from before this kind of interrupt, and devices without it, can do without.
        let _ = vfio.bind(irq::REQ, 0, &[vfio.wanted_back.as_fd()]);
        Ok(vfio)
    }

    fn call(&self, doing: &str, call: u32, record: &mut [u8]) -> Result<()> {
        let done = self.membership.session.kernel.exchange(self.device.as_fd(), call, record);
        done.map(|_| ()).map_err(|errno| self.failed(doing, errno))
    }

    fn failed(&self, doing: &str, errno: Errno) -> Error {
        Error::DeviceFailed(format!("{}: {doing}: {errno}", self.name))
    }

    /// Asks for a region and maps what may be mapped. A region that the function does not have is empty.
    fn region(&self, index: u32) -> Result<Region> {
        let mut answer = Record::<ANSWER_BYTES>::new().with(region_info::INDEX, index);
        let kernel = &self.membership.session.kernel;
        match kernel.exchange(self.device.as_fd(), ioctl::DEVICE_GET_REGION_INFO, &mut answer.0) {
            Err(Errno::INVAL) => return Ok(Region { size: 0, offset: 0, windows: Vec::new() }),
            other => other.map_err(|errno| self.failed("asking for a region", errno))?,
        };
        let windows = region::windows(&answer.0, self.device.as_fd()).map(|window| window.map(Arc::new));
        Ok(Region {
            size: u64_at(&answer.0, region_info::SIZE),
            offset: u64_at(&answer.0, region_info::OFFSET),
            windows: windows.collect::<Result<_>>()?,
        })
    }

    /// Where `bytes` bytes at `offset` of a region are in the device's file.
    fn place(&self, region: u32, offset: u64, bytes: usize) -> Result<u64> {
        let found = self.regions.get(region as usize).and_then(|region| {
            let end = offset.checked_add(bytes as u64).filter(|end| *end <= region.size);
            end.and_then(|_| region.offset.checked_add(offset))
        });
        let outside = || format!("{}: {bytes} bytes at {offset:#x} of region {region}, outside", self.name);
        found.ok_or_else(|| Error::DeviceFailed(outside()))
    }

    fn window(&self, region: u32, offset: u64, bytes: usize) -> Option<&Window> {
        covering(&self.regions.get(region as usize)?.windows, offset, bytes)
    }

    /// Has vectors of one interrupt kind signalled by `events`; with none, turns all of them off.
    fn bind(&self, kind: u32, first: u32, events: &[BorrowedFd<'_>]) -> Result<()> {
        let data = if events.is_empty() { irq_set_flags::DATA_NONE } else { irq_set_flags::DATA_EVENTFD };
        let mut ask = vec![0; irq_set::BYTES + 4 * events.len()];
        let size = ask.len() as u32;
        put(&mut ask, irq_set::ARGSZ, &size.to_ne_bytes());
        put(&mut ask, irq_set::FLAGS, &(data | irq_set_flags::ACTION_TRIGGER).to_ne_bytes());
        put(&mut ask, irq_set::INDEX, &kind.to_ne_bytes());
        put(&mut ask, irq_set::START, &first.to_ne_bytes());
        put(&mut ask, irq_set::COUNT, &(events.len() as u32).to_ne_bytes());
        for (index, event) in events.iter().enumerate() {
            put(&mut ask, irq_set::BYTES + 4 * index, &event.as_raw_fd().to_ne_bytes());
        }
        self.call("binding interrupts", ioctl::DEVICE_SET_IRQS, &mut ask)
    }
}

impl Function for Vfio {
    fn way(&self) -> Way {
        Way::Vfio
    }

    fn address(&self) -> &str {
        &self.name
    }

    fn size(&self, region: u32) -> u64 {
        self.regions.get(region as usize).map_or(0, |region| region.size)
    }

    fn windows(&self, region: u32) -> Vec<Arc<Window>> {
        self.regions.get(region as usize).map_or(Vec::new(), |region| region.windows.clone())
    }

    /// A mapped register by a load, whose effects are those of the card; anything else by the kernel.
    fn read(&self, region: u32, offset: u64, bytes: &mut [u8]) -> Result<()> {
        if let Some(window) = self.window(region, offset, bytes.len()) {
            bytes.copy_from_slice(&window.load(offset as u32).to_le_bytes());
            return Ok(());
        }
        let place = self.place(region, offset, bytes.len())?;
        let got = rustix::io::pread(&self.device, &mut *bytes, place);
        if got == Ok(bytes.len()) {
            Ok(())
        } else {
            Err(self.failed("reading", got.err().unwrap_or(Errno::IO)))
        }
    }

    fn write(&self, region: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        if let (Some(window), Ok(word)) = (self.window(region, offset, bytes.len()), bytes.try_into()) {
            window.store(offset as u32, u32::from_le_bytes(word));
            return Ok(());
        }
        let place = self.place(region, offset, bytes.len())?;
        let put = rustix::io::pwrite(&self.device, bytes, place);
        if put == Ok(bytes.len()) {
            Ok(())
        } else {
            Err(self.failed("writing", put.err().unwrap_or(Errno::IO)))
        }
    }

    fn map_dma(&self, memory: &DmaMemory) -> Result<()> {
        self.membership.space.map(&self.name, memory)?;
        lock(&self.mapped).push(memory.clone());
        Ok(())
    }

    fn unmap_dma(&self, memory: &DmaMemory) -> Result<()> {
        let mut mapped = lock(&self.mapped);
        let Some(at) = mapped.iter().position(|known| known.is_same(memory)) else { return Ok(()) };
        mapped.swap_remove(at);
        self.membership.space.unmap(&self.name, memory)
    }

    fn vectors(&self) -> Result<u32> {
        let mut ask = Record::<{ irq_info::BYTES }>::new().with(irq_info::INDEX, irq::MSIX);
        self.call("asking for interrupts", ioctl::DEVICE_GET_IRQ_INFO, &mut ask.0)?;
        Ok(u32_at(&ask.0, irq_info::COUNT))
    }

    fn bind_vectors(&self, first: u32, events: &[BorrowedFd<'_>]) -> Result<()> {
        check_vectors(self.vectors()?, first, events.len())?;
        if events.is_empty() { Ok(()) } else { self.bind(irq::MSIX, first, events) }
    }

    fn unbind_vectors(&self) -> Result<()> {
        self.bind(irq::MSIX, 0, &[])
    }

    fn reset(&self) -> Result<()> {
        let kernel = &self.membership.session.kernel;
        match kernel.tell(self.device.as_fd(), ioctl::DEVICE_RESET, 0) {
            Err(Errno::NOTTY | Errno::INVAL) => {
                Err(Error::Unsupported(format!("{}: a reset by the bus", self.name)))
            }
            other => other.map(|_| ()).map_err(|errno| self.failed("the reset", errno)),
        }
    }

    fn check(&self) -> Result<()> {
        let mut fds = [PollFd::new(&self.wanted_back, PollFlags::IN)];
        if rustix::event::poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) == Ok(1) {
            let why = "the host wants it back: it is being unbound or removed";
            return Err(Error::DeviceFailed(format!("{}: {why}", self.name)));
        }
        super::check_presence(self)
    }
}

impl Drop for Vfio {
    fn drop(&mut self) {
        // Other devices may go on in the same address space.
        for memory in std::mem::take(&mut *lock(&self.mapped)) {
            let _ = self.membership.space.unmap(&self.name, &memory);
        }
    }
}

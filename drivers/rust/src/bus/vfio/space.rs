//! IO address spaces: which memory devices see, and at which addresses.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;

use super::kernel::{Kernel, Record};
use crate::bus::wire::{
    dma_flags, dma_unmap, ioas_map, ioas_map_flags, ioas_unmap, ioctl, iommu_ioctl, type1_dma_map,
};
use crate::dma::{DmaMemory, Run, memlock_limit};
use crate::error::{Error, Result};

/// An address space that all devices of this process share which came to it in the same way. Memory is pinned, and
/// charged to the limit of locked memory, once.
pub(super) struct Space {
    kernel: Arc<dyn Kernel>,
    kind: Kind,
    mapped: Mutex<Vec<Mapped>>,
}

/// What the kernel calls it.
pub(super) enum Kind {
    /// A container with groups in it.
    Container(OwnedFd),
    /// An address space of iommufd, by its number.
    Iommufd(OwnedFd, u32),
}

struct Mapped {
    memory: DmaMemory,
    users: usize,
}

impl Space {
    pub(super) fn new(kernel: Arc<dyn Kernel>, kind: Kind) -> Arc<Space> {
        Arc::new(Space { kernel, kind, mapped: Mutex::default() })
    }

    /// What the kernel calls it.
    pub(super) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Maps the memory, unless another device has done so. `name` is for the message.
    pub(super) fn map(&self, name: &str, memory: &DmaMemory) -> Result<()> {
        let mut mapped = self.mapped();
        if let Some(known) = mapped.iter_mut().find(|known| known.memory.is_same(memory)) {
            known.users += 1;
            return Ok(());
        }
        let runs = memory.runs();
        for (index, run) in runs.iter().enumerate() {
            if let Err(errno) = self.map_run(memory, run) {
                for run in &runs[..index] {
                    let _ = self.unmap_run(run);
                }
                return Err(refused(name, memory, run, errno));
            }
        }
        mapped.push(Mapped { memory: memory.clone(), users: 1 });
        Ok(())
    }

    /// Unmaps it after its last user.
    pub(super) fn unmap(&self, name: &str, memory: &DmaMemory) -> Result<()> {
        let mut mapped = self.mapped();
        let Some(at) = mapped.iter().position(|known| known.memory.is_same(memory)) else { return Ok(()) };
        mapped[at].users -= 1;
        if mapped[at].users > 0 {
            return Ok(());
        }
        let failed = |errno| Error::DeviceFailed(format!("{name}: unmapping DMA memory: {errno}"));
        let results: Vec<_> = memory.runs().iter().map(|run| self.unmap_run(run)).collect();
        mapped.swap_remove(at);
        results.into_iter().collect::<rustix::io::Result<()>>().map_err(failed)
    }

    fn map_run(&self, memory: &DmaMemory, run: &Run) -> rustix::io::Result<()> {
        let address = (memory.address() + run.offset) as u64;
        match &self.kind {
            Kind::Container(file) => {
                let mut record = Record::<{ type1_dma_map::BYTES }>::new()
                    .with(type1_dma_map::FLAGS, dma_flags::READ | dma_flags::WRITE)
                    .with_u64(type1_dma_map::VADDR, address)
                    .with_u64(type1_dma_map::IOVA, run.iova)
                    .with_u64(type1_dma_map::SIZE, run.bytes as u64);
                self.kernel.exchange(file.as_fd(), ioctl::IOMMU_MAP_DMA, &mut record.0)
            }
            Kind::Iommufd(file, number) => {
                let rights = ioas_map_flags::READABLE | ioas_map_flags::WRITEABLE;
                let mut record = Record::<{ ioas_map::BYTES }>::new()
                    .with(ioas_map::FLAGS, ioas_map_flags::FIXED_IOVA | rights)
                    .with(ioas_map::IOAS_ID, *number)
                    .with_u64(ioas_map::USER_VA, address)
                    .with_u64(ioas_map::LENGTH, run.bytes as u64)
                    .with_u64(ioas_map::IOVA, run.iova);
                self.kernel.exchange(file.as_fd(), iommu_ioctl::IOAS_MAP, &mut record.0)
            }
        }
        .map(|_| ())
    }

    fn unmap_run(&self, run: &Run) -> rustix::io::Result<()> {
        match &self.kind {
            Kind::Container(file) => {
                let mut record = Record::<{ dma_unmap::BYTES }>::new()
                    .with_u64(dma_unmap::IOVA, run.iova)
                    .with_u64(dma_unmap::SIZE, run.bytes as u64);
                self.kernel.exchange(file.as_fd(), ioctl::IOMMU_UNMAP_DMA, &mut record.0)
            }
            Kind::Iommufd(file, number) => {
                let mut record = Record::<{ ioas_unmap::BYTES }>::new()
                    .with(ioas_unmap::IOAS_ID, *number)
                    .with_u64(ioas_unmap::IOVA, run.iova)
                    .with_u64(ioas_unmap::LENGTH, run.bytes as u64);
                self.kernel.exchange(file.as_fd(), iommu_ioctl::IOAS_UNMAP, &mut record.0)
            }
        }
        .map(|_| ())
    }

    fn mapped(&self) -> MutexGuard<'_, Vec<Mapped>> {
        self.mapped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a refused mapping means to the user.
fn refused(name: &str, memory: &DmaMemory, run: &Run, errno: Errno) -> Error {
    match errno {
        Errno::NOMEM => Error::OutOfMemory(format!(
            "{name}: cannot pin {} MiB of DMA memory, the limit of locked memory is {}; \
             `ulimit -l unlimited`, or memlock in /etc/security/limits.conf",
            memory.len().div_ceil(1 << 20),
            memlock_limit()
        )),
        Errno::EXIST => Error::Unsupported(format!(
            "{name}: another DMA memory is mapped there; devices of one process share one"
        )),
        other => Error::DeviceFailed(format!("{name}: mapping DMA memory at {:#x}: {other}", run.iova)),
    }
}

//! Making a memory: of ordinary pages, or of hugepages where a device wants them.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rustix::fs::MemfdFlags;
use rustix::mm::MapFlags;

use super::address::EXTENT;
use super::huge::{self, Huge};
use super::mapping::{Mapping, sealed_file};
use super::ranges::FreeRanges;
use super::{DmaMemory, NEXT_NUMBER, PAGE, SLOT_STRIDE, Shared};
use crate::error::{Error, Result};
use crate::packet::Pools;

impl DmaMemory {
    /// Makes a memory of at least `bytes` bytes (rounded up to pages). Pages take no RAM until they are used.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system does not give that much.
    pub fn new(bytes: usize) -> Result<DmaMemory> {
        let length = rounded(bytes, PAGE)?;
        let file = sealed_file(length as u64, MemfdFlags::empty()).map_err(|errno| refused(bytes, &errno))?;
        let mapping = Mapping::new(file.as_fd(), length, MapFlags::empty());
        let mapping = mapping.map_err(|errno| refused(bytes, &errno))?;
        DmaMemory::of(mapping, file, Box::default())
    }

    /// Makes a memory of at least `bytes` bytes in hugepages, for devices that are reached without an IOMMU and are
    /// given physical addresses. Devices that are reached in other ways can use it as well.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there are too few free hugepages or they may not be locked,
    /// [`Error::PermissionDenied`] if the kernel does not tell their addresses, [`Error::Unsupported`] if it has none.
    pub fn huge(bytes: usize) -> Result<DmaMemory> {
        DmaMemory::huge_from(&huge::Linux, bytes)
    }

    /// Makes the memory that the devices at these addresses need: of hugepages if one of them is reached over sysfs.
    ///
    /// # Errors
    /// Those of [`DmaMemory::new`] and [`DmaMemory::huge`]; and those of [`bus::open`](crate::bus::open) for a PCI
    /// address, since they are better known before hugepages are looked for.
    pub fn for_devices(addresses: &[&str], bytes: usize) -> Result<DmaMemory> {
        let mut huge = false;
        for address in addresses {
            huge |= crate::bus::wants_hugepages(address)?;
        }
        if huge { DmaMemory::huge(bytes) } else { DmaMemory::new(bytes) }
    }

    pub(super) fn huge_from(kernel: &dyn huge::Kernel, bytes: usize) -> Result<DmaMemory> {
        let Huge { mapping, file, extents } = Huge::new(kernel, rounded(bytes, EXTENT)?)?;
        DmaMemory::of(mapping, file, extents)
    }

    /// A memory that believes to be of hugepages, at made up addresses.
    #[cfg(test)]
    pub(crate) fn fake_huge(bytes: usize) -> DmaMemory {
        DmaMemory::huge_from(&huge::tests::Fake::default(), bytes).unwrap()
    }

    fn of(mapping: Mapping, file: OwnedFd, extents: Box<[u64]>) -> Result<DmaMemory> {
        let length = mapping.length;
        let slots = u32::try_from(length / SLOT_STRIDE).map_err(|_| refused(length, &"too large"))?;
        let first_number = NEXT_NUMBER
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_add(slots))
            .map_err(|_| refused(length, &"this process has used up all slot numbers"))?;
        let marks = (0..slots).map(|_| AtomicU64::new(0)).collect();
        Ok(DmaMemory(Arc::new(Shared {
            mapping,
            file,
            extents,
            first_number,
            marks,
            free: Mutex::new(FreeRanges::new(length)),
            pools: Pools::default(),
        })))
    }
}

fn refused(bytes: usize, why: &dyn std::fmt::Display) -> Error {
    Error::OutOfMemory(format!("the system gives no {bytes} bytes of shared memory: {why}"))
}

/// `bytes` in whole units, at least one.
fn rounded(bytes: usize, unit: usize) -> Result<usize> {
    bytes.max(1).checked_next_multiple_of(unit).ok_or_else(|| refused(bytes, &"too large"))
}

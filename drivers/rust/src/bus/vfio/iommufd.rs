//! A device node and iommufd: VFIO since Linux 6.6. Closing the device undoes bind and attach.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use super::Session;
use super::kernel::Record;
use super::space::{Kind, Space};
use crate::bus::bytes::u32_at;
use crate::bus::pci::PciFunction;
use crate::bus::wire::{attach_iommufd_pt, bind_iommufd, ioas_alloc, ioctl, iommu_ioctl};
use crate::error::{Error, Result};

/// The function's node, if there is one and it and iommufd may be opened.
pub(super) fn node(session: &Session, function: &PciFunction) -> Option<PathBuf> {
    let name = function.names("vfio-dev").into_iter().find(|name| name.starts_with("vfio"))?;
    let node = session.vfio.join("devices").join(name);
    (session.kernel.may_open(&node) && session.kernel.may_open(&session.iommu)).then_some(node)
}

/// Opens the device behind `node` in the address space of this process, or in a new one if there is none.
pub(super) fn join(
    session: &Session,
    function: &PciFunction,
    node: &Path,
    space: Option<Arc<Space>>,
) -> Result<(OwnedFd, Arc<Space>)> {
    let name = function.name();
    let device = session.kernel.open(node).map_err(|errno| match errno {
        Errno::BUSY => in_use(name),
        other => Error::DeviceFailed(format!("{name}: {}: {other}", node.display())),
    })?;
    let space = space.map_or_else(|| new_space(session, name), Ok)?;
    let Kind::Iommufd(file, number) = space.kind() else { return Err(in_use(name)) };
    attach(session, name, device.as_fd(), file.as_fd(), *number)?;
    Ok((device, space))
}

fn new_space(session: &Session, name: &str) -> Result<Arc<Space>> {
    let failed = |doing: &str, errno| Error::DeviceFailed(format!("{name}: {doing}: {errno}"));
    let file = session.kernel.open(&session.iommu).map_err(|errno| failed("opening iommufd", errno))?;
    let mut record = Record::<{ ioas_alloc::BYTES }>::new();
    let made = session.kernel.exchange(file.as_fd(), iommu_ioctl::IOAS_ALLOC, &mut record.0);
    made.map_err(|errno| failed("making an IO address space", errno))?;
    let number = u32_at(&record.0, ioas_alloc::OUT_IOAS_ID);
    Ok(Space::new(session.kernel.clone(), Kind::Iommufd(file, number)))
}

fn attach(
    session: &Session,
    name: &str,
    device: BorrowedFd<'_>,
    iommufd: BorrowedFd<'_>,
    number: u32,
) -> Result<()> {
    let mut bind =
        Record::<{ bind_iommufd::BYTES }>::new().with(bind_iommufd::IOMMUFD, iommufd.as_raw_fd() as u32);
    let bound = session.kernel.exchange(device, ioctl::DEVICE_BIND_IOMMUFD, &mut bind.0);
    bound.map_err(|errno| match errno {
        // EINVAL: another function of the group has an owner.
        Errno::BUSY | Errno::INVAL => in_use(name),
        other => Error::DeviceFailed(format!("{name}: binding it to iommufd: {other}")),
    })?;
    let mut table = Record::<{ attach_iommufd_pt::BYTES }>::new().with(attach_iommufd_pt::PT_ID, number);
    let attached = session.kernel.exchange(device, ioctl::DEVICE_ATTACH_IOMMUFD_PT, &mut table.0);
    let failed = |errno| Error::DeviceFailed(format!("{name}: attaching it to an IO address space: {errno}"));
    attached.map(|_| ()).map_err(failed)
}

fn in_use(name: &str) -> Error {
    Error::PermissionDenied {
        what: format!(
            "{name}, or another function of its IOMMU group, is in use by another program or driver"
        ),
        remedy: "stop that one, or bind the group's other functions to vfio-pci: sudo ringway bind ADDRESS"
            .into(),
    }
}

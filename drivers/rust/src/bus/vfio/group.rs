//! Groups in a container: VFIO as it has been since Linux 3.6.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

use rustix::io::Errno;

use super::Session;
use super::kernel::Record;
use super::space::{Kind, Space};
use crate::bus::bytes::u32_at;
use crate::bus::pci::PciFunction;
use crate::bus::wire::{group_flags, group_status, ioctl, iommu};
use crate::error::{Error, Result};

/// The groups that this process has opened, each as long as one of its devices is open. All are in one container.
#[derive(Default)]
pub(super) struct Groups(Vec<Group>);

struct Group {
    number: String,
    users: usize,
    file: OwnedFd,
    space: Arc<Space>,
}

impl Groups {
    /// Opens a device, with its group if no other device has. Returns the group's number for [`Groups::leave`].
    pub(super) fn join(
        &mut self,
        session: &Session,
        function: &PciFunction,
    ) -> Result<(OwnedFd, Arc<Space>, String)> {
        let name = function.name();
        let number = function.link("iommu_group").ok_or_else(|| no_iommu(name))?;
        if !self.0.iter().any(|group| group.number == number) {
            let group = self.open(session, function, &number)?;
            self.0.push(group);
        }
        let group = self.0.iter_mut().find(|group| group.number == number);
        let Some(group) = group else { return Err(no_iommu(name)) };
        group.users += 1;
        let device = CString::new(name).map_err(|_| Errno::INVAL).and_then(|text| {
            let group = group.file.as_fd();
            session.kernel.device(group, &text)
        });
        match device {
            Ok(device) => Ok((device, group.space.clone(), number)),
            Err(errno) => {
                self.leave(&number);
                Err(not_opened(name, errno))
            }
        }
    }

    /// A device of the group has been closed.
    pub(super) fn leave(&mut self, number: &str) {
        for group in self.0.iter_mut().filter(|group| group.number == number) {
            group.users -= 1;
        }
        self.0.retain(|group| group.users > 0);
    }

    fn open(&self, session: &Session, function: &PciFunction, number: &str) -> Result<Group> {
        let name = function.name();
        let space = match self.0.first() {
            Some(group) => group.space.clone(),
            None => Space::new(session.kernel.clone(), Kind::Container(container(session, name)?)),
        };
        let Kind::Container(container) = space.kind() else { return Err(no_iommu(name)) };
        if session.vfio.join(format!("noiommu-{number}")).exists() {
            return Err(no_iommu(name));
        }
        let path = session.vfio.join(number);
        let file = session.kernel.open(&path).map_err(|errno| not_ours(name, &path, number, errno))?;
        let mut status = Record::<{ group_status::BYTES }>::new();
        let failed = |doing: &str, errno| {
            Error::DeviceFailed(format!("{name}: {doing} of IOMMU group {number}: {errno}"))
        };
        let asked = session.kernel.exchange(file.as_fd(), ioctl::GROUP_GET_STATUS, &mut status.0);
        asked.map_err(|errno| failed("asking for the status", errno))?;
        if u32_at(&status.0, group_status::FLAGS) & group_flags::VIABLE == 0 {
            return Err(not_viable(function, number));
        }
        let entered = session.kernel.enter(file.as_fd(), container.as_fd());
        entered.map_err(|errno| failed("entering the container", errno))?;
        if self.0.is_empty() {
            // The first group decides what kind of IOMMU the container is for.
            let set = session.kernel.tell(container.as_fd(), ioctl::SET_IOMMU, iommu::TYPE1V2);
            set.map_err(|errno| failed("setting the IOMMU", errno))?;
        }
        Ok(Group { number: number.to_owned(), users: 0, file, space })
    }
}

/// Opens a container of the kind that we know.
fn container(session: &Session, name: &str) -> Result<OwnedFd> {
    let path = session.vfio.join("vfio");
    let container = session.kernel.open(&path).map_err(|errno| match errno {
        Errno::ACCESS | Errno::PERM => Error::PermissionDenied {
            what: format!("{name}: {}: permission denied", path.display()),
            remedy: format!("sudo chmod 666 {}", path.display()),
        },
        other => no_vfio(name, &path, other),
    })?;
    let version = session.kernel.tell(container.as_fd(), ioctl::GET_API_VERSION, 0);
    if version != Ok(0) {
        return Err(Error::Unsupported(format!("{name}: this kernel's VFIO has another interface")));
    }
    let known = session.kernel.tell(container.as_fd(), ioctl::CHECK_EXTENSION, iommu::TYPE1V2);
    if known.unwrap_or(0) == 0 { Err(no_iommu(name)) } else { Ok(container) }
}

fn no_vfio(name: &str, path: &Path, errno: Errno) -> Error {
    let path = path.display();
    Error::Unsupported(format!(
        "{name}: {path}: {errno}: the kernel has no VFIO, or it is not loaded: sudo modprobe vfio-pci"
    ))
}

fn no_iommu(name: &str) -> Error {
    Error::Unsupported(format!(
        "there is no IOMMU for {name}: enable VT-d or AMD-Vi in the firmware and boot with intel_iommu=on, \
         or go without one as root: sudo ringway unbind {name}"
    ))
}

fn not_ours(name: &str, path: &Path, number: &str, errno: Errno) -> Error {
    let path = path.display();
    match errno {
        Errno::BUSY => Error::PermissionDenied {
            what: format!("{name}: IOMMU group {number} is in use by another program"),
            remedy: "stop that one first".into(),
        },
        Errno::ACCESS | Errno::PERM => Error::PermissionDenied {
            what: format!("{name}: {path}: permission denied"),
            remedy: format!("sudo ringway bind {name} --user $USER, or sudo chown $USER {path}"),
        },
        other => Error::Unsupported(format!("{name}: {path}: {other}: is it bound to vfio-pci?")),
    }
}

/// Names a function of the group that another driver has.
fn not_viable(function: &PciFunction, number: &str) -> Error {
    let name = function.name();
    let elsewhere = |member: &String| {
        let path = function.path("iommu_group/devices").join(member).join("driver");
        let driver = std::fs::read_link(path).ok()?.file_name()?.to_string_lossy().into_owned();
        (driver != "vfio-pci").then(|| (member.clone(), driver))
    };
    let members = function.names("iommu_group/devices");
    let (what, remedy) = match members.iter().find_map(elsewhere) {
        Some((member, driver)) => (
            format!("{member} in the same group is bound to {driver}"),
            format!("bind it to vfio-pci too: sudo ringway bind {member}"),
        ),
        None => ("not all of it is on VFIO".into(), "bind all of its functions to vfio-pci".into()),
    };
    Error::PermissionDenied { what: format!("{name}: IOMMU group {number} is not viable: {what}"), remedy }
}

fn not_opened(name: &str, errno: Errno) -> Error {
    match errno {
        Errno::BUSY => Error::PermissionDenied {
            what: format!("{name} is in use by another driver in user space"),
            remedy: "stop that one first".into(),
        },
        other => Error::DeviceFailed(format!("{name}: VFIO does not open it: {other}")),
    }
}

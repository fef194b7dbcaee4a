//! What the open functions of a process share, and who belongs to it.

use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

use super::group::Groups;
use super::iommufd;
use super::kernel::{Kernel, Linux};
use super::space::Space;
use crate::bus::pci::PciFunction;
use crate::error::Result;

/// What the open functions of a process share: their groups and address spaces, and where the kernel's files are.
pub(crate) struct Session {
    pub(super) kernel: Arc<dyn Kernel>,
    /// Directory of the container, the groups and the nodes.
    pub(super) vfio: PathBuf,
    /// The file of iommufd.
    pub(super) iommu: PathBuf,
    groups: Mutex<Groups>,
    nodes: Mutex<Weak<Space>>,
}

impl Session {
    pub(super) fn new(kernel: Arc<dyn Kernel>, vfio: PathBuf, iommu: PathBuf) -> Arc<Session> {
        Arc::new(Session { kernel, vfio, iommu, groups: Mutex::default(), nodes: Mutex::default() })
    }

    /// The session of this process.
    pub(crate) fn of_this_process() -> &'static Arc<Session> {
        static SESSION: LazyLock<Arc<Session>> =
            LazyLock::new(|| Session::new(Arc::new(Linux), "/dev/vfio".into(), "/dev/iommu".into()));
        &SESSION
    }
}

/// What keeps the IOMMU's side of a device open.
pub(super) struct Membership {
    pub(super) session: Arc<Session>,
    pub(super) space: Arc<Space>,
    /// The group's number, if it came by its group.
    group: Option<String>,
}

impl Drop for Membership {
    fn drop(&mut self) {
        if let Some(number) = &self.group {
            lock(&self.session.groups).leave(number);
        }
    }
}

/// Opens the device by its node or by its group.
pub(super) fn join(session: &Arc<Session>, function: &PciFunction) -> Result<(OwnedFd, Membership)> {
    let member = |space, group| Membership { session: session.clone(), space, group };
    if let Some(node) = iommufd::node(session, function) {
        let mut nodes = lock(&session.nodes);
        let (device, space) = iommufd::join(session, function, &node, nodes.upgrade())?;
        *nodes = Arc::downgrade(&space);
        return Ok((device, member(space, None)));
    }
    let (device, space, number) = lock(&session.groups).join(session, function)?;
    Ok((device, member(space, Some(number))))
}

/// What it guards is never left half done, so a panic elsewhere does no harm.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

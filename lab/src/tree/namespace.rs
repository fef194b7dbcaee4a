//! A mount namespace in which a driver finds software NICs where it looks for cards.
//!
//! Everything is mounted for this process and those that it starts, and is gone with the last of them: nothing has to be
//! taken down, however they end.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, mount, mount_bind, mount_bind_recursive, mount_change,
};
use rustix::process::geteuid;
use rustix::thread::{UnshareFlags, unshare_unsafe};

use super::guard::{self, Hold};
use super::hugepages::{Overcommit, PAGE_KIB};

/// Where the functions are.
pub const DEVICES: &str = "/sys/bus/pci/devices";
/// The driver of the kernel that each function claims to be bound to: one that leaves it to user space.
pub(super) const DRIVER: &str = "/sys/bus/pci/drivers/igb_uio";
/// Where drivers look for hugepages: the usual place, and that of ixy.
const HUGEPAGES: [&str; 2] = ["/dev/hugepages", "/mnt/huge"];

/// Why there is no namespace.
#[derive(Debug, thiserror::Error)]
pub enum NamespaceError {
    /// This process may not mount.
    #[error("making PCI devices needs root: a mount namespace, and the addresses of other processes' memory")]
    NotRoot,
    /// The kernel gives none.
    #[error("cannot make a mount namespace: {0}")]
    Unshare(io::Error),
    /// Something cannot be put in its place.
    #[error("cannot mount {}: {cause}", place.display())]
    Mount {
        /// Where.
        place: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The system gives no further process.
    #[error("cannot start a process that guards watched programs: {0}")]
    Guard(io::Error),
    /// The kernel has no hugepages of 2 MiB.
    #[error("this kernel has no hugepages of {PAGE_KIB} KiB: {0}")]
    NoHugepages(io::Error),
}

/// The namespace that this process has entered.
#[derive(Debug)]
pub struct Namespace {
    _overcommit: Overcommit,
    _guard: Hold,
}

impl Namespace {
    /// Moves the calling thread into a namespace of its own, with empty directories for PCI functions and `hugepages` MiB of
    /// hugepages that can be had, besides those that the machine has set aside. To be called before other threads are
    /// started: they inherit it.
    ///
    /// # Errors
    ///
    /// No right to it, or a mount that the kernel refuses. The thread may be in the new namespace already.
    pub fn enter(hugepages: u64) -> Result<Self, NamespaceError> {
        if !geteuid().is_root() {
            return Err(NamespaceError::NotRoot);
        }
        let guard = guard::start().map_err(NamespaceError::Guard)?;
        // SAFETY: only the mount namespace (and with it this thread's working directory and umask) is unshared; no file
        // descriptor or memory is.
        unsafe { unshare_unsafe(UnshareFlags::NEWNS) }
            .map_err(|errno| NamespaceError::Unshare(errno.into()))?;
        let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        at("/", || Ok(mount_change("/", private)?))?;
        graft("/dev", &["hugepages"])?;
        graft("/sys/class", &["uio"])?;
        graft("/sys/bus/pci", &["devices", "drivers"])?;
        at(DEVICES, || fs::create_dir(DEVICES))?;
        at("/sys/class/uio", || fs::create_dir("/sys/class/uio"))?;
        at(DRIVER, || {
            fs::create_dir_all(DRIVER)?;
            ["bind", "unbind", "new_id"]
                .iter()
                .try_for_each(|file| fs::write(Path::new(DRIVER).join(file), ""))
        })?;
        mount_hugepages()?;
        let overcommit = Overcommit::allow(hugepages).map_err(NamespaceError::NoHugepages)?;
        Ok(Namespace { _overcommit: overcommit, _guard: guard })
    }
}

fn at<T>(place: impl AsRef<Path>, act: impl FnOnce() -> io::Result<T>) -> Result<T, NamespaceError> {
    act().map_err(|cause| NamespaceError::Mount { place: place.as_ref().to_owned(), cause })
}

fn mount_hugepages() -> Result<(), NamespaceError> {
    let [first, second] = HUGEPAGES;
    if !Path::new(second).is_dir() {
        graft("/mnt", &[])?;
    }
    at(first, || {
        fs::create_dir_all(first)?;
        let options = c"pagesize=2M,mode=0700";
        Ok(mount("ringway", first, "hugetlbfs", MountFlags::empty(), Some(options))?)
    })?;
    at(second, || {
        fs::create_dir_all(second)?;
        Ok(mount_bind(first, second)?)
    })
}

/// Puts a directory that can be written in place of `directory`, with everything in it but `omitted`.
fn graft(directory: &str, omitted: &[&str]) -> Result<(), NamespaceError> {
    at(directory, || {
        let old = open(directory, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        mount("ringway", directory, "tmpfs", MountFlags::empty(), Some(c"mode=0755"))?;
        // Through the descriptor, what is now covered can still be reached.
        let old_path = path_of(&old);
        for entry in fs::read_dir(&old_path)? {
            let name = entry?.file_name();
            if !omitted.iter().any(|omit| *omit == name) {
                plant(&old_path.join(&name), &Path::new(directory).join(&name))?;
            }
        }
        Ok(())
    })
}

fn path_of(file: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Makes `new` the same as `old`: links are copied, nodes of devices are made again, everything else is mounted.
fn plant(old: &Path, new: &Path) -> io::Result<()> {
    let stat = rustix::fs::statat(CWD, old, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => std::os::unix::fs::symlink(fs::read_link(old)?, new),
        FileType::Directory => {
            fs::create_dir(new)?;
            Ok(mount_bind_recursive(old, new)?)
        }
        kind @ (FileType::CharacterDevice | FileType::BlockDevice) => {
            mknodat(CWD, new, kind, Mode::from_raw_mode(stat.st_mode), stat.st_rdev)?;
            std::os::unix::fs::chown(new, Some(stat.st_uid), Some(stat.st_gid))?;
            Ok(rustix::fs::chmod(new, Mode::from_raw_mode(stat.st_mode))?)
        }
        _ => {
            fs::write(new, "")?;
            Ok(mount_bind(old, new)?)
        }
    }
}

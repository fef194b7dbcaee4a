//! The device nodes of a function, and whose they are.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::unistd::User;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::failure::Failure;
use crate::pci::{Function, Group, Machine};

/// How long the kernel may take to make a node.
const APPEARS: Duration = Duration::from_secs(1);

/// Somebody, by name or number.
pub fn user(name: &str) -> Result<User, Failure> {
    let found = match name.parse::<u32>() {
        Ok(number) => User::from_uid(number.into()),
        Err(_) => User::from_name(name),
    };
    let unknown = || Failure::usage(format!("there is no user {name}"), "Name one with --user");
    found.ok().flatten().ok_or_else(unknown)
}

/// The nodes by which the function can be opened, once the kernel has made them: the group's, and the newer one's.
pub fn nodes(machine: &Machine, function: &Function, group: &Group) -> Result<Vec<PathBuf>, Failure> {
    let node = group.node(machine);
    let start = Instant::now();
    while !node.exists() {
        if start.elapsed() >= APPEARS {
            let cause = format!("{} is on vfio-pci, but there is no {}", function.address, node.display());
            return Err(Failure::failed(cause, "`sudo dmesg | tail` may say why"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok([Some(node), function.node(machine)].into_iter().flatten().filter(|node| node.exists()).collect())
}

/// Gives a node to somebody.
pub fn give(node: &Path, user: &User) -> Result<(), Failure> {
    chown(node, Some(user.uid.as_raw()), Some(user.gid.as_raw())).map_err(|error| {
        let cause = format!("cannot give {} to {}: {error}", node.display(), user.name);
        Failure::open(cause, "Run it as root, with sudo")
    })
}

/// Holds the lock that drivers over sysfs hold on `resource0`, while the function changes hands: a driver in user space
/// that has it would go on using it. None if the file cannot be opened, which will stop the rest as well.
pub fn hold(function: &Function) -> Result<Option<File>, Failure> {
    let Ok(resource) = fs::OpenOptions::new().read(true).write(true).open(function.path("resource0")) else {
        return Ok(None);
    };
    match flock(&resource, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            let cause = format!("a driver in user space uses {} over sysfs", function.address);
            let path = function.path("resource0");
            Err(Failure::open(cause, format!("Stop it first; `sudo fuser -v {}` names it", path.display())))
        }
        _ => Ok(Some(resource)),
    }
}

/// Refuses a function that a program has open by VFIO: the kernel would wait for that program, perhaps for good.
pub fn refuse_if_open(machine: &Machine, function: &Function) -> Result<(), Failure> {
    let Some(group) = function.group() else { return Ok(()) };
    let node = group.node(machine);
    match fs::OpenOptions::new().read(true).write(true).open(&node) {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            let cause = format!("a program uses {} (IOMMU group {})", function.address, group.number);
            Err(Failure::open(cause, format!("Stop it first; `sudo fuser -v {}` names it", node.display())))
        }
        _ => Ok(()),
    }
}

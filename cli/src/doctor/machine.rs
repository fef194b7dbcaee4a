//! What the kernel of this machine offers, and what this process may do.

use std::path::Path;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::thread::{CapabilitySet, capabilities};

use super::Check;
use crate::runtime_dir;

const SOFTWARE: &str = "Software NIC over vfio-user (all that `ringway forward` needs)";
const TAP: &str = "TAP wire (`ringway lab` with a kernel on the other side)";

/// Whether this process has CAP_NET_ADMIN.
pub fn net_admin() -> bool {
    capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::NET_ADMIN))
}

/// Shared memory that can be sealed, and a place for sockets.
pub fn software_nic() -> Vec<Check> {
    let memory = match sealed_memory() {
        Ok(()) => Check::ok(SOFTWARE, "memfd sealing", "works"),
        Err(error) => {
            Check::missing(SOFTWARE, "memfd sealing", error.to_string(), "Linux 3.17 or newer is needed")
        }
    };
    let sockets = match runtime_dir::open() {
        Ok(directory) => Check::ok(SOFTWARE, "socket directory", directory.path().display().to_string()),
        Err(failure) => Check::missing(SOFTWARE, "socket directory", failure.cause, failure.remedy),
    };
    vec![memory, sockets]
}

fn sealed_memory() -> rustix::io::Result<()> {
    let file = memfd_create("ringway-doctor", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    ftruncate(&file, 4096)?;
    fcntl_add_seals(&file, SealFlags::SHRINK)
}

/// The TUN driver and the right to use it.
pub fn tap() -> Vec<Check> {
    let node = match Path::new("/dev/net/tun").exists() {
        true => Check::ok(TAP, "/dev/net/tun", "there"),
        false => Check::absent(TAP, "/dev/net/tun", "no such file", "sudo modprobe tun"),
    };
    let right = match net_admin() {
        true => Check::ok(TAP, "CAP_NET_ADMIN", "yes"),
        false => {
            let program = std::env::current_exe().unwrap_or_else(|_| "ringway".into());
            let fix = format!("sudo setcap cap_net_admin+ep {}, or run it with sudo", program.display());
            Check::absent(TAP, "CAP_NET_ADMIN", "no", fix)
        }
    };
    vec![node, right]
}

/// A core for the lab and one for the driver.
pub fn cpus() -> Check {
    const GROUP: &str = "Measuring";
    match std::thread::available_parallelism().map_or(1, usize::from) {
        1 => Check::absent(
            GROUP,
            "processors",
            "1: lab and driver share it, rates mean little",
            "use a machine with at least 2",
        ),
        count => Check::ok(
            GROUP,
            "processors",
            format!("{count}, one for the lab and one for the driver are enough"),
        ),
    }
}

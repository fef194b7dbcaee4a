//! What the kernel of this machine offers, and what this process may do.

use std::fs;
use std::path::Path;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::process::{Resource, getrlimit};
use rustix::thread::{CapabilitySet, capabilities};

use super::Check;
use crate::runtime_dir;
use crate::ui;

const SOFTWARE: &str = "Software NIC over vfio-user (all that `ringway forward` needs)";
const VFIO: &str = "Real card through kernel VFIO (drivers cannot do this yet)";
const SYSFS: &str = "Real card through sysfs (drivers cannot do this yet)";
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

/// The IOMMU's group nodes and the limit on locked memory.
pub fn kernel_vfio() -> Vec<Check> {
    let node = Path::new("/dev/vfio/vfio");
    let node = match node.exists() {
        true => Check::ok(VFIO, "/dev/vfio", "there"),
        false => Check::absent(VFIO, "/dev/vfio", "no /dev/vfio/vfio", "sudo modprobe vfio-pci"),
    };
    let groups = fs::read_dir("/sys/kernel/iommu_groups").map_or(0, |entries| entries.count());
    let groups = match groups {
        0 => Check::absent(
            VFIO,
            "IOMMU groups",
            "none",
            "boot with intel_iommu=on iommu=pt (or amd_iommu=on), after enabling VT-d in the firmware",
        ),
        count => Check::ok(VFIO, "IOMMU groups", count.to_string()),
    };
    vec![node, groups, memlock()]
}

fn memlock() -> Check {
    /// What one device of a driver maps with the default pool: about 8 MB; a little air above that.
    const ENOUGH: u64 = 64 << 20;
    match getrlimit(Resource::Memlock).current {
        None => Check::ok(VFIO, "memlock limit", "unlimited"),
        Some(limit) if limit >= ENOUGH => Check::ok(VFIO, "memlock limit", ui::bytes(limit)),
        Some(limit) => Check::absent(
            VFIO,
            "memlock limit",
            ui::bytes(limit),
            "sudo prlimit --memlock=unlimited:unlimited --pid $$",
        ),
    }
}

/// Root and hugepages.
pub fn sysfs() -> Vec<Check> {
    let root = match rustix::process::geteuid().is_root() {
        true => Check::ok(SYSFS, "root", "yes"),
        false => Check::absent(SYSFS, "root", "no", "run with sudo"),
    };
    let total = fs::read_to_string("/proc/meminfo").ok().and_then(|text| meminfo(&text, "HugePages_Total"));
    let pages = match total {
        Some(count) if count > 0 => Check::ok(SYSFS, "hugepages", format!("{count} reserved")),
        _ => {
            Check::absent(SYSFS, "hugepages", "none reserved", "echo 64 | sudo tee /proc/sys/vm/nr_hugepages")
        }
    };
    vec![root, pages]
}

/// The number behind `key:` in the text of /proc/meminfo.
fn meminfo(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::meminfo;

    #[test]
    fn finds_a_number_in_meminfo() {
        let text = "MemTotal:       24689532 kB\nHugePages_Total:      64\nHugePages_Free:       12\n";
        assert_eq!(meminfo(text, "HugePages_Total"), Some(64));
        assert_eq!(meminfo(text, "MemTotal"), Some(24_689_532));
        assert_eq!(meminfo(text, "HugePages"), None);
    }
}

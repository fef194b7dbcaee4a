//! What the two ways to a real card need.

use std::fs;
use std::path::Path;

use rustix::fs::{Access, access};
use rustix::process::geteuid;

use super::Check;
use crate::bind::memlock;
use crate::pci::{Function, Group, Machine};
use crate::ui;

const VFIO: &str = "Real card through kernel VFIO (an IOMMU keeps it within its memory)";
const SYSFS: &str = "Real card through sysfs (root, no IOMMU)";

/// An IOMMU, the kernel's driver, a card bound to it, the right to open it, and the limit on locked memory.
pub fn kernel_vfio(machine: &Machine) -> Vec<Check> {
    let mut checks = vec![iommu(machine), module(machine), container(machine)];
    checks.extend(bound(machine));
    let limit = memlock::limit();
    let remedy = memlock::remedy(limit, None);
    let shown = memlock::shown(limit);
    checks.push(match remedy.is_empty() {
        true => Check::ok(VFIO, "memlock limit", shown),
        false => Check::absent(VFIO, "memlock limit", shown, remedy),
    });
    checks
}

/// Root, hugepages, and where they are mounted.
pub fn sysfs(machine: &Machine) -> Vec<Check> {
    let root = match geteuid().is_root() {
        true => Check::ok(SYSFS, "root", "yes"),
        false => Check::absent(SYSFS, "root", "no", "run with sudo"),
    };
    let mut checks = vec![root, hugepages(machine), hugetlbfs(machine)];
    checks.extend(lockdown(machine));
    checks
}

fn iommu(machine: &Machine) -> Check {
    const FIX: &str =
        "enable VT-d or AMD-Vi in the firmware, and boot with intel_iommu=on iommu=pt (AMD: iommu=pt)";
    match fs::read_dir(machine.path("/sys/kernel/iommu_groups")).map_or(0, |entries| entries.count()) {
        0 => Check::absent(VFIO, "IOMMU groups", "none", FIX),
        count => Check::ok(VFIO, "IOMMU groups", count.to_string()),
    }
}

fn module(machine: &Machine) -> Check {
    match machine.pci("drivers").join("vfio-pci").is_dir() {
        true => Check::ok(VFIO, "vfio-pci", "loaded"),
        false => Check::absent(VFIO, "vfio-pci", "not loaded", "sudo modprobe vfio-pci"),
    }
}

fn container(machine: &Machine) -> Check {
    let path = machine.path("/dev/vfio/vfio");
    match (path.exists(), may_open(&path)) {
        (false, _) => Check::absent(VFIO, "/dev/vfio/vfio", "no such file", "sudo modprobe vfio-pci"),
        (true, false) => {
            Check::absent(VFIO, "/dev/vfio/vfio", "permission denied", "sudo chmod 666 /dev/vfio/vfio")
        }
        (true, true) => Check::ok(VFIO, "/dev/vfio/vfio", "may be opened"),
    }
}

/// Each card that is bound, and whether this user may open it; or one that could be.
fn bound(machine: &Machine) -> Vec<Check> {
    let cards: Vec<_> =
        Function::networks(machine).into_iter().filter(|function| function.driven().is_some()).collect();
    let on_vfio = |function: &&Function| function.driver().as_deref() == Some("vfio-pci");
    let checks: Vec<_> = cards.iter().filter(on_vfio).map(|function| node(machine, function)).collect();
    match (checks.is_empty(), cards.first()) {
        (false, _) => checks,
        (true, Some(card)) => {
            let found =
                format!("{} is here, on {}", card.address, card.driver().as_deref().unwrap_or("no driver"));
            vec![Check::absent(VFIO, "card", found, bind(card))]
        }
        (true, None) => {
            vec![Check::absent(
                VFIO,
                "card",
                "no Intel 82599 in this machine",
                "a software NIC needs none: ringway lab",
            )]
        }
    }
}

fn bind(card: &Function) -> String {
    format!("sudo ringway bind {} --user $USER", card.address)
}

fn node(machine: &Machine, card: &Function) -> Check {
    let name = card.address.as_str();
    let Some(group) = card.group() else {
        return Check::absent(
            VFIO,
            name,
            "bound, but without an IOMMU",
            format!("sudo ringway unbind {name}"),
        );
    };
    let node = Group::node(&group, machine);
    if let Some((other, driver)) = group.obstacles(machine).into_iter().next() {
        let found = format!("group {}: {other} in it is on {driver}", group.number);
        return Check::absent(VFIO, name, found, format!("sudo ringway bind {other}"));
    }
    match may_open(&node) {
        true => Check::ok(VFIO, name, format!("bound, {} may be opened", node.display())),
        false => Check::absent(VFIO, name, format!("bound, no right to open {}", node.display()), bind(card)),
    }
}

fn may_open(path: &Path) -> bool {
    access(path, Access::READ_OK | Access::WRITE_OK).is_ok()
}

fn hugepages(machine: &Machine) -> Check {
    let text = machine.read("/proc/meminfo").unwrap_or_default();
    let number = |key| meminfo(&text, key).unwrap_or(0);
    let (free, total, size) = (number("HugePages_Free"), number("HugePages_Total"), number("Hugepagesize"));
    let found = format!("{free} of {total} free, {} each", ui::bytes(size * 1024));
    match free > 0 && size == 2048 {
        true => Check::ok(SYSFS, "hugepages", found),
        false => {
            let fix = "echo 64 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages";
            Check::absent(SYSFS, "hugepages", found, fix)
        }
    }
}

/// Only the C driver keeps its hugepages in a file of hugetlbfs; the others ask for them without.
fn hugetlbfs(machine: &Machine) -> Check {
    const NAME: &str = "hugetlbfs (C)";
    const PLACE: &str = "/dev/hugepages";
    let mounts = machine.read("/proc/mounts").unwrap_or_default();
    let mounted = mounts.lines().any(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        words.get(1..3) == Some(&[PLACE, "hugetlbfs"])
    });
    match mounted {
        true => Check::ok(SYSFS, NAME, PLACE),
        false => {
            let fix = format!("sudo mkdir -p {PLACE}; sudo mount -t hugetlbfs nodev {PLACE}");
            Check::absent(SYSFS, NAME, format!("not mounted on {PLACE}"), fix)
        }
    }
}

/// A kernel in lockdown lets not even root map a card's registers.
fn lockdown(machine: &Machine) -> Option<Check> {
    let modes = machine.read("/sys/kernel/security/lockdown").ok()?;
    let mode =
        modes.split_whitespace().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'))?.to_owned();
    Some(match mode.as_str() {
        "none" => Check::ok(SYSFS, "lockdown", "none"),
        _ => Check::absent(SYSFS, "lockdown", mode, "use VFIO, or switch Secure Boot off"),
    })
}

/// The number behind `key:` in the text of /proc/meminfo.
fn meminfo(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;
    use crate::pci::tree::{NIC, SIBLING, Tree};

    const MEMINFO: &str = "MemTotal:       24689532 kB\nHugePages_Total:      64\nHugePages_Free:       12\n\
        Hugepagesize:       2048 kB\n";

    fn find<'a>(checks: &'a [Check], name: &str) -> &'a Check {
        checks.iter().find(|check| check.name == name).unwrap_or_else(|| panic!("no {name} in {checks:?}"))
    }

    #[test]
    fn everything_that_is_missing_has_a_remedy() {
        let tree = Tree::new();
        std::fs::remove_dir_all(tree.path("sys/bus/pci/drivers/vfio-pci")).unwrap();
        tree.write("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
        let mut checks = kernel_vfio(&tree.machine());
        checks.extend(sysfs(&tree.machine()));
        let remedies = [
            ("IOMMU groups", "intel_iommu=on"),
            ("vfio-pci", "sudo modprobe vfio-pci"),
            ("/dev/vfio/vfio", "sudo modprobe vfio-pci"),
            ("card", "sudo ringway bind 0000:03:00.0 --user $USER"),
            ("hugepages", "nr_hugepages"),
            ("hugetlbfs (C)", "mount -t hugetlbfs"),
            ("lockdown", "use VFIO"),
        ];
        for (name, remedy) in remedies {
            let check = find(&checks, name);
            assert_eq!(check.status, Status::Absent, "{name}");
            assert!(check.fix.contains(remedy), "{name}: {}", check.fix);
        }
    }

    #[test]
    fn what_is_there_is_said_to_be_there() {
        let tree = Tree::new();
        tree.group(NIC, "12", "DMA-FQ");
        tree.bind(NIC, "vfio-pci");
        tree.write("proc/meminfo", MEMINFO);
        tree.write("proc/mounts", "proc /proc proc rw 0 0\nhugetlbfs /dev/hugepages hugetlbfs rw 0 0\n");
        let mut checks = kernel_vfio(&tree.machine());
        checks.extend(sysfs(&tree.machine()));
        for name in ["IOMMU groups", "vfio-pci", "/dev/vfio/vfio", NIC, "hugepages", "hugetlbfs (C)"] {
            assert_eq!(find(&checks, name).status, Status::Ok, "{name}");
        }
        assert_eq!(find(&checks, "hugepages").found, "12 of 64 free, 2.10 MB each");
    }

    #[test]
    fn a_group_with_another_driver_in_it_names_that_driver() {
        let tree = Tree::new();
        tree.group(NIC, "12", "DMA-FQ");
        tree.group(SIBLING, "12", "DMA-FQ");
        tree.bind(NIC, "vfio-pci");
        tree.bind(SIBLING, "ixgbe");
        let checks = kernel_vfio(&tree.machine());
        let check = find(&checks, NIC);
        assert!(check.found.contains("0000:03:00.1 in it is on ixgbe"), "{}", check.found);
        assert_eq!(check.fix, "sudo ringway bind 0000:03:00.1");
    }

    #[test]
    fn finds_a_number_in_meminfo() {
        assert_eq!(meminfo(MEMINFO, "HugePages_Total"), Some(64));
        assert_eq!(meminfo(MEMINFO, "MemTotal"), Some(24_689_532));
        assert_eq!(meminfo(MEMINFO, "HugePages"), None);
    }
}

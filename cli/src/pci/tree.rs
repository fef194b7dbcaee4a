//! A machine made of files, for tests: two ports of an 82599, a disk, and the drivers that have them.
#![allow(dead_code, missing_docs)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

pub const NIC: &str = "0000:03:00.0";
pub const SIBLING: &str = "0000:03:00.1";
pub const DISK: &str = "0000:04:00.0";

const ROUTES: &str = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n";

/// The files. Removed on drop.
pub struct Tree(tempfile::TempDir);

impl Tree {
    pub fn new() -> Tree {
        let tree = Tree(tempfile::tempdir().unwrap());
        for (function, vendor, device, class) in [
            (NIC, "0x8086", "0x10fb", "0x020000"),
            (SIBLING, "0x8086", "0x10fb", "0x020000"),
            (DISK, "0x1af4", "0x1001", "0x010000"),
        ] {
            for (attribute, text) in
                [("vendor", vendor), ("device", device), ("class", class), ("driver_override", "(null)")]
            {
                tree.write(&format!("sys/bus/pci/devices/{function}/{attribute}"), &format!("{text}\n"));
            }
            tree.write(&format!("sys/bus/pci/devices/{function}/resource0"), "");
        }
        tree.write("proc/net/route", ROUTES);
        tree.write("sys/bus/pci/drivers_probe", "");
        tree.bind(NIC, "ixgbe");
        tree.bind(DISK, "virtio-pci");
        tree.driver("vfio-pci");
        tree
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub fn link(&self, name: &str, target: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        let _ = fs::remove_file(self.path(name));
        symlink(self.path(target), self.path(name)).unwrap();
    }

    /// A driver that is loaded.
    pub fn driver(&self, name: &str) {
        for file in ["bind", "unbind"] {
            self.write(&format!("sys/bus/pci/drivers/{name}/{file}"), "");
        }
    }

    /// What was written to a file of a driver.
    pub fn told(&self, driver: &str, file: &str) -> String {
        self.read(&format!("sys/bus/pci/drivers/{driver}/{file}"))
    }

    /// Gives a function to a driver.
    pub fn bind(&self, function: &str, driver: &str) {
        self.driver(driver);
        self.link(
            &format!("sys/bus/pci/devices/{function}/driver"),
            &format!("sys/bus/pci/drivers/{driver}"),
        );
    }

    /// Puts a function into an IOMMU group with a node.
    pub fn group(&self, function: &str, number: &str, mode: &str) {
        let group = format!("sys/kernel/iommu_groups/{number}");
        self.write(&format!("{group}/type"), &format!("{mode}\n"));
        let device = format!("sys/bus/pci/devices/{function}");
        self.link(&format!("{group}/devices/{function}"), &device);
        self.link(&format!("{device}/iommu_group"), &group);
        self.write(&format!("dev/vfio/{number}"), "");
        self.write("dev/vfio/vfio", "");
    }

    /// An interface of a function, with its flags, and a link.
    pub fn interface(&self, function: &str, name: &str, flags: &str) {
        for (attribute, text) in [("flags", flags), ("carrier", "1"), ("speed", "10000")] {
            self.write(
                &format!("sys/bus/pci/devices/{function}/net/{name}/{attribute}"),
                &format!("{text}\n"),
            );
        }
    }

    /// Sends the default route over an interface.
    pub fn default_route(&self, name: &str) {
        let route = format!("{name}\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n");
        self.write("proc/net/route", &format!("{ROUTES}{route}"));
    }
}

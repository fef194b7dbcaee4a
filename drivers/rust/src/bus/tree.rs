//! A sysfs tree made of files, for tests: two ports of an 82599, a disk, and the drivers that have them.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, symlink};
use std::path::{Path, PathBuf};

use super::pci::PciFunction;
use crate::error::Result;

pub(crate) const NIC: &str = "0000:03:00.0";
pub(crate) const SIBLING: &str = "0000:03:00.1";
pub(crate) const DISK: &str = "0000:04:00.0";

pub(crate) const BAR_BYTES: u64 = 0x2_0000;

/// Vendor, device, command, status, revision and class of an 82599.
const CONFIG: [u8; 16] = [0x86, 0x80, 0xfb, 0x10, 2, 0, 0x10, 0, 1, 0, 0, 2, 0, 0, 0, 0];

pub(crate) struct Tree(tempfile::TempDir);

impl Tree {
    pub(crate) fn new() -> Tree {
        let tree = Tree(tempfile::tempdir().unwrap());
        for name in ["devices", "drivers", "groups", "vfio", "vfio/devices"] {
            fs::create_dir(tree.path(name)).unwrap();
        }
        for (name, class) in [(NIC, "0x020000\n"), (SIBLING, "0x020000\n"), (DISK, "0x010802\n")] {
            let directory = format!("devices/{name}");
            fs::create_dir(tree.path(&directory)).unwrap();
            tree.write(&format!("{directory}/class"), class);
            tree.make_device(&format!("{directory}/config"), 256);
            File::create(tree.path(&format!("{directory}/resource0"))).unwrap().set_len(BAR_BYTES).unwrap();
        }
        tree.bind(NIC, "ixgbe");
        tree.bind(DISK, "nvme");
        tree
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// A file of `length` bytes that begins with config space.
    pub(crate) fn make_device(&self, name: &str, length: u64) {
        let file = File::create(self.path(name)).unwrap();
        file.set_len(length).unwrap();
        file.write_all_at(&CONFIG, 0).unwrap();
    }

    /// The command register of a file that begins with config space.
    pub(crate) fn command(&self, name: &str) -> u16 {
        let mut word = [0; 2];
        File::open(self.path(name)).unwrap().read_exact_at(&mut word, 4).unwrap();
        u16::from_le_bytes(word)
    }

    /// Gives a function to a driver.
    pub(crate) fn bind(&self, function: &str, driver: &str) {
        let link = self.path(&format!("devices/{function}/driver"));
        let _ = fs::remove_file(&link);
        for file in ["bind", "unbind"] {
            self.write(&format!("drivers/{driver}/{file}"), "");
        }
        symlink(self.path(&format!("drivers/{driver}")), link).unwrap();
    }

    /// Puts a function into an IOMMU group, and the group's node into the directory of VFIO.
    pub(crate) fn group(&self, function: &str, number: &str) {
        let members = self.path(&format!("groups/{number}/devices"));
        fs::create_dir_all(&members).unwrap();
        let device = self.path(&format!("devices/{function}"));
        symlink(&device, members.join(function)).unwrap();
        symlink(self.path(&format!("groups/{number}")), device.join("iommu_group")).unwrap();
        self.write(&format!("vfio/{number}"), "");
    }

    /// An interface of a function, with its flags.
    pub(crate) fn interface(&self, function: &str, name: &str, flags: &str) {
        self.write(&format!("devices/{function}/net/{name}/flags"), flags);
    }

    pub(crate) fn find(&self, address: &str) -> Result<PciFunction> {
        PciFunction::find(&self.devices(), address)
    }

    fn devices(&self) -> PathBuf {
        self.path("devices")
    }
}

impl AsRef<Path> for Tree {
    fn as_ref(&self) -> &Path {
        self.0.path()
    }
}

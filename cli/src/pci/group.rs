//! IOMMU groups: functions that the IOMMU cannot tell apart, and that VFIO therefore takes together or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Function, Machine};

/// Drivers whose functions do not keep a group from being used: they do no DMA of their own.
const HARMLESS: [&str; 3] = ["vfio-pci", "pci-stub", "pcieport"];

/// A group.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its number.
    pub number: String,
    directory: PathBuf,
}

impl Group {
    /// The one that the function in `directory` is in. None without an IOMMU.
    pub fn of(directory: &Path) -> Option<Group> {
        let directory = fs::canonicalize(directory.join("iommu_group")).ok()?;
        Some(Group { number: directory.file_name()?.to_str()?.to_owned(), directory })
    }

    /// How it treats DMA of the kernel's own drivers: `DMA-FQ`, `identity`, ...
    pub fn mode(&self) -> Option<String> {
        Some(fs::read_to_string(self.directory.join("type")).ok()?.trim().to_owned())
    }

    /// The functions of the group that some other driver has, with its name: VFIO cannot use the group because of them.
    pub fn obstacles(&self, machine: &Machine) -> Vec<(String, String)> {
        let entries = fs::read_dir(self.directory.join("devices")).into_iter().flatten().flatten();
        let mut members: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        members.sort();
        let driver = |member: String| {
            let driver = Function::find(machine, &member)?.driver()?;
            (!HARMLESS.contains(&driver.as_str())).then_some((member, driver))
        };
        members.into_iter().filter_map(driver).collect()
    }

    /// Its node.
    pub fn node(&self, machine: &Machine) -> PathBuf {
        machine.path("/dev/vfio").join(&self.number)
    }
}

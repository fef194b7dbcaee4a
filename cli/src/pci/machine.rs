//! Where the kernel's files are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The machine: `/proc`, `/dev`, `/sys` and the rest below a root, which is `/` but for tests.
///
/// `RINGWAY_MACHINE` is a directory that takes the place of `/`. `RINGWAY_SYSFS` replaces `/sys/bus/pci/devices`, here as
/// in the drivers; the drivers' directory is beside it.
#[derive(Clone, Debug)]
pub struct Machine {
    root: PathBuf,
    devices: PathBuf,
}

impl Machine {
    /// The one that this process runs on, or that the environment describes.
    pub fn this() -> Self {
        let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let mut machine = Machine::at(given("RINGWAY_MACHINE").unwrap_or_else(|| "/".into()));
        if let Some(devices) = given("RINGWAY_SYSFS") {
            machine.devices = devices;
        }
        machine
    }

    /// The one whose files are below `root`.
    pub fn at(root: PathBuf) -> Self {
        Machine { devices: root.join("sys/bus/pci/devices"), root }
    }

    /// True if it is not made of files for a test.
    pub fn is_real(&self) -> bool {
        self.root == Path::new("/") && self.devices == Path::new("/sys/bus/pci/devices")
    }

    /// The file that the kernel shows at `absolute`.
    pub fn path(&self, absolute: &str) -> PathBuf {
        self.root.join(absolute.trim_start_matches('/'))
    }

    /// What is written in that file.
    pub fn read(&self, absolute: &str) -> io::Result<String> {
        fs::read_to_string(self.path(absolute))
    }

    /// The directory with a link for each PCI function.
    pub fn devices(&self) -> &Path {
        &self.devices
    }

    /// Something beside that directory: `drivers`, `drivers_probe`.
    pub fn pci(&self, name: &str) -> PathBuf {
        self.devices.with_file_name(name)
    }
}

/// Writes a word to a file that exists: what sysfs wants. A file is not made if the kernel has none.
pub fn tell(path: &Path, word: &str) -> io::Result<()> {
    use std::io::Write;
    fs::OpenOptions::new().write(true).truncate(true).open(path)?.write_all(word.as_bytes())
}

//! A PCI function in sysfs: its directory, its attributes, its links.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// PCI class of Ethernet controllers, above the 8 bits of the programming interface.
const ETHERNET: u32 = 0x0200;

/// What an address has to look like.
const WANTED: &str = "an address is unix:/path of a vfio-user socket or domain:bus:device.function";

/// Where the kernel shows its functions, or what `RINGWAY_SYSFS` says instead.
pub(super) fn devices() -> PathBuf {
    let given = std::env::var_os("RINGWAY_SYSFS").filter(|given| !given.is_empty());
    given.unwrap_or_else(|| OsString::from("/sys/bus/pci/devices")).into()
}

/// A function that is there.
#[derive(Debug, Clone)]
pub(crate) struct PciFunction {
    name: String,
    directory: PathBuf,
}

impl PciFunction {
    /// Finds the function at `address` in the directory `devices`; the domain may be left out if it is 0.
    pub(super) fn find(devices: &Path, address: &str) -> Result<PciFunction> {
        let missing = |reason| Error::NoSuchDevice { address: address.into(), reason };
        let name = canonical(address).ok_or_else(|| missing(WANTED.into()))?;
        let directory = devices.join(&name);
        if !directory.is_dir() {
            let devices = devices.display();
            return Err(missing(format!(
                "no such PCI function in {devices}; `ringway list` shows what is there"
            )));
        }
        Ok(PciFunction { name, directory })
    }

    /// Its address with domain: `0000:03:00.0`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The path of something in its directory.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The last part of what a link such as `driver` leads to.
    pub(super) fn link(&self, name: &str) -> Option<String> {
        let target = fs::read_link(self.path(name)).ok()?;
        Some(target.file_name()?.to_string_lossy().into_owned())
    }

    /// The number in an attribute such as `class`: hexadecimal with 0x, or decimal.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        let text = fs::read_to_string(self.path(name)).ok()?;
        let text = text.trim();
        match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// What is in a directory of the function, by name. Nothing if there is no such directory.
    pub(super) fn names(&self, directory: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(directory)).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// True if it is an Ethernet controller by its class.
    pub(super) fn is_ethernet(&self) -> bool {
        self.number("class").is_some_and(|class| class >> 8 == ETHERNET)
    }

    /// True if the kernel's driver of it is vfio-pci.
    pub(super) fn is_on_vfio(&self) -> bool {
        self.link("driver").is_some_and(|driver| driver == "vfio-pci")
    }

    /// Opens an attribute for reading and writing.
    pub(super) fn open(&self, name: &str) -> Result<File> {
        let path = self.path(name);
        File::options().read(true).write(true).open(&path).map_err(|error| self.refused(&path, &error))
    }

    /// What a failed access to one of its files means to the user.
    pub(super) fn refused(&self, path: &Path, error: &io::Error) -> Error {
        let (name, path) = (&self.name, path.display());
        match error.kind() {
            ErrorKind::PermissionDenied => Error::PermissionDenied {
                what: format!("{name}: {path}: permission denied"),
                remedy: format!(
                    "run as root (and not under kernel lockdown), or `sudo ringway bind {name} --user $USER` once"
                ),
            },
            _ => Error::Unsupported(format!("{name} cannot be used: {path}: {error}")),
        }
    }
}

/// The address with its domain, in lower case. `None` if it is none.
fn canonical(address: &str) -> Option<String> {
    let (rest, function) = address.rsplit_once('.')?;
    let (rest, device) = rest.rsplit_once(':')?;
    let (domain, bus) = rest.split_once(':').unwrap_or(("0000", rest));
    let hex = |text: &str, digits: usize| {
        let right = (1..=digits).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        right.then(|| u32::from_str_radix(text, 16).ok()).flatten()
    };
    // Domains of more than four digits are made up by the kernel, for hosts that hide some of theirs.
    let (domain, bus) = (hex(domain, 8)?, hex(bus, 2)?);
    let device = hex(device, 2).filter(|device| *device < 32)?;
    let function = hex(function, 1).filter(|function| *function < 8)?;
    Some(format!("{domain:04x}:{bus:02x}:{device:02x}.{function}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_made_canonical() {
        let good = [
            ("0000:03:00.0", "0000:03:00.0"),
            ("03:00.1", "0000:03:00.1"),
            ("3:0.1", "0000:03:00.1"),
            ("0001:AF:1f.7", "0001:af:1f.7"),
            ("10000:e1:00.0", "10000:e1:00.0"),
        ];
        for (address, name) in good {
            assert_eq!(canonical(address).as_deref(), Some(name), "{address}");
        }
        let bad =
            ["", "eth0", "03:00", "zz:00.0", "0000:03:00.0x", "03:20.0", "03:00.8", "+3:00.0", "1:2:3:4.0"];
        for address in bad {
            assert_eq!(canonical(address), None, "{address}");
        }
    }
}

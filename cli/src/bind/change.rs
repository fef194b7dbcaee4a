//! Changing the kernel driver of a function: all of it or nothing.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::record::Record;
use crate::failure::Failure;
use crate::pci::machine::tell;
use crate::pci::{Function, Machine};

/// The driver that hands functions to user space.
pub const VFIO: &str = "vfio-pci";

/// Loads a driver's module if the driver is not there. Nothing is loaded into a machine that is made of files.
pub fn load(machine: &Machine, driver: &str) -> Result<(), Failure> {
    let directory = machine.pci("drivers").join(driver);
    if !directory.exists() && machine.is_real() {
        let _ = Command::new("modprobe").arg(driver).stdin(Stdio::null()).stderr(Stdio::null()).status();
    }
    if directory.exists() {
        return Ok(());
    }
    let cause = format!("the kernel has no driver {driver}, or it is not loaded");
    Err(Failure::open(cause, format!("sudo modprobe {driver}")))
}

/// Moves the function to vfio-pci; after a failure it is back where it was.
pub fn to_vfio(machine: &Machine, function: &Function, found: &Record) -> Result<(), Failure> {
    let drivers = machine.pci("drivers");
    reserve(function, Some(VFIO))?;
    if let Some(driver) = &found.driver
        && let Err(failure) = write(function, &drivers.join(driver).join("unbind"), &function.address)
    {
        let _ = reserve(function, found.driver_override.as_deref());
        return Err(failure);
    }
    let taken = write(function, &drivers.join(VFIO).join("bind"), &function.address);
    if taken.is_err() {
        let _ = reserve(function, found.driver_override.as_deref());
        if let Some(driver) = &found.driver {
            let _ = tell(&drivers.join(driver).join("bind"), &function.address);
        }
    }
    taken
}

/// Moves the function to where it was found; without a record, to whichever driver the kernel thinks right.
pub fn back(machine: &Machine, function: &Function, found: Option<&Record>) -> Result<(), Failure> {
    let drivers = machine.pci("drivers");
    if let Some(Record { driver: Some(driver), .. }) = found {
        load(machine, driver)?;
    }
    reserve(function, found.and_then(|found| found.driver_override.as_deref()))?;
    if let Some(driver) = function.driver() {
        write(function, &drivers.join(driver).join("unbind"), &function.address)?;
    }
    match found {
        Some(Record { driver: Some(driver), .. }) => {
            write(function, &drivers.join(driver).join("bind"), &function.address)
        }
        Some(Record { driver: None, .. }) => Ok(()),
        None => write(function, &machine.pci("drivers_probe"), &function.address),
    }
}

/// Which driver may have the function: this one only, or any that knows it.
fn reserve(function: &Function, driver: Option<&str>) -> Result<(), Failure> {
    // An empty line takes the reservation back; an empty write would not reach the kernel at all.
    write(function, &function.path("driver_override"), driver.unwrap_or("\n"))
}

fn write(function: &Function, path: &Path, word: &str) -> Result<(), Failure> {
    tell(path, word).map_err(|error| {
        let cause = format!("{}: {}: {error}", function.address, path.display());
        match error.kind() {
            io::ErrorKind::PermissionDenied => Failure::open(cause, "Run it as root, with sudo"),
            _ => Failure::failed(cause, "`sudo dmesg | tail` may say why the kernel refuses"),
        }
    })
}

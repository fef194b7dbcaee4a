// bus · PCI, vfio-user
// One object-safe trait for all ways to a function; the way is chosen by the form of the address.

//! Ways to reach a PCI function: one trait, so that a driver does not know which one it runs on.
//!
//! | address | way | needs |
//! |---|---|---|
//! | `unix:/path` | a vfio-user socket, see [`vfio_user`] | nothing |
//! | `0000:03:00.0`, bound to vfio-pci | kernel VFIO, see [`vfio`] | the node of its group, a limit of locked memory |
//! | `0000:03:00.0`, anything else | sysfs, see [`sysfs`] | root, hugepages |
//!
//! `RINGWAY_SYSFS` in the environment replaces `/sys/bus/pci/devices`.
//!
//! [`Function`] is public so that you can bring a way of your own to
//! [`Device::open_on`](crate::Device::open_on), for example one that records every access.

use std::os::fd::BorrowedFd;
use std::sync::Arc;

use crate::dma::DmaMemory;
use crate::error::{Error, Result};
use crate::mmio::Window;
use pci::PciFunction;
pub(crate) use watch::Watch;
use wire::pci_command;

mod bytes;
#[cfg(test)]
pub(crate) mod fake;
mod pci;
mod region;
pub mod sysfs;
#[cfg(test)]
pub(crate) mod tree;
pub mod vfio;
pub mod vfio_user;
mod watch;
#[rustfmt::skip]
pub(crate) mod wire;

/// How a function is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// A vfio-user socket: the other end is another process, with no hardware and no privileges.
    VfioUser,
    /// Kernel VFIO: a card behind an IOMMU, which keeps it within the DMA memory.
    Vfio,
    /// The kernel's files: a card that reaches all of the machine's memory.
    Sysfs,
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Way::VfioUser => "vfio-user",
            Way::Vfio => "vfio",
            Way::Sysfs => "sysfs",
        })
    }
}

/// A PCI function that is ours until it is dropped. Dropping it ends all DMA and gives everything back.
///
/// The device's other end may be hostile or broken: no method trusts it, and none waits for more than a few seconds.
/// Every method may return [`Error::DeviceFailed`] if the device is gone or breaks the rules.
pub trait Function: Send + Sync {
    /// How the function is reached.
    fn way(&self) -> Way;

    /// The address it was opened by.
    fn address(&self) -> &str;

    /// Size of a region in bytes, 0 if there is none. Regions 0 to 5 are the BARs, [`CONFIG_SPACE`] is 7.
    fn size(&self, region: u32) -> u64;

    /// The parts of a region that are mapped into this process; everything else is reached by `read` and `write`.
    fn windows(&self, region: u32) -> Vec<Arc<Window>>;

    /// Takes the function from its present owner, if it has one, for use with `memory`. Before this it has only been
    /// looked at; once it is dropped it is as it was found. Windows may only be there afterwards.
    ///
    /// # Errors
    /// [`Error::PermissionDenied`] if the owner needs it, [`Error::Unsupported`] if it cannot use `memory`.
    fn claim(&self, _memory: &DmaMemory) -> Result<()> {
        Ok(())
    }

    /// Reads from the device itself (a message, or a load from a register of a card), after everything that was
    /// written before.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    fn read(&self, region: u32, offset: u64, bytes: &mut [u8]) -> Result<()>;

    /// Writes to the device itself; it has been carried out when this returns.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    fn write(&self, region: u32, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Like `write`, but may return before it has been carried out, and failures may go unnoticed.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    fn post(&self, region: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        self.write(region, offset, bytes)
    }

    /// Lets the function see `memory`, at the addresses of [`DmaMemory::runs`].
    ///
    /// # Errors
    /// [`Error::DeviceFailed`], or [`Error::OutOfMemory`] if the way has a limit that this exceeds.
    fn map_dma(&self, memory: &DmaMemory) -> Result<()>;

    /// Takes `memory` away from the function; it does not touch it any more when this returns.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    fn unmap_dma(&self, memory: &DmaMemory) -> Result<()>;

    /// Number of MSI-X vectors.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    fn vectors(&self) -> Result<u32>;

    /// Has the MSI-X vectors from `first` on signalled by `events`, one eventfd each.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`], [`Error::Unsupported`] if there are not so many vectors.
    fn bind_vectors(&self, first: u32, events: &[BorrowedFd<'_>]) -> Result<()>;

    /// Turns all MSI-X vectors off.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    fn unbind_vectors(&self) -> Result<()>;

    /// Resets the function by the way's own means (not by a register of the device).
    ///
    /// # Errors
    /// [`Error::DeviceFailed`], [`Error::Unsupported`] if the way has none.
    fn reset(&self) -> Result<()>;

    /// Looks whether the device is still there, without waiting. Cheap, but a system call or two.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`] if it is gone.
    fn check(&self) -> Result<()>;
}

/// Region number of the PCI configuration space.
pub const CONFIG_SPACE: u32 = wire::region::CONFIG;

/// Reaches the function at `address`; the form of the address says by which way.
///
/// # Errors
/// [`Error::NoSuchDevice`], [`Error::PermissionDenied`], [`Error::Unsupported`] if the machine lacks what the way needs.
pub fn open(address: &str) -> Result<Arc<dyn Function>> {
    if let Some(path) = address.strip_prefix("unix:") {
        return Ok(Arc::new(vfio_user::VfioUser::connect(path)?));
    }
    let function = PciFunction::find(&pci::devices(), address)?;
    if function.is_on_vfio() {
        return Ok(Arc::new(vfio::Vfio::open(vfio::Session::of_this_process(), &function)?));
    }
    Ok(Arc::new(sysfs::Sysfs::open(function)?))
}

/// True if the device at `address` is reached over sysfs, and therefore needs DMA memory of hugepages. Refuses a device
/// that would be refused later: nobody should look for hugepages in vain.
pub(crate) fn wants_hugepages(address: &str) -> Result<bool> {
    if address.starts_with("unix:") {
        return Ok(false);
    }
    let function = PciFunction::find(&pci::devices(), address)?;
    if function.is_on_vfio() {
        return Ok(false);
    }
    sysfs::Sysfs::open(function).map(|_| true)
}

/// PCI vendor and device id.
///
/// # Errors
/// Those of [`Function::read`].
pub fn identity(function: &dyn Function) -> Result<(u16, u16)> {
    let mut bytes = [0; 4];
    function.read(CONFIG_SPACE, 0, &mut bytes)?;
    Ok((u16::from_le_bytes([bytes[0], bytes[1]]), u16::from_le_bytes([bytes[2], bytes[3]])))
}

/// Lets the function answer on its BARs: the memory bit of its command register.
///
/// # Errors
/// Those of [`Function::read`] and [`Function::write`].
pub fn enable_memory(function: &dyn Function) -> Result<()> {
    command(function, |word| word | pci_command::MEMORY)
}

/// Lets the function do DMA: the bus master bit of its command register. It should have been reset before, or it goes
/// on with what the last driver told it.
///
/// # Errors
/// Those of [`Function::read`] and [`Function::write`].
pub fn enable_dma(function: &dyn Function) -> Result<()> {
    command(function, |word| word | pci_command::MASTER)
}

/// Forbids the function to do DMA.
///
/// # Errors
/// Those of [`Function::read`] and [`Function::write`].
pub fn disable_dma(function: &dyn Function) -> Result<()> {
    command(function, |word| word & !pci_command::MASTER)
}

fn command(function: &dyn Function, change: impl FnOnce(u16) -> u16) -> Result<()> {
    let mut bytes = [0; 2];
    function.read(CONFIG_SPACE, wire::pci::COMMAND, &mut bytes)?;
    function.write(CONFIG_SPACE, wire::pci::COMMAND, &change(u16::from_le_bytes(bytes)).to_le_bytes())
}

/// Refuses vectors beyond the `count` that there are.
fn check_vectors(count: u32, first: u32, wanted: usize) -> Result<()> {
    if (first as usize).saturating_add(wanted) <= count as usize {
        return Ok(());
    }
    Err(Error::Unsupported(format!("{wanted} interrupt vectors from {first} on, of {count}")))
}

/// The window that has the 32-bit register at `offset`, if that is what is asked for.
fn covering(windows: &[Arc<Window>], offset: u64, bytes: usize) -> Option<&Window> {
    let offset = u32::try_from(offset).ok().filter(|_| bytes == 4)?;
    windows.iter().map(|window| &**window).find(|window| window.covers(offset))
}

/// A card that was pulled out reads as ones, also where config space has a class. Vendor and device id will not do:
/// vfio-pci remembers them.
fn check_presence(function: &dyn Function) -> Result<()> {
    let mut bytes = [0; 4];
    function.read(CONFIG_SPACE, wire::pci::REVISION_ID, &mut bytes)?;
    if bytes != [0xFF; 4] {
        return Ok(());
    }
    Err(Error::DeviceFailed(format!("{}: the device is gone: it was removed", function.address())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(address: &str) -> Error {
        open(address).map(|_| ()).unwrap_err()
    }

    #[test]
    fn a_function_that_is_not_there_is_no_device() {
        let error = refusal("ffff:ff:1f.7");
        assert_eq!(error.kind(), "NoSuchDevice");
        assert!(error.to_string().contains("ringway list"), "{error}");
    }

    #[test]
    fn anything_else_is_no_address() {
        for address in ["", "eth0", "unix", "/tmp/nic0", "03:00", "zz:00.0", "0000:03:00.0x"] {
            assert_eq!(refusal(address).kind(), "NoSuchDevice", "{address}");
        }
    }

    #[test]
    fn enabling_sets_memory_and_bus_master_and_keeps_the_rest() {
        let fake = fake::Fake::with_window(0x1000, 0x1000);
        fake.write(CONFIG_SPACE, wire::pci::COMMAND, &[0, 4]).unwrap();
        enable_memory(&*fake).unwrap();
        enable_dma(&*fake).unwrap();
        let mut bytes = [0; 2];
        fake.read(CONFIG_SPACE, wire::pci::COMMAND, &mut bytes).unwrap();
        assert_eq!(bytes, [6, 4]);
        disable_dma(&*fake).unwrap();
        fake.read(CONFIG_SPACE, wire::pci::COMMAND, &mut bytes).unwrap();
        assert_eq!(bytes, [2, 4]);
    }
}

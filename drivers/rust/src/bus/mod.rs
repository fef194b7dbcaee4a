// bus · PCI, vfio-user
// One object-safe trait for all ways to a function; the way is chosen by the form of the address.

//! Ways to reach a PCI function: one trait, so that a driver does not know which one it runs on.
//!
//! | address | way | state |
//! |---|---|---|
//! | `unix:/path` | a vfio-user socket, see [`vfio_user`] | works, needs no privileges |
//! | `0000:03:00.0` | kernel VFIO, or sysfs | not built yet: [`Error::Unsupported`] says so |
//!
//! [`Function`] is public so that you can bring a way of your own to
//! [`Device::open_on`](crate::Device::open_on), for example one that records every access.

use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::dma::DmaMemory;
use crate::error::{Error, Result};
use crate::mmio::Window;
use wire::{pci, pci_command};

#[cfg(test)]
pub(crate) mod fake;
pub mod vfio_user;
#[rustfmt::skip]
pub(crate) mod wire;

/// How a function is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// A vfio-user socket: the other end is another process, with no hardware and no privileges.
    VfioUser,
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Way::VfioUser => "vfio-user",
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

    /// Reads from the device itself (never from a window), after everything that was written before.
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

    /// Lets the function see `memory`, from [`DmaMemory::IOVA`] on.
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

    /// Looks whether the device is still there, without waiting and without an access to it.
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
/// [`Error::NoSuchDevice`], [`Error::PermissionDenied`], [`Error::Unsupported`] for ways that are not built yet.
pub fn open(address: &str) -> Result<Arc<dyn Function>> {
    if let Some(path) = address.strip_prefix("unix:") {
        return Ok(Arc::new(vfio_user::VfioUser::connect(path)?));
    }
    if is_pci(address) {
        let message = format!(
            "{address} is a PCI address, and the ways to real cards (kernel VFIO, sysfs) are not built yet; \
             use unix:/path of a software NIC"
        );
        return Err(Error::Unsupported(message));
    }
    let reason = "an address is unix:/path of a vfio-user socket or domain:bus:device.function".into();
    Err(Error::NoSuchDevice { address: address.into(), reason })
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
    function.read(CONFIG_SPACE, pci::COMMAND, &mut bytes)?;
    function.write(CONFIG_SPACE, pci::COMMAND, &change(u16::from_le_bytes(bytes)).to_le_bytes())
}

/// `0000:03:00.0`, the domain may be missing.
fn is_pci(address: &str) -> bool {
    let Some((bus, function)) = address.rsplit_once('.') else { return false };
    let parts: Vec<&str> = bus.split(':').collect();
    let hex = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    function.len() == 1 && (2..=3).contains(&parts.len()) && parts.iter().all(hex) && hex(&function)
}

/// Notices a dead peer although the driver only polls memory: every few polls in vain it looks at the clock, and every
/// few milliseconds at the device.
pub(crate) struct Watch {
    function: Arc<dyn Function>,
    polls: u32,
    checked: Instant,
}

impl Watch {
    const POLLS: u32 = 16;
    const INTERVAL: Duration = Duration::from_millis(20);

    pub(crate) fn new(function: Arc<dyn Function>) -> Watch {
        Watch { function, polls: 0, checked: Instant::now() }
    }

    /// To be called after each poll in vain.
    #[inline]
    pub(crate) fn in_vain(&mut self) -> Result<()> {
        self.polls += 1;
        if self.polls < Watch::POLLS { Ok(()) } else { self.look() }
    }

    #[cold]
    fn look(&mut self) -> Result<()> {
        self.polls = 0;
        if self.checked.elapsed() >= Watch::INTERVAL {
            self.checked = Instant::now();
            self.function.check()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(address: &str) -> Error {
        open(address).map(|_| ()).unwrap_err()
    }

    #[test]
    fn a_pci_address_says_that_this_way_is_not_built_yet() {
        for address in ["0000:03:00.0", "03:00.1"] {
            let error = refusal(address);
            assert_eq!(error.kind(), "Unsupported");
            assert!(error.to_string().contains("not built yet"), "{error}");
        }
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
        fake.write(CONFIG_SPACE, pci::COMMAND, &[0, 4]).unwrap();
        enable_memory(&*fake).unwrap();
        enable_dma(&*fake).unwrap();
        let mut bytes = [0; 2];
        fake.read(CONFIG_SPACE, pci::COMMAND, &mut bytes).unwrap();
        assert_eq!(bytes, [6, 4]);
        disable_dma(&*fake).unwrap();
        fake.read(CONFIG_SPACE, pci::COMMAND, &mut bytes).unwrap();
        assert_eq!(bytes, [2, 4]);
    }
}

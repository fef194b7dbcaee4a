// bus/sysfs · Linux ABI: sysfs-bus-pci
// What is taken on the way in is held by values whose drop gives it back, so that every early return leaves the card as
// it was found.

//! sysfs: the kernel's own files of a function, for root.
//!
//! `resource0` is mapped, `config` read and written. There is no IOMMU between the card and memory: it is given the
//! physical addresses of hugepages ([`DmaMemory::huge`]), and nothing but this driver's care keeps it within them.
//! Kernel VFIO is better wherever there is an IOMMU.

mod claim;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::os::fd::BorrowedFd;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, OnceLock};

use super::pci::PciFunction;
use super::wire::region;
use super::{CONFIG_SPACE, Function, Way, check_vectors, covering};
use crate::dma::DmaMemory;
use crate::error::{Error, Result};
use crate::mmio::Window;
use claim::Claim;

/// A function that is reached by its files in sysfs.
///
/// Opening reads and nothing else. [`Function::claim`] takes it from the kernel's driver, which gets it back when this
/// is dropped.
pub struct Sysfs {
    claim: OnceLock<Claim>,
    config: Arc<File>,
    function: PciFunction,
}

impl Sysfs {
    /// Opens a function, after a look at what it is.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it is no network card or an IOMMU is in the way, [`Error::PermissionDenied`] if the
    /// kernel uses one of its interfaces or its files may not be opened.
    pub(crate) fn open(function: PciFunction) -> Result<Sysfs> {
        let name = function.name();
        if !function.is_ethernet() {
            let class = function.number("class").unwrap_or(0);
            return Err(Error::Unsupported(format!(
                "{name} is no Ethernet controller (PCI class {class:#08x}); nothing was done to it"
            )));
        }
        if let Some(mode) = translation(&function) {
            return Err(Error::Unsupported(format!(
                "an IOMMU translates for {name} ({mode}), which cannot be given physical addresses; \
                 use VFIO: sudo ringway bind {name} --user $USER"
            )));
        }
        claim::refuse_if_up(&function)?;
        let config = Arc::new(function.open("config")?);
        Ok(Sysfs { claim: OnceLock::new(), config, function })
    }

    fn window(&self, region: u32, offset: u64, bytes: usize) -> Option<&Window> {
        let claim = self.claim.get().filter(|_| region == region::BAR0)?;
        covering(std::slice::from_ref(&claim.window), offset, bytes)
    }

    fn gone(&self, doing: &str) -> Error {
        Error::DeviceFailed(format!("{}: {doing}: the device is gone", self.function.name()))
    }
}

/// How the IOMMU treats DMA of the function, if it translates addresses.
fn translation(function: &PciFunction) -> Option<String> {
    let mode = std::fs::read_to_string(function.path("iommu_group/type")).ok()?;
    let mode = mode.trim();
    (mode != "identity").then(|| mode.to_owned())
}

impl Function for Sysfs {
    fn way(&self) -> Way {
        Way::Sysfs
    }

    fn address(&self) -> &str {
        self.function.name()
    }

    fn size(&self, region: u32) -> u64 {
        let name = match region {
            CONFIG_SPACE => "config".to_owned(),
            bar => format!("resource{bar}"),
        };
        std::fs::metadata(self.function.path(&name)).map_or(0, |file| file.len())
    }

    fn windows(&self, region: u32) -> Vec<Arc<Window>> {
        let claim = self.claim.get().filter(|_| region == region::BAR0);
        claim.map_or(Vec::new(), |claim| vec![claim.window.clone()])
    }

    /// Config space by its file. A register by a load, whose effects are those of the card.
    fn read(&self, region: u32, offset: u64, bytes: &mut [u8]) -> Result<()> {
        if let Some(window) = self.window(region, offset, bytes.len()) {
            bytes.copy_from_slice(&window.load(offset as u32).to_le_bytes());
            return Ok(());
        }
        let read = region == CONFIG_SPACE && self.config.read_exact_at(bytes, offset).is_ok();
        if read { Ok(()) } else { Err(self.gone(&format!("reading {offset:#x} of region {region}"))) }
    }

    fn write(&self, region: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        if let (Some(window), Ok(word)) = (self.window(region, offset, bytes.len()), bytes.try_into()) {
            window.store(offset as u32, u32::from_le_bytes(word));
            return Ok(());
        }
        let written = region == CONFIG_SPACE && self.config.write_all_at(bytes, offset).is_ok();
        if written { Ok(()) } else { Err(self.gone(&format!("writing {offset:#x} of region {region}"))) }
    }

    fn claim(&self, memory: &DmaMemory) -> Result<()> {
        let name = self.function.name();
        if !memory.is_physical() {
            return Err(Error::Unsupported(format!(
                "{name} is reached over sysfs, which needs memory of hugepages; make it with DmaMemory::for_devices"
            )));
        }
        let claim = Claim::take(&self.function, &self.config)?;
        self.claim.set(claim).map_err(|_| Error::PermissionDenied {
            what: format!("{name} is open already"),
            remedy: "close it first".into(),
        })
    }

    /// The card reaches all memory as it is; this only makes sure that it is given addresses that it can use.
    fn map_dma(&self, memory: &DmaMemory) -> Result<()> {
        match memory.is_physical() {
            true => Ok(()),
            false => Err(Error::Unsupported("DMA memory without physical addresses, over sysfs".into())),
        }
    }

    fn unmap_dma(&self, _memory: &DmaMemory) -> Result<()> {
        Ok(())
    }

    fn vectors(&self) -> Result<u32> {
        Ok(0)
    }

    fn bind_vectors(&self, first: u32, events: &[BorrowedFd<'_>]) -> Result<()> {
        check_vectors(0, first, events.len())
    }

    fn unbind_vectors(&self) -> Result<()> {
        Ok(())
    }

    fn reset(&self) -> Result<()> {
        let path = self.function.path("reset");
        if !path.exists() {
            return Err(Error::Unsupported(format!("{}: a reset by the bus", self.function.name())));
        }
        std::fs::write(&path, "1").map_err(|error| self.function.refused(&path, &error))
    }

    fn check(&self) -> Result<()> {
        super::check_presence(self)
    }
}

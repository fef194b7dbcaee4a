//! The NIC as a PCI function that can be served to a driver.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::io::Errno;

use super::doorbells::{AREAS, BAR_BYTES, WHOLE};
use super::interrupts::VECTORS;
use super::nic::{Doorbells, Nic};
use super::pci::{CONFIG_BYTES, MSIX_BAR_BYTES};
use crate::clock::Nanos;
use crate::device::{Area, Attention, Device, Region};
use crate::events::Event;
use crate::memory::ClientMemory;

/// Region indexes of VFIO.
mod region {
    pub const BAR0: u32 = 0;
    pub const BAR3: u32 = 3;
    pub const CONFIG: u32 = 7;
}

/// Interrupt indexes of VFIO.
mod irq {
    pub const MSI: u32 = 1;
    pub const MSIX: u32 = 2;
}

static REGIONS: [Region; 8] = {
    const fn present(size: usize) -> Region {
        Region { size: size as u64, readable: true, writable: true }
    }
    const ABSENT: Region = Region { size: 0, readable: false, writable: false };
    let mut regions = [ABSENT; 8];
    regions[region::BAR0 as usize] = present(BAR_BYTES);
    regions[region::BAR3 as usize] = present(MSIX_BAR_BYTES);
    regions[region::CONFIG as usize] = present(CONFIG_BYTES);
    regions
};

/// Checks an access to BAR0: whole dwords only, as the card demands (82599 8.1.1.2), inside the BAR.
fn dwords(offset: u64, length: usize) -> Result<std::ops::Range<u32>, Errno> {
    let end = offset.checked_add(length as u64).filter(|end| *end <= BAR_BYTES as u64).ok_or(Errno::INVAL)?;
    if offset.is_multiple_of(4) && length.is_multiple_of(4) {
        Ok(offset as u32..end as u32)
    } else {
        Err(Errno::INVAL)
    }
}

impl Device for Nic {
    fn regions(&self) -> &[Region] {
        &REGIONS
    }

    fn mappable(&self, region: u32) -> Option<(BorrowedFd<'_>, &[Area])> {
        let areas = match self.config.doorbells {
            Doorbells::Mapped => &AREAS[..],
            Doorbells::Plain => &WHOLE[..],
            Doorbells::Trapped => return None,
        };
        (region == region::BAR0).then(|| (self.host.registers.pages().file(), areas))
    }

    fn vectors(&self, index: u32) -> u32 {
        match index {
            irq::MSI => 1,
            irq::MSIX => VECTORS as u32,
            _ => 0,
        }
    }

    fn read(&mut self, region: u32, offset: u64, data: &mut [u8]) -> Result<(), Errno> {
        let at = usize::try_from(offset).map_err(|_| Errno::INVAL)?;
        match region {
            region::BAR0 => {
                let offsets = dwords(offset, data.len())?.step_by(4);
                for (offset, bytes) in offsets.zip(data.chunks_exact_mut(4)) {
                    bytes.copy_from_slice(&self.read_register(offset).to_le_bytes());
                }
                Ok(())
            }
            region::BAR3 => self.msix.read(at, data).ok_or(Errno::INVAL),
            region::CONFIG => self.host.config.read(at, data).ok_or(Errno::INVAL),
            _ => Err(Errno::INVAL),
        }
    }

    fn write(&mut self, region: u32, offset: u64, data: &[u8]) -> Result<(), Errno> {
        let at = usize::try_from(offset).map_err(|_| Errno::INVAL)?;
        match region {
            region::BAR0 => {
                let offsets = dwords(offset, data.len())?.step_by(4);
                for (offset, bytes) in offsets.zip(data.chunks_exact(4)) {
                    self.write_register(offset, u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
                }
                self.publish_plain_bar();
                Ok(())
            }
            region::BAR3 => self.msix.write(at, data).ok_or(Errno::INVAL),
            region::CONFIG => self.write_config(at, data),
            _ => Err(Errno::INVAL),
        }
    }

    fn bind_vector(&mut self, index: u32, vector: u32, eventfd: Option<OwnedFd>) -> Result<(), Errno> {
        match (index, vector) {
            (irq::MSIX, vector) => self.host.interrupts.bind(vector, eventfd),
            (irq::MSI, 0) => {
                self.host.interrupts.bind_message(eventfd);
                Ok(())
            }
            _ => Err(Errno::INVAL),
        }
    }

    fn trigger(&mut self, index: u32, vector: u32) -> Result<(), Errno> {
        if vector >= self.vectors(index) {
            return Err(Errno::INVAL);
        }
        self.host.interrupts.signal(vector as usize);
        Ok(())
    }

    fn reset(&mut self) {
        self.function_reset();
    }

    fn memory(&mut self) -> &mut ClientMemory {
        &mut self.host.memory
    }

    fn synchronise(&mut self) {
        match self.config.doorbells {
            Doorbells::Mapped => self.look_at_pages(),
            Doorbells::Plain => self.look_at_plain_bar(true),
            Doorbells::Trapped => return,
        }
        self.tell();
    }

    fn settle(&mut self) {
        self.synchronise();
        self.settle_plain_bar();
    }

    fn config_is_known(&mut self) {
        self.plain_config_is_known();
    }

    fn plugged_in(&mut self) {
        self.blank_plain_bar();
        self.power_up();
        self.publish_plain_bar();
    }

    fn watched(&self) -> &'static [u32] {
        match self.config.doorbells {
            Doorbells::Plain => &super::plain::WATCHED,
            _ => &[],
        }
    }

    fn access_noticed(&mut self, offset: u32) {
        self.plain_access(offset);
    }

    fn attention(&self) -> Attention {
        // Once packets may flow, nobody waits for registers; and a driver on the same core wants it for itself.
        let running = self.rx.is_running() || self.tx.is_running();
        let bar = self.plain.as_ref().filter(|_| self.client && !running);
        bar.map_or(Attention::Relaxed, |bar| bar.attention(self.host.now))
    }

    fn memory_changed(&mut self, iova: u64, size: u64, mapped: bool) {
        self.host.log.registers(|| Event::MemoryMapped { iova, size, mapped });
        self.tell();
    }

    fn hangs_up(&mut self) -> bool {
        std::mem::take(&mut self.host.hang_up)
    }

    fn attached(&mut self) {
        self.client_came();
    }

    fn detached(&mut self) {
        self.client_left();
    }

    fn poll(&mut self, now: Nanos) -> usize {
        self.round(now)
    }
}

impl Nic {
    fn write_config(&mut self, at: usize, data: &[u8]) -> Result<(), Errno> {
        let reset = self.host.config.write(at, data).ok_or(Errno::INVAL)?;
        for (offset, bytes) in (at as u32..).step_by(4).zip(data.chunks(4)) {
            let mut value = [0; 4];
            value[..bytes.len()].copy_from_slice(bytes);
            let (length, value) = (bytes.len() as u32, u32::from_le_bytes(value));
            self.host.log.registers(|| Event::ConfigWrite { offset, length, value });
        }
        self.tell();
        if reset {
            self.function_reset();
        }
        Ok(())
    }
}

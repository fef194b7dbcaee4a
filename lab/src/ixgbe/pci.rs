//! PCI configuration space of the function.
//!
//! Capabilities where the real card has them: power management 0x40, MSI 0x50, MSI-X 0x70, PCI Express 0xA0
//! (82599 9.3). Addresses in the BARs mean nothing without a bus, but their type bits and sizes do: a driver may
//! write all ones and read the size back.

/// Bytes of the conventional and extended configuration space.
pub const CONFIG_BYTES: usize = 4096;

/// Bytes of BAR3: MSI-X table at 0, pending bits at 0x2000.
pub const MSIX_BAR_BYTES: usize = 0x4000;

/// Interrupt vectors of the function.
pub const MSIX_VECTORS: u16 = 64;

const VENDOR: u16 = 0x8086;
const DEVICE: u16 = 0x10FB;

mod at {
    pub const COMMAND: usize = 0x04;
    pub const BAR: usize = 0x10;
    pub const CAPABILITIES: usize = 0x34;
    pub const POWER: usize = 0x40;
    pub const MSI: usize = 0x50;
    pub const MSIX: usize = 0x70;
    pub const EXPRESS: usize = 0xA0;
}

const COMMAND_BUS_MASTER: u8 = 1 << 2;
/// Bits of the command register that can be set: I/O, memory, bus master, parity, SERR, interrupt disable.
const COMMAND_WRITABLE: u16 = 0x0547;
/// 64-bit prefetchable memory.
const BAR_TYPE: u32 = 0xC;

/// The configuration space: bytes, and which bits of them can be written.
#[derive(Debug)]
pub struct ConfigSpace {
    bytes: Box<[u8; CONFIG_BYTES]>,
    writable: Box<[u8; CONFIG_BYTES]>,
}

impl ConfigSpace {
    /// As after power-up: memory access and bus mastering off.
    pub fn new() -> Self {
        let mut space =
            ConfigSpace { bytes: Box::new([0; CONFIG_BYTES]), writable: Box::new([0; CONFIG_BYTES]) };
        space.header();
        space.power_management();
        space.msi();
        space.msix();
        space.express();
        space
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn allow(&mut self, at: usize, mask: &[u8]) {
        self.writable[at..at + mask.len()].copy_from_slice(mask);
    }

    fn header(&mut self) {
        self.put(0x00, &VENDOR.to_le_bytes());
        self.put(0x02, &DEVICE.to_le_bytes());
        self.allow(at::COMMAND, &COMMAND_WRITABLE.to_le_bytes());
        // Status: capabilities list present.
        self.put(0x06, &0x0010u16.to_le_bytes());
        // Revision 1, class 0x020000 (Ethernet controller).
        self.put(0x08, &[0x01, 0x00, 0x00, 0x02]);
        self.allow(0x0C, &[0xFF]);
        self.bar(0, super::doorbells::BAR_BYTES as u32);
        self.bar(3, MSIX_BAR_BYTES as u32);
        // Subsystem: Intel Ethernet Server Adapter X520-1.
        self.put(0x2C, &VENDOR.to_le_bytes());
        self.put(0x2E, &0x000Au16.to_le_bytes());
        self.put(at::CAPABILITIES, &[at::POWER as u8]);
        self.allow(0x3C, &[0xFF]);
        // Interrupt pin A.
        self.put(0x3D, &[1]);
    }

    /// A 64-bit BAR: address bits below the size read as zero, which is how software finds the size.
    fn bar(&mut self, index: usize, size: u32) {
        let at = at::BAR + 4 * index;
        self.put(at, &BAR_TYPE.to_le_bytes());
        self.allow(at, &(!(size - 1)).to_le_bytes());
        self.allow(at + 4, &[0xFF; 4]);
    }

    fn power_management(&mut self) {
        self.put(at::POWER, &[0x01, at::MSI as u8, 0x23, 0x48]);
        // Power state D0 to D3 and PME enable.
        self.allow(at::POWER + 4, &[0x03, 0x01]);
    }

    fn msi(&mut self) {
        // One vector, 64-bit address, mask bits.
        self.put(at::MSI, &[0x05, at::MSIX as u8, 0x80, 0x01]);
        self.allow(at::MSI + 2, &[0x71]);
        self.allow(at::MSI + 4, &[0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
        self.allow(at::MSI + 16, &[0x01]);
    }

    fn msix(&mut self) {
        self.put(at::MSIX, &[0x11, at::EXPRESS as u8]);
        self.put(at::MSIX + 2, &(MSIX_VECTORS - 1).to_le_bytes());
        // Function mask and enable.
        self.allow(at::MSIX + 3, &[0xC0]);
        // Table in BAR3 at 0, pending bits in BAR3 at 0x2000.
        self.put(at::MSIX + 4, &3u32.to_le_bytes());
        self.put(at::MSIX + 8, &0x2003u32.to_le_bytes());
    }

    fn express(&mut self) {
        // Endpoint, version 2; end of the list.
        self.put(at::EXPRESS, &[0x10, 0x00, 0x02, 0x00]);
        // Device capabilities: 512 byte payload, function level reset.
        self.put(at::EXPRESS + 4, &0x1000_8CC2u32.to_le_bytes());
        self.allow(at::EXPRESS + 8, &[0xFF, 0x7F]);
        self.put(at::EXPRESS + 8, &0x2810u16.to_le_bytes());
        // Link: 5 GT/s, eight lanes, and running so.
        self.put(at::EXPRESS + 0x0C, &0x0000_0482u32.to_le_bytes());
        self.allow(at::EXPRESS + 0x10, &[0xDB]);
        self.put(at::EXPRESS + 0x12, &0x1082u16.to_le_bytes());
        // Device control 2: completion timeout.
        self.put(at::EXPRESS + 0x24, &0x0000_001Fu32.to_le_bytes());
        self.allow(at::EXPRESS + 0x28, &[0x1F]);
    }

    /// Reads `data.len()` bytes from `offset`; `None` if the range leaves the space.
    pub fn read(&self, offset: usize, data: &mut [u8]) -> Option<()> {
        data.copy_from_slice(self.bytes.get(offset..offset.checked_add(data.len())?)?);
        Some(())
    }

    /// Writes, as far as bits are writable; `None` if the range leaves the space. Returns whether the driver asked
    /// for a function level reset (device control bit 15, which reads as zero).
    pub fn write(&mut self, offset: usize, data: &[u8]) -> Option<bool> {
        let end = offset.checked_add(data.len())?;
        let writable = self.writable.get(offset..end)?;
        for ((byte, mask), new) in self.bytes[offset..end].iter_mut().zip(writable).zip(data) {
            *byte = (*byte & !mask) | (new & mask);
        }
        let control = at::EXPRESS + 9;
        Some((offset..end).contains(&control) && data[control - offset] & 0x80 != 0)
    }

    /// The function may start DMA and interrupts.
    #[inline]
    pub fn bus_master(&self) -> bool {
        self.bytes[at::COMMAND] & COMMAND_BUS_MASTER != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<const N: usize>(space: &ConfigSpace, at: usize) -> [u8; N] {
        let mut data = [0; N];
        space.read(at, &mut data).unwrap();
        data
    }

    #[test]
    fn identity_and_class() {
        let space = ConfigSpace::new();
        assert_eq!(read(&space, 0), [0x86, 0x80, 0xFB, 0x10]);
        assert_eq!(read(&space, 9), [0x00, 0x00, 0x02]);
    }

    #[test]
    fn the_capability_list_is_walkable() {
        let space = ConfigSpace::new();
        let mut found = Vec::new();
        let [mut at] = read(&space, at::CAPABILITIES);
        while at != 0 {
            let [id, next] = read(&space, at.into());
            found.push((id, at));
            at = next;
        }
        assert_eq!(found, [(0x01, 0x40), (0x05, 0x50), (0x11, 0x70), (0x10, 0xA0)]);
        assert_eq!(read(&space, 0x72), [63, 0], "64 vectors");
    }

    #[test]
    fn bars_tell_their_size() {
        let mut space = ConfigSpace::new();
        space.write(0x10, &[0xFF; 8]).unwrap();
        assert_eq!(read(&space, 0x10), 0xFFFE_000Cu32.to_le_bytes());
        assert_eq!(read(&space, 0x14), [0xFF; 4]);
        space.write(0x1C, &[0xFF; 4]).unwrap();
        assert_eq!(read(&space, 0x1C), 0xFFFF_C00Cu32.to_le_bytes());
    }

    #[test]
    fn bus_master_starts_cleared_and_identity_cannot_be_written() {
        let mut space = ConfigSpace::new();
        assert!(!space.bus_master());
        space.write(4, &[6, 0]).unwrap();
        assert!(space.bus_master());
        space.write(0, &[0; 4]).unwrap();
        assert_eq!(read(&space, 0), [0x86, 0x80, 0xFB, 0x10]);
    }

    #[test]
    fn asks_for_a_function_level_reset_once() {
        let mut space = ConfigSpace::new();
        assert_eq!(space.write(0xA8, &[0x10, 0xA8]), Some(true));
        assert_eq!(read(&space, 0xA8), [0x10, 0x28]);
        assert_eq!(space.write(0xA8, &[0x10]), Some(false));
    }

    #[test]
    fn out_of_range_is_refused() {
        let mut space = ConfigSpace::new();
        assert_eq!(space.read(4095, &mut [0; 2]), None);
        assert_eq!(space.write(usize::MAX, &[0; 2]), None);
    }
}

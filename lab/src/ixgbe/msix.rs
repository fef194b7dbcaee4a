//! BAR3: the MSI-X table and the pending bits. Under VFIO they belong to the host, which binds eventfds instead;
//! they are here so that a driver which looks finds them.

use super::pci::{MSIX_BAR_BYTES, MSIX_VECTORS};

/// Bytes of the table.
const TABLE_BYTES: usize = MSIX_VECTORS as usize * ENTRY_BYTES;
/// Bytes of an entry: address, data, control.
const ENTRY_BYTES: usize = 16;
/// First byte of the control word.
const CONTROL: usize = 12;

/// Contents of the BAR.
#[derive(Debug)]
pub struct MsixBar {
    table: Box<[u8; TABLE_BYTES]>,
}

impl MsixBar {
    /// All vectors masked.
    pub fn new() -> Self {
        let mut table = Box::new([0; TABLE_BYTES]);
        for entry in table.chunks_exact_mut(ENTRY_BYTES) {
            entry[CONTROL] = 1;
        }
        MsixBar { table }
    }

    /// Reads; what is not table reads as zero. `None` if the range leaves the BAR.
    pub fn read(&self, offset: usize, data: &mut [u8]) -> Option<()> {
        check(offset, data.len())?;
        for (at, byte) in (offset..).zip(data) {
            *byte = self.table.get(at).copied().unwrap_or(0);
        }
        Some(())
    }

    /// Writes; what is not table cannot be written. `None` if the range leaves the BAR.
    pub fn write(&mut self, offset: usize, data: &[u8]) -> Option<()> {
        check(offset, data.len())?;
        for (at, byte) in (offset..).zip(data) {
            if let Some(place) = self.table.get_mut(at) {
                *place = *byte;
            }
        }
        Some(())
    }
}

fn check(offset: usize, length: usize) -> Option<()> {
    (offset.checked_add(length)? <= MSIX_BAR_BYTES).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_storage_and_the_rest_is_not() {
        let mut bar = MsixBar::new();
        let mut word = [0; 4];
        bar.read(63 * 16 + 12, &mut word).unwrap();
        assert_eq!(word, [1, 0, 0, 0], "masked");
        bar.write(16, &[1, 2, 3, 4]).unwrap();
        bar.read(16, &mut word).unwrap();
        assert_eq!(word, [1, 2, 3, 4]);
        bar.write(0x2000, &[0xFF; 4]).unwrap();
        bar.read(0x2000, &mut word).unwrap();
        assert_eq!(word, [0; 4]);
        assert_eq!(bar.read(MSIX_BAR_BYTES - 1, &mut word), None);
        assert_eq!(bar.write(usize::MAX, &[0; 2]), None);
    }
}

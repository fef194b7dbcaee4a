//! The EEPROM's contents (82599 6): what drivers look for before they trust the card.

/// Words of the EEPROM, as EEC.SIZE tells (64 << 8).
pub const WORDS: usize = 0x4000;

/// Word that makes the sum of all checked words [`CHECKSUM`].
const CHECKSUM_WORD: usize = 0x3F;
/// What the checked words add up to.
const CHECKSUM: u16 = 0xBABA;
/// Words 0x03 to 0x0E point to sections, which are part of the sum.
const SECTIONS: std::ops::RangeInclusive<usize> = 0x03..=0x0E;
/// Points nowhere.
const NOWHERE: u16 = 0xFFFF;

mod word {
    pub const CONTROL: usize = 0x00;
    pub const FIRMWARE: usize = 0x0F;
    pub const PBA: usize = 0x15;
    pub const SAN_MAC: usize = 0x28;
    pub const ALTERNATIVE_SAN_MAC: usize = 0x27;
    pub const FCOE: usize = 0x33;
    pub const ISCSI: usize = 0x17;
    pub const SFP_INIT: usize = 0x2B;
    pub const CAPABILITIES: usize = 0x2C;
    pub const ETRACK: usize = 0x2D;
}

/// Where this image keeps what other words point to.
mod block {
    pub const SFP_INIT: usize = 0x80;
    pub const SFP_DATA: usize = 0x90;
    pub const FIRMWARE: usize = 0xC0;
    pub const PATCH: usize = 0xD0;
}

/// Word 0x2C: any SFP module is allowed (bit 0), no work-around for crosstalk needed (bit 7).
const CAPABILITIES: u16 = 0x0081;
/// Module kinds in the SFP list: short or long range on LAN 0 and LAN 1.
const SFP_KINDS: [u16; 2] = [5, 6];
/// Version of the patch; drivers refuse anything below 6 on fibre.
const PATCH_VERSION: u16 = 7;

/// An EEPROM.
#[derive(Debug, Clone)]
pub struct Eeprom {
    words: Box<[u16]>,
}

impl Eeprom {
    /// The image of a card with an SFP+ cage, no option ROMs and no firmware services, with a right checksum.
    pub fn new() -> Self {
        let mut eeprom = Eeprom { words: vec![NOWHERE; WORDS].into() };
        eeprom.fill_header();
        eeprom.fill_blocks();
        eeprom.seal();
        eeprom
    }

    fn fill_header(&mut self) {
        let words = &mut self.words;
        words[..=CHECKSUM_WORD].fill(0);
        words[word::CONTROL] = 0x0020;
        words[SECTIONS].fill(NOWHERE);
        words[word::FIRMWARE] = block::FIRMWARE as u16;
        // Product number 0xFAFA means that a pointer follows, so any other two words are the number itself.
        words[word::PBA] = 0xE66D;
        words[word::PBA + 1] = 0x0003;
        for pointer in [word::SAN_MAC, word::ALTERNATIVE_SAN_MAC, word::FCOE, word::ISCSI] {
            words[pointer] = NOWHERE;
        }
        words[word::SFP_INIT] = block::SFP_INIT as u16;
        words[word::CAPABILITIES] = CAPABILITIES;
        words[word::ETRACK] = 0x8000;
        words[word::ETRACK + 1] = 0x6110;
    }

    fn fill_blocks(&mut self) {
        let words = &mut self.words;
        let mut at = block::SFP_INIT;
        words[at] = 2 * SFP_KINDS.len() as u16;
        for kind in SFP_KINDS {
            words[at + 1] = kind;
            words[at + 2] = block::SFP_DATA as u16;
            at += 2;
        }
        // Length, then words for CORECTL up to 0xFFFF (already there).
        words[block::SFP_DATA] = 2;
        words[block::SFP_DATA + 1] = 0x0001;
        words[block::SFP_DATA + 2] = 0x0001;
        words[block::FIRMWARE + 4] = block::PATCH as u16;
        words[block::PATCH + 7] = PATCH_VERSION;
    }

    /// The sum as drivers form it: words 0 to 0x3E and every section pointed to.
    fn sum(&self) -> u16 {
        let header = self.words[..CHECKSUM_WORD].iter().copied().fold(0u16, u16::wrapping_add);
        let sections = SECTIONS.filter_map(|pointer| {
            let at = usize::from(self.words[pointer]);
            let length = usize::from(*self.words.get(at)?);
            (at != 0 && length != usize::from(NOWHERE)).then(|| self.words.get(at + 1..=at + length))?
        });
        sections.flatten().copied().fold(header, u16::wrapping_add)
    }

    /// Makes the checksum right.
    pub fn seal(&mut self) {
        self.words[CHECKSUM_WORD] = CHECKSUM.wrapping_sub(self.sum());
    }

    /// The word at `address`; all ones past the end.
    pub fn read(&self, address: usize) -> u16 {
        self.words.get(address).copied().unwrap_or(NOWHERE)
    }

    /// Replaces the word at `address`; nothing past the end.
    pub fn write(&mut self, address: usize, value: u16) {
        if let Some(word) = self.words.get_mut(address) {
            *word = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a driver does it (written apart from `Eeprom::sum`).
    fn driver_sum(eeprom: &Eeprom) -> u16 {
        let mut sum = 0u16;
        for address in 0..0x40 {
            sum = sum.wrapping_add(eeprom.read(address));
        }
        for pointer in 3..0xF {
            let at = eeprom.read(pointer);
            if at == 0 || at == 0xFFFF {
                continue;
            }
            let length = eeprom.read(at.into());
            for address in 1..=length {
                sum = sum.wrapping_add(eeprom.read((at + address).into()));
            }
        }
        sum
    }

    #[test]
    fn the_sum_is_baba() {
        assert_eq!(driver_sum(&Eeprom::new()), 0xBABA);
    }

    #[test]
    fn a_section_is_part_of_the_sum() {
        let mut eeprom = Eeprom::new();
        eeprom.write(0x04, 0x100);
        for (address, value) in [(0x100, 3), (0x101, 0x1234), (0x102, 0xFF00), (0x103, 9)] {
            eeprom.write(address, value);
        }
        assert_ne!(driver_sum(&eeprom), 0xBABA);
        eeprom.seal();
        assert_eq!(driver_sum(&eeprom), 0xBABA);
    }

    #[test]
    fn the_firmware_words_satisfy_a_fibre_driver() {
        let eeprom = Eeprom::new();
        let firmware = usize::from(eeprom.read(0x0F));
        assert_eq!(eeprom.read(firmware + 2), 0xFFFF, "no link management by firmware");
        let patch = usize::from(eeprom.read(firmware + 4));
        assert!(eeprom.read(patch + 7) > 5);
    }

    #[test]
    fn past_the_end_reads_as_erased() {
        let mut eeprom = Eeprom::new();
        eeprom.write(WORDS, 5);
        assert_eq!(eeprom.read(WORDS), 0xFFFF);
        assert_eq!(eeprom.read(usize::MAX), 0xFFFF);
    }

    #[test]
    fn eec_tells_the_size() {
        use crate::ixgbe::regs::{REGISTERS, eec};
        let info = REGISTERS.iter().find(|info| info.registers.name == "EEC").unwrap();
        assert_eq!(64 << eec::SIZE.get(info.reset), WORDS);
    }
}

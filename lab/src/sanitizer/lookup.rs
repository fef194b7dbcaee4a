//! From a register's offset to its name, number and fields.

use std::fmt;
use std::sync::LazyLock;

use crate::ixgbe::regs::{self, Info, Register, Registers};

/// Bytes of BAR0 that hold registers.
const BAR_BYTES: usize = 0x20000;

/// A register that was found at an offset. An alias is shown as the register it is another address of.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    /// The register (not the alias).
    pub info: &'static Info,
    /// Its number in an array.
    pub index: u16,
}

impl Found {
    /// Whether this is `register`, or one of the array `register`.
    pub fn is(&self, register: &impl Named) -> bool {
        self.info.registers.name == register.name()
    }

    /// Data-sheet name without number.
    pub fn name(&self) -> &'static str {
        self.info.registers.name
    }

    /// The number, if the register is one of several.
    pub fn number(&self) -> Option<u16> {
        self.info.array.then_some(self.index)
    }

    /// Offset of the register (not of the alias).
    pub fn home(&self) -> u32 {
        self.info.registers.at(self.index).offset
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.number() {
            Some(number) => write!(f, "[{number}]"),
            None => Ok(()),
        }
    }
}

/// A generated register or array of registers.
pub(crate) trait Named {
    /// Data-sheet name.
    fn name(&self) -> &'static str;
}

impl Named for Register {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl Named for Registers {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// Which of [`regs::REGISTERS`] a dword belongs to and which number it has there.
type Entry = Option<(u16, u16)>;

/// One entry for each dword.
static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut table = vec![None; BAR_BYTES / 4];
    for (place, info) in regs::REGISTERS.iter().enumerate() {
        let original = info.alias_of.and_then(position).unwrap_or(place);
        for number in 0..info.registers.len() {
            let slot = &mut table[info.registers.at(number).offset as usize / 4];
            // A row of its own goes before an alias, should both name the same dword.
            if slot.is_none() || info.alias_of.is_none() {
                *slot = Some((original as u16, number));
            }
        }
    }
    table
});

fn position(name: &str) -> Option<usize> {
    regs::REGISTERS.iter().position(|info| info.registers.name == name)
}

/// The register at `offset` of BAR0.
pub(crate) fn at(offset: u32) -> Option<Found> {
    let (place, index) = (*TABLE.get(offset as usize / 4)?)?;
    offset.is_multiple_of(4).then(|| Found { info: &regs::REGISTERS[usize::from(place)], index })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_in_two_banks_and_aliases_are_found() {
        assert_eq!(at(0x1018).unwrap().to_string(), "RDT[0]");
        assert_eq!(at(0xD018 + 0x40 * 3).unwrap().to_string(), "RDT[67]");
        assert_eq!(at(0x2104).unwrap().to_string(), "SRRCTL[1]", "by the 82598 address");
        assert_eq!(at(0x2104).unwrap().home(), 0x1054);
        assert_eq!(at(0x5818).unwrap().to_string(), "MRQC");
        assert_eq!(at(0x0000).unwrap().to_string(), "CTRL");
        assert!(at(0x0000).unwrap().is(&regs::CTRL) && at(0x6058).unwrap().is(&regs::TDT));
    }

    #[test]
    fn no_register_between_registers_or_past_the_end() {
        assert!(at(0x0002).is_none());
        assert!(at(0x2_0000).is_none() && at(u32::MAX).is_none());
    }
}

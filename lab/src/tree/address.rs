//! The address of a PCI function.

use std::fmt;

/// Lower buses are those of a machine's own devices.
const FIRST_BUS: u8 = 0x03;

/// Domain, bus, device and function, as `0000:03:00.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    bus: u8,
    device: u8,
}

impl Address {
    /// A bus of its own for each of 32 functions, in an order that every program that sorts them keeps.
    pub fn of_place(place: usize) -> Address {
        Address { bus: FIRST_BUS + (place / 32) as u8, device: (place % 32) as u8 }
    }

    /// The place that it is of.
    pub fn place(self) -> usize {
        usize::from(self.bus - FIRST_BUS) * 32 + usize::from(self.device)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "0000:{:02x}:{:02x}.0", self.bus, self.device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_written_as_the_kernel_writes_them() {
        assert!((0..1024).all(|place| Address::of_place(place).place() == place));
        let shown: Vec<_> = [0, 1, 31, 32].map(|place| Address::of_place(place).to_string()).into();
        assert_eq!(shown, ["0000:03:00.0", "0000:03:01.0", "0000:03:1f.0", "0000:04:00.0"]);
    }
}

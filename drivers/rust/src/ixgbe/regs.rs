//! Intel 82599 10 GbE controller: registers and descriptors.
//!
//! Generated from spec/ixgbe.toml; do not edit. After a change there: `cargo run -p ringway-spec -- generate`.

// A register in use brings all its fields along, used or not.
#![allow(dead_code)]

use core::fmt;

/// One 32-bit register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// Name in the data sheet.
    pub name: &'static str,
    /// Its number, if it is one of several.
    pub index: Option<u16>,
    /// Bytes from the start of BAR0.
    pub offset: u32,
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "{}[{index}]", self.name),
            None => f.write_str(self.name),
        }
    }
}

/// A run of equally spaced registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bank {
    /// Number of the first.
    pub first: u16,
    /// How many.
    pub count: u16,
    /// Offset of the first.
    pub offset: u32,
    /// Bytes from one to the next.
    pub stride: u32,
}

/// Registers of one name that are reached by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Name in the data sheet.
    pub name: &'static str,
    /// Where they are, in the order of their numbers.
    pub banks: &'static [Bank],
}

impl Registers {
    /// Register number `n`. Panics if there is no such number.
    #[inline]
    pub const fn at(&self, n: u16) -> Register {
        let mut i = 0;
        while i < self.banks.len() {
            let bank = &self.banks[i];
            if n - bank.first < bank.count {
                let offset = bank.offset + (n - bank.first) as u32 * bank.stride;
                return Register { name: self.name, index: Some(n), offset };
            }
            i += 1;
        }
        panic!("register number out of range")
    }

    /// How many there are.
    #[inline]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> u16 {
        let last = &self.banks[self.banks.len() - 1];
        last.first + last.count
    }
}

/// A field of a 32-bit register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Lowest bit.
    pub shift: u8,
    /// Number of bits.
    pub width: u8,
}

impl Field {
    /// Ones at the field's bits.
    #[inline]
    pub const fn mask(self) -> u32 {
        (u32::MAX >> (32 - self.width as u32)) << self.shift
    }

    /// The field's value in `word`.
    #[inline]
    pub const fn get(self, word: u32) -> u32 {
        (word & self.mask()) >> self.shift
    }

    /// `value` at the field's place, all else 0.
    #[inline]
    pub const fn put(self, value: u32) -> u32 {
        debug_assert!(value <= self.mask() >> self.shift);
        (value << self.shift) & self.mask()
    }

    /// `word` with the field replaced.
    #[inline]
    pub const fn set(self, word: u32, value: u32) -> u32 {
        word & !self.mask() | self.put(value)
    }

    /// Whether any bit of the field is 1.
    #[inline]
    pub const fn is_set(self, word: u32) -> bool {
        word & self.mask() != 0
    }
}

/// A field of a 16-byte descriptor, which is two quadwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuadField {
    /// Which quadword, 0 or 1.
    pub word: u8,
    /// Lowest bit.
    pub shift: u8,
    /// Number of bits.
    pub width: u8,
}

impl QuadField {
    /// Ones at the field's bits, in its own quadword.
    #[inline]
    pub const fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.width as u32)) << self.shift
    }

    /// The field's value.
    #[inline]
    pub const fn get(self, words: &[u64; 2]) -> u64 {
        (words[self.word as usize] & self.mask()) >> self.shift
    }

    /// `value` at the field's place in its own quadword, all else 0.
    #[inline]
    pub const fn put(self, value: u64) -> u64 {
        debug_assert!(value <= self.mask() >> self.shift);
        (value << self.shift) & self.mask()
    }

    /// Replaces the field.
    #[inline]
    pub const fn set(self, words: &mut [u64; 2], value: u64) {
        let word = self.word as usize;
        words[word] = words[word] & !self.mask() | self.put(value);
    }

    /// Whether any bit of the field is 1.
    #[inline]
    pub const fn is_set(self, words: &[u64; 2]) -> bool {
        words[self.word as usize] & self.mask() != 0
    }
}

/// Device control. 82599:8.2.3.1.1, RW.
pub const CTRL: Register = Register { name: "CTRL", index: None, offset: 0x00000 };
/// Device status. 82599:8.2.3.1.2, RO.
pub const STATUS: Register = Register { name: "STATUS", index: None, offset: 0x00008 };
/// Extended device control. 82599:8.2.3.1.3, RW.
pub const CTRL_EXT: Register = Register { name: "CTRL_EXT", index: None, offset: 0x00018 };
/// EEPROM bit-bang and presence. 82599:8.2.3.2.1, RW.
pub const EEC: Register = Register { name: "EEC", index: None, offset: 0x10010 };
/// Receive packet buffer sizes. 82599:8.2.3.8.9, RW.
pub const RXPBSIZE: Registers =
    Registers { name: "RXPBSIZE", banks: &[Bank { first: 0, count: 8, offset: 0x03c00, stride: 4 }] };
/// Transmit packet buffer sizes. 82599:8.2.3.9.13, RW.
pub const TXPBSIZE: Registers =
    Registers { name: "TXPBSIZE", banks: &[Bank { first: 0, count: 8, offset: 0x0cc00, stride: 4 }] };
/// Transmit packet buffer thresholds. 82599:8.2.3.9.16, RW.
pub const TXPBTHRESH: Registers =
    Registers { name: "TXPBTHRESH", banks: &[Bank { first: 0, count: 8, offset: 0x04950, stride: 4 }] };
/// Most bytes that transmit DMA may have asked for. 82599:8.2.3.9.1, RW.
pub const DTXMXSZRQ: Register = Register { name: "DTXMXSZRQ", index: None, offset: 0x08100 };
/// Receive threshold, high: send XOFF above. 82599:8.2.3.3.4, RW.
pub const FCRTH: Registers =
    Registers { name: "FCRTH", banks: &[Bank { first: 0, count: 8, offset: 0x03260, stride: 4 }] };
/// Transmit descriptor plane control. 82599:8.2.3.10, RW.
pub const RTTDCS: Register = Register { name: "RTTDCS", index: None, offset: 0x04900 };
/// Multiple transmit queues. 82599:8.2.3.9.15, RW.
pub const MTQC: Register = Register { name: "MTQC", index: None, offset: 0x08120 };
/// Receive security control. 82599:8.2.3.12, RW.
pub const SECRXCTRL: Register = Register { name: "SECRXCTRL", index: None, offset: 0x08d00 };
/// Receive security status. 82599:8.2.3.12, RO.
pub const SECRXSTAT: Register = Register { name: "SECRXSTAT", index: None, offset: 0x08d04 };
/// Highlander control 0: MAC. 82599:8.2.3.22.8, RW.
pub const HLREG0: Register = Register { name: "HLREG0", index: None, offset: 0x04240 };
/// Largest frame (MHADD). 82599:8.2.3.22.13, RW.
pub const MAXFRS: Register = Register { name: "MAXFRS", index: None, offset: 0x04268 };
/// Auto-negotiation control. 82599:8.2.3.22.19, RW.
pub const AUTOC: Register = Register { name: "AUTOC", index: None, offset: 0x042a0 };
/// Link status. 82599:8.2.3.22.20, RO.
pub const LINKS: Register = Register { name: "LINKS", index: None, offset: 0x042a4 };
/// Auto-negotiation control 2. 82599:8.2.3.22.22, RW.
pub const AUTOC2: Register = Register { name: "AUTOC2", index: None, offset: 0x042a8 };
/// Filter control. 82599:8.2.3.7.1, RW.
pub const FCTRL: Register = Register { name: "FCTRL", index: None, offset: 0x05080 };
/// VLAN control. 82599:8.2.3.7.2, RW.
pub const VLNCTRL: Register = Register { name: "VLNCTRL", index: None, offset: 0x05088 };
/// Multicast control. 82599:8.2.3.7.3, RW.
pub const MCSTCTRL: Register = Register { name: "MCSTCTRL", index: None, offset: 0x05090 };
/// Receive checksum control. 82599:8.2.3.7.5, RW.
pub const RXCSUM: Register = Register { name: "RXCSUM", index: None, offset: 0x05000 };
/// Multicast table: 4096 bits, word = hash >> 5, bit = hash & 31. 82599:8.2.3.7.7, RW.
pub const MTA: Registers =
    Registers { name: "MTA", banks: &[Bank { first: 0, count: 128, offset: 0x05200, stride: 4 }] };
/// Receive address, bytes 0 to 3 (byte 0 lowest). 82599:8.2.3.7.8, RW.
pub const RAL: Registers =
    Registers { name: "RAL", banks: &[Bank { first: 0, count: 128, offset: 0x0a200, stride: 8 }] };
/// Receive address, bytes 4 and 5. 82599:8.2.3.7.9, RW.
pub const RAH: Registers =
    Registers { name: "RAH", banks: &[Bank { first: 0, count: 128, offset: 0x0a204, stride: 8 }] };
/// Pools of each receive address: 64-bit map, low word at even numbers. 82599:8.2.3.7.10, RW.
pub const MPSAR: Registers =
    Registers { name: "MPSAR", banks: &[Bank { first: 0, count: 256, offset: 0x0a600, stride: 4 }] };
/// VLAN filter: 4096 bits, word = id >> 5, bit = id & 31. 82599:8.2.3.7.11, RW.
pub const VFTA: Registers =
    Registers { name: "VFTA", banks: &[Bank { first: 0, count: 128, offset: 0x0a000, stride: 4 }] };
/// Unicast table: 4096 bits. 82599:8.2.3.27, RW.
pub const PFUTA: Registers =
    Registers { name: "PFUTA", banks: &[Bank { first: 0, count: 128, offset: 0x0f400, stride: 4 }] };
/// Multiple receive queues. 82599:8.2.3.7.12, RW.
pub const MRQC: Register = Register { name: "MRQC", index: None, offset: 0x0ec80 };
/// Redirection table: 128 entries, four in a register, lowest first. 82599:8.2.3.7.15, RW.
pub const RETA: Registers =
    Registers { name: "RETA", banks: &[Bank { first: 0, count: 32, offset: 0x0eb00, stride: 4 }] };
/// RSS key, 40 bytes, lowest first. 82599:8.2.3.7.14, RW.
pub const RSSRK: Registers =
    Registers { name: "RSSRK", banks: &[Bank { first: 0, count: 10, offset: 0x0eb80, stride: 4 }] };
/// Packet split types. 82599:8.2.3.7.4, RW.
pub const PSRTYPE: Registers =
    Registers { name: "PSRTYPE", banks: &[Bank { first: 0, count: 64, offset: 0x0ea00, stride: 4 }] };
/// Receive ring base, low. 82599:8.2.3.8.1, RW.
pub const RDBAL: Registers = Registers {
    name: "RDBAL",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x01000, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d000, stride: 64 },
    ],
};
/// Receive ring base, high. 82599:8.2.3.8.2, RW.
pub const RDBAH: Registers = Registers {
    name: "RDBAH",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x01004, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d004, stride: 64 },
    ],
};
/// Receive ring length. 82599:8.2.3.8.3, RW.
pub const RDLEN: Registers = Registers {
    name: "RDLEN",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x01008, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d008, stride: 64 },
    ],
};
/// Receive DCA control. 82599:8.2.3.11.1, RW.
pub const DCA_RXCTRL: Registers = Registers {
    name: "DCA_RXCTRL",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x0100c, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d00c, stride: 64 },
    ],
};
/// Receive head: owned by hardware. 82599:8.2.3.8.4, RW.
pub const RDH: Registers = Registers {
    name: "RDH",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x01010, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d010, stride: 64 },
    ],
};
/// Split and replication receive control. 82599:8.2.3.8.7, RW.
pub const SRRCTL: Registers = Registers {
    name: "SRRCTL",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x01014, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d014, stride: 64 },
    ],
};
/// Receive tail: the doorbell. 82599:8.2.3.8.5, RW.
pub const RDT: Registers = Registers {
    name: "RDT",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x01018, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d018, stride: 64 },
    ],
};
/// Receive descriptor control. 82599:8.2.3.8.6, RW.
pub const RXDCTL: Registers = Registers {
    name: "RXDCTL",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x01028, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d028, stride: 64 },
    ],
};
/// Receive side coalescing. 82599:8.2.3.8.13, RW.
pub const RSCCTL: Registers = Registers {
    name: "RSCCTL",
    banks: &[
        Bank { first: 0, count: 64, offset: 0x0102c, stride: 64 },
        Bank { first: 64, count: 64, offset: 0x0d02c, stride: 64 },
    ],
};
/// Receive DMA control. 82599:8.2.3.8.8, RW.
pub const RDRXCTL: Register = Register { name: "RDRXCTL", index: None, offset: 0x02f00 };
/// Receive control. 82599:8.2.3.8.10, RW.
pub const RXCTRL: Register = Register { name: "RXCTRL", index: None, offset: 0x03000 };
/// Transmit DMA control. 82599:8.2.3.9.2, RW.
pub const DMATXCTL: Register = Register { name: "DMATXCTL", index: None, offset: 0x04a80 };
/// Transmit ring base, low. 82599:8.2.3.9.5, RW.
pub const TDBAL: Registers =
    Registers { name: "TDBAL", banks: &[Bank { first: 0, count: 128, offset: 0x06000, stride: 64 }] };
/// Transmit ring base, high. 82599:8.2.3.9.6, RW.
pub const TDBAH: Registers =
    Registers { name: "TDBAH", banks: &[Bank { first: 0, count: 128, offset: 0x06004, stride: 64 }] };
/// Transmit ring length. 82599:8.2.3.9.7, RW.
pub const TDLEN: Registers =
    Registers { name: "TDLEN", banks: &[Bank { first: 0, count: 128, offset: 0x06008, stride: 64 }] };
/// Transmit DCA control. 82599:8.2.3.11.2, RW.
pub const DCA_TXCTRL: Registers =
    Registers { name: "DCA_TXCTRL", banks: &[Bank { first: 0, count: 128, offset: 0x0600c, stride: 64 }] };
/// Transmit head: owned by hardware. 82599:8.2.3.9.8, RW.
pub const TDH: Registers =
    Registers { name: "TDH", banks: &[Bank { first: 0, count: 128, offset: 0x06010, stride: 64 }] };
/// Transmit tail: the doorbell. 82599:8.2.3.9.9, RW.
pub const TDT: Registers =
    Registers { name: "TDT", banks: &[Bank { first: 0, count: 128, offset: 0x06018, stride: 64 }] };
/// Transmit descriptor control. 82599:8.2.3.9.10, RW.
pub const TXDCTL: Registers =
    Registers { name: "TXDCTL", banks: &[Bank { first: 0, count: 128, offset: 0x06028, stride: 64 }] };
/// Head write-back address, low. 82599:8.2.3.9.11, RW.
pub const TDWBAL: Registers =
    Registers { name: "TDWBAL", banks: &[Bank { first: 0, count: 128, offset: 0x06038, stride: 64 }] };
/// Head write-back address, high. 82599:8.2.3.9.11, RW.
pub const TDWBAH: Registers =
    Registers { name: "TDWBAH", banks: &[Bank { first: 0, count: 128, offset: 0x0603c, stride: 64 }] };
/// Frames with a wrong CRC. 82599:8.2.3.23, RC.
pub const CRCERRS: Register = Register { name: "CRCERRS", index: None, offset: 0x04000 };
/// Length errors. 82599:8.2.3.23, RC.
pub const RLEC: Register = Register { name: "RLEC", index: None, offset: 0x04040 };
/// Good packets received. 82599:8.2.3.23, RC.
pub const GPRC: Register = Register { name: "GPRC", index: None, offset: 0x04074 };
/// Good packets transmitted. 82599:8.2.3.23, RC.
pub const GPTC: Register = Register { name: "GPTC", index: None, offset: 0x04080 };
/// Good octets received, low; read before GORCH. 82599:8.2.3.23.25, RC.
pub const GORCL: Register = Register { name: "GORCL", index: None, offset: 0x04088 };
/// Good octets received, bits 35:32. 82599:8.2.3.23.26, RC.
pub const GORCH: Register = Register { name: "GORCH", index: None, offset: 0x0408c };
/// Good octets transmitted, low; read before GOTCH. 82599:8.2.3.23, RC.
pub const GOTCL: Register = Register { name: "GOTCL", index: None, offset: 0x04090 };
/// Good octets transmitted, bits 35:32. 82599:8.2.3.23, RC.
pub const GOTCH: Register = Register { name: "GOTCH", index: None, offset: 0x04094 };
/// Undersize: shorter than 64 bytes, good CRC. 82599:8.2.3.23, RC.
pub const RUC: Register = Register { name: "RUC", index: None, offset: 0x040a4 };
/// Fragments: shorter than 64 bytes, wrong CRC. 82599:8.2.3.23, RC.
pub const RFC: Register = Register { name: "RFC", index: None, offset: 0x040a8 };
/// Oversize: longer than the largest frame, good CRC. 82599:8.2.3.23, RC.
pub const ROC: Register = Register { name: "ROC", index: None, offset: 0x040ac };
/// Jabber: longer than the largest frame, wrong CRC. 82599:8.2.3.23, RC.
pub const RJC: Register = Register { name: "RJC", index: None, offset: 0x040b0 };
/// Missed: no packet buffer space. 82599:8.2.3.23, RC.
pub const MPC: Registers =
    Registers { name: "MPC", banks: &[Bank { first: 0, count: 8, offset: 0x03fa0, stride: 4 }] };
/// Packets dropped for want of a descriptor, by counter set. 82599:8.2.3.23.75, RC.
pub const QPRDC: Registers =
    Registers { name: "QPRDC", banks: &[Bank { first: 0, count: 16, offset: 0x01430, stride: 64 }] };
/// Counter set of receive queues 4n to 4n + 3. 82599:8.2.3.23.71, RW.
pub const RQSMR: Registers =
    Registers { name: "RQSMR", banks: &[Bank { first: 0, count: 32, offset: 0x02300, stride: 4 }] };
/// Counter set of transmit queues 4n to 4n + 3. 82599:8.2.3.23.73, RW.
pub const TQSM: Registers =
    Registers { name: "TQSM", banks: &[Bank { first: 0, count: 32, offset: 0x08600, stride: 4 }] };
/// Interrupt causes. 82599:8.2.3.5.1, RCW1C.
pub const EICR: Register = Register { name: "EICR", index: None, offset: 0x00800 };
/// Interrupt mask clear: ones clear bits of EIMS. 82599:8.2.3.5.4, W1C.
pub const EIMC: Register = Register { name: "EIMC", index: None, offset: 0x00888 };
/// Interrupt mask clear, queue vectors. 82599:8.2.3.5.9, W1C.
pub const EIMC_EX: Registers =
    Registers { name: "EIMC_EX", banks: &[Bank { first: 0, count: 2, offset: 0x00ab0, stride: 4 }] };

/// Fields of CTRL.
pub mod ctrl {
    use super::Field;
    /// PCIe master disable: no new DMA; STATUS.GIO drops when all is quiet (2).
    pub const GIO_DIS: Field = Field { shift: 2, width: 1 };
    /// Link reset, clears itself (3).
    pub const LRST: Field = Field { shift: 3, width: 1 };
    /// Device reset, clears itself (26).
    pub const RST: Field = Field { shift: 26, width: 1 };
}
/// Fields of STATUS.
pub mod status {
    use super::Field;
    /// Which of the two ports this function is (3:2).
    pub const LAN_ID: Field = Field { shift: 2, width: 2 };
    /// Link is up (7).
    pub const LINK_UP: Field = Field { shift: 7, width: 1 };
    /// Number of virtual functions (17:10).
    pub const NUM_VFS: Field = Field { shift: 10, width: 8 };
    /// Virtual functions are in use (18).
    pub const IOV_ACTIVE: Field = Field { shift: 18, width: 1 };
    /// PCIe master enabled: drops after CTRL.GIO_DIS when the last DMA is done (19).
    pub const GIO: Field = Field { shift: 19, width: 1 };
}
/// Fields of CTRL_EXT.
pub mod ctrl_ext {
    use super::Field;
    /// Physical function reset done (14).
    pub const PFRSTD: Field = Field { shift: 14, width: 1 };
    /// No snoop disable (16).
    pub const NS_DIS: Field = Field { shift: 16, width: 1 };
    /// Relaxed ordering disable (17).
    pub const RO_DIS: Field = Field { shift: 17, width: 1 };
    /// Double VLAN tags (26).
    pub const EXTENDED_VLAN: Field = Field { shift: 26, width: 1 };
    /// A driver is loaded; told to the firmware (28).
    pub const DRV_LOAD: Field = Field { shift: 28, width: 1 };
}
/// Fields of EEC.
pub mod eec {
    use super::Field;
    /// Clock (0).
    pub const SK: Field = Field { shift: 0, width: 1 };
    /// Chip select (1).
    pub const CS: Field = Field { shift: 1, width: 1 };
    /// Data into the EEPROM (2).
    pub const DI: Field = Field { shift: 2, width: 1 };
    /// Data out of the EEPROM (3).
    pub const DO: Field = Field { shift: 3, width: 1 };
    /// Software wants the bus (6).
    pub const REQ: Field = Field { shift: 6, width: 1 };
    /// Software has the bus (7).
    pub const GNT: Field = Field { shift: 7, width: 1 };
    /// An EEPROM is present (8).
    pub const PRES: Field = Field { shift: 8, width: 1 };
    /// The device has read its configuration (9).
    pub const ARD: Field = Field { shift: 9, width: 1 };
    /// Addresses are 16 bits wide (10).
    pub const ADDR_SIZE: Field = Field { shift: 10, width: 1 };
    /// Capacity: 64 << SIZE words (14:11).
    pub const SIZE: Field = Field { shift: 11, width: 4 };
}
/// Fields of RXPBSIZE.
pub mod rxpbsize {
    use super::Field;
    /// KiB (19:10).
    pub const SIZE: Field = Field { shift: 10, width: 10 };
}
/// Fields of TXPBSIZE.
pub mod txpbsize {
    use super::Field;
    /// KiB (19:10).
    pub const SIZE: Field = Field { shift: 10, width: 10 };
}
/// Fields of TXPBTHRESH.
pub mod txpbthresh {
    use super::Field;
    /// KiB (9:0).
    pub const THRESH: Field = Field { shift: 0, width: 10 };
}
/// Fields of DTXMXSZRQ.
pub mod dtxmxszrq {
    use super::Field;
    /// Units of 256 bytes (11:0).
    pub const MAX_BYTES: Field = Field { shift: 0, width: 12 };
}
/// Fields of FCRTH.
pub mod fcrth {
    use super::Field;
    /// Bytes in units of 32 (18:5).
    pub const RTH: Field = Field { shift: 5, width: 14 };
    /// Flow control enable (31).
    pub const FCEN: Field = Field { shift: 31, width: 1 };
}
/// Fields of RTTDCS.
pub mod rttdcs {
    use super::Field;
    /// Weighted arbitration between classes (0).
    pub const TDPAC: Field = Field { shift: 0, width: 1 };
    /// Weighted arbitration between machines (1).
    pub const VMPAC: Field = Field { shift: 1, width: 1 };
    /// Strict priority recycle mode (4).
    pub const TDRM: Field = Field { shift: 4, width: 1 };
    /// Arbiter off; required while MTQC and TXPBSIZE change (6).
    pub const ARBDIS: Field = Field { shift: 6, width: 1 };
}
/// Fields of MTQC.
pub mod mtqc {
    use super::Field;
    /// DCB (0).
    pub const RT_ENA: Field = Field { shift: 0, width: 1 };
    /// Virtualization (1).
    pub const VT_ENA: Field = Field { shift: 1, width: 1 };
    /// 0 = 64 queues and one packet buffer (3:2).
    pub const NUM_TC_OR_Q: Field = Field { shift: 2, width: 2 };
}
/// Fields of SECRXCTRL.
pub mod secrxctrl {
    use super::Field;
    /// Security off (0).
    pub const SECRX_DIS: Field = Field { shift: 0, width: 1 };
    /// Stop the receive data path; SECRXSTAT.RDY answers (1).
    pub const RX_DIS: Field = Field { shift: 1, width: 1 };
}
/// Fields of SECRXSTAT.
pub mod secrxstat {
    use super::Field;
    /// Data path is empty (0).
    pub const RDY: Field = Field { shift: 0, width: 1 };
}
/// Fields of HLREG0.
pub mod hlreg0 {
    use super::Field;
    /// Append the CRC where the descriptor asks (0).
    pub const TXCRCEN: Field = Field { shift: 0, width: 1 };
    /// Strip the CRC; must equal RDRXCTL.CRCSTRIP (1).
    pub const RXCRCSTRP: Field = Field { shift: 1, width: 1 };
    /// Frames up to MAXFRS instead of 1518 (2).
    pub const JUMBOEN: Field = Field { shift: 2, width: 1 };
    /// Pad short frames to 64 bytes with CRC (10).
    pub const TXPADEN: Field = Field { shift: 10, width: 1 };
    /// Transmit to receive loopback (15).
    pub const LPBK: Field = Field { shift: 15, width: 1 };
    /// MDC at 24 MHz / 10 (16).
    pub const MDCSPD: Field = Field { shift: 16, width: 1 };
    /// Continuous MDC (17).
    pub const CONTMDC: Field = Field { shift: 17, width: 1 };
    /// Bytes to prepend, in 32 bits (23:20).
    pub const PREPEND: Field = Field { shift: 20, width: 4 };
    /// Report length errors (27).
    pub const RXLNGTHERREN: Field = Field { shift: 27, width: 1 };
    /// Strip padding (28).
    pub const RXPADSTRIPEN: Field = Field { shift: 28, width: 1 };
}
/// Fields of MAXFRS.
pub mod maxfrs {
    use super::Field;
    /// Bytes with CRC, without VLAN tags (31:16).
    pub const MFS: Field = Field { shift: 16, width: 16 };
}
/// Fields of AUTOC.
pub mod autoc {
    use super::Field;
    /// Force link up (0).
    pub const FLU: Field = Field { shift: 0, width: 1 };
    /// 10 Gb parallel PMA: 0 XAUI (8:7).
    pub const PMA_10G_PARALLEL: Field = Field { shift: 7, width: 2 };
    /// Value of [`PMA_10G_PARALLEL`].
    pub const PMA_10G_PARALLEL_XAUI: u32 = 0;
    /// Value of [`PMA_10G_PARALLEL`].
    pub const PMA_10G_PARALLEL_KX4: u32 = 1;
    /// Value of [`PMA_10G_PARALLEL`].
    pub const PMA_10G_PARALLEL_CX4: u32 = 2;
    /// 1 Gb PMA (9).
    pub const PMA_1G: Field = Field { shift: 9, width: 1 };
    /// Restart the link, clears itself (12).
    pub const RESTART_AN: Field = Field { shift: 12, width: 1 };
    /// Link mode select (15:13).
    pub const LMS: Field = Field { shift: 13, width: 3 };
    /// Value of [`LMS`].
    pub const LMS_1G_NO_AN: u32 = 0;
    /// Value of [`LMS`].
    pub const LMS_10G_PARALLEL_NO_AN: u32 = 1;
    /// Value of [`LMS`].
    pub const LMS_1G_AN: u32 = 2;
    /// Value of [`LMS`].
    pub const LMS_10G_SERIAL: u32 = 3;
    /// Advertise KR (16).
    pub const KR_SUPPORT: Field = Field { shift: 16, width: 1 };
    /// Advertise KX and KX4 (31:30).
    pub const KX_SUPPORT: Field = Field { shift: 30, width: 2 };
}
/// Fields of LINKS.
pub mod links {
    use super::Field;
    /// Speed of the link that is up (29:28).
    pub const SPEED: Field = Field { shift: 28, width: 2 };
    /// Value of [`SPEED`].
    pub const SPEED_100M: u32 = 1;
    /// Value of [`SPEED`].
    pub const SPEED_1G: u32 = 2;
    /// Value of [`SPEED`].
    pub const SPEED_10G: u32 = 3;
    /// Link is up (30).
    pub const UP: Field = Field { shift: 30, width: 1 };
    /// Backplane auto-negotiation complete (31).
    pub const KX_AN_COMP: Field = Field { shift: 31, width: 1 };
}
/// Fields of AUTOC2.
pub mod autoc2 {
    use super::Field;
    /// 10 Gb serial PMA (17:16).
    pub const PMA_10G_SERIAL: Field = Field { shift: 16, width: 2 };
    /// Value of [`PMA_10G_SERIAL`].
    pub const PMA_10G_SERIAL_KR: u32 = 0;
    /// Value of [`PMA_10G_SERIAL`].
    pub const PMA_10G_SERIAL_SFI: u32 = 2;
    /// Links held down (30:28).
    pub const LINK_DISABLE: Field = Field { shift: 28, width: 3 };
}
/// Fields of FCTRL.
pub mod fctrl {
    use super::Field;
    /// Store bad packets (1).
    pub const SBP: Field = Field { shift: 1, width: 1 };
    /// Multicast promiscuous (8).
    pub const MPE: Field = Field { shift: 8, width: 1 };
    /// Unicast promiscuous (9).
    pub const UPE: Field = Field { shift: 9, width: 1 };
    /// Accept broadcast (10).
    pub const BAM: Field = Field { shift: 10, width: 1 };
    /// Pass MAC control frames (12).
    pub const PMCF: Field = Field { shift: 12, width: 1 };
    /// Discard pause frames (13).
    pub const DPF: Field = Field { shift: 13, width: 1 };
}
/// Fields of VLNCTRL.
pub mod vlnctrl {
    use super::Field;
    /// Ethertype of a tag (15:0).
    pub const VET: Field = Field { shift: 0, width: 16 };
    /// Value that CFI must have (28).
    pub const CFI: Field = Field { shift: 28, width: 1 };
    /// Compare CFI (29).
    pub const CFIEN: Field = Field { shift: 29, width: 1 };
    /// Filter by VFTA (30).
    pub const VFE: Field = Field { shift: 30, width: 1 };
    /// 82598 only; the 82599 strips by RXDCTL.VME (31).
    pub const VME: Field = Field { shift: 31, width: 1 };
}
/// Fields of MCSTCTRL.
pub mod mcstctrl {
    use super::Field;
    /// Which 12 bits of the address are the hash (1:0).
    pub const MO: Field = Field { shift: 0, width: 2 };
    /// Value of [`MO`].
    pub const MO_BITS_47_36: u32 = 0;
    /// Value of [`MO`].
    pub const MO_BITS_46_35: u32 = 1;
    /// Value of [`MO`].
    pub const MO_BITS_45_34: u32 = 2;
    /// Value of [`MO`].
    pub const MO_BITS_43_32: u32 = 3;
    /// Filter multicast by MTA (2).
    pub const MFE: Field = Field { shift: 2, width: 1 };
}
/// Fields of RXCSUM.
pub mod rxcsum {
    use super::Field;
    /// Checksum of IP fragments in the descriptor (12).
    pub const IPPCSE: Field = Field { shift: 12, width: 1 };
    /// 1: RSS hash in the descriptor; 0: IP id and fragment checksum (13).
    pub const PCSD: Field = Field { shift: 13, width: 1 };
}
/// Fields of RAH.
pub mod rah {
    use super::Field;
    /// Bytes 4 and 5 (byte 4 lowest) (15:0).
    pub const ADDRESS: Field = Field { shift: 0, width: 16 };
    /// Address valid (31).
    pub const AV: Field = Field { shift: 31, width: 1 };
}
/// Fields of MRQC.
pub mod mrqc {
    use super::Field;
    /// How packets find their queue (3:0).
    pub const MRQE: Field = Field { shift: 0, width: 4 };
    /// Value of [`MRQE`].
    pub const MRQE_NONE: u32 = 0;
    /// Value of [`MRQE`].
    pub const MRQE_RSS: u32 = 1;
    /// Value of [`MRQE`].
    pub const MRQE_DCB_8TC: u32 = 2;
    /// Value of [`MRQE`].
    pub const MRQE_DCB_4TC: u32 = 3;
    /// Value of [`MRQE`].
    pub const MRQE_DCB_8TC_RSS: u32 = 4;
    /// Value of [`MRQE`].
    pub const MRQE_DCB_4TC_RSS: u32 = 5;
    /// Value of [`MRQE`].
    pub const MRQE_VMDQ: u32 = 8;
    /// Value of [`MRQE`].
    pub const MRQE_VMDQ_RSS_32: u32 = 10;
    /// Value of [`MRQE`].
    pub const MRQE_VMDQ_RSS_64: u32 = 11;
    /// Hash TCP over IPv4 by addresses and ports (16).
    pub const TCP_IPV4: Field = Field { shift: 16, width: 1 };
    /// Hash IPv4 by addresses (17).
    pub const IPV4: Field = Field { shift: 17, width: 1 };
    /// Hash TCP over IPv6 with extension headers (18).
    pub const TCP_IPV6_EX: Field = Field { shift: 18, width: 1 };
    /// Hash IPv6 with extension headers (19).
    pub const IPV6_EX: Field = Field { shift: 19, width: 1 };
    /// Hash IPv6 by addresses (20).
    pub const IPV6: Field = Field { shift: 20, width: 1 };
    /// Hash TCP over IPv6 by addresses and ports (21).
    pub const TCP_IPV6: Field = Field { shift: 21, width: 1 };
    /// Hash UDP over IPv4 by addresses and ports (22).
    pub const UDP_IPV4: Field = Field { shift: 22, width: 1 };
    /// Hash UDP over IPv6 by addresses and ports (23).
    pub const UDP_IPV6: Field = Field { shift: 23, width: 1 };
    /// Hash UDP over IPv6 with extension headers (24).
    pub const UDP_IPV6_EX: Field = Field { shift: 24, width: 1 };
}
/// Fields of RETA.
pub mod reta {
    use super::Field;
    /// Queue of hash & 127 = 4n (3:0).
    pub const ENTRY0: Field = Field { shift: 0, width: 4 };
    /// Queue of 4n + 1 (11:8).
    pub const ENTRY1: Field = Field { shift: 8, width: 4 };
    /// Queue of 4n + 2 (19:16).
    pub const ENTRY2: Field = Field { shift: 16, width: 4 };
    /// Queue of 4n + 3 (27:24).
    pub const ENTRY3: Field = Field { shift: 24, width: 4 };
}
/// Fields of PSRTYPE.
pub mod psrtype {
    use super::Field;
    /// RSS bits within a pool (VMDq only) (31:29).
    pub const RQPL: Field = Field { shift: 29, width: 3 };
}
/// Fields of RDBAL.
pub mod rdbal {
    use super::Field;
    /// Bits 31:7 of the address; 128-byte aligned (31:7).
    pub const BASE: Field = Field { shift: 7, width: 25 };
}
/// Fields of RDLEN.
pub mod rdlen {
    use super::Field;
    /// Bytes in units of 128 (8 descriptors) (19:7).
    pub const LEN: Field = Field { shift: 7, width: 13 };
}
/// Fields of DCA_RXCTRL.
pub mod dca_rxctrl {
    use super::Field;
    /// Set after reset, software must clear it (12).
    pub const RESERVED_CLEAR: Field = Field { shift: 12, width: 1 };
    /// Relaxed ordering of data writes (13).
    pub const DATA_WRITE_RO: Field = Field { shift: 13, width: 1 };
    /// Relaxed ordering of header writes (15).
    pub const HEADER_RO: Field = Field { shift: 15, width: 1 };
}
/// Fields of RDH.
pub mod rdh {
    use super::Field;
    /// Next descriptor that hardware fills (15:0).
    pub const RDH: Field = Field { shift: 0, width: 16 };
}
/// Fields of SRRCTL.
pub mod srrctl {
    use super::Field;
    /// Packet buffer, KiB (hardware uses bits 4:0) (6:0).
    pub const BSIZEPACKET: Field = Field { shift: 0, width: 7 };
    /// Header buffer, units of 64 bytes (13:8).
    pub const BSIZEHEADER: Field = Field { shift: 8, width: 6 };
    /// Minimum threshold interrupt (24:22).
    pub const RDMTS: Field = Field { shift: 22, width: 3 };
    /// Descriptor format (27:25).
    pub const DESCTYPE: Field = Field { shift: 25, width: 3 };
    /// Value of [`DESCTYPE`].
    pub const DESCTYPE_LEGACY: u32 = 0;
    /// Value of [`DESCTYPE`].
    pub const DESCTYPE_ADV_ONE_BUFFER: u32 = 1;
    /// Value of [`DESCTYPE`].
    pub const DESCTYPE_SPLIT: u32 = 2;
    /// Value of [`DESCTYPE`].
    pub const DESCTYPE_SPLIT_ALWAYS: u32 = 5;
    /// Drop when no descriptor is left, instead of blocking the packet buffer (28).
    pub const DROP_EN: Field = Field { shift: 28, width: 1 };
}
/// Fields of RDT.
pub mod rdt {
    use super::Field;
    /// First descriptor that hardware may not use (15:0).
    pub const RDT: Field = Field { shift: 0, width: 16 };
}
/// Fields of RXDCTL.
pub mod rxdctl {
    use super::Field;
    /// Longest packet (unusable on the 82599) (14:0).
    pub const RLPML: Field = Field { shift: 0, width: 15 };
    /// Obey RLPML (unusable on the 82599) (15).
    pub const RLPML_EN: Field = Field { shift: 15, width: 1 };
    /// Queue enable; reads back 1 when ready, 0 when quiet (25).
    pub const ENABLE: Field = Field { shift: 25, width: 1 };
    /// Write finished descriptors back now (26).
    pub const SWFLSH: Field = Field { shift: 26, width: 1 };
    /// Strip VLAN tags (30).
    pub const VME: Field = Field { shift: 30, width: 1 };
}
/// Fields of RSCCTL.
pub mod rscctl {
    use super::Field;
    /// Coalesce (0).
    pub const RSCEN: Field = Field { shift: 0, width: 1 };
}
/// Fields of RDRXCTL.
pub mod rdrxctl {
    use super::Field;
    /// The CRC is stripped; must equal HLREG0.RXCRCSTRP (1).
    pub const CRCSTRIP: Field = Field { shift: 1, width: 1 };
    /// DMA is initialised (3).
    pub const DMAIDONE: Field = Field { shift: 3, width: 1 };
    /// Must be written 0 (21:17).
    pub const RSCFRSTSIZE: Field = Field { shift: 17, width: 5 };
    /// Must be set with RSC (25).
    pub const RSCACKC: Field = Field { shift: 25, width: 1 };
    /// Must be set with FCoE (26).
    pub const FCOE_WRFIX: Field = Field { shift: 26, width: 1 };
}
/// Fields of RXCTRL.
pub mod rxctrl {
    use super::Field;
    /// Receive enable, master switch (0).
    pub const RXEN: Field = Field { shift: 0, width: 1 };
}
/// Fields of DMATXCTL.
pub mod dmatxctl {
    use super::Field;
    /// Transmit enable, master switch (0).
    pub const TE: Field = Field { shift: 0, width: 1 };
    /// Global double VLAN (3).
    pub const GDV: Field = Field { shift: 3, width: 1 };
    /// Ethertype of inserted tags (31:16).
    pub const VT: Field = Field { shift: 16, width: 16 };
}
/// Fields of TDBAL.
pub mod tdbal {
    use super::Field;
    /// Bits 31:7 of the address; 128-byte aligned (31:7).
    pub const BASE: Field = Field { shift: 7, width: 25 };
}
/// Fields of TDLEN.
pub mod tdlen {
    use super::Field;
    /// Bytes in units of 128 (8 descriptors) (19:7).
    pub const LEN: Field = Field { shift: 7, width: 13 };
}
/// Fields of DCA_TXCTRL.
pub mod dca_txctrl {
    use super::Field;
    /// Relaxed ordering of write-backs; drivers clear it (11).
    pub const WRITEBACK_RO: Field = Field { shift: 11, width: 1 };
}
/// Fields of TDH.
pub mod tdh {
    use super::Field;
    /// Next descriptor that hardware reads (15:0).
    pub const TDH: Field = Field { shift: 0, width: 16 };
}
/// Fields of TDT.
pub mod tdt {
    use super::Field;
    /// First descriptor that is not ready (15:0).
    pub const TDT: Field = Field { shift: 0, width: 16 };
}
/// Fields of TXDCTL.
pub mod txdctl {
    use super::Field;
    /// Prefetch when fewer descriptors are cached (6:0).
    pub const PTHRESH: Field = Field { shift: 0, width: 7 };
    /// and at least so many are ready in memory (14:8).
    pub const HTHRESH: Field = Field { shift: 8, width: 7 };
    /// Write back so many at once; 0 each (22:16).
    pub const WTHRESH: Field = Field { shift: 16, width: 7 };
    /// Queue enable; reads back 1 when ready, 0 when quiet (25).
    pub const ENABLE: Field = Field { shift: 25, width: 1 };
    /// Write finished descriptors back now (26).
    pub const SWFLSH: Field = Field { shift: 26, width: 1 };
}
/// Fields of TDWBAL.
pub mod tdwbal {
    use super::Field;
    /// Write the head to memory instead of the descriptors (0).
    pub const HEAD_WB_EN: Field = Field { shift: 0, width: 1 };
    /// Bits 31:2 of the address; keep it 16-byte aligned (31:2).
    pub const ADDRESS: Field = Field { shift: 2, width: 30 };
}
/// Fields of GORCH.
pub mod gorch {
    use super::Field;
    /// Bits 35:32 (3:0).
    pub const HIGH: Field = Field { shift: 0, width: 4 };
}
/// Fields of GOTCH.
pub mod gotch {
    use super::Field;
    /// Bits 35:32 (3:0).
    pub const HIGH: Field = Field { shift: 0, width: 4 };
}
/// Fields of RQSMR.
pub mod rqsmr {
    use super::Field;
    /// Set of queue 4n (3:0).
    pub const MAP0: Field = Field { shift: 0, width: 4 };
    /// Set of queue 4n + 1 (11:8).
    pub const MAP1: Field = Field { shift: 8, width: 4 };
    /// Set of queue 4n + 2 (19:16).
    pub const MAP2: Field = Field { shift: 16, width: 4 };
    /// Set of queue 4n + 3 (27:24).
    pub const MAP3: Field = Field { shift: 24, width: 4 };
}
/// Fields of TQSM.
pub mod tqsm {
    use super::Field;
    /// Set of queue 4n (3:0).
    pub const MAP0: Field = Field { shift: 0, width: 4 };
    /// Set of queue 4n + 1 (11:8).
    pub const MAP1: Field = Field { shift: 8, width: 4 };
    /// Set of queue 4n + 2 (19:16).
    pub const MAP2: Field = Field { shift: 16, width: 4 };
    /// Set of queue 4n + 3 (27:24).
    pub const MAP3: Field = Field { shift: 24, width: 4 };
}
/// Fields of EICR.
pub mod eicr {
    use super::Field;
    /// Queues, as IVAR maps them (15:0).
    pub const RTXQ: Field = Field { shift: 0, width: 16 };
    /// Flow director (16).
    pub const FDIR: Field = Field { shift: 16, width: 1 };
    /// Packet missed for want of buffer space (17).
    pub const RX_MISS: Field = Field { shift: 17, width: 1 };
    /// PCI exception (18).
    pub const PCI: Field = Field { shift: 18, width: 1 };
    /// Virtual function mailbox (19).
    pub const MAILBOX: Field = Field { shift: 19, width: 1 };
    /// Link status change (20).
    pub const LSC: Field = Field { shift: 20, width: 1 };
    /// LinkSec (21).
    pub const LINKSEC: Field = Field { shift: 21, width: 1 };
    /// Manageability (22).
    pub const MNG: Field = Field { shift: 22, width: 1 };
    /// Pin 0 (24).
    pub const GPI_SDP0: Field = Field { shift: 24, width: 1 };
    /// Pin 1: multi-speed fiber (25).
    pub const GPI_SDP1: Field = Field { shift: 25, width: 1 };
    /// Pin 2: module inserted (26).
    pub const GPI_SDP2: Field = Field { shift: 26, width: 1 };
    /// Pin 3 (27).
    pub const GPI_SDP3: Field = Field { shift: 27, width: 1 };
    /// Memory error (28).
    pub const ECC: Field = Field { shift: 28, width: 1 };
    /// TCP timer (30).
    pub const TCP_TIMER: Field = Field { shift: 30, width: 1 };
    /// Any other cause (31).
    pub const OTHER: Field = Field { shift: 31, width: 1 };
}
/// Fields of EIMC.
pub mod eimc {
    use super::Field;
    /// Queues (15:0).
    pub const RTXQ: Field = Field { shift: 0, width: 16 };
    /// The other causes, as in EICR (30:16).
    pub const OTHERS: Field = Field { shift: 16, width: 15 };
}

/// Receive descriptor as the driver hands it over. 82599:7.1.6.1.
pub mod rx_read {
    use super::QuadField;
    /// Address of the packet buffer (quadword 0, 63:0).
    pub const BUFFER: QuadField = QuadField { word: 0, shift: 0, width: 64 };
    /// Address of the header buffer; bit 0 becomes DD, so write 0 (quadword 1, 63:0).
    pub const HEADER: QuadField = QuadField { word: 1, shift: 0, width: 64 };
}
/// Receive descriptor as the NIC gives it back. 82599:7.1.6.2.
pub mod rx_writeback {
    use super::QuadField;
    /// What was hashed (quadword 0, 3:0).
    pub const RSS_TYPE: QuadField = QuadField { word: 0, shift: 0, width: 4 };
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_NONE: u64 = 0;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_TCP_IPV4: u64 = 1;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_IPV4: u64 = 2;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_TCP_IPV6: u64 = 3;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_IPV6_EX: u64 = 4;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_IPV6: u64 = 5;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_TCP_IPV6_EX: u64 = 6;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_UDP_IPV4: u64 = 7;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_UDP_IPV6: u64 = 8;
    /// Value of [`RSS_TYPE`].
    pub const RSS_TYPE_UDP_IPV6_EX: u64 = 9;
    /// What was recognised, a bit each (PACKET_*) (quadword 0, 15:4).
    pub const PACKET_TYPE: QuadField = QuadField { word: 0, shift: 4, width: 12 };
    /// IPv4 (quadword 0, 4).
    pub const PACKET_IPV4: QuadField = QuadField { word: 0, shift: 4, width: 1 };
    /// IPv4 with options (quadword 0, 5).
    pub const PACKET_IPV4_OPTIONS: QuadField = QuadField { word: 0, shift: 5, width: 1 };
    /// IPv6 (quadword 0, 6).
    pub const PACKET_IPV6: QuadField = QuadField { word: 0, shift: 6, width: 1 };
    /// IPv6 with extension headers (quadword 0, 7).
    pub const PACKET_IPV6_EXT: QuadField = QuadField { word: 0, shift: 7, width: 1 };
    /// TCP (quadword 0, 8).
    pub const PACKET_TCP: QuadField = QuadField { word: 0, shift: 8, width: 1 };
    /// UDP (quadword 0, 9).
    pub const PACKET_UDP: QuadField = QuadField { word: 0, shift: 9, width: 1 };
    /// SCTP (quadword 0, 10).
    pub const PACKET_SCTP: QuadField = QuadField { word: 0, shift: 10, width: 1 };
    /// NFS (quadword 0, 11).
    pub const PACKET_NFS: QuadField = QuadField { word: 0, shift: 11, width: 1 };
    /// IPsec ESP (quadword 0, 12).
    pub const PACKET_ESP: QuadField = QuadField { word: 0, shift: 12, width: 1 };
    /// IPsec AH (quadword 0, 13).
    pub const PACKET_AH: QuadField = QuadField { word: 0, shift: 13, width: 1 };
    /// LinkSec (quadword 0, 14).
    pub const PACKET_LINKSEC: QuadField = QuadField { word: 0, shift: 14, width: 1 };
    /// Ethertype filter matched; bits 6:4 name it (quadword 0, 15).
    pub const PACKET_L2: QuadField = QuadField { word: 0, shift: 15, width: 1 };
    /// Coalesced packets (quadword 0, 20:17).
    pub const RSC_COUNT: QuadField = QuadField { word: 0, shift: 17, width: 4 };
    /// Bytes of header (quadword 0, 30:21).
    pub const HEADER_LENGTH: QuadField = QuadField { word: 0, shift: 21, width: 10 };
    /// Header was split off (quadword 0, 31).
    pub const SPH: QuadField = QuadField { word: 0, shift: 31, width: 1 };
    /// Hash, with RXCSUM.PCSD = 1 (quadword 0, 63:32).
    pub const RSS_HASH: QuadField = QuadField { word: 0, shift: 32, width: 32 };
    /// IP identification, with RXCSUM.PCSD = 0 (quadword 0, 47:32).
    pub const IP_ID: QuadField = QuadField { word: 0, shift: 32, width: 16 };
    /// Checksum of the fragment, with RXCSUM.PCSD = 0 (quadword 0, 63:48).
    pub const FRAGMENT_CHECKSUM: QuadField = QuadField { word: 0, shift: 48, width: 16 };
    /// All status bits (quadword 1, 19:0).
    pub const STATUS: QuadField = QuadField { word: 1, shift: 0, width: 20 };
    /// Descriptor done (quadword 1, 0).
    pub const DD: QuadField = QuadField { word: 1, shift: 0, width: 1 };
    /// End of packet (quadword 1, 1).
    pub const EOP: QuadField = QuadField { word: 1, shift: 1, width: 1 };
    /// Flow director match (quadword 1, 2).
    pub const FLM: QuadField = QuadField { word: 1, shift: 2, width: 1 };
    /// VLAN tag was present (quadword 1, 3).
    pub const VP: QuadField = QuadField { word: 1, shift: 3, width: 1 };
    /// UDP checksum was checked (quadword 1, 4).
    pub const UDPCS: QuadField = QuadField { word: 1, shift: 4, width: 1 };
    /// L4 checksum was checked (quadword 1, 5).
    pub const L4CS: QuadField = QuadField { word: 1, shift: 5, width: 1 };
    /// IPv4 checksum was checked (quadword 1, 6).
    pub const IPCS: QuadField = QuadField { word: 1, shift: 6, width: 1 };
    /// Passed an inexact filter (quadword 1, 7).
    pub const PIF: QuadField = QuadField { word: 1, shift: 7, width: 1 };
    /// Outer VLAN tag (quadword 1, 9).
    pub const VEXT: QuadField = QuadField { word: 1, shift: 9, width: 1 };
    /// Fragment checksum is valid (quadword 1, 10).
    pub const UDPV: QuadField = QuadField { word: 1, shift: 10, width: 1 };
    /// Low latency interrupt (quadword 1, 11).
    pub const LLINT: QuadField = QuadField { word: 1, shift: 11, width: 1 };
    /// Time stamped (quadword 1, 16).
    pub const TS: QuadField = QuadField { word: 1, shift: 16, width: 1 };
    /// Security was processed (quadword 1, 17).
    pub const SECP: QuadField = QuadField { word: 1, shift: 17, width: 1 };
    /// Loopback (quadword 1, 18).
    pub const LB: QuadField = QuadField { word: 1, shift: 18, width: 1 };
    /// All error bits; valid with EOP (quadword 1, 31:20).
    pub const ERRORS: QuadField = QuadField { word: 1, shift: 20, width: 12 };
    /// Flow director error (quadword 1, 22:20).
    pub const FDIR_ERROR: QuadField = QuadField { word: 1, shift: 20, width: 3 };
    /// Header buffer overflow (quadword 1, 23).
    pub const HBO: QuadField = QuadField { word: 1, shift: 23, width: 1 };
    /// Security error (quadword 1, 28:27).
    pub const SEC_ERROR: QuadField = QuadField { word: 1, shift: 27, width: 2 };
    /// MAC error: CRC, length, size, symbol (quadword 1, 29).
    pub const RXE: QuadField = QuadField { word: 1, shift: 29, width: 1 };
    /// L4 checksum wrong (quadword 1, 30).
    pub const L4E: QuadField = QuadField { word: 1, shift: 30, width: 1 };
    /// IPv4 checksum wrong (quadword 1, 31).
    pub const IPE: QuadField = QuadField { word: 1, shift: 31, width: 1 };
    /// Bytes in this buffer (quadword 1, 47:32).
    pub const LENGTH: QuadField = QuadField { word: 1, shift: 32, width: 16 };
    /// Stripped VLAN tag (quadword 1, 63:48).
    pub const VLAN: QuadField = QuadField { word: 1, shift: 48, width: 16 };
}
/// Transmit data descriptor as the driver hands it over. 82599:7.2.3.2.4.
pub mod tx_data {
    use super::QuadField;
    /// Address of the data (quadword 0, 63:0).
    pub const BUFFER: QuadField = QuadField { word: 0, shift: 0, width: 64 };
    /// Bytes in this buffer (quadword 1, 15:0).
    pub const DTALEN: QuadField = QuadField { word: 1, shift: 0, width: 16 };
    /// Apply LinkSec (quadword 1, 18).
    pub const LINKSEC: QuadField = QuadField { word: 1, shift: 18, width: 1 };
    /// IEEE 1588 time stamp (quadword 1, 19).
    pub const TSTAMP: QuadField = QuadField { word: 1, shift: 19, width: 1 };
    /// Kind of descriptor (quadword 1, 23:20).
    pub const DTYP: QuadField = QuadField { word: 1, shift: 20, width: 4 };
    /// Value of [`DTYP`].
    pub const DTYP_DATA: u64 = 3;
    /// End of packet (quadword 1, 24).
    pub const EOP: QuadField = QuadField { word: 1, shift: 24, width: 1 };
    /// Insert the CRC (quadword 1, 25).
    pub const IFCS: QuadField = QuadField { word: 1, shift: 25, width: 1 };
    /// Report status: write DD back (quadword 1, 27).
    pub const RS: QuadField = QuadField { word: 1, shift: 27, width: 1 };
    /// Advanced format (quadword 1, 29).
    pub const DEXT: QuadField = QuadField { word: 1, shift: 29, width: 1 };
    /// Insert the VLAN tag of the context (quadword 1, 30).
    pub const VLE: QuadField = QuadField { word: 1, shift: 30, width: 1 };
    /// TCP segmentation (quadword 1, 31).
    pub const TSE: QuadField = QuadField { word: 1, shift: 31, width: 1 };
    /// Status, written back (quadword 1, 35:32).
    pub const STA: QuadField = QuadField { word: 1, shift: 32, width: 4 };
    /// Context to use (quadword 1, 38:36).
    pub const IDX: QuadField = QuadField { word: 1, shift: 36, width: 3 };
    /// Check context (quadword 1, 39).
    pub const CC: QuadField = QuadField { word: 1, shift: 39, width: 1 };
    /// Insert the IPv4 checksum (quadword 1, 40).
    pub const IXSM: QuadField = QuadField { word: 1, shift: 40, width: 1 };
    /// Insert the L4 checksum (quadword 1, 41).
    pub const TXSM: QuadField = QuadField { word: 1, shift: 41, width: 1 };
    /// IPsec (quadword 1, 42).
    pub const IPSEC: QuadField = QuadField { word: 1, shift: 42, width: 1 };
    /// Bytes of the packet (with TSE: of the L4 payload) (quadword 1, 63:46).
    pub const PAYLEN: QuadField = QuadField { word: 1, shift: 46, width: 18 };
}
/// Transmit descriptor as the NIC gives it back. 82599:7.2.3.2.4.
pub mod tx_writeback {
    use super::QuadField;
    /// Descriptor done; all else is undefined (quadword 1, 32).
    pub const DD: QuadField = QuadField { word: 1, shift: 32, width: 1 };
}

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
/// Device control at its second address. 82599:8.2.3.1.1, RW.
pub const CTRL_ALIAS: Register = Register { name: "CTRL_ALIAS", index: None, offset: 0x00004 };
/// Device status. 82599:8.2.3.1.2, RO.
pub const STATUS: Register = Register { name: "STATUS", index: None, offset: 0x00008 };
/// Extended device control. 82599:8.2.3.1.3, RW.
pub const CTRL_EXT: Register = Register { name: "CTRL_EXT", index: None, offset: 0x00018 };
/// Software defined pins. 82599:8.2.3.1.4, RW.
pub const ESDP: Register = Register { name: "ESDP", index: None, offset: 0x00020 };
/// I2C lines to the SFP module. 82599:8.2.3.1.5, RW.
pub const I2CCTL: Register = Register { name: "I2CCTL", index: None, offset: 0x00028 };
/// LED control. 82599:8.2.3.1.6, RW.
pub const LEDCTL: Register = Register { name: "LEDCTL", index: None, offset: 0x00200 };
/// EEPROM bit-bang and presence. 82599:8.2.3.2.1, RW.
pub const EEC: Register = Register { name: "EEC", index: None, offset: 0x10010 };
/// EEPROM read. 82599:8.2.3.2.2, RW.
pub const EERD: Register = Register { name: "EERD", index: None, offset: 0x10014 };
/// EEPROM write. 82599:8.2.3.2, RW.
pub const EEWR: Register = Register { name: "EEWR", index: None, offset: 0x10018 };
/// Software semaphore. 82599:8.2.3.4.9, RW.
pub const SWSM: Register = Register { name: "SWSM", index: None, offset: 0x10140 };
/// Software and firmware synchronisation (GSSR). 82599:8.2.3.4.11, RW.
pub const SW_FW_SYNC: Register = Register { name: "SW_FW_SYNC", index: None, offset: 0x10160 };
/// Firmware semaphore. 82599:8.2.3.4.10, RO.
pub const FWSM: Register = Register { name: "FWSM", index: None, offset: 0x10148 };
/// Function active and power state. 82599:8.2.3.4, RO.
pub const FACTPS: Register = Register { name: "FACTPS", index: None, offset: 0x10150 };
/// PCIe control. 82599:8.2.3.4, RW.
pub const GCR: Register = Register { name: "GCR", index: None, offset: 0x11000 };
/// PCIe control, extended. 82599:8.2.3.4, RW.
pub const GCR_EXT: Register = Register { name: "GCR_EXT", index: None, offset: 0x11050 };
/// Pause timer values, two traffic classes each. 82599:8.2.3.3.2, RW.
pub const FCTTV: Registers =
    Registers { name: "FCTTV", banks: &[Bank { first: 0, count: 4, offset: 0x03200, stride: 4 }] };
/// Pause refresh threshold. 82599:8.2.3.3.5, RW.
pub const FCRTV: Register = Register { name: "FCRTV", index: None, offset: 0x032a0 };
/// Transmit flow control status. 82599:8.2.3.3.6, RO.
pub const TFCS: Register = Register { name: "TFCS", index: None, offset: 0x0ce00 };
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
/// Selects the queue for RTTDT1C and RTTBCNRC. 82599:8.2.3.10, RW.
pub const RTTDQSEL: Register = Register { name: "RTTDQSEL", index: None, offset: 0x04904 };
/// Transmit arbiter credits of the selected queue. 82599:8.2.3.10, RW.
pub const RTTDT1C: Register = Register { name: "RTTDT1C", index: None, offset: 0x04908 };
/// Transmit rate limit of the selected queue. 82599:8.2.3.10, RW.
pub const RTTBCNRC: Register = Register { name: "RTTBCNRC", index: None, offset: 0x04984 };
/// Receive packet plane control. 82599:8.2.3.10, RW.
pub const RTRPCS: Register = Register { name: "RTRPCS", index: None, offset: 0x02430 };
/// Transmit packet plane control. 82599:8.2.3.10, RW.
pub const RTTPCS: Register = Register { name: "RTTPCS", index: None, offset: 0x0cd00 };
/// Transmit security control. 82599:8.2.3.12, RW.
pub const SECTXCTRL: Register = Register { name: "SECTXCTRL", index: None, offset: 0x08800 };
/// Transmit security status. 82599:8.2.3.12, RO.
pub const SECTXSTAT: Register = Register { name: "SECTXSTAT", index: None, offset: 0x08804 };
/// Transmit security gap. 82599:8.2.3.12, RW.
pub const SECTXMINIFG: Register = Register { name: "SECTXMINIFG", index: None, offset: 0x08810 };
/// Receive threshold, low: send XON below. 82599:8.2.3.3.3, RW.
pub const FCRTL: Registers =
    Registers { name: "FCRTL", banks: &[Bank { first: 0, count: 8, offset: 0x03220, stride: 4 }] };
/// Receive threshold, high: send XOFF above. 82599:8.2.3.3.4, RW.
pub const FCRTH: Registers =
    Registers { name: "FCRTH", banks: &[Bank { first: 0, count: 8, offset: 0x03260, stride: 4 }] };
/// Flow control configuration. 82599:8.2.3.3.7, RW.
pub const FCCFG: Register = Register { name: "FCCFG", index: None, offset: 0x03d00 };
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
/// MAC flow control. 82599:8.2.3.22.34, RW.
pub const MFLCN: Register = Register { name: "MFLCN", index: None, offset: 0x04294 };
/// 1 Gb link control. 82599:8.2.3.22, RW.
pub const PCS1GLCTL: Register = Register { name: "PCS1GLCTL", index: None, offset: 0x04208 };
/// 1 Gb auto-negotiation advertisement. 82599:8.2.3.22, RW.
pub const PCS1GANA: Register = Register { name: "PCS1GANA", index: None, offset: 0x04218 };
/// MDI command and address. 82599:8.2.3.22, RW.
pub const MSCA: Register = Register { name: "MSCA", index: None, offset: 0x0425c };
/// MDI data. 82599:8.2.3.22, RW.
pub const MSRWD: Register = Register { name: "MSRWD", index: None, offset: 0x04260 };
/// Auto-negotiation control. 82599:8.2.3.22.19, RW.
pub const AUTOC: Register = Register { name: "AUTOC", index: None, offset: 0x042a0 };
/// Link status. 82599:8.2.3.22.20, RO.
pub const LINKS: Register = Register { name: "LINKS", index: None, offset: 0x042a4 };
/// Auto-negotiation control 2. 82599:8.2.3.22.22, RW.
pub const AUTOC2: Register = Register { name: "AUTOC2", index: None, offset: 0x042a8 };
/// Auto-negotiation link partner 1. 82599:8.2.3.22.23, RO.
pub const ANLP1: Register = Register { name: "ANLP1", index: None, offset: 0x042b0 };
/// MAC manageability control. 82599:8.2.3.22, RO.
pub const MMNGC: Register = Register { name: "MMNGC", index: None, offset: 0x042d0 };
/// Link status 2. 82599:8.2.3.22, RO.
pub const LINKS2: Register = Register { name: "LINKS2", index: None, offset: 0x04324 };
/// Core analog configuration. 82599:8.2.3.22.32, RW.
pub const CORECTL: Register = Register { name: "CORECTL", index: None, offset: 0x14f00 };
/// Wake up control. 82599:8.2.3.24, RW.
pub const WUC: Register = Register { name: "WUC", index: None, offset: 0x05800 };
/// Wake up filter control. 82599:8.2.3.24, RW.
pub const WUFC: Register = Register { name: "WUFC", index: None, offset: 0x05808 };
/// Wake up status. 82599:8.2.3.24, W1C.
pub const WUS: Register = Register { name: "WUS", index: None, offset: 0x05810 };
/// Host interface buffer. 82599:8.2.3.25, RW.
pub const FLEX_MNG: Registers =
    Registers { name: "FLEX_MNG", banks: &[Bank { first: 0, count: 448, offset: 0x15800, stride: 4 }] };
/// Host interface control. 82599:8.2.3.25, RW.
pub const HICR: Register = Register { name: "HICR", index: None, offset: 0x15f00 };
/// Filter control. 82599:8.2.3.7.1, RW.
pub const FCTRL: Register = Register { name: "FCTRL", index: None, offset: 0x05080 };
/// VLAN control. 82599:8.2.3.7.2, RW.
pub const VLNCTRL: Register = Register { name: "VLNCTRL", index: None, offset: 0x05088 };
/// Multicast control. 82599:8.2.3.7.3, RW.
pub const MCSTCTRL: Register = Register { name: "MCSTCTRL", index: None, offset: 0x05090 };
/// Receive checksum control. 82599:8.2.3.7.5, RW.
pub const RXCSUM: Register = Register { name: "RXCSUM", index: None, offset: 0x05000 };
/// Receive filter control. 82599:8.2.3.7.6, RW.
pub const RFCTL: Register = Register { name: "RFCTL", index: None, offset: 0x05008 };
/// Multicast table: 4096 bits, word = hash >> 5, bit = hash & 31. 82599:8.2.3.7.7, RW.
pub const MTA: Registers =
    Registers { name: "MTA", banks: &[Bank { first: 0, count: 128, offset: 0x05200, stride: 4 }] };
/// Receive address, bytes 0 to 3 (byte 0 lowest). 82599:8.2.3.7.8, RW.
pub const RAL: Registers =
    Registers { name: "RAL", banks: &[Bank { first: 0, count: 128, offset: 0x0a200, stride: 8 }] };
/// Receive addresses 0 to 15, low, at their 82598 place. 82599:8.2.3.7.8, RW.
pub const RAL_ALIAS: Registers =
    Registers { name: "RAL_ALIAS", banks: &[Bank { first: 0, count: 16, offset: 0x05400, stride: 8 }] };
/// Receive address, bytes 4 and 5. 82599:8.2.3.7.9, RW.
pub const RAH: Registers =
    Registers { name: "RAH", banks: &[Bank { first: 0, count: 128, offset: 0x0a204, stride: 8 }] };
/// Receive addresses 0 to 15, high, at their 82598 place. 82599:8.2.3.7.9, RW.
pub const RAH_ALIAS: Registers =
    Registers { name: "RAH_ALIAS", banks: &[Bank { first: 0, count: 16, offset: 0x05404, stride: 8 }] };
/// Pools of each receive address: 64-bit map, low word at even numbers. 82599:8.2.3.7.10, RW.
pub const MPSAR: Registers =
    Registers { name: "MPSAR", banks: &[Bank { first: 0, count: 256, offset: 0x0a600, stride: 4 }] };
/// VLAN filter: 4096 bits, word = id >> 5, bit = id & 31. 82599:8.2.3.7.11, RW.
pub const VFTA: Registers =
    Registers { name: "VFTA", banks: &[Bank { first: 0, count: 128, offset: 0x0a000, stride: 4 }] };
/// Unicast table: 4096 bits. 82599:8.2.3.27, RW.
pub const PFUTA: Registers =
    Registers { name: "PFUTA", banks: &[Bank { first: 0, count: 128, offset: 0x0f400, stride: 4 }] };
/// Pool VLAN filters. 82599:8.2.3.27, RW.
pub const VLVF: Registers =
    Registers { name: "VLVF", banks: &[Bank { first: 0, count: 64, offset: 0x0f100, stride: 4 }] };
/// Pools of each VLAN filter. 82599:8.2.3.27, RW.
pub const VLVFB: Registers =
    Registers { name: "VLVFB", banks: &[Bank { first: 0, count: 128, offset: 0x0f200, stride: 4 }] };
/// Pool offloads. 82599:8.2.3.27, RW.
pub const VMOLR: Registers =
    Registers { name: "VMOLR", banks: &[Bank { first: 0, count: 64, offset: 0x0f000, stride: 4 }] };
/// Virtualization control; 0 is off. 82599:8.2.3.27, RW.
pub const VT_CTL: Register = Register { name: "VT_CTL", index: None, offset: 0x051b0 };
/// Multiple receive queues. 82599:8.2.3.7.12, RW.
pub const MRQC: Register = Register { name: "MRQC", index: None, offset: 0x0ec80 };
/// Multiple receive queues at its 82598 place. 82599:8.2.3.7.12, RW.
pub const MRQC_ALIAS: Register = Register { name: "MRQC_ALIAS", index: None, offset: 0x05818 };
/// Redirection table: 128 entries, four in a register, lowest first. 82599:8.2.3.7.15, RW.
pub const RETA: Registers =
    Registers { name: "RETA", banks: &[Bank { first: 0, count: 32, offset: 0x0eb00, stride: 4 }] };
/// Redirection table at its 82598 place. 82599:8.2.3.7.15, RW.
pub const RETA_ALIAS: Registers =
    Registers { name: "RETA_ALIAS", banks: &[Bank { first: 0, count: 32, offset: 0x05c00, stride: 4 }] };
/// RSS key, 40 bytes, lowest first. 82599:8.2.3.7.14, RW.
pub const RSSRK: Registers =
    Registers { name: "RSSRK", banks: &[Bank { first: 0, count: 10, offset: 0x0eb80, stride: 4 }] };
/// RSS key at its 82598 place. 82599:8.2.3.7.14, RW.
pub const RSSRK_ALIAS: Registers =
    Registers { name: "RSSRK_ALIAS", banks: &[Bank { first: 0, count: 10, offset: 0x05c80, stride: 4 }] };
/// Packet split types. 82599:8.2.3.7.4, RW.
pub const PSRTYPE: Registers =
    Registers { name: "PSRTYPE", banks: &[Bank { first: 0, count: 64, offset: 0x0ea00, stride: 4 }] };
/// Packet split types at their 82598 place. 82599:8.2.3.7.4, RW.
pub const PSRTYPE_ALIAS: Registers =
    Registers { name: "PSRTYPE_ALIAS", banks: &[Bank { first: 0, count: 16, offset: 0x05480, stride: 4 }] };
/// Five-tuple filter: source address. 82599:8.2.3.7.16, RW.
pub const SAQF: Registers =
    Registers { name: "SAQF", banks: &[Bank { first: 0, count: 128, offset: 0x0e000, stride: 4 }] };
/// Five-tuple filter: destination address. 82599:8.2.3.7.17, RW.
pub const DAQF: Registers =
    Registers { name: "DAQF", banks: &[Bank { first: 0, count: 128, offset: 0x0e200, stride: 4 }] };
/// Five-tuple filter: ports. 82599:8.2.3.7.18, RW.
pub const SDPQF: Registers =
    Registers { name: "SDPQF", banks: &[Bank { first: 0, count: 128, offset: 0x0e400, stride: 4 }] };
/// Five-tuple filter: protocol and enable. 82599:8.2.3.7.19, RW.
pub const FTQF: Registers =
    Registers { name: "FTQF", banks: &[Bank { first: 0, count: 128, offset: 0x0e600, stride: 4 }] };
/// SYN packet filter. 82599:8.2.3.7.20, RW.
pub const SYNQF: Register = Register { name: "SYNQF", index: None, offset: 0x0ec30 };
/// Ethertype filters. 82599:8.2.3.7.21, RW.
pub const ETQF: Registers =
    Registers { name: "ETQF", banks: &[Bank { first: 0, count: 8, offset: 0x05128, stride: 4 }] };
/// Ethertype filters: queue. 82599:8.2.3.7.22, RW.
pub const ETQS: Registers =
    Registers { name: "ETQS", banks: &[Bank { first: 0, count: 8, offset: 0x0ec00, stride: 4 }] };
/// Flow director control. 82599:8.2.3.21, RW.
pub const FDIRCTRL: Register = Register { name: "FDIRCTRL", index: None, offset: 0x0ee00 };
/// Flow director signature. 82599:8.2.3.21, RW.
pub const FDIRHASH: Register = Register { name: "FDIRHASH", index: None, offset: 0x0ee28 };
/// Flow director command. 82599:8.2.3.21, RW.
pub const FDIRCMD: Register = Register { name: "FDIRCMD", index: None, offset: 0x0ee2c };
/// Flow director longest list. 82599:8.2.3.21, RC.
pub const FDIRLEN: Register = Register { name: "FDIRLEN", index: None, offset: 0x0ee4c };
/// Flow director filters added and removed. 82599:8.2.3.21, RC.
pub const FDIRUSTAT: Register = Register { name: "FDIRUSTAT", index: None, offset: 0x0ee50 };
/// Flow director failed adds and removes. 82599:8.2.3.21, RC.
pub const FDIRFSTAT: Register = Register { name: "FDIRFSTAT", index: None, offset: 0x0ee54 };
/// Flow director matches. 82599:8.2.3.21, RC.
pub const FDIRMATCH: Register = Register { name: "FDIRMATCH", index: None, offset: 0x0ee58 };
/// Flow director misses. 82599:8.2.3.21, RC.
pub const FDIRMISS: Register = Register { name: "FDIRMISS", index: None, offset: 0x0ee5c };
/// Flow director hash key. 82599:8.2.3.21, RW.
pub const FDIRHKEY: Register = Register { name: "FDIRHKEY", index: None, offset: 0x0ee68 };
/// Flow director signature key. 82599:8.2.3.21, RW.
pub const FDIRSKEY: Register = Register { name: "FDIRSKEY", index: None, offset: 0x0ee6c };
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
/// Receive DCA control, queues 0 to 15, at its 82598 place. 82599:8.2.3.11.1, RW.
pub const DCA_RXCTRL_ALIAS: Registers = Registers {
    name: "DCA_RXCTRL_ALIAS",
    banks: &[Bank { first: 0, count: 16, offset: 0x02200, stride: 4 }],
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
/// Split and replication receive control, queues 0 to 15, at its 82598 place. 82599:8.2.3.8.7, RW.
pub const SRRCTL_ALIAS: Registers =
    Registers { name: "SRRCTL_ALIAS", banks: &[Bank { first: 0, count: 16, offset: 0x02100, stride: 4 }] };
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
/// Receive side coalescing data buffer. 82599:8.2.3.8.12, RW.
pub const RSCDBU: Register = Register { name: "RSCDBU", index: None, offset: 0x03028 };
/// Transmit DMA control. 82599:8.2.3.9.2, RW.
pub const DMATXCTL: Register = Register { name: "DMATXCTL", index: None, offset: 0x04a80 };
/// TCP flags kept in the first and middle segments. 82599:8.2.3.9.3, RW.
pub const DTXTCPFLGL: Register = Register { name: "DTXTCPFLGL", index: None, offset: 0x04a88 };
/// TCP flags kept in the last segment. 82599:8.2.3.9.4, RW.
pub const DTXTCPFLGH: Register = Register { name: "DTXTCPFLGH", index: None, offset: 0x04a8c };
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
/// Transmit switch control. 82599:8.2.3.27, RW.
pub const PFDTXGSWC: Register = Register { name: "PFDTXGSWC", index: None, offset: 0x08220 };
/// Frames with a wrong CRC. 82599:8.2.3.23, RC.
pub const CRCERRS: Register = Register { name: "CRCERRS", index: None, offset: 0x04000 };
/// Illegal bytes. 82599:8.2.3.23, RC.
pub const ILLERRC: Register = Register { name: "ILLERRC", index: None, offset: 0x04004 };
/// Error bytes. 82599:8.2.3.23, RC.
pub const ERRBC: Register = Register { name: "ERRBC", index: None, offset: 0x04008 };
/// MAC short packets. 82599:8.2.3.23, RC.
pub const MSPDC: Register = Register { name: "MSPDC", index: None, offset: 0x04010 };
/// MAC local faults. 82599:8.2.3.23, RC.
pub const MLFC: Register = Register { name: "MLFC", index: None, offset: 0x04034 };
/// MAC remote faults. 82599:8.2.3.23, RC.
pub const MRFC: Register = Register { name: "MRFC", index: None, offset: 0x04038 };
/// Length errors. 82599:8.2.3.23, RC.
pub const RLEC: Register = Register { name: "RLEC", index: None, offset: 0x04040 };
/// Received: 64 bytes. 82599:8.2.3.23, RC.
pub const PRC64: Register = Register { name: "PRC64", index: None, offset: 0x0405c };
/// Received: 65 to 127 bytes. 82599:8.2.3.23, RC.
pub const PRC127: Register = Register { name: "PRC127", index: None, offset: 0x04060 };
/// Received: 128 to 255 bytes. 82599:8.2.3.23, RC.
pub const PRC255: Register = Register { name: "PRC255", index: None, offset: 0x04064 };
/// Received: 256 to 511 bytes. 82599:8.2.3.23, RC.
pub const PRC511: Register = Register { name: "PRC511", index: None, offset: 0x04068 };
/// Received: 512 to 1023 bytes. 82599:8.2.3.23, RC.
pub const PRC1023: Register = Register { name: "PRC1023", index: None, offset: 0x0406c };
/// Received: 1024 bytes to the largest frame. 82599:8.2.3.23, RC.
pub const PRC1522: Register = Register { name: "PRC1522", index: None, offset: 0x04070 };
/// Good packets received. 82599:8.2.3.23, RC.
pub const GPRC: Register = Register { name: "GPRC", index: None, offset: 0x04074 };
/// Broadcast packets received. 82599:8.2.3.23, RC.
pub const BPRC: Register = Register { name: "BPRC", index: None, offset: 0x04078 };
/// Multicast packets received. 82599:8.2.3.23, RC.
pub const MPRC: Register = Register { name: "MPRC", index: None, offset: 0x0407c };
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
/// Management packets received. 82599:8.2.3.23, RC.
pub const MNGPRC: Register = Register { name: "MNGPRC", index: None, offset: 0x040b4 };
/// Management packets dropped. 82599:8.2.3.23, RC.
pub const MNGPDC: Register = Register { name: "MNGPDC", index: None, offset: 0x040b8 };
/// Octets received of all frames, low; read before TORH. 82599:8.2.3.23, RC.
pub const TORL: Register = Register { name: "TORL", index: None, offset: 0x040c0 };
/// Octets received of all frames, bits 35:32. 82599:8.2.3.23, RC.
pub const TORH: Register = Register { name: "TORH", index: None, offset: 0x040c4 };
/// All packets received. 82599:8.2.3.23.59, RC.
pub const TPR: Register = Register { name: "TPR", index: None, offset: 0x040d0 };
/// All packets transmitted. 82599:8.2.3.23, RC.
pub const TPT: Register = Register { name: "TPT", index: None, offset: 0x040d4 };
/// Transmitted: 64 bytes. 82599:8.2.3.23, RC.
pub const PTC64: Register = Register { name: "PTC64", index: None, offset: 0x040d8 };
/// Transmitted: 65 to 127 bytes. 82599:8.2.3.23, RC.
pub const PTC127: Register = Register { name: "PTC127", index: None, offset: 0x040dc };
/// Transmitted: 128 to 255 bytes. 82599:8.2.3.23, RC.
pub const PTC255: Register = Register { name: "PTC255", index: None, offset: 0x040e0 };
/// Transmitted: 256 to 511 bytes. 82599:8.2.3.23, RC.
pub const PTC511: Register = Register { name: "PTC511", index: None, offset: 0x040e4 };
/// Transmitted: 512 to 1023 bytes. 82599:8.2.3.23, RC.
pub const PTC1023: Register = Register { name: "PTC1023", index: None, offset: 0x040e8 };
/// Transmitted: 1024 bytes and longer. 82599:8.2.3.23, RC.
pub const PTC1522: Register = Register { name: "PTC1522", index: None, offset: 0x040ec };
/// Multicast packets transmitted. 82599:8.2.3.23, RC.
pub const MPTC: Register = Register { name: "MPTC", index: None, offset: 0x040f0 };
/// Broadcast packets transmitted. 82599:8.2.3.23, RC.
pub const BPTC: Register = Register { name: "BPTC", index: None, offset: 0x040f4 };
/// Checksum errors: IPv4, TCP, UDP, SCTP. 82599:8.2.3.23, RC.
pub const XEC: Register = Register { name: "XEC", index: None, offset: 0x04120 };
/// Priority XON received. 82599:8.2.3.23, RC.
pub const PXONRXCNT: Registers =
    Registers { name: "PXONRXCNT", banks: &[Bank { first: 0, count: 8, offset: 0x04140, stride: 4 }] };
/// Priority XOFF received. 82599:8.2.3.23, RC.
pub const PXOFFRXCNT: Registers =
    Registers { name: "PXOFFRXCNT", banks: &[Bank { first: 0, count: 8, offset: 0x04160, stride: 4 }] };
/// Link XON received. 82599:8.2.3.23, RC.
pub const LXONRXCNT: Register = Register { name: "LXONRXCNT", index: None, offset: 0x041a4 };
/// Link XOFF received. 82599:8.2.3.23, RC.
pub const LXOFFRXCNT: Register = Register { name: "LXOFFRXCNT", index: None, offset: 0x041a8 };
/// Priority XON to XOFF changes. 82599:8.2.3.23, RC.
pub const PXON2OFFCNT: Registers =
    Registers { name: "PXON2OFFCNT", banks: &[Bank { first: 0, count: 8, offset: 0x03240, stride: 4 }] };
/// Priority XON transmitted. 82599:8.2.3.23, RC.
pub const PXONTXC: Registers =
    Registers { name: "PXONTXC", banks: &[Bank { first: 0, count: 8, offset: 0x03f00, stride: 4 }] };
/// Priority XOFF transmitted. 82599:8.2.3.23, RC.
pub const PXOFFTXC: Registers =
    Registers { name: "PXOFFTXC", banks: &[Bank { first: 0, count: 8, offset: 0x03f20, stride: 4 }] };
/// Link XON transmitted. 82599:8.2.3.23, RC.
pub const LXONTXC: Register = Register { name: "LXONTXC", index: None, offset: 0x03f60 };
/// Link XOFF transmitted. 82599:8.2.3.23, RC.
pub const LXOFFTXC: Register = Register { name: "LXOFFTXC", index: None, offset: 0x03f68 };
/// Missed: no packet buffer space. 82599:8.2.3.23, RC.
pub const MPC: Registers =
    Registers { name: "MPC", banks: &[Bank { first: 0, count: 8, offset: 0x03fa0, stride: 4 }] };
/// Management packets transmitted. 82599:8.2.3.23, RC.
pub const MNGPTC: Register = Register { name: "MNGPTC", index: None, offset: 0x0cf90 };
/// Packets received, by counter set. 82599:8.2.3.23, RC.
pub const QPRC: Registers =
    Registers { name: "QPRC", banks: &[Bank { first: 0, count: 16, offset: 0x01030, stride: 64 }] };
/// Bytes received, low, by counter set; read before QBRC_H. 82599:8.2.3.23, RC.
pub const QBRC_L: Registers =
    Registers { name: "QBRC_L", banks: &[Bank { first: 0, count: 16, offset: 0x01034, stride: 64 }] };
/// Bytes received, bits 35:32, by counter set. 82599:8.2.3.23, RC.
pub const QBRC_H: Registers =
    Registers { name: "QBRC_H", banks: &[Bank { first: 0, count: 16, offset: 0x01038, stride: 64 }] };
/// Packets dropped for want of a descriptor, by counter set. 82599:8.2.3.23.75, RC.
pub const QPRDC: Registers =
    Registers { name: "QPRDC", banks: &[Bank { first: 0, count: 16, offset: 0x01430, stride: 64 }] };
/// Packets transmitted, by counter set. 82599:8.2.3.23, RC.
pub const QPTC: Registers =
    Registers { name: "QPTC", banks: &[Bank { first: 0, count: 16, offset: 0x08680, stride: 4 }] };
/// Packets transmitted, by counter set, at its 82598 place. 82599:8.2.3.23, RC.
pub const QPTC_ALIAS: Registers =
    Registers { name: "QPTC_ALIAS", banks: &[Bank { first: 0, count: 16, offset: 0x06030, stride: 64 }] };
/// Bytes transmitted, low, by counter set; read before QBTC_H. 82599:8.2.3.23, RC.
pub const QBTC_L: Registers =
    Registers { name: "QBTC_L", banks: &[Bank { first: 0, count: 16, offset: 0x08700, stride: 8 }] };
/// Bytes transmitted, bits 35:32, by counter set. 82599:8.2.3.23, RC.
pub const QBTC_H: Registers =
    Registers { name: "QBTC_H", banks: &[Bank { first: 0, count: 16, offset: 0x08704, stride: 8 }] };
/// FCoE: wrong CRC. 82599:8.2.3.23, RC.
pub const FCCRC: Register = Register { name: "FCCRC", index: None, offset: 0x05118 };
/// FCoE: packets dropped. 82599:8.2.3.23, RC.
pub const FCOERPDC: Register = Register { name: "FCOERPDC", index: None, offset: 0x0241c };
/// FCoE: last errors. 82599:8.2.3.23, RC.
pub const FCLAST: Register = Register { name: "FCLAST", index: None, offset: 0x02424 };
/// FCoE: packets received. 82599:8.2.3.23, RC.
pub const FCOEPRC: Register = Register { name: "FCOEPRC", index: None, offset: 0x02428 };
/// FCoE: words received. 82599:8.2.3.23, RC.
pub const FCOEDWRC: Register = Register { name: "FCOEDWRC", index: None, offset: 0x0242c };
/// FCoE: packets transmitted. 82599:8.2.3.23, RC.
pub const FCOEPTC: Register = Register { name: "FCOEPTC", index: None, offset: 0x08784 };
/// FCoE: words transmitted. 82599:8.2.3.23, RC.
pub const FCOEDWTC: Register = Register { name: "FCOEDWTC", index: None, offset: 0x08788 };
/// LinkSec: untagged packets transmitted. 82599:8.2.3.23, RC.
pub const LSECTXUT: Register = Register { name: "LSECTXUT", index: None, offset: 0x08a3c };
/// LinkSec: encrypted packets transmitted. 82599:8.2.3.23, RC.
pub const LSECTXPKTE: Register = Register { name: "LSECTXPKTE", index: None, offset: 0x08a40 };
/// LinkSec: protected packets transmitted. 82599:8.2.3.23, RC.
pub const LSECTXPKTP: Register = Register { name: "LSECTXPKTP", index: None, offset: 0x08a44 };
/// LinkSec: encrypted octets transmitted. 82599:8.2.3.23, RC.
pub const LSECTXOCTE: Register = Register { name: "LSECTXOCTE", index: None, offset: 0x08a48 };
/// LinkSec: protected octets transmitted. 82599:8.2.3.23, RC.
pub const LSECTXOCTP: Register = Register { name: "LSECTXOCTP", index: None, offset: 0x08a4c };
/// LinkSec: untagged packets received. 82599:8.2.3.23, RC.
pub const LSECRXUT: Register = Register { name: "LSECRXUT", index: None, offset: 0x08f40 };
/// LinkSec: octets decrypted. 82599:8.2.3.23, RC.
pub const LSECRXOCTD: Register = Register { name: "LSECRXOCTD", index: None, offset: 0x08f44 };
/// LinkSec: octets validated. 82599:8.2.3.23, RC.
pub const LSECRXOCTV: Register = Register { name: "LSECRXOCTV", index: None, offset: 0x08f48 };
/// LinkSec: packets with a bad tag. 82599:8.2.3.23, RC.
pub const LSECRXBAD: Register = Register { name: "LSECRXBAD", index: None, offset: 0x08f4c };
/// LinkSec: packets without SCI. 82599:8.2.3.23, RC.
pub const LSECRXNOSCI: Register = Register { name: "LSECRXNOSCI", index: None, offset: 0x08f50 };
/// LinkSec: packets of unknown SCI. 82599:8.2.3.23, RC.
pub const LSECRXUNSCI: Register = Register { name: "LSECRXUNSCI", index: None, offset: 0x08f54 };
/// LinkSec: unchecked packets. 82599:8.2.3.23, RC.
pub const LSECRXUNCH: Register = Register { name: "LSECRXUNCH", index: None, offset: 0x08f58 };
/// LinkSec: delayed packets. 82599:8.2.3.23, RC.
pub const LSECRXDELAY: Register = Register { name: "LSECRXDELAY", index: None, offset: 0x08f5c };
/// LinkSec: late packets. 82599:8.2.3.23, RC.
pub const LSECRXLATE: Register = Register { name: "LSECRXLATE", index: None, offset: 0x08f60 };
/// LinkSec: good packets. 82599:8.2.3.23, RC.
pub const LSECRXOK: Registers =
    Registers { name: "LSECRXOK", banks: &[Bank { first: 0, count: 2, offset: 0x08f64, stride: 4 }] };
/// LinkSec: invalid packets. 82599:8.2.3.23, RC.
pub const LSECRXINV: Registers =
    Registers { name: "LSECRXINV", banks: &[Bank { first: 0, count: 2, offset: 0x08f6c, stride: 4 }] };
/// LinkSec: not valid packets. 82599:8.2.3.23, RC.
pub const LSECRXNV: Registers =
    Registers { name: "LSECRXNV", banks: &[Bank { first: 0, count: 2, offset: 0x08f74, stride: 4 }] };
/// LinkSec: packets of an unused association. 82599:8.2.3.23, RC.
pub const LSECRXUNSA: Register = Register { name: "LSECRXUNSA", index: None, offset: 0x08f7c };
/// LinkSec: packets without an association. 82599:8.2.3.23, RC.
pub const LSECRXNUSA: Register = Register { name: "LSECRXNUSA", index: None, offset: 0x08f80 };
/// Counter set of receive queues 4n to 4n + 3. 82599:8.2.3.23.71, RW.
pub const RQSMR: Registers =
    Registers { name: "RQSMR", banks: &[Bank { first: 0, count: 32, offset: 0x02300, stride: 4 }] };
/// Counter set of transmit queues 4n to 4n + 3. 82599:8.2.3.23.73, RW.
pub const TQSM: Registers =
    Registers { name: "TQSM", banks: &[Bank { first: 0, count: 32, offset: 0x08600, stride: 4 }] };
/// Interrupt causes. 82599:8.2.3.5.1, RCW1C.
pub const EICR: Register = Register { name: "EICR", index: None, offset: 0x00800 };
/// Interrupt cause set; a read shows the causes without clearing them. 82599:8.2.3.5.2, W1S.
pub const EICS: Register = Register { name: "EICS", index: None, offset: 0x00808 };
/// Causes that clear themselves when their MSI-X message is sent. 82599:8.2.3.5.5, RW.
pub const EIAC: Register = Register { name: "EIAC", index: None, offset: 0x00810 };
/// Interrupt throttling. 82599:8.2.3.5.12, RW.
pub const EITR: Registers = Registers {
    name: "EITR",
    banks: &[
        Bank { first: 0, count: 24, offset: 0x00820, stride: 4 },
        Bank { first: 24, count: 104, offset: 0x12300, stride: 4 },
    ],
};
/// Interrupt mask set; a read gives the mask. 82599:8.2.3.5.3, W1S.
pub const EIMS: Register = Register { name: "EIMS", index: None, offset: 0x00880 };
/// Interrupt mask clear: ones clear bits of EIMS. 82599:8.2.3.5.4, W1C.
pub const EIMC: Register = Register { name: "EIMC", index: None, offset: 0x00888 };
/// Causes whose mask clears itself (GPIE.EIAME). 82599:8.2.3.5.6, RW.
pub const EIAM: Register = Register { name: "EIAM", index: None, offset: 0x00890 };
/// Which EITRs virtual functions share. 82599:8.2.3.5, RW.
pub const EITRSEL: Register = Register { name: "EITRSEL", index: None, offset: 0x00894 };
/// General purpose interrupt enable. 82599:8.2.3.5, RW.
pub const GPIE: Register = Register { name: "GPIE", index: None, offset: 0x00898 };
/// Vectors of queues: bytes are rx 2n, tx 2n, rx 2n + 1, tx 2n + 1. 82599:8.2.3.5, RW.
pub const IVAR: Registers =
    Registers { name: "IVAR", banks: &[Bank { first: 0, count: 64, offset: 0x00900, stride: 4 }] };
/// Vectors of the other causes. 82599:8.2.3.5, RW.
pub const IVAR_MISC: Register = Register { name: "IVAR_MISC", index: None, offset: 0x00a00 };
/// Interrupt cause set, queue vectors. 82599:8.2.3.5.7, W1S.
pub const EICS_EX: Registers =
    Registers { name: "EICS_EX", banks: &[Bank { first: 0, count: 2, offset: 0x00a90, stride: 4 }] };
/// Interrupt mask set, queue vectors. 82599:8.2.3.5.8, W1S.
pub const EIMS_EX: Registers =
    Registers { name: "EIMS_EX", banks: &[Bank { first: 0, count: 2, offset: 0x00aa0, stride: 4 }] };
/// Interrupt mask clear, queue vectors. 82599:8.2.3.5.9, W1C.
pub const EIMC_EX: Registers =
    Registers { name: "EIMC_EX", banks: &[Bank { first: 0, count: 2, offset: 0x00ab0, stride: 4 }] };
/// Auto mask, queue vectors. 82599:8.2.3.5.10, RW.
pub const EIAM_EX: Registers =
    Registers { name: "EIAM_EX", banks: &[Bank { first: 0, count: 2, offset: 0x00ad0, stride: 4 }] };

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
/// Fields of ESDP.
pub mod esdp {
    use super::Field;
    /// Level of pins 0 to 7; pin 2 SFP present, pin 3 laser off (7:0).
    pub const SDP_DATA: Field = Field { shift: 0, width: 8 };
    /// 1 = output, pins 0 to 7 (15:8).
    pub const SDP_DIRECTION: Field = Field { shift: 8, width: 8 };
}
/// Fields of I2CCTL.
pub mod i2cctl {
    use super::Field;
    /// Clock line as seen (0).
    pub const CLK_IN: Field = Field { shift: 0, width: 1 };
    /// Clock line as driven (1).
    pub const CLK_OUT: Field = Field { shift: 1, width: 1 };
    /// Data line as seen (2).
    pub const DATA_IN: Field = Field { shift: 2, width: 1 };
    /// Data line as driven (3).
    pub const DATA_OUT: Field = Field { shift: 3, width: 1 };
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
/// Fields of EERD.
pub mod eerd {
    use super::Field;
    /// Read the word at ADDR (0).
    pub const START: Field = Field { shift: 0, width: 1 };
    /// DATA is valid (1).
    pub const DONE: Field = Field { shift: 1, width: 1 };
    /// Word address (15:2).
    pub const ADDR: Field = Field { shift: 2, width: 14 };
    /// The word (31:16).
    pub const DATA: Field = Field { shift: 16, width: 16 };
}
/// Fields of EEWR.
pub mod eewr {
    use super::Field;
    /// Write DATA to ADDR (0).
    pub const START: Field = Field { shift: 0, width: 1 };
    /// Written (1).
    pub const DONE: Field = Field { shift: 1, width: 1 };
    /// Word address (15:2).
    pub const ADDR: Field = Field { shift: 2, width: 14 };
    /// The word (31:16).
    pub const DATA: Field = Field { shift: 16, width: 16 };
}
/// Fields of SWSM.
pub mod swsm {
    use super::Field;
    /// Between drivers: a read that returns 0 takes it (0).
    pub const SMBI: Field = Field { shift: 0, width: 1 };
    /// Between driver and firmware: sticks when granted (1).
    pub const SWESMBI: Field = Field { shift: 1, width: 1 };
}
/// Fields of SW_FW_SYNC.
pub mod sw_fw_sync {
    use super::Field;
    /// Software owns the EEPROM (0).
    pub const SW_EEP: Field = Field { shift: 0, width: 1 };
    /// Software owns PHY 0 (1).
    pub const SW_PHY0: Field = Field { shift: 1, width: 1 };
    /// Software owns PHY 1 (2).
    pub const SW_PHY1: Field = Field { shift: 2, width: 1 };
    /// Software owns the shared MAC registers (3).
    pub const SW_MAC_CSR: Field = Field { shift: 3, width: 1 };
    /// Software owns the flash (4).
    pub const SW_FLASH: Field = Field { shift: 4, width: 1 };
    /// The same five, owned by firmware (9:5).
    pub const FW: Field = Field { shift: 5, width: 5 };
}
/// Fields of FWSM.
pub mod fwsm {
    use super::Field;
    /// Firmware mode; 0 none, 4 pass-through (3:1).
    pub const MODE: Field = Field { shift: 1, width: 3 };
    /// Firmware is running (15).
    pub const VALID: Field = Field { shift: 15, width: 1 };
    /// External error; 0 none (24:19).
    pub const EXT_ERR: Field = Field { shift: 19, width: 6 };
}
/// Fields of FACTPS.
pub mod factps {
    use super::Field;
    /// Manageability clock gated (29).
    pub const MNGCG: Field = Field { shift: 29, width: 1 };
    /// LAN functions are swapped (30).
    pub const LFS: Field = Field { shift: 30, width: 1 };
}
/// Fields of GCR_EXT.
pub mod gcr_ext {
    use super::Field;
    /// Number of virtual machines; must agree with GPIE (1:0).
    pub const VT_MODE: Field = Field { shift: 0, width: 2 };
    /// Clear the transaction buffers before a double reset (30).
    pub const BUFFERS_CLEAR: Field = Field { shift: 30, width: 1 };
    /// MSI-X for virtual functions (31).
    pub const MSIX_EN: Field = Field { shift: 31, width: 1 };
}
/// Fields of FCTTV.
pub mod fcttv {
    use super::Field;
    /// Even class, in 64-byte times (15:0).
    pub const TTV_LOW: Field = Field { shift: 0, width: 16 };
    /// Odd class (31:16).
    pub const TTV_HIGH: Field = Field { shift: 16, width: 16 };
}
/// Fields of FCRTV.
pub mod fcrtv {
    use super::Field;
    /// Send the pause frame again when this much time is left (15:0).
    pub const FC_REFRESH_TH: Field = Field { shift: 0, width: 16 };
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
/// Fields of RTTDQSEL.
pub mod rttdqsel {
    use super::Field;
    /// Queue (6:0).
    pub const TXDQ_IDX: Field = Field { shift: 0, width: 7 };
}
/// Fields of SECTXCTRL.
pub mod sectxctrl {
    use super::Field;
    /// Security off (0).
    pub const SECTX_DIS: Field = Field { shift: 0, width: 1 };
    /// Stop the transmit data path (1).
    pub const TX_DIS: Field = Field { shift: 1, width: 1 };
}
/// Fields of SECTXSTAT.
pub mod sectxstat {
    use super::Field;
    /// Data path is empty (0).
    pub const RDY: Field = Field { shift: 0, width: 1 };
}
/// Fields of FCRTL.
pub mod fcrtl {
    use super::Field;
    /// Bytes in units of 32 (18:5).
    pub const RTL: Field = Field { shift: 5, width: 14 };
    /// XON enable (31).
    pub const XONE: Field = Field { shift: 31, width: 1 };
}
/// Fields of FCRTH.
pub mod fcrth {
    use super::Field;
    /// Bytes in units of 32 (18:5).
    pub const RTH: Field = Field { shift: 5, width: 14 };
    /// Flow control enable (31).
    pub const FCEN: Field = Field { shift: 31, width: 1 };
}
/// Fields of FCCFG.
pub mod fccfg {
    use super::Field;
    /// Transmit flow control: 0 off, 1 link, 2 priority (4:3).
    pub const TFCE: Field = Field { shift: 3, width: 2 };
    /// Value of [`TFCE`].
    pub const TFCE_OFF: u32 = 0;
    /// Value of [`TFCE`].
    pub const TFCE_LINK: u32 = 1;
    /// Value of [`TFCE`].
    pub const TFCE_PRIORITY: u32 = 2;
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
/// Fields of MFLCN.
pub mod mflcn {
    use super::Field;
    /// Pass MAC control frames to the host (0).
    pub const PMCF: Field = Field { shift: 0, width: 1 };
    /// Discard pause frames (1).
    pub const DPF: Field = Field { shift: 1, width: 1 };
    /// Obey priority pause frames (2).
    pub const RPFCE: Field = Field { shift: 2, width: 1 };
    /// Obey pause frames (3).
    pub const RFCE: Field = Field { shift: 3, width: 1 };
}
/// Fields of MSCA.
pub mod msca {
    use super::Field;
    /// Run the command, clears itself (30).
    pub const MDI_COMMAND: Field = Field { shift: 30, width: 1 };
}
/// Fields of MSRWD.
pub mod msrwd {
    use super::Field;
    /// To the PHY (15:0).
    pub const WRITE_DATA: Field = Field { shift: 0, width: 16 };
    /// From the PHY (31:16).
    pub const READ_DATA: Field = Field { shift: 16, width: 16 };
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
/// Fields of ANLP1.
pub mod anlp1 {
    use super::Field;
    /// Auto-negotiation state; drivers wait for non-zero (19:16).
    pub const AN_STATE: Field = Field { shift: 16, width: 4 };
}
/// Fields of MMNGC.
pub mod mmngc {
    use super::Field;
    /// Firmware forbids link changes (0).
    pub const MNG_VETO: Field = Field { shift: 0, width: 1 };
}
/// Fields of HICR.
pub mod hicr {
    use super::Field;
    /// Firmware takes commands (0).
    pub const EN: Field = Field { shift: 0, width: 1 };
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
/// Fields of RFCTL.
pub mod rfctl {
    use super::Field;
    /// Receive side coalescing off (5).
    pub const RSC_DIS: Field = Field { shift: 5, width: 1 };
    /// NFS write filter off (6).
    pub const NFSW_DIS: Field = Field { shift: 6, width: 1 };
    /// NFS read filter off (7).
    pub const NFSR_DIS: Field = Field { shift: 7, width: 1 };
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
/// Fields of FTQF.
pub mod ftqf {
    use super::Field;
    /// Filter is on (31).
    pub const ENABLE: Field = Field { shift: 31, width: 1 };
}
/// Fields of ETQF.
pub mod etqf {
    use super::Field;
    /// Ethertype (15:0).
    pub const ETYPE: Field = Field { shift: 0, width: 16 };
    /// Filter is on (31).
    pub const ENABLE: Field = Field { shift: 31, width: 1 };
}
/// Fields of FDIRCTRL.
pub mod fdirctrl {
    use super::Field;
    /// Memory for filters; 0 = off (1:0).
    pub const PBALLOC: Field = Field { shift: 0, width: 2 };
    /// Tables are ready (3).
    pub const INIT_DONE: Field = Field { shift: 3, width: 1 };
}
/// Fields of FDIRCMD.
pub mod fdircmd {
    use super::Field;
    /// Command; 0 when done (1:0).
    pub const CMD: Field = Field { shift: 0, width: 2 };
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
/// Fields of DTXTCPFLGL.
pub mod dtxtcpflgl {
    use super::Field;
    /// First segment (11:0).
    pub const FIRST: Field = Field { shift: 0, width: 12 };
    /// Middle segments (27:16).
    pub const MIDDLE: Field = Field { shift: 16, width: 12 };
}
/// Fields of DTXTCPFLGH.
pub mod dtxtcpflgh {
    use super::Field;
    /// Last segment (11:0).
    pub const LAST: Field = Field { shift: 0, width: 12 };
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
/// Fields of PFDTXGSWC.
pub mod pfdtxgswc {
    use super::Field;
    /// Loopback between virtual machines (0).
    pub const LBEN: Field = Field { shift: 0, width: 1 };
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
/// Fields of TORH.
pub mod torh {
    use super::Field;
    /// Bits 35:32 (3:0).
    pub const HIGH: Field = Field { shift: 0, width: 4 };
}
/// Fields of QBRC_H.
pub mod qbrc_h {
    use super::Field;
    /// Bits 35:32 (3:0).
    pub const HIGH: Field = Field { shift: 0, width: 4 };
}
/// Fields of QBTC_H.
pub mod qbtc_h {
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
/// Fields of EICS.
pub mod eics {
    use super::Field;
    /// Queues (15:0).
    pub const RTXQ: Field = Field { shift: 0, width: 16 };
    /// The other causes, as in EICR (30:16).
    pub const OTHERS: Field = Field { shift: 16, width: 15 };
}
/// Fields of EIAC.
pub mod eiac {
    use super::Field;
    /// Queues (15:0).
    pub const RTXQ: Field = Field { shift: 0, width: 16 };
}
/// Fields of EITR.
pub mod eitr {
    use super::Field;
    /// Shortest time between interrupts, about 2 us (11:3).
    pub const INTERVAL: Field = Field { shift: 3, width: 9 };
    /// Low latency interrupts obey their credits (15).
    pub const LLI_MODERATION: Field = Field { shift: 15, width: 1 };
    /// Low latency interrupt credits (20:16).
    pub const LLI_CREDIT: Field = Field { shift: 16, width: 5 };
    /// Running counter (27:21).
    pub const COUNTER: Field = Field { shift: 21, width: 7 };
    /// Do not touch the running counter (31).
    pub const CNT_WDIS: Field = Field { shift: 31, width: 1 };
}
/// Fields of EIMS.
pub mod eims {
    use super::Field;
    /// Queues (15:0).
    pub const RTXQ: Field = Field { shift: 0, width: 16 };
    /// The other causes, as in EICR (30:16).
    pub const OTHERS: Field = Field { shift: 16, width: 15 };
}
/// Fields of EIMC.
pub mod eimc {
    use super::Field;
    /// Queues (15:0).
    pub const RTXQ: Field = Field { shift: 0, width: 16 };
    /// The other causes, as in EICR (30:16).
    pub const OTHERS: Field = Field { shift: 16, width: 15 };
}
/// Fields of EIAM.
pub mod eiam {
    use super::Field;
    /// Queues (15:0).
    pub const RTXQ: Field = Field { shift: 0, width: 16 };
}
/// Fields of GPIE.
pub mod gpie {
    use super::Field;
    /// Interrupts of pins 0 to 3 (3:0).
    pub const SDP_EN: Field = Field { shift: 0, width: 4 };
    /// Several MSI-X vectors (4).
    pub const MULTIPLE_MSIX: Field = Field { shift: 4, width: 1 };
    /// A read of EICR clears only bits 29:16 (5).
    pub const OCD: Field = Field { shift: 5, width: 1 };
    /// EICS fires at once (6).
    pub const EIMEN: Field = Field { shift: 6, width: 1 };
    /// RSC delay (13:11).
    pub const RSC_DELAY: Field = Field { shift: 11, width: 3 };
    /// Virtualization mode (15:14).
    pub const VT_MODE: Field = Field { shift: 14, width: 2 };
    /// Obey EIAM on delivery (30).
    pub const EIAME: Field = Field { shift: 30, width: 1 };
    /// MSI-X pending bits (31).
    pub const PBA_SUPPORT: Field = Field { shift: 31, width: 1 };
}
/// Fields of IVAR.
pub mod ivar {
    use super::Field;
    /// Vector of rx 2n (5:0).
    pub const ALLOC0: Field = Field { shift: 0, width: 6 };
    /// rx 2n has a vector (7).
    pub const VALID0: Field = Field { shift: 7, width: 1 };
    /// Vector of tx 2n (13:8).
    pub const ALLOC1: Field = Field { shift: 8, width: 6 };
    /// tx 2n has a vector (15).
    pub const VALID1: Field = Field { shift: 15, width: 1 };
    /// Vector of rx 2n + 1 (21:16).
    pub const ALLOC2: Field = Field { shift: 16, width: 6 };
    /// rx 2n + 1 has a vector (23).
    pub const VALID2: Field = Field { shift: 23, width: 1 };
    /// Vector of tx 2n + 1 (29:24).
    pub const ALLOC3: Field = Field { shift: 24, width: 6 };
    /// tx 2n + 1 has a vector (31).
    pub const VALID3: Field = Field { shift: 31, width: 1 };
}
/// Fields of IVAR_MISC.
pub mod ivar_misc {
    use super::Field;
    /// Vector of the TCP timer (5:0).
    pub const ALLOC0: Field = Field { shift: 0, width: 6 };
    /// The TCP timer has a vector (7).
    pub const VALID0: Field = Field { shift: 7, width: 1 };
    /// Vector of all others (13:8).
    pub const ALLOC1: Field = Field { shift: 8, width: 6 };
    /// The others have a vector (15).
    pub const VALID1: Field = Field { shift: 15, width: 1 };
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
/// Receive descriptor, legacy form, as the NIC gives it back. 82599:7.1.5.
pub mod rx_legacy {
    use super::QuadField;
    /// Address of the packet buffer (quadword 0, 63:0).
    pub const BUFFER: QuadField = QuadField { word: 0, shift: 0, width: 64 };
    /// Bytes in this buffer (quadword 1, 15:0).
    pub const LENGTH: QuadField = QuadField { word: 1, shift: 0, width: 16 };
    /// Fragment checksum (quadword 1, 31:16).
    pub const CHECKSUM: QuadField = QuadField { word: 1, shift: 16, width: 16 };
    /// All status bits (quadword 1, 39:32).
    pub const STATUS: QuadField = QuadField { word: 1, shift: 32, width: 8 };
    /// Descriptor done (quadword 1, 32).
    pub const DD: QuadField = QuadField { word: 1, shift: 32, width: 1 };
    /// End of packet (quadword 1, 33).
    pub const EOP: QuadField = QuadField { word: 1, shift: 33, width: 1 };
    /// VLAN tag was present (quadword 1, 35).
    pub const VP: QuadField = QuadField { word: 1, shift: 35, width: 1 };
    /// UDP checksum was checked (quadword 1, 36).
    pub const UDPCS: QuadField = QuadField { word: 1, shift: 36, width: 1 };
    /// L4 checksum was checked (quadword 1, 37).
    pub const L4CS: QuadField = QuadField { word: 1, shift: 37, width: 1 };
    /// IPv4 checksum was checked (quadword 1, 38).
    pub const IPCS: QuadField = QuadField { word: 1, shift: 38, width: 1 };
    /// Passed an inexact filter (quadword 1, 39).
    pub const PIF: QuadField = QuadField { word: 1, shift: 39, width: 1 };
    /// All error bits (quadword 1, 47:40).
    pub const ERRORS: QuadField = QuadField { word: 1, shift: 40, width: 8 };
    /// MAC error (quadword 1, 40).
    pub const RXE: QuadField = QuadField { word: 1, shift: 40, width: 1 };
    /// L4 checksum wrong (quadword 1, 46).
    pub const L4E: QuadField = QuadField { word: 1, shift: 46, width: 1 };
    /// IPv4 checksum wrong (quadword 1, 47).
    pub const IPE: QuadField = QuadField { word: 1, shift: 47, width: 1 };
    /// VLAN tag (quadword 1, 63:48).
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
/// Transmit context descriptor: sets up offloads, sends nothing. 82599:7.2.3.2.3.
pub mod tx_context {
    use super::QuadField;
    /// Bytes of IP header (quadword 0, 8:0).
    pub const IPLEN: QuadField = QuadField { word: 0, shift: 0, width: 9 };
    /// Bytes of link header (quadword 0, 15:9).
    pub const MACLEN: QuadField = QuadField { word: 0, shift: 9, width: 7 };
    /// VLAN tag to insert (quadword 0, 31:16).
    pub const VLAN: QuadField = QuadField { word: 0, shift: 16, width: 16 };
    /// IPsec association (quadword 0, 41:32).
    pub const SA_IDX: QuadField = QuadField { word: 0, shift: 32, width: 10 };
    /// Bytes of ESP trailer (quadword 1, 8:0).
    pub const ESP_LEN: QuadField = QuadField { word: 1, shift: 0, width: 9 };
    /// IPv4, else IPv6 (quadword 1, 10).
    pub const IPV4: QuadField = QuadField { word: 1, shift: 10, width: 1 };
    /// L4 protocol (quadword 1, 12:11).
    pub const L4T: QuadField = QuadField { word: 1, shift: 11, width: 2 };
    /// Value of [`L4T`].
    pub const L4T_UDP: u64 = 0;
    /// Value of [`L4T`].
    pub const L4T_TCP: u64 = 1;
    /// Value of [`L4T`].
    pub const L4T_SCTP: u64 = 2;
    /// Value of [`L4T`].
    pub const L4T_NONE: u64 = 3;
    /// IPsec ESP, else AH (quadword 1, 13).
    pub const IPSEC_ESP: QuadField = QuadField { word: 1, shift: 13, width: 1 };
    /// IPsec encryption (quadword 1, 14).
    pub const ENCRYPT: QuadField = QuadField { word: 1, shift: 14, width: 1 };
    /// Kind of descriptor (quadword 1, 23:20).
    pub const DTYP: QuadField = QuadField { word: 1, shift: 20, width: 4 };
    /// Value of [`DTYP`].
    pub const DTYP_CONTEXT: u64 = 2;
    /// Report status: write DD back (quadword 1, 27).
    pub const RS: QuadField = QuadField { word: 1, shift: 27, width: 1 };
    /// Advanced format (quadword 1, 29).
    pub const DEXT: QuadField = QuadField { word: 1, shift: 29, width: 1 };
    /// Context to set, 0 or 1 (quadword 1, 38:36).
    pub const IDX: QuadField = QuadField { word: 1, shift: 36, width: 3 };
    /// Bytes of L4 header (quadword 1, 47:40).
    pub const L4LEN: QuadField = QuadField { word: 1, shift: 40, width: 8 };
    /// Bytes of payload a segment (quadword 1, 63:48).
    pub const MSS: QuadField = QuadField { word: 1, shift: 48, width: 16 };
}
/// Transmit descriptor, legacy form. 82599:7.2.3.2.2.
pub mod tx_legacy {
    use super::QuadField;
    /// Address of the data (quadword 0, 63:0).
    pub const BUFFER: QuadField = QuadField { word: 0, shift: 0, width: 64 };
    /// Bytes in this buffer (quadword 1, 15:0).
    pub const LENGTH: QuadField = QuadField { word: 1, shift: 0, width: 16 };
    /// Where to put the checksum (quadword 1, 23:16).
    pub const CSO: QuadField = QuadField { word: 1, shift: 16, width: 8 };
    /// End of packet (quadword 1, 24).
    pub const EOP: QuadField = QuadField { word: 1, shift: 24, width: 1 };
    /// Insert the CRC (quadword 1, 25).
    pub const IFCS: QuadField = QuadField { word: 1, shift: 25, width: 1 };
    /// Insert the checksum (quadword 1, 26).
    pub const IC: QuadField = QuadField { word: 1, shift: 26, width: 1 };
    /// Report status: write DD back (quadword 1, 27).
    pub const RS: QuadField = QuadField { word: 1, shift: 27, width: 1 };
    /// 0 in this form (quadword 1, 29).
    pub const DEXT: QuadField = QuadField { word: 1, shift: 29, width: 1 };
    /// Insert the VLAN tag (quadword 1, 30).
    pub const VLE: QuadField = QuadField { word: 1, shift: 30, width: 1 };
    /// Descriptor done (quadword 1, 32).
    pub const DD: QuadField = QuadField { word: 1, shift: 32, width: 1 };
    /// Where the checksum starts (quadword 1, 47:40).
    pub const CSS: QuadField = QuadField { word: 1, shift: 40, width: 8 };
    /// VLAN tag (quadword 1, 63:48).
    pub const VLAN: QuadField = QuadField { word: 1, shift: 48, width: 16 };
}

/// What the driver may do with a register as a whole. Single fields may differ: see [`Info::writable`] and
/// [`Info::self_clearing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads what was written.
    Rw,
    /// Reads; writes have no effect.
    Ro,
    /// A read clears.
    Rc,
    /// A read clears, and written ones clear.
    RcW1c,
    /// Written ones clear.
    W1c,
    /// Written ones set.
    W1s,
    /// Written ones start something and clear themselves.
    Sc,
    /// A read that returns 0 sets it.
    Rs,
    /// A read returns nothing useful.
    Wo,
}

/// A register as the device has to know it.
#[derive(Debug)]
pub struct Info {
    /// Name and addresses; a scalar is one bank of one.
    pub registers: &'static Registers,
    /// Reached by a number.
    pub array: bool,
    /// What the driver may do.
    pub access: Access,
    /// Value after reset.
    pub reset: u32,
    /// Value of number 0 after reset; equal to `reset` with a few exceptions.
    pub reset_first: u32,
    /// Undefined after power-up and reset: filled with noise from the seed.
    pub random: bool,
    /// Bits that the driver may write with effect.
    pub writable: u32,
    /// Bits that start something when written 1 and then clear themselves.
    pub self_clearing: u32,
    /// Bits that the data sheet reserves.
    pub reserved: u32,
    /// Where the data sheet describes it.
    pub section: &'static str,
    /// The register that this is another address of.
    pub alias_of: Option<&'static str>,
    /// Names and places of the fields.
    pub fields: &'static [(&'static str, Field)],
}

/// Every register, in the order of the table.
pub static REGISTERS: &[Info] = &[
    Info {
        registers: &Registers {
            name: "CTRL",
            banks: &[Bank { first: 0, count: 1, offset: CTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0400000c,
        self_clearing: 0x04000008,
        reserved: 0xfbfffff3,
        section: "82599:8.2.3.1.1",
        alias_of: None,
        fields: &[("GIO_DIS", ctrl::GIO_DIS), ("LRST", ctrl::LRST), ("RST", ctrl::RST)],
    },
    Info {
        registers: &Registers {
            name: "CTRL_ALIAS",
            banks: &[Bank { first: 0, count: 1, offset: CTRL_ALIAS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0400000c,
        self_clearing: 0x04000008,
        reserved: 0xfbfffff3,
        section: "82599:8.2.3.1.1",
        alias_of: Some("CTRL"),
        fields: &[("GIO_DIS", ctrl::GIO_DIS), ("LRST", ctrl::LRST), ("RST", ctrl::RST)],
    },
    Info {
        registers: &Registers {
            name: "STATUS",
            banks: &[Bank { first: 0, count: 1, offset: STATUS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00080000,
        reset_first: 0x00080000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0xfff00373,
        section: "82599:8.2.3.1.2",
        alias_of: None,
        fields: &[
            ("LAN_ID", status::LAN_ID),
            ("LINK_UP", status::LINK_UP),
            ("NUM_VFS", status::NUM_VFS),
            ("IOV_ACTIVE", status::IOV_ACTIVE),
            ("GIO", status::GIO),
        ],
    },
    Info {
        registers: &Registers {
            name: "CTRL_EXT",
            banks: &[Bank { first: 0, count: 1, offset: CTRL_EXT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x14034000,
        self_clearing: 0x00000000,
        reserved: 0xebfcbfff,
        section: "82599:8.2.3.1.3",
        alias_of: None,
        fields: &[
            ("PFRSTD", ctrl_ext::PFRSTD),
            ("NS_DIS", ctrl_ext::NS_DIS),
            ("RO_DIS", ctrl_ext::RO_DIS),
            ("EXTENDED_VLAN", ctrl_ext::EXTENDED_VLAN),
            ("DRV_LOAD", ctrl_ext::DRV_LOAD),
        ],
    },
    Info {
        registers: &Registers {
            name: "ESDP",
            banks: &[Bank { first: 0, count: 1, offset: ESDP.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.1.4",
        alias_of: None,
        fields: &[("SDP_DATA", esdp::SDP_DATA), ("SDP_DIRECTION", esdp::SDP_DIRECTION)],
    },
    Info {
        registers: &Registers {
            name: "I2CCTL",
            banks: &[Bank { first: 0, count: 1, offset: I2CCTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x0000000f,
        reset_first: 0x0000000f,
        random: false,
        writable: 0x0000000a,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.1.5",
        alias_of: None,
        fields: &[
            ("CLK_IN", i2cctl::CLK_IN),
            ("CLK_OUT", i2cctl::CLK_OUT),
            ("DATA_IN", i2cctl::DATA_IN),
            ("DATA_OUT", i2cctl::DATA_OUT),
        ],
    },
    Info {
        registers: &Registers {
            name: "LEDCTL",
            banks: &[Bank { first: 0, count: 1, offset: LEDCTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.1.6",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "EEC",
            banks: &[Bank { first: 0, count: 1, offset: EEC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00004700,
        reset_first: 0x00004700,
        random: false,
        writable: 0xffff8077,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.2.1",
        alias_of: None,
        fields: &[
            ("SK", eec::SK),
            ("CS", eec::CS),
            ("DI", eec::DI),
            ("DO", eec::DO),
            ("REQ", eec::REQ),
            ("GNT", eec::GNT),
            ("PRES", eec::PRES),
            ("ARD", eec::ARD),
            ("ADDR_SIZE", eec::ADDR_SIZE),
            ("SIZE", eec::SIZE),
        ],
    },
    Info {
        registers: &Registers {
            name: "EERD",
            banks: &[Bank { first: 0, count: 1, offset: EERD.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000fffd,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.2.2",
        alias_of: None,
        fields: &[("START", eerd::START), ("DONE", eerd::DONE), ("ADDR", eerd::ADDR), ("DATA", eerd::DATA)],
    },
    Info {
        registers: &Registers {
            name: "EEWR",
            banks: &[Bank { first: 0, count: 1, offset: EEWR.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xfffffffd,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.2",
        alias_of: None,
        fields: &[("START", eewr::START), ("DONE", eewr::DONE), ("ADDR", eewr::ADDR), ("DATA", eewr::DATA)],
    },
    Info {
        registers: &Registers {
            name: "SWSM",
            banks: &[Bank { first: 0, count: 1, offset: SWSM.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000003,
        self_clearing: 0x00000000,
        reserved: 0xfffffffc,
        section: "82599:8.2.3.4.9",
        alias_of: None,
        fields: &[("SMBI", swsm::SMBI), ("SWESMBI", swsm::SWESMBI)],
    },
    Info {
        registers: &Registers {
            name: "SW_FW_SYNC",
            banks: &[Bank { first: 0, count: 1, offset: SW_FW_SYNC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.4.11",
        alias_of: None,
        fields: &[
            ("SW_EEP", sw_fw_sync::SW_EEP),
            ("SW_PHY0", sw_fw_sync::SW_PHY0),
            ("SW_PHY1", sw_fw_sync::SW_PHY1),
            ("SW_MAC_CSR", sw_fw_sync::SW_MAC_CSR),
            ("SW_FLASH", sw_fw_sync::SW_FLASH),
            ("FW", sw_fw_sync::FW),
        ],
    },
    Info {
        registers: &Registers {
            name: "FWSM",
            banks: &[Bank { first: 0, count: 1, offset: FWSM.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.4.10",
        alias_of: None,
        fields: &[("MODE", fwsm::MODE), ("VALID", fwsm::VALID), ("EXT_ERR", fwsm::EXT_ERR)],
    },
    Info {
        registers: &Registers {
            name: "FACTPS",
            banks: &[Bank { first: 0, count: 1, offset: FACTPS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.4",
        alias_of: None,
        fields: &[("MNGCG", factps::MNGCG), ("LFS", factps::LFS)],
    },
    Info {
        registers: &Registers {
            name: "GCR",
            banks: &[Bank { first: 0, count: 1, offset: GCR.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.4",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "GCR_EXT",
            banks: &[Bank { first: 0, count: 1, offset: GCR_EXT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.4",
        alias_of: None,
        fields: &[
            ("VT_MODE", gcr_ext::VT_MODE),
            ("BUFFERS_CLEAR", gcr_ext::BUFFERS_CLEAR),
            ("MSIX_EN", gcr_ext::MSIX_EN),
        ],
    },
    Info {
        registers: &FCTTV,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.3.2",
        alias_of: None,
        fields: &[("TTV_LOW", fcttv::TTV_LOW), ("TTV_HIGH", fcttv::TTV_HIGH)],
    },
    Info {
        registers: &Registers {
            name: "FCRTV",
            banks: &[Bank { first: 0, count: 1, offset: FCRTV.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000ffff,
        self_clearing: 0x00000000,
        reserved: 0xffff0000,
        section: "82599:8.2.3.3.5",
        alias_of: None,
        fields: &[("FC_REFRESH_TH", fcrtv::FC_REFRESH_TH)],
    },
    Info {
        registers: &Registers {
            name: "TFCS",
            banks: &[Bank { first: 0, count: 1, offset: TFCS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.3.6",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &RXPBSIZE,
        array: true,
        access: Access::Rw,
        reset: 0x00080000,
        reset_first: 0x00080000,
        random: false,
        writable: 0x000ffc00,
        self_clearing: 0x00000000,
        reserved: 0xfff003ff,
        section: "82599:8.2.3.8.9",
        alias_of: None,
        fields: &[("SIZE", rxpbsize::SIZE)],
    },
    Info {
        registers: &TXPBSIZE,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00028000,
        random: false,
        writable: 0x000ffc00,
        self_clearing: 0x00000000,
        reserved: 0xfff003ff,
        section: "82599:8.2.3.9.13",
        alias_of: None,
        fields: &[("SIZE", txpbsize::SIZE)],
    },
    Info {
        registers: &TXPBTHRESH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000096,
        random: false,
        writable: 0x000003ff,
        self_clearing: 0x00000000,
        reserved: 0xfffffc00,
        section: "82599:8.2.3.9.16",
        alias_of: None,
        fields: &[("THRESH", txpbthresh::THRESH)],
    },
    Info {
        registers: &Registers {
            name: "DTXMXSZRQ",
            banks: &[Bank { first: 0, count: 1, offset: DTXMXSZRQ.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000010,
        reset_first: 0x00000010,
        random: false,
        writable: 0x00000fff,
        self_clearing: 0x00000000,
        reserved: 0xfffff000,
        section: "82599:8.2.3.9.1",
        alias_of: None,
        fields: &[("MAX_BYTES", dtxmxszrq::MAX_BYTES)],
    },
    Info {
        registers: &Registers {
            name: "RTTDQSEL",
            banks: &[Bank { first: 0, count: 1, offset: RTTDQSEL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000007f,
        self_clearing: 0x00000000,
        reserved: 0xffffff80,
        section: "82599:8.2.3.10",
        alias_of: None,
        fields: &[("TXDQ_IDX", rttdqsel::TXDQ_IDX)],
    },
    Info {
        registers: &Registers {
            name: "RTTDT1C",
            banks: &[Bank { first: 0, count: 1, offset: RTTDT1C.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.10",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "RTTBCNRC",
            banks: &[Bank { first: 0, count: 1, offset: RTTBCNRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.10",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "RTRPCS",
            banks: &[Bank { first: 0, count: 1, offset: RTRPCS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.10",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "RTTPCS",
            banks: &[Bank { first: 0, count: 1, offset: RTTPCS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.10",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "SECTXCTRL",
            banks: &[Bank { first: 0, count: 1, offset: SECTXCTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.12",
        alias_of: None,
        fields: &[("SECTX_DIS", sectxctrl::SECTX_DIS), ("TX_DIS", sectxctrl::TX_DIS)],
    },
    Info {
        registers: &Registers {
            name: "SECTXSTAT",
            banks: &[Bank { first: 0, count: 1, offset: SECTXSTAT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000001,
        reset_first: 0x00000001,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.12",
        alias_of: None,
        fields: &[("RDY", sectxstat::RDY)],
    },
    Info {
        registers: &Registers {
            name: "SECTXMINIFG",
            banks: &[Bank { first: 0, count: 1, offset: SECTXMINIFG.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00001001,
        reset_first: 0x00001001,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.12",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &FCRTL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x8007ffe0,
        self_clearing: 0x00000000,
        reserved: 0x7ff8001f,
        section: "82599:8.2.3.3.3",
        alias_of: None,
        fields: &[("RTL", fcrtl::RTL), ("XONE", fcrtl::XONE)],
    },
    Info {
        registers: &FCRTH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x8007ffe0,
        self_clearing: 0x00000000,
        reserved: 0x7ff8001f,
        section: "82599:8.2.3.3.4",
        alias_of: None,
        fields: &[("RTH", fcrth::RTH), ("FCEN", fcrth::FCEN)],
    },
    Info {
        registers: &Registers {
            name: "FCCFG",
            banks: &[Bank { first: 0, count: 1, offset: FCCFG.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000018,
        self_clearing: 0x00000000,
        reserved: 0xffffffe7,
        section: "82599:8.2.3.3.7",
        alias_of: None,
        fields: &[("TFCE", fccfg::TFCE)],
    },
    Info {
        registers: &Registers {
            name: "RTTDCS",
            banks: &[Bank { first: 0, count: 1, offset: RTTDCS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.10",
        alias_of: None,
        fields: &[
            ("TDPAC", rttdcs::TDPAC),
            ("VMPAC", rttdcs::VMPAC),
            ("TDRM", rttdcs::TDRM),
            ("ARBDIS", rttdcs::ARBDIS),
        ],
    },
    Info {
        registers: &Registers {
            name: "MTQC",
            banks: &[Bank { first: 0, count: 1, offset: MTQC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000000f,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.9.15",
        alias_of: None,
        fields: &[("RT_ENA", mtqc::RT_ENA), ("VT_ENA", mtqc::VT_ENA), ("NUM_TC_OR_Q", mtqc::NUM_TC_OR_Q)],
    },
    Info {
        registers: &Registers {
            name: "SECRXCTRL",
            banks: &[Bank { first: 0, count: 1, offset: SECRXCTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.12",
        alias_of: None,
        fields: &[("SECRX_DIS", secrxctrl::SECRX_DIS), ("RX_DIS", secrxctrl::RX_DIS)],
    },
    Info {
        registers: &Registers {
            name: "SECRXSTAT",
            banks: &[Bank { first: 0, count: 1, offset: SECRXSTAT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000001,
        reset_first: 0x00000001,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.12",
        alias_of: None,
        fields: &[("RDY", secrxstat::RDY)],
    },
    Info {
        registers: &Registers {
            name: "HLREG0",
            banks: &[Bank { first: 0, count: 1, offset: HLREG0.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x08010403,
        reset_first: 0x08010403,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22.8",
        alias_of: None,
        fields: &[
            ("TXCRCEN", hlreg0::TXCRCEN),
            ("RXCRCSTRP", hlreg0::RXCRCSTRP),
            ("JUMBOEN", hlreg0::JUMBOEN),
            ("TXPADEN", hlreg0::TXPADEN),
            ("LPBK", hlreg0::LPBK),
            ("MDCSPD", hlreg0::MDCSPD),
            ("CONTMDC", hlreg0::CONTMDC),
            ("PREPEND", hlreg0::PREPEND),
            ("RXLNGTHERREN", hlreg0::RXLNGTHERREN),
            ("RXPADSTRIPEN", hlreg0::RXPADSTRIPEN),
        ],
    },
    Info {
        registers: &Registers {
            name: "MAXFRS",
            banks: &[Bank { first: 0, count: 1, offset: MAXFRS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x05ee0000,
        reset_first: 0x05ee0000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22.13",
        alias_of: None,
        fields: &[("MFS", maxfrs::MFS)],
    },
    Info {
        registers: &Registers {
            name: "MFLCN",
            banks: &[Bank { first: 0, count: 1, offset: MFLCN.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000000f,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.22.34",
        alias_of: None,
        fields: &[("PMCF", mflcn::PMCF), ("DPF", mflcn::DPF), ("RPFCE", mflcn::RPFCE), ("RFCE", mflcn::RFCE)],
    },
    Info {
        registers: &Registers {
            name: "PCS1GLCTL",
            banks: &[Bank { first: 0, count: 1, offset: PCS1GLCTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PCS1GANA",
            banks: &[Bank { first: 0, count: 1, offset: PCS1GANA.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MSCA",
            banks: &[Bank { first: 0, count: 1, offset: MSCA.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x40000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22",
        alias_of: None,
        fields: &[("MDI_COMMAND", msca::MDI_COMMAND)],
    },
    Info {
        registers: &Registers {
            name: "MSRWD",
            banks: &[Bank { first: 0, count: 1, offset: MSRWD.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000ffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22",
        alias_of: None,
        fields: &[("WRITE_DATA", msrwd::WRITE_DATA), ("READ_DATA", msrwd::READ_DATA)],
    },
    Info {
        registers: &Registers {
            name: "AUTOC",
            banks: &[Bank { first: 0, count: 1, offset: AUTOC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0xc09c6004,
        reset_first: 0xc09c6004,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00001000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22.19",
        alias_of: None,
        fields: &[
            ("FLU", autoc::FLU),
            ("PMA_10G_PARALLEL", autoc::PMA_10G_PARALLEL),
            ("PMA_1G", autoc::PMA_1G),
            ("RESTART_AN", autoc::RESTART_AN),
            ("LMS", autoc::LMS),
            ("KR_SUPPORT", autoc::KR_SUPPORT),
            ("KX_SUPPORT", autoc::KX_SUPPORT),
        ],
    },
    Info {
        registers: &Registers {
            name: "LINKS",
            banks: &[Bank { first: 0, count: 1, offset: LINKS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22.20",
        alias_of: None,
        fields: &[("SPEED", links::SPEED), ("UP", links::UP), ("KX_AN_COMP", links::KX_AN_COMP)],
    },
    Info {
        registers: &Registers {
            name: "AUTOC2",
            banks: &[Bank { first: 0, count: 1, offset: AUTOC2.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x000a0000,
        reset_first: 0x000a0000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22.22",
        alias_of: None,
        fields: &[("PMA_10G_SERIAL", autoc2::PMA_10G_SERIAL), ("LINK_DISABLE", autoc2::LINK_DISABLE)],
    },
    Info {
        registers: &Registers {
            name: "ANLP1",
            banks: &[Bank { first: 0, count: 1, offset: ANLP1.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00040000,
        reset_first: 0x00040000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22.23",
        alias_of: None,
        fields: &[("AN_STATE", anlp1::AN_STATE)],
    },
    Info {
        registers: &Registers {
            name: "MMNGC",
            banks: &[Bank { first: 0, count: 1, offset: MMNGC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22",
        alias_of: None,
        fields: &[("MNG_VETO", mmngc::MNG_VETO)],
    },
    Info {
        registers: &Registers {
            name: "LINKS2",
            banks: &[Bank { first: 0, count: 1, offset: LINKS2.offset, stride: 4 }],
        },
        array: false,
        access: Access::Ro,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "CORECTL",
            banks: &[Bank { first: 0, count: 1, offset: CORECTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.22.32",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "WUC",
            banks: &[Bank { first: 0, count: 1, offset: WUC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.24",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "WUFC",
            banks: &[Bank { first: 0, count: 1, offset: WUFC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.24",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "WUS",
            banks: &[Bank { first: 0, count: 1, offset: WUS.offset, stride: 4 }],
        },
        array: false,
        access: Access::W1c,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.24",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &FLEX_MNG,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.25",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "HICR",
            banks: &[Bank { first: 0, count: 1, offset: HICR.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xfffffffe,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.25",
        alias_of: None,
        fields: &[("EN", hicr::EN)],
    },
    Info {
        registers: &Registers {
            name: "FCTRL",
            banks: &[Bank { first: 0, count: 1, offset: FCTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00003702,
        self_clearing: 0x00000000,
        reserved: 0xffffc8fd,
        section: "82599:8.2.3.7.1",
        alias_of: None,
        fields: &[
            ("SBP", fctrl::SBP),
            ("MPE", fctrl::MPE),
            ("UPE", fctrl::UPE),
            ("BAM", fctrl::BAM),
            ("PMCF", fctrl::PMCF),
            ("DPF", fctrl::DPF),
        ],
    },
    Info {
        registers: &Registers {
            name: "VLNCTRL",
            banks: &[Bank { first: 0, count: 1, offset: VLNCTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00008100,
        reset_first: 0x00008100,
        random: false,
        writable: 0xf000ffff,
        self_clearing: 0x00000000,
        reserved: 0x0fff0000,
        section: "82599:8.2.3.7.2",
        alias_of: None,
        fields: &[
            ("VET", vlnctrl::VET),
            ("CFI", vlnctrl::CFI),
            ("CFIEN", vlnctrl::CFIEN),
            ("VFE", vlnctrl::VFE),
            ("VME", vlnctrl::VME),
        ],
    },
    Info {
        registers: &Registers {
            name: "MCSTCTRL",
            banks: &[Bank { first: 0, count: 1, offset: MCSTCTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000007,
        self_clearing: 0x00000000,
        reserved: 0xfffffff8,
        section: "82599:8.2.3.7.3",
        alias_of: None,
        fields: &[("MO", mcstctrl::MO), ("MFE", mcstctrl::MFE)],
    },
    Info {
        registers: &Registers {
            name: "RXCSUM",
            banks: &[Bank { first: 0, count: 1, offset: RXCSUM.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00003000,
        self_clearing: 0x00000000,
        reserved: 0xffffcfff,
        section: "82599:8.2.3.7.5",
        alias_of: None,
        fields: &[("IPPCSE", rxcsum::IPPCSE), ("PCSD", rxcsum::PCSD)],
    },
    Info {
        registers: &Registers {
            name: "RFCTL",
            banks: &[Bank { first: 0, count: 1, offset: RFCTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.6",
        alias_of: None,
        fields: &[("RSC_DIS", rfctl::RSC_DIS), ("NFSW_DIS", rfctl::NFSW_DIS), ("NFSR_DIS", rfctl::NFSR_DIS)],
    },
    Info {
        registers: &MTA,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.7",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &RAL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.8",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &RAL_ALIAS,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.8",
        alias_of: Some("RAL"),
        fields: &[],
    },
    Info {
        registers: &RAH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x8000ffff,
        self_clearing: 0x00000000,
        reserved: 0x7fff0000,
        section: "82599:8.2.3.7.9",
        alias_of: None,
        fields: &[("ADDRESS", rah::ADDRESS), ("AV", rah::AV)],
    },
    Info {
        registers: &RAH_ALIAS,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x8000ffff,
        self_clearing: 0x00000000,
        reserved: 0x7fff0000,
        section: "82599:8.2.3.7.9",
        alias_of: Some("RAH"),
        fields: &[("ADDRESS", rah::ADDRESS), ("AV", rah::AV)],
    },
    Info {
        registers: &MPSAR,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.10",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &VFTA,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.11",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &PFUTA,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.27",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &VLVF,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.27",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &VLVFB,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.27",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &VMOLR,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.27",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "VT_CTL",
            banks: &[Bank { first: 0, count: 1, offset: VT_CTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.27",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MRQC",
            banks: &[Bank { first: 0, count: 1, offset: MRQC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x01ff000f,
        self_clearing: 0x00000000,
        reserved: 0xfe00fff0,
        section: "82599:8.2.3.7.12",
        alias_of: None,
        fields: &[
            ("MRQE", mrqc::MRQE),
            ("TCP_IPV4", mrqc::TCP_IPV4),
            ("IPV4", mrqc::IPV4),
            ("TCP_IPV6_EX", mrqc::TCP_IPV6_EX),
            ("IPV6_EX", mrqc::IPV6_EX),
            ("IPV6", mrqc::IPV6),
            ("TCP_IPV6", mrqc::TCP_IPV6),
            ("UDP_IPV4", mrqc::UDP_IPV4),
            ("UDP_IPV6", mrqc::UDP_IPV6),
            ("UDP_IPV6_EX", mrqc::UDP_IPV6_EX),
        ],
    },
    Info {
        registers: &Registers {
            name: "MRQC_ALIAS",
            banks: &[Bank { first: 0, count: 1, offset: MRQC_ALIAS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x01ff000f,
        self_clearing: 0x00000000,
        reserved: 0xfe00fff0,
        section: "82599:8.2.3.7.12",
        alias_of: Some("MRQC"),
        fields: &[
            ("MRQE", mrqc::MRQE),
            ("TCP_IPV4", mrqc::TCP_IPV4),
            ("IPV4", mrqc::IPV4),
            ("TCP_IPV6_EX", mrqc::TCP_IPV6_EX),
            ("IPV6_EX", mrqc::IPV6_EX),
            ("IPV6", mrqc::IPV6),
            ("TCP_IPV6", mrqc::TCP_IPV6),
            ("UDP_IPV4", mrqc::UDP_IPV4),
            ("UDP_IPV6", mrqc::UDP_IPV6),
            ("UDP_IPV6_EX", mrqc::UDP_IPV6_EX),
        ],
    },
    Info {
        registers: &RETA,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0x0f0f0f0f,
        self_clearing: 0x00000000,
        reserved: 0xf0f0f0f0,
        section: "82599:8.2.3.7.15",
        alias_of: None,
        fields: &[
            ("ENTRY0", reta::ENTRY0),
            ("ENTRY1", reta::ENTRY1),
            ("ENTRY2", reta::ENTRY2),
            ("ENTRY3", reta::ENTRY3),
        ],
    },
    Info {
        registers: &RETA_ALIAS,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0x0f0f0f0f,
        self_clearing: 0x00000000,
        reserved: 0xf0f0f0f0,
        section: "82599:8.2.3.7.15",
        alias_of: Some("RETA"),
        fields: &[
            ("ENTRY0", reta::ENTRY0),
            ("ENTRY1", reta::ENTRY1),
            ("ENTRY2", reta::ENTRY2),
            ("ENTRY3", reta::ENTRY3),
        ],
    },
    Info {
        registers: &RSSRK,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.14",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &RSSRK_ALIAS,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.14",
        alias_of: Some("RSSRK"),
        fields: &[],
    },
    Info {
        registers: &PSRTYPE,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.4",
        alias_of: None,
        fields: &[("RQPL", psrtype::RQPL)],
    },
    Info {
        registers: &PSRTYPE_ALIAS,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.4",
        alias_of: Some("PSRTYPE"),
        fields: &[("RQPL", psrtype::RQPL)],
    },
    Info {
        registers: &SAQF,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.16",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &DAQF,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.17",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &SDPQF,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.18",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &FTQF,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.19",
        alias_of: None,
        fields: &[("ENABLE", ftqf::ENABLE)],
    },
    Info {
        registers: &Registers {
            name: "SYNQF",
            banks: &[Bank { first: 0, count: 1, offset: SYNQF.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.20",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &ETQF,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.21",
        alias_of: None,
        fields: &[("ETYPE", etqf::ETYPE), ("ENABLE", etqf::ENABLE)],
    },
    Info {
        registers: &ETQS,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.7.22",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRCTRL",
            banks: &[Bank { first: 0, count: 1, offset: FDIRCTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xfffffff7,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[("PBALLOC", fdirctrl::PBALLOC), ("INIT_DONE", fdirctrl::INIT_DONE)],
    },
    Info {
        registers: &Registers {
            name: "FDIRHASH",
            banks: &[Bank { first: 0, count: 1, offset: FDIRHASH.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRCMD",
            banks: &[Bank { first: 0, count: 1, offset: FDIRCMD.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000003,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[("CMD", fdircmd::CMD)],
    },
    Info {
        registers: &Registers {
            name: "FDIRLEN",
            banks: &[Bank { first: 0, count: 1, offset: FDIRLEN.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRUSTAT",
            banks: &[Bank { first: 0, count: 1, offset: FDIRUSTAT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRFSTAT",
            banks: &[Bank { first: 0, count: 1, offset: FDIRFSTAT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRMATCH",
            banks: &[Bank { first: 0, count: 1, offset: FDIRMATCH.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRMISS",
            banks: &[Bank { first: 0, count: 1, offset: FDIRMISS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRHKEY",
            banks: &[Bank { first: 0, count: 1, offset: FDIRHKEY.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x80000001,
        reset_first: 0x80000001,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FDIRSKEY",
            banks: &[Bank { first: 0, count: 1, offset: FDIRSKEY.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x80000001,
        reset_first: 0x80000001,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.21",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &RDBAL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffff80,
        self_clearing: 0x00000000,
        reserved: 0x0000007f,
        section: "82599:8.2.3.8.1",
        alias_of: None,
        fields: &[("BASE", rdbal::BASE)],
    },
    Info {
        registers: &RDBAH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.8.2",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &RDLEN,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x000fff80,
        self_clearing: 0x00000000,
        reserved: 0xfff0007f,
        section: "82599:8.2.3.8.3",
        alias_of: None,
        fields: &[("LEN", rdlen::LEN)],
    },
    Info {
        registers: &DCA_RXCTRL,
        array: true,
        access: Access::Rw,
        reset: 0x0000b200,
        reset_first: 0x0000b200,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.11.1",
        alias_of: None,
        fields: &[
            ("RESERVED_CLEAR", dca_rxctrl::RESERVED_CLEAR),
            ("DATA_WRITE_RO", dca_rxctrl::DATA_WRITE_RO),
            ("HEADER_RO", dca_rxctrl::HEADER_RO),
        ],
    },
    Info {
        registers: &DCA_RXCTRL_ALIAS,
        array: true,
        access: Access::Rw,
        reset: 0x0000b200,
        reset_first: 0x0000b200,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.11.1",
        alias_of: Some("DCA_RXCTRL"),
        fields: &[
            ("RESERVED_CLEAR", dca_rxctrl::RESERVED_CLEAR),
            ("DATA_WRITE_RO", dca_rxctrl::DATA_WRITE_RO),
            ("HEADER_RO", dca_rxctrl::HEADER_RO),
        ],
    },
    Info {
        registers: &RDH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000ffff,
        self_clearing: 0x00000000,
        reserved: 0xffff0000,
        section: "82599:8.2.3.8.4",
        alias_of: None,
        fields: &[("RDH", rdh::RDH)],
    },
    Info {
        registers: &SRRCTL,
        array: true,
        access: Access::Rw,
        reset: 0x00000402,
        reset_first: 0x00000402,
        random: false,
        writable: 0x1fc03f7f,
        self_clearing: 0x00000000,
        reserved: 0xe03fc080,
        section: "82599:8.2.3.8.7",
        alias_of: None,
        fields: &[
            ("BSIZEPACKET", srrctl::BSIZEPACKET),
            ("BSIZEHEADER", srrctl::BSIZEHEADER),
            ("RDMTS", srrctl::RDMTS),
            ("DESCTYPE", srrctl::DESCTYPE),
            ("DROP_EN", srrctl::DROP_EN),
        ],
    },
    Info {
        registers: &SRRCTL_ALIAS,
        array: true,
        access: Access::Rw,
        reset: 0x00000402,
        reset_first: 0x00000402,
        random: false,
        writable: 0x1fc03f7f,
        self_clearing: 0x00000000,
        reserved: 0xe03fc080,
        section: "82599:8.2.3.8.7",
        alias_of: Some("SRRCTL"),
        fields: &[
            ("BSIZEPACKET", srrctl::BSIZEPACKET),
            ("BSIZEHEADER", srrctl::BSIZEHEADER),
            ("RDMTS", srrctl::RDMTS),
            ("DESCTYPE", srrctl::DESCTYPE),
            ("DROP_EN", srrctl::DROP_EN),
        ],
    },
    Info {
        registers: &RDT,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000ffff,
        self_clearing: 0x00000000,
        reserved: 0xffff0000,
        section: "82599:8.2.3.8.5",
        alias_of: None,
        fields: &[("RDT", rdt::RDT)],
    },
    Info {
        registers: &RXDCTL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.8.6",
        alias_of: None,
        fields: &[
            ("RLPML", rxdctl::RLPML),
            ("RLPML_EN", rxdctl::RLPML_EN),
            ("ENABLE", rxdctl::ENABLE),
            ("SWFLSH", rxdctl::SWFLSH),
            ("VME", rxdctl::VME),
        ],
    },
    Info {
        registers: &RSCCTL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.8.13",
        alias_of: None,
        fields: &[("RSCEN", rscctl::RSCEN)],
    },
    Info {
        registers: &Registers {
            name: "RDRXCTL",
            banks: &[Bank { first: 0, count: 1, offset: RDRXCTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00100008,
        reset_first: 0x00100008,
        random: false,
        writable: 0xfffffff7,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.8.8",
        alias_of: None,
        fields: &[
            ("CRCSTRIP", rdrxctl::CRCSTRIP),
            ("DMAIDONE", rdrxctl::DMAIDONE),
            ("RSCFRSTSIZE", rdrxctl::RSCFRSTSIZE),
            ("RSCACKC", rdrxctl::RSCACKC),
            ("FCOE_WRFIX", rdrxctl::FCOE_WRFIX),
        ],
    },
    Info {
        registers: &Registers {
            name: "RXCTRL",
            banks: &[Bank { first: 0, count: 1, offset: RXCTRL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000001,
        self_clearing: 0x00000000,
        reserved: 0xfffffffe,
        section: "82599:8.2.3.8.10",
        alias_of: None,
        fields: &[("RXEN", rxctrl::RXEN)],
    },
    Info {
        registers: &Registers {
            name: "RSCDBU",
            banks: &[Bank { first: 0, count: 1, offset: RSCDBU.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.8.12",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "DMATXCTL",
            banks: &[Bank { first: 0, count: 1, offset: DMATXCTL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.9.2",
        alias_of: None,
        fields: &[("TE", dmatxctl::TE), ("GDV", dmatxctl::GDV), ("VT", dmatxctl::VT)],
    },
    Info {
        registers: &Registers {
            name: "DTXTCPFLGL",
            banks: &[Bank { first: 0, count: 1, offset: DTXTCPFLGL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x0ff60ff6,
        reset_first: 0x0ff60ff6,
        random: false,
        writable: 0x0fff0fff,
        self_clearing: 0x00000000,
        reserved: 0xf000f000,
        section: "82599:8.2.3.9.3",
        alias_of: None,
        fields: &[("FIRST", dtxtcpflgl::FIRST), ("MIDDLE", dtxtcpflgl::MIDDLE)],
    },
    Info {
        registers: &Registers {
            name: "DTXTCPFLGH",
            banks: &[Bank { first: 0, count: 1, offset: DTXTCPFLGH.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000f7f,
        reset_first: 0x00000f7f,
        random: false,
        writable: 0x00000fff,
        self_clearing: 0x00000000,
        reserved: 0xfffff000,
        section: "82599:8.2.3.9.4",
        alias_of: None,
        fields: &[("LAST", dtxtcpflgh::LAST)],
    },
    Info {
        registers: &TDBAL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffff80,
        self_clearing: 0x00000000,
        reserved: 0x0000007f,
        section: "82599:8.2.3.9.5",
        alias_of: None,
        fields: &[("BASE", tdbal::BASE)],
    },
    Info {
        registers: &TDBAH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: true,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.9.6",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &TDLEN,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x000fff80,
        self_clearing: 0x00000000,
        reserved: 0xfff0007f,
        section: "82599:8.2.3.9.7",
        alias_of: None,
        fields: &[("LEN", tdlen::LEN)],
    },
    Info {
        registers: &DCA_TXCTRL,
        array: true,
        access: Access::Rw,
        reset: 0x00002a00,
        reset_first: 0x00002a00,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.11.2",
        alias_of: None,
        fields: &[("WRITEBACK_RO", dca_txctrl::WRITEBACK_RO)],
    },
    Info {
        registers: &TDH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000ffff,
        self_clearing: 0x00000000,
        reserved: 0xffff0000,
        section: "82599:8.2.3.9.8",
        alias_of: None,
        fields: &[("TDH", tdh::TDH)],
    },
    Info {
        registers: &TDT,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000ffff,
        self_clearing: 0x00000000,
        reserved: 0xffff0000,
        section: "82599:8.2.3.9.9",
        alias_of: None,
        fields: &[("TDT", tdt::TDT)],
    },
    Info {
        registers: &TXDCTL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.9.10",
        alias_of: None,
        fields: &[
            ("PTHRESH", txdctl::PTHRESH),
            ("HTHRESH", txdctl::HTHRESH),
            ("WTHRESH", txdctl::WTHRESH),
            ("ENABLE", txdctl::ENABLE),
            ("SWFLSH", txdctl::SWFLSH),
        ],
    },
    Info {
        registers: &TDWBAL,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xfffffffd,
        self_clearing: 0x00000000,
        reserved: 0x00000002,
        section: "82599:8.2.3.9.11",
        alias_of: None,
        fields: &[("HEAD_WB_EN", tdwbal::HEAD_WB_EN), ("ADDRESS", tdwbal::ADDRESS)],
    },
    Info {
        registers: &TDWBAH,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.9.11",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PFDTXGSWC",
            banks: &[Bank { first: 0, count: 1, offset: PFDTXGSWC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.27",
        alias_of: None,
        fields: &[("LBEN", pfdtxgswc::LBEN)],
    },
    Info {
        registers: &Registers {
            name: "CRCERRS",
            banks: &[Bank { first: 0, count: 1, offset: CRCERRS.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "ILLERRC",
            banks: &[Bank { first: 0, count: 1, offset: ILLERRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "ERRBC",
            banks: &[Bank { first: 0, count: 1, offset: ERRBC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MSPDC",
            banks: &[Bank { first: 0, count: 1, offset: MSPDC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MLFC",
            banks: &[Bank { first: 0, count: 1, offset: MLFC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MRFC",
            banks: &[Bank { first: 0, count: 1, offset: MRFC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "RLEC",
            banks: &[Bank { first: 0, count: 1, offset: RLEC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PRC64",
            banks: &[Bank { first: 0, count: 1, offset: PRC64.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PRC127",
            banks: &[Bank { first: 0, count: 1, offset: PRC127.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PRC255",
            banks: &[Bank { first: 0, count: 1, offset: PRC255.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PRC511",
            banks: &[Bank { first: 0, count: 1, offset: PRC511.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PRC1023",
            banks: &[Bank { first: 0, count: 1, offset: PRC1023.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PRC1522",
            banks: &[Bank { first: 0, count: 1, offset: PRC1522.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "GPRC",
            banks: &[Bank { first: 0, count: 1, offset: GPRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "BPRC",
            banks: &[Bank { first: 0, count: 1, offset: BPRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MPRC",
            banks: &[Bank { first: 0, count: 1, offset: MPRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "GPTC",
            banks: &[Bank { first: 0, count: 1, offset: GPTC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "GORCL",
            banks: &[Bank { first: 0, count: 1, offset: GORCL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23.25",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "GORCH",
            banks: &[Bank { first: 0, count: 1, offset: GORCH.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.23.26",
        alias_of: None,
        fields: &[("HIGH", gorch::HIGH)],
    },
    Info {
        registers: &Registers {
            name: "GOTCL",
            banks: &[Bank { first: 0, count: 1, offset: GOTCL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "GOTCH",
            banks: &[Bank { first: 0, count: 1, offset: GOTCH.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[("HIGH", gotch::HIGH)],
    },
    Info {
        registers: &Registers {
            name: "RUC",
            banks: &[Bank { first: 0, count: 1, offset: RUC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "RFC",
            banks: &[Bank { first: 0, count: 1, offset: RFC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "ROC",
            banks: &[Bank { first: 0, count: 1, offset: ROC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "RJC",
            banks: &[Bank { first: 0, count: 1, offset: RJC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MNGPRC",
            banks: &[Bank { first: 0, count: 1, offset: MNGPRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MNGPDC",
            banks: &[Bank { first: 0, count: 1, offset: MNGPDC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "TORL",
            banks: &[Bank { first: 0, count: 1, offset: TORL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "TORH",
            banks: &[Bank { first: 0, count: 1, offset: TORH.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[("HIGH", torh::HIGH)],
    },
    Info {
        registers: &Registers {
            name: "TPR",
            banks: &[Bank { first: 0, count: 1, offset: TPR.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23.59",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "TPT",
            banks: &[Bank { first: 0, count: 1, offset: TPT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PTC64",
            banks: &[Bank { first: 0, count: 1, offset: PTC64.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PTC127",
            banks: &[Bank { first: 0, count: 1, offset: PTC127.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PTC255",
            banks: &[Bank { first: 0, count: 1, offset: PTC255.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PTC511",
            banks: &[Bank { first: 0, count: 1, offset: PTC511.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PTC1023",
            banks: &[Bank { first: 0, count: 1, offset: PTC1023.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "PTC1522",
            banks: &[Bank { first: 0, count: 1, offset: PTC1522.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MPTC",
            banks: &[Bank { first: 0, count: 1, offset: MPTC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "BPTC",
            banks: &[Bank { first: 0, count: 1, offset: BPTC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "XEC",
            banks: &[Bank { first: 0, count: 1, offset: XEC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &PXONRXCNT,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &PXOFFRXCNT,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LXONRXCNT",
            banks: &[Bank { first: 0, count: 1, offset: LXONRXCNT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LXOFFRXCNT",
            banks: &[Bank { first: 0, count: 1, offset: LXOFFRXCNT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &PXON2OFFCNT,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &PXONTXC,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &PXOFFTXC,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LXONTXC",
            banks: &[Bank { first: 0, count: 1, offset: LXONTXC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LXOFFTXC",
            banks: &[Bank { first: 0, count: 1, offset: LXOFFTXC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &MPC,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "MNGPTC",
            banks: &[Bank { first: 0, count: 1, offset: MNGPTC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &QPRC,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &QBRC_L,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &QBRC_H,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[("HIGH", qbrc_h::HIGH)],
    },
    Info {
        registers: &QPRDC,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23.75",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &QPTC,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &QPTC_ALIAS,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: Some("QPTC"),
        fields: &[],
    },
    Info {
        registers: &QBTC_L,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &QBTC_H,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0xfffffff0,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[("HIGH", qbtc_h::HIGH)],
    },
    Info {
        registers: &Registers {
            name: "FCCRC",
            banks: &[Bank { first: 0, count: 1, offset: FCCRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FCOERPDC",
            banks: &[Bank { first: 0, count: 1, offset: FCOERPDC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FCLAST",
            banks: &[Bank { first: 0, count: 1, offset: FCLAST.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FCOEPRC",
            banks: &[Bank { first: 0, count: 1, offset: FCOEPRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FCOEDWRC",
            banks: &[Bank { first: 0, count: 1, offset: FCOEDWRC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FCOEPTC",
            banks: &[Bank { first: 0, count: 1, offset: FCOEPTC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "FCOEDWTC",
            banks: &[Bank { first: 0, count: 1, offset: FCOEDWTC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECTXUT",
            banks: &[Bank { first: 0, count: 1, offset: LSECTXUT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECTXPKTE",
            banks: &[Bank { first: 0, count: 1, offset: LSECTXPKTE.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECTXPKTP",
            banks: &[Bank { first: 0, count: 1, offset: LSECTXPKTP.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECTXOCTE",
            banks: &[Bank { first: 0, count: 1, offset: LSECTXOCTE.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECTXOCTP",
            banks: &[Bank { first: 0, count: 1, offset: LSECTXOCTP.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXUT",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXUT.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXOCTD",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXOCTD.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXOCTV",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXOCTV.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXBAD",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXBAD.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXNOSCI",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXNOSCI.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXUNSCI",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXUNSCI.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXUNCH",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXUNCH.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXDELAY",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXDELAY.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXLATE",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXLATE.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &LSECRXOK,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &LSECRXINV,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &LSECRXNV,
        array: true,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXUNSA",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXUNSA.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "LSECRXNUSA",
            banks: &[Bank { first: 0, count: 1, offset: LSECRXNUSA.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rc,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x00000000,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.23",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &RQSMR,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0f0f0f0f,
        self_clearing: 0x00000000,
        reserved: 0xf0f0f0f0,
        section: "82599:8.2.3.23.71",
        alias_of: None,
        fields: &[("MAP0", rqsmr::MAP0), ("MAP1", rqsmr::MAP1), ("MAP2", rqsmr::MAP2), ("MAP3", rqsmr::MAP3)],
    },
    Info {
        registers: &TQSM,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0f0f0f0f,
        self_clearing: 0x00000000,
        reserved: 0xf0f0f0f0,
        section: "82599:8.2.3.23.73",
        alias_of: None,
        fields: &[("MAP0", tqsm::MAP0), ("MAP1", tqsm::MAP1), ("MAP2", tqsm::MAP2), ("MAP3", tqsm::MAP3)],
    },
    Info {
        registers: &Registers {
            name: "EICR",
            banks: &[Bank { first: 0, count: 1, offset: EICR.offset, stride: 4 }],
        },
        array: false,
        access: Access::RcW1c,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xdf7fffff,
        self_clearing: 0x00000000,
        reserved: 0x20800000,
        section: "82599:8.2.3.5.1",
        alias_of: None,
        fields: &[
            ("RTXQ", eicr::RTXQ),
            ("FDIR", eicr::FDIR),
            ("RX_MISS", eicr::RX_MISS),
            ("PCI", eicr::PCI),
            ("MAILBOX", eicr::MAILBOX),
            ("LSC", eicr::LSC),
            ("LINKSEC", eicr::LINKSEC),
            ("MNG", eicr::MNG),
            ("GPI_SDP0", eicr::GPI_SDP0),
            ("GPI_SDP1", eicr::GPI_SDP1),
            ("GPI_SDP2", eicr::GPI_SDP2),
            ("GPI_SDP3", eicr::GPI_SDP3),
            ("ECC", eicr::ECC),
            ("TCP_TIMER", eicr::TCP_TIMER),
            ("OTHER", eicr::OTHER),
        ],
    },
    Info {
        registers: &Registers {
            name: "EICS",
            banks: &[Bank { first: 0, count: 1, offset: EICS.offset, stride: 4 }],
        },
        array: false,
        access: Access::W1s,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5.2",
        alias_of: None,
        fields: &[("RTXQ", eics::RTXQ), ("OTHERS", eics::OTHERS)],
    },
    Info {
        registers: &Registers {
            name: "EIAC",
            banks: &[Bank { first: 0, count: 1, offset: EIAC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5.5",
        alias_of: None,
        fields: &[("RTXQ", eiac::RTXQ)],
    },
    Info {
        registers: &EITR,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x8fff8ff8,
        self_clearing: 0x00000000,
        reserved: 0x70007007,
        section: "82599:8.2.3.5.12",
        alias_of: None,
        fields: &[
            ("INTERVAL", eitr::INTERVAL),
            ("LLI_MODERATION", eitr::LLI_MODERATION),
            ("LLI_CREDIT", eitr::LLI_CREDIT),
            ("COUNTER", eitr::COUNTER),
            ("CNT_WDIS", eitr::CNT_WDIS),
        ],
    },
    Info {
        registers: &Registers {
            name: "EIMS",
            banks: &[Bank { first: 0, count: 1, offset: EIMS.offset, stride: 4 }],
        },
        array: false,
        access: Access::W1s,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x7fffffff,
        self_clearing: 0x00000000,
        reserved: 0x80000000,
        section: "82599:8.2.3.5.3",
        alias_of: None,
        fields: &[("RTXQ", eims::RTXQ), ("OTHERS", eims::OTHERS)],
    },
    Info {
        registers: &Registers {
            name: "EIMC",
            banks: &[Bank { first: 0, count: 1, offset: EIMC.offset, stride: 4 }],
        },
        array: false,
        access: Access::W1c,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x7fffffff,
        self_clearing: 0x00000000,
        reserved: 0x80000000,
        section: "82599:8.2.3.5.4",
        alias_of: None,
        fields: &[("RTXQ", eimc::RTXQ), ("OTHERS", eimc::OTHERS)],
    },
    Info {
        registers: &Registers {
            name: "EIAM",
            banks: &[Bank { first: 0, count: 1, offset: EIAM.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5.6",
        alias_of: None,
        fields: &[("RTXQ", eiam::RTXQ)],
    },
    Info {
        registers: &Registers {
            name: "EITRSEL",
            banks: &[Bank { first: 0, count: 1, offset: EITRSEL.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &Registers {
            name: "GPIE",
            banks: &[Bank { first: 0, count: 1, offset: GPIE.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5",
        alias_of: None,
        fields: &[
            ("SDP_EN", gpie::SDP_EN),
            ("MULTIPLE_MSIX", gpie::MULTIPLE_MSIX),
            ("OCD", gpie::OCD),
            ("EIMEN", gpie::EIMEN),
            ("RSC_DELAY", gpie::RSC_DELAY),
            ("VT_MODE", gpie::VT_MODE),
            ("EIAME", gpie::EIAME),
            ("PBA_SUPPORT", gpie::PBA_SUPPORT),
        ],
    },
    Info {
        registers: &IVAR,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xbfbfbfbf,
        self_clearing: 0x00000000,
        reserved: 0x40404040,
        section: "82599:8.2.3.5",
        alias_of: None,
        fields: &[
            ("ALLOC0", ivar::ALLOC0),
            ("VALID0", ivar::VALID0),
            ("ALLOC1", ivar::ALLOC1),
            ("VALID1", ivar::VALID1),
            ("ALLOC2", ivar::ALLOC2),
            ("VALID2", ivar::VALID2),
            ("ALLOC3", ivar::ALLOC3),
            ("VALID3", ivar::VALID3),
        ],
    },
    Info {
        registers: &Registers {
            name: "IVAR_MISC",
            banks: &[Bank { first: 0, count: 1, offset: IVAR_MISC.offset, stride: 4 }],
        },
        array: false,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0x0000bfbf,
        self_clearing: 0x00000000,
        reserved: 0xffff4040,
        section: "82599:8.2.3.5",
        alias_of: None,
        fields: &[
            ("ALLOC0", ivar_misc::ALLOC0),
            ("VALID0", ivar_misc::VALID0),
            ("ALLOC1", ivar_misc::ALLOC1),
            ("VALID1", ivar_misc::VALID1),
        ],
    },
    Info {
        registers: &EICS_EX,
        array: true,
        access: Access::W1s,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5.7",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &EIMS_EX,
        array: true,
        access: Access::W1s,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5.8",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &EIMC_EX,
        array: true,
        access: Access::W1c,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5.9",
        alias_of: None,
        fields: &[],
    },
    Info {
        registers: &EIAM_EX,
        array: true,
        access: Access::Rw,
        reset: 0x00000000,
        reset_first: 0x00000000,
        random: false,
        writable: 0xffffffff,
        self_clearing: 0x00000000,
        reserved: 0x00000000,
        section: "82599:8.2.3.5.10",
        alias_of: None,
        fields: &[],
    },
];

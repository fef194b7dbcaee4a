//! What pcapng tells about an interface.
//!
//! Of the options, the library is asked for nothing but where each of them is: its `ts_resolution` knows no powers of
//! two, its `if_tsoffset` is little-endian in every section, it reads on behind the end mark, and for it an option
//! that is longer than its block is just the end of the list.

use pcap_parser::nom::number::Endianness;
use pcap_parser::nom::number::complete::i64;
use pcap_parser::{
    InterfaceDescriptionBlock, OptionCode, PcapNGOption, parse_interfacedescriptionblock_be,
    parse_interfacedescriptionblock_le,
};

use super::ng::SHORT;
use super::read::Fault;

/// Bytes of an Interface Description Block without options.
const WITHOUT_OPTIONS: usize = 20;
/// Option: bytes of FCS at the end of each packet.
const IF_FCSLEN: OptionCode = OptionCode(13);

/// An interface of a section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interface {
    pub(super) link_type: u16,
    /// Bytes of FCS at the end of each packet.
    pub(super) fcs: u8,
    /// Longest captured length; 0 is unlimited.
    snap: u32,
    resolution: Resolution,
    offset_seconds: i64,
}

impl Interface {
    /// Reads an Interface Description Block; nothing follows it in `block`.
    pub(super) fn parse(block: &[u8], order: Endianness) -> Result<Self, Fault> {
        let parse = match order {
            Endianness::Big => parse_interfacedescriptionblock_be,
            _ => parse_interfacedescriptionblock_le,
        };
        let (_, description) = parse(block).map_err(|_| SHORT)?;
        let mut interface = Interface {
            link_type: description.linktype.0 as u16,
            fcs: 0,
            snap: description.snaplen,
            resolution: Resolution::MICROSECONDS,
            offset_seconds: 0,
        };
        for option in options(&description)? {
            interface.apply(option, order)?;
        }
        Ok(interface)
    }

    /// Nanoseconds since 1970.
    pub(super) fn timestamp(&self, ticks: u64) -> u64 {
        let offset = self.offset_seconds.saturating_mul(1_000_000_000);
        self.resolution.nanoseconds(ticks).saturating_add_signed(offset)
    }

    /// How much is captured of a packet of `original` bytes.
    pub(super) fn captured(&self, original: u32) -> u32 {
        if self.snap == 0 { original } else { original.min(self.snap) }
    }

    fn apply(&mut self, option: &PcapNGOption<'_>, order: Endianness) -> Result<(), Fault> {
        match (option.code, option.as_bytes().map_err(|_| SHORT)?) {
            (OptionCode::IfTsresol, &[exponent]) => {
                let absurd = Fault::Malformed("a timestamp resolution that is absurdly fine");
                self.resolution = Resolution::new(exponent).ok_or(absurd)?;
            }
            (OptionCode::IfTsoffset, value) => {
                let (_, seconds) = i64::<_, ()>(order)(value).map_err(|_| SHORT)?;
                self.offset_seconds = seconds;
            }
            (IF_FCSLEN, &[length]) => self.fcs = length,
            _ => {}
        }
        Ok(())
    }
}

/// The options before the end mark, or all if the end of the block is the end.
fn options<'a>(description: &'a InterfaceDescriptionBlock<'_>) -> Result<&'a [PcapNGOption<'a>], Fault> {
    let all = &description.options;
    if let Some(end) = all.iter().position(|option| option.code == OptionCode::EndOfOpt) {
        return Ok(&all[..end]);
    }
    let length: usize = all.iter().map(|option| 4 + option.value().len()).sum();
    if WITHOUT_OPTIONS + length == description.block_len1 as usize { Ok(all) } else { Err(SHORT) }
}

/// Ticks per second: a power of ten or of two.
#[derive(Clone, Copy, Debug)]
struct Resolution(u128);

impl Resolution {
    const MICROSECONDS: Resolution = Resolution(1_000_000);

    fn new(exponent: u8) -> Option<Self> {
        let base: u128 = if exponent & 0x80 == 0 { 10 } else { 2 };
        base.checked_pow(u32::from(exponent & 0x7f)).filter(|&ticks| ticks <= 1 << 96).map(Resolution)
    }

    fn nanoseconds(self, ticks: u64) -> u64 {
        u64::try_from(u128::from(ticks) * 1_000_000_000 / self.0).unwrap_or(u64::MAX)
    }
}

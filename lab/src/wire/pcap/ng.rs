//! Reading pcapng: sections of either byte order, several interfaces, and blocks that we do not know are skipped.
//!
//! The library would refuse a file for what stands in blocks that do not matter here, so that every block is first
//! parsed as an unknown one, which tells its type and bounds, and only those that matter are opened. It has no parser
//! for the obsolete Packet Block.

use pcap_parser::nom::number::Endianness;
use pcap_parser::nom::number::complete::{u16, u32};
use pcap_parser::nom::{self, Needed, Offset, Parser};
use pcap_parser::{
    EPB_MAGIC, IDB_MAGIC, PcapError, SHB_MAGIC, SPB_MAGIC, parse_enhancedpacketblock_be,
    parse_enhancedpacketblock_le, parse_sectionheaderblock, parse_simplepacketblock_be,
    parse_simplepacketblock_le, parse_unknownblock_be, parse_unknownblock_le,
};

use super::interface::Interface;
use super::read::{Fault, Found, Step};

/// The obsolete Packet Block, found in old files.
const PACKET_BLOCK: u32 = 2;

/// For lengths inside a block.
pub(super) const SHORT: Fault = Fault::Malformed("a block that is too short for what it holds");
const BAD_LENGTH: Fault = Fault::Malformed("a block length that is too short or no multiple of 4");

/// The section that is being read.
#[derive(Clone, Debug)]
pub(super) struct Ng {
    order: Endianness,
    interfaces: Vec<Interface>,
    /// For packets without a timestamp of their own.
    last_timestamp: u64,
}

/// What the packet blocks of all three kinds tell.
struct Packet<'a> {
    interface: Interface,
    /// The simple one has none.
    ticks: Option<u64>,
    bytes: &'a [u8],
    original: u32,
}

impl Ng {
    /// Recognises the first block; `None` if this is no pcapng. Nothing is consumed.
    pub(super) fn open(data: &[u8]) -> Option<Self> {
        begins_section(data).then_some(Ng {
            order: Endianness::Little,
            interfaces: Vec::new(),
            last_timestamp: 0,
        })
    }

    /// Reads the block at `offset`.
    pub(super) fn step(&mut self, data: &[u8], offset: usize) -> Result<Step, Fault> {
        let rest = &data[offset..];
        if begins_section(rest) {
            self.begin_section(rest)?;
        }
        let (kind, block) = self.block(rest)?;
        let packet = match kind {
            IDB_MAGIC => {
                self.interfaces.push(Interface::parse(block, self.order)?);
                None
            }
            EPB_MAGIC => Some(self.enhanced_packet(block)?),
            PACKET_BLOCK => Some(self.obsolete_packet(block)?),
            SPB_MAGIC => Some(self.simple_packet(block)?),
            _ => None,
        };
        let found = packet.map(|packet| self.found(data, &packet));
        Ok(Step { next: offset + block.len(), found })
    }

    fn begin_section(&mut self, rest: &[u8]) -> Result<(), Fault> {
        let (_, section) = parse_sectionheaderblock(rest).map_err(|error| fault(error, rest))?;
        self.order = if section.big_endian() { Endianness::Big } else { Endianness::Little };
        self.interfaces.clear();
        Ok(())
    }

    /// Type and bytes of the block that `rest` begins with. Its length stands at both of its ends.
    fn block<'a>(&self, rest: &'a [u8]) -> Result<(u32, &'a [u8]), Fault> {
        let parse = if self.is_big() { parse_unknownblock_be } else { parse_unknownblock_le };
        let (after, block) = parse(rest).map_err(|error| fault(error, rest))?;
        if !block.block_len1.is_multiple_of(4) {
            return Err(BAD_LENGTH);
        }
        if block.block_len2 != block.block_len1 {
            return Err(Fault::Malformed("the two lengths of a block differ"));
        }
        // The library reads the type as little-endian in every section.
        let kind = if self.is_big() { block.block_type.swap_bytes() } else { block.block_type };
        Ok((kind, &rest[..rest.offset(after)]))
    }

    fn enhanced_packet<'a>(&self, block: &'a [u8]) -> Result<Packet<'a>, Fault> {
        let parse = if self.is_big() { parse_enhancedpacketblock_be } else { parse_enhancedpacketblock_le };
        let (_, packet) = parse(block).map_err(|_| SHORT)?;
        Ok(Packet {
            interface: self.interface(packet.if_id)?,
            ticks: Some(u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low)),
            bytes: first(packet.data, packet.caplen)?,
            original: packet.origlen,
        })
    }

    fn obsolete_packet<'a>(&self, block: &'a [u8]) -> Result<Packet<'a>, Fault> {
        let (short, long) = (|| u16(self.order), || u32(self.order));
        let mut fields = (long(), long(), short(), short(), long(), long(), long(), long());
        let parsed: nom::IResult<_, _, ()> = fields.parse(&block[..block.len() - 4]);
        let (data, (_kind, _length, interface, _drops, high, low, captured, original)) =
            parsed.map_err(|_| SHORT)?;
        Ok(Packet {
            interface: self.interface(u32::from(interface))?,
            ticks: Some(u64::from(high) << 32 | u64::from(low)),
            bytes: first(data, captured)?,
            original,
        })
    }

    /// Has neither timestamp nor captured length: the interface's limit tells.
    fn simple_packet<'a>(&self, block: &'a [u8]) -> Result<Packet<'a>, Fault> {
        let parse = if self.is_big() { parse_simplepacketblock_be } else { parse_simplepacketblock_le };
        let (_, packet) = parse(block).map_err(|_| SHORT)?;
        let interface = self.interface(0)?;
        let original = packet.origlen;
        let bytes = first(packet.data, interface.captured(original))?;
        Ok(Packet { interface, ticks: None, bytes, original })
    }

    fn found(&mut self, data: &[u8], packet: &Packet<'_>) -> Found {
        let Packet { interface, ticks, bytes, original } = *packet;
        if let Some(ticks) = ticks {
            self.last_timestamp = interface.timestamp(ticks);
        }
        let captured = bytes.len() as u32;
        Found {
            bytes: data.offset(bytes),
            captured,
            original: original.max(captured),
            timestamp: self.last_timestamp,
            link_type: interface.link_type,
            fcs: interface.fcs,
        }
    }

    fn interface(&self, number: u32) -> Result<Interface, Fault> {
        let missing = Fault::Malformed("a packet of an interface that was not described before");
        self.interfaces.get(number as usize).copied().ok_or(missing)
    }

    fn is_big(&self) -> bool {
        self.order == Endianness::Big
    }
}

/// The type of a Section Header Block is the same in either byte order.
fn begins_section(rest: &[u8]) -> bool {
    rest.starts_with(&SHB_MAGIC.to_le_bytes())
}

fn first(data: &[u8], length: u32) -> Result<&[u8], Fault> {
    data.get(..length as usize).ok_or(SHORT)
}

/// What is wrong with the bounds of a block. When it is longer than `rest`, the file is cut off, or else the length is
/// wrong: then the bytes wanted are no multiple of 4.
fn fault(error: nom::Err<PcapError<&[u8]>>, rest: &[u8]) -> Fault {
    match error {
        nom::Err::Incomplete(Needed::Size(missing)) if !(rest.len() + missing.get()).is_multiple_of(4) => {
            BAD_LENGTH
        }
        nom::Err::Incomplete(_) => Fault::Truncated,
        nom::Err::Error(PcapError::HeaderNotRecognized) => {
            Fault::Malformed("a section header without the byte-order mark")
        }
        _ => BAD_LENGTH,
    }
}

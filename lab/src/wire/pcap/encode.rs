//! Writing the two formats: little endian, nanoseconds, Ethernet.

use std::borrow::Cow;
use std::time::Duration;

use byteorder::LittleEndian;
use pcap_file::pcap::{PcapHeader, RawPcapPacket};
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::section_header::{SectionHeaderBlock, SectionHeaderOption};
use pcap_file::pcapng::{Block, PcapNgBlock};
use pcap_file::{DataLink, Endianness, TsResolution};

use super::classic::LONGEST_PACKET;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Classic pcap with nanosecond timestamps.
    Pcap,
    /// pcapng.
    Pcapng,
}

/// Which way a frame went, seen from the NIC. Only pcapng can keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The NIC received it.
    Inbound,
    /// The NIC sent it.
    Outbound,
}

/// A packet to be written.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The frame without FCS.
    pub bytes: &'a [u8],
    /// Nanoseconds since 1970.
    pub timestamp: u64,
    /// Which way it went, if that is to be kept.
    pub direction: Option<Direction>,
}

/// Writes one of the two formats into memory.
#[derive(Debug)]
pub(super) enum Encoder {
    /// Classic pcap.
    Pcap,
    /// pcapng, with the block that is filled anew for each packet, so that nothing is allocated per packet.
    Pcapng(Block<'static>),
}

impl Encoder {
    pub(super) fn new(format: Format) -> Self {
        match format {
            Format::Pcap => Encoder::Pcap,
            Format::Pcapng => Encoder::Pcapng(empty_packet()),
        }
    }

    /// What a file begins with. `interface` is the name of the only interface; only pcapng can keep it.
    pub(super) fn header(&self, interface: &str) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Encoder::Pcap => {
                pcap_header().write_to(&mut out).expect(NEVER_FAILS);
            }
            Encoder::Pcapng(_) => {
                put(&mut out, &section());
                put(&mut out, &description(interface));
            }
        }
        out
    }

    /// Appends one packet.
    pub(super) fn append(&mut self, out: &mut Vec<u8>, record: &Record<'_>) {
        match self {
            Encoder::Pcap => {
                pcap_record(record).write_to::<_, LittleEndian>(out).expect(NEVER_FAILS);
            }
            Encoder::Pcapng(block) => {
                if let Block::EnhancedPacket(packet) = block {
                    fill(packet, record);
                }
                put(out, block);
            }
        }
    }
}

/// The output is in memory.
const NEVER_FAILS: &str = "a vector takes all that is written to it";

fn put(out: &mut Vec<u8>, block: &Block<'_>) {
    block.write_to::<LittleEndian, _>(out).expect(NEVER_FAILS);
}

fn pcap_header() -> PcapHeader {
    PcapHeader {
        snaplen: LONGEST_PACKET,
        datalink: DataLink::ETHERNET,
        ts_resolution: TsResolution::NanoSecond,
        endianness: Endianness::Little,
        ..PcapHeader::default()
    }
}

fn pcap_record<'a>(record: &Record<'a>) -> RawPcapPacket<'a> {
    let length = record.bytes.len() as u32;
    RawPcapPacket {
        ts_sec: (record.timestamp / 1_000_000_000) as u32,
        ts_frac: (record.timestamp % 1_000_000_000) as u32,
        incl_len: length,
        orig_len: length,
        data: Cow::Borrowed(record.bytes),
    }
}

fn section() -> Block<'static> {
    let application = concat!("ringway ", env!("CARGO_PKG_VERSION"));
    SectionHeaderBlock {
        endianness: Endianness::Little,
        options: vec![SectionHeaderOption::UserApplication(application.into())],
        ..SectionHeaderBlock::default()
    }
    .into_block()
}

fn description(interface: &str) -> Block<'_> {
    /// Timestamps in units of 10 to the power of minus 9 seconds, which is what the library writes.
    const NANOSECONDS: u8 = 9;
    InterfaceDescriptionBlock {
        linktype: DataLink::ETHERNET,
        snaplen: 0, // no limit of captured length
        options: vec![
            InterfaceDescriptionOption::IfName(interface.into()),
            InterfaceDescriptionOption::IfTsResol(NANOSECONDS),
        ],
    }
    .into_block()
}

fn empty_packet() -> Block<'static> {
    EnhancedPacketBlock {
        interface_id: 0,
        timestamp: Duration::ZERO,
        original_len: 0,
        data: Cow::Owned(Vec::new()),
        options: Vec::new(),
    }
    .into_block()
}

fn fill(packet: &mut EnhancedPacketBlock<'static>, record: &Record<'_>) {
    packet.timestamp = Duration::from_nanos(record.timestamp);
    packet.original_len = record.bytes.len() as u32;
    let data = packet.data.to_mut();
    data.clear();
    data.extend_from_slice(record.bytes);
    packet.options.clear();
    packet.options.extend(record.direction.map(|direction| {
        EnhancedPacketOption::Flags(match direction {
            Direction::Inbound => 1,
            Direction::Outbound => 2,
        })
    }));
}

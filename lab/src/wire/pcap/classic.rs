//! Reading classic pcap.

use pcap_parser::nom::{self, Needed, Offset};
use pcap_parser::{
    LegacyPcapBlock, PcapError, PcapHeader, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_frame_modified,
    parse_pcap_header,
};

use super::read::{Fault, Found, Step};

/// No tool writes longer packets (libpcap's `MAXIMUM_SNAPLEN`); a longer length is a broken file.
pub(super) const LONGEST_PACKET: u32 = 262_144;
/// What a file is recognised by.
const MAGIC: usize = 4;

const TOO_LONG: Fault = Fault::Malformed("a packet length beyond the file's own limit");

/// What the file header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classic {
    layout: Layout,
    nanoseconds_per_tick: u64,
    longest: u32,
    link_type: u16,
    fcs: u8,
}

type Parsed<'a> = nom::IResult<&'a [u8], LegacyPcapBlock<'a>, PcapError<&'a [u8]>>;

/// How the records of a file are laid out.
#[derive(Clone, Copy, Debug)]
struct Layout {
    parse: for<'a> fn(&'a [u8]) -> Parsed<'a>,
    /// Bytes before each packet.
    header: usize,
}

impl Layout {
    fn of(file: &PcapHeader) -> Self {
        if file.is_modified_format() {
            Layout { parse: parse_pcap_frame_modified, header: 24 }
        } else if file.is_bigendian() {
            Layout { parse: parse_pcap_frame_be, header: 16 }
        } else {
            Layout { parse: parse_pcap_frame, header: 16 }
        }
    }
}

impl Classic {
    /// Reads the file header; `None` if this is no classic pcap.
    pub(super) fn open(data: &[u8]) -> Option<Result<(Self, usize), Fault>> {
        let header = match parse_pcap_header(data) {
            Ok((_, header)) => header,
            Err(nom::Err::Incomplete(_)) if data.len() >= MAGIC => return Some(Err(Fault::Truncated)),
            Err(_) => return None,
        };
        let link = header.network.0 as u32;
        let classic = Classic {
            layout: Layout::of(&header),
            nanoseconds_per_tick: if header.is_nanosecond_precision() { 1 } else { 1000 },
            longest: header.snaplen.max(LONGEST_PACKET),
            link_type: link as u16,
            fcs: fcs_length(link),
        };
        Some(Ok((classic, header.size())))
    }

    /// The link type of all packets.
    pub(super) fn link_type(&self) -> u16 {
        self.link_type
    }

    /// Reads the record at `offset`.
    pub(super) fn step(&self, data: &[u8], offset: usize) -> Result<Step, Fault> {
        let rest = &data[offset..];
        let (after, record) = (self.layout.parse)(rest).map_err(|error| self.fault(error, rest))?;
        if record.caplen > self.longest {
            return Err(TOO_LONG);
        }
        let found = Found {
            bytes: data.offset(record.data),
            captured: record.caplen,
            original: record.origlen.max(record.caplen),
            // Some writers let the fraction run over one second; the sum is what they mean.
            timestamp: u64::from(record.ts_sec) * 1_000_000_000
                + u64::from(record.ts_usec) * self.nanoseconds_per_tick,
            link_type: self.link_type,
            fcs: self.fcs,
        };
        Ok(Step { next: data.offset(after), found: Some(found) })
    }

    /// A record beyond the end of the file: the file is cut off, unless no record is that long.
    fn fault(&self, error: nom::Err<PcapError<&[u8]>>, rest: &[u8]) -> Fault {
        match error {
            nom::Err::Incomplete(Needed::Size(missing))
                if rest.len() + missing.get() > self.layout.header + self.longest as usize =>
            {
                TOO_LONG
            }
            _ => Fault::Truncated,
        }
    }
}

/// The upper bits of the link type may say how much FCS each packet ends with, in units of two bytes.
fn fcs_length(link: u32) -> u8 {
    const PRESENT: u32 = 1 << 26;
    if link & PRESENT == 0 { 0 } else { (link >> 28) as u8 * 2 }
}

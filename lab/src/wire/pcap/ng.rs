//! Reading pcapng: sections of either byte order, several interfaces, and blocks that we do not know are skipped.

use super::bytes::Order;
use super::format::{
    BYTE_ORDER, ENHANCED_PACKET, INTERFACE, PACKET, SECTION_HEADER, SHORTEST_BLOCK, SIMPLE_PACKET, option,
};
use super::read::{Fault, Found, Step};

/// The section that is being read.
#[derive(Clone, Debug)]
pub(super) struct Ng {
    order: Order,
    interfaces: Vec<Interface>,
    /// For packets without a timestamp of their own.
    last_timestamp: u64,
}

#[derive(Clone, Copy, Debug)]
struct Interface {
    link_type: u16,
    /// Longest captured length; 0 is unlimited.
    snap: u32,
    resolution: Resolution,
    offset_seconds: i64,
    fcs: u8,
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

impl Ng {
    /// Recognises the first block; `None` if this is no pcapng. Nothing is consumed.
    pub(super) fn open(data: &[u8]) -> Option<Self> {
        (Order::Little.u32(data, 0)? == SECTION_HEADER).then_some(Ng {
            order: Order::Little,
            interfaces: Vec::new(),
            last_timestamp: 0,
        })
    }

    /// Reads the block at `offset`.
    pub(super) fn step(&mut self, data: &[u8], offset: usize) -> Result<Step, Fault> {
        let kind = self.order.u32(data, offset).ok_or(Fault::Truncated)?;
        if kind == SECTION_HEADER {
            self.begin_section(data, offset)?;
        }
        let next = offset + self.block_length(data, offset)?;
        let body = Body { order: self.order, data: &data[..next - 4], at: offset + 8 };
        let found = match kind {
            INTERFACE => {
                self.interfaces.push(interface(&body)?);
                None
            }
            ENHANCED_PACKET => Some(self.packet(&body, body.u32(0)?, 4)?),
            PACKET => Some(self.packet(&body, u32::from(body.u16(0)?), 4)?),
            SIMPLE_PACKET => Some(self.simple_packet(&body)?),
            _ => None,
        };
        if let Some(found) = &found {
            self.last_timestamp = found.timestamp;
        }
        Ok(Step { next, found })
    }

    fn begin_section(&mut self, data: &[u8], offset: usize) -> Result<(), Fault> {
        let magic = Order::Little.u32(data, offset + 8).ok_or(Fault::Truncated)?;
        self.order = match magic {
            BYTE_ORDER => Order::Little,
            _ if magic.swap_bytes() == BYTE_ORDER => Order::Big,
            _ => return Err(Fault::Malformed("a section header without the byte-order mark")),
        };
        self.interfaces.clear();
        Ok(())
    }

    /// The length of a block, which stands at both of its ends.
    fn block_length(&self, data: &[u8], offset: usize) -> Result<usize, Fault> {
        let length = self.order.u32(data, offset + 4).ok_or(Fault::Truncated)? as usize;
        if length < SHORTEST_BLOCK || !length.is_multiple_of(4) {
            return Err(Fault::Malformed("a block length that is too short or no multiple of 4"));
        }
        let trailer = self.order.u32(data, offset + length - 4).ok_or(Fault::Truncated)?;
        if trailer as usize != length {
            return Err(Fault::Malformed("the two lengths of a block differ"));
        }
        Ok(length)
    }

    /// Enhanced and obsolete packet blocks are alike from the timestamp on.
    fn packet(&self, body: &Body<'_>, interface: u32, timestamp_at: usize) -> Result<Found, Fault> {
        let interface = *self.interface(interface)?;
        let high = u64::from(body.u32(timestamp_at)?);
        let ticks = high << 32 | u64::from(body.u32(timestamp_at + 4)?);
        let captured = body.u32(timestamp_at + 8)?;
        let original = body.u32(timestamp_at + 12)?;
        let bytes = body.span(timestamp_at + 16, captured)?;
        let offset = interface.offset_seconds.saturating_mul(1_000_000_000);
        Ok(Found {
            bytes,
            captured,
            original: original.max(captured),
            timestamp: interface.resolution.nanoseconds(ticks).saturating_add_signed(offset),
            link_type: interface.link_type,
            fcs: interface.fcs,
        })
    }

    /// Has neither timestamp nor captured length: the interface's limit tells.
    fn simple_packet(&self, body: &Body<'_>) -> Result<Found, Fault> {
        let interface = *self.interface(0)?;
        let original = body.u32(0)?;
        let captured = if interface.snap == 0 { original } else { original.min(interface.snap) };
        Ok(Found {
            bytes: body.span(4, captured)?,
            captured,
            original,
            timestamp: self.last_timestamp,
            link_type: interface.link_type,
            fcs: interface.fcs,
        })
    }

    fn interface(&self, number: u32) -> Result<&Interface, Fault> {
        let missing = Fault::Malformed("a packet of an interface that was not described before");
        self.interfaces.get(number as usize).ok_or(missing)
    }
}

/// The inside of one block. Offsets count from its beginning.
struct Body<'a> {
    order: Order,
    /// The file up to the end of the body.
    data: &'a [u8],
    at: usize,
}

const SHORT: Fault = Fault::Malformed("a block that is too short for what it holds");

impl Body<'_> {
    fn u16(&self, offset: usize) -> Result<u16, Fault> {
        self.order.u16(self.data, self.at + offset).ok_or(SHORT)
    }

    fn u32(&self, offset: usize) -> Result<u32, Fault> {
        self.order.u32(self.data, self.at + offset).ok_or(SHORT)
    }

    /// Where `length` bytes at `offset` are in the file, if the block holds them.
    fn span(&self, offset: usize, length: u32) -> Result<usize, Fault> {
        let start = self.at + offset;
        if start + length as usize <= self.data.len() { Ok(start) } else { Err(SHORT) }
    }
}

fn interface(body: &Body<'_>) -> Result<Interface, Fault> {
    let mut interface = Interface {
        link_type: body.u16(0)?,
        snap: body.u32(4)?,
        resolution: Resolution::MICROSECONDS,
        offset_seconds: 0,
        fcs: 0,
    };
    // The end of the options may be marked or just be the end of the block.
    let mut at = 8;
    while body.at + at + 4 <= body.data.len() {
        let (code, length) = (body.u16(at)?, usize::from(body.u16(at + 2)?));
        let start = body.span(at + 4, length as u32)?;
        let value = &body.data[start..start + length];
        match (code, value) {
            (option::END, _) => break,
            (option::INTERFACE_RESOLUTION, &[exponent]) => {
                let absurd = Fault::Malformed("a timestamp resolution that is absurdly fine");
                interface.resolution = Resolution::new(exponent).ok_or(absurd)?;
            }
            (option::INTERFACE_FCS, &[length]) => interface.fcs = length,
            (option::INTERFACE_OFFSET, value) => {
                interface.offset_seconds = body.order.u64(value, 0).ok_or(SHORT)? as i64;
            }
            _ => {}
        }
        at += 4 + length.next_multiple_of(4);
    }
    Ok(interface)
}

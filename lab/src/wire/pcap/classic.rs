//! Reading classic pcap.

use super::bytes::Order;
use super::format::{FILE_HEADER, LONGEST_PACKET, MAGIC_MICROSECONDS, MAGIC_NANOSECONDS, RECORD_HEADER};
use super::read::{Fault, Found, Step};

/// What the file header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classic {
    order: Order,
    nanoseconds_per_tick: u64,
    longest: u32,
    link_type: u16,
    fcs: u8,
}

impl Classic {
    /// Reads the file header; `None` if this is no classic pcap.
    pub(super) fn open(data: &[u8]) -> Option<Result<(Self, usize), Fault>> {
        let (order, nanoseconds_per_tick) =
            [Order::Little, Order::Big].into_iter().find_map(|order| match order.u32(data, 0)? {
                MAGIC_MICROSECONDS => Some((order, 1000)),
                MAGIC_NANOSECONDS => Some((order, 1)),
                _ => None,
            })?;
        let (Some(snap), Some(link)) = (order.u32(data, 16), order.u32(data, 20)) else {
            return Some(Err(Fault::Truncated));
        };
        let header = Classic {
            order,
            nanoseconds_per_tick,
            longest: snap.max(LONGEST_PACKET),
            link_type: link as u16,
            fcs: fcs_length(link),
        };
        Some(Ok((header, FILE_HEADER)))
    }

    /// The link type of all packets.
    pub(super) fn link_type(&self) -> u16 {
        self.link_type
    }

    /// Reads the record at `offset`.
    pub(super) fn step(&self, data: &[u8], offset: usize) -> Result<Step, Fault> {
        let word = |n: usize| self.order.u32(data, offset + 4 * n).ok_or(Fault::Truncated);
        let (seconds, fraction, captured, original) = (word(0)?, word(1)?, word(2)?, word(3)?);
        if captured > self.longest {
            return Err(Fault::Malformed("a packet length beyond the file's own limit"));
        }
        let bytes = offset + RECORD_HEADER;
        let next = bytes + captured as usize;
        if next > data.len() {
            return Err(Fault::Truncated);
        }
        let found = Found {
            bytes,
            captured,
            original: original.max(captured),
            // Some writers let the fraction run over one second; the sum is what they mean.
            timestamp: u64::from(seconds) * 1_000_000_000 + u64::from(fraction) * self.nanoseconds_per_tick,
            link_type: self.link_type,
            fcs: self.fcs,
        };
        Ok(Step { next, found: Some(found) })
    }
}

/// The upper bits of the link type may say how much FCS each packet ends with, in units of two bytes.
fn fcs_length(link: u32) -> u8 {
    const PRESENT: u32 = 1 << 26;
    if link & PRESENT == 0 { 0 } else { (link >> 28) as u8 * 2 }
}

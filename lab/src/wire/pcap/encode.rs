//! Writing the two formats: little endian, nanoseconds, Ethernet.

use super::format::{
    BYTE_ORDER, ENHANCED_PACKET, ETHERNET, INTERFACE, LONGEST_PACKET, MAGIC_NANOSECONDS, SECTION_HEADER,
    option,
};

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

/// What a file begins with. `interface` is the name of the only interface; only pcapng can keep it.
pub(super) fn header(format: Format, interface: &str) -> Vec<u8> {
    match format {
        Format::Pcap => pcap_header(),
        Format::Pcapng => pcapng_header(interface),
    }
}

/// Appends one packet.
pub(super) fn record(format: Format, out: &mut Vec<u8>, record: &Record<'_>) {
    match format {
        Format::Pcap => pcap_record(out, record),
        Format::Pcapng => enhanced_packet(out, record),
    }
}

fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

fn pcap_header() -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, MAGIC_NANOSECONDS);
    put(&mut out, 4 << 16 | 2); // version 2.4
    put(&mut out, 0);
    put(&mut out, 0);
    put(&mut out, LONGEST_PACKET);
    put(&mut out, u32::from(ETHERNET));
    out
}

fn pcap_record(out: &mut Vec<u8>, record: &Record<'_>) {
    let length = record.bytes.len() as u32;
    put(out, (record.timestamp / 1_000_000_000) as u32);
    put(out, (record.timestamp % 1_000_000_000) as u32);
    put(out, length);
    put(out, length);
    out.extend_from_slice(record.bytes);
}

fn pcapng_header(interface: &str) -> Vec<u8> {
    let mut out = Vec::new();
    block(&mut out, SECTION_HEADER, |out| {
        put(out, BYTE_ORDER);
        put(out, 1); // version 1.0
        out.extend_from_slice(&u64::MAX.to_le_bytes()); // length of the section: not known
        let application = concat!("ringway ", env!("CARGO_PKG_VERSION"));
        put_option(out, option::SECTION_USER_APPLICATION, application.as_bytes());
        put_option(out, option::END, &[]);
    });
    block(&mut out, INTERFACE, |out| {
        put(out, u32::from(ETHERNET));
        put(out, 0); // no limit of captured length
        put_option(out, option::INTERFACE_NAME, interface.as_bytes());
        put_option(out, option::INTERFACE_RESOLUTION, &[9]);
        put_option(out, option::END, &[]);
    });
    out
}

fn enhanced_packet(out: &mut Vec<u8>, record: &Record<'_>) {
    block(out, ENHANCED_PACKET, |out| {
        let length = record.bytes.len() as u32;
        put(out, 0);
        put(out, (record.timestamp >> 32) as u32);
        put(out, record.timestamp as u32);
        put(out, length);
        put(out, length);
        out.extend_from_slice(record.bytes);
        pad(out, record.bytes.len());
        if let Some(direction) = record.direction {
            let flags: u32 = match direction {
                Direction::Inbound => 1,
                Direction::Outbound => 2,
            };
            put_option(out, option::PACKET_FLAGS, &flags.to_le_bytes());
            put_option(out, option::END, &[]);
        }
    });
}

/// A block: its length stands before and behind what `body` writes.
fn block(out: &mut Vec<u8>, kind: u32, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    put(out, kind);
    put(out, 0);
    body(out);
    let length = (out.len() + 4 - start) as u32;
    out[start + 4..start + 8].copy_from_slice(&length.to_le_bytes());
    put(out, length);
}

fn put_option(out: &mut Vec<u8>, code: u16, value: &[u8]) {
    out.extend_from_slice(&code.to_le_bytes());
    out.extend_from_slice(&(value.len() as u16).to_le_bytes());
    out.extend_from_slice(value);
    pad(out, value.len());
}

fn pad(out: &mut Vec<u8>, length: usize) {
    out.extend_from_slice(&[0; 3][..length.next_multiple_of(4) - length]);
}

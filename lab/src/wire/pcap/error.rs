//! Why a capture cannot be replayed: cause and remedy in one line each.

use std::io;
use std::path::PathBuf;

/// A capture that cannot be read, or not be replayed truly.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The operating system does not let us read the file.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file does not begin like a capture.
    #[error("{} is not a capture: {found}; give a pcap or pcapng file", path.display())]
    NotACapture {
        /// The file.
        path: PathBuf,
        /// What it begins with instead.
        found: String,
    },
    /// The packets are not Ethernet frames.
    #[error(
        "{} holds {} packets, and a NIC carries Ethernet only; record on one Ethernet interface (not \"any\")",
        path.display(),
        link_type_name(*link_type)
    )]
    LinkType {
        /// The file.
        path: PathBuf,
        /// As registered at <https://www.tcpdump.org/linktypes.html>.
        link_type: u16,
    },
    /// The file ends in the middle of a packet.
    #[error(
        "{} is cut off: the packet at byte {offset} is not whole ({packets} before it are); record it again, or \
         ask for the whole packets only",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Where the incomplete record begins.
        offset: usize,
        /// Whole packets before it.
        packets: usize,
    },
    /// A packet was only captured in part.
    #[error(
        "{}: packet {number} (byte {offset}) was captured in part only ({captured} of {original} bytes); record \
         with a larger snapshot length (tcpdump -s 0), or ask to skip such packets",
        path.display()
    )]
    Snapped {
        /// The file.
        path: PathBuf,
        /// Number of the packet, from 1, as Wireshark counts.
        number: usize,
        /// Where its record begins.
        offset: usize,
        /// Bytes in the file.
        captured: u32,
        /// Bytes on the wire.
        original: u32,
    },
    /// A frame that no port can carry.
    #[error(
        "{}: packet {number} (byte {offset}) has {length} bytes, and a port carries {shortest} to {longest}; \
         switch segmentation offload off when recording (ethtool -K DEV tso off gso off gro off)",
        path.display()
    )]
    Unsendable {
        /// The file.
        path: PathBuf,
        /// Number of the packet, from 1.
        number: usize,
        /// Where its record begins.
        offset: usize,
        /// Bytes of the frame.
        length: usize,
        /// An Ethernet header.
        shortest: usize,
        /// The longest frame that was asked for.
        longest: usize,
    },
    /// The file breaks the rules of its format.
    #[error("{} is broken at byte {offset}: {what}; record it again", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: usize,
        /// Which rule.
        what: &'static str,
    },
}

/// The link types that people are likely to come with; a number otherwise.
fn link_type_name(link_type: u16) -> String {
    let name = match link_type {
        0 => "BSD loopback",
        12 | 14 | 101 => "raw IP",
        105 | 119 | 127 => "Wi-Fi (802.11)",
        108 => "OpenBSD loopback",
        113 | 276 => "Linux \"cooked\"",
        187 | 201 => "Bluetooth",
        189 | 220 => "USB",
        _ => return format!("link type {link_type}"),
    };
    format!("{name} (link type {link_type})")
}

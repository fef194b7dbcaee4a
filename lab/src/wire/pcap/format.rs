//! The numbers of the two file formats, for reading and for writing.
//!
//! Sources: draft-ietf-opsawg-pcap (classic pcap) and draft-ietf-opsawg-pcapng (pcapng).

/// Classic pcap, timestamps in microseconds, as it reads in the byte order of the writer.
pub(super) const MAGIC_MICROSECONDS: u32 = 0xa1b2_c3d4;
/// Classic pcap, timestamps in nanoseconds.
pub(super) const MAGIC_NANOSECONDS: u32 = 0xa1b2_3c4d;
/// Bytes of the file header of classic pcap.
pub(super) const FILE_HEADER: usize = 24;
/// Bytes before each packet of classic pcap.
pub(super) const RECORD_HEADER: usize = 16;
/// Link type of Ethernet, in both formats.
pub(super) const ETHERNET: u16 = 1;
/// No tool writes longer packets (libpcap's `MAXIMUM_SNAPLEN`); a longer length is a broken file.
pub(super) const LONGEST_PACKET: u32 = 262_144;

/// Section Header Block; a palindrome, so that it can be recognised in either byte order.
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
/// What a Section Header Block begins with, as it reads in the byte order of the section.
pub(super) const BYTE_ORDER: u32 = 0x1a2b_3c4d;
/// Interface Description Block.
pub(super) const INTERFACE: u32 = 1;
/// Packet Block, obsolete but found in old files.
pub(super) const PACKET: u32 = 2;
/// Simple Packet Block.
pub(super) const SIMPLE_PACKET: u32 = 3;
/// Enhanced Packet Block.
pub(super) const ENHANCED_PACKET: u32 = 6;
/// Type, length and the length again: no block is shorter.
pub(super) const SHORTEST_BLOCK: usize = 12;

/// Options, by block.
pub(super) mod option {
    /// Ends the options of any block.
    pub(in super::super) const END: u16 = 0;
    /// Section: the program that wrote the file.
    pub(in super::super) const SECTION_USER_APPLICATION: u16 = 4;
    /// Interface: its name.
    pub(in super::super) const INTERFACE_NAME: u16 = 2;
    /// Interface: resolution of timestamps.
    pub(in super::super) const INTERFACE_RESOLUTION: u16 = 9;
    /// Interface: bytes of FCS at the end of each packet.
    pub(in super::super) const INTERFACE_FCS: u16 = 13;
    /// Interface: seconds to add to each timestamp.
    pub(in super::super) const INTERFACE_OFFSET: u16 = 14;
    /// Packet: flags; the two lowest bits are the direction.
    pub(in super::super) const PACKET_FLAGS: u16 = 2;
}

//! Transmit offloads on a frame that has been copied: checksums, VLAN tag, padding (82599 7.2.5).

use super::checksum::Sum;
use super::crc;
use super::filter::{ETHERTYPE_AT, TAG};
use super::regs::{tx_context as layout, tx_data};

/// Shortest frame without FCS.
pub const SHORTEST: usize = 60;

/// Transport protocol named by a context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// UDP, checksum at 6.
    Udp,
    /// TCP, checksum at 16.
    Tcp,
    /// SCTP, CRC32c at 8.
    Sctp,
    /// None that the NIC knows.
    #[default]
    None,
}

/// A context descriptor's contents. Each queue keeps two (82599 7.2.3.2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Bytes of link header.
    pub link: usize,
    /// Bytes of IP header with options or extensions.
    pub network: usize,
    /// Bytes of transport header.
    pub transport: usize,
    /// The network layer is IPv4.
    pub ipv4: bool,
    /// Transport protocol.
    pub protocol: Transport,
    /// Tag to insert.
    pub tag: u16,
    /// Payload of a segment.
    pub segment: usize,
}

impl Context {
    /// From a context descriptor.
    pub fn new(words: &[u64; 2]) -> Self {
        Context {
            link: layout::MACLEN.get(words) as usize,
            network: layout::IPLEN.get(words) as usize,
            transport: layout::L4LEN.get(words) as usize,
            ipv4: layout::IPV4.is_set(words),
            protocol: match layout::L4T.get(words) {
                layout::L4T_UDP => Transport::Udp,
                layout::L4T_TCP => Transport::Tcp,
                layout::L4T_SCTP => Transport::Sctp,
                _ => Transport::None,
            },
            tag: layout::VLAN.get(words) as u16,
            segment: layout::MSS.get(words) as usize,
        }
    }

    /// First byte of the transport header.
    pub fn transport_at(&self) -> usize {
        self.link + self.network
    }
}

/// What a packet's first data descriptor asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// IPv4 header checksum.
    pub network: bool,
    /// Transport checksum.
    pub transport: bool,
    /// Segmentation.
    pub segmentation: bool,
}

impl Request {
    /// From a data descriptor.
    #[inline]
    pub fn new(words: &[u64; 2]) -> Self {
        Request {
            network: tx_data::IXSM.is_set(words),
            transport: tx_data::TXSM.is_set(words),
            segmentation: tx_data::TSE.is_set(words),
        }
    }

    /// Anything that needs a context.
    #[inline]
    pub fn any(self) -> bool {
        self.network || self.transport || self.segmentation
    }
}

/// Why an offload cannot be done.
pub type Complaint = &'static str;

/// Inserts the checksums that `request` asks for.
pub fn insert_checksums(frame: &mut [u8], context: &Context, request: Request) -> Result<(), Complaint> {
    if request.network {
        network_checksum(frame, context)?;
    }
    if request.transport {
        transport_checksum(frame, context)?;
    }
    Ok(())
}

/// IPv4 header checksum. Asked for on IPv6 it does nothing, there is none.
pub fn network_checksum(frame: &mut [u8], context: &Context) -> Result<(), Complaint> {
    if !context.ipv4 {
        return Ok(());
    }
    let header = frame.get_mut(context.link..context.transport_at()).filter(|header| header.len() >= 20);
    let header =
        header.ok_or("IXSM, but the context's MACLEN and IPLEN leave no IPv4 header in the packet")?;
    header[10..12].fill(0);
    let sum = Sum::default().add(header).checksum();
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    Ok(())
}

/// Transport checksum. Software has put the sum of the pseudo header into the field.
pub fn transport_checksum(frame: &mut [u8], context: &Context) -> Result<(), Complaint> {
    let field = match context.protocol {
        Transport::Udp => 6..8,
        Transport::Tcp => 16..18,
        Transport::Sctp => 8..12,
        Transport::None => return Err("TXSM, but the context names no transport protocol"),
    };
    let packet = frame.get_mut(context.transport_at()..).filter(|packet| packet.len() >= field.end);
    let packet =
        packet.ok_or("TXSM, but the context's MACLEN and IPLEN leave no transport header in the packet")?;
    if context.protocol == Transport::Sctp {
        let crc = crc::sctp(packet);
        packet[field].copy_from_slice(&crc);
        return Ok(());
    }
    let sum = match Sum::default().add(packet).checksum() {
        // Zero would mean "no checksum" to UDP (RFC 768).
        0 if context.protocol == Transport::Udp => 0xFFFF,
        sum => sum,
    };
    packet[field].copy_from_slice(&sum.to_be_bytes());
    Ok(())
}

/// Inserts a VLAN tag behind the addresses. `buffer` must have room for 4 more bytes; returns the new length.
pub fn insert_tag(buffer: &mut [u8], length: usize, kind: u16, tag: u16) -> usize {
    buffer.copy_within(ETHERTYPE_AT..length, ETHERTYPE_AT + TAG);
    buffer[ETHERTYPE_AT..ETHERTYPE_AT + 2].copy_from_slice(&kind.to_be_bytes());
    buffer[ETHERTYPE_AT + 2..ETHERTYPE_AT + TAG].copy_from_slice(&tag.to_be_bytes());
    length + TAG
}

/// The checksum of a legacy descriptor: over the packet from `start` on, complemented, to `offset`.
pub fn legacy_checksum(frame: &mut [u8], start: usize, offset: usize) -> Result<(), Complaint> {
    let covered = frame.get(start..).ok_or("CSS is past the end of the packet")?;
    let sum = Sum::default().add(covered).checksum();
    let field = frame.get_mut(offset..offset + 2).ok_or("CSO is past the end of the packet")?;
    field.copy_from_slice(&sum.to_be_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use etherparse::PacketBuilder;
    use proptest::prelude::*;

    /// A frame with right checksums.
    fn frame(tcp: bool, v6: bool, payload: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        let ethernet = PacketBuilder::ethernet2([1; 6], [2; 6]);
        let ip = if v6 {
            ethernet.ipv6([3; 16], [4; 16], 9)
        } else {
            ethernet.ipv4([9, 8, 7, 6], [5, 4, 3, 2], 9)
        };
        if tcp {
            ip.tcp(1, 2, 3, 4).write(&mut frame, payload).unwrap();
        } else {
            ip.udp(1, 2).write(&mut frame, payload).unwrap();
        }
        frame
    }

    fn context(tcp: bool, v6: bool) -> Context {
        Context {
            link: 14,
            network: if v6 { 40 } else { 20 },
            transport: if tcp { 20 } else { 8 },
            ipv4: !v6,
            protocol: if tcp { Transport::Tcp } else { Transport::Udp },
            ..Context::default()
        }
    }

    proptest! {
        #[test]
        fn checksums_are_those_of_another_implementation(
            tcp: bool, v6: bool, payload in proptest::collection::vec(any::<u8>(), 0..1000),
        ) {
            let right = frame(tcp, v6, &payload);
            let context = context(tcp, v6);
            let mut mine = right.clone();
            if !v6 {
                mine[24..26].fill(0xAA);
            }
            // What software prepares: the pseudo header's sum in the field.
            let transport = mine.len() - context.transport_at();
            let addresses = if v6 { 22..54 } else { 26..34 };
            let protocol = if tcp { 6 } else { 17 };
            let pseudo = Sum::default().add(&mine[addresses]).add_word(protocol).add_word(transport as u16).fold();
            let at = context.transport_at() + if tcp { 16 } else { 6 };
            mine[at..at + 2].copy_from_slice(&pseudo.to_be_bytes());
            insert_checksums(&mut mine, &context, Request { network: true, transport: true, segmentation: false })
                .unwrap();
            prop_assert_eq!(mine, right);
        }

        #[test]
        fn no_lengths_make_it_panic(link in 0usize..128, network in 0usize..512, length in 0usize..200, which in 0u64..4) {
            let words = [
                layout::MACLEN.put(link as u64) | layout::IPLEN.put(network as u64),
                layout::L4T.put(which) | layout::IPV4.put(1),
            ];
            let request = Request { network: true, transport: true, segmentation: false };
            let _ = insert_checksums(&mut vec![0; length], &Context::new(&words), request);
            let _ = legacy_checksum(&mut vec![0; length], link, network);
        }
    }

    #[test]
    fn a_tag_goes_behind_the_addresses() {
        let mut buffer: Vec<u8> = (0..20).collect();
        buffer.resize(24, 0);
        assert_eq!(insert_tag(&mut buffer, 20, 0x8100, 0x2005), 24);
        assert_eq!(&buffer[10..18], [10, 11, 0x81, 0x00, 0x20, 0x05, 12, 13]);
        assert_eq!(&buffer[18..], [14, 15, 16, 17, 18, 19]);
    }
}

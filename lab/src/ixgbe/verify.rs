//! What the NIC says of a received packet in its write-back: packet type and checksums (82599 7.1.6.2, 7.1.11).

use super::checksum::Sum;
use super::crc;
use super::headers::{Headers, Network, Security, Transport};
use super::regs::{QuadField, rx_writeback as wb};

/// Protocol numbers of the pseudo header.
const TCP: u8 = 6;
const UDP: u8 = 17;

const fn bit(field: QuadField) -> u64 {
    1 << field.shift
}

/// The packet type bits of the first word.
#[inline]
pub fn packet_type(headers: &Headers) -> u64 {
    let network = match (headers.network, headers.extended) {
        (Network::None, _) => return 0,
        (Network::V4, false) => bit(wb::PACKET_IPV4),
        (Network::V4, true) => bit(wb::PACKET_IPV4) | bit(wb::PACKET_IPV4_OPTIONS),
        (Network::V6, false) => bit(wb::PACKET_IPV6),
        (Network::V6, true) => bit(wb::PACKET_IPV6) | bit(wb::PACKET_IPV6_EXT),
    };
    let transport = match headers.transport {
        Transport::None => 0,
        Transport::Tcp => bit(wb::PACKET_TCP),
        Transport::Udp => bit(wb::PACKET_UDP),
        Transport::Sctp => bit(wb::PACKET_SCTP),
    };
    let security = match headers.security {
        Security::None => 0,
        Security::Esp => bit(wb::PACKET_ESP),
        Security::Ah => bit(wb::PACKET_AH),
    };
    let nfs = if headers.nfs { bit(wb::PACKET_NFS) } else { 0 };
    network | transport | security | nfs
}

/// The status and error bits of the second word that tell of checksums.
#[inline]
pub fn checksums(frame: &[u8], headers: &Headers) -> u64 {
    let mut bits = 0;
    if headers.network == Network::V4 {
        bits |= bit(wb::IPCS);
        let header = &frame[headers.network_at..headers.transport_at];
        if Sum::default().add(header).fold() != 0xFFFF {
            bits |= bit(wb::IPE);
        }
    }
    bits | transport_checksum(frame, headers)
}

#[inline]
fn transport_checksum(frame: &[u8], headers: &Headers) -> u64 {
    let packet = &frame[headers.transport_at.min(headers.end)..headers.end];
    let (checked, good) = match headers.transport {
        Transport::None => return 0,
        Transport::Tcp => (bit(wb::L4CS), pseudo(frame, headers, TCP).add(packet).fold() == 0xFFFF),
        // No checksum was sent (RFC 768): nothing to check.
        Transport::Udp if packet[6..8] == [0, 0] => return 0,
        Transport::Udp => {
            (bit(wb::L4CS) | bit(wb::UDPCS), pseudo(frame, headers, UDP).add(packet).fold() == 0xFFFF)
        }
        Transport::Sctp => (bit(wb::L4CS), packet[8..12] == crc::sctp(packet)),
    };
    if good { checked } else { checked | bit(wb::L4E) }
}

/// Sum over the pseudo header of the packet.
#[inline]
fn pseudo(frame: &[u8], headers: &Headers, protocol: u8) -> Sum {
    let length = headers.end - headers.transport_at;
    Sum::default().add(headers.addresses(frame)).add_word(protocol.into()).add_word(length as u16)
}

/// With RXCSUM.PCSD = 0 the upper half of the first word holds the IP identification and, with IPPCSE, the sum over
/// the data of a fragment.
pub fn fragment_words(frame: &[u8], headers: &Headers, sum_wanted: bool) -> u64 {
    if headers.network != Network::V4 {
        return 0;
    }
    let id = &frame[headers.network_at + 4..headers.network_at + 6];
    let id = wb::IP_ID.put(u16::from_be_bytes([id[0], id[1]]).into());
    if !sum_wanted || !headers.fragment {
        return id;
    }
    let sum = Sum::default().add(&frame[headers.transport_at..headers.end]).fold();
    id | wb::FRAGMENT_CHECKSUM.put(sum.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use etherparse::PacketBuilder;
    use proptest::prelude::*;

    fn check(frame: &[u8]) -> u64 {
        checksums(frame, &Headers::parse(frame, 12))
    }

    fn tcp6(payload: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        PacketBuilder::ethernet2([1; 6], [2; 6])
            .ipv6([3; 16], [4; 16], 64)
            .tcp(80, 4000, 7, 100)
            .write(&mut frame, payload)
            .unwrap();
        frame
    }

    fn udp4(payload: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        PacketBuilder::ethernet2([1; 6], [2; 6])
            .ipv4([10, 1, 2, 3], [10, 4, 5, 6], 64)
            .udp(53, 5353)
            .write(&mut frame, payload)
            .unwrap();
        frame
    }

    proptest! {
        #[test]
        fn right_checksums_are_found_right(payload in proptest::collection::vec(any::<u8>(), 0..1400)) {
            prop_assert_eq!(check(&tcp6(&payload)), bit(wb::L4CS));
            let udp = bit(wb::IPCS) | bit(wb::L4CS) | bit(wb::UDPCS);
            prop_assert_eq!(check(&udp4(&payload)), udp);
        }

        #[test]
        fn a_flipped_bit_is_found(payload in proptest::collection::vec(any::<u8>(), 1..100), at in 0usize..100) {
            let mut frame = udp4(&payload);
            frame[42 + at % payload.len()] ^= 0x10;
            prop_assert!(wb::L4E.is_set(&[0, check(&frame)]));
            prop_assert!(!wb::IPE.is_set(&[0, check(&frame)]));
        }
    }

    #[test]
    fn a_bad_ip_header_is_found() {
        let mut frame = udp4(b"hello");
        frame[22] ^= 1;
        let bits = [0, check(&frame)];
        assert!(wb::IPE.is_set(&bits) && wb::IPCS.is_set(&bits) && !wb::L4E.is_set(&bits));
    }

    #[test]
    fn udp_without_checksum_is_not_checked() {
        let mut frame = udp4(b"hello");
        frame[40..42].fill(0);
        assert_eq!(check(&frame), bit(wb::IPCS));
    }

    #[test]
    fn padding_is_no_part_of_the_packet() {
        let mut frame = udp4(b"x");
        frame.resize(60, 0xEE);
        assert_eq!(check(&frame), bit(wb::IPCS) | bit(wb::L4CS) | bit(wb::UDPCS));
    }

    #[test]
    fn types_name_all_layers() {
        let frame = tcp6(b"");
        assert_eq!(packet_type(&Headers::parse(&frame, 12)), bit(wb::PACKET_IPV6) | bit(wb::PACKET_TCP));
        let arp = [0u8; 60];
        assert_eq!(packet_type(&Headers::parse(&arp, 12)), 0);
    }
}

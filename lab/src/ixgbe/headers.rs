//! What the NIC's parser finds in a frame (82599 7.1.6.2, packet type).

/// Network layer of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Neither IPv4 nor IPv6.
    #[default]
    None,
    /// IPv4 with a whole header.
    V4,
    /// IPv6 with a whole header.
    V6,
}

/// Transport layer of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// Not one the NIC knows, a fragment, or cut short.
    #[default]
    None,
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
    /// SCTP.
    Sctp,
}

/// Where the layers of a frame lie. Offsets are from the start of the frame; `end` is never past the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// The network layer.
    pub network: Network,
    /// The transport layer; `None` for fragments.
    pub transport: Transport,
    /// First byte of the network header.
    pub network_at: usize,
    /// First byte after the network header and its extensions.
    pub transport_at: usize,
    /// End of the IP packet by its own length field; what follows is padding.
    pub end: usize,
    /// A part of a fragmented packet.
    pub fragment: bool,
    /// IPv4 options or IPv6 extension headers are present.
    pub extended: bool,
    /// NFS by its port, as the receive filter sees it (82599 8.2.3.7.6).
    pub nfs: bool,
    /// Security header after IP.
    pub security: Security,
}

/// IPsec header of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Security {
    /// No such header.
    #[default]
    None,
    /// Encapsulating security payload.
    Esp,
    /// Authentication header.
    Ah,
}

const ETHERTYPE_IPV4: u16 = 0x0800;
const ETHERTYPE_IPV6: u16 = 0x86DD;
const NFS_PORT: u16 = 2049;

mod protocol {
    pub const HOP_BY_HOP: u8 = 0;
    pub const TCP: u8 = 6;
    pub const UDP: u8 = 17;
    pub const ROUTING: u8 = 43;
    pub const FRAGMENT: u8 = 44;
    pub const ESP: u8 = 50;
    pub const AH: u8 = 51;
    pub const DESTINATION: u8 = 60;
    pub const SCTP: u8 = 132;
}

/// The big-endian word at `at`, if the frame is that long.
#[inline]
pub fn word(frame: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*frame.get(at)?, *frame.get(at + 1)?]))
}

impl Headers {
    /// Parses a frame whose EtherType (behind any VLAN tags) is at `ethertype_at`.
    #[inline]
    pub fn parse(frame: &[u8], ethertype_at: usize) -> Headers {
        let mut headers = Headers { network_at: ethertype_at + 2, end: frame.len(), ..Headers::default() };
        match word(frame, ethertype_at) {
            Some(ETHERTYPE_IPV4) => headers.ipv4(frame),
            Some(ETHERTYPE_IPV6) => headers.ipv6(frame),
            _ => {}
        }
        headers
    }

    #[inline]
    fn ipv4(&mut self, frame: &[u8]) {
        let Some(header) = frame.get(self.network_at..).and_then(|rest| rest.first_chunk::<20>()) else {
            return;
        };
        let header_bytes = usize::from(header[0] & 0xF) * 4;
        let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
        let whole = frame.len() - self.network_at;
        if header[0] >> 4 != 4 || header_bytes < 20 || total < header_bytes || total > whole {
            return;
        }
        self.network = Network::V4;
        self.transport_at = self.network_at + header_bytes;
        self.end = self.network_at + total;
        self.extended = header_bytes > 20;
        // More-fragments flag or a fragment offset.
        self.fragment = u16::from_be_bytes([header[6], header[7]]) & 0x3FFF != 0;
        self.transport(frame, header[9]);
    }

    fn ipv6(&mut self, frame: &[u8]) {
        let Some(header) = frame.get(self.network_at..).and_then(|rest| rest.first_chunk::<40>()) else {
            return;
        };
        let payload = usize::from(u16::from_be_bytes([header[4], header[5]]));
        if header[0] >> 4 != 6 || payload + 40 > frame.len() - self.network_at {
            return;
        }
        self.network = Network::V6;
        self.transport_at = self.network_at + 40;
        self.end = self.transport_at + payload;
        let mut next = header[6];
        while matches!(
            next,
            protocol::HOP_BY_HOP | protocol::ROUTING | protocol::DESTINATION | protocol::FRAGMENT
        ) {
            self.extended = true;
            let Some([following, length]) =
                frame[..self.end].get(self.transport_at..).and_then(|rest| rest.first_chunk::<2>())
            else {
                return;
            };
            let bytes = if next == protocol::FRAGMENT { 8 } else { (usize::from(*length) + 1) * 8 };
            self.fragment |= next == protocol::FRAGMENT;
            next = *following;
            if self.transport_at + bytes > self.end {
                return;
            }
            self.transport_at += bytes;
        }
        self.transport(frame, next);
    }

    #[inline]
    fn transport(&mut self, frame: &[u8], protocol: u8) {
        if self.fragment {
            return;
        }
        let room = self.end - self.transport_at;
        self.transport = match protocol {
            protocol::TCP if room >= 20 => Transport::Tcp,
            protocol::UDP if room >= 8 => Transport::Udp,
            protocol::SCTP if room >= 12 => Transport::Sctp,
            protocol::ESP => {
                self.security = Security::Esp;
                return;
            }
            protocol::AH => {
                self.security = Security::Ah;
                return;
            }
            _ => return,
        };
        self.nfs = matches!(self.transport, Transport::Tcp | Transport::Udp)
            && (word(frame, self.transport_at) == Some(NFS_PORT)
                || word(frame, self.transport_at + 2) == Some(NFS_PORT));
    }

    /// Source and destination address as they lie in the frame, one after the other; empty without IP.
    #[inline]
    pub fn addresses<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        match self.network {
            Network::V4 => &frame[self.network_at + 12..self.network_at + 20],
            Network::V6 => &frame[self.network_at + 8..self.network_at + 40],
            Network::None => &[],
        }
    }

    /// Source and destination port as they lie in the frame; empty without TCP, UDP or SCTP.
    #[inline]
    pub fn ports<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        match self.transport {
            Transport::None => &[],
            _ => &frame[self.transport_at..self.transport_at + 4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etherparse::PacketBuilder;
    use proptest::prelude::*;

    fn udp4(payload: usize) -> Vec<u8> {
        let mut frame = Vec::new();
        PacketBuilder::ethernet2([1; 6], [2; 6])
            .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .udp(1000, 2000)
            .write(&mut frame, &vec![0; payload])
            .unwrap();
        frame
    }

    #[test]
    fn finds_udp_over_ipv4_and_the_padding() {
        let mut frame = udp4(4);
        frame.resize(60, 0);
        let headers = Headers::parse(&frame, 12);
        assert_eq!((headers.network, headers.transport), (Network::V4, Transport::Udp));
        assert_eq!((headers.network_at, headers.transport_at, headers.end), (14, 34, 46));
        assert_eq!(headers.addresses(&frame), [10, 0, 0, 1, 10, 0, 0, 2]);
        assert_eq!(headers.ports(&frame), [0x03, 0xE8, 0x07, 0xD0]);
    }

    #[test]
    fn a_fragment_has_no_transport() {
        let mut frame = udp4(100);
        frame[20] = 0x20;
        let headers = Headers::parse(&frame, 12);
        assert!(headers.fragment);
        assert_eq!(headers.transport, Transport::None);
    }

    #[test]
    fn walks_ipv6_extensions() {
        let mut frame = vec![0u8; 14];
        frame[12..14].copy_from_slice(&[0x86, 0xDD]);
        let mut header = [0u8; 40];
        header[0] = 0x60;
        header[5] = 8 + 8;
        header[6] = protocol::HOP_BY_HOP;
        frame.extend(header);
        frame.extend([protocol::UDP, 0, 1, 4, 0, 0, 0, 0]);
        frame.extend([0, 1, 0, 2, 0, 8, 0, 0]);
        let headers = Headers::parse(&frame, 12);
        assert_eq!((headers.transport, headers.transport_at), (Transport::Udp, 62));
        assert!(headers.extended && !headers.fragment);
    }

    #[test]
    fn nfs_is_known_by_its_port() {
        let mut frame = udp4(4);
        frame[36..38].copy_from_slice(&2049u16.to_be_bytes());
        assert!(Headers::parse(&frame, 12).nfs);
    }

    proptest! {
        #[test]
        fn never_points_outside_the_frame(
            mut frame in proptest::collection::vec(any::<u8>(), 0..200),
            version in prop::sample::select(vec![0x45u8, 0x4F, 0x60]),
        ) {
            if frame.len() > 15 {
                let kind: [u8; 2] = if version == 0x60 { [0x86, 0xDD] } else { [8, 0] };
                frame[12..14].copy_from_slice(&kind);
                frame[14] = version;
            }
            let headers = Headers::parse(&frame, 12);
            prop_assert!(headers.end <= frame.len());
            headers.addresses(&frame);
            headers.ports(&frame);
            if headers.network != Network::None {
                prop_assert!(headers.transport_at <= headers.end);
            }
        }
    }
}

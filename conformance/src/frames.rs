//! Frames that the judge puts on the wire or has sent. All without FCS.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::random::Random;

/// A hardware address.
pub type Mac = [u8; 6];

/// Everybody.
pub const BROADCAST: Mac = [0xff; 6];
/// Somebody who is not there.
pub const STRANGER: Mac = [0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee];
/// A multicast group (one of IPv4) that no driver joins by itself.
pub const GROUP: Mac = [0x01, 0x00, 0x5e, 0x12, 0x34, 0x56];
/// Whom the judge's frames come from.
pub const JUDGE: Mac = [0x02, 0x4a, 0x55, 0x44, 0x47, 0x45];

/// Shortest frame on the wire, without FCS.
pub const SHORTEST: usize = 60;
/// Longest frame of standard Ethernet, without FCS.
pub const LONGEST: usize = 1514;
/// Bytes of the FCS, which counters count and packets do not have.
pub const FCS: usize = 4;

/// Ethertype for local experiments (IEEE Std 802, 88B5): no NIC looks into it.
const EXPERIMENT: u16 = 0x88b5;

/// A frame of `length` bytes to `to` that carries `number` and, as far as there is room, noise that depends on it.
pub fn numbered(to: Mac, number: u32, length: usize) -> Vec<u8> {
    let mut frame = header(to, &[], EXPERIMENT);
    frame.extend(number.to_be_bytes());
    let start = frame.len().min(length);
    frame.resize(length, 0);
    Random::new(u64::from(number) << 16 | length as u64).fill(&mut frame[start..]);
    frame
}

/// `count` numbered frames of `length` bytes, from number `first`.
pub fn series(to: Mac, first: u32, count: usize, length: usize) -> Vec<Vec<u8>> {
    (first..).take(count).map(|number| numbered(to, number, length)).collect()
}

/// `count` numbered frames of random lengths.
pub fn mixed(to: Mac, first: u32, count: usize, random: &mut Random) -> Vec<Vec<u8>> {
    (first..).take(count).map(|number| numbered(to, number, random.between(SHORTEST, LONGEST))).collect()
}

/// A numbered frame with an 802.1Q tag; `length` includes the tag.
pub fn tagged(to: Mac, vlan: u16, number: u32, length: usize) -> Vec<u8> {
    let plain = numbered(to, number, length - 4);
    let tag = [&0x8100u16.to_be_bytes()[..], &vlan.to_be_bytes()[..]].concat();
    [&plain[..12], &tag, &plain[12..]].concat()
}

fn header(to: Mac, tag: &[u8], ethertype: u16) -> Vec<u8> {
    [&to[..], &JUDGE, tag, &ethertype.to_be_bytes()].concat()
}

/// Transport of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
}

/// What makes packets belong together. Both addresses are of the same family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Transport.
    pub transport: Transport,
    /// Source address.
    pub from: IpAddr,
    /// Destination address.
    pub to: IpAddr,
    /// Source port.
    pub from_port: u16,
    /// Destination port.
    pub to_port: u16,
}

impl Flow {
    /// Any flow.
    pub fn any(random: &mut Random) -> Flow {
        let transport = if random.coin() { Transport::Tcp } else { Transport::Udp };
        let v6 = random.coin();
        let mut address = || {
            let bits = u128::from(random.word()) << 64 | u128::from(random.word());
            if v6 { IpAddr::V6(Ipv6Addr::from(bits)) } else { IpAddr::V4(Ipv4Addr::from(bits as u32)) }
        };
        let (from, to) = (address(), address());
        let ports = random.word();
        Flow { transport, from, to, from_port: (ports >> 16) as u16 | 1, to_port: ports as u16 | 1 }
    }

    /// The bytes that RSS hashes: addresses and ports, in network order (82599 7.1.2.8.1).
    pub fn hash_input(&self, with_ports: bool) -> Vec<u8> {
        let mut input = [octets(self.from), octets(self.to)].concat();
        if with_ports {
            input.extend(self.from_port.to_be_bytes());
            input.extend(self.to_port.to_be_bytes());
        }
        input
    }

    /// A packet of the flow, with right checksums, that carries `number` as its first payload.
    pub fn packet(&self, to: Mac, number: u32) -> Vec<u8> {
        let payload = [&number.to_be_bytes()[..], &[0x5a; 20]].concat();
        let segment = self.segment(&payload);
        let mut frame = match (self.from, self.to) {
            (IpAddr::V4(from), IpAddr::V4(destination)) => {
                let mut frame = header(to, &[], 0x0800);
                frame.extend(ipv4_header(from, destination, self.protocol(), segment.len()));
                frame
            }
            (from, destination) => {
                let mut frame = header(to, &[], 0x86dd);
                frame.extend([0x60, 0, 0, 0]);
                frame.extend((segment.len() as u16).to_be_bytes());
                frame.extend([self.protocol(), 64]);
                frame.extend([octets(from), octets(destination)].concat());
                frame
            }
        };
        frame.extend(segment);
        frame.resize(frame.len().max(SHORTEST), 0);
        frame
    }

    fn protocol(&self) -> u8 {
        match self.transport {
            Transport::Tcp => 6,
            Transport::Udp => 17,
        }
    }

    /// Transport header and payload.
    fn segment(&self, payload: &[u8]) -> Vec<u8> {
        let mut segment = [self.from_port.to_be_bytes(), self.to_port.to_be_bytes()].concat();
        let checksum_at = match self.transport {
            Transport::Tcp => {
                // Sequence, acknowledgement, 5 words of header, flags ACK, window, checksum, urgent.
                segment.extend([0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x10, 0x20, 0, 0, 0, 0, 0]);
                16
            }
            Transport::Udp => {
                segment.extend(((8 + payload.len()) as u16).to_be_bytes());
                segment.extend([0, 0]);
                6
            }
        };
        segment.extend(payload);
        let pseudo = [&octets(self.from)[..], &octets(self.to), &[0, self.protocol()]].concat();
        let sum = checksum(&[&pseudo, &(segment.len() as u16).to_be_bytes(), &segment]);
        let sum = if sum == 0 && self.transport == Transport::Udp { 0xffff } else { sum };
        segment[checksum_at..checksum_at + 2].copy_from_slice(&sum.to_be_bytes());
        segment
    }
}

fn octets(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    }
}

fn ipv4_header(from: Ipv4Addr, to: Ipv4Addr, protocol: u8, payload: usize) -> Vec<u8> {
    let mut header = vec![0x45, 0];
    header.extend(((20 + payload) as u16).to_be_bytes());
    header.extend([0, 1, 0x40, 0, 64, protocol, 0, 0]);
    header.extend(from.octets());
    header.extend(to.octets());
    let sum = checksum(&[&header]);
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    header
}

/// The Internet checksum (RFC 1071) over parts, each but the last of even length.
fn checksum(parts: &[&[u8]]) -> u16 {
    let words = parts.iter().flat_map(|part| part.chunks(2));
    let sum: u32 =
        words.map(|pair| u32::from(pair[0]) << 8 | u32::from(pair.get(1).copied().unwrap_or(0))).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    !((folded & 0xffff) + (folded >> 16)) as u16
}

/// What the forward workload makes of a frame: byte 48 plus 1, if there is one.
pub fn forwarded(frame: &[u8]) -> Vec<u8> {
    let mut frame = frame.to_vec();
    if let Some(byte) = frame.get_mut(48) {
        *byte = byte.wrapping_add(1);
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_frames_have_their_length_and_differ() {
        for length in [14, 16, 18, 60, 1514] {
            assert_eq!(numbered(BROADCAST, 7, length).len(), length);
        }
        assert_ne!(numbered(BROADCAST, 1, 60), numbered(BROADCAST, 2, 60));
        assert_eq!(tagged(BROADCAST, 5, 1, 64).len(), 64);
        assert_eq!(tagged(BROADCAST, 5, 1, 64)[12..16], [0x81, 0, 0, 5]);
    }

    #[test]
    fn checksums_add_up() {
        let mut random = Random::new(1);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..100 {
            let flow = Flow::any(&mut random);
            seen.insert((flow.protocol(), flow.from.is_ipv6()));
            let segment = flow.segment(b"odd");
            let pseudo = [&octets(flow.from)[..], &octets(flow.to), &[0, flow.protocol()]].concat();
            assert_eq!(checksum(&[&pseudo, &(segment.len() as u16).to_be_bytes(), &segment]), 0);
        }
        assert_eq!(seen.len(), 4, "both transports over both families");
        let header = ipv4_header(Ipv4Addr::LOCALHOST, Ipv4Addr::BROADCAST, 17, 100);
        assert_eq!(checksum(&[&header]), 0);
    }

    #[test]
    fn forwarding_changes_one_byte() {
        let mut frame = numbered(BROADCAST, 1, 60);
        frame[48] = 255;
        let out = forwarded(&frame);
        assert_eq!((out[48], out.iter().zip(&frame).filter(|(a, b)| a != b).count()), (0, 1));
        assert_eq!(forwarded(&frame[..48]), frame[..48]);
    }
}

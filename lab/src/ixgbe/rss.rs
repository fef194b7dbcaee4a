//! Receive side scaling: the Toeplitz hash and the redirection table (82599 7.1.2.8).

use super::headers::{Headers, Network, Transport};
use super::registers::RegisterFile;
use super::regs::{self, mrqc, rx_writeback};

/// Bytes of the key.
const KEY_BYTES: usize = 40;
/// Longest input: two IPv6 addresses and two ports.
const INPUT_BYTES: usize = 36;

/// For each half byte of the input and each of its values, what it contributes to the hash. (Half bytes, because the
/// 4.5 KiB of these tables stay in the first cache beside the packets; 36 KiB for whole bytes would not.)
type Tables = [[u32; 16]; INPUT_BYTES * 2];

/// Hash and table of one NIC.
#[derive(Debug)]
pub struct Rss {
    enabled: bool,
    types: u32,
    key: [u8; KEY_BYTES],
    tables: Box<Tables>,
    redirection: [u8; 128],
}

/// What the hash says of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hashed {
    /// `rx_writeback::RSS_TYPE`; 0 without a hash.
    pub kind: u64,
    /// The hash; 0 without one.
    pub hash: u32,
}

impl Rss {
    /// Off.
    pub fn new() -> Self {
        let mut rss = Rss {
            enabled: false,
            types: 0,
            key: [0; KEY_BYTES],
            tables: Box::new([[0; 16]; INPUT_BYTES * 2]),
            redirection: [0; 128],
        };
        rss.build_tables();
        rss
    }

    /// Takes over MRQC, RSSRK and RETA.
    pub fn load(&mut self, registers: &RegisterFile) {
        let control = registers.of(regs::MRQC);
        // Modes with pools or traffic classes are not modelled: all goes to queue 0.
        self.enabled = mrqc::MRQE.get(control) == mrqc::MRQE_RSS;
        self.types = control;
        let mut key = [0; KEY_BYTES];
        for (n, bytes) in key.chunks_exact_mut(4).enumerate() {
            bytes.copy_from_slice(&registers.of(regs::RSSRK.at(n as u16)).to_le_bytes());
        }
        if key != self.key {
            self.key = key;
            self.build_tables();
        }
        for (n, entries) in self.redirection.chunks_exact_mut(4).enumerate() {
            let word = registers.of(regs::RETA.at(n as u16)).to_le_bytes();
            for (entry, byte) in entries.iter_mut().zip(word) {
                *entry = byte & 0xF;
            }
        }
    }

    fn build_tables(&mut self) {
        for (half, table) in self.tables.iter_mut().enumerate() {
            for (value, entry) in table.iter_mut().enumerate() {
                *entry = (0..4)
                    .filter(|bit| value >> (3 - bit) & 1 == 1)
                    .fold(0, |hash, bit| hash ^ key_window(&self.key, half * 4 + bit));
            }
        }
    }

    /// The hash of the concatenation of two slices.
    #[inline]
    fn hash(&self, first: &[u8], second: &[u8]) -> u32 {
        let bytes = first.iter().chain(second);
        let halves = self.tables.chunks_exact(2);
        bytes.zip(halves).fold(0, |hash, (byte, tables)| {
            hash ^ tables[0][usize::from(byte >> 4)] ^ tables[1][usize::from(byte & 0xF)]
        })
    }

    fn wants(&self, field: regs::Field) -> bool {
        field.is_set(self.types)
    }

    /// The most specific hash that is enabled for the packet.
    #[inline]
    pub fn classify(&self, frame: &[u8], headers: &Headers) -> Hashed {
        if !self.enabled || headers.network == Network::None {
            return Hashed::default();
        }
        let (with_ports, without) = match headers.network {
            Network::V4 => {
                (self.ports_v4(headers), self.wants(mrqc::IPV4).then_some(rx_writeback::RSS_TYPE_IPV4))
            }
            _ => (self.ports_v6(headers), self.plain_v6(headers)),
        };
        let addresses = headers.addresses(frame);
        if let Some(kind) = with_ports {
            Hashed { kind, hash: self.hash(addresses, headers.ports(frame)) }
        } else if let Some(kind) = without {
            Hashed { kind, hash: self.hash(addresses, &[]) }
        } else {
            Hashed::default()
        }
    }

    #[inline]
    fn ports_v4(&self, headers: &Headers) -> Option<u64> {
        match headers.transport {
            Transport::Tcp if self.wants(mrqc::TCP_IPV4) => Some(rx_writeback::RSS_TYPE_TCP_IPV4),
            Transport::Udp if self.wants(mrqc::UDP_IPV4) => Some(rx_writeback::RSS_TYPE_UDP_IPV4),
            _ => None,
        }
    }

    /// The plain types are for packets without extension headers; the EX types take them too, but report themselves.
    fn ports_v6(&self, headers: &Headers) -> Option<u64> {
        let (plain, ex) = match headers.transport {
            Transport::Tcp => (
                (mrqc::TCP_IPV6, rx_writeback::RSS_TYPE_TCP_IPV6),
                (mrqc::TCP_IPV6_EX, rx_writeback::RSS_TYPE_TCP_IPV6_EX),
            ),
            Transport::Udp => (
                (mrqc::UDP_IPV6, rx_writeback::RSS_TYPE_UDP_IPV6),
                (mrqc::UDP_IPV6_EX, rx_writeback::RSS_TYPE_UDP_IPV6_EX),
            ),
            _ => return None,
        };
        self.either(headers, plain, ex)
    }

    fn plain_v6(&self, headers: &Headers) -> Option<u64> {
        let ex = (mrqc::IPV6_EX, rx_writeback::RSS_TYPE_IPV6_EX);
        self.either(headers, (mrqc::IPV6, rx_writeback::RSS_TYPE_IPV6), ex)
    }

    fn either(&self, headers: &Headers, plain: (regs::Field, u64), ex: (regs::Field, u64)) -> Option<u64> {
        if !headers.extended && self.wants(plain.0) {
            Some(plain.1)
        } else {
            self.wants(ex.0).then_some(ex.1)
        }
    }

    /// The queue for a packet.
    #[inline]
    pub fn queue(&self, hashed: Hashed) -> u16 {
        if hashed.kind == rx_writeback::RSS_TYPE_NONE {
            0
        } else {
            self.redirection[hashed.hash as usize & 0x7F].into()
        }
    }
}

/// The 32 bits of the key from bit `start` on.
fn key_window(key: &[u8; KEY_BYTES], start: usize) -> u32 {
    let at = start / 8;
    let mut bytes = [0u8; 8];
    let end = (at + 8).min(KEY_BYTES);
    bytes[..end - at].copy_from_slice(&key[at..end]);
    (u64::from_be_bytes(bytes) >> (32 - start % 8)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the Microsoft verification suite.
    const KEY: [u8; KEY_BYTES] = [
        0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0,
        0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42,
        0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
    ];

    fn rss() -> Rss {
        let mut rss = Rss::new();
        rss.key = KEY;
        rss.build_tables();
        rss
    }

    fn check(source: &str, destination: &str, ports: (u16, u16), addresses_only: u32, with_ports: u32) {
        use std::net::IpAddr;
        let octets = |text: &str| match text.parse::<IpAddr>().unwrap() {
            IpAddr::V4(address) => address.octets().to_vec(),
            IpAddr::V6(address) => address.octets().to_vec(),
        };
        let addresses = [octets(source), octets(destination)].concat();
        let ports = [ports.0.to_be_bytes(), ports.1.to_be_bytes()].concat();
        assert_eq!(rss().hash(&addresses, &[]), addresses_only, "{source} to {destination}");
        assert_eq!(rss().hash(&addresses, &ports), with_ports, "{source} to {destination} with ports");
    }

    #[test]
    fn vectors_of_the_verification_suite() {
        check("66.9.149.187", "161.142.100.80", (2794, 1766), 0x323e8fc2, 0x51ccc178);
        check("199.92.111.2", "65.69.140.83", (14230, 4739), 0xd718262a, 0xc626b0ea);
        check("24.19.198.95", "12.22.207.184", (12898, 38024), 0xd2d0a5de, 0x5c2b394a);
        check("38.27.205.30", "209.142.163.6", (48228, 2217), 0x82989176, 0xafc7327f);
        check("153.39.163.191", "202.188.127.2", (44251, 1303), 0x5d1809c5, 0x10e828a2);
        check("3ffe:2501:200:1fff::7", "3ffe:2501:200:3::1", (2794, 1766), 0x2cc18cd5, 0x40207d3d);
        check("3ffe:501:8::260:97ff:fe40:efab", "ff02::1", (14230, 4739), 0x0f0c461c, 0xdde51bbf);
        check(
            "3ffe:1900:4545:3:200:f8ff:fe21:67cf",
            "fe80::200:f8ff:fe21:67cf",
            (44251, 38024),
            0x4b61e985,
            0x02d1feef,
        );
    }
}

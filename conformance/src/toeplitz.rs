//! The judge's own Toeplitz hash: written from its definition, bit by bit, so that it shares no thought with the lab's.

/// Bytes of the 82599's key (RSSRK, 82599 8.2.3.7.14).
pub const KEY_BYTES: usize = 40;

/// Hash of `input`: for every bit that is set, the 32 bits of the key that start at that bit are added modulo 2
/// (82599 7.1.2.8.1).
pub fn hash(key: &[u8; KEY_BYTES], input: &[u8]) -> u32 {
    let bit = |bytes: &[u8], n: usize| bytes[n / 8] >> (7 - n % 8) & 1 == 1;
    let window = |start: usize| (start..start + 32).fold(0, |word, n| word << 1 | u32::from(bit(key, n)));
    (0..input.len() * 8).filter(|&n| bit(input, n)).fold(0, |sum, n| sum ^ window(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::{Flow, Transport};

    /// The key of Microsoft's verification suite.
    const KEY: [u8; KEY_BYTES] = [
        0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0,
        0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42,
        0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
    ];

    #[test]
    fn the_published_vectors() {
        for (from, from_port, to, to_port, two, four) in [
            ("66.9.149.187", 2794, "161.142.100.80", 1766, 0x323e8fc2, 0x51ccc178),
            ("38.27.205.30", 48228, "209.142.163.6", 2217, 0x82989176, 0xafc7327f),
            ("3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766, 0x2cc18cd5, 0x40207d3d),
            ("3ffe:501:8::260:97ff:fe40:efab", 14230, "ff02::1", 4739, 0x0f0c461c, 0xdde51bbf),
        ] {
            let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
            let flow = Flow { transport: Transport::Tcp, from, to, from_port, to_port };
            assert_eq!(hash(&KEY, &flow.hash_input(false)), two);
            assert_eq!(hash(&KEY, &flow.hash_input(true)), four);
        }
    }
}

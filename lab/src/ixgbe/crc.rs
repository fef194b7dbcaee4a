//! The two CRCs a NIC computes: Ethernet's frame check sequence and SCTP's CRC32c.

/// Eight tables of the slicing-by-8 method for a reflected polynomial.
const fn tables(polynomial: u32) -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ polynomial } else { value >> 1 };
            bit += 1;
        }
        tables[0][byte] = value;
        byte += 1;
    }
    let mut slice = 1;
    while slice < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[slice - 1][byte];
            tables[slice][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        slice += 1;
    }
    tables
}

static ETHERNET: [[u32; 256]; 8] = tables(0xEDB8_8320);
static CASTAGNOLI: [[u32; 256]; 8] = tables(0x82F6_3B78);

fn update(tables: &[[u32; 256]; 8], mut crc: u32, bytes: &[u8]) -> u32 {
    let words = bytes.chunks_exact(8);
    let rest = words.remainder();
    for word in words {
        let mixed =
            u64::from_le_bytes([word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]])
                ^ u64::from(crc);
        crc = 0;
        for (lane, table) in tables.iter().rev().enumerate() {
            crc ^= table[(mixed >> (8 * lane)) as usize & 0xFF];
        }
    }
    for byte in rest {
        crc = (crc >> 8) ^ tables[0][(crc as u8 ^ byte) as usize];
    }
    crc
}

/// A frame check sequence over several pieces of a frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameCheck(u32);

impl FrameCheck {
    /// Over nothing yet.
    pub fn new() -> Self {
        FrameCheck(u32::MAX)
    }

    /// Appends a piece.
    pub fn add(self, bytes: &[u8]) -> Self {
        FrameCheck(update(&ETHERNET, self.0, bytes))
    }

    /// The four bytes as they follow the frame on the wire.
    pub fn bytes(self) -> [u8; 4] {
        (!self.0).to_le_bytes()
    }
}

/// CRC32c of an SCTP packet whose checksum field (bytes 8 to 11) counts as zero, in wire order (RFC 9260 appendix A).
pub fn sctp(packet: &[u8]) -> [u8; 4] {
    let field = packet.len().min(8)..packet.len().min(12);
    let crc = update(&CASTAGNOLI, u32::MAX, &packet[..field.start]);
    let crc = update(&CASTAGNOLI, crc, &[0; 4][..field.len()]);
    (!update(&CASTAGNOLI, crc, &packet[field.end..])).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_values_of_both_polynomials() {
        // The check values of the CRC catalogue for "123456789".
        assert_eq!(FrameCheck::new().add(b"12345").add(b"6789").bytes(), 0xCBF4_3926u32.to_le_bytes());
        assert_eq!(!update(&CASTAGNOLI, u32::MAX, b"123456789"), 0xE306_9283);
    }

    #[test]
    fn sctp_ignores_what_its_field_holds() {
        let mut packet = [7u8; 40];
        let crc = sctp(&packet);
        packet[8..12].copy_from_slice(&[1, 2, 3, 4]);
        assert_eq!(sctp(&packet), crc);
        packet[12] ^= 1;
        assert_ne!(sctp(&packet), crc);
    }

    #[test]
    fn sctp_survives_short_packets() {
        for length in 0..13 {
            sctp(&[0; 13][..length]);
        }
    }
}

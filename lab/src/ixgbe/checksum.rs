//! The Internet checksum (RFC 1071).

/// Ones' complement sum of 16-bit words, not yet folded. Pieces must have even length, except the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(u64);

impl Sum {
    /// Adds `bytes`, which start at an even offset of what is summed.
    #[inline]
    pub fn add(self, bytes: &[u8]) -> Self {
        // The sum may be formed in any byte order (RFC 1071, section 2 B), so 32 bits at a time in the order of the
        // machine; 2^32 additions would be needed to overflow 64 bits.
        let words = bytes.chunks_exact(4);
        let rest = words.remainder();
        let mut sum = self.0;
        for word in words {
            sum += u64::from(u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
        }
        let mut last = [0u8; 4];
        last[..rest.len()].copy_from_slice(rest);
        Sum(sum + u64::from(u32::from_ne_bytes(last)))
    }

    /// Adds one 16-bit word, given as number.
    #[inline]
    pub fn add_word(self, word: u16) -> Self {
        Sum(self.0 + u64::from(u16::from_ne_bytes(word.to_be_bytes())))
    }

    /// The folded sum as number (0xFFFF over data that contains its own checksum means that it is right).
    #[inline]
    pub fn fold(self) -> u16 {
        let mut sum = (self.0 & 0xFFFF_FFFF) + (self.0 >> 32);
        sum = (sum & 0xFFFF) + (sum >> 16);
        sum = (sum & 0xFFFF) + (sum >> 16);
        sum = (sum & 0xFFFF) + (sum >> 16);
        u16::from_be_bytes((sum as u16).to_ne_bytes())
    }

    /// The checksum: the complement of the folded sum.
    #[inline]
    pub fn checksum(self) -> u16 {
        !self.fold()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, word by word.
    fn slow(bytes: &[u8]) -> u16 {
        let mut sum = 0u32;
        for pair in bytes.chunks(2) {
            sum += u32::from(u16::from_be_bytes([pair[0], *pair.get(1).unwrap_or(&0)]));
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        sum as u16
    }

    #[test]
    fn the_example_of_rfc_1071() {
        let bytes = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(Sum::default().add(&bytes).fold(), 0xddf2);
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(bytes in proptest::collection::vec(any::<u8>(), 0..300), cut in 0usize..150) {
            let cut = (cut * 2).min(bytes.len() & !1);
            let sum = Sum::default().add(&bytes[..cut]).add(&bytes[cut..]);
            prop_assert_eq!(sum.fold(), slow(&bytes));
            prop_assert_eq!(sum.checksum(), !slow(&bytes));
        }

        #[test]
        fn a_word_is_two_bytes(word: u16) {
            prop_assert_eq!(Sum::default().add_word(word), Sum::default().add(&word.to_be_bytes()));
        }
    }
}

//! Bit ranges as the data sheet writes them: `"25"`, `"31:20"`.

use std::fmt;

use serde::{Deserialize, Deserializer, de::Error as _};

/// Bits `high` to `low`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Highest bit.
    pub high: u8,
    /// Lowest bit.
    pub low: u8,
}

impl Bits {
    /// Reads `"25"` or `"31:20"`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("bits `{text}`: want `\"HIGH:LOW\"` or `\"BIT\"` with 63 >= HIGH >= LOW");
        let (high, low) = text.split_once(':').unwrap_or((text, text));
        let number = |part: &str| part.parse::<u8>().map_err(|_| wrong());
        let bits = Bits { high: number(high)?, low: number(low)? };
        if bits.high > 63 || bits.high < bits.low { Err(wrong()) } else { Ok(bits) }
    }

    /// Number of bits.
    pub fn width(self) -> u8 {
        self.high - self.low + 1
    }

    /// Ones at these bits.
    pub fn mask(self) -> u64 {
        (u64::MAX >> (64 - u32::from(self.width()))) << self.low
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.high == self.low {
            write!(f, "{}", self.low)
        } else {
            write!(f, "{}:{}", self.high, self.low)
        }
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Bits::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_spellings() {
        assert_eq!(Bits::parse("25").unwrap(), Bits { high: 25, low: 25 });
        assert_eq!(Bits::parse("31:20").unwrap().mask(), 0xFFF0_0000);
        assert_eq!(Bits::parse("63:0").unwrap().mask(), u64::MAX);
    }

    #[test]
    fn refuses_what_is_no_range() {
        for text in ["", "a", "3:5", "64", "5:-1", "1:2:3"] {
            assert!(Bits::parse(text).is_err(), "{text}");
        }
    }
}

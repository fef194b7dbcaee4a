//! Numbers in either byte order.

/// Byte order of a file or section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    /// Reads two bytes at `offset`; `None` past the end.
    pub(super) fn u16(self, bytes: &[u8], offset: usize) -> Option<u16> {
        let word = *bytes.get(offset..)?.first_chunk()?;
        Some(match self {
            Order::Little => u16::from_le_bytes(word),
            Order::Big => u16::from_be_bytes(word),
        })
    }

    /// Reads four bytes at `offset`; `None` past the end.
    pub(super) fn u32(self, bytes: &[u8], offset: usize) -> Option<u32> {
        let word = *bytes.get(offset..)?.first_chunk()?;
        Some(match self {
            Order::Little => u32::from_le_bytes(word),
            Order::Big => u32::from_be_bytes(word),
        })
    }

    /// Reads eight bytes at `offset`; `None` past the end.
    pub(super) fn u64(self, bytes: &[u8], offset: usize) -> Option<u64> {
        let word = *bytes.get(offset..)?.first_chunk()?;
        Some(match self {
            Order::Little => u64::from_le_bytes(word),
            Order::Big => u64::from_be_bytes(word),
        })
    }
}

//! The 16 bytes in front of every message, and reading numbers out of payloads.

use super::wire::{flags, header};

/// A 16-bit number at byte `at`; the caller has checked the length.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_ne_bytes([bytes[at], bytes[at + 1]])
}

/// A 32-bit number at byte `at`; the caller has checked the length.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

/// A 64-bit number at byte `at`; the caller has checked the length.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

/// Header of a message from the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Echoed in the reply.
    pub id: u16,
    /// Echoed in the reply.
    pub command: u16,
    /// Of the whole message, this header included.
    pub size: u32,
    /// Type, NO_REPLY, ERROR.
    pub flags: u32,
}

impl Header {
    pub fn parse(bytes: &[u8; header::BYTES]) -> Self {
        Header {
            id: u16_at(bytes, header::ID),
            command: u16_at(bytes, header::COMMAND),
            size: u32_at(bytes, header::SIZE),
            flags: u32_at(bytes, header::FLAGS),
        }
    }

    /// Bits 0 to 3: 0 is a command, 1 a reply.
    pub fn kind(&self) -> u32 {
        self.flags & flags::TYPE_MASK
    }

    pub fn wants_reply(&self) -> bool {
        self.flags & flags::NO_REPLY == 0
    }

    /// Header of the reply with `size` bytes in all; `errno` is 0 in a good one.
    pub fn reply(&self, size: usize, errno: i32) -> [u8; header::BYTES] {
        let error = if errno == 0 { 0 } else { flags::ERROR };
        let mut bytes = [0; header::BYTES];
        bytes[header::ID..][..2].copy_from_slice(&self.id.to_ne_bytes());
        bytes[header::COMMAND..][..2].copy_from_slice(&self.command.to_ne_bytes());
        bytes[header::SIZE..][..4].copy_from_slice(&(size as u32).to_ne_bytes());
        bytes[header::FLAGS..][..4].copy_from_slice(&(flags::REPLY | error).to_ne_bytes());
        bytes[header::ERRNO..][..4].copy_from_slice(&errno.to_ne_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reply_has_the_bytes_of_the_protocol_text() {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&[7, 0, 2, 0, 0x30, 0, 0, 0]);
        let header = Header::parse(&bytes);
        assert_eq!(header, Header { id: 7, command: 2, size: 48, flags: 0 });
        let reply = [7, 0, 2, 0, 0x10, 0, 0, 0, 0x21, 0, 0, 0, 0x11, 0, 0, 0];
        assert_eq!(header.reply(16, 17), reply);
    }
}

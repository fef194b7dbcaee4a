//! What can go wrong, with the cause and the remedy in the message.

use std::time::Duration;

/// The result of anything that touches a device.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a device could not be opened or used. Empty and full queues are results, not errors.
///
/// Every message is one line that names the cause and, where there is one, the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A register did not take the awaited value before the deadline.
    #[error("{register}: bits {mask:#010x} did not become {value:#010x} within {waited:?}")]
    Timeout {
        /// The register by its data-sheet name, with its index: `RXDCTL[3]`.
        register: String,
        /// The bits that were watched.
        mask: u32,
        /// The value that was awaited in those bits.
        value: u32,
        /// How long was waited.
        waited: Duration,
    },
    /// There is no device (or nothing that speaks vfio-user) at the address.
    #[error("no device at {address}: {reason}")]
    NoSuchDevice {
        /// The address as it was given.
        address: String,
        /// What was found instead, and what to do.
        reason: String,
    },
    /// The device exists, but this process may not have it, or somebody else has it.
    #[error("{what}; {remedy}")]
    PermissionDenied {
        /// What was refused.
        what: String,
        /// What to do about it.
        remedy: String,
    },
    /// The device, or what was asked of it, is not supported.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// DMA memory or a pool cannot hold what was asked for.
    #[error("out of memory: {0}")]
    OutOfMemory(String),
    /// The device broke a rule or went away. The only thing left to do is to close it.
    #[error("device failed: {0}")]
    DeviceFailed(String),
}

impl Error {
    /// The variant's name, as the apps' JSON lines and the testee protocol spell it.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Timeout { .. } => "Timeout",
            Error::NoSuchDevice { .. } => "NoSuchDevice",
            Error::PermissionDenied { .. } => "PermissionDenied",
            Error::Unsupported(_) => "Unsupported",
            Error::OutOfMemory(_) => "OutOfMemory",
            Error::DeviceFailed(_) => "DeviceFailed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_names_register_mask_and_time() {
        let error = Error::Timeout {
            register: "RXDCTL[3]".into(),
            mask: 1 << 25,
            value: 1 << 25,
            waited: Duration::from_millis(1000),
        };
        let text = error.to_string();
        for part in ["RXDCTL[3]", "0x02000000", "1s"] {
            assert!(text.contains(part), "{text} lacks {part}");
        }
        assert_eq!(error.kind(), "Timeout");
    }
}

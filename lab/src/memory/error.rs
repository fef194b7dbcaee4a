//! Why memory cannot be mapped, for people and as the number that a client is told.

use rustix::io::Errno;

use super::MAX_MAPPINGS;

/// Why memory could not be mapped or unmapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// IOVA, size or file offset is not a multiple of [`PAGE`](super::PAGE), or the size is 0.
    #[error(
        "IOVA {iova:#x}, size {size:#x} and file offset {offset:#x} must be multiples of 4096, and size not 0"
    )]
    Unaligned {
        /// Start as I/O virtual address.
        iova: u64,
        /// Bytes.
        size: u64,
        /// Start in the file.
        offset: u64,
    },
    /// The range passes the end of the address space.
    #[error("{size:#x} bytes from IOVA {iova:#x} pass the end of the address space")]
    Range {
        /// Start as I/O virtual address.
        iova: u64,
        /// Bytes.
        size: u64,
    },
    /// The mapping would allow the device neither to read nor to write.
    #[error("the mapping allows the device neither to read nor to write")]
    NoAccess,
    /// Part of the range is mapped already.
    #[error("{size:#x} bytes from IOVA {iova:#x} overlap an existing mapping")]
    Overlap {
        /// Start as I/O virtual address.
        iova: u64,
        /// Bytes.
        size: u64,
    },
    /// The client may truncate the file, which would kill this process.
    #[error("the file is not sealed against shrinking: make it with MFD_ALLOW_SEALING and add F_SEAL_SHRINK")]
    Unsealed,
    /// The file ends before the range does.
    #[error("the range ends at {end:#x} of the file, which has {length:#x} bytes")]
    PastEnd {
        /// End of the range, from the start of the file.
        end: u64,
        /// Bytes in the file.
        length: u64,
    },
    /// The table is full.
    #[error("{MAX_MAPPINGS} mappings exist already")]
    TooMany,
    /// No mapping has exactly this range.
    #[error("no mapping has exactly {size:#x} bytes from IOVA {iova:#x}")]
    NotMapped {
        /// Start as I/O virtual address.
        iova: u64,
        /// Bytes.
        size: u64,
    },
    /// The operating system refused.
    #[error("the file cannot be mapped: {0}")]
    System(#[from] Errno),
}

impl MapError {
    /// The number that tells a client of this error.
    pub fn errno(&self) -> Errno {
        match self {
            MapError::Overlap { .. } => Errno::EXIST,
            MapError::NotMapped { .. } => Errno::NOENT,
            MapError::TooMany => Errno::NOSPC,
            MapError::Unsealed => Errno::PERM,
            MapError::System(errno) => *errno,
            _ => Errno::INVAL,
        }
    }
}

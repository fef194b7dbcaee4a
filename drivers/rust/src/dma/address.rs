//! Where the device sees the memory.

use super::DmaMemory;

/// I/O addresses are only promised to follow each other within so many bytes: the size of a hugepage.
pub(super) const EXTENT: usize = 2 << 20;

/// A stretch of a memory whose I/O addresses follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Where it begins, in bytes from the start of the memory and of its file.
    pub offset: usize,
    /// I/O address of its first byte.
    pub iova: u64,
    /// Its length.
    pub bytes: usize,
}

/// The I/O addresses of a memory: those of its extents, or none if all of it is contiguous from
/// [`DmaMemory::IOVA`] on.
///
/// This is on the path of every packet. A table for all would cost a load and a bounds check each time, for memory
/// that has no need of it: that of an IOMMU or of a socket. So the table is empty there, and an address is one addition
/// behind a test that loops do once or that is always predicted.
#[derive(Clone, Copy)]
pub(super) struct Addresses<'a>(pub(super) &'a [u64]);

impl<'a> Addresses<'a> {
    /// The I/O address of the byte at `offset`.
    #[inline(always)]
    pub(super) fn iova(self, offset: usize) -> u64 {
        if self.0.is_empty() {
            DmaMemory::IOVA + offset as u64
        } else {
            self.0[offset / EXTENT] + (offset % EXTENT) as u64
        }
    }

    /// True if a device can follow its addresses from `offset` for `bytes` bytes.
    pub(super) fn are_contiguous(self, offset: usize, bytes: usize) -> bool {
        self.0.is_empty() || offset / EXTENT == (offset + bytes.max(1) - 1) / EXTENT
    }

    /// How far from any multiple of itself a piece may reach.
    pub(super) fn extent(self) -> usize {
        if self.0.is_empty() { usize::MAX } else { EXTENT }
    }

    /// The runs of a memory of `length` bytes, in order.
    pub(super) fn runs(self, length: usize) -> Vec<Run> {
        if self.0.is_empty() {
            return vec![Run { offset: 0, iova: DmaMemory::IOVA, bytes: length }];
        }
        let neighbours = |one: &u64, next: &u64| one.checked_add(EXTENT as u64) == Some(*next);
        let mut offset = 0;
        let run = |extents: &[u64]| {
            let run = Run { offset, iova: extents[0], bytes: extents.len() * EXTENT };
            offset += run.bytes;
            run
        };
        self.0.chunk_by(neighbours).map(run).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguous_memory_is_one_run() {
        let addresses = Addresses(&[]);
        assert_eq!(addresses.iova(5 << 20), DmaMemory::IOVA + (5 << 20));
        assert_eq!(addresses.runs(4096), [Run { offset: 0, iova: DmaMemory::IOVA, bytes: 4096 }]);
        assert!(addresses.are_contiguous(EXTENT - 1, EXTENT));
    }

    #[test]
    fn neighbouring_hugepages_are_one_run() {
        let extents = [0x4000_0000, 0x4020_0000, 0x1000_0000, 0x4040_0000];
        let addresses = Addresses(&extents);
        assert_eq!(addresses.iova(EXTENT + 5), 0x4020_0005);
        assert_eq!(addresses.iova(3 * EXTENT - 1), 0x101F_FFFF);
        let runs = [(0, 0x4000_0000, 2), (2, 0x1000_0000, 1), (3, 0x4040_0000, 1)];
        let runs = runs.map(|(at, iova, extents)| Run { offset: at * EXTENT, iova, bytes: extents * EXTENT });
        assert_eq!(addresses.runs(4 * EXTENT), runs);
        assert!(addresses.are_contiguous(EXTENT, EXTENT));
        assert!(!addresses.are_contiguous(EXTENT - 1, 2));
    }
}

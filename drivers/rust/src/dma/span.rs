//! Pieces of DMA memory for rings.

use std::sync::atomic::AtomicU64;

use super::{DmaMemory, fetch};

/// A piece of DMA memory for a ring. Given back on drop: the device must be done with it by then.
pub(crate) struct DmaSpan {
    pub(super) memory: DmaMemory,
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl DmaSpan {
    /// The I/O address of the first byte.
    pub(crate) fn iova(&self) -> u64 {
        self.memory.addresses().iova(self.offset)
    }

    /// The span as 16-byte descriptors.
    #[inline(always)]
    pub(crate) fn descriptors(&self) -> &[[AtomicU64; 2]] {
        // SAFETY: needed to see mapped memory as atomics, which is how memory that the device writes at any time may
        // be seen. The range is in bounds and aligned to at least 16 (`DmaMemory::span`), disjoint from everything
        // else, and the memory it lies in lives as long as `self`.
        unsafe {
            let base = self.memory.0.mapping.base.as_ptr().add(self.offset);
            std::slice::from_raw_parts(base.cast::<[AtomicU64; 2]>(), self.length / 16)
        }
    }

    /// Has the line of a descriptor brought; see [`fetch`].
    #[inline(always)]
    pub(crate) fn fetch(&self, descriptor: u32) {
        let words: *const [AtomicU64; 2] = &self.descriptors()[descriptor as usize];
        fetch::to_write(words.cast());
    }

    /// The span as 64-bit words.
    pub(super) fn words(&self) -> &[AtomicU64] {
        self.descriptors().as_flattened()
    }
}

impl Drop for DmaSpan {
    fn drop(&mut self) {
        self.memory.free().give_back(self.offset, self.length);
    }
}

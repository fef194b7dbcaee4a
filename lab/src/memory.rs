//! The driver's DMA memory as the NIC sees it: what the client has mapped, and nothing else.
//!
//! The client hands over a file (a sealed memfd) and says at which I/O virtual address a part of it is to appear.
//! The file is mapped shared, so that both sides see the same bytes. Every access is checked against the table
//! first; one that no mapping covers is a [`DmaFault`], never a stray load or store.
//!
//! The client runs at the same time and may change any byte at any moment. Therefore nothing here ever hands out a
//! reference into the shared bytes: they are copied in and out, or loaded and stored as one word.
//!
//! Two ways in which a client could kill the process by SIGBUS are closed when it maps: a range past the end of the
//! file is refused, and so is a file that could be truncated later (`F_SEAL_SHRINK` must be set).

use std::cell::Cell;
use std::os::fd::AsFd;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering, fence};

pub use self::backing::{Backing, Grid, Run};
pub use self::error::MapError;
pub use self::mapping::Prot;
use self::mapping::{Mapping, Window, check_file};
pub use self::recent::Recent;

mod backing;
mod error;
mod mapping;
mod recent;
#[cfg(test)]
mod tests;

/// Addresses, sizes and file offsets of mappings are multiples of this, as an IOMMU demands.
pub const PAGE: u64 = 4096;

/// Mappings a client may have at one time. Each is one of the 65530 areas that Linux gives a process.
pub const MAX_MAPPINGS: usize = 8192;

/// A DMA access that no mapping covers (or whose mapping forbids it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DmaFault {
    /// First byte of the access, as I/O virtual address.
    pub iova: u64,
    /// Bytes of the access.
    pub length: usize,
    /// The device wanted to write.
    pub write: bool,
}

/// The table of what the client has mapped.
#[derive(Debug)]
pub struct ClientMemory {
    /// Sorted by IOVA, never overlapping.
    mappings: Vec<Mapping>,
    /// The window of the last hit. A driver has one DMA memory, so this is nearly always right.
    last: Cell<Window>,
    /// Where to look for what is not mapped.
    backing: Option<Box<dyn Backing>>,
    /// Of the backing.
    grid: Option<Grid>,
}

// SAFETY: the pointers lead to shared mappings owned by this value, which any thread may use; nothing depends on the
// thread that made them. (It is not Sync: `last` is a Cell.)
unsafe impl Send for ClientMemory {}

impl Default for ClientMemory {
    fn default() -> Self {
        ClientMemory { mappings: Vec::new(), last: Cell::new(Window::EMPTY), backing: None, grid: None }
    }
}

impl ClientMemory {
    /// Makes `size` bytes at `offset` of `file` visible at `iova`. The file may be closed afterwards.
    ///
    /// # Errors
    ///
    /// Any [`MapError`] but `NotMapped`; the table is then unchanged.
    pub fn map(
        &mut self,
        file: impl AsFd,
        offset: u64,
        iova: u64,
        size: u64,
        prot: Prot,
    ) -> Result<(), MapError> {
        let file = file.as_fd();
        if size == 0 || !(iova | size | offset).is_multiple_of(PAGE) {
            return Err(MapError::Unaligned { iova, size, offset });
        }
        if prot == Prot::NONE {
            return Err(MapError::NoAccess);
        }
        let last = iova.checked_add(size - 1).ok_or(MapError::Range { iova, size })?;
        let place = self.mappings.partition_point(|m| m.window.iova <= last);
        let before = place.checked_sub(1).map(|at| &self.mappings[at].window);
        if before.is_some_and(|w| w.iova + (w.size - 1) >= iova) {
            return Err(MapError::Overlap { iova, size });
        }
        if self.mappings.len() >= MAX_MAPPINGS {
            return Err(MapError::TooMany);
        }
        let block = check_file(file, offset, size)?;
        let mapping = Mapping::new(file, block, offset, iova, size, prot)?;
        self.mappings.insert(place, mapping);
        Ok(())
    }

    /// Removes the mapping that has exactly this range.
    ///
    /// # Errors
    ///
    /// [`MapError::NotMapped`] if there is none.
    pub fn unmap(&mut self, iova: u64, size: u64) -> Result<(), MapError> {
        let found = self.mappings.binary_search_by_key(&iova, |m| m.window.iova);
        match found {
            Ok(at) if self.mappings[at].window.size == size => {
                self.last.set(Window::EMPTY);
                self.mappings.remove(at);
                Ok(())
            }
            _ => Err(MapError::NotMapped { iova, size }),
        }
    }

    /// Removes every mapping.
    pub fn clear(&mut self) {
        self.last.set(Window::EMPTY);
        self.mappings.clear();
        if let Some(backing) = &mut self.backing {
            backing.forget();
        }
    }

    /// From now on the device reaches what `backing` finds, besides what is mapped.
    pub fn set_backing(&mut self, backing: Box<dyn Backing>) {
        self.last.set(Window::EMPTY);
        self.grid = backing.grid();
        self.backing = Some(backing);
    }

    /// What is mapped, as (IOVA, bytes), in the order of IOVAs.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        self.mappings.iter().map(|m| (m.window.iova, m.window.size))
    }

    /// Whether the device may read (or write) all `length` bytes from `iova`.
    ///
    /// # Errors
    ///
    /// The fault that such an access would be.
    pub fn check(&self, iova: u64, length: usize, write: bool) -> Result<(), DmaFault> {
        let wanted = if write { Prot::WRITE } else { Prot::READ };
        if length == 0 || self.locate(iova, length, wanted).is_some() {
            return Ok(());
        }
        self.for_pieces(iova, length, wanted, |_, _| ())
    }

    /// Reads `data.len()` bytes from `iova`. The range may run on from one mapping into an adjacent one.
    ///
    /// # Errors
    ///
    /// A fault if any byte of the range is not readable; `data` may then be partly filled.
    #[inline]
    pub fn read(&self, iova: u64, data: &mut [u8]) -> Result<(), DmaFault> {
        match self.locate(iova, data.len(), Prot::READ) {
            Some(source) => {
                // SAFETY: `locate` found `data.len()` readable bytes at `source`. They are not part of any Rust
                // object, so they do not overlap `data`; if the client changes them meanwhile, the copy holds some
                // mixture, which any bytes are.
                unsafe { ptr::copy_nonoverlapping(source, data.as_mut_ptr(), data.len()) };
                Ok(())
            }
            None => self.read_pieces(iova, data),
        }
    }

    /// Writes `data` to `iova`. The range may run on from one mapping into an adjacent one.
    ///
    /// # Errors
    ///
    /// A fault if any byte of the range is not writable; nothing is written before that was found.
    #[inline]
    pub fn write(&self, iova: u64, data: &[u8]) -> Result<(), DmaFault> {
        match self.locate(iova, data.len(), Prot::WRITE) {
            Some(target) => {
                // SAFETY: `locate` found `data.len()` writable bytes at `target`, shared memory outside of any Rust
                // object, so `data` does not overlap it.
                unsafe { ptr::copy_nonoverlapping(data.as_ptr(), target, data.len()) };
                Ok(())
            }
            None => self.write_pieces(iova, data),
        }
    }

    /// Reads a little-endian word; `iova` need not be aligned.
    ///
    /// # Errors
    ///
    /// A fault if any of the 8 bytes is not readable.
    #[inline]
    pub fn read_u64(&self, iova: u64) -> Result<u64, DmaFault> {
        let mut bytes = [0; 8];
        self.read(iova, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads a little-endian word before anything that follows. At an aligned `iova` it is one load.
    ///
    /// # Errors
    ///
    /// A fault if any of the 8 bytes is not readable.
    #[inline(always)]
    pub fn load_u64_acquire(&self, iova: u64) -> Result<u64, DmaFault> {
        match self.locate_word(iova, Prot::READ) {
            Some(word) => {
                // SAFETY: `locate_word` found 8 readable, aligned bytes of shared memory, which live on during this
                // call; atomic operations are how two processes may share them.
                Ok(u64::from_le(unsafe { AtomicU64::from_ptr(word) }.load(Ordering::Acquire)))
            }
            None => self.load_unaligned(iova),
        }
    }

    #[cold]
    fn load_unaligned(&self, iova: u64) -> Result<u64, DmaFault> {
        let value = self.read_u64(iova);
        fence(Ordering::Acquire);
        value
    }

    /// Writes a little-endian word after everything before. At an aligned `iova` it is one store.
    ///
    /// # Errors
    ///
    /// A fault if any of the 8 bytes is not writable; nothing is written.
    #[inline(always)]
    pub fn store_u64_release(&self, iova: u64, value: u64) -> Result<(), DmaFault> {
        match self.locate_word(iova, Prot::WRITE) {
            Some(word) => {
                // SAFETY: as in `load_u64_acquire`, and the mapping is writable.
                unsafe { AtomicU64::from_ptr(word) }.store(value.to_le(), Ordering::Release);
                Ok(())
            }
            None => self.store_unaligned(iova, value),
        }
    }

    #[cold]
    fn store_unaligned(&self, iova: u64, value: u64) -> Result<(), DmaFault> {
        fence(Ordering::Release);
        self.write(iova, &value.to_le_bytes())
    }

    /// The mapping that was used last, for many accesses in a row.
    #[inline]
    pub fn recent(&self) -> Recent<'_> {
        Recent::new(self.last.get(), self.grid)
    }

    /// Where 8 bytes lie, if `iova` is aligned and one mapping holds them. Mappings begin at whole pages on both
    /// sides, so the pointer is aligned too.
    #[inline(always)]
    fn locate_word(&self, iova: u64, wanted: Prot) -> Option<*mut u64> {
        if !iova.is_multiple_of(8) {
            return None;
        }
        self.locate(iova, 8, wanted).map(|bytes| bytes.cast())
    }

    /// Where `length` bytes lie, if one mapping holds them all and allows `wanted`.
    #[inline(always)]
    fn locate(&self, iova: u64, length: usize, wanted: Prot) -> Option<*mut u8> {
        if length == 0 {
            return None;
        }
        match self.last.get().locate(iova, length, wanted) {
            None => match self.grid.and_then(|grid| grid.locate(iova, length)) {
                None => self.find(iova)?.locate(iova, length, wanted),
                hit => hit,
            },
            hit => hit,
        }
    }

    /// The window that holds `iova`, and remembers it.
    #[cold]
    fn find(&self, iova: u64) -> Option<Window> {
        let place = self.mappings.partition_point(|m| m.window.iova <= iova);
        let before = place.checked_sub(1).map(|at| self.mappings[at].window);
        let mapped = before.filter(|window| iova - window.iova < window.size);
        let window = mapped.or_else(|| Some(self.backing.as_ref()?.locate(iova)?.into()))?;
        self.last.set(window);
        Some(window)
    }

    /// Walks over a range that needs more than one mapping, calling `piece` with pointer and length of each part.
    #[cold]
    fn for_pieces(
        &self,
        iova: u64,
        length: usize,
        wanted: Prot,
        mut piece: impl FnMut(*mut u8, usize),
    ) -> Result<(), DmaFault> {
        let fault = DmaFault { iova, length, write: wanted == Prot::WRITE };
        let mut done = 0;
        while done < length {
            let at = iova.checked_add(done as u64).ok_or(fault)?;
            let window = self.find(at).ok_or(fault)?;
            let part = window.left(at, wanted).min((length - done) as u64) as usize;
            let pointer = window.locate(at, part.max(1), wanted).ok_or(fault)?;
            piece(pointer, part);
            done += part;
        }
        Ok(())
    }

    #[cold]
    fn read_pieces(&self, iova: u64, data: &mut [u8]) -> Result<(), DmaFault> {
        let mut rest = &mut *data;
        let length = rest.len();
        self.for_pieces(iova, length, Prot::READ, |source, part| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(part);
            // SAFETY: `for_pieces` gives `part` readable bytes of shared memory, and `now` has as many.
            unsafe { ptr::copy_nonoverlapping(source, now.as_mut_ptr(), part) };
            rest = later;
        })
    }

    #[cold]
    fn write_pieces(&self, iova: u64, data: &[u8]) -> Result<(), DmaFault> {
        self.for_pieces(iova, data.len(), Prot::WRITE, |_, _| ())?;
        let mut rest = data;
        self.for_pieces(iova, data.len(), Prot::WRITE, |target, part| {
            let (now, later) = rest.split_at(part);
            // SAFETY: `for_pieces` gives `part` writable bytes of shared memory, and `now` has as many.
            unsafe { ptr::copy_nonoverlapping(now.as_ptr(), target, part) };
            rest = later;
        })
    }
}

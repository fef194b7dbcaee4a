//! Memory that nobody has mapped for the device, but that it can reach all the same: that of a machine without an IOMMU.

use std::fmt::Debug;

use super::mapping::{Prot, Window};

/// A run of memory, and where it lies in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its first address, as the device sees it.
    pub iova: u64,
    /// Bytes.
    pub size: u64,
    /// Where it lies here; readable and writable.
    pub base: *mut u8,
}

impl From<Run> for Window {
    fn from(run: Run) -> Window {
        Window::new(run.iova, run.size, run.base, Prot::READ_WRITE)
    }
}

/// Finds memory by its address. Asked when no mapping covers an address.
///
/// # Safety
///
/// All `size` bytes from `base` of a run are mapped in this process, readable and writable, outside of any Rust object, and
/// stay so until [`forget`](Backing::forget) is called or the backing is dropped.
pub unsafe trait Backing: Debug + Send {
    /// The run of memory around `iova`; `None` if there is none.
    fn locate(&self, iova: u64) -> Option<Run>;

    /// The driver is gone: no run that was given out will be used again.
    fn forget(&mut self);
}

//! What [`serve`](crate::serve) needs of a device model, whatever the device is.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::io::Errno;

use crate::clock::Nanos;
use crate::memory::ClientMemory;

/// A region of a PCI function, by VFIO index (0 to 5 BARs, 7 config space).
#[derive(Clone, Copy, Debug, Default)]
pub struct Region {
    /// Bytes; 0 means that the region is absent.
    pub size: u64,
    /// The driver may read.
    pub readable: bool,
    /// The driver may write.
    pub writable: bool,
}

/// A part of a region that the client may map and then access without the server noticing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// From the start of the region, page aligned. The same offset holds in the shared file.
    pub offset: u64,
    /// Bytes, whole pages.
    pub size: u64,
}

/// How soon a driver may want an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attention {
    /// Nothing is known of.
    #[default]
    Relaxed,
    /// Soon: within some microseconds of its next store.
    Alert,
    /// Now: it is at it.
    Keen,
}

/// A PCI function that can be served to a driver.
pub trait Device: Send {
    /// The regions, by VFIO index.
    fn regions(&self) -> &[Region];

    /// File and areas of `region` that a client may map; `None` if every access is trapped.
    fn mappable(&self, region: u32) -> Option<(BorrowedFd<'_>, &[Area])>;

    /// Number of vectors of interrupt kind `index` (2 is MSI-X); 0 if the kind is absent.
    fn vectors(&self, index: u32) -> u32;

    /// A trapped read of `data.len()` bytes.
    fn read(&mut self, region: u32, offset: u64, data: &mut [u8]) -> Result<(), Errno>;

    /// A trapped write.
    fn write(&mut self, region: u32, offset: u64, data: &[u8]) -> Result<(), Errno>;

    /// Binds (or, with `None`, unbinds) the eventfd of one vector.
    fn bind_vector(&mut self, index: u32, vector: u32, eventfd: Option<OwnedFd>) -> Result<(), Errno>;

    /// Fires a vector by hand.
    fn trigger(&mut self, index: u32, vector: u32) -> Result<(), Errno>;

    /// Function level reset.
    fn reset(&mut self);

    /// The client's DMA mappings. The server adds and removes; the device translates.
    fn memory(&mut self) -> &mut ClientMemory;

    /// A message is about to be acted on: take note of everything the client has stored in the mapped pages until
    /// now, so that a message and a store before it are seen in their order.
    fn synchronise(&mut self) {}

    /// Everything that the client has stored until now takes effect, and whatever it may load is what the device would
    /// answer now. For those who have to know that nothing is under way; it takes longer than a round.
    fn settle(&mut self) {
        self.synchronise();
    }

    /// The configuration space is plain memory too, and everything that the client has stored there until now was written to
    /// [`region`](Device::write) 7.
    fn config_is_known(&mut self) {}

    /// The function is in its slot again after it was pulled out: whatever was put into its shared memory meanwhile, by
    /// whomever, is to be forgotten.
    fn plugged_in(&mut self) {}

    /// The client has mapped (or, with `mapped` false, has just unmapped) DMA memory. Nothing that the device keeps
    /// of unmapped memory may be used any more.
    fn memory_changed(&mut self, _iova: u64, _size: u64, _mapped: bool) {}

    /// Registers of BAR0, as offsets, of which a device in plain memory wants to know when they are accessed; at most four,
    /// as many as a processor can watch.
    fn watched(&self) -> &'static [u32] {
        &[]
    }

    /// The driver was seen to load from or store to the watched register at `offset`, a short while ago.
    fn access_noticed(&mut self, _offset: u32) {}

    /// How soon the device has to be polled again although it has nothing to do.
    fn attention(&self) -> Attention {
        Attention::Relaxed
    }

    /// The device wants its client cut off (a fault that somebody ordered). Asked in every poll of the socket;
    /// a `true` is given once.
    fn hangs_up(&mut self) -> bool {
        false
    }

    /// A client has connected.
    fn attached(&mut self);

    /// The client has left or died: stop all DMA. Its mappings and eventfds are removed by the server afterwards.
    fn detached(&mut self);

    /// One round of work: doorbells, wires, timers. Returns how much was done; 0 lets the poller back off.
    fn poll(&mut self, now: Nanos) -> usize;
}

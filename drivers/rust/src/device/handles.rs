//! The parts of a device that can go to other threads.

use std::sync::Arc;

use super::{Driver, Link, Receive, Stats, Transmit};
use crate::bus::Way;
use crate::error::Result;
use crate::packet::{Batch, Pool};

/// One receive queue. May be used on any thread, by one at a time.
pub struct RxQueue(pub(super) Box<dyn Receive>);

impl RxQueue {
    /// See [`Device::receive`](super::Device::receive).
    ///
    /// # Errors
    /// Those of [`Device::receive`](super::Device::receive).
    #[inline]
    pub fn receive(&mut self, batch: &mut Batch) -> Result<usize> {
        self.0.receive(batch, usize::MAX)
    }

    /// Like [`RxQueue::receive`], but takes at most `packets` packets.
    ///
    /// # Errors
    /// Those of [`Device::receive`](super::Device::receive).
    pub fn receive_at_most(&mut self, batch: &mut Batch, packets: usize) -> Result<usize> {
        self.0.receive(batch, packets)
    }
}

/// One transmit queue. May be used on any thread, by one at a time.
pub struct TxQueue(pub(super) Box<dyn Transmit>);

impl TxQueue {
    /// See [`Device::transmit`](super::Device::transmit).
    ///
    /// # Errors
    /// Those of [`Device::transmit`](super::Device::transmit).
    #[inline]
    pub fn transmit(&mut self, batch: &mut Batch) -> Result<usize> {
        self.0.transmit(batch)
    }

    /// Gives packets that have been sent back to their pools, and returns how many descriptors they had.
    /// [`TxQueue::transmit`] does this too.
    pub fn reclaim(&mut self) -> usize {
        self.0.reclaim()
    }
}

/// Everything about a device but its packets. May be used on any thread, while the queues are used on others.
pub struct Control {
    pub(super) driver: Arc<dyn Driver>,
    pub(super) pool: Pool,
}

impl Control {
    /// The device's own Ethernet address.
    pub fn mac(&self) -> [u8; 6] {
        self.driver.mac()
    }

    /// The address that the device was opened by.
    pub fn address(&self) -> &str {
        self.driver.function().address()
    }

    /// How the device is reached.
    pub fn way(&self) -> Way {
        self.driver.function().way()
    }

    /// The device's pool.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Reads the counters. The device clears them by this; the sums since `open` are kept here.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`](crate::Error::DeviceFailed).
    pub fn stats(&self) -> Result<Stats> {
        self.driver.stats()
    }

    /// Reads the state of the link.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`](crate::Error::DeviceFailed).
    pub fn link(&self) -> Result<Link> {
        self.driver.link()
    }

    /// Turns promiscuous mode on or off. Reception stops for a moment. [82599 8.2.3.7.1]
    ///
    /// # Errors
    /// [`Error::Timeout`](crate::Error::Timeout), [`Error::DeviceFailed`](crate::Error::DeviceFailed).
    pub fn set_promiscuous(&self, on: bool) -> Result<()> {
        self.driver.set_promiscuous(on)
    }

    /// Looks whether the device is still there. `receive` and `transmit` do this by themselves every 20 ms or so when
    /// nothing moves.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`](crate::Error::DeviceFailed) if it is gone.
    pub fn check(&self) -> Result<()> {
        self.driver.function().check()
    }
}

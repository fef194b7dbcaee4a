//! What a driver for one kind of device has to do.

use std::sync::Arc;

use super::{Link, Stats};
use crate::bus::Function;
use crate::error::Result;
use crate::packet::{Batch, Pool};

/// What a driver does for the device as a whole.
pub(crate) trait Driver: Send + Sync {
    fn mac(&self) -> [u8; 6];
    fn stats(&self) -> Result<Stats>;
    fn link(&self) -> Result<Link>;
    fn set_promiscuous(&self, on: bool) -> Result<()>;
    fn function(&self) -> &dyn Function;
    /// Stops all DMA and gives everything back. The second call does nothing.
    fn close(&self) -> Result<()>;
}

/// What a driver does for one receive queue.
pub(crate) trait Receive: Send {
    fn receive(&mut self, batch: &mut Batch, limit: usize) -> Result<usize>;
    fn slots_of(&self, pool: &Pool) -> usize;
}

/// What a driver does for one transmit queue.
pub(crate) trait Transmit: Send {
    fn transmit(&mut self, batch: &mut Batch) -> Result<usize>;
    /// Takes back what has been sent; returns how many descriptors that were.
    fn reclaim(&mut self) -> usize;
    fn used(&self) -> usize;
    fn slots_of(&self, pool: &Pool) -> usize;
}

/// What a driver's `open` returns.
pub(crate) struct Parts {
    pub(crate) driver: Arc<dyn Driver>,
    pub(crate) pool: Pool,
    pub(crate) rx: Vec<Box<dyn Receive>>,
    pub(crate) tx: Vec<Box<dyn Transmit>>,
}

// device · no source: this is ours
// The verbs as one struct and three handles; what is behind them is a trait object per queue, called once a batch.

//! Devices: open, receive, transmit, stats, close.

mod driver;
mod handles;
mod types;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bus::{self, Function};
use crate::dma::DmaMemory;
use crate::error::{Error, Result};
use crate::ixgbe;
use crate::packet::{Batch, Pool};
pub(crate) use driver::{Driver, Parts, Receive, Transmit};
pub use handles::{Control, RxQueue, TxQueue};
pub use types::{Config, Link, RingSlots, Stats};

/// An open device. Closed when dropped; [`Device::close`] tells whether that went well.
pub struct Device {
    // The queues come first: they are dropped before the last handle of the device.
    rx: Vec<RxQueue>,
    tx: Vec<TxQueue>,
    control: Control,
}

impl Device {
    /// Opens the device at `address` with packets in `memory`.
    ///
    /// The address says how the device is reached (`unix:/path` for vfio-user, see [`bus`]). The device is
    /// reset, so whatever state it was in does not matter.
    ///
    /// # Errors
    /// [`Error::NoSuchDevice`], [`Error::PermissionDenied`] and [`Error::Unsupported`] as the address, the device and
    /// `config` deserve; [`Error::OutOfMemory`] if `memory` cannot hold the rings and the pool, or the pool cannot
    /// fill the receive rings; [`Error::Timeout`] if the device or the link does not come up. After an error nothing
    /// is left behind.
    pub fn open(address: &str, memory: &DmaMemory, config: &Config) -> Result<Device> {
        Device::open_on(bus::open(address)?, memory, config)
    }

    /// Opens the device behind `function`, for ways of reaching a device that are not built in.
    ///
    /// # Errors
    /// Those of [`Device::open`].
    pub fn open_on(function: Arc<dyn Function>, memory: &DmaMemory, config: &Config) -> Result<Device> {
        let (vendor, device) = bus::identity(&*function)?;
        if !ixgbe::supports(vendor, device) {
            let address = function.address();
            return Err(Error::Unsupported(format!(
                "{address} is a {vendor:04x}:{device:04x}, and there is only a driver for the Intel 82599"
            )));
        }
        let parts = ixgbe::open(function, memory, config)?;
        Ok(Device {
            rx: parts.rx.into_iter().map(RxQueue).collect(),
            tx: parts.tx.into_iter().map(TxQueue).collect(),
            control: Control { driver: parts.driver, pool: parts.pool },
        })
    }

    /// Takes what `queue` has received and appends it to `batch`, as far as it has room; returns the number of
    /// packets. 0 means that the queue is empty or the batch is full.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if there is no such queue or the batch is of another memory, [`Error::DeviceFailed`].
    #[inline]
    pub fn receive(&mut self, queue: u16, batch: &mut Batch) -> Result<usize> {
        self.rx_queue(queue)?.receive(batch)
    }

    /// Sends packets from the front of `batch` on `queue`, as many as the ring takes; the others stay in order.
    /// Returns the number of packets taken. An empty batch is fine: finished packets go back to their pools even so.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if there is no such queue or the batch is of another memory, [`Error::DeviceFailed`].
    #[inline]
    pub fn transmit(&mut self, queue: u16, batch: &mut Batch) -> Result<usize> {
        self.tx_queue(queue)?.transmit(batch)
    }

    /// A receive queue, by number from 0.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it was not opened.
    #[inline]
    pub fn rx_queue(&mut self, queue: u16) -> Result<&mut RxQueue> {
        let count = self.rx.len();
        self.rx.get_mut(usize::from(queue)).ok_or_else(|| no_queue("receive", queue, count))
    }

    /// A transmit queue, by number from 0.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if it was not opened.
    #[inline]
    pub fn tx_queue(&mut self, queue: u16) -> Result<&mut TxQueue> {
        let count = self.tx.len();
        self.tx.get_mut(usize::from(queue)).ok_or_else(|| no_queue("transmit", queue, count))
    }

    /// An empty batch of up to `capacity` slots for this device's packets.
    pub fn batch(&self, capacity: usize) -> Batch {
        Batch::new(self.control.pool.memory(), capacity)
    }

    /// How many slots of `pool` are in this device's rings, after taking back what was sent.
    pub fn slots_of(&mut self, pool: &Pool) -> RingSlots {
        self.reclaim();
        let rx = self.rx.iter().map(|queue| queue.0.slots_of(pool)).sum();
        let tx = self.tx.iter().map(|queue| queue.0.slots_of(pool)).sum();
        RingSlots { rx, tx }
    }

    /// Waits until everything that was transmitted is on the wire; false if it is not by `deadline`.
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    pub fn drain(&mut self, deadline: Duration) -> Result<bool> {
        let start = Instant::now();
        loop {
            let late = start.elapsed() >= deadline;
            self.reclaim();
            if self.tx.iter().all(|queue| queue.0.used() == 0) {
                return Ok(true);
            }
            if late {
                return Ok(false);
            }
            self.control.check()?;
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// Gives the packets that have been sent back to their pools; [`Device::transmit`] does this too.
    pub fn reclaim(&mut self) {
        for queue in &mut self.tx {
            queue.reclaim();
        }
    }

    /// The handle for everything but packets.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The device's own Ethernet address.
    pub fn mac(&self) -> [u8; 6] {
        self.control.mac()
    }

    /// See [`Control::stats`].
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    pub fn stats(&self) -> Result<Stats> {
        self.control.stats()
    }

    /// See [`Control::link`].
    ///
    /// # Errors
    /// [`Error::DeviceFailed`].
    pub fn link(&self) -> Result<Link> {
        self.control.link()
    }

    /// The device's pool.
    pub fn pool(&self) -> &Pool {
        self.control.pool()
    }

    /// Lends the parts of the device, so that each queue can go to a thread of its own for a while; see [`Device::split`]
    /// for taking them for good.
    pub fn queues(&mut self) -> (&Control, &mut [RxQueue], &mut [TxQueue]) {
        (&self.control, &mut self.rx, &mut self.tx)
    }

    /// Takes the device apart, so that each queue can go to a thread of its own.
    ///
    /// The device is closed when all parts are dropped; until then the packets in their rings stay there.
    ///
    /// ```no_run
    /// # fn main() -> ringway::Result<()> {
    /// # let memory = ringway::DmaMemory::new(32 << 20)?;
    /// let config = ringway::Config { rx_queues: 2, ..Default::default() };
    /// let device = ringway::Device::open("unix:/tmp/nic0", &memory, &config)?;
    /// let (control, rx, _tx) = device.split();
    /// std::thread::scope(|scope| {
    ///     for mut queue in rx {
    ///         let mut batch = ringway::Batch::new(&memory, 32);
    ///         scope.spawn(move || {
    ///             while queue.receive(&mut batch).is_ok() {
    ///                 batch.clear();
    ///             }
    ///         });
    ///     }
    ///     println!("{:?}", control.stats());
    /// });
    /// # Ok(()) }
    /// ```
    pub fn split(self) -> (Control, Vec<RxQueue>, Vec<TxQueue>) {
        (self.control, self.rx, self.tx)
    }

    /// Sends what is still in the transmit rings (for at most 500 ms: without a link it stays), stops the queues and all
    /// DMA, and gives everything back. Packets that are in batches stay valid. Dropping the device does the same.
    ///
    /// # Errors
    /// The first thing that went wrong. Everything is given back even so.
    pub fn close(self) -> Result<()> {
        let Device { rx, tx, control } = self;
        drop((rx, tx));
        control.driver.close()
    }
}

fn no_queue(kind: &str, queue: u16, count: usize) -> Error {
    Error::Unsupported(format!("{kind} queue {queue} of {count}"))
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rx, tx) = (self.rx.len(), self.tx.len());
        write!(f, "Device({}, {rx} receive and {tx} transmit queues)", self.control.address())
    }
}

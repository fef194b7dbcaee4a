//! The Intel 82599 10 GbE controller: everything that knows its registers and descriptors.
//!
//! Sections are those of the 82599 data sheet (331520), written as `82599:4.6.3`.

mod desc;
mod init;
#[rustfmt::skip]
mod regs;
mod rx;
mod stats;
#[cfg(test)]
mod tests;
mod tx;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bus::{self, Function, Watch};
use crate::device::{Config, Driver, Link, Parts, Receive, Stats, Transmit};
use crate::dma::{DmaMemory, DmaSpan, SLOT_BYTES, Slot};
use crate::error::{Error, Result};
use crate::mmio::{self, Mmio};
use crate::packet::{Pool, Returns};
use rx::RxQueue;
use stats::Totals;
use tx::TxQueue;

/// BAR 0 holds the registers.
const BAR0: u32 = bus::wire::region::BAR0;

/// The registers in use end below this.
const BAR0_BYTES: u64 = 0x2_0000;

const INTEL: u16 = bus::wire::pci_id::INTEL;
const MODELS: [u16; 2] = [bus::wire::pci_id::I82599_SFP, bus::wire::pci_id::I82599_BACKPLANE];

/// RSS tables have four bits for a queue. [82599:7.1.2.8]
const MAX_RX_QUEUES: u16 = 16;
/// All packets go through packet buffer 0, which 64 queues may feed. [82599:4.6.11.3.4]
const MAX_TX_QUEUES: u16 = 64;
/// Frames of 15.5 KiB are the longest. [82599:8.2.3.22.13]
const MAX_FRAME: u32 = 15872;
/// Up to two VLAN tags come on top of the longest frame.
const VLAN_TAGS: u32 = 8;
const FCS: u32 = 4;

/// A ring in DMA memory.
type Descriptors<'a> = &'a [[AtomicU64; 2]];

impl mmio::Register for regs::Register {
    #[inline(always)]
    fn offset(self) -> u32 {
        self.offset
    }
}

/// True if this driver is made for the device with these PCI ids.
pub(crate) fn supports(vendor: u16, device: u16) -> bool {
    vendor == INTEL && MODELS.contains(&device)
}

/// Opens the device for whoever uses it.
pub(crate) fn open(function: Arc<dyn Function>, memory: &DmaMemory, config: &Config) -> Result<Parts> {
    let (nic, rx, tx) = bring_up(function, memory, config)?;
    Ok(Parts {
        pool: nic.pool.clone(),
        rx: rx.into_iter().map(|queue| Box::new(queue) as Box<dyn Receive>).collect(),
        tx: tx.into_iter().map(|queue| Box::new(queue) as Box<dyn Transmit>).collect(),
        driver: nic,
    })
}

/// Brings the device up. After an error nothing is left behind: `Nic` closes on drop.
fn bring_up(
    function: Arc<dyn Function>,
    memory: &DmaMemory,
    config: &Config,
) -> Result<(Arc<Nic>, Vec<RxQueue>, Vec<TxQueue>)> {
    check(config)?;
    if function.size(BAR0) < BAR0_BYTES {
        return Err(Error::Unsupported(format!("an 82599 with {} bytes of registers", function.size(BAR0))));
    }
    function.claim(memory)?;
    bus::enable_memory(&*function)?;
    let mut nic = Nic::new(function, memory, config)?;
    nic.mac = init::reset_and_identify(&nic)?;
    nic.map()?;
    let nic = Arc::new(nic);
    let rx = (0..config.rx_queues).map(|n| RxQueue::new(&nic, n)).collect::<Result<Vec<_>>>()?;
    let tx = (0..config.tx_queues).map(|n| TxQueue::new(&nic, n)).collect::<Result<Vec<_>>>()?;
    init::start(&nic, &rx, &tx)?;
    Ok((nic, rx, tx))
}

/// Refuses what the device cannot do, before it is touched.
fn check(config: &Config) -> Result<()> {
    let refuse = |what: String| Err(Error::Unsupported(what));
    if !(1..=MAX_RX_QUEUES).contains(&config.rx_queues) {
        return refuse(format!("{} receive queues; 1 to {MAX_RX_QUEUES}", config.rx_queues));
    }
    if !(1..=MAX_TX_QUEUES).contains(&config.tx_queues) {
        return refuse(format!("{} transmit queues; 1 to {MAX_TX_QUEUES}", config.tx_queues));
    }
    if !config.ring_slots.is_multiple_of(8) || !(16..=8192).contains(&config.ring_slots) {
        return refuse(format!("rings of {} slots; multiples of 8 from 16 to 8192", config.ring_slots));
    }
    if !(64..=MAX_FRAME).contains(&config.max_frame) {
        return refuse(format!("frames of {} bytes; 64 to {MAX_FRAME}", config.max_frame));
    }
    let wanted = u32::from(config.rx_queues) * (config.ring_slots - 1);
    if config.pool_slots < wanted {
        let have = config.pool_slots;
        return Err(Error::OutOfMemory(format!("a pool of {have} slots for receive rings of {wanted}")));
    }
    Ok(())
}

/// One open device: what its queues and its control handle share.
struct Nic {
    regs: Mmio,
    function: Arc<dyn Function>,
    memory: DmaMemory,
    pool: Pool,
    config: Config,
    mac: [u8; 6],
    totals: Mutex<Totals>,
    /// Packets thrown away because their descriptors said the impossible.
    lies: AtomicU64,
    /// Rings whose queue handles are gone. The device may still use them until it is stopped.
    retired: Mutex<Vec<Retired>>,
    mapped: AtomicBool,
    closed: AtomicBool,
}

/// A ring without an owner: its memory and the slots in it.
struct Retired {
    _descriptors: Arc<DmaSpan>,
    slots: Box<[Option<Slot>]>,
}

impl Nic {
    fn new(function: Arc<dyn Function>, memory: &DmaMemory, config: &Config) -> Result<Nic> {
        Ok(Nic {
            regs: Mmio::new(function.clone(), BAR0),
            function,
            memory: memory.clone(),
            pool: Pool::new(memory, config.pool_slots)?,
            config: config.clone(),
            mac: [0; 6],
            totals: Mutex::default(),
            lies: AtomicU64::new(0),
            retired: Mutex::default(),
            mapped: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        })
    }

    /// Shows the device our memory. Only after its reset: before, it may still have addresses of another driver.
    fn map(&self) -> Result<()> {
        self.function.map_dma(&self.memory)?;
        self.mapped.store(true, Ordering::Relaxed);
        bus::enable_dma(&*self.function)
    }

    /// Most bytes of a packet in memory: the device strips the FCS and leaves VLAN tags.
    fn longest_packet(&self) -> usize {
        (self.config.max_frame - FCS + VLAN_TAGS) as usize
    }

    /// Most descriptors of a received packet.
    fn most_pieces(&self) -> usize {
        self.longest_packet().div_ceil(SLOT_BYTES)
    }

    fn watch(&self) -> Watch {
        Watch::new(self.function.clone())
    }

    /// Takes over the ring of a queue handle that is going away.
    fn retire(&self, ring: Retired) {
        self.retired().push(ring);
    }

    fn retired(&self) -> MutexGuard<'_, Vec<Retired>> {
        self.retired.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the memory away from the device; it does not touch any ring or slot after this.
    fn unmap(&self) -> Result<()> {
        if !self.mapped.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let disabled = bus::disable_dma(&*self.function);
        self.function.unmap_dma(&self.memory).and(disabled)
    }
}

impl Driver for Nic {
    fn mac(&self) -> [u8; 6] {
        self.mac
    }

    fn stats(&self) -> Result<Stats> {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.read(&self.regs, self.config.rx_queues)?;
        Ok(totals.stats(self.lies.load(Ordering::Relaxed)))
    }

    fn link(&self) -> Result<Link> {
        stats::link(&self.regs)
    }

    fn set_promiscuous(&self, on: bool) -> Result<()> {
        init::set_promiscuous(&self.regs, on)
    }

    fn function(&self) -> &dyn Function {
        &*self.function
    }

    fn close(&self) -> Result<()> {
        if self.closed.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        // A device that is gone has nothing to stop.
        let gone = self.function.check().is_err();
        let stopped = if gone { Ok(()) } else { init::stop(self) };
        if stopped.is_err() {
            // What the registers could not do the bus may: no queue must run on in memory that is given back.
            let _ = self.function.reset();
        }
        let unmapped = if gone { Ok(()) } else { self.unmap() };
        let mut returns = Returns::default();
        for mut ring in self.retired().drain(..) {
            returns.give_back(&self.memory, &mut ring.slots);
        }
        self.pool.close();
        stopped.and(unmapped)
    }
}

impl Drop for Nic {
    fn drop(&mut self) {
        // Whoever wants to know how it went calls `close`.
        let _ = self.close();
    }
}

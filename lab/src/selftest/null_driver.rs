//! The least that a driver can do to forward: move descriptors from one ring to the other, and tails.
//!
//! Both rings of a direction have the same length and run in step: what arrives in receive slot `n` leaves by transmit
//! slot `n`. Each slot owns two buffers that take turns, so that one can be filled while the other is being sent, and
//! nothing needs to be allocated or remembered.

use std::io;
use std::sync::atomic::Ordering;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::io::Errno;

use crate::clock::Nanos;
use crate::device::Device;
use crate::ixgbe::Nic;
use crate::ixgbe::regs::{self, Register, rx_writeback, tx_data, tx_writeback};
use crate::memory::{MapError, Prot};
use crate::shared::SharedWords;

/// Where the driver's memory begins for the NICs.
const IOVA: u64 = 0x1_0000_0000;
/// Bytes of the longest ring.
const RING: usize = 4096 * 16;
/// Bytes of BAR0.
const BAR: usize = 0x20000;
/// Bytes of a cache line.
const LINE: usize = 64;
/// Bytes of a buffer, at least: what drivers use for frames of usual length.
const SHORTEST_BUFFER: usize = 2112;
/// Completion is asked for once in so many transmit descriptors.
const REPORT_EVERY: u32 = 32;
/// The NIC gets this long for a reset and for its link.
const PATIENCE_NS: u64 = 1_000_000_000;

/// Why a NIC could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// Memory or a file was refused.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The NIC refused an access.
    #[error("an access was refused: {0}")]
    Access(#[from] Errno),
    /// The NIC refused the driver's memory.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The doorbells are not mapped.
    #[error("the doorbells cannot be mapped")]
    NoDoorbells,
    /// A register did not get to its value in time.
    #[error("{0} did not get ready within a second")]
    Timeout(Register),
}

/// One direction: from the receive ring of one NIC to the transmit ring of the other.
#[derive(Debug)]
struct Path {
    /// Rings and buffers in the driver's memory.
    rx_ring: usize,
    tx_ring: usize,
    buffers: usize,
    /// Bytes of each buffer: an odd number of cache lines, so that first lines spread over the cache's sets.
    stride: usize,
    slots: u32,
    /// Next slot of both rings, and which of its buffers the receive descriptor names.
    next: u32,
    turn: usize,
    /// First transmit slot that is not known to be done.
    clean: u32,
    /// NIC numbers.
    from: usize,
    to: usize,
}

/// A driver of two NICs.
#[derive(Debug)]
pub struct NullDriver {
    memory: SharedWords,
    doorbells: [SharedWords; 2],
    paths: [Path; 2],
}

impl NullDriver {
    /// Resets and starts both NICs.
    pub fn set_up(nics: &mut [Nic; 2], slots: u32, size: usize) -> Result<Self, SetupError> {
        let stride = (size.max(SHORTEST_BUFFER).div_ceil(LINE) | 1) * LINE;
        let buffers = 2 * slots as usize * stride;
        let per_path = (2 * RING + buffers).next_multiple_of(4096);
        let bytes = 2 * per_path;
        let file = memfd_create("ringway-selftest", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
            .map_err(io::Error::from)?;
        ftruncate(&file, bytes as u64).map_err(io::Error::from)?;
        fcntl_add_seals(&file, SealFlags::SHRINK).map_err(io::Error::from)?;
        let memory = SharedWords::map(&file, bytes)?;
        let path = |from: usize| Path {
            rx_ring: from * per_path,
            tx_ring: from * per_path + RING,
            buffers: from * per_path + 2 * RING,
            stride,
            slots,
            next: 0,
            turn: 0,
            clean: 0,
            from,
            to: 1 - from,
        };
        let paths = [path(0), path(1)];
        for path in &paths {
            path.fill(&memory);
        }
        for (number, nic) in nics.iter_mut().enumerate() {
            nic.attached();
            nic.memory().map(&file, 0, IOVA, bytes as u64, Prot::READ_WRITE)?;
            start(nic, &paths[number], &paths[1 - number], size)?;
        }
        let doorbells = [map_doorbells(&nics[0])?, map_doorbells(&nics[1])?];
        Ok(NullDriver { memory, doorbells, paths })
    }

    /// One turn in each direction. Returns the number of packets.
    pub fn forward(&mut self, batch: u32) -> u32 {
        let [there, back] = &mut self.paths;
        [there, back].map(|path| path.forward(&self.memory, &self.doorbells, batch)).iter().sum()
    }
}

impl Path {
    fn buffer(&self, slot: u32, turn: usize) -> u64 {
        IOVA + (self.buffers + (2 * slot as usize + turn) * self.stride) as u64
    }

    /// Fills the receive ring with the first buffer of each slot.
    fn fill(&self, memory: &SharedWords) {
        for slot in 0..self.slots {
            let at = self.rx_ring + 16 * slot as usize;
            memory.quad(at).store(self.buffer(slot, 0), Ordering::Relaxed);
        }
    }

    fn forward(&mut self, memory: &SharedWords, doorbells: &[SharedWords; 2], batch: u32) -> u32 {
        self.reclaim(memory);
        let mut done = 0;
        while done < batch && self.is_free() {
            let rx = self.rx_ring + 16 * self.next as usize;
            let words = [0, memory.quad(rx + 8).load(Ordering::Acquire)];
            if !rx_writeback::DD.is_set(&words) {
                break;
            }
            let tx = self.tx_ring + 16 * self.next as usize;
            memory.quad(tx).store(self.buffer(self.next, self.turn), Ordering::Relaxed);
            memory.quad(tx + 8).store(self.order(rx_writeback::LENGTH.get(&words)), Ordering::Relaxed);
            memory.quad(rx).store(self.buffer(self.next, 1 - self.turn), Ordering::Relaxed);
            memory.quad(rx + 8).store(0, Ordering::Relaxed);
            self.step();
            done += 1;
        }
        if done != 0 {
            let last = if self.next == 0 { self.slots - 1 } else { self.next - 1 };
            doorbells[self.to].word(regs::TDT.at(0).offset as usize).store(self.next, Ordering::Release);
            doorbells[self.from].word(regs::RDT.at(0).offset as usize).store(last, Ordering::Release);
        }
        done
    }

    fn step(&mut self) {
        self.next += 1;
        if self.next == self.slots {
            self.next = 0;
            self.turn = 1 - self.turn;
        }
    }

    /// The transmit ring has room: its tail may not catch up with what is not done.
    fn is_free(&self) -> bool {
        let after = if self.next + 1 == self.slots { 0 } else { self.next + 1 };
        after != self.clean
    }

    /// Second word of the transmit descriptor at `next`.
    fn order(&self, length: u64) -> u64 {
        let report = self.next % REPORT_EVERY == REPORT_EVERY - 1;
        tx_data::DTALEN.put(length)
            | tx_data::PAYLEN.put(length)
            | tx_data::DTYP.put(tx_data::DTYP_DATA)
            | tx_data::DEXT.mask()
            | tx_data::EOP.mask()
            | tx_data::IFCS.mask()
            | tx_data::RS.put(report.into())
    }

    /// Moves past transmit descriptors that are done, a report at a time.
    fn reclaim(&mut self, memory: &SharedWords) {
        loop {
            let end = self.clean + REPORT_EVERY - 1 - self.clean % REPORT_EVERY;
            let behind = (self.next + self.slots - self.clean) % self.slots;
            if behind <= end - self.clean {
                return;
            }
            let words = [0, memory.quad(self.tx_ring + 16 * end as usize + 8).load(Ordering::Acquire)];
            if !tx_writeback::DD.is_set(&words) {
                return;
            }
            self.clean = if end + 1 == self.slots { 0 } else { end + 1 };
        }
    }
}

fn map_doorbells(nic: &Nic) -> Result<SharedWords, SetupError> {
    let (file, _) = nic.mappable(0).ok_or(SetupError::NoDoorbells)?;
    Ok(SharedWords::map(file, BAR)?)
}

fn write(nic: &mut Nic, register: Register, value: u32) -> Result<(), Errno> {
    nic.write(0, register.offset.into(), &value.to_le_bytes())
}

/// Polls the NIC until `field` of `register` is as wanted.
fn wait(nic: &mut Nic, register: Register, mask: u32, wanted: u32) -> Result<(), SetupError> {
    let start = Nanos::now();
    loop {
        let now = Nanos::now();
        nic.poll(now);
        let mut data = [0; 4];
        nic.read(0, register.offset.into(), &mut data)?;
        if u32::from_le_bytes(data) & mask == wanted {
            return Ok(());
        }
        if now.since(start) > PATIENCE_NS {
            return Err(SetupError::Timeout(register));
        }
    }
}

/// Reset, link, and queue 0 in both directions.
fn start(nic: &mut Nic, rx: &Path, tx: &Path, size: usize) -> Result<(), SetupError> {
    nic.write(7, 4, &[6, 0])?;
    write(nic, regs::CTRL, regs::ctrl::RST.mask())?;
    wait(nic, regs::CTRL, regs::ctrl::RST.mask(), 0)?;
    wait(nic, regs::LINKS, regs::links::UP.mask(), regs::links::UP.mask())?;
    let all = regs::fctrl::UPE.mask() | regs::fctrl::MPE.mask() | regs::fctrl::BAM.mask();
    write(nic, regs::FCTRL, all)?;
    let mac = regs::hlreg0::TXCRCEN.mask()
        | regs::hlreg0::RXCRCSTRP.mask()
        | regs::hlreg0::TXPADEN.mask()
        | regs::hlreg0::JUMBOEN.mask();
    write(nic, regs::HLREG0, mac)?;
    write(nic, regs::MAXFRS, regs::maxfrs::MFS.put(size.max(1518) as u32))?;
    write(nic, regs::RDRXCTL, regs::rdrxctl::CRCSTRIP.mask())?;
    start_rx(nic, rx, size)?;
    start_tx(nic, tx)
}

fn start_rx(nic: &mut Nic, path: &Path, size: usize) -> Result<(), SetupError> {
    use regs::srrctl;
    let base = IOVA + path.rx_ring as u64;
    write(nic, regs::RDBAL.at(0), base as u32)?;
    write(nic, regs::RDBAH.at(0), (base >> 32) as u32)?;
    write(nic, regs::RDLEN.at(0), path.slots * 16)?;
    let kib = size.div_ceil(1024).max(2) as u32;
    let control = srrctl::BSIZEPACKET.put(kib) | srrctl::DESCTYPE.put(srrctl::DESCTYPE_ADV_ONE_BUFFER);
    write(nic, regs::SRRCTL.at(0), control)?;
    write(nic, regs::RXDCTL.at(0), regs::rxdctl::ENABLE.mask())?;
    write(nic, regs::RDT.at(0), path.slots - 1)?;
    write(nic, regs::RXCTRL, regs::rxctrl::RXEN.mask())?;
    Ok(())
}

fn start_tx(nic: &mut Nic, path: &Path) -> Result<(), SetupError> {
    let base = IOVA + path.tx_ring as u64;
    write(nic, regs::TDBAL.at(0), base as u32)?;
    write(nic, regs::TDBAH.at(0), (base >> 32) as u32)?;
    write(nic, regs::TDLEN.at(0), path.slots * 16)?;
    write(nic, regs::DMATXCTL, regs::dmatxctl::TE.mask())?;
    write(nic, regs::TXDCTL.at(0), regs::txdctl::ENABLE.mask())?;
    Ok(())
}

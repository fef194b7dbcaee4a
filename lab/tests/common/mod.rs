//! A driver small enough to be obviously right, working a NIC in the same process.
#![allow(dead_code)]

use std::fs::File;
use std::os::unix::fs::FileExt;

use ringway_lab::clock::Nanos;
use ringway_lab::device::Device;
use ringway_lab::ixgbe::regs::{self, Register, rx_writeback, rxdctl, srrctl, tx_data};
use ringway_lab::ixgbe::{Doorbells, Nic, NicConfig};
use ringway_lab::memory::Prot;
use ringway_lab::wire::manual::{ManualHandle, pair};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

/// Where the driver's memory is for the NIC.
pub const IOVA: u64 = 0x1_0000_0000;
/// Bytes of the driver's memory.
pub const MEMORY: u64 = 4 << 20;
/// Where rings and buffers lie in it.
pub const RX_RINGS: u64 = 0;
pub const TX_RINGS: u64 = 0x10_0000;
pub const RX_BUFFERS: u64 = 0x20_0000;
pub const TX_BUFFERS: u64 = 0x30_0000;
/// Bytes of a buffer in these tests.
pub const BUFFER: u64 = 2048;

/// A NIC, its driver, and the hand on its wire.
pub struct Bench {
    pub nic: Nic,
    pub wire: ManualHandle,
    pub memory: File,
    pub now: Nanos,
    doorbells: Doorbells,
    page: Option<File>,
    pub rx: Vec<RxRing>,
    pub tx: Vec<TxRing>,
}

pub struct RxRing {
    pub slots: u32,
    pub next: u32,
}

pub struct TxRing {
    pub slots: u32,
    pub tail: u32,
}

/// A received descriptor: its words and the bytes it names.
#[derive(Debug, Clone)]
pub struct Received {
    pub words: [u64; 2],
    pub bytes: Vec<u8>,
}

impl Bench {
    pub fn new(doorbells: Doorbells) -> Self {
        Self::with(NicConfig { doorbells, ..NicConfig::new("test") })
    }

    pub fn with(config: NicConfig) -> Self {
        let (end, wire) = pair();
        let doorbells = config.doorbells;
        let mut nic = Nic::new(config, Box::new(end)).unwrap();
        nic.attached();
        let page = nic.mappable(0).map(|(file, _)| File::from(file.try_clone_to_owned().unwrap()));
        let memory = memfd_create("driver", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
        ftruncate(&memory, MEMORY).unwrap();
        fcntl_add_seals(&memory, SealFlags::SHRINK).unwrap();
        nic.memory().map(&memory, 0, IOVA, MEMORY, Prot::READ_WRITE).unwrap();
        let memory = File::from(memory);
        Bench { nic, wire, memory, now: Nanos(1_000_000), doorbells, page, rx: Vec::new(), tx: Vec::new() }
    }

    /// A bench whose NIC is reset, has a link, and does DMA; all packets are taken.
    pub fn ready(doorbells: Doorbells) -> Self {
        let mut bench = Self::new(doorbells);
        bench.bring_up();
        bench
    }

    pub fn bring_up(&mut self) {
        self.nic.write(7, 4, &[6, 0]).unwrap();
        self.write(regs::CTRL, regs::ctrl::RST.mask());
        self.poll();
        self.pass(1_000_000);
        assert_eq!(self.read(regs::CTRL), 0);
        self.read(regs::LINKS);
        assert!(regs::links::UP.is_set(self.read(regs::LINKS)));
        self.write(regs::FCTRL, regs::fctrl::UPE.mask() | regs::fctrl::MPE.mask() | regs::fctrl::BAM.mask());
        self.set(regs::RDRXCTL, regs::rdrxctl::CRCSTRIP.mask());
        self.set(regs::HLREG0, regs::hlreg0::RXCRCSTRP.mask());
        self.write(regs::RXCSUM, regs::rxcsum::PCSD.mask());
        self.write(regs::DMATXCTL, regs::dmatxctl::TE.mask());
        self.write(regs::RXCTRL, regs::rxctrl::RXEN.mask());
    }

    pub fn read(&mut self, register: Register) -> u32 {
        self.nic.synchronise();
        let mut data = [0; 4];
        if let (Doorbells::Plain, Some(page)) = (self.doorbells, &self.page) {
            page.read_exact_at(&mut data, register.offset.into()).unwrap();
            return u32::from_le_bytes(data);
        }
        self.nic.read(0, register.offset.into(), &mut data).unwrap();
        u32::from_le_bytes(data)
    }

    pub fn write(&mut self, register: Register, value: u32) {
        self.nic.synchronise();
        if let (Doorbells::Plain, Some(page)) = (self.doorbells, &self.page) {
            page.write_all_at(&value.to_le_bytes(), register.offset.into()).unwrap();
            return self.nic.synchronise();
        }
        self.nic.write(0, register.offset.into(), &value.to_le_bytes()).unwrap();
    }

    /// A store to plain memory, which the NIC has not looked at yet.
    pub fn store_unseen(&self, register: Register, value: u32) {
        let page = self.page.as_ref().expect("the BAR is mapped");
        page.write_all_at(&value.to_le_bytes(), register.offset.into()).unwrap();
    }

    /// What stands in plain memory.
    pub fn load_unseen(&self, register: Register) -> u32 {
        let mut data = [0; 4];
        self.page
            .as_ref()
            .expect("the BAR is mapped")
            .read_exact_at(&mut data, register.offset.into())
            .unwrap();
        u32::from_le_bytes(data)
    }

    pub fn set(&mut self, register: Register, bits: u32) {
        let value = self.read(register);
        self.write(register, value | bits);
    }

    /// A write to a queue's register: a store if the page is mapped.
    pub fn store(&mut self, register: Register, value: u32) {
        match &self.page {
            Some(page) if matches!(register.offset >> 12, 1 | 6) => {
                page.write_all_at(&value.to_le_bytes(), register.offset.into()).unwrap();
            }
            _ => self.write(register, value),
        }
    }

    /// A read of a queue's register: a load if the page is mapped.
    pub fn load(&mut self, register: Register) -> u32 {
        match &self.page {
            Some(page) if matches!(register.offset >> 12, 1 | 6) => {
                let mut data = [0; 4];
                page.read_exact_at(&mut data, register.offset.into()).unwrap();
                u32::from_le_bytes(data)
            }
            _ => self.read(register),
        }
    }

    /// One round of the NIC, a microsecond later.
    pub fn poll(&mut self) -> usize {
        self.now = Nanos(self.now.0 + 1000);
        self.nic.poll(self.now)
    }

    /// Polls until nothing is left to do.
    pub fn settle(&mut self) {
        self.nic.synchronise();
        while self.poll() != 0 {}
    }

    /// Lets time pass.
    pub fn pass(&mut self, nanos: u64) {
        self.now = Nanos(self.now.0 + nanos);
        self.nic.poll(self.now);
    }

    pub fn put(&self, at: u64, bytes: &[u8]) {
        self.memory.write_all_at(bytes, at).unwrap();
    }

    pub fn get(&self, at: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.memory.read_exact_at(&mut bytes, at).unwrap();
        bytes
    }

    pub fn words(&self, at: u64) -> [u64; 2] {
        let bytes = self.get(at, 16);
        [
            u64::from_le_bytes(bytes[..8].try_into().unwrap()),
            u64::from_le_bytes(bytes[8..].try_into().unwrap()),
        ]
    }

    pub fn put_words(&self, at: u64, words: [u64; 2]) {
        self.put(at, &words[0].to_le_bytes());
        self.put(at + 8, &words[1].to_le_bytes());
    }

    pub fn rx_descriptor(&self, queue: u16, slot: u32) -> u64 {
        RX_RINGS + u64::from(queue) * 0x8000 + u64::from(slot) * 16
    }

    pub fn rx_buffer(&self, queue: u16, slot: u32) -> u64 {
        RX_BUFFERS + (u64::from(queue) * 64 + u64::from(slot)) * BUFFER
    }

    /// Opens receive queue `queue` with `slots` descriptors, all but one of them filled.
    pub fn open_rx(&mut self, queue: u16, slots: u32) {
        let control = srrctl::BSIZEPACKET.put(2) | srrctl::DESCTYPE.put(srrctl::DESCTYPE_ADV_ONE_BUFFER);
        self.open_rx_with(queue, slots, control, 0);
    }

    pub fn open_rx_with(&mut self, queue: u16, slots: u32, control: u32, descriptor_control: u32) {
        while self.rx.len() <= queue.into() {
            self.rx.push(RxRing { slots: 0, next: 0 });
        }
        self.rx[usize::from(queue)] = RxRing { slots, next: 0 };
        for slot in 0..slots {
            self.put_words(self.rx_descriptor(queue, slot), [IOVA + self.rx_buffer(queue, slot), 0]);
        }
        let base = IOVA + self.rx_descriptor(queue, 0);
        self.store(regs::RDBAL.at(queue), base as u32);
        self.store(regs::RDBAH.at(queue), (base >> 32) as u32);
        self.store(regs::RDLEN.at(queue), slots * 16);
        self.store(regs::RDH.at(queue), 0);
        self.store(regs::RDT.at(queue), 0);
        self.store(regs::SRRCTL.at(queue), control);
        self.store(regs::RXDCTL.at(queue), rxdctl::ENABLE.mask() | descriptor_control);
        self.nic.synchronise();
        assert!(rxdctl::ENABLE.is_set(self.load(regs::RXDCTL.at(queue))));
        self.store(regs::RDT.at(queue), slots - 1);
    }

    /// Takes the next descriptor if it is done, and hands its slot back.
    pub fn take(&mut self, queue: u16) -> Option<Received> {
        let RxRing { slots, next } = self.rx[usize::from(queue)];
        let at = self.rx_descriptor(queue, next);
        let words = self.words(at);
        if !rx_writeback::DD.is_set(&words) {
            return None;
        }
        let length = rx_writeback::LENGTH.get(&words) as usize;
        let bytes = self.get(self.rx_buffer(queue, next), length);
        self.put_words(at, [IOVA + self.rx_buffer(queue, next), 0]);
        self.store(regs::RDT.at(queue), next);
        self.rx[usize::from(queue)].next = (next + 1) % slots;
        Some(Received { words, bytes })
    }

    /// Puts frames on the wire and lets the NIC take them.
    pub fn arrive(&mut self, frames: &[Vec<u8>]) {
        self.wire.inject_many(frames.iter().cloned());
        self.settle();
    }

    pub fn tx_descriptor(&self, queue: u16, slot: u32) -> u64 {
        TX_RINGS + u64::from(queue) * 0x8000 + u64::from(slot) * 16
    }

    pub fn open_tx(&mut self, queue: u16, slots: u32) {
        while self.tx.len() <= queue.into() {
            self.tx.push(TxRing { slots: 0, tail: 0 });
        }
        self.tx[usize::from(queue)] = TxRing { slots, tail: 0 };
        let base = IOVA + self.tx_descriptor(queue, 0);
        self.store(regs::TDBAL.at(queue), base as u32);
        self.store(regs::TDBAH.at(queue), (base >> 32) as u32);
        self.store(regs::TDLEN.at(queue), slots * 16);
        self.store(regs::TDH.at(queue), 0);
        self.store(regs::TDT.at(queue), 0);
        self.store(regs::TXDCTL.at(queue), regs::txdctl::ENABLE.mask());
        self.nic.synchronise();
    }

    /// Writes a descriptor at the tail; the NIC is not told yet.
    pub fn push(&mut self, queue: u16, words: [u64; 2]) -> u32 {
        let TxRing { slots, tail } = self.tx[usize::from(queue)];
        self.put_words(self.tx_descriptor(queue, tail), words);
        self.tx[usize::from(queue)].tail = (tail + 1) % slots;
        tail
    }

    /// Tells the NIC of the tail and lets it work.
    pub fn ring(&mut self, queue: u16) {
        let tail = self.tx[usize::from(queue)].tail;
        self.store(regs::TDT.at(queue), tail);
        self.settle();
    }

    /// A data descriptor for `bytes`, which are put into the buffer of its slot.
    pub fn data(&mut self, queue: u16, bytes: &[u8], paylen: usize, flags: u64) -> [u64; 2] {
        let slot = self.tx[usize::from(queue)].tail;
        let at = TX_BUFFERS + u64::from(slot) * 4096;
        self.put(at, bytes);
        [
            IOVA + at,
            tx_data::DTALEN.put(bytes.len() as u64)
                | tx_data::DTYP.put(tx_data::DTYP_DATA)
                | tx_data::DEXT.put(1)
                | tx_data::PAYLEN.put(paylen as u64)
                | flags,
        ]
    }

    /// Sends one frame with the usual flags.
    pub fn send(&mut self, queue: u16, bytes: &[u8]) {
        let words = self.data(queue, bytes, bytes.len(), LAST);
        self.push(queue, words);
        self.ring(queue);
    }
}

/// EOP, IFCS and RS.
pub const LAST: u64 = tx_data::EOP.mask() | tx_data::IFCS.mask() | tx_data::RS.mask();

/// A frame of `length` bytes that no protocol claims.
pub fn frame(length: usize, mark: u8) -> Vec<u8> {
    let mut frame = vec![mark; length];
    frame[..6].copy_from_slice(&[0x02, 1, 2, 3, 4, 5]);
    frame[6..12].copy_from_slice(&[0x02, 9, 8, 7, 6, 5]);
    frame[12..14].copy_from_slice(&[0x88, 0xB5]);
    frame
}

/// Both ways to reach the queues.
pub const BOTH: [Doorbells; 3] = [Doorbells::Mapped, Doorbells::Trapped, Doorbells::Plain];

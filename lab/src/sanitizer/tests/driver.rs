//! A driver and a NIC in one, as far as events go: the driver's verbs emit what a NIC would tell of them.
//!
//! [`Driver::start`] does everything as the data sheet asks. A test takes the same steps and leaves one out, or does
//! one wrongly.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use crate::clock::Nanos;
use crate::events::{Event, Observer, Queue, Scene, Side, Watch};
use crate::ixgbe::regs::{self, Field, Register, tx_data};
use crate::memory::{ClientMemory, Prot};
use crate::sanitizer::queues::{of, registers};
use crate::sanitizer::{Findings, Sanitizer, lookup};

/// Where the driver's memory is.
pub const MEMORY: u64 = 0x10_0000;
/// Bytes of it.
pub const BYTES: u64 = 8 << 20;
/// Slots of each ring.
pub const SLOTS: u32 = 64;
/// Bytes from one packet buffer to the next.
const SPACING: u64 = 2112;

pub const RX: Queue = Queue { side: Side::Rx, number: 0 };
pub const TX: Queue = Queue { side: Side::Tx, number: 0 };

/// Address of packet buffer `number`.
pub fn buffer(number: u32) -> u64 {
    MEMORY + 0x10_0000 + u64::from(number) * SPACING
}

/// The second quadword of a descriptor that is a whole packet.
pub fn packet(length: u64) -> u64 {
    tx_data::DTALEN.put(length)
        | tx_data::DTYP.put(tx_data::DTYP_DATA)
        | tx_data::DEXT.mask()
        | tx_data::IFCS.mask()
        | tx_data::EOP.mask()
        | tx_data::RS.mask()
        | tx_data::PAYLEN.put(length)
}

pub struct Driver {
    pub now: Nanos,
    pub memory: ClientMemory,
    pub findings: Findings,
    /// Queue registers are in a mapped page: writes are seen by polling, reads not at all.
    pub mapped: bool,
    /// All registers are: nothing that is read is told.
    pub plain: bool,
    /// Address of each queue's ring: where it is, unless a test moves it.
    pub ring_offset: u64,
    sanitizer: Sanitizer,
    values: Vec<u32>,
}

impl Driver {
    pub fn new() -> Self {
        let (sanitizer, findings) = Sanitizer::with_clock(Watch::Descriptors, || Nanos(0));
        let mut driver = Driver {
            now: Nanos(1_000_000_000),
            memory: ClientMemory::default(),
            findings,
            mapped: false,
            plain: false,
            ring_offset: 0,
            sanitizer,
            values: vec![0; 0x8000],
        };
        driver.default_values(true);
        driver
    }

    fn default_values(&mut self, noise: bool) {
        for info in regs::REGISTERS.iter().filter(|info| info.alias_of.is_none()) {
            for number in 0..info.registers.len() {
                let value = if number == 0 { info.reset_first } else { info.reset };
                self.values[info.registers.at(number).offset as usize / 4] =
                    if info.random { 0xDEAD_BE80 } else { value };
            }
        }
        self.set(regs::EIMS, if noise { 0x0123_4567 } else { 0 });
        self.set(regs::EEC, self.get(regs::EEC) | regs::eec::ARD.mask());
    }

    // Registers.

    pub fn emit(&mut self, event: Event) {
        let values = &self.values;
        let peek = |offset: u32| values[offset as usize / 4];
        let scene = Scene { now: self.now, peek: &peek, memory: &self.memory };
        self.sanitizer.event(&scene, &event);
    }

    pub fn get(&self, register: Register) -> u32 {
        self.values[register.offset as usize / 4]
    }

    /// As the NIC, or what came before the driver.
    pub fn set(&mut self, register: Register, value: u32) {
        self.values[register.offset as usize / 4] = value;
    }

    pub fn read(&mut self, register: Register) -> u32 {
        let value = self.get(register);
        if !self.is_unseen(register) {
            self.emit(Event::RegisterRead { offset: register.offset, value });
        }
        value
    }

    pub fn write(&mut self, register: Register, value: u32) {
        let (offset, before) = (register.offset, self.get(register));
        let home = lookup::at(offset).map_or(register, |found| found.info.registers.at(found.index));
        if self.is_unseen(register) {
            let before = if self.plain { self.get(home) } else { before };
            if !self.plain {
                self.set(home, value);
            }
            if before != value {
                self.emit(Event::MappedWrite { offset, before, value });
            }
        } else {
            let before = self.get(home);
            self.emit(Event::RegisterWrite { offset, before, value });
        }
        match offset {
            0x888 => self.set(regs::EIMS, self.get(regs::EIMS) & !value),
            0 if regs::ctrl::RST.is_set(value) => {
                self.default_values(false);
                self.emit(Event::Reset);
            }
            _ => self.set(home, value),
        }
    }

    /// Loads from it and stores to it are no messages.
    fn is_unseen(&self, register: Register) -> bool {
        self.plain || self.mapped && is_queue_register(register)
    }

    pub fn set_field(&mut self, register: Register, field: Field, value: u32) {
        let before = self.read(register);
        self.write(register, field.set(before, value));
    }

    pub fn wait_us(&mut self, us: u64) {
        self.now.0 += us * 1000;
    }

    // Coming, initialising, going.

    pub fn attach(&mut self) {
        self.emit(Event::Client { present: true });
        if self.plain {
            self.emit(Event::ReadsUnseen);
        }
        self.map(MEMORY, BYTES);
        self.emit(Event::ConfigWrite { offset: 4, length: 2, value: 6 });
    }

    pub fn leave(&mut self) {
        self.emit(Event::Client { present: false });
    }

    pub fn map(&mut self, iova: u64, bytes: u64) {
        let file = memfd_create("test", MemfdFlags::ALLOW_SEALING).unwrap();
        ftruncate(&file, bytes).unwrap();
        fcntl_add_seals(&file, SealFlags::SHRINK).unwrap();
        self.memory.map(&file, 0, iova, bytes, Prot::READ_WRITE).unwrap();
        self.emit(Event::MemoryMapped { iova, size: bytes, mapped: true });
    }

    pub fn unmap(&mut self, iova: u64, bytes: u64) {
        self.memory.unmap(iova, bytes).unwrap();
        self.emit(Event::MemoryMapped { iova, size: bytes, mapped: false });
    }

    pub fn mask(&mut self) {
        self.write(regs::EIMC, 0x7FFF_FFFF);
    }

    pub fn reset(&mut self) {
        self.mask();
        self.write(regs::CTRL, regs::ctrl::RST.mask());
        self.wait_us(10_000);
        self.read(regs::CTRL);
        self.mask();
    }

    pub fn await_ready(&mut self) {
        self.read(regs::EEC);
        self.read(regs::RDRXCTL);
    }

    pub fn clear_statistics(&mut self) {
        self.read(regs::GPRC);
        self.read(regs::GPTC);
    }

    /// Everything up to, and without, queues.
    pub fn prepare(&mut self) {
        self.attach();
        self.reset();
        self.await_ready();
        self.clear_statistics();
        self.program_receive();
        self.program_transmit();
    }

    pub fn program_receive(&mut self) {
        self.set_field(regs::FCTRL, regs::fctrl::BAM, 1);
        let value = self.read(regs::RDRXCTL);
        let value = regs::rdrxctl::RSCFRSTSIZE.set(value, 0)
            | regs::rdrxctl::CRCSTRIP.mask()
            | regs::rdrxctl::RSCACKC.mask()
            | regs::rdrxctl::FCOE_WRFIX.mask();
        self.write(regs::RDRXCTL, value);
        self.write(regs::RXPBSIZE.at(0), 512 << 10);
        for number in 1..8 {
            self.write(regs::RXPBSIZE.at(number), 0);
        }
        self.write(regs::FCRTH.at(0), (512 << 10) - 0x6000);
    }

    pub fn program_transmit(&mut self) {
        self.set_field(regs::RTTDCS, regs::rttdcs::ARBDIS, 1);
        self.write(regs::DTXMXSZRQ, 0xFFF);
        self.write(regs::TXPBSIZE.at(0), 160 << 10);
        self.write(regs::TXPBTHRESH.at(0), 160);
        self.set_field(regs::RTTDCS, regs::rttdcs::ARBDIS, 0);
    }

    pub fn open_receiver(&mut self) {
        self.set_field(regs::SECRXCTRL, regs::secrxctrl::RX_DIS, 1);
        self.read(regs::SECRXSTAT);
        self.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 1);
        self.set_field(regs::SECRXCTRL, regs::secrxctrl::RX_DIS, 0);
        self.set_field(regs::CTRL_EXT, regs::ctrl_ext::NS_DIS, 1);
    }

    /// Everything, with one queue each way; the receive ring is full.
    pub fn start(&mut self) {
        self.prepare();
        self.open_rx(RX);
        self.open_receiver();
        self.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
        self.open_tx(TX);
    }

    pub fn stop(&mut self) {
        self.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 0);
        self.disable(RX);
        self.disable(TX);
        self.leave();
    }

    // Queues.

    pub fn ring(&self, queue: Queue) -> u64 {
        let side = if queue.side == Side::Rx { 0 } else { 0x8_0000 };
        MEMORY + side + u64::from(queue.number) * 0x1000 + self.ring_offset
    }

    pub fn program_ring(&mut self, queue: Queue) {
        let (regs, ring) = (registers(queue.side), self.ring(queue));
        self.write(of(regs.base_low, queue), ring as u32);
        self.write(of(regs.base_high, queue), (ring >> 32) as u32);
        self.write(of(regs.length, queue), SLOTS * 16);
        self.write(of(regs.head, queue), 0);
        self.write(of(regs.tail, queue), 0);
    }

    /// Sets ENABLE without looking whether it is set.
    pub fn enable(&mut self, queue: Queue) {
        let regs = registers(queue.side);
        let control = of(regs.control, queue);
        let value = self.get(control);
        self.write(control, value | regs.enable.mask());
        let low = u64::from(self.get(of(regs.base_low, queue)) & !0x7F);
        let base = u64::from(self.get(of(regs.base_high, queue))) << 32 | low;
        let slots = self.get(of(regs.length, queue)) / 128 * 8;
        let head = self.get(of(regs.head, queue));
        self.emit(Event::QueueEnabled { queue, base, slots, head });
    }

    pub fn disable(&mut self, queue: Queue) {
        let regs = registers(queue.side);
        let value = self.get(of(regs.control, queue)) & !regs.enable.mask();
        self.write(of(regs.control, queue), value);
        self.emit(Event::QueueDisabled { queue, head: 0, tail: 0 });
    }

    pub fn enable_and_wait(&mut self, queue: Queue) {
        self.enable(queue);
        self.read(of(registers(queue.side).control, queue));
    }

    pub fn program_rx(&mut self, queue: Queue) {
        self.program_ring(queue);
        let value = regs::srrctl::BSIZEPACKET.put(2)
            | regs::srrctl::DESCTYPE.put(regs::srrctl::DESCTYPE_ADV_ONE_BUFFER);
        self.write(regs::SRRCTL.at(queue.number), value);
        self.set_field(regs::DCA_RXCTRL.at(queue.number), Field { shift: 12, width: 1 }, 0);
    }

    pub fn open_rx(&mut self, queue: Queue) {
        self.program_rx(queue);
        self.enable_and_wait(queue);
        self.fill_rx(queue);
    }

    /// Gives the ring of a new queue all the buffers it can hold.
    pub fn fill_rx(&mut self, queue: Queue) {
        for slot in 0..SLOTS {
            self.put(queue, slot, [buffer(u32::from(queue.number) * SLOTS + slot), 0]);
        }
        self.ring_doorbell(queue, SLOTS - 1);
    }

    pub fn open_tx(&mut self, queue: Queue) {
        self.program_ring(queue);
        self.write(
            regs::TXDCTL.at(queue.number),
            regs::txdctl::PTHRESH.put(32) | regs::txdctl::HTHRESH.put(8),
        );
        self.enable_and_wait(queue);
    }

    /// Writes a descriptor.
    pub fn put(&mut self, queue: Queue, slot: u32, words: [u64; 2]) {
        let at = self.ring(queue) + u64::from(slot) * 16;
        self.memory.store_u64_release(at, words[0]).unwrap();
        self.memory.store_u64_release(at + 8, words[1]).unwrap();
    }

    pub fn words(&self, queue: Queue, slot: u32) -> [u64; 2] {
        let at = self.ring(queue) + u64::from(slot) * 16;
        [self.memory.read_u64(at).unwrap(), self.memory.read_u64(at + 8).unwrap()]
    }

    /// Moves the tail.
    pub fn ring_doorbell(&mut self, queue: Queue, tail: u32) {
        let regs = registers(queue.side);
        let (register, head) = (of(regs.tail, queue), self.get(of(regs.head, queue)));
        let before = self.get(register);
        if self.mapped {
            self.set(register, tail);
        } else {
            self.write(register, tail);
        }
        self.emit(Event::Doorbell { queue, head, before, tail });
        let mut slot = before;
        while slot != tail && tail < SLOTS {
            let words = self.words(queue, slot);
            self.emit(Event::HandedOver { queue, slot, words });
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The NIC works on `count` descriptors from the head on, and writes them back.
    pub fn work(&mut self, queue: Queue, count: u32) {
        let register = of(registers(queue.side).head, queue);
        for _ in 0..count {
            let slot = self.get(register);
            let words = self.words(queue, slot);
            self.emit(Event::Fetched { queue, slot, words });
            let done = match queue.side {
                Side::Rx => regs::rx_writeback::DD.mask() | regs::rx_writeback::EOP.mask(),
                Side::Tx => regs::tx_writeback::DD.mask(),
            };
            self.put(queue, slot, [words[0], done]);
            self.emit(Event::Completed { queue, slot, written: Some([words[0], done]) });
            self.set(register, (slot + 1) % SLOTS);
        }
        self.emit(Event::HeadMoved { queue, head: self.get(register) });
    }

    /// Takes packets that were received and gives their buffers back.
    pub fn refill(&mut self, count: u32) {
        let tail = self.get(regs::RDT.at(0));
        for step in 0..count {
            let slot = (tail + step) % SLOTS;
            // The slot at the tail is the only one without a buffer at first; buffers move on by one.
            let address = self.words(RX, slot)[0];
            self.put(RX, slot, [address, 0]);
        }
        self.ring_doorbell(RX, (tail + count) % SLOTS);
    }

    /// Sends packets of one descriptor each.
    pub fn send(&mut self, second_words: &[u64]) {
        let words: Vec<_> =
            second_words.iter().enumerate().map(|(n, word)| [buffer(1000 + n as u32), *word]).collect();
        self.send_words(&words);
    }

    /// Hands over descriptors.
    pub fn send_words(&mut self, words: &[[u64; 2]]) {
        let tail = self.get(regs::TDT.at(0));
        for (step, words) in words.iter().enumerate() {
            self.put(TX, (tail + step as u32) % SLOTS, *words);
        }
        self.ring_doorbell(TX, (tail + words.len() as u32) % SLOTS);
    }

    // Verdicts.

    pub fn broke(&self) -> Vec<&'static str> {
        self.findings.all().iter().map(|finding| finding.rule.id).collect()
    }
}

fn is_queue_register(register: Register) -> bool {
    matches!(register.offset >> 12, 0x1 | 0x6)
}

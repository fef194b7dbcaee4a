//! The NIC's side towards the driver: registers, memory, interrupts, and who is to be told of what happens there.

use super::counters::Counters;
use super::interrupts::Interrupts;
use super::pci::ConfigSpace;
use super::registers::RegisterFile;
use super::regs;
use crate::clock::Nanos;
use crate::events::{Event, Queue, Watch};
use crate::faults::Faults;
use crate::memory::{ClientMemory, DmaFault};

/// Everything that receiving and transmitting share.
#[derive(Debug)]
pub struct Host {
    /// Values of the registers.
    pub registers: RegisterFile,
    /// The driver's memory.
    pub memory: ClientMemory,
    /// Causes, masks and eventfds.
    pub interrupts: Interrupts,
    /// PCI configuration space.
    pub config: ConfigSpace,
    /// What went through the port.
    pub counters: Counters,
    /// Armed faults.
    pub faults: Faults,
    /// Events not told yet.
    pub log: Log,
    /// Time of this polling round.
    pub now: Nanos,
    /// The link is up.
    pub link_up: bool,
    /// A fault wants the driver's connection cut.
    pub hang_up: bool,
}

impl Host {
    /// The function may reach memory: bus mastering is on, and the driver has not asked it to be quiet.
    #[inline]
    pub fn may_master(&self) -> bool {
        self.config.bus_master() && !regs::ctrl::GIO_DIS.is_set(self.registers.of(regs::CTRL))
    }

    /// Takes note of a DMA access that went nowhere.
    #[cold]
    pub fn dma_fault(&mut self, queue: Queue, slot: u32, fault: DmaFault) {
        self.counters.dma_faults += 1;
        self.interrupts.raise(regs::eicr::PCI.mask());
        self.log.registers(|| Event::DmaFault { queue: Some(queue), slot, fault });
    }

    /// Takes note of a descriptor that makes no sense.
    #[cold]
    pub fn bad_descriptor(&mut self, queue: Queue, slot: u32, words: [u64; 2], why: &'static str) {
        self.counters.bad_descriptors += 1;
        self.log.registers(|| Event::BadDescriptor { queue, slot, words, why });
    }
}

/// Events that wait to be told. They are told, in order, at the end of the batch or access that caused them, when no
/// part of the NIC is in the middle of something.
#[derive(Debug, Default)]
pub struct Log {
    watch: Watch,
    events: Vec<Event>,
}

impl Log {
    /// Sets how deep observers look.
    pub fn set_watch(&mut self, watch: Watch) {
        self.watch = watch;
    }

    /// Somebody wants to know of registers and doorbells.
    #[inline]
    pub fn wants_registers(&self) -> bool {
        self.watch >= Watch::Registers
    }

    /// Somebody wants to know of each descriptor.
    #[inline]
    pub fn wants_descriptors(&self) -> bool {
        self.watch >= Watch::Descriptors
    }

    /// Notes an event of the level `Watch::Registers`.
    #[inline]
    pub fn registers(&mut self, event: impl FnOnce() -> Event) {
        if self.wants_registers() {
            self.events.push(event());
        }
    }

    /// Notes an event of the level `Watch::Descriptors`.
    #[inline]
    pub fn descriptors(&mut self, event: impl FnOnce() -> Event) {
        if self.wants_descriptors() {
            self.events.push(event());
        }
    }

    /// Nothing waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Takes what waits, leaving `empty` to be filled.
    pub fn swap(&mut self, empty: Vec<Event>) -> Vec<Event> {
        std::mem::replace(&mut self.events, empty)
    }
}

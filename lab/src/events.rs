//! What a NIC tells of the driver's doings, for the sanitizer and the trace.

use crate::clock::Nanos;
use crate::memory::{ClientMemory, DmaFault};

/// Direction of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Receive queue.
    Rx,
    /// Transmit queue.
    Tx,
}

/// One queue of a NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Queue {
    /// Receive or transmit.
    pub side: Side,
    /// Queue number.
    pub number: u16,
}

/// How deep observers look. Each level includes the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub enum Watch {
    /// Nothing is reported.
    Off,
    /// Registers, queue states and doorbells.
    Registers,
    /// Also every descriptor; costs time for each packet.
    #[default]
    Descriptors,
}

/// Something that happened at the driver's side of the NIC.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Event {
    /// A trapped read of a register in BAR0 returned `value`.
    RegisterRead { offset: u32, value: u32 },
    /// A trapped write in BAR0; `before` is what a read would have given before (no side effect).
    RegisterWrite { offset: u32, before: u32, value: u32 },
    /// A register in a mapped page was seen to have changed (RDT and TDT are told as `Doorbell` instead).
    MappedWrite { offset: u32, before: u32, value: u32 },
    /// A write to the PCI config space, of at most four bytes; a longer one is told in pieces.
    ConfigWrite { offset: u32, length: u32, value: u32 },
    /// CTRL.RST, CTRL.LRST or a function level reset took effect.
    Reset,
    /// The model has seen the rising edge of ENABLE. `slots` is the ring's length in descriptors.
    QueueEnabled { queue: Queue, base: u64, slots: u32, head: u32 },
    /// The falling edge of ENABLE (or a reset) has taken effect; outstanding descriptors are forgotten.
    QueueDisabled { queue: Queue, head: u32, tail: u32 },
    /// The tail moved.
    Doorbell { queue: Queue, head: u32, before: u32, tail: u32 },
    /// `Watch::Descriptors`: the tail passed this descriptor, it now belongs to the NIC (told after `Doorbell`).
    HandedOver { queue: Queue, slot: u32, words: [u64; 2] },
    /// `Watch::Descriptors`: the NIC has fetched the descriptor to act on it.
    Fetched { queue: Queue, slot: u32, words: [u64; 2] },
    /// `Watch::Descriptors`: the NIC gives the slot back. `written` is what was written back, if anything.
    Completed { queue: Queue, slot: u32, written: Option<[u64; 2]> },
    /// The head moved past all descriptors before `head` (told once a batch).
    HeadMoved { queue: Queue, head: u32 },
    /// The NIC tried to reach memory that the driver has not mapped.
    DmaFault { queue: Option<Queue>, slot: u32, fault: DmaFault },
    /// The NIC could not make sense of a descriptor and skipped it.
    BadDescriptor { queue: Queue, slot: u32, words: [u64; 2], why: &'static str },
    /// A client mapped or unmapped DMA memory.
    MemoryMapped { iova: u64, size: u64, mapped: bool },
    /// A driver has connected or gone.
    Client { present: bool },
    /// Told after `Client`: its registers are plain memory, so that only stores that change something are seen.
    ReadsUnseen,
}

/// What an observer may look at when it is told of an event.
pub struct Scene<'a> {
    /// Time of the polling round.
    pub now: Nanos,
    /// Reads a BAR0 register without side effects, as the driver would see it.
    pub peek: &'a dyn Fn(u32) -> u32,
    /// The driver's memory.
    pub memory: &'a ClientMemory,
}

/// Is told of every event, in order, on the polling thread.
pub trait Observer: Send {
    /// How deep this observer looks.
    fn watch(&self) -> Watch;
    /// One event.
    fn event(&mut self, scene: &Scene<'_>, event: &Event);
}

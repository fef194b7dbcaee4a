//! What is known of each queue.

use super::transmit_packets::Assembly;
use crate::clock::Nanos;
use crate::events::{Queue, Side};
use crate::ixgbe::regs::{self, Field, Register, Registers};

/// Queues of each direction.
const QUEUES: u16 = 128;

/// The registers of one direction.
pub(super) struct SideRegisters {
    pub base_low: &'static Registers,
    pub base_high: &'static Registers,
    pub length: &'static Registers,
    pub head: &'static Registers,
    pub tail: &'static Registers,
    pub control: &'static Registers,
    pub enable: Field,
}

static RX: SideRegisters = SideRegisters {
    base_low: &regs::RDBAL,
    base_high: &regs::RDBAH,
    length: &regs::RDLEN,
    head: &regs::RDH,
    tail: &regs::RDT,
    control: &regs::RXDCTL,
    enable: regs::rxdctl::ENABLE,
};

static TX: SideRegisters = SideRegisters {
    base_low: &regs::TDBAL,
    base_high: &regs::TDBAH,
    length: &regs::TDLEN,
    head: &regs::TDH,
    tail: &regs::TDT,
    control: &regs::TXDCTL,
    enable: regs::txdctl::ENABLE,
};

pub(super) fn registers(side: Side) -> &'static SideRegisters {
    match side {
        Side::Rx => &RX,
        Side::Tx => &TX,
    }
}

/// How the rising edge of ENABLE was noticed, and what follows from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Enabling {
    /// In a mapped page, where reads are not seen (or not at all).
    #[default]
    Unseen,
    /// By a trapped write; ENABLE has not been read as 1 since.
    Written,
    /// ENABLE has been read as 1.
    ReadBack,
}

/// Which registers of a queue were written since the last reset.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    pub base_low: bool,
    pub base_high: bool,
    pub length: bool,
}

/// A run of doorbells that each moved the tail by one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SingleSteps {
    pub count: u32,
    pub since: Nanos,
}

/// Bytes of memory that the NIC may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub start: u64,
    /// Never more than the largest buffer, so that this fits.
    pub length: u32,
}

impl Extent {
    pub fn end(self) -> u64 {
        self.start.saturating_add(u64::from(self.length))
    }

    pub fn overlaps(self, other: Extent) -> bool {
        self.start < other.end() && other.start < self.end()
    }
}

/// A slot of a ring, while the NIC owns it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    pub owned: bool,
    pub words: [u64; 2],
    pub buffer: Extent,
}

/// How a receive queue uses its buffers, as programmed when it was enabled.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReceiveFormat {
    /// Legacy descriptors: status bits are elsewhere.
    pub legacy: bool,
    /// Most bytes that the NIC writes to one buffer.
    pub reach: u32,
}

/// One queue.
#[derive(Debug, Default)]
pub(super) struct QueueState {
    pub enabled: bool,
    pub enabled_at: Nanos,
    /// The driver has cleared ENABLE.
    pub stop_asked: bool,
    /// When the NIC disabled it without the driver having asked (the driver went away).
    pub dropped_at: Option<Nanos>,
    pub enabling: Enabling,
    pub written: Written,
    pub base: u64,
    pub slots: u32,
    /// The head has moved since the queue was enabled.
    pub moved: bool,
    /// The rules that wait for a queue to be in full use have been judged.
    pub steady: bool,
    pub single_steps: SingleSteps,
    pub tail: u32,
    pub format: ReceiveFormat,
    pub assembly: Assembly,
    /// Kept when the queue is disabled, to be used again without allocation.
    pub ring: Vec<Slot>,
}

impl QueueState {
    /// The memory of the ring.
    pub fn ring_extent(&self) -> Extent {
        Extent { start: self.base, length: self.slots.saturating_mul(16) }
    }
}

/// All queues.
#[derive(Debug)]
pub(super) struct Queues {
    rx: Vec<QueueState>,
    tx: Vec<QueueState>,
}

impl Queues {
    pub fn new() -> Self {
        let side = || (0..QUEUES).map(|_| QueueState::default()).collect();
        Queues { rx: side(), tx: side() }
    }

    pub fn get(&self, queue: Queue) -> Option<&QueueState> {
        self.side(queue.side).get(usize::from(queue.number))
    }

    pub fn get_mut(&mut self, queue: Queue) -> Option<&mut QueueState> {
        let side = match queue.side {
            Side::Rx => &mut self.rx,
            Side::Tx => &mut self.tx,
        };
        side.get_mut(usize::from(queue.number))
    }

    pub fn side(&self, side: Side) -> &[QueueState] {
        match side {
            Side::Rx => &self.rx,
            Side::Tx => &self.tx,
        }
    }

    /// Both directions, by queue.
    pub fn iter(&self) -> impl Iterator<Item = (Queue, &QueueState)> {
        let numbered = |side| move |(number, state)| (Queue { side, number: number as u16 }, state);
        let rx = self.rx.iter().enumerate().map(numbered(Side::Rx));
        rx.chain(self.tx.iter().enumerate().map(numbered(Side::Tx)))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut QueueState> {
        self.rx.iter_mut().chain(&mut self.tx)
    }

    pub fn is_enabled(&self, queue: Queue) -> bool {
        self.get(queue).is_some_and(|state| state.enabled)
    }

    pub fn first_enabled(&self) -> Option<Queue> {
        self.iter().find(|(_, state)| state.enabled).map(|(queue, _)| queue)
    }

    /// `RX queue 3`.
    pub fn name(&self, queue: Queue) -> String {
        let side = match queue.side {
            Side::Rx => "RX",
            Side::Tx => "TX",
        };
        format!("{side} queue {}", queue.number)
    }
}

/// A register of one queue.
pub(super) fn of(registers: &'static Registers, queue: Queue) -> Register {
    registers.at(queue.number)
}

//! The trace: every access to a register and every doorbell, as lines of text or as entries to be asked about.
//!
//! [`Trace::to_writer`] writes one readable line for each (see [`line`] for the format); [`Trace::ring`] keeps the
//! last ones in memory for a test to look at through a [`TraceHandle`].

use std::fmt;
use std::io::Write;

use crate::clock::Nanos;
use crate::events::{Event, Observer, Queue, Scene, Watch};
use crate::memory::DmaFault;
use crate::sanitizer::lookup::{self, Found};

mod line;
mod ring;

use line::LineWriter;
pub use line::TraceErrors;
use ring::Ring;
pub use ring::{TraceHandle, Written};

/// Name of a register: data-sheet spelling, and number if there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegisterName {
    /// Such as `RDT`; empty where the model has no register. An alias has the name of the register that it is
    /// another address of.
    pub name: &'static str,
    /// The 3 of `RDT[3]`.
    pub number: Option<u16>,
    /// From the start of BAR0, as accessed.
    pub offset: u32,
}

impl RegisterName {
    fn at(offset: u32) -> Self {
        match lookup::at(offset) {
            Some(found) => RegisterName { name: found.name(), number: found.number(), offset },
            None => RegisterName { name: "", number: None, offset },
        }
    }

    /// Whether this is register `name`, and the one with this number if one is asked for.
    pub fn is(&self, name: &str, number: Option<u16>) -> bool {
        self.name == name && (number.is_none() || self.number == number)
    }

    fn found(&self) -> Option<Found> {
        lookup::at(self.offset)
    }
}

impl fmt::Display for RegisterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name, self.number) {
            ("", _) => write!(f, "{:#07x}", self.offset),
            (name, Some(number)) => write!(f, "{name}[{number}]"),
            (name, None) => f.write_str(name),
        }
    }
}

/// What a trace records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Traced {
    /// A trapped read, `times` times in a row with the same result.
    Read { register: RegisterName, value: u32, times: u32 },
    /// A write; `mapped` if it was noticed in a page that the driver has mapped.
    Write { register: RegisterName, before: u32, value: u32, mapped: bool },
    /// A write to the PCI config space.
    Config { offset: u32, length: u32, value: u32 },
    /// A tail moved.
    Doorbell { queue: Queue, head: u32, before: u32, tail: u32 },
    /// A reset took effect.
    Reset,
    /// The NIC saw ENABLE go to 1.
    Enabled { queue: Queue, base: u64, slots: u32, head: u32 },
    /// The NIC saw ENABLE go to 0.
    Disabled { queue: Queue, head: u32, tail: u32 },
    /// The NIC could not reach memory.
    Fault { queue: Option<Queue>, slot: u32, fault: DmaFault },
    /// The NIC skipped a descriptor.
    Bad { queue: Queue, slot: u32, words: [u64; 2], why: &'static str },
    /// The driver mapped or unmapped DMA memory.
    Memory { iova: u64, size: u64, mapped: bool },
    /// A driver came or left.
    Client { present: bool },
}

impl Traced {
    /// What is traced of an event, if anything.
    fn from(event: &Event) -> Option<Traced> {
        Some(match *event {
            Event::RegisterRead { offset, value } => {
                Traced::Read { register: RegisterName::at(offset), value, times: 1 }
            }
            Event::RegisterWrite { offset, before, value } => {
                Traced::Write { register: RegisterName::at(offset), before, value, mapped: false }
            }
            Event::MappedWrite { offset, before, value } => {
                Traced::Write { register: RegisterName::at(offset), before, value, mapped: true }
            }
            Event::ConfigWrite { offset, length, value } => Traced::Config { offset, length, value },
            Event::Doorbell { queue, head, before, tail } => Traced::Doorbell { queue, head, before, tail },
            Event::Reset => Traced::Reset,
            Event::QueueEnabled { queue, base, slots, head } => Traced::Enabled { queue, base, slots, head },
            Event::QueueDisabled { queue, head, tail } => Traced::Disabled { queue, head, tail },
            Event::DmaFault { queue, slot, fault } => Traced::Fault { queue, slot, fault },
            Event::BadDescriptor { queue, slot, words, why } => Traced::Bad { queue, slot, words, why },
            Event::MemoryMapped { iova, size, mapped } => Traced::Memory { iova, size, mapped },
            Event::Client { present } => Traced::Client { present },
            Event::HandedOver { .. }
            | Event::Fetched { .. }
            | Event::Completed { .. }
            | Event::HeadMoved { .. }
            | Event::ReadsUnseen => return None,
        })
    }

    /// Whether this is a repetition of a read that may be counted instead of told again.
    fn repeats(&self, other: &Traced) -> bool {
        match (self, other) {
            (Traced::Read { register, value, .. }, Traced::Read { register: again, value: same, .. }) => {
                register == again && value == same
            }
            _ => false,
        }
    }
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceEntry {
    /// Nanoseconds since the driver attached; of repeated reads, the first.
    pub time: u64,
    /// What it was.
    pub what: Traced,
}

/// An observer that records.
#[derive(Debug)]
pub struct Trace {
    attached: Nanos,
    last: Nanos,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Lines(LineWriter),
    Ring(Ring),
}

impl Trace {
    /// A trace that writes one line for each entry. It is buffered, but a register access is written out at once, so
    /// that the last line is there when a driver hangs. Trouble with the writer ends the trace, not the NIC: see
    /// [`errors`](Self::errors).
    pub fn to_writer(writer: Box<dyn Write + Send>) -> Self {
        Trace {
            attached: Nanos::default(),
            last: Nanos::default(),
            sink: Sink::Lines(LineWriter::new(writer)),
        }
    }

    /// A trace that keeps the last `capacity` entries, and apart from them the last `capacity` doorbells, so that
    /// traffic does not push out what came before it.
    pub fn ring(capacity: usize) -> (Self, TraceHandle) {
        let (ring, handle) = Ring::new(capacity);
        (Trace { attached: Nanos::default(), last: Nanos::default(), sink: Sink::Ring(ring) }, handle)
    }

    /// Tells later whether everything could be written; always well for a ring.
    pub fn errors(&self) -> TraceErrors {
        match &self.sink {
            Sink::Lines(lines) => lines.errors(),
            Sink::Ring(_) => TraceErrors::default(),
        }
    }
}

impl Observer for Trace {
    fn watch(&self) -> Watch {
        Watch::Registers
    }

    fn event(&mut self, scene: &Scene<'_>, event: &Event) {
        let Some(what) = Traced::from(event) else { return };
        if what == (Traced::Client { present: true }) {
            self.attached = now(scene, event);
        }
        self.last = self.last.max(now(scene, event));
        let entry = TraceEntry { time: self.last.since(self.attached), what };
        match &mut self.sink {
            Sink::Lines(lines) => lines.add(entry),
            Sink::Ring(ring) => ring.add(entry),
        }
    }
}

/// Time of an event. A polling round has one time, but messages of the driver come at any time within it, and it is
/// their pauses that a reader looks for.
fn now(scene: &Scene<'_>, event: &Event) -> Nanos {
    match event {
        Event::RegisterRead { .. }
        | Event::RegisterWrite { .. }
        | Event::ConfigWrite { .. }
        | Event::Client { .. } => scene.now.max(Nanos::now()),
        _ => scene.now,
    }
}

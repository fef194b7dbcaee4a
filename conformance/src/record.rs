//! What the driver did to a NIC, kept for the case to look at.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ringway_lab::events::{Event, Observer, Queue, Scene, Side, Watch};
use ringway_lab::ixgbe::regs::{Register, TDT};

/// Events in order, shared between the polling thread and the judge.
#[derive(Clone, Debug, Default)]
pub struct Record(Arc<Mutex<Vec<Event>>>);

/// More than any case looks at; a longer run keeps its beginning.
const LIMIT: usize = 1 << 20;

impl Record {
    /// The observer that fills this record.
    pub fn observer(&self, watch: Watch) -> Box<dyn Observer> {
        Box::new(Recorder { record: self.clone(), watch })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Event>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything so far.
    pub fn events(&self) -> Vec<Event> {
        self.lock().clone()
    }

    /// Forgets everything so far.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// The place of the first event that `matches`.
    pub fn first(&self, matches: impl Fn(&Event) -> bool) -> Option<usize> {
        self.lock().iter().position(matches)
    }

    /// The place of the last event that `matches`.
    pub fn last(&self, matches: impl Fn(&Event) -> bool) -> Option<usize> {
        self.lock().iter().rposition(matches)
    }

    /// How many events match.
    pub fn count(&self, matches: impl Fn(&Event) -> bool) -> usize {
        self.lock().iter().filter(|event| matches(event)).count()
    }
}

struct Recorder {
    record: Record,
    watch: Watch,
}

impl Observer for Recorder {
    fn watch(&self) -> Watch {
        self.watch
    }

    fn event(&mut self, _scene: &Scene<'_>, event: &Event) {
        let mut events = self.record.lock();
        if events.len() < LIMIT {
            events.push(*event);
        }
    }
}

/// The value that `event` writes to `register`, if it does.
pub fn written(event: &Event, register: Register) -> Option<u32> {
    match *event {
        Event::RegisterWrite { offset, value, .. } | Event::MappedWrite { offset, value, .. }
            if offset == register.offset =>
        {
            Some(value)
        }
        _ => None,
    }
}

/// The tail that `event` writes for `queue`, if it does. Only with trapped doorbells is every write seen.
pub fn rung(event: &Event, queue: Queue) -> bool {
    let tails = match queue.side {
        Side::Rx => ringway_lab::ixgbe::regs::RDT,
        Side::Tx => TDT,
    };
    written(event, tails.at(queue.number)).is_some()
}

/// Receive queue `number`.
pub const fn rx(number: u16) -> Queue {
    Queue { side: Side::Rx, number }
}

/// Transmit queue `number`.
pub const fn tx(number: u16) -> Queue {
    Queue { side: Side::Tx, number }
}

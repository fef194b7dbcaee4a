//! A trace in memory, and questions to it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{TraceEntry, Traced};
use crate::events::Side;

#[derive(Debug, Default)]
struct Kept {
    /// Entries and doorbells, each with the number of its coming.
    entries: VecDeque<(u64, TraceEntry)>,
    doorbells: VecDeque<(u64, TraceEntry)>,
    next: u64,
    lost: u64,
}

/// The trace's end of a [`TraceHandle`].
#[derive(Debug)]
pub(super) struct Ring {
    capacity: usize,
    kept: Arc<Mutex<Kept>>,
}

impl Ring {
    pub fn new(capacity: usize) -> (Self, TraceHandle) {
        let kept = Arc::new(Mutex::new(Kept::default()));
        (Ring { capacity: capacity.max(1), kept: Arc::clone(&kept) }, TraceHandle { kept })
    }

    pub fn add(&mut self, entry: TraceEntry) {
        let mut kept = lock(&self.kept);
        let kept = &mut *kept;
        let number = kept.next;
        kept.next += 1;
        let queue = match entry.what {
            Traced::Doorbell { .. } => &mut kept.doorbells,
            _ => &mut kept.entries,
        };
        if let Some((last, known)) = queue.back_mut() {
            // Only without a doorbell in between, or the order would be lost.
            if *last + 1 == number && known.what.repeats(&entry.what) {
                if let Traced::Read { times, .. } = &mut known.what {
                    *times += 1;
                }
                kept.next -= 1;
                return;
            }
        }
        if queue.len() == self.capacity {
            queue.pop_front();
            kept.lost += 1;
        }
        queue.push_back((number, entry));
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a trace has recorded. Clones share the record; any thread may ask.
#[derive(Clone, Debug)]
pub struct TraceHandle {
    kept: Arc<Mutex<Kept>>,
}

impl TraceHandle {
    /// Everything kept, in the order in which it happened.
    pub fn entries(&self) -> Vec<TraceEntry> {
        let kept = lock(&self.kept);
        let mut all: Vec<_> = kept.entries.iter().chain(&kept.doorbells).copied().collect();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, entry)| entry).collect()
    }

    /// Forgets everything.
    pub fn clear(&self) {
        *lock(&self.kept) = Kept::default();
    }

    /// Entries that had to make room for others.
    pub fn lost(&self) -> u64 {
        lock(&self.kept).lost
    }

    /// Writes to a register, or with `number` to one of several. For RDT and TDT that includes doorbells rung in a
    /// mapped page; a doorbell that came by a trapped write is not told twice.
    pub fn writes(&self, name: &str, number: Option<u16>) -> Vec<Written> {
        let entries = self.entries();
        let mut found: Vec<Written> = Vec::new();
        for (position, entry) in entries.iter().enumerate() {
            let Some(written) = Written::from(position, entry, name, number) else { continue };
            let doorbell = matches!(entry.what, Traced::Doorbell { .. });
            let echo = doorbell && position > 0 && {
                let before = Written::from(position - 1, &entries[position - 1], name, written.number);
                before.is_some_and(|before| before.value == written.value)
            };
            if !echo {
                found.push(written);
            }
        }
        found
    }

    /// The first write to a register.
    pub fn first_write(&self, name: &str) -> Option<Written> {
        self.writes(name, None).into_iter().next()
    }

    /// Reads of a register: position in [`entries`](Self::entries), value, and how often in a row.
    pub fn reads(&self, name: &str, number: Option<u16>) -> Vec<(usize, u32, u32)> {
        let of = |(position, entry): (usize, &TraceEntry)| match entry.what {
            Traced::Read { register, value, times } if register.is(name, number) => {
                Some((position, value, times))
            }
            _ => None,
        };
        self.entries().iter().enumerate().filter_map(of).collect()
    }

    /// Position in [`entries`](Self::entries) of the first one that `wanted` accepts.
    pub fn position(&self, wanted: impl Fn(&Traced) -> bool) -> Option<usize> {
        self.entries().iter().position(|entry| wanted(&entry.what))
    }

    /// Position of the first write to a register whose value `wanted` accepts.
    pub fn position_of_write(
        &self,
        name: &str,
        number: Option<u16>,
        wanted: impl Fn(u32) -> bool,
    ) -> Option<usize> {
        self.writes(name, number)
            .into_iter()
            .find(|written| wanted(written.value))
            .map(|written| written.position)
    }
}

/// A write that a trace recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// In [`TraceHandle::entries`].
    pub position: usize,
    /// Nanoseconds since the driver attached.
    pub time: u64,
    /// Number of the register, if it is one of several.
    pub number: Option<u16>,
    /// Value before.
    pub before: u32,
    /// Value written.
    pub value: u32,
}

impl Written {
    fn from(position: usize, entry: &TraceEntry, name: &str, number: Option<u16>) -> Option<Self> {
        let time = entry.time;
        match entry.what {
            Traced::Write { register, before, value, .. } if register.is(name, number) => {
                Some(Written { position, time, number: register.number, before, value })
            }
            Traced::Doorbell { queue, before, tail, .. } => {
                let tail_register = if queue.side == Side::Rx { "RDT" } else { "TDT" };
                let wanted = name == tail_register && number.is_none_or(|number| number == queue.number);
                let number = Some(queue.number);
                wanted.then_some(Written { position, time, number, before, value: tail })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::RegisterName;
    use super::*;
    use crate::events::Queue;

    const RX0: Queue = Queue { side: Side::Rx, number: 0 };

    fn write(offset: u32, value: u32) -> Traced {
        Traced::Write { register: RegisterName::at(offset), before: 0, value, mapped: false }
    }

    fn read(offset: u32, value: u32) -> Traced {
        Traced::Read { register: RegisterName::at(offset), value, times: 1 }
    }

    fn doorbell(tail: u32) -> Traced {
        Traced::Doorbell { queue: RX0, head: 0, before: 0, tail }
    }

    fn record(capacity: usize, whats: &[Traced]) -> TraceHandle {
        let (mut ring, handle) = Ring::new(capacity);
        for (time, what) in whats.iter().enumerate() {
            ring.add(TraceEntry { time: time as u64, what: *what });
        }
        handle
    }

    #[test]
    fn order_can_be_asked_for() {
        let trace = record(
            100,
            &[write(0x1028, 0x0200_0000), read(0x1028, 0x0200_0000), doorbell(511), write(0x3000, 1)],
        );
        let receive = trace.first_write("RXCTRL").unwrap();
        let tail = trace.writes("RDT", Some(0));
        assert_eq!((tail.len(), tail[0].value, tail[0].position), (1, 511, 2));
        assert!(tail[0].position < receive.position);
        assert_eq!(trace.reads("RXDCTL", Some(0)), [(1, 0x0200_0000, 1)]);
        assert_eq!(trace.position_of_write("RXDCTL", None, |value| value >> 25 & 1 == 1), Some(0));
        assert_eq!(trace.position(|what| matches!(what, Traced::Reset)), None);
        assert!(trace.writes("RDT", Some(1)).is_empty());
    }

    #[test]
    fn a_trapped_doorbell_is_one_write() {
        let trace = record(100, &[write(0x1018, 7), doorbell(7), doorbell(9)]);
        let values: Vec<u32> = trace.writes("RDT", None).iter().map(|written| written.value).collect();
        assert_eq!(values, [7, 9]);
    }

    #[test]
    fn repeated_reads_are_counted_unless_something_came_between() {
        let trace = record(100, &[read(8, 1), read(8, 1), read(8, 2), doorbell(1), read(8, 2)]);
        assert_eq!(trace.reads("STATUS", None), [(0, 1, 2), (1, 2, 1), (3, 2, 1)]);
    }

    #[test]
    fn traffic_does_not_push_out_initialisation() {
        let mut whats = vec![write(0x3000, 1)];
        whats.extend((0..1000).map(doorbell));
        let trace = record(10, &whats);
        assert!(trace.first_write("RXCTRL").is_some());
        assert_eq!((trace.entries().len(), trace.lost()), (11, 990));
        trace.clear();
        assert_eq!((trace.entries().len(), trace.lost()), (0, 0));
    }
}

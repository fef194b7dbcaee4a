//! Packets with sequence numbers, from each NIC to the other.

use std::cell::Cell;
use std::time::Duration;

use ringway_lab::wire::generator::{Direction, GeneratorHandle, Report};

use super::summary::Flow;
use super::traffic::{State, wrong_byte};
use crate::progress::Step;

/// A pair of generators.
pub struct Generated {
    handle: GeneratorHandle,
    /// Packets in each direction, if their number is set.
    count: Option<u64>,
    /// How long they are sent, otherwise.
    pub duration: Option<Duration>,
    /// The longest time between two packets.
    pub longest_gap: Duration,
    stopped: Cell<bool>,
    began: Cell<Option<u64>>,
    /// When a packet arrived last, and how many there were.
    moved: Cell<(u64, u64)>,
}

impl Generated {
    /// Around a pair that is still held back.
    pub fn new(
        handle: GeneratorHandle,
        count: Option<u64>,
        duration: Option<Duration>,
        longest_gap: Duration,
    ) -> Self {
        let (stopped, began, moved) = (Cell::new(false), Cell::new(None), Cell::new((0, 0)));
        Generated { handle, count, duration, longest_gap, stopped, began, moved }
    }

    /// Lets it go.
    pub fn start(&self) {
        self.began.set(Some(clock(&self.handle.report())));
        self.handle.start();
    }

    /// Sends nothing more.
    pub fn stop(&self) {
        self.handle.stop();
        self.stopped.set(true);
    }

    /// How far it is.
    pub fn state(&self) -> State {
        let report = self.handle.report();
        self.notice(&report);
        let total = self.count.map(|count| count * report.directions.len() as u64);
        let sent = report.sent();
        let step = Step { total, sent, arrived: sent.saturating_sub(report.missing()) };
        State { step, finished_sending: self.stopped.get() || total.is_some_and(|total| sent >= total) }
    }

    /// What was counted in each direction.
    pub fn flows(&self) -> Vec<Flow> {
        let report = self.handle.report();
        self.notice(&report);
        let elapsed = self.elapsed_s();
        let names = ["a -> b", "b -> a"];
        names
            .iter()
            .zip(&report.directions)
            .map(|(name, direction)| self.flow(name, direction, elapsed))
            .collect()
    }

    /// Seconds from the start to the last packet that arrived, to the fiftieth of a second at which one looked.
    pub fn elapsed_s(&self) -> f64 {
        let (last, _) = self.moved.get();
        last.saturating_sub(self.began.get().unwrap_or(last)) as f64 / 1e9
    }

    /// Remembers when something moved last.
    fn notice(&self, report: &Report) {
        let received = report.received();
        if received != self.moved.get().1 {
            self.moved.set((clock(report), received));
        }
    }

    fn flow(&self, name: &str, direction: &Direction, elapsed: f64) -> Flow {
        Flow {
            name: name.to_owned(),
            planned: self.count,
            sent: direction.sent,
            received: direction.received,
            bytes: direction.received_bytes,
            lost: direction.missing(),
            dropped: Vec::new(),
            duplicates: direction.duplicates,
            reordered: direction.reordered,
            wrong: direction.corrupt + direction.unexpected + direction.stale,
            rate_pps: if elapsed > 0.0 { direction.received as f64 / elapsed } else { 0.0 },
            latency: direction.latency,
            first_wrong: first_wrong(direction),
        }
    }
}

/// When the report was made, by the lab's clock.
fn clock(report: &Report) -> u64 {
    report.directions.iter().map(|direction| direction.received_at_ns).max().unwrap_or(0)
}

fn first_wrong(direction: &Direction) -> Option<String> {
    let wrong = direction.first_corrupt.as_ref()?;
    Some(wrong_byte(&format!("packet {}", wrong.sequence), wrong.offset, wrong.expected, wrong.got))
}

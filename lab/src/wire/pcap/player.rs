//! When each packet of a capture goes on the wire.

use std::sync::Arc;

use super::read::{Capture, Packet};
use crate::clock::Nanos;

/// How fast a capture is replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Timing {
    /// As fast as the NIC takes packets.
    #[default]
    Fastest,
    /// With the gaps of the capture.
    Original,
    /// With the gaps of the capture divided by this: 2.0 is twice as fast.
    Scaled(f64),
    /// So many packets per second, evenly.
    Rate(f64),
}

impl Timing {
    /// Whether the number in it makes sense: finite and above zero.
    pub fn is_valid(self) -> bool {
        match self {
            Timing::Fastest | Timing::Original => true,
            Timing::Scaled(number) | Timing::Rate(number) => number.is_finite() && number > 0.0,
        }
    }
}

/// Walks through a capture, once or several times.
///
/// The clock starts when the first packet is asked for, that is when the NIC is ready to receive.
#[derive(Debug)]
pub struct Player {
    capture: Arc<Capture>,
    timing: Timing,
    /// `None` repeats for ever.
    rounds: Option<u64>,
    round: u64,
    next: usize,
    started: Option<Nanos>,
    /// Length of one round in nanoseconds of the capture's own clock.
    period: u64,
}

impl Player {
    /// `rounds` is how often the capture is played; `None` is for ever.
    ///
    /// # Panics
    /// If `timing` is not [valid](Timing::is_valid).
    pub fn new(capture: Arc<Capture>, timing: Timing, rounds: Option<u64>) -> Self {
        assert!(timing.is_valid(), "{timing:?} is no speed");
        let period = period(&capture);
        Player { capture, timing, rounds, round: 0, next: 0, started: None, period }
    }

    /// The capture.
    pub fn capture(&self) -> &Capture {
        &self.capture
    }

    /// How many packets will be played in all; `None` is no end.
    pub fn total(&self) -> Option<u64> {
        self.rounds.map(|rounds| rounds * self.capture.len() as u64)
    }

    /// The number (in the capture) of the next packet, if it is due.
    pub fn due(&mut self, now: Nanos) -> Option<usize> {
        let started = *self.started.get_or_insert(now);
        let due = !self.finished() && now.since(started) >= self.offset();
        due.then_some(self.next)
    }

    /// The packet that is next, whether due or not.
    ///
    /// # Panics
    /// If there is none.
    pub fn packet(&self) -> Packet<'_> {
        self.capture.packet(self.next)
    }

    /// Goes on to the next packet.
    pub fn advance(&mut self) {
        self.next += 1;
        if self.next >= self.capture.len() {
            self.next = 0;
            self.round += 1;
        }
    }

    /// All packets have been played.
    pub fn finished(&self) -> bool {
        self.capture.is_empty() || self.rounds.is_some_and(|rounds| self.round >= rounds)
    }

    /// When the next packet is due.
    pub fn next_due(&self) -> Option<Nanos> {
        let started = self.started.filter(|_| !self.finished())?;
        Some(Nanos(started.0.saturating_add(self.offset())))
    }

    /// Nanoseconds from the start to the next packet.
    fn offset(&self) -> u64 {
        match self.timing {
            Timing::Fastest => 0,
            Timing::Original => self.capture_time(),
            Timing::Scaled(factor) => (self.capture_time() as f64 / factor) as u64,
            Timing::Rate(rate) => {
                let played = self.round * self.capture.len() as u64 + self.next as u64;
                (played as f64 * 1e9 / rate) as u64
            }
        }
    }

    /// The same in the capture's own time.
    fn capture_time(&self) -> u64 {
        let first = self.capture.packet(0).timestamp;
        let here = self.packet().timestamp.saturating_sub(first);
        self.round.saturating_mul(self.period).saturating_add(here)
    }
}

/// From the first packet of one round to the first of the next: as long as the capture, and its mean gap.
fn period(capture: &Capture) -> u64 {
    let gaps = capture.len().saturating_sub(1) as u64;
    if gaps == 0 {
        return 0;
    }
    let first = capture.packet(0).timestamp;
    let length = capture.packets().map(|packet| packet.timestamp.saturating_sub(first)).max().unwrap_or(0);
    length + length / gaps
}

//! A capture goes into one NIC and is expected to come out of another: what is lost, doubled, reordered or damaged
//! on the way through the driver is counted, and what comes out is recorded.

mod matcher;
mod report;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use matcher::{CHANGED_BYTE, Counts, Difference, Matcher, Verdict};
pub use report::{Progress, Report};

use super::latency::{self, Latencies};
use super::pcap::{Capture, Padded, Player, Record, Recorder, Timing};
use super::{Frame, Wire};
use crate::clock::Nanos;

/// Which timestamps the recorded packets get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timestamps {
    /// When they arrived.
    #[default]
    Arrival,
    /// Those of the capture, so that the two files can be compared byte by byte.
    Original,
}

/// How a capture is replayed from one NIC to another.
#[derive(Debug)]
pub struct ReplayOptions {
    /// How fast.
    pub timing: Timing,
    /// How often; `None` is for ever.
    pub rounds: Option<u64>,
    /// Nothing is sent until [`ReplayHandle::start`].
    pub hold: bool,
    /// What the driver adds to byte 48 of each frame: 1 for the forward workload, 0 if it should change nothing.
    pub increment: u8,
    /// Records what comes out of the second NIC. Padding that the capture did not have is taken off again.
    pub output: Option<Recorder>,
    /// Timestamps of the recorded packets.
    pub timestamps: Timestamps,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            timing: Timing::Fastest,
            rounds: Some(1),
            hold: false,
            increment: 1,
            output: None,
            timestamps: Timestamps::Arrival,
        }
    }
}

/// The wire for the NIC that the capture goes into, the one for the NIC that it comes out of, and the handle.
///
/// # Panics
/// If the timing is not [valid](Timing::is_valid).
pub fn pair(capture: Arc<Capture>, options: ReplayOptions) -> (ReplayWire, RecordWire, ReplayHandle) {
    let player = Player::new(Arc::clone(&capture), options.timing, options.rounds);
    let shared = Arc::new(Mutex::new(Shared {
        matcher: Matcher::new(Arc::clone(&capture), options.increment),
        latencies: Latencies::default(),
        held: options.hold,
        total: player.total(),
        finished: player.finished(),
        returned: 0,
        began: None,
        last: None,
        recorded: options.output.as_ref().map(Recorder::written),
    }));
    let replay = ReplayWire { player, shared: Arc::clone(&shared), padded: Padded::default(), due: None };
    let record = RecordWire {
        capture,
        shared: Arc::clone(&shared),
        output: options.output,
        timestamps: options.timestamps,
    };
    (replay, record, ReplayHandle { shared })
}

/// What both wires and the handle share. The wires are polled by one thread, so that the lock is hardly ever waited
/// for.
#[derive(Debug)]
struct Shared {
    matcher: Matcher,
    latencies: Latencies,
    held: bool,
    total: Option<u64>,
    finished: bool,
    /// Frames that came back out of the first NIC.
    returned: u64,
    /// When the first packet was sent.
    began: Option<Nanos>,
    /// When the last packet was sent or arrived.
    last: Option<Nanos>,
    recorded: Option<u64>,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    // Counts may be off by one after a panic elsewhere; nothing worse.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plugged into the NIC that receives the capture.
#[derive(Debug)]
pub struct ReplayWire {
    player: Player,
    shared: Arc<Mutex<Shared>>,
    padded: Padded,
    /// The packet that `peek` has shown.
    due: Option<usize>,
}

impl Wire for ReplayWire {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        if self.due.is_none() {
            if lock(&self.shared).held {
                return None;
            }
            self.due = Some(self.player.due(now)?);
        }
        let bytes = self.padded.pad(self.player.packet().bytes);
        Some(Frame { bytes, fcs_good: true })
    }

    fn advance(&mut self, now: Nanos) {
        let Some(packet) = self.due.take() else { return };
        self.player.advance();
        let mut shared = lock(&self.shared);
        shared.matcher.sent(packet, now);
        shared.began.get_or_insert(now);
        shared.last = Some(now);
        shared.finished = self.player.finished();
    }

    fn send(&mut self, _frame: &[u8], _now: Nanos) {
        lock(&self.shared).returned += 1;
    }

    fn next_due(&mut self, _now: Nanos) -> Option<Nanos> {
        self.player.next_due()
    }

    fn exhausted(&self) -> bool {
        self.player.finished()
    }
}

/// Plugged into the NIC that sends what the driver has forwarded.
#[derive(Debug)]
pub struct RecordWire {
    capture: Arc<Capture>,
    shared: Arc<Mutex<Shared>>,
    output: Option<Recorder>,
    timestamps: Timestamps,
}

impl RecordWire {
    fn record(&mut self, frame: &[u8], verdict: Verdict, now: Nanos) {
        let Some(output) = &mut self.output else { return };
        let original = match verdict {
            Verdict::Right(packet) | Verdict::Duplicate(packet) => Some(packet),
            Verdict::Corrupt(packet) => Some(packet).filter(|_| self.timestamps == Timestamps::Original),
            Verdict::Unexpected => None,
        };
        let Some(original) = original.map(|packet| self.capture.packet(packet)) else {
            return output.record(frame, now, None);
        };
        let padding = !matches!(verdict, Verdict::Corrupt(_));
        let bytes = if padding { &frame[..original.bytes.len()] } else { frame };
        match self.timestamps {
            Timestamps::Arrival => output.record(bytes, now, None),
            Timestamps::Original => {
                output.record_as(&Record { bytes, timestamp: original.timestamp, direction: None });
            }
        }
    }

    fn publish(&self) {
        if let Some(output) = &self.output {
            lock(&self.shared).recorded = Some(output.written());
        }
    }
}

impl Wire for RecordWire {
    fn peek(&mut self, _now: Nanos) -> Option<Frame<'_>> {
        None
    }

    fn advance(&mut self, _now: Nanos) {}

    fn send(&mut self, frame: &[u8], now: Nanos) {
        let verdict = {
            let mut shared = lock(&self.shared);
            let (verdict, sent_at) = shared.matcher.arrived(frame);
            if let Some(sent_at) = sent_at {
                let under_way = latency::or_within_round(now.since(sent_at), |now| now.since(sent_at));
                shared.latencies.record(under_way);
                shared.last = Some(now);
            }
            verdict
        };
        self.record(frame, verdict, now);
    }

    fn poll(&mut self, now: Nanos) -> bool {
        let busy = self.output.as_mut().is_some_and(|output| output.poll(now));
        if busy {
            self.publish();
        }
        busy
    }

    fn exhausted(&self) -> bool {
        true
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.output.as_mut().map_or(Ok(()), Recorder::flush);
        self.publish();
        result
    }

    fn take_error(&mut self) -> Option<io::Error> {
        self.output.as_mut()?.take_error()
    }
}

/// Starts a replay and tells how it goes. May be cloned and used from any thread.
#[derive(Clone, Debug)]
pub struct ReplayHandle {
    shared: Arc<Mutex<Shared>>,
}

impl ReplayHandle {
    /// Lets a replay go that was held back.
    pub fn start(&self) {
        lock(&self.shared).held = false;
    }

    /// Holds a replay back: what is due waits until [`start`](Self::start).
    pub fn hold(&self) {
        lock(&self.shared).held = true;
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let shared = lock(&self.shared);
        let counts = shared.matcher.counts();
        Progress {
            total: shared.total,
            sent: counts.sent,
            arrived: counts.arrived,
            finished_sending: shared.finished,
        }
    }

    /// Everything that was counted. Packets that are still under way count as lost: let the NICs come to rest first.
    pub fn report(&self) -> Report {
        Report::of(&lock(&self.shared))
    }
}

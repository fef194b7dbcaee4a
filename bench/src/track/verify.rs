//! Whether `capture` writes what was on the wire. At full load its packets go to nowhere; here some go into a file, and every
//! byte of them is looked at.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ringway_lab::clock::Nanos;
use ringway_lab::wire::generator::{self, GeneratorOptions, GeneratorWire, Rate, Sizes};
use ringway_lab::wire::pcap::{Capture, ReadOptions};
use ringway_lab::wire::{Frame, Wire};

use super::{Track, Trouble, fails, generator as options};
use crate::contender::Contender;
use crate::error::Error;
use crate::judge::{self, Refusal};
use crate::plan::Point;
use crate::rig::Rig;

/// So many packets are sent.
const PACKETS: u64 = 30_000;
/// Packets a second: no load for anybody.
const RATE: f64 = 100_000.0;
/// The shortest, one that is odd, some between, and the longest, mixed.
const SIZES: [usize; 5] = [64, 65, 128, 594, 1518];
const FLOWS: u32 = 8;
/// Longest time for all of them.
const LONGEST: Duration = Duration::from_secs(10);
/// What lies in the ring when the last was sent is taken in this time.
const LAST: Duration = Duration::from_millis(300);

/// Frames one after the other, and where each ends.
#[derive(Default)]
struct Taken {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Taken {
    fn add(&mut self, frame: &[u8]) {
        self.bytes.extend_from_slice(frame);
        self.ends.push(self.bytes.len());
    }

    fn frames(&self) -> Vec<&[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[*start..*end]).collect()
    }
}

/// A source that remembers every frame that the NIC has taken off it. Frames leave it one by one.
struct Remembering {
    wire: GeneratorWire,
    taken: Arc<Mutex<Taken>>,
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire for Remembering {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        self.wire.peek(now)
    }

    fn advance(&mut self, now: Nanos) {
        // At a fixed rate a frame that was offered once is the same when it is offered again.
        if let Some(frame) = self.wire.peek(now) {
            lock(&self.taken).add(frame.bytes);
        }
        self.wire.advance(now);
    }

    fn send(&mut self, frame: &[u8], now: Nanos) {
        self.wire.send(frame, now);
    }

    fn poll(&mut self, now: Nanos) -> bool {
        self.wire.poll(now)
    }

    fn next_due(&mut self, now: Nanos) -> Option<Nanos> {
        self.wire.next_due(now)
    }

    fn exhausted(&self) -> bool {
        self.wire.exhausted()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.wire.flush()
    }
}

impl Track<'_> {
    /// `capture` into a file at a load that is none: the packets in it must be those that the NIC has delivered.
    ///
    /// # Errors
    /// If they are not, or the lab does not work.
    pub fn admit_capture(&self, contender: &Contender, point: &Point, seed: u64) -> Result<(), Trouble> {
        let options = GeneratorOptions {
            sizes: Sizes::List(SIZES.to_vec()),
            flows: FLOWS,
            count: Some(PACKETS),
            ..options(point, Rate::PerSecond(RATE), 64, 0)
        };
        let (wire, handle) = generator::one_way(&options).map_err(Error::Workload)?;
        let taken = Arc::new(Mutex::new(Taken::default()));
        let wire = Remembering { wire, taken: Arc::clone(&taken) };
        let rig = Rig::start(vec![(Box::new(wire), options.destinations[0])], self.lab_core, seed)?;
        let directory = tempfile::tempdir().map_err(Error::Directory)?;
        let file = directory.path().join("capture.pcap");
        let command = contender.command_into(&file, point, &rig.addresses(), self.driver_core);
        let mut app = self.launch(contender, point, command)?;
        handle.start();
        let deadline = Instant::now() + LONGEST;
        while lock(&taken).ends.len() < PACKETS as usize && Instant::now() < deadline {
            self.run_for(&mut app, Duration::from_millis(10))?;
        }
        self.run_for(&mut app, LAST)?;
        handle.stop();
        let delivered = rig.glance()?.ports.first().map_or(0, |port| port.rx_delivered);
        let said = app.finish()?.ok_or_else(|| fails("its app ended without a final line"))?;
        if delivered == 0 {
            return Err(Refusal::Nothing.into());
        }
        let errors = said.devices.iter().map(|device| device.rx_errors).sum();
        Ok(look(&file, &lock(&taken).frames(), delivered, errors)?)
    }
}

fn look(file: &Path, sent: &[&[u8]], delivered: u64, errors: u64) -> Result<(), Refusal> {
    let unreadable = |error: &dyn std::fmt::Display| Refusal::Unreadable(error.to_string());
    let capture = Capture::read(file, &ReadOptions::default()).map_err(|error| unreadable(&error))?;
    judge::capture(sent, capture.packets().map(|packet| packet.bytes), delivered, errors)
}

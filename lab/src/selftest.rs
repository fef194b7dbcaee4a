//! How many packets the lab itself can carry: two NICs, generators at their ports, and between them a driver that does
//! as little as a driver can.
//!
//! The workload is that of `forward`: each NIC receives as fast as it can, and everything goes out of the other one. The
//! [null driver](null_driver) runs on a thread (and, if asked, a core) of its own, as a real driver's process does, so
//! that the traffic of cache lines between the two cores is part of what is measured. It never looks at a packet.
//! A driver that forwards as fast as this measures the lab and not itself.

mod null_driver;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use serde::Serialize;

use self::null_driver::{NullDriver, SetupError};
use crate::engine::bursts;
use crate::engine::{Engine, Idle, Lab, NicId, SpawnOptions};
use crate::ixgbe::{Nic, NicConfig};
use crate::serve::Server;
use crate::wire::generator::{self, Direction, GeneratorHandle, GeneratorOptions, OptionsError, Sizes};

/// Time before the measurement, in which caches and predictors get warm.
const WARM_UP: Duration = Duration::from_millis(200);
/// After the measurement frames that are still under way get this long to arrive.
const DRAIN: Duration = Duration::from_millis(50);

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long to measure.
    pub duration: Duration,
    /// Bytes of a frame, with FCS.
    pub size: usize,
    /// Packets that the null driver takes at once.
    pub batch: u32,
    /// Descriptors of each ring: a multiple of 32, at most 4096.
    pub ring_slots: u32,
    /// Core of the lab's thread.
    pub lab_core: Option<usize>,
    /// Core of the null driver's thread.
    pub driver_core: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            duration: Duration::from_secs(3),
            size: 64,
            batch: 32,
            ring_slots: 512,
            lab_core: None,
            driver_core: None,
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Packets that went from one generator to the other, both directions together.
    pub packets: u64,
    /// In how many seconds.
    pub seconds: f64,
    /// Share of the time in which the lab had work, from 0 to 1.
    pub busy_share: f64,
    /// Everything since the start, by direction. Nothing may be lost, reordered or corrupt.
    pub directions: Vec<Direction>,
}

impl Report {
    /// Packets per second, both directions together.
    pub fn packets_per_second(&self) -> f64 {
        self.packets as f64 / self.seconds
    }

    /// Every packet that arrived was whole and in its place, and none is missing.
    pub fn is_clean(&self) -> bool {
        self.directions.iter().all(|direction| {
            direction.lost == 0
                && direction.outstanding == 0
                && direction.duplicates == 0
                && direction.reordered == 0
                && direction.stale == 0
                && direction.corrupt == 0
                && direction.unexpected == 0
        })
    }
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The generators refuse the options.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The rings cannot be that long.
    #[error("a ring of {0} descriptors cannot be made: give a multiple of 32, from 64 to 4096")]
    RingSlots(u32),
    /// A batch must hold something, and less than the ring.
    #[error("a batch of {0} packets makes no sense: give at least 1, and less than the ring has descriptors")]
    Batch(u32),
    /// A NIC cannot be set up, which is a bug of the model.
    #[error("the NIC cannot be set up: {0}")]
    Setup(#[from] SetupError),
    /// The system refuses memory, a thread or a core.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The null driver's thread has panicked.
    #[error("the null driver's thread has panicked")]
    Driver,
}

/// Measures what the lab carries without a pause.
///
/// # Errors
///
/// If the options make no sense or the system refuses something; see [`Error`].
pub fn run(options: &Options) -> Result<Report, Error> {
    let course = Course::start(options)?;
    sleep(WARM_UP);
    let before = course.handle.report();
    course.lab.run(|engine| engine.reset_load());
    sleep(options.duration);
    let after = course.handle.report();
    let busy_share = course.lab.run(|engine| engine.load().busy_share());
    let directions = course.finish()?;
    let spans = before.directions.iter().zip(&after.directions);
    let packets = spans.clone().map(|(before, after)| after.received - before.received).sum();
    let nanos: u64 =
        spans.map(|(before, after)| after.received_at_ns - before.received_at_ns).max().unwrap_or(0);
    Ok(Report { packets, seconds: nanos as f64 / 1e9, busy_share, directions })
}

/// Measures how fast the null driver hands over [bursts] of half a ring, which is as fast as the lab can tell of any driver.
///
/// # Errors
///
/// As [`run`].
pub fn run_bursts(options: &Options) -> Result<(bursts::Report, Vec<Direction>), Error> {
    let course = Course::start(options)?;
    sleep(WARM_UP);
    let (ids, bursts) = (course.ids, bursts::Options::of(options.ring_slots, options.duration));
    let report = course.lab.run(move |engine| engine.bursts(ids, &bursts));
    Ok((report, course.finish()?))
}

/// Two NICs with the null driver at work between them.
struct Course {
    lab: Lab<Nic>,
    ids: [NicId; 2],
    handle: GeneratorHandle,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Course {
    fn start(options: &Options) -> Result<Course, Error> {
        check(options)?;
        let generator = GeneratorOptions {
            sizes: Sizes::Fixed(options.size),
            increment: 0,
            hold: true,
            ..Default::default()
        };
        let (first, second, handle) = generator::pair(&generator)?;
        let mut nics = [
            Nic::new(NicConfig::new("selftest-a"), Box::new(first))?,
            Nic::new(NicConfig::new("selftest-b"), Box::new(second))?,
        ];
        let driver = NullDriver::set_up(&mut nics, options.ring_slots, options.size)?;
        let mut engine = Engine::new();
        let ids = nics.map(|nic| engine.add_served(nic, Server::unbound()));
        let lab = Lab::spawn(engine, SpawnOptions { core: options.lab_core, idle: Idle::Spin })?;
        let stop = Arc::new(AtomicBool::new(false));
        let thread = start(driver, options, &stop)?;
        handle.start();
        Ok(Course { lab, ids, handle, stop, thread })
    }

    /// Lets everything arrive and tells what did.
    fn finish(self) -> Result<Vec<Direction>, Error> {
        self.handle.stop();
        sleep(DRAIN);
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| Error::Driver)?;
        let ids = self.ids;
        self.lab.run(move |engine| flush(engine, &ids))?;
        Ok(self.handle.report().directions)
    }
}

fn check(options: &Options) -> Result<(), Error> {
    if !options.ring_slots.is_multiple_of(32) || !(64..=4096).contains(&options.ring_slots) {
        return Err(Error::RingSlots(options.ring_slots));
    }
    if options.batch == 0 || options.batch >= options.ring_slots {
        return Err(Error::Batch(options.batch));
    }
    Ok(())
}

fn start(mut driver: NullDriver, options: &Options, stop: &Arc<AtomicBool>) -> io::Result<JoinHandle<()>> {
    let (batch, core, stop) = (options.batch, options.driver_core, Arc::clone(stop));
    let (ready, started) = std::sync::mpsc::sync_channel(1);
    let thread = Builder::new().name("null-driver".to_owned()).spawn(move || {
        let pinned = core.map_or(Ok(()), crate::engine::pin);
        let go_on = pinned.is_ok();
        if ready.send(pinned).is_ok() && go_on {
            while !stop.load(Ordering::Relaxed) {
                if driver.forward(batch) == 0 {
                    // A poll takes the line from the NIC that is about to write it.
                    std::hint::spin_loop();
                }
            }
        }
    })?;
    started.recv().map_err(|_| io::ErrorKind::BrokenPipe)??;
    Ok(thread)
}

fn flush(engine: &mut Engine<Nic>, nics: &[NicId]) -> io::Result<()> {
    nics.iter().try_for_each(|nic| engine.nic(*nic).wire_mut().flush())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_packet_comes_through() {
        // Long enough for a busy machine to give both threads their turns.
        let options = Options { duration: Duration::from_secs(1), ..Options::default() };
        for (size, batch, ring_slots) in [(64, 32, 512), (1518, 7, 64)] {
            let report = run(&Options { size, batch, ring_slots, ..options.clone() }).unwrap();
            assert!(report.packets > 1000, "{report:?}");
            assert!(report.is_clean(), "{report:?}");
        }
    }

    #[test]
    fn the_lab_works_as_ever_after_bursts() {
        let options = Options::default();
        let course = Course::start(&options).unwrap();
        let (ids, bursts) = (course.ids, bursts::Options::of(512, Duration::from_millis(50)));
        let deadline = std::time::Instant::now() + Duration::from_secs(10);
        let none_finished =
            || course.lab.run(move |engine| engine.bursts(ids, &bursts)).nanoseconds.is_empty();
        // A busy machine may not give both threads their turns in so short a time.
        while none_finished() {
            assert!(std::time::Instant::now() < deadline, "not one burst was finished");
        }
        let received = |course: &Course| course.handle.report().received();
        let before = received(&course);
        while received(&course) < before + 100_000 && std::time::Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        assert!(received(&course) >= before + 100_000, "only {} more", received(&course) - before);
        let directions = course.finish().unwrap();
        assert!(directions.iter().all(|one| one.is_clean() && one.lost == 0), "{directions:?}");
    }

    #[test]
    fn bursts_are_told_apart_from_what_the_lab_does_for_them() {
        // Long enough for a busy machine to give both threads their turns.
        let options = Options { duration: Duration::from_secs(2), ..Options::default() };
        let (report, directions) = run_bursts(&options).unwrap();
        assert_eq!(report.frames, 512);
        assert!(report.nanoseconds.len() > 10, "{report:?}");
        assert!(report.packets_per_second().is_some_and(|rate| rate > 0.0), "{report:?}");
        for direction in directions {
            assert!(direction.is_clean() && direction.lost == 0, "{direction:?}");
            assert!(direction.received > 10 * 256, "{direction:?}");
        }
    }

    #[test]
    fn options_that_make_no_sense_are_refused() {
        let with = |ring_slots, batch| run(&Options { ring_slots, batch, ..Options::default() });
        assert!(matches!(with(33, 1), Err(Error::RingSlots(33))));
        assert!(matches!(with(8192, 1), Err(Error::RingSlots(8192))));
        assert!(matches!(with(64, 0), Err(Error::Batch(0))));
        assert!(matches!(with(64, 64), Err(Error::Batch(64))));
        assert!(matches!(run(&Options { size: 20, ..Options::default() }), Err(Error::Options(_))));
        let nowhere = Options { lab_core: Some(100_000), ..Options::default() };
        assert!(matches!(run(&nowhere), Err(Error::System(_))));
    }
}

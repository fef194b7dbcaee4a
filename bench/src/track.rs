//! One run of one contender: a lab, a child process between its NICs, traffic, and what came of it.
//!
//! Each run has a fresh process and fresh NICs, so that luck with memory layout scatters over rounds instead of staying with
//! one contender. The clock is the lab's; what the contender says of time is ignored.

mod bursts;
mod capture;
mod forward;
mod generate;
mod latency;
mod verify;

use std::process::Command;
use std::time::{Duration, Instant};

use ringway_lab::wire::generator::{GeneratorHandle, GeneratorOptions, Rate, Sizes};
use serde::{Deserialize, Serialize};

pub use latency::{Load, Loaded, empty as empty_histogram};

use crate::app::{self, App, AppError};
use crate::contender::{Addresses, Contender};
use crate::error::Error;
use crate::event::AppEvent;
use crate::judge::{Losses, Refusal};
use crate::plan::{Point, Workload};
use crate::rig::Rig;

/// How long a contender may take to open its devices.
const OPENING: Duration = Duration::from_secs(15);
/// How often to look whether a contender is still alive, or the user wants to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Nothing more arrives when nothing has arrived for so long.
const QUIET: Duration = Duration::from_millis(60);
/// And this is the longest wait for that.
const SETTLING: Duration = Duration::from_secs(2);

/// Where contenders run.
pub struct Track<'a> {
    /// Core of the lab's thread.
    pub lab_core: Option<usize>,
    /// Core of the contender's process, all its threads; the first one if it has several queues.
    pub driver_core: Option<usize>,
    /// How many cores there are for contenders from that one on.
    pub driver_cores: usize,
    /// The user wants to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// Why a run gave no number.
#[derive(Debug)]
pub enum Trouble {
    /// It is the contender's fault.
    Refused(Refusal),
    /// It is ours, or the user's wish.
    Broken(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Broken(error)
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Trouble::Refused(refusal)
    }
}

impl From<AppError> for Trouble {
    fn from(error: AppError) -> Self {
        Trouble::Refused(Refusal::Fails(error.to_string()))
    }
}

/// The lengths of a run.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Before the measurement.
    pub warm_up: Duration,
    /// The measurement.
    pub measure: Duration,
}

/// What a run at full load has shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateSample {
    /// Packets a second that arrived, all directions together.
    pub pps: f64,
    /// Packets that went in and did not come out, in the whole run.
    pub missing: u64,
    /// Of those: unexplained, because the contender tells no counters.
    pub unexplained: u64,
    /// Share of the time in which the lab had work.
    pub lab_busy: f64,
    /// The contender's memory.
    pub memory: Option<Memory>,
}

impl RateSample {
    fn new(pps: f64, losses: Losses, lab_busy: f64, memory: Option<Memory>) -> Self {
        RateSample { pps, missing: losses.missing, unexplained: losses.unexplained, lab_busy, memory }
    }
}

/// Resident memory of a process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// At the end of the run.
    pub resident: u64,
    /// At most.
    pub peak: u64,
}

impl Memory {
    /// As the kernel tells it; `None` if the process has gone.
    pub fn of(pid: u32) -> Option<Memory> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let bytes = |key: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
        };
        Some(Memory { resident: bytes("VmRSS:")?, peak: bytes("VmHWM:")? })
    }
}

/// How often one who takes NICs for cards is tried.
const TRIES: u32 = 4;

/// Runs one who takes its NICs for cards a few times before it is refused: it may give a reset so little time that a stall of the
/// machine is too long (DPDK half a millisecond), and then goes on with one NIC or none.
fn again<T>(contender: &Contender, mut run: impl FnMut() -> Result<T, Trouble>) -> Result<T, Trouble> {
    let tries = if contender.addresses() == Addresses::Functions { TRIES } else { 1 };
    for _ in 1..tries {
        match run() {
            Err(Trouble::Refused(_)) => {}
            ended => return ended,
        }
    }
    run()
}

impl Track<'_> {
    /// One measurement at full load.
    ///
    /// # Errors
    /// If the contender is to be refused, or the lab does not work.
    pub fn rate(
        &self,
        contender: &Contender,
        point: &Point,
        times: Times,
        seed: u64,
    ) -> Result<RateSample, Trouble> {
        match point.workload {
            Workload::Forward => again(contender, || self.forward(contender, point, times, seed)),
            Workload::Bursts => again(contender, || self.bursts(contender, point, times, seed)),
            Workload::Generate => self.generate(contender, point, times, seed),
            Workload::Capture => self.capture(contender, point, times, seed),
        }
    }

    /// Starts the contender and waits until its devices are open, as far as it tells.
    fn start(&self, contender: &Contender, point: &Point, rig: &Rig) -> Result<App, Trouble> {
        self.launch(contender, point, self.command(contender, point, rig))
    }

    /// The command for a point, not yet bound to cores.
    fn command(&self, contender: &Contender, point: &Point, rig: &Rig) -> Command {
        let enough = usize::from(point.queues) <= self.driver_cores;
        contender.command(point, &rig.addresses(), self.driver_core.filter(|_| enough))
    }

    /// Binds a command to as many cores as there are queues, or to all there are.
    fn pin(&self, command: &mut Command, point: &Point) -> Result<(), Error> {
        let Some(first) = self.driver_core else { return Ok(()) };
        let cores = usize::from(point.queues).min(self.driver_cores).max(1);
        app::pin(command, first..first.saturating_add(cores)).map_err(Error::Lab)
    }

    /// Starts a command and waits until its devices are open, as far as it tells.
    fn launch(&self, contender: &Contender, point: &Point, mut command: Command) -> Result<App, Trouble> {
        self.pin(&mut command, point)?;
        if !contender.tells_counters() {
            return Ok(App::start_foreign(&contender.name, command)?);
        }
        let mut app = App::start(&contender.name, command)?;
        let deadline = Instant::now() + OPENING;
        while Instant::now() < deadline {
            self.go_on()?;
            match app.next(LOOK_EVERY)? {
                Some(AppEvent::Start(said)) if said.queues == point.queues => return Ok(app),
                Some(AppEvent::Start(said)) => {
                    let (asked, opened) = (point.queues, said.queues);
                    return Err(fails(format!("it has opened {opened} queues instead of {asked}")));
                }
                Some(AppEvent::Final(_)) => return Err(fails("it ended before it began")),
                _ => {}
            }
        }
        Err(fails(format!("it has not opened its devices after {} s", OPENING.as_secs())))
    }

    /// Lets time go by while the contender works.
    fn run_for(&self, app: &mut App, time: Duration) -> Result<(), Trouble> {
        let deadline = Instant::now() + time;
        loop {
            self.go_on()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            if let Some(AppEvent::Final(_)) = app.next(left.min(LOOK_EVERY))? {
                return Err(fails("it ended before it was asked to"));
            }
        }
    }

    /// Waits for the first packet to arrive.
    fn await_first(&self, app: &mut App, handle: &GeneratorHandle) -> Result<(), Trouble> {
        let deadline = Instant::now() + OPENING;
        while handle.report().directions.iter().all(|direction| direction.received == 0) {
            if Instant::now() > deadline {
                // Wrong packets are a better reason than none: the judge looks at the rest.
                return if handle.report().is_clean() { Err(Refusal::Nothing.into()) } else { Ok(()) };
            }
            if !handle.report().is_clean() {
                return Ok(());
            }
            self.run_for(app, Duration::from_millis(1))?;
        }
        Ok(())
    }

    /// Waits until everything has arrived or nothing moves any more.
    fn settle(&self, handle: &GeneratorHandle) -> Result<(), Trouble> {
        let deadline = Instant::now() + SETTLING;
        let mut moved = Instant::now();
        let mut last = None;
        while Instant::now() < deadline && moved.elapsed() < QUIET {
            self.go_on()?;
            std::thread::sleep(Duration::from_millis(5));
            let now = handle.report();
            let state = (now.sent(), now.received());
            if last.replace(state) != Some(state) {
                moved = Instant::now();
            }
        }
        Ok(())
    }

    fn go_on(&self) -> Result<(), Error> {
        if (self.stop)() { Err(Error::Stopped) } else { Ok(()) }
    }
}

fn fails(why: impl Into<String>) -> Trouble {
    Trouble::Refused(Refusal::Fails(why.into()))
}

/// Packets for a point, held back until they are let go.
fn generator(point: &Point, rate: Rate, latency_every: u32, increment: u8) -> GeneratorOptions {
    GeneratorOptions {
        sizes: Sizes::Fixed(point.size.into()),
        rate,
        latency_every,
        increment,
        flows: point.flows,
        hold: true,
        ..GeneratorOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn every_process_has_memory() {
        let memory = Memory::of(std::process::id()).unwrap();
        assert!(memory.resident > 100_000 && memory.peak >= memory.resident);
        assert_eq!(Memory::of(u32::MAX), None);
    }
}

//! When to stop, when to report, and how to wait: what all commands that move packets share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ringway::{Device, DmaMemory};

use crate::Failure;
use crate::args::Common;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    Packets,
    Duration,
    Signal,
}

impl Stop {
    pub fn name(self) -> &'static str {
        match self {
            Stop::Packets => "packets",
            Stop::Duration => "duration",
            Stop::Signal => "signal",
        }
    }
}

/// How long the last packets may take to leave before the devices are closed.
pub const DRAIN: Duration = Duration::from_millis(500);

/// Rounds with nothing to do after which other threads get a turn.
const IDLE_ROUNDS: u32 = 1000;

/// Rounds between two looks at the clock while there is something to do.
const BUSY_ROUNDS: u32 = 64;

/// The progress of a run: call [`Run::round`] in every turn of the loop.
pub struct Run {
    signal: Arc<AtomicBool>,
    start: Instant,
    duration: Option<Duration>,
    next_report: Duration,
    rounds: u32,
    idle: u32,
}

/// What [`Run::round`] wants done.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    GoOn,
    Report,
    Stop(Stop),
}

impl Run {
    /// Catches SIGINT and SIGTERM from now on. To be called before a device is opened, so that every open device is
    /// closed.
    pub fn new(common: &Common) -> Result<Run, Failure> {
        Ok(Run {
            signal: signals().map_err(|error| Failure::Output(format!("catching signals: {error}")))?,
            start: Instant::now(),
            duration: common.duration,
            next_report: Duration::from_secs(1),
            rounds: 0,
            idle: 0,
        })
    }

    /// Starts the clock.
    pub fn begin(&mut self) {
        self.start = Instant::now();
    }

    /// One turn of the loop is over; `busy` if a packet moved in it.
    #[inline]
    pub fn round(&mut self, busy: bool) -> Next {
        self.rounds += 1;
        if busy {
            self.idle = 0;
            if self.rounds < BUSY_ROUNDS {
                return Next::GoOn;
            }
        }
        self.idle(busy)
    }

    fn idle(&mut self, busy: bool) -> Next {
        if !busy {
            self.idle = self.idle.saturating_add(1);
            if self.idle < IDLE_ROUNDS && self.rounds < BUSY_ROUNDS {
                return Next::GoOn;
            }
            if self.idle >= IDLE_ROUNDS {
                std::thread::yield_now();
            }
        }
        self.rounds = 0;
        self.look()
    }

    /// Looks at signals and the clock now.
    pub fn look(&mut self) -> Next {
        if self.signal.load(Ordering::Relaxed) {
            return Next::Stop(Stop::Signal);
        }
        let elapsed = self.elapsed();
        if self.duration.is_some_and(|duration| elapsed >= duration) {
            return Next::Stop(Stop::Duration);
        }
        if elapsed >= self.next_report {
            self.next_report = Duration::from_secs(elapsed.as_secs() + 1);
            return Next::Report;
        }
        Next::GoOn
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// True once SIGINT or SIGTERM has come.
fn signals() -> std::io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, flag.clone())?;
    }
    Ok(flag)
}

/// One memory for the devices at `addresses` and whatever they send each other.
pub fn memory(common: &Common, addresses: &[&str]) -> Result<DmaMemory, Failure> {
    let slots = addresses.len() * common.pool_slots() as usize;
    let rings = 2 * addresses.len() * usize::from(common.queues);
    let descriptors = rings * common.ring_slots as usize;
    DmaMemory::for_devices(addresses, DmaMemory::bytes_for(slots, descriptors)).map_err(Failure::Open)
}

/// Opens a device.
pub fn open(address: &str, memory: &DmaMemory, common: &Common) -> Result<Device, Failure> {
    Device::open(address, memory, &common.config()).map_err(Failure::Open)
}

/// Slots of a device that are neither in its pool nor in any of the rings of `devices`. All batches must be empty.
pub fn slots_lost(devices: &mut [Device]) -> usize {
    let pools: Vec<_> = devices.iter().map(|device| device.pool().clone()).collect();
    let mut lost = 0;
    for pool in pools {
        let mut found = 0;
        for device in devices.iter_mut() {
            let slots = device.slots_of(&pool);
            found += slots.rx + slots.tx;
        }
        // Last, since the look at the rings may have sent slots home.
        lost += pool.total().saturating_sub(found + pool.free());
    }
    lost
}

//! Steering generators, and looking at them, from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::options::{OptionsError, Rate};
use super::pace;
use super::report::{Direction, Report};
use super::sink::Received;
use super::source::Sent;
use crate::wire::latency::Latencies;

/// What the wire of one NIC and the handle share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) running: AtomicBool,
    /// As [`pace::interval`] gives it.
    pub(super) interval: AtomicU64,
    pub(super) published: Mutex<Published>,
}

/// Written by the wire once in a while, never for each frame.
#[derive(Debug, Default)]
pub(super) struct Published {
    pub(super) at_ns: u64,
    pub(super) sent: Sent,
    pub(super) received: Received,
    pub(super) latencies: Latencies,
}

impl Shared {
    pub(super) fn new(running: bool, interval: u64) -> Arc<Self> {
        Arc::new(Shared {
            running: AtomicBool::new(running),
            interval: AtomicU64::new(interval),
            published: Mutex::default(),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Published> {
        // Everything in it is replaced as a whole, so that a panic elsewhere leaves nothing half done.
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts, stops and reads one generator or a pair. May be cloned and used from any thread.
#[derive(Clone, Debug)]
pub struct GeneratorHandle {
    /// For each direction: the wire with the source and the one with the sink.
    pub(super) directions: Vec<[Arc<Shared>; 2]>,
}

impl GeneratorHandle {
    /// Lets frames go.
    pub fn start(&self) {
        self.sources().for_each(|shared| shared.running.store(true, Relaxed));
    }

    /// Holds frames back; [`start`](Self::start) lets them go on where they stopped.
    pub fn stop(&self) {
        self.sources().for_each(|shared| shared.running.store(false, Relaxed));
    }

    /// Sets the rate of each direction from now on.
    ///
    /// # Errors
    /// If it is no rate.
    pub fn set_rate(&self, rate: Rate) -> Result<(), OptionsError> {
        rate.check()?;
        self.sources().for_each(|shared| shared.interval.store(pace::interval(rate), Relaxed));
        Ok(())
    }

    /// What has been counted up to a fraction of a millisecond ago.
    pub fn report(&self) -> Report {
        let directions = self.directions.iter().map(|[source, sink]| {
            // One after the other: source and sink may be of one wire.
            let from = {
                let published = source.lock();
                (published.sent, published.at_ns)
            };
            let (to, latencies) = {
                let published = sink.lock();
                ((published.received, published.at_ns), published.latencies.clone())
            };
            Direction { latency: latencies.summary(), ..Direction::of(from, to) }
        });
        Report { directions: directions.collect() }
    }

    /// The latencies of each direction, for plots.
    pub fn latencies(&self) -> Vec<Latencies> {
        self.directions.iter().map(|[_, sink]| sink.lock().latencies.clone()).collect()
    }

    /// Forgets the latencies that were measured so far, for instance those before the driver was warm.
    pub fn clear_latencies(&self) {
        self.directions.iter().for_each(|[_, sink]| sink.lock().latencies.clear());
    }

    fn sources(&self) -> impl Iterator<Item = &Shared> {
        self.directions.iter().map(|[source, _]| &**source)
    }
}

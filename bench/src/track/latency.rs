//! Latency at a fixed load, and the highest load without loss. One process serves all loads of a round.

use std::time::Duration;

use hdrhistogram::Histogram;
use ringway_lab::wire::generator::{Rate, Report};

use super::forward::Pair;
use super::{Times, Track, Trouble, generator as options};
use crate::contender::Contender;
use crate::error::Error;
use crate::plan::Point;

/// After a change of the load, what was under way before gets this long to arrive.
const CHANGE: Duration = Duration::from_millis(30);
/// Less of the load than this was offered: the source was held up.
const OFFERED_ENOUGH: f64 = 0.98;
/// A step of the search may be tried again: a stall of the machine is not the contender's limit. Steps are short for the same
/// reason: where cores are shared with others, hardly a quarter of a second goes by without one.
const TRIES: u32 = 4;
/// What 10 s in nanoseconds and three digits need: the bounds of the lab's own histograms.
const LONGEST_NS: u64 = 10_000_000_000;

/// A load to measure at.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Percent of the contender's own maximum.
    pub percent: u32,
    /// Packets a second, both directions together.
    pub pps: f64,
}

/// What was seen at a load.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The load.
    pub load: Load,
    /// Share of it that was really offered.
    pub offered: f64,
    /// Packets that got lost on the way.
    pub lost: u64,
    /// Nanoseconds from wire to wire, every packet.
    pub latencies: Histogram<u64>,
}

impl Track<'_> {
    /// Latency of every packet at each load, one after the other.
    ///
    /// # Errors
    /// If the contender is to be refused, or the lab does not work.
    pub fn latencies(
        &self,
        contender: &Contender,
        point: &Point,
        loads: &[Load],
        times: Times,
        seed: u64,
    ) -> Result<Vec<Loaded>, Trouble> {
        let highest = loads.iter().map(|load| load.pps).fold(1.0, f64::max);
        let pair =
            Pair::start(self, contender, &options(point, Rate::PerSecond(highest / 2.0), 1, 1), None, seed)?;
        let mut app = self.start(contender, point, &pair.rig)?;
        pair.handle.start();
        self.await_first(&mut app, &pair.handle)?;
        self.run_for(&mut app, times.warm_up)?;
        let mut seen = Vec::new();
        for load in loads {
            pair.handle.set_rate(Rate::PerSecond((load.pps / 2.0).max(1.0))).map_err(Error::Workload)?;
            self.run_for(&mut app, CHANGE)?;
            pair.handle.clear_latencies();
            let before = pair.handle.report();
            self.run_for(&mut app, times.measure)?;
            let after = pair.handle.report();
            let mut latencies = empty();
            for one in pair.handle.latencies() {
                latencies.add(one.histogram()).map_err(|error| Error::Report(error.to_string()))?;
            }
            let (offered, lost) = offered(load.pps, &before, &after);
            seen.push(Loaded { load: *load, offered, lost, latencies });
        }
        pair.finish(self, contender, app)?;
        Ok(seen)
    }

    /// The highest rate at which nothing is lost, by halving; `highest` is where it cannot be.
    ///
    /// # Errors
    /// If the contender is to be refused, or the lab does not work.
    pub fn lossless(
        &self,
        contender: &Contender,
        point: &Point,
        highest: f64,
        steps: u32,
        times: Times,
        seed: u64,
    ) -> Result<f64, Trouble> {
        let pair =
            Pair::start(self, contender, &options(point, Rate::PerSecond(highest / 4.0), 64, 1), None, seed)?;
        let mut app = self.start(contender, point, &pair.rig)?;
        pair.handle.start();
        self.await_first(&mut app, &pair.handle)?;
        self.run_for(&mut app, times.warm_up)?;
        let (mut good, mut bad) = (0.0, highest);
        for _ in 0..steps {
            let rate = (good + bad) / 2.0;
            pair.handle.set_rate(Rate::PerSecond(rate / 2.0)).map_err(Error::Workload)?;
            let mut lossless = false;
            for _ in 0..TRIES {
                self.run_for(&mut app, CHANGE)?;
                let before = pair.handle.report();
                self.run_for(&mut app, times.measure)?;
                let (offered, lost) = offered(rate, &before, &pair.handle.report());
                lossless = lost == 0 && offered >= OFFERED_ENOUGH;
                if lossless {
                    break;
                }
            }
            if lossless { good = rate } else { bad = rate }
        }
        pair.finish(self, contender, app)?;
        Ok(good)
    }
}

/// A histogram like the lab's.
pub fn empty() -> Histogram<u64> {
    Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("these bounds are valid")
}

/// Which share of a load was offered between two reports, and how many packets were lost.
fn offered(pps: f64, before: &Report, after: &Report) -> (f64, u64) {
    let mut sent = 0.0;
    let mut lost = 0;
    for (before, after) in before.directions.iter().zip(&after.directions) {
        let nanos = after.sent_at_ns.saturating_sub(before.sent_at_ns);
        if nanos > 0 {
            sent += (after.sent - before.sent) as f64 * 1e9 / nanos as f64;
        }
        lost += after.lost.saturating_sub(before.lost);
    }
    (sent / pps, lost)
}

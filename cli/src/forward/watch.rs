//! Watches a run until everything has arrived, nothing moves any more, or the user has seen enough.

use std::time::{Duration, Instant};

use super::rig::Rig;
use super::traffic::{State, Traffic};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::signals::Stop;
use ringway_bench::app::App;
use ringway_bench::event::AppEvent;

/// How often to look.
const EVERY: Duration = Duration::from_millis(20);
/// When nothing has moved for so long beyond the longest gap of the traffic, nothing will.
const QUIET: Duration = Duration::from_secs(2);

/// Why a run was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything that was sent has arrived.
    Complete,
    /// Nothing moved any more.
    Quiet,
    /// The user asked for an end.
    Interrupted,
}

/// What is watched.
pub struct Watcher<'a> {
    pub stop: &'a Stop,
    pub rig: &'a Rig,
    pub traffic: &'a Traffic,
}

impl Watcher<'_> {
    /// Waits for the end of the run. The driver runs on.
    pub fn watch(&self, app: &mut App, progress: &mut Progress) -> Result<Ended, Failure> {
        let started = Instant::now();
        let mut moved = started;
        let mut last = self.traffic.state();
        let mut interrupted = false;
        loop {
            if let Some(AppEvent::Final(_)) = app.next(EVERY)? {
                return Err(Failure::failed("the driver ended before the traffic did", ""));
            }
            if let Some(error) = self.rig.error()? {
                return Err(Failure::failed(error.to_string(), ""));
            }
            let now = self.traffic.state();
            progress.update(&now.step);
            if now != last {
                (moved, last) = (Instant::now(), now);
            }
            if !interrupted && (self.stop.asked() || self.over(started)) {
                interrupted = self.stop.asked();
                self.traffic.stop();
            }
            if let Some(ended) = self.ended(&now, moved.elapsed(), interrupted) {
                return Ok(ended);
            }
        }
    }

    /// The time that the user has given is over.
    fn over(&self, started: Instant) -> bool {
        self.traffic.duration().is_some_and(|duration| started.elapsed() >= duration)
    }

    fn ended(&self, now: &State, quiet: Duration, interrupted: bool) -> Option<Ended> {
        let arrived = now.step.sent == now.step.arrived;
        if interrupted {
            return (arrived || quiet >= QUIET).then_some(Ended::Interrupted);
        }
        if now.complete() {
            return Some(Ended::Complete);
        }
        let patience =
            if now.finished_sending { QUIET } else { QUIET.saturating_add(self.traffic.longest_gap()) };
        (quiet >= patience).then_some(Ended::Quiet)
    }
}

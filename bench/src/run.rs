//! Runs a plan: round by round, and in each round point by point, and at each point contender by contender (A B C A B C),
//! so that what changes with time changes for all.

mod gather;

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use ringway_lab::selftest;

use self::gather::Gathered;
use crate::contender::Contender;
use crate::cost::{self, Cost};
use crate::error::Error;
use crate::judge::Refusal;
use crate::machine::Machine;
use crate::plan::{Plan, Point, Workload};
use crate::results::{Refused, Results};
use crate::track::{Load, Times, Track, Trouble};

/// The null driver's own warm-up and drain, in the lab.
const SELF_TEST_EXTRA: Duration = Duration::from_millis(250);
/// What a process costs to start and to end.
const START_AND_END: Duration = Duration::from_millis(300);
/// Warm-up before latencies and the search, where there is no full load: at most this.
const SHORT_WARM_UP: Duration = Duration::from_millis(500);

/// What it takes to count what a packet costs.
const COST: Duration = Duration::from_secs(10);

/// What it takes to look at what is captured.
const ADMISSION_TO_CAPTURE: Duration = Duration::from_secs(1);

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub of: usize,
    /// What is being done.
    pub what: String,
    /// The round, from 1; 0 before the first.
    pub round: usize,
}

/// What a run needs.
pub struct Run<'a> {
    /// What to do.
    pub plan: Plan,
    /// Who does it.
    pub contenders: Vec<Contender>,
    /// Where.
    pub track: Track<'a>,
    /// Whom the others are compared with.
    pub reference: String,
    /// The command that makes it again.
    pub command: String,
    /// Is told of every step.
    pub tell: &'a mut dyn FnMut(&Progress),
}

/// The state of a run.
struct State<'a> {
    run: Run<'a>,
    points: Vec<Point>,
    refused: Vec<Refused>,
    gathered: Gathered,
    progress: Progress,
    seed: u64,
}

impl Run<'_> {
    /// How long it will take, roughly.
    pub fn estimate(&self) -> Duration {
        let set = &self.plan.set;
        let times = self.times();
        let slice = times.warm_up + times.measure + START_AND_END;
        let base = self.plan.base_point();
        let mut round = Duration::ZERO;
        for point in self.plan.points() {
            let able = self.contenders.iter().filter(|contender| contender.can(&point, &base)).count();
            round += slice * able as u32;
            if known_to_lab(&point) {
                round += times.measure + SELF_TEST_EXTRA;
            }
        }
        let loaded = SHORT_WARM_UP.min(times.warm_up) + START_AND_END;
        let latency = loaded + Duration::from_millis(set.load_measure) * set.loads.len() as u32;
        let search = loaded + Duration::from_millis(set.lossless_measure + 30) * set.lossless_steps;
        round += (latency + search + START_AND_END) * self.contenders.len() as u32;
        let captures = self.plan.captures().map_or(Duration::ZERO, |_| ADMISSION_TO_CAPTURE);
        round * set.rounds as u32 + (COST + captures) * self.contenders.len() as u32
    }

    fn times(&self) -> Times {
        Times { warm_up: self.plan.warm_up(), measure: self.plan.measure() }
    }

    /// Does it.
    ///
    /// # Errors
    /// If the lab does not work, the user wants to stop, or nobody is left.
    pub fn go(self) -> Result<Results, Error> {
        let began = SystemTime::now();
        let started = Instant::now();
        // Before the run loads the machine itself.
        let machine = Machine::here(self.track.lab_core, self.track.driver_core);
        let points = self.plan.points();
        let loads = usize::from(!self.plan.set.loads.is_empty());
        let search = usize::from(self.plan.set.lossless_steps > 0);
        let first = 2 + usize::from(self.plan.captures().is_some());
        let of = first * self.contenders.len() + self.plan.set.rounds * (points.len() + 1 + loads + search);
        let progress = Progress { done: 0, of, what: String::new(), round: 0 };
        let gathered = Gathered::default();
        let mut state = State { run: self, points, refused: Vec::new(), gathered, progress, seed: 1 };
        state.admit()?;
        for round in 1..=state.run.plan.set.rounds {
            state.progress.round = round;
            state.round()?;
        }
        state.loaded()?;
        state.somebody_left()?;
        let costs = state.costs()?;
        let mut results = state.finish(machine, began, started.elapsed());
        results.costs = costs;
        Ok(results)
    }
}

/// The null driver forwards one flow through one queue.
fn known_to_lab(point: &Point) -> bool {
    matches!(point.workload, Workload::Forward | Workload::Bursts) && point.flows == 1
}

impl State<'_> {
    fn step(&mut self, what: impl Into<String>) {
        self.progress.what = what.into();
        (self.run.tell)(&self.progress);
        self.progress.done += 1;
        self.seed += 1;
    }

    /// Contenders that are still in.
    fn able(&self, point: &Point) -> Vec<Contender> {
        let base = self.run.plan.base_point();
        let refused = |name: &str| self.refused.iter().any(|refused| refused.contender == name);
        let all = self.run.contenders.iter();
        all.filter(|one| one.can(point, &base) && !refused(&one.name)).cloned().collect()
    }

    /// The result of a run, or a note that the contender is out.
    fn keep<T>(&mut self, name: &str, at: &str, result: Result<T, Trouble>) -> Result<Option<T>, Error> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Trouble::Broken(error)) => Err(error),
            Err(Trouble::Refused(refusal)) => {
                self.refuse(name, at, &refusal);
                Ok(None)
            }
        }
    }

    fn refuse(&mut self, name: &str, at: &str, refusal: &Refusal) {
        let (contender, at, why) = (name.to_owned(), at.to_owned(), refusal.to_string());
        self.refused.push(Refused { contender, at, why });
    }

    fn somebody_left(&self) -> Result<(), Error> {
        if self.refused.len() < self.run.contenders.len() {
            return Ok(());
        }
        let of = |refused: &Refused| format!("{} {}", refused.contender, refused.why);
        Err(Error::NobodyLeft(self.refused.iter().map(of).collect::<Vec<_>>().join("; ")))
    }

    /// Everybody must forward a few packets as it should before anything is measured.
    fn admit(&mut self) -> Result<(), Error> {
        let base = self.run.plan.base_point();
        for contender in self.able(&base) {
            self.step(format!("admission of {}", contender.name));
            let result = self.run.track.admit(&contender, &base, self.seed);
            self.keep(&contender.name, "the admission", result)?;
        }
        self.admit_captures()?;
        self.somebody_left()
    }

    /// And capture some as they are, if that is measured.
    fn admit_captures(&mut self) -> Result<(), Error> {
        let Some(point) = self.run.plan.captures() else { return Ok(()) };
        for contender in self.able(&point) {
            self.step(format!("admission of what {} captures", contender.name));
            let result = self.run.track.admit_capture(&contender, &point, self.seed);
            self.keep(&contender.name, "the admission to capture", result)?;
        }
        Ok(())
    }

    fn round(&mut self) -> Result<(), Error> {
        for point in self.points.clone() {
            self.step(point.to_string());
            if known_to_lab(&point) {
                let pps = self.lab_alone(&point)?;
                self.gathered.lab(point, pps);
            }
            let times = self.run.times();
            for contender in self.able(&point) {
                let result = self.run.track.rate(&contender, &point, times, self.seed);
                let kept = self.keep(&contender.name, &point.to_string(), result)?;
                self.gathered.rate(&contender.name, point, kept);
            }
            self.somebody_left()?;
        }
        self.step("start to first packet");
        let base = self.run.plan.base_point();
        for contender in self.able(&base) {
            let result = self.run.track.first_packet(&contender, &base, self.seed);
            let kept = self.keep(&contender.name, "the start", result)?;
            self.gathered.start(&contender.name, kept);
        }
        Ok(())
    }

    /// Latencies and the search need each contender's maximum: they come after all rates are known.
    fn loaded(&mut self) -> Result<(), Error> {
        let base = self.run.plan.base_point();
        let set = self.run.plan.set.clone();
        let warm_up = SHORT_WARM_UP.min(self.run.plan.warm_up());
        for round in 1..=set.rounds {
            self.progress.round = round;
            if !set.loads.is_empty() {
                self.step("latency at fixed loads");
                for (contender, highest) in self.able_with_maximum(&base) {
                    let times = Times { warm_up, measure: Duration::from_millis(set.load_measure) };
                    let of = |percent: &u32| Load {
                        percent: *percent,
                        pps: highest * f64::from(*percent) / 100.0,
                    };
                    let loads: Vec<_> = set.loads.iter().map(of).collect();
                    let result = self.run.track.latencies(&contender, &base, &loads, times, self.seed);
                    let kept = self.keep(&contender.name, "latency", result)?;
                    kept.into_iter().flatten().for_each(|seen| self.gathered.latency(&contender.name, seen));
                }
            }
            if set.lossless_steps > 0 {
                self.step("search for the highest rate without loss");
                for (contender, highest) in self.able_with_maximum(&base) {
                    let times = Times { warm_up, measure: Duration::from_millis(set.lossless_measure) };
                    let steps = set.lossless_steps;
                    let track = &self.run.track;
                    let result = track.lossless(&contender, &base, highest, steps, times, self.seed);
                    let kept = self.keep(&contender.name, "the search without loss", result)?;
                    self.gathered.lossless(&contender.name, kept);
                }
            }
        }
        Ok(())
    }

    fn able_with_maximum(&self, base: &Point) -> Vec<(Contender, f64)> {
        let with = |one: Contender| {
            let highest = self.gathered.median_rate(&one.name, base)?;
            Some((one, highest))
        };
        self.able(base).into_iter().filter_map(with).collect()
    }

    /// What packets cost beside time. Comes last, for it needs no rounds.
    fn costs(&mut self) -> Result<BTreeMap<String, Cost>, Error> {
        let base = self.run.plan.base_point();
        let mut costs = BTreeMap::new();
        for contender in self.able(&base) {
            self.step(format!("what a packet costs {}", contender.name));
            let cost = cost::of(&self.run.track, &contender, &base)?;
            costs.insert(contender.name, cost);
        }
        Ok(costs)
    }

    fn finish(self, machine: Machine, began: SystemTime, took: Duration) -> Results {
        self.gathered.into_results(self.run, self.refused, machine, began, took)
    }

    /// What the lab carries with a driver that does nothing.
    fn lab_alone(&self, point: &Point) -> Result<f64, Error> {
        if (self.run.track.stop)() {
            return Err(Error::Stopped);
        }
        let options = selftest::Options {
            duration: self.run.plan.measure(),
            size: point.size.into(),
            batch: point.batch.min(point.ring - 1),
            ring_slots: point.ring,
            lab_core: self.run.track.lab_core,
            driver_core: self.run.track.driver_core,
        };
        let (pps, directions) = match point.workload {
            Workload::Bursts => {
                let (report, directions) = selftest::run_bursts(&options)?;
                (report.packets_per_second().unwrap_or(f64::NAN), directions)
            }
            _ => {
                let report = selftest::run(&options)?;
                (report.packets_per_second(), report.directions)
            }
        };
        // What is still under way when a busy machine does not let the null driver finish is neither lost nor wrong.
        match directions.iter().all(|direction| direction.is_clean() && direction.lost == 0) {
            true => Ok(pps),
            false => Err(Error::SelfTestWrong),
        }
    }
}

//! What a run has shown: the raw rounds, and everything that is computed from them. This is the JSON beside the report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cost::Cost;
use crate::machine::Machine;
use crate::plan::{Plan, Point};
use crate::safety::Safety;
use crate::stats::{Estimate, Standing, paired};
use crate::track::Memory;

/// Changes when old files can no longer be read.
pub const SCHEMA: u32 = 1;

/// What the lab with its null driver is called in ratios.
pub const LAB: &str = "lab";

/// A contender within this factor of the lab's own capacity measures the lab as much as itself.
pub const NEAR: f64 = 1.3;
/// The share of its time in which a lab with that little to spare is busy; used where no null driver tells its capacity.
pub const BUSY: f64 = 1.0 / NEAR;

/// Everything.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// See [`SCHEMA`].
    pub schema: u32,
    /// The command that makes it again.
    pub command: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Where it ran.
    pub machine: Machine,
    /// What was run.
    pub plan: Plan,
    /// Whom the others are compared with.
    pub reference: String,
    /// Who was measured.
    pub contenders: Vec<Info>,
    /// Who was refused, and why.
    pub refused: Vec<Refused>,
    /// Rates at full load.
    pub rates: Vec<RateRow>,
    /// What the lab itself carries, for the points where a null driver can tell.
    pub lab: Vec<LabRow>,
    /// Latencies at fixed loads.
    pub latencies: Vec<LatencyRow>,
    /// Highest rates without loss.
    pub lossless: Vec<ValueRow>,
    /// Seconds from the start of the process to the first packet.
    pub starts: Vec<ValueRow>,
    /// What a packet costs beside time, by contender.
    pub costs: BTreeMap<String, Cost>,
    /// Every ratio to the reference, by a name that stays.
    pub ratios: BTreeMap<String, Ratio>,
    /// What the judge says of safety, if it was asked.
    pub safety: Option<Safety>,
    /// What the reader has to know.
    pub notes: Vec<String>,
}

/// Somebody who was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Info {
    /// Its name.
    pub name: String,
    /// Its language, if known.
    pub language: Option<String>,
    /// How it was started at the base point, addresses left open.
    pub command: String,
    /// Toolchains and runtimes.
    pub versions: Vec<String>,
    /// It is no driver of this repository.
    pub foreign: bool,
}

/// Somebody whose figures do not count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// Its name.
    pub contender: String,
    /// Where it was found out.
    pub at: String,
    /// Why.
    pub why: String,
}

/// A contender at a point, at full load.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RateRow {
    /// Its name.
    pub contender: String,
    /// Where.
    pub point: Point,
    /// Packets a second in each round; `None` where a round has no figure.
    pub rounds: Vec<Option<f64>>,
    /// Of those.
    pub pps: Estimate,
    /// The lab's capacity at this point over this rate, round by round; `None` if no null driver tells it.
    pub lab_over: Option<Estimate>,
    /// Median share of the time in which the lab had work.
    pub lab_busy: f64,
    /// The lab is so near to its limit that the figure is the lab's as much as the contender's.
    pub near_lab: bool,
    /// Packets that went in and did not come out, all rounds together.
    pub missing: u64,
    /// Of those unexplained, because the contender tells no counters.
    pub unexplained: u64,
    /// Memory of the process, at most in any round.
    pub memory: Option<Memory>,
}

/// The lab with its null driver at a point.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LabRow {
    /// Where.
    pub point: Point,
    /// Packets a second in each round.
    pub rounds: Vec<Option<f64>>,
    /// Of those.
    pub pps: Estimate,
}

/// A contender at a fixed load.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LatencyRow {
    /// Its name.
    pub contender: String,
    /// Percent of its own maximum.
    pub percent: u32,
    /// Packets a second, both directions together.
    pub pps: f64,
    /// Share of it that was really offered, in the worst round.
    pub offered: f64,
    /// Packets lost, all rounds together.
    pub lost: u64,
    /// Packets measured, all rounds together.
    pub samples: u64,
    /// Percentiles in nanoseconds, each round's own: their median and spread.
    pub percentiles: Vec<Percentile>,
    /// All rounds together, for the plot: percentile and nanoseconds.
    pub curve: Vec<(f64, u64)>,
}

/// One percentile of a latency.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Percentile {
    /// `p50` to `p99.999`, `max`.
    pub name: String,
    /// Nanoseconds in each round; `None` if a round has too few packets to know.
    pub rounds: Vec<Option<f64>>,
    /// Of those; `None` if no round knows.
    pub nanoseconds: Option<Estimate>,
}

/// One number of a contender.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValueRow {
    /// Its name.
    pub contender: String,
    /// In each round.
    pub rounds: Vec<Option<f64>>,
    /// Of those.
    pub value: Estimate,
}

/// A contender against the reference.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ratio {
    /// Its name.
    pub contender: String,
    /// The other's.
    pub reference: String,
    /// What is compared.
    pub what: String,
    /// Round by round, its median and spread.
    pub ratio: Estimate,
    /// What that says.
    pub standing: Standing,
}

impl Results {
    /// Computes every ratio from the raw rounds: to the reference, and to the lab where a null driver tells what it carries.
    pub fn compute_ratios(&mut self) {
        let mut ratios = BTreeMap::new();
        let reference = self.reference.clone();
        let series = self.series();
        for (what, contender, rounds) in series.iter().filter(|(_, name, _)| name != LAB) {
            for reference in [reference.as_str(), LAB].into_iter().filter(|reference| reference != contender)
            {
                let other = series.iter().find(|(same, name, _)| same == what && name == reference);
                let Some((_, _, others)) = other else { continue };
                let Some(ratio) = Estimate::of(&paired(rounds, others)) else { continue };
                let key = format!("{what}: {contender} / {reference}");
                let (contender, reference) = (contender.clone(), reference.to_owned());
                let standing = Standing::of(&ratio);
                ratios.insert(key, Ratio { contender, reference, what: what.clone(), ratio, standing });
            }
        }
        self.ratios = ratios;
    }

    /// Every series of rounds: what it is, whose, and the rounds.
    fn series(&self) -> Vec<(String, String, Vec<Option<f64>>)> {
        let mut all = Vec::new();
        for row in &self.rates {
            all.push((format!("rate {}", row.point), row.contender.clone(), row.rounds.clone()));
        }
        for row in &self.lab {
            all.push((format!("rate {}", row.point), LAB.to_owned(), row.rounds.clone()));
        }
        for row in &self.latencies {
            for percentile in &row.percentiles {
                let what = format!("latency {} at {} %", percentile.name, row.percent);
                all.push((what, row.contender.clone(), percentile.rounds.clone()));
            }
        }
        for row in &self.lossless {
            all.push(("rate without loss".to_owned(), row.contender.clone(), row.rounds.clone()));
        }
        for row in &self.starts {
            all.push(("start to first packet".to_owned(), row.contender.clone(), row.rounds.clone()));
        }
        all
    }

    /// The ratio of two contenders at what `what` names, round by round, whoever the reference is.
    pub fn ratio(&self, what: &str, contender: &str, other: &str) -> Option<Estimate> {
        let series = self.series();
        let of = |name: &str| {
            let found = series.iter().find(|(same, whose, _)| same == what && whose == name);
            found.map(|(_, _, rounds)| rounds.as_slice())
        };
        Estimate::of(&paired(of(contender)?, of(other)?))
    }

    /// The rate of a contender at a point.
    pub fn rate(&self, contender: &str, point: &Point) -> Option<&RateRow> {
        self.rates.iter().find(|row| row.contender == contender && row.point == *point)
    }
}

#[cfg(test)]
pub mod testing {
    //! Results without a measurement.

    use super::*;

    /// Contenders c and rust at the base point, rust so many times as fast in each round, and everything else that a report
    /// shows.
    pub fn results(ratios: &[f64]) -> Results {
        let plan = Plan::named("quick").unwrap();
        let rates = |factor: &dyn Fn(usize) -> f64| -> Vec<RateRow> {
            let rounds: Vec<_> = (0..ratios.len()).map(|round| Some(1e6 * factor(round))).collect();
            let known: Vec<_> = rounds.iter().flatten().copied().collect();
            let row = |point| RateRow {
                contender: String::new(),
                point,
                rounds: rounds.clone(),
                pps: Estimate::of(&known).unwrap(),
                lab_over: None,
                lab_busy: 0.5,
                near_lab: false,
                missing: 0,
                unexplained: 0,
                memory: Some(Memory { resident: 3_000_000, peak: 4_000_000 }),
            };
            plan.points().into_iter().map(row).collect()
        };
        let named = |name: &str, rows: Vec<RateRow>| -> Vec<RateRow> {
            rows.into_iter().map(|row| RateRow { contender: name.to_owned(), ..row }).collect()
        };
        let mut all = named("c", rates(&|_| 1.0));
        all.extend(named("rust", rates(&|round| ratios[round])));
        let info = |name: &str, language: &str| Info {
            name: name.to_owned(),
            language: Some(language.to_owned()),
            command: format!("ringway-{name} forward {{a}} {{b}}"),
            versions: vec![format!("{language} 1.0")],
            foreign: false,
        };
        let mut results = Results {
            schema: SCHEMA,
            command: "ringway bench".to_owned(),
            began: 1_700_000_000,
            seconds: 60.0,
            machine: Machine::here(Some(0), Some(1)),
            reference: "c".to_owned(),
            contenders: vec![info("c", "C"), info("rust", "Rust")],
            refused: Vec::new(),
            rates: all,
            lab: Vec::new(),
            latencies: Vec::new(),
            lossless: Vec::new(),
            starts: Vec::new(),
            costs: BTreeMap::new(),
            ratios: BTreeMap::new(),
            safety: None,
            notes: Vec::new(),
            plan,
        };
        results.compute_ratios();
        results
    }
}

//! Collects rounds and makes results of them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hdrhistogram::Histogram;

use super::Run;
use crate::contender::{Contender, Launch};
use crate::machine::Machine;
use crate::plan::Point;
use crate::results::{
    BUSY, Info, LabRow, LatencyRow, NEAR, Percentile, RateRow, Refused, Results, SCHEMA, ValueRow,
};
use crate::stats::{Estimate, paired};
use crate::track::{Loaded, Memory, RateSample};

/// A percentile is told only if so many packets lie beyond it.
const ENOUGH_BEYOND: f64 = 10.0;
/// The percentiles that are told.
const PERCENTILES: [(&str, f64); 6] =
    [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("p99.9", 99.9), ("p99.99", 99.99), ("p99.999", 99.999)];

/// Rounds by what they are of, in the order in which they began.
type Series<K, V> = Vec<(K, Vec<V>)>;

/// Rounds so far.
#[derive(Default)]
pub struct Gathered {
    rates: Series<(String, Point), Option<RateSample>>,
    lab: Series<Point, Option<f64>>,
    latencies: Series<(String, u32), Loaded>,
    lossless: Series<String, Option<f64>>,
    starts: Series<String, Option<f64>>,
}

/// Adds a round to the series called `key`.
fn push<K: PartialEq, V>(series: &mut Series<K, V>, key: K, value: V) {
    match series.iter_mut().find(|(known, _)| *known == key) {
        Some((_, rounds)) => rounds.push(value),
        None => series.push((key, vec![value])),
    }
}

impl Gathered {
    pub fn rate(&mut self, name: &str, point: Point, sample: Option<RateSample>) {
        push(&mut self.rates, (name.to_owned(), point), sample);
    }

    pub fn lab(&mut self, point: Point, pps: f64) {
        // A measurement too short to see a packet is none.
        push(&mut self.lab, point, pps.is_finite().then_some(pps));
    }

    pub fn latency(&mut self, name: &str, seen: Loaded) {
        push(&mut self.latencies, (name.to_owned(), seen.load.percent), seen);
    }

    pub fn lossless(&mut self, name: &str, pps: Option<f64>) {
        push(&mut self.lossless, name.to_owned(), pps);
    }

    pub fn start(&mut self, name: &str, seconds: Option<f64>) {
        push(&mut self.starts, name.to_owned(), seconds);
    }

    /// The median of what a contender did at a point.
    pub fn median_rate(&self, name: &str, point: &Point) -> Option<f64> {
        let (_, rounds) = self.rates.iter().find(|((known, at), _)| known == name && at == point)?;
        let rates: Vec<_> = rounds.iter().flatten().map(|sample| sample.pps).collect();
        Some(Estimate::of(&rates)?.median)
    }

    /// Everything but what is measured elsewhere. Those who were refused have no figures.
    pub fn into_results(
        mut self,
        run: Run<'_>,
        refused: Vec<Refused>,
        machine: Machine,
        began: SystemTime,
        took: Duration,
    ) -> Results {
        let out = |name: &str| refused.iter().any(|refused| refused.contender == name);
        self.rates.retain(|((name, _), _)| !out(name));
        self.latencies.retain(|((name, _), _)| !out(name));
        self.lossless.retain(|(name, _)| !out(name));
        self.starts.retain(|(name, _)| !out(name));
        let lab: Vec<_> = self.lab.iter().filter_map(|(point, rounds)| lab_row(*point, rounds)).collect();
        let rates = self.rates.iter().filter_map(|((name, point), rounds)| {
            rate_row(name, *point, rounds, lab.iter().find(|row| row.point == *point))
        });
        let base = run.plan.base_point();
        // The reference may have been refused.
        let there = |name: &String| run.contenders.iter().any(|one| one.name == *name) && !out(name);
        let first_left = run.contenders.iter().map(|one| one.name.clone()).find(|name| !out(name));
        let reference = Some(run.reference).filter(there).or(first_left).unwrap_or_default();
        let mut results = Results {
            schema: SCHEMA,
            command: run.command,
            began: began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            seconds: took.as_secs_f64(),
            notes: machine.notes().into_iter().chain(run.plan.notes()).collect(),
            machine,
            plan: run.plan,
            reference,
            contenders: run.contenders.iter().map(|contender| info(contender, &base)).collect(),
            rates: rates.collect(),
            lab,
            latencies: self
                .latencies
                .iter()
                .map(|((name, percent), seen)| latency_row(name, *percent, seen))
                .collect(),
            lossless: self.lossless.iter().filter_map(|(name, rounds)| value_row(name, rounds)).collect(),
            starts: self.starts.iter().filter_map(|(name, rounds)| value_row(name, rounds)).collect(),
            costs: BTreeMap::new(),
            ratios: BTreeMap::new(),
            refused,
            safety: None,
        };
        results.compute_ratios();
        results
    }
}

fn info(contender: &Contender, base: &Point) -> Info {
    let command = contender.command(base, &["{a}".to_owned(), "{b}".to_owned()], None);
    let here = std::env::current_dir().unwrap_or_default();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    Info {
        name: contender.name.clone(),
        language: contender.language.clone(),
        command: words.map(|word| from_here(word, &here)).collect::<Vec<_>>().join(" "),
        versions: contender.versions.clone(),
        foreign: matches!(contender.launch, Launch::Foreign { .. }),
    }
}

/// A word of a command without the directory in which the run was started: where that lies is nobody's business.
fn from_here(word: &OsStr, here: &Path) -> String {
    let below = Path::new(word).strip_prefix(here).map_or(word, Path::as_os_str);
    below.to_string_lossy().into_owned()
}

fn estimate(rounds: &[Option<f64>]) -> Option<Estimate> {
    Estimate::of(&rounds.iter().flatten().copied().collect::<Vec<_>>())
}

fn lab_row(point: Point, rounds: &[Option<f64>]) -> Option<LabRow> {
    Some(LabRow { point, rounds: rounds.to_vec(), pps: estimate(rounds)? })
}

fn rate_row(
    name: &str,
    point: Point,
    samples: &[Option<RateSample>],
    lab: Option<&LabRow>,
) -> Option<RateRow> {
    let rounds: Vec<_> = samples.iter().map(|sample| sample.map(|sample| sample.pps)).collect();
    let pps = estimate(&rounds)?;
    let lab_over = lab.and_then(|lab| Estimate::of(&paired(&lab.rounds, &rounds)));
    let known = || samples.iter().flatten();
    let busy: Vec<_> = known().map(|sample| sample.lab_busy).collect();
    let lab_busy = Estimate::of(&busy).map_or(0.0, |busy| busy.median);
    let near_lab = lab_over.map_or(lab_busy > BUSY, |over| over.median < NEAR);
    let memory = known().filter_map(|sample| sample.memory).reduce(|one, other| Memory {
        resident: one.resident.max(other.resident),
        peak: one.peak.max(other.peak),
    });
    Some(RateRow {
        contender: name.to_owned(),
        point,
        pps,
        lab_over,
        lab_busy,
        near_lab,
        missing: known().map(|sample| sample.missing).sum(),
        unexplained: known().map(|sample| sample.unexplained).sum(),
        memory,
        rounds,
    })
}

fn value_row(name: &str, rounds: &[Option<f64>]) -> Option<ValueRow> {
    Some(ValueRow { contender: name.to_owned(), rounds: rounds.to_vec(), value: estimate(rounds)? })
}

fn latency_row(name: &str, percent: u32, seen: &[Loaded]) -> LatencyRow {
    let mut all = crate::track::empty_histogram();
    for loaded in seen {
        // They have the same bounds.
        let _ = all.add(&loaded.latencies);
    }
    let mut percentiles: Vec<_> = PERCENTILES
        .iter()
        .map(|(name, percentile)| percentile_of(name, seen, |latencies| value_at(latencies, *percentile)))
        .collect();
    percentiles
        .push(percentile_of("max", seen, |latencies| (!latencies.is_empty()).then(|| latencies.max())));
    LatencyRow {
        contender: name.to_owned(),
        percent,
        pps: seen.first().map_or(0.0, |loaded| loaded.load.pps),
        offered: seen.iter().map(|loaded| loaded.offered).fold(f64::INFINITY, f64::min),
        lost: seen.iter().map(|loaded| loaded.lost).sum(),
        samples: all.len(),
        percentiles,
        curve: curve(&all),
    }
}

fn percentile_of(name: &str, seen: &[Loaded], value: impl Fn(&Histogram<u64>) -> Option<u64>) -> Percentile {
    let rounds: Vec<_> =
        seen.iter().map(|loaded| value(&loaded.latencies).map(|value| value as f64)).collect();
    Percentile { name: name.to_owned(), nanoseconds: estimate(&rounds), rounds }
}

fn value_at(latencies: &Histogram<u64>, percentile: f64) -> Option<u64> {
    let beyond = latencies.len() as f64 * (1.0 - percentile / 100.0);
    (beyond + 1e-6 >= ENOUGH_BEYOND).then(|| latencies.value_at_percentile(percentile))
}

/// Points for a plot whose axis is logarithmic in what is left to 100 %.
fn curve(latencies: &Histogram<u64>) -> Vec<(f64, u64)> {
    if latencies.is_empty() {
        return Vec::new();
    }
    let mut points = Vec::new();
    // From the median on: what is below it tells nothing of the tail.
    for step in 3..=50 {
        let percentile = 100.0 - 100.0 * 10f64.powf(-f64::from(step) / 10.0);
        if let Some(value) = value_at(latencies, percentile) {
            points.push((percentile, value));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::{Load, empty_histogram};

    #[test]
    fn a_command_does_not_tell_where_it_was_started() {
        let here = Path::new("/opt/ringway");
        let word = |word: &str| from_here(OsStr::new(word), here);
        assert_eq!(word("/opt/ringway/target/release/toy"), "target/release/toy");
        assert_eq!(word("/usr/bin/toy"), "/usr/bin/toy");
        assert_eq!(word("--batch"), "--batch");
    }

    #[test]
    fn a_percentile_needs_packets_beyond_it() {
        let mut latencies = empty_histogram();
        (1..=10_000u64).for_each(|value| latencies.record(value * 100).unwrap());
        assert!(value_at(&latencies, 99.9).is_some_and(|value| value.abs_diff(999_000) < 1_000));
        assert_eq!(value_at(&latencies, 99.99), None, "one packet in ten thousand says nothing");
    }

    #[test]
    fn rounds_of_a_latency_are_kept_apart_and_the_curve_is_of_all() {
        let loaded = |value: u64| {
            let mut latencies = empty_histogram();
            (0..100).for_each(|_| latencies.record(value).unwrap());
            let load = Load { percent: 10, pps: 1e5 };
            Loaded { load, offered: 1.0, lost: 0, latencies }
        };
        let row = latency_row("toy", 10, &[loaded(1000), loaded(3000), loaded(2000)]);
        let median = row.percentiles[0].nanoseconds.unwrap();
        assert_eq!((row.percentiles[0].name.as_str(), row.samples), ("p50", 300));
        assert!((median.median - 2000.0).abs() < 2.0 && (median.high - 3000.0).abs() < 3.0, "{median:?}");
        assert_eq!(row.percentiles[3].nanoseconds, None);
        assert!(!row.curve.is_empty());
    }

    #[test]
    fn near_the_labs_limit_is_told() {
        let sample = |pps| Some(RateSample { pps, missing: 0, unexplained: 0, lab_busy: 0.5, memory: None });
        let point = crate::plan::Plan::named("quick").unwrap().base_point();
        let lab = lab_row(point, &[Some(12.0), Some(12.0)]).unwrap();
        assert!(rate_row("toy", point, &[sample(10.0), sample(10.0)], Some(&lab)).unwrap().near_lab);
        assert!(!rate_row("toy", point, &[sample(9.0), sample(9.0)], Some(&lab)).unwrap().near_lab);
        let busy = sample(9.0).map(|sample| RateSample { lab_busy: 0.8, ..sample });
        assert!(rate_row("toy", point, &[busy], None).unwrap().near_lab);
    }
}

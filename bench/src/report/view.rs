//! What the template shows, in the words and units that it shows it in.

use std::error::Error as StdError;

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::plots;
use crate::compare::Comparison;
use crate::cost::Counted;
use crate::promises::{Promise, Side, State, Verdict};
use crate::results::{LatencyRow, Refused, Results};
use crate::safety::Mark;
use crate::stats::{CONFIDENCE, Estimate};
use crate::table;

/// A table: names of columns and rows of cells.
#[derive(Serialize)]
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A plot and what it shows.
#[derive(Serialize)]
struct Plot {
    title: String,
    svg: String,
}

/// A cell of the safety table.
#[derive(Serialize)]
struct Safe {
    mark: Mark,
    cases: Vec<String>,
}

#[derive(Serialize)]
struct SafeRow {
    area: String,
    property: String,
    about: String,
    cells: Vec<Safe>,
}

#[derive(Serialize)]
struct Changed {
    what: String,
    old: String,
    new: String,
    percent: String,
    spreads: String,
    agrees: bool,
}

/// Everything.
#[derive(Serialize)]
pub struct View {
    began: String,
    minutes: String,
    command: String,
    set: String,
    about: String,
    reference: String,
    names: Vec<String>,
    rounds: usize,
    warm_up: u64,
    measure: u64,
    confidence: u32,
    near: f64,
    any_near: bool,
    notes: Vec<String>,
    refused: Vec<Refused>,
    rate_plots: Vec<Plot>,
    ratio_plots: Vec<Plot>,
    latency_plots: Vec<Plot>,
    rates: Table,
    ratios: Table,
    latencies: Table,
    costs: Table,
    sizes: Table,
    safety: Vec<SafeRow>,
    safe_names: Vec<String>,
    promises: Table,
    machine: Table,
    versions: Table,
    changes: Option<Vec<Changed>>,
    change_notes: Vec<String>,
}

/// Of results.
pub fn of(
    results: &Results,
    promises: &[Promise],
    baseline: Option<&Comparison>,
) -> Result<View, Box<dyn StdError>> {
    let began = OffsetDateTime::from_unix_timestamp(results.began.try_into()?)?;
    Ok(View {
        began: began.format(&Rfc3339)?,
        minutes: format!("{:.0}", (results.seconds / 60.0).ceil()),
        command: results.command.clone(),
        set: results.plan.name.clone(),
        about: results.plan.set.about.clone(),
        reference: results.reference.clone(),
        names: results.contenders.iter().map(|one| one.name.clone()).collect(),
        rounds: results.plan.set.rounds,
        warm_up: results.plan.set.warm_up,
        measure: results.plan.set.measure,
        confidence: (CONFIDENCE * 100.0) as u32,
        near: crate::results::NEAR,
        any_near: results.rates.iter().any(|row| row.near_lab),
        notes: results.notes.clone(),
        refused: results.refused.clone(),
        rate_plots: rate_plots(results)?,
        ratio_plots: plot(format!("Rate against {}", results.reference), plots::ratios(results)?),
        latency_plots: latency_plots(results)?,
        rates: rates(results),
        ratios: ratios(results),
        latencies: latencies(results),
        costs: costs(results),
        sizes: sizes(results),
        safety: safety(results),
        safe_names: safe_names(results),
        promises: promised(results, promises),
        machine: machine(results),
        versions: versions(results),
        changes: baseline.map(changed),
        change_notes: baseline.map(|comparison| comparison.notes.clone()).unwrap_or_default(),
    })
}

fn plot(title: String, svg: Option<String>) -> Vec<Plot> {
    svg.map(|svg| Plot { title, svg }).into_iter().collect()
}

fn rate_plots(results: &Results) -> Result<Vec<Plot>, Box<dyn StdError>> {
    let mut all = plot("Rate over batch".to_owned(), plots::rate_over_batch(results)?);
    all.extend(plot(
        "Rate in bursts over batch: the driver without the lab".to_owned(),
        plots::bursts_over_batch(results)?,
    ));
    all.extend(plot("Rate over frame size".to_owned(), plots::rate_over_size(results)?));
    all.extend(plot("Rate over ring".to_owned(), plots::rate_over_ring(results)?));
    all.extend(plot("Rate over queues".to_owned(), plots::rate_over_queues(results)?));
    Ok(all)
}

fn latency_plots(results: &Results) -> Result<Vec<Plot>, Box<dyn StdError>> {
    let mut all = Vec::new();
    for percent in &results.plan.set.loads {
        all.extend(plot(format!("Latency at {percent} % load"), plots::latency(results, *percent)?));
    }
    Ok(all)
}

fn dash<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), show)
}

fn names(first: &str, results: &Results) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(results.contenders.iter().map(|one| one.name.clone())).collect()
}

fn estimate(value: &Estimate, show: impl Fn(f64) -> String) -> String {
    format!("{} ±{:.0} %", show(value.median), value.relative() * 100.0)
}

fn rates(results: &Results) -> Table {
    let mut header = names("packets a second, median ± spread", results);
    header.push("lab alone".to_owned());
    let row = |point| {
        let mut row = vec![format!("{point}")];
        for one in &results.contenders {
            row.push(dash(results.rate(&one.name, &point), |rate| {
                let near = match (&rate.lab_over, rate.near_lab) {
                    (Some(over), true) => format!(" ⚠ lab only {:.2}×", over.median),
                    (None, true) => format!(" ⚠ lab {:.0} % busy", rate.lab_busy * 100.0),
                    _ => String::new(),
                };
                let unexplained = if rate.unexplained > 0 {
                    format!(" ({} losses unexplained)", rate.unexplained)
                } else {
                    String::new()
                };
                format!("{}{near}{unexplained}", estimate(&rate.pps, table::packets))
            }));
        }
        let lab = results.lab.iter().find(|row| row.point == point);
        row.push(dash(lab, |lab| estimate(&lab.pps, table::packets)));
        row
    };
    Table { header, rows: results.plan.points().into_iter().map(row).collect() }
}

fn ratios(results: &Results) -> Table {
    let header = ["what", "contender", "over", "median", "spread", "says"].map(str::to_owned).to_vec();
    let row = |ratio: &crate::results::Ratio| {
        let says = match ratio.standing {
            crate::stats::Standing::Equal => "equal",
            crate::stats::Standing::More => "more",
            crate::stats::Standing::Less => "less",
        };
        vec![
            ratio.what.clone(),
            ratio.contender.clone(),
            ratio.reference.clone(),
            format!("{:.3}", ratio.ratio.median),
            format!("{:.3} to {:.3}", ratio.ratio.low, ratio.ratio.high),
            says.to_owned(),
        ]
    };
    Table { header, rows: results.ratios.values().map(row).collect() }
}

fn latencies(results: &Results) -> Table {
    let columns =
        ["load", "contender", "offered", "lost", "p50", "p90", "p99", "p99.9", "p99.99", "p99.999", "max"];
    let row = |row: &LatencyRow| {
        let mut cells = vec![
            format!("{} % ({})", row.percent, table::packets(row.pps)),
            row.contender.clone(),
            format!("{:.1} %", row.offered * 100.0),
            row.lost.to_string(),
        ];
        cells
            .extend(row.percentiles.iter().map(|one| dash(one.nanoseconds, |ns| estimate(&ns, table::time))));
        cells
    };
    Table { header: columns.map(str::to_owned).to_vec(), rows: results.latencies.iter().map(row).collect() }
}

fn counted(counted: &Counted, decimals: usize) -> String {
    match counted {
        Counted::Value { value, by } => format!("{value:.decimals$} ({by})"),
        Counted::NotCounted(why) => format!("not counted: {why}"),
    }
}

fn costs(results: &Results) -> Table {
    let base = results.plan.base_point();
    let mut rows = Vec::new();
    let mut add = |what: &str, cell: &dyn Fn(&str) -> String| {
        let cells = results.contenders.iter().map(|one| cell(&one.name));
        rows.push(std::iter::once(what.to_owned()).chain(cells).collect());
    };
    let cost = |name: &str| results.costs.get(name);
    add("instructions per packet", &|name| dash(cost(name), |cost| counted(&cost.instructions, 0)));
    add("allocations per million packets", &|name| dash(cost(name), |cost| counted(&cost.allocations, 1)));
    add("garbage-collected bytes allocated per million packets", &|name| {
        dash(cost(name), |cost| counted(&cost.allocated, 0))
    });
    add("garbage collections per million packets", &|name| {
        dash(cost(name), |cost| counted(&cost.collections, 2))
    });
    let memory = |name: &str| results.rate(name, &base)?.memory;
    add("resident memory at the end of a run", &|name| {
        dash(memory(name), |memory| megabytes(memory.resident))
    });
    add("resident memory at most", &|name| dash(memory(name), |memory| megabytes(memory.peak)));
    let start = |name: &str| results.starts.iter().find(|row| row.contender == name);
    add("start to first packet", &|name| {
        dash(start(name), |row| estimate(&row.value, |s| table::time(s * 1e9)))
    });
    let lossless = |name: &str| results.lossless.iter().find(|row| row.contender == name);
    add("highest rate without loss", &|name| {
        dash(lossless(name), |row| estimate(&row.value, table::packets))
    });
    Table { header: names("", results), rows }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn sizes(results: &Results) -> Table {
    let columns = ["contender", "language", "files", "lines", "bytes after gzip", "lines of native code"];
    let row = |one: &crate::results::Info| {
        let source = results.costs.get(&one.name).and_then(|cost| cost.source);
        let number = |of: fn(&crate::cost::source::Source) -> usize| {
            dash(source.as_ref(), |source| of(source).to_string())
        };
        vec![
            one.name.clone(),
            one.language.clone().unwrap_or_else(|| "–".to_owned()),
            number(|source| source.files),
            number(|source| source.lines),
            number(|source| source.gzip),
            number(|source| source.native),
        ]
    };
    Table { header: columns.map(str::to_owned).to_vec(), rows: results.contenders.iter().map(row).collect() }
}

fn safe_names(results: &Results) -> Vec<String> {
    results.safety.iter().flat_map(|safety| safety.outcomes.keys().cloned()).collect()
}

fn safety(results: &Results) -> Vec<SafeRow> {
    let Some(safety) = &results.safety else { return Vec::new() };
    let row = |cell: &crate::safety::Cell| SafeRow {
        area: cell.area.clone(),
        property: cell.property.clone(),
        about: cell.about.clone(),
        cells: safety
            .outcomes
            .keys()
            .map(|driver| Safe { mark: safety.mark(driver, cell), cases: cell.cases.clone() })
            .collect(),
    };
    safety.cells.iter().map(row).collect()
}

fn promised(results: &Results, promises: &[Promise]) -> Table {
    let columns = ["promise", "ratio", "bound", "state in the table", "this run"];
    let row = |promise: &Promise| {
        let sign = if promise.side == Side::AtLeast { "≥" } else { "≤" };
        let this_run = match promise.judge(results) {
            Verdict::Holds(ratio) => {
                format!("{:.3} ({:.3} to {:.3}): holds", ratio.median, ratio.low, ratio.high)
            }
            Verdict::Missed(ratio) => {
                format!("{:.3} ({:.3} to {:.3}): missed", ratio.median, ratio.low, ratio.high)
            }
            Verdict::Open => "not measured".to_owned(),
        };
        let state = match promise.state {
            State::Kept => "kept".to_owned(),
            State::ShortBy(percent) => format!("short by {percent} %"),
            State::NotMeasured => "not measured yet".to_owned(),
        };
        let ratio = format!("{}: {} / {}", promise.what, promise.contender, promise.other);
        vec![promise.words.clone(), ratio, format!("{sign} {}", promise.bound), state, this_run]
    };
    Table { header: columns.map(str::to_owned).to_vec(), rows: promises.iter().map(row).collect() }
}

fn machine(results: &Results) -> Table {
    let machine = &results.machine;
    let core = |core: Option<usize>| core.map_or("not pinned".to_owned(), |core| core.to_string());
    let rows = [
        ("processor", machine.processor.clone()),
        ("cores", machine.cores.to_string()),
        ("core of the lab", core(machine.lab_core)),
        ("core of the contenders", core(machine.driver_core)),
        ("memory", format!("{:.1} GB", machine.memory as f64 / 1e9)),
        ("kernel", machine.kernel.clone()),
        ("system", machine.system.clone()),
        ("virtual machine", if machine.hypervisor { "yes" } else { "no" }.to_owned()),
        (
            "clock governor",
            if machine.governor.is_empty() { "not told".to_owned() } else { machine.governor.clone() },
        ),
        ("load average before the run", machine.load.clone()),
    ];
    Table { header: Vec::new(), rows: rows.map(|(what, value)| vec![what.to_owned(), value]).to_vec() }
}

fn versions(results: &Results) -> Table {
    let row = |one: &crate::results::Info| {
        let versions = if one.versions.is_empty() { "not told".to_owned() } else { one.versions.join(", ") };
        vec![one.name.clone(), versions, one.command.clone()]
    };
    let columns = ["contender", "toolchain and runtime", "command at the base point"];
    Table { header: columns.map(str::to_owned).to_vec(), rows: results.contenders.iter().map(row).collect() }
}

fn changed(comparison: &Comparison) -> Vec<Changed> {
    let show = |ratio: &Estimate| format!("{:.3} ({:.3} to {:.3})", ratio.median, ratio.low, ratio.high);
    let mut changes: Vec<_> = comparison.changes.iter().collect();
    changes.sort_by(|one, other| other.spreads.total_cmp(&one.spreads));
    changes
        .into_iter()
        .map(|change| Changed {
            what: change.what.clone(),
            old: show(&change.old),
            new: show(&change.new),
            percent: format!("{:+.1} %", change.percent),
            spreads: format!("{:.1}", change.spreads),
            agrees: change.agrees,
        })
        .collect()
}

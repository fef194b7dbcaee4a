//! The compact table for the terminal.

use comfy_table::{CellAlignment, Table, presets};

use crate::plan::Point;
use crate::results::{RateRow, Results};
use crate::stats::{Estimate, Standing};

/// The lines of the report for a terminal.
pub fn lines(results: &Results) -> Vec<String> {
    let mut lines = Vec::new();
    for refused in &results.refused {
        lines.push(format!("REFUSED {} at {}: it {}", refused.contender, refused.at, refused.why));
    }
    lines.extend(rates(results).lines().map(str::to_owned));
    if results.rates.iter().any(|row| row.near_lab) {
        lines.push(format!(
            "! the lab is less than {} times faster there: the figure is the lab's as much as the driver's",
            crate::results::NEAR
        ));
    }
    lines.push(String::new());
    lines.extend(ratios(results).lines().map(str::to_owned));
    lines.push(String::new());
    lines.extend(more(results).lines().map(str::to_owned));
    lines.push(String::new());
    lines.extend(results.notes.iter().map(|note| format!("note: {note}")));
    lines.push("rates are the contenders' CPU cost on a software NIC, not the speed of a card".to_owned());
    lines
}

fn table(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if place > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Every point, with a column for each contender and one for the lab.
fn rates(results: &Results) -> String {
    let names: Vec<_> = results.contenders.iter().map(|one| one.name.clone()).collect();
    let mut header = vec!["packets a second".to_owned()];
    header.extend(names.iter().cloned());
    header.push("lab alone".to_owned());
    let mut table = table(header);
    for point in results.plan.points() {
        let mut row = vec![point.to_string()];
        row.extend(names.iter().map(|name| results.rate(name, &point).map_or("-".to_owned(), rate_cell)));
        let lab = results.lab.iter().find(|row| row.point == point);
        row.push(lab.map_or("-".to_owned(), |row| rate(&row.pps)));
        table.add_row(row);
    }
    table.trim_fmt()
}

fn rate_cell(row: &RateRow) -> String {
    let mark = if row.near_lab { " !" } else { "" };
    format!("{}{mark}", rate(&row.pps))
}

/// `1.23 Mpps ±4 %`
fn rate(pps: &Estimate) -> String {
    format!("{} ±{:.0} %", packets(pps.median), pps.relative() * 100.0)
}

/// Packets a second in the unit that fits.
pub fn packets(pps: f64) -> String {
    match pps {
        pps if pps >= 1e6 => format!("{:.2} Mpps", pps / 1e6),
        pps if pps >= 1e3 => format!("{:.0} kpps", pps / 1e3),
        pps => format!("{pps:.0} pps"),
    }
}

/// Nanoseconds in the unit that fits.
pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns >= 1e9 => format!("{:.2} s", ns / 1e9),
        ns if ns >= 1e6 => format!("{:.2} ms", ns / 1e6),
        ns if ns >= 1e3 => format!("{:.1} us", ns / 1e3),
        ns => format!("{ns:.0} ns"),
    }
}

/// A ratio with its spread and what it says: `0.93 [0.90 0.97]`, `1.02 equal`.
pub fn ratio(ratio: &Estimate, standing: Standing) -> String {
    let equal = if standing == Standing::Equal { " equal" } else { "" };
    format!("{:.3} [{:.3} {:.3}]{equal}", ratio.median, ratio.low, ratio.high)
}

/// Rates against the reference.
fn ratios(results: &Results) -> String {
    let others: Vec<_> =
        results.contenders.iter().map(|one| &one.name).filter(|name| **name != results.reference).collect();
    let mut header = vec![format!("ratio to {}, median [spread]", results.reference)];
    header.extend(others.iter().map(|name| (*name).clone()));
    let mut table = table(header);
    let mut whats: Vec<String> = results.plan.points().iter().map(|point| format!("rate {point}")).collect();
    whats.push("rate without loss".to_owned());
    for percent in &results.plan.set.loads {
        whats.extend(["p50", "p99"].iter().map(|name| format!("latency {name} at {percent} %")));
    }
    whats.push("start to first packet".to_owned());
    for what in whats {
        let mut row = vec![what.clone()];
        row.extend(others.iter().map(|name| {
            let found = results.ratios.values().find(|ratio| {
                ratio.what == what && ratio.contender == **name && ratio.reference == results.reference
            });
            found.map_or("-".to_owned(), |found| ratio(&found.ratio, found.standing))
        }));
        table.add_row(row);
    }
    table.trim_fmt()
}

/// Latency, cost and size.
fn more(results: &Results) -> String {
    let names: Vec<_> = results.contenders.iter().map(|one| one.name.clone()).collect();
    let mut header = vec!["also".to_owned()];
    header.extend(names.iter().cloned());
    let mut table = table(header);
    let mut add = |what: String, cell: &dyn Fn(&str) -> Option<String>| {
        let mut row = vec![what];
        row.extend(names.iter().map(|name| cell(name).unwrap_or_else(|| "-".to_owned())));
        table.add_row(row);
    };
    for percent in &results.plan.set.loads {
        add(format!("latency p50 / p99 / max at {percent} %"), &|name| latency(results, name, *percent));
    }
    let value = |rows: &[crate::results::ValueRow], name: &str| {
        rows.iter().find(|row| row.contender == name).map(|row| row.value.median)
    };
    add("rate without loss".into(), &|name| value(&results.lossless, name).map(packets));
    add("start to first packet".into(), &|name| {
        value(&results.starts, name).map(|seconds| time(seconds * 1e9))
    });
    let base: Point = results.plan.base_point();
    add("memory, at most".into(), &|name| {
        let memory = results.rate(name, &base)?.memory?;
        Some(format!("{:.1} MB", memory.peak as f64 / 1e6))
    });
    add("instructions a packet".into(), &|name| {
        results.costs.get(name)?.instructions.value().map(|value| format!("{value:.0}"))
    });
    add("allocations a million packets".into(), &|name| {
        results.costs.get(name)?.allocations.value().map(|value| format!("{value:.0}"))
    });
    add("allocated bytes, collections a million packets".into(), &|name| {
        let cost = results.costs.get(name)?;
        Some(format!("{:.0}, {:.2}", cost.allocated.value()?, cost.collections.value()?))
    });
    add("source lines / gzip / native lines".into(), &|name| {
        let source = results.costs.get(name)?.source?;
        Some(format!("{} / {:.1} kB / {}", source.lines, source.gzip as f64 / 1e3, source.native))
    });
    table.trim_fmt()
}

fn latency(results: &Results, name: &str, percent: u32) -> Option<String> {
    let row = results.latencies.iter().find(|row| row.contender == name && row.percent == percent)?;
    let of = |percentile: &str| {
        let found = row.percentiles.iter().find(|one| one.name == percentile)?;
        Some(found.nanoseconds?.median)
    };
    Some(format!("{} / {} / {}", time(of("p50")?), of("p99").map_or("-".into(), time), time(of("max")?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_unit_that_fits() {
        assert_eq!((packets(1_234_567.0), packets(81_234.0)), ("1.23 Mpps".into(), "81 kpps".into()));
        assert_eq!(
            (time(812.0), time(8_123.0), time(81_234_567.0)),
            ("812 ns".into(), "8.1 us".into(), "81.23 ms".into())
        );
    }

    #[test]
    fn equal_is_said_in_words() {
        let estimate = Estimate::of(&[0.9, 1.0, 1.2]).unwrap();
        assert_eq!(ratio(&estimate, Standing::of(&estimate)), "1.000 [0.900 1.200] equal");
    }
}

//! The plots, as SVG.

use std::error::Error as StdError;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::plan::{Point, Workload};
use crate::results::{LAB, Results};
use crate::stats::Estimate;
use crate::table;

type Result<T> = std::result::Result<T, Box<dyn StdError>>;
type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

const SIZE: (u32, u32) = (760, 420);
/// A row with a label, and what lies above and below all of them.
const ROW: u32 = 22;
const ROW_MARGIN: u32 = 80;
const FONT: &str = "sans-serif";
const TEXT: i32 = 17;
/// Told apart also by those who see colours differently (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];
const GREY: RGBColor = RGBColor(140, 140, 140);

/// What a contender shows along an axis: position and estimate.
struct Line {
    name: String,
    colour: RGBColor,
    points: Vec<(f64, Estimate)>,
}

/// How an axis is written.
struct Axis<'a> {
    title: String,
    label: &'a dyn Fn(f64) -> String,
    ticks: usize,
}

fn colour(results: &Results, name: &str) -> RGBColor {
    let place = results.contenders.iter().position(|one| one.name == name);
    place.map_or(GREY, |place| COLOURS[place % COLOURS.len()])
}

fn svg(draw: impl FnOnce(&Canvas<'_>) -> Result<()>) -> Result<String> {
    svg_of(SIZE.1, draw)
}

fn svg_of(height: u32, draw: impl FnOnce(&Canvas<'_>) -> Result<()>) -> Result<String> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (SIZE.0, height)).into_drawing_area();
        root.fill(&WHITE)?;
        draw(&root)?;
        root.present()?;
    }
    Ok(text)
}

/// Rates over one number of the points of `forward`, equal steps apart, with the spread of each.
fn rates_over(
    results: &Results,
    values: &[u32],
    title: &str,
    point: impl Fn(u32) -> Point,
) -> Result<Option<String>> {
    let mut lines: Vec<Line> = results
        .contenders
        .iter()
        .map(|one| Line { name: one.name.clone(), colour: colour(results, &one.name), points: Vec::new() })
        .collect();
    let mut lab = Line { name: format!("{LAB} alone"), colour: GREY, points: Vec::new() };
    for (place, value) in values.iter().enumerate() {
        let point = point(*value);
        for line in &mut lines {
            line.points
                .extend(results.rate(&line.name, &point).map(|row| (place as f64, scaled(row.pps, 1e-6))));
        }
        let alone = results.lab.iter().find(|row| row.point == point);
        lab.points.extend(alone.map(|row| (place as f64, scaled(row.pps, 1e-6))));
    }
    lines.push(lab);
    lines.retain(|line| !line.points.is_empty());
    if lines.is_empty() || values.len() < 2 {
        return Ok(None);
    }
    let highest = lines.iter().flat_map(|line| &line.points).map(|(_, rate)| rate.high).fold(0.0, f64::max);
    let label = |place: f64| {
        let near = (place - place.round()).abs() < 0.01 && place > -0.5;
        values.get(place.round() as usize).filter(|_| near).map_or(String::new(), u32::to_string)
    };
    let x = Axis { title: title.to_owned(), label: &label, ticks: values.len() + 1 };
    let y =
        Axis { title: "million packets a second".to_owned(), label: &|rate| format!("{rate:.1}"), ticks: 8 };
    let ranges = (-0.15..(values.len() - 1) as f64 + 0.15, 0.0..highest * 1.3);
    svg(|root| {
        let mut chart = frame(root, ranges, &x, &y)?;
        lines.iter().try_for_each(|line| draw(&mut chart, line))?;
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    })
    .map(Some)
}

fn scaled(estimate: Estimate, factor: f64) -> Estimate {
    let Estimate { median, low, high, rounds } = estimate;
    Estimate { median: median * factor, low: low * factor, high: high * factor, rounds }
}

/// Rate over batch.
pub fn rate_over_batch(results: &Results) -> Result<Option<String>> {
    let base = results.plan.base_point();
    let batches = sweep(results, |point| point.batch, |point| Point { batch: base.batch, ..*point });
    rates_over(results, &batches, "packets in a batch", |batch| Point { batch, ..base })
}

/// Rate in bursts over batch.
pub fn bursts_over_batch(results: &Results) -> Result<Option<String>> {
    let base = results.plan.burst_point();
    let mut batches: Vec<_> = results.plan.set.bursts.clone();
    batches.sort_unstable();
    rates_over(results, &batches, "packets in a batch", |batch| Point { batch, ..base })
}

/// Rate over frame size.
pub fn rate_over_size(results: &Results) -> Result<Option<String>> {
    let base = results.plan.base_point();
    let sizes = sweep(results, |point| point.size.into(), |point| Point { size: base.size, ..*point });
    rates_over(results, &sizes, "bytes of a frame, with FCS", |size| Point { size: size as u16, ..base })
}

/// Rate over ring.
pub fn rate_over_ring(results: &Results) -> Result<Option<String>> {
    let base = results.plan.base_point();
    let rings = sweep(results, |point| point.ring, |point| Point { ring: base.ring, ..*point });
    rates_over(results, &rings, "descriptors of a ring", |ring| Point { ring, ..base })
}

/// Rate over queues.
pub fn rate_over_queues(results: &Results) -> Result<Option<String>> {
    let mut queues: Vec<_> = results.plan.set.queues.iter().copied().map(u32::from).collect();
    queues.sort_unstable();
    rates_over(results, &queues, "queues of each NIC", |queues| results.plan.queue_point(queues as u16))
}

/// The values of one number among the points that differ from the base in nothing else.
fn sweep(results: &Results, number: impl Fn(&Point) -> u32, at_base: impl Fn(&Point) -> Point) -> Vec<u32> {
    let base = results.plan.base_point();
    let points = results.plan.points();
    let mut values: Vec<_> = points.iter().filter(|point| at_base(point) == base).map(number).collect();
    values.sort_unstable();
    values
}

/// Every ratio of a rate to the reference, with its spread: one row for each point, one mark for each contender.
pub fn ratios(results: &Results) -> Result<Option<String>> {
    let points: Vec<_> = results.plan.points().into_iter().rev().collect();
    let mut lines = Vec::new();
    for one in results.contenders.iter().filter(|one| one.name != results.reference) {
        let ratio = |point: &Point| {
            let what = format!("rate {point}");
            let mut all = results.ratios.values();
            let same = all.find(|ratio| {
                ratio.what == what && ratio.contender == one.name && ratio.reference == results.reference
            });
            same.map(|ratio| ratio.ratio)
        };
        let found =
            points.iter().enumerate().filter_map(|(place, point)| Some((place as f64, ratio(point)?)));
        lines.push(Line {
            name: one.name.clone(),
            colour: colour(results, &one.name),
            points: found.collect(),
        });
    }
    lines.retain(|line| !line.points.is_empty());
    if lines.is_empty() {
        return Ok(None);
    }
    let highest = lines.iter().flat_map(|line| &line.points).map(|(_, ratio)| ratio.high).fold(1.2, f64::max);
    let label = |place: f64| {
        let near = (place - place.round()).abs() < 0.01 && place >= 0.0;
        let point = points.get(place.round() as usize).filter(|_| near);
        point.map_or(String::new(), short)
    };
    let x = Axis {
        title: format!("rate over that of {}", results.reference),
        label: &|ratio| format!("{ratio:.1}"),
        ticks: 10,
    };
    let y = Axis { title: String::new(), label: &label, ticks: points.len() };
    let rows = points.len() as f64;
    // The full set has so many that their labels would lie on each other.
    let height = SIZE.1.max(ROW * points.len() as u32 + ROW_MARGIN);
    svg_of(height, |root| {
        let mut chart = frame(root, (0.0..highest * 1.3, -0.5..rows - 0.5), &x, &y)?;
        let one = [(1.0, -0.5), (1.0, rows - 0.5)];
        chart.draw_series(std::iter::once(PathElement::new(one, GREY.stroke_width(1))))?;
        let among = lines.len() as f64;
        for (number, line) in lines.iter().enumerate() {
            let lift = (number as f64 + 0.5) / among * 0.6 - 0.3;
            whiskers_across(&mut chart, line, lift)?;
        }
        legend(&mut chart, SeriesLabelPosition::LowerRight)
    })
    .map(Some)
}

fn short(point: &Point) -> String {
    let Point { workload, size, batch, ring, queues, flows } = point;
    match workload {
        Workload::Forward if *flows > 1 => format!("{size} B, {queues} queues"),
        Workload::Bursts => format!("bursts, batch {batch}"),
        Workload::Forward => format!("{size} B, batch {batch}, ring {ring}"),
        other => format!("{} {size} B", other.name()),
    }
}

/// Latency percentiles of all contenders at one load; both axes are logarithmic, the lower one in what is left to 100 %.
pub fn latency(results: &Results, percent: u32) -> Result<Option<String>> {
    let rows: Vec<_> =
        results.latencies.iter().filter(|row| row.percent == percent && row.curve.len() > 1).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let curve = |row: &crate::results::LatencyRow| -> Vec<(f64, f64)> {
        let place = |percentile: f64| -(1.0 - percentile / 100.0).max(1e-9).log10();
        row.curve.iter().map(|(percentile, ns)| (place(*percentile), (*ns as f64).max(1.0).log10())).collect()
    };
    let all: Vec<_> = rows.iter().flat_map(|row| curve(row)).collect();
    let right = all.iter().map(|point| point.0).fold(1.0, f64::max);
    let low = all.iter().map(|point| point.1).fold(f64::INFINITY, f64::min).floor();
    let high = all.iter().map(|point| point.1).fold(0.0, f64::max).ceil().max(low + 1.0);
    let label = |place: f64| format!("{} %", trimmed(100.0 * (1.0 - 10f64.powf(-place))));
    let whole = |log: f64| {
        let near = (log - log.round()).abs() < 0.01;
        if near { table::time(10f64.powf(log)).replace(".00", "").replace(".0 ", " ") } else { String::new() }
    };
    let x = Axis {
        title: format!("percentile of packets, at {percent} % of each one's own maximum"),
        label: &label,
        ticks: 6,
    };
    let y = Axis { title: "from wire to wire".to_owned(), label: &whole, ticks: (high - low) as usize + 1 };
    svg(|root| {
        let mut chart = frame(root, (0.3..right, low..high), &x, &y)?;
        for row in &rows {
            let colour = colour(results, &row.contender);
            let series = LineSeries::new(curve(row), colour.stroke_width(2));
            chart.draw_series(series)?.label(&row.contender).legend(move |at| key(at, colour));
        }
        legend(&mut chart, SeriesLabelPosition::LowerRight)
    })
    .map(Some)
}

/// `99.9`, not `99.90000000000001`.
fn trimmed(percent: f64) -> String {
    let text = format!("{percent:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn frame<'a, 'b>(
    root: &Canvas<'b>,
    (across, up): (Range<f64>, Range<f64>),
    x: &Axis<'_>,
    y: &Axis<'_>,
) -> Result<Chart<'a, 'b>> {
    // Names of points need more room than numbers.
    let left = if y.title.is_empty() { 190 } else { 70 };
    let mut chart = ChartBuilder::on(root)
        .margin(12)
        .x_label_area_size(48)
        .y_label_area_size(left)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1))
        .x_labels(x.ticks)
        .y_labels(y.ticks)
        .x_desc(&x.title)
        .y_desc(&y.title)
        .x_label_formatter(&|value| (x.label)(*value))
        .y_label_formatter(&|value| (y.label)(*value))
        .label_style((FONT, TEXT))
        .axis_desc_style((FONT, TEXT))
        .draw()?;
    Ok(chart)
}

/// A line through the medians, with whiskers over the spreads.
fn draw(chart: &mut Chart<'_, '_>, line: &Line) -> Result<()> {
    let colour = line.colour;
    let medians = line.points.iter().map(|(at, estimate)| (*at, estimate.median));
    chart
        .draw_series(LineSeries::new(medians, colour.stroke_width(2)).point_size(3))?
        .label(&line.name)
        .legend(move |at| key(at, colour));
    let whiskers = line.points.iter().map(|(at, estimate)| {
        PathElement::new(vec![(*at, estimate.low), (*at, estimate.high)], colour.stroke_width(1))
    });
    chart.draw_series(whiskers)?;
    Ok(())
}

/// Marks at the medians with whiskers over the spreads, in rows that are `lift` above the middle.
fn whiskers_across(chart: &mut Chart<'_, '_>, line: &Line, lift: f64) -> Result<()> {
    let colour = line.colour;
    let whiskers = line.points.iter().map(|(at, ratio)| {
        let ends = vec![(ratio.low, at + lift), (ratio.high, at + lift)];
        PathElement::new(ends, colour.stroke_width(2))
    });
    chart.draw_series(whiskers)?.label(&line.name).legend(move |at| key(at, colour));
    chart.draw_series(
        line.points.iter().map(|(at, ratio)| Circle::new((ratio.median, at + lift), 4, colour.filled())),
    )?;
    Ok(())
}

fn key((x, y): (i32, i32), colour: RGBColor) -> PathElement<(i32, i32)> {
    PathElement::new(vec![(x, y), (x + 16, y)], colour.stroke_width(3))
}

fn legend<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, place: SeriesLabelPosition) -> Result<()> {
    chart
        .configure_series_labels()
        .position(place)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.2))
        .label_font((FONT, TEXT))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::testing;

    #[test]
    fn every_contender_is_in_the_plot() {
        let results = testing::results(&[1.0, 1.1, 1.2]);
        let plot = rate_over_batch(&results).unwrap().unwrap();
        assert!(plot.starts_with("<svg") && plot.trim_end().ends_with("</svg>"));
        for word in ["\nrust\n", "\nc\n", "\n256\n", "packets in a batch"] {
            assert!(plot.contains(word), "{word}: {plot}");
        }
        assert!(ratios(&results).unwrap().unwrap().contains("batch 256"));
    }

    #[test]
    fn without_figures_there_is_no_plot() {
        let mut results = testing::results(&[1.0]);
        assert_eq!(latency(&results, 10).unwrap(), None);
        assert_eq!(rate_over_ring(&results).unwrap(), None, "one ring is no sweep");
        results.rates.clear();
        assert_eq!(rate_over_batch(&results).unwrap(), None);
    }

    #[test]
    fn queues_are_an_axis_if_several_were_measured() {
        let mut results = testing::results(&[1.0, 1.1, 1.2]);
        assert_eq!(rate_over_queues(&results).unwrap(), None);
        results.plan.set.queues = vec![1, 2];
        let row = results.rates[0].clone();
        for queues in [1, 2] {
            let point = results.plan.queue_point(queues);
            results.rates.push(crate::results::RateRow { point, ..row.clone() });
        }
        let plot = rate_over_queues(&results).unwrap().unwrap();
        assert!(plot.contains("queues of each NIC") && plot.contains("\n2\n"), "{plot}");
    }

    #[test]
    fn percentiles_are_written_short() {
        assert_eq!(
            (trimmed(99.900_000_1), trimmed(0.0), trimmed(99.999)),
            ("99.9".into(), "0".into(), "99.999".into())
        );
    }
}

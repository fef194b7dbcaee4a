//! `ringway lab --selftest`: what the lab itself can carry, and whether that is enough for a driver.

use std::time::Duration;

use ringway_bench::plan::{Plan, Point};
use ringway_bench::track::{Times, Track, Trouble};
use ringway_lab::selftest::{self, Options, Report};
use ringway_lab::wire::generator::Direction;
use serde_json::json;

use super::args::LabArgs;
use crate::bench::contenders;
use crate::failure::{Exit, Failure};
use crate::forward;
use crate::signals::Stop;
use crate::ui::{self, Paint};

/// So many times faster than the driver the lab has to be, or it would measure itself (design, section 6).
const ENOUGH: f64 = 1.5;

/// A driver's, before its bursts count.
const WARM_UP: Duration = Duration::from_millis(500);

/// Measures the lab alone, or the lab and a driver, one after the other.
pub fn run(args: &LabArgs, json: bool) -> Result<Exit, Failure> {
    let Some(driver) = &args.driver else {
        if args.bursts {
            tell_bursts(args, bursts_alone(args)?, json);
        } else {
            tell_lab(args, &lab_alone(args)?, json);
        }
        return Ok(Exit::Done);
    };
    let stop = Stop::on_signals()
        .map_err(|error| Failure::failed(format!("cannot watch for signals: {error}"), ""))?;
    let mut rounds = Vec::new();
    for round in 1..=args.rounds {
        let (lab, driven) = match args.bursts {
            true => (bursts_alone(args)?, bursts_of(args, driver, &stop)?),
            false => {
                (lab_alone(args)?.packets_per_second(), forward::measure(&args.as_forward(driver), &stop)?)
            }
        };
        if stop.asked() {
            return Err(Failure::failed("stopped before the end of the measurement", ""));
        }
        ui::note(format!("round {round}: lab {}, driver {driver} {}", ui::rate(lab), ui::rate(driven)));
        rounds.push((lab, driven));
    }
    Ok(judge(driver, &rounds, json))
}

fn options(args: &LabArgs) -> Options {
    Options {
        duration: duration(args),
        size: args.size.into(),
        batch: args.batch.into(),
        lab_core: args.lab_core,
        driver_core: args.driver_core,
        ..Options::default()
    }
}

fn duration(args: &LabArgs) -> Duration {
    Duration::try_from_secs_f64(args.duration).unwrap_or(Duration::MAX)
}

fn lab_alone(args: &LabArgs) -> Result<Report, Failure> {
    let report = selftest::run(&options(args)).map_err(refused)?;
    clean(report.is_clean(), report)
}

/// The null driver's rate in bursts.
fn bursts_alone(args: &LabArgs) -> Result<f64, Failure> {
    let (report, directions) = selftest::run_bursts(&options(args)).map_err(refused)?;
    clean(directions.iter().all(Direction::is_clean), report.packets_per_second().unwrap_or_default())
}

/// A driver's rate in bursts, as the stopwatch measures it.
fn bursts_of(args: &LabArgs, driver: &str, stop: &Stop) -> Result<f64, Failure> {
    let contender = contenders::named(driver)?;
    let base = Plan::named("quick").map(|plan| plan.burst_point());
    let base = base.ok_or_else(|| Failure::failed("the set of workloads `quick` is missing", ""))?;
    let point =
        Point { size: args.size, batch: args.batch.into(), ring: Options::default().ring_slots, ..base };
    let asked = || stop.asked();
    let track =
        Track { lab_core: args.lab_core, driver_core: args.driver_core, driver_cores: 1, stop: &asked };
    match track.rate(&contender, &point, Times { warm_up: WARM_UP, measure: duration(args) }, 1) {
        Ok(sample) => Ok(sample.pps),
        Err(Trouble::Broken(error)) => Err(error.into()),
        Err(Trouble::Refused(refusal)) => Err(Failure::failed(format!("driver {driver}: it {refusal}"), "")),
    }
}

fn refused(error: selftest::Error) -> Failure {
    Failure::failed(format!("the self-test: {error}"), "")
}

fn clean<T>(is_clean: bool, value: T) -> Result<T, Failure> {
    match is_clean {
        true => Ok(value),
        false => Err(Failure::failed(
            "the lab lost or damaged packets in its own self-test",
            "This is a bug of the lab",
        )),
    }
}

fn tell_bursts(args: &LabArgs, rate: f64, json: bool) {
    if json {
        let said = json!({ "event": "selftest", "size": args.size, "batch": args.batch, "bursts_pps": rate });
        return ui::say(said.to_string());
    }
    ui::say(format!(
        "a null driver hands over bursts of {} bytes at {}, batch {}, both directions together",
        args.size,
        ui::rate(rate),
        args.batch
    ));
}

fn tell_lab(args: &LabArgs, report: &Report, json: bool) {
    let rate = report.packets_per_second();
    if json {
        let said = json!({
            "event": "selftest", "size": args.size, "batch": args.batch, "lab_pps": rate,
            "busy_share": report.busy_share,
        });
        return ui::say(said.to_string());
    }
    ui::say(format!(
        "the lab carries {} of {} bytes with a null driver, batch {}, both directions together ({:.0} % busy)",
        ui::rate(rate),
        args.size,
        args.batch,
        report.busy_share * 100.0
    ));
}

/// The median round decides.
fn judge(driver: &str, rounds: &[(f64, f64)], json: bool) -> Exit {
    let (lab, driven) =
        (median(rounds.iter().map(|round| round.0)), median(rounds.iter().map(|round| round.1)));
    let ratio = median(rounds.iter().map(|(lab, driven)| if *driven > 0.0 { lab / driven } else { 0.0 }));
    let good = ratio >= ENOUGH;
    if json {
        let said = json!({
            "event": "selftest", "driver": driver, "lab_pps": lab, "driver_pps": driven, "ratio": ratio,
            "needed": ENOUGH, "ok": good,
            "rounds": rounds.iter().map(|(lab, driven)| json!({ "lab_pps": lab, "driver_pps": driven })).collect::<Vec<_>>(),
        });
        ui::say(said.to_string());
    } else {
        let paint = Paint::stdout();
        ui::say(format!("lab with a null driver  {}", ui::rate(lab)));
        ui::say(format!("driver {driver:<16} {}", ui::rate(driven)));
        let verdict = format!("{ratio:.2}, at least {ENOUGH} is needed");
        let verdict = if good { paint.good(&verdict) } else { paint.bad(&verdict) };
        ui::say(format!("ratio                   {verdict} (median of {} rounds)", rounds.len()));
    }
    if good { Exit::Done } else { Exit::BadVerdict }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_round_decides() {
        assert_eq!(judge("x", &[(3.0, 1.0), (1.0, 1.0), (1.6, 1.0)], true), Exit::Done);
        assert_eq!(judge("x", &[(3.0, 1.0), (1.0, 1.0), (1.4, 1.0)], true), Exit::BadVerdict);
        assert_eq!(judge("x", &[(3.0, 0.0)], true), Exit::BadVerdict);
    }
}

//! `ringway lab --selftest`: what the lab itself can carry, and whether that is enough for a driver.

use std::time::Duration;

use ringway_bench::contender::Contender;
use ringway_bench::plan::{Plan, Point, Workload};
use ringway_bench::track::{Times, Track, Trouble};
use ringway_lab::selftest::{self, Options};
use ringway_lab::wire::generator::Direction;
use serde::Serialize;
use serde_json::json;

use super::args::LabArgs;
use crate::bench::contenders;
use crate::failure::{Exit, Failure};
use crate::signals::Stop;
use crate::ui::{self, Paint};

/// So many times faster than the driver the lab has to be, or it would measure itself (design, section 6). At full load a driver
/// that costs less than the lab waits for it, so this is asked of bursts.
const ENOUGH: f64 = 1.5;

/// A driver's, before anything counts.
const WARM_UP: Duration = Duration::from_millis(500);

/// Packets a second, both directions together.
#[derive(Clone, Copy, Debug, Serialize)]
struct Rates {
    /// Without a pause.
    full_load: f64,
    /// With packets that are all there already.
    bursts: f64,
}

/// One round: with the null driver, and with the one that is asked for.
#[derive(Clone, Copy, Debug, Serialize)]
struct Round {
    lab: Rates,
    driver: Rates,
}

/// Measures the lab alone, or the lab and a driver, one after the other.
pub fn run(args: &LabArgs, json: bool) -> Result<Exit, Failure> {
    let Some(driver) = &args.driver else {
        tell_lab(args, lab_alone(args)?, json);
        return Ok(Exit::Done);
    };
    let stop = Stop::on_signals()
        .map_err(|error| Failure::failed(format!("cannot watch for signals: {error}"), ""))?;
    let contender = contenders::named(driver)?;
    let mut rounds = Vec::new();
    for number in 1..=args.rounds {
        let round = Round { lab: lab_alone(args)?, driver: driven(args, &contender, &stop)? };
        if stop.asked() {
            return Err(Failure::failed("stopped before the end of the measurement", ""));
        }
        ui::note(format!(
            "round {number}: full load: lab {}, driver {driver} {}; bursts: lab {}, driver {driver} {}",
            ui::rate(round.lab.full_load),
            ui::rate(round.driver.full_load),
            ui::rate(round.lab.bursts),
            ui::rate(round.driver.bursts),
        ));
        rounds.push(round);
    }
    Ok(judge(driver, &rounds, json))
}

fn duration(args: &LabArgs) -> Duration {
    Duration::try_from_secs_f64(args.duration).unwrap_or(Duration::MAX)
}

fn lab_alone(args: &LabArgs) -> Result<Rates, Failure> {
    let options = Options {
        duration: duration(args),
        size: args.size.into(),
        batch: args.batch.into(),
        lab_core: args.lab_core,
        driver_core: args.driver_core,
        ..Options::default()
    };
    let report = selftest::run(&options).map_err(broken)?;
    let (bursts, directions) = selftest::run_bursts(&options).map_err(broken)?;
    if !report.is_clean() || !directions.iter().all(Direction::is_clean) {
        let cause = "the lab lost or damaged packets in its own self-test";
        return Err(Failure::failed(cause, "This is a bug of the lab"));
    }
    Ok(Rates {
        full_load: report.packets_per_second(),
        bursts: bursts.packets_per_second().unwrap_or_default(),
    })
}

fn broken(error: selftest::Error) -> Failure {
    Failure::failed(format!("the self-test: {error}"), "")
}

/// A driver's rates, as the stopwatch measures them.
fn driven(args: &LabArgs, driver: &Contender, stop: &Stop) -> Result<Rates, Failure> {
    let asked = || stop.asked();
    let track =
        Track { lab_core: args.lab_core, driver_core: args.driver_core, driver_cores: 1, stop: &asked };
    let rate = |workload| {
        let point = point(args, workload)?;
        match track.rate(driver, &point, Times { warm_up: WARM_UP, measure: duration(args) }, 1) {
            Ok(sample) => Ok(sample.pps),
            Err(Trouble::Broken(error)) => Err(Failure::from(error)),
            Err(Trouble::Refused(refusal)) => {
                Err(Failure::failed(format!("driver {}: it {refusal}", driver.name), ""))
            }
        }
    };
    Ok(Rates { full_load: rate(Workload::Forward)?, bursts: rate(Workload::Bursts)? })
}

fn point(args: &LabArgs, workload: Workload) -> Result<Point, Failure> {
    let base = Plan::named("quick").map(|plan| plan.base_point());
    let base = base.ok_or_else(|| Failure::failed("the set of workloads `quick` is missing", ""))?;
    let ring = Options::default().ring_slots;
    Ok(Point { workload, size: args.size, batch: args.batch.into(), ring, ..base })
}

fn tell_lab(args: &LabArgs, lab: Rates, json: bool) {
    if json {
        let said = json!({
            "event": "selftest", "size": args.size, "batch": args.batch, "lab_pps": lab.full_load,
            "lab_bursts_pps": lab.bursts,
        });
        return ui::say(said.to_string());
    }
    ui::say(format!(
        "the lab carries {} of {} bytes with a null driver, batch {}, both directions together",
        ui::rate(lab.full_load),
        args.size,
        args.batch,
    ));
    ui::say(format!("in bursts, without what the lab does for each packet, {}", ui::rate(lab.bursts)));
}

/// The median round decides.
fn judge(driver: &str, rounds: &[Round], json: bool) -> Exit {
    let median_of = |value: fn(&Round) -> f64| median(rounds.iter().map(value));
    let full = median_of(|round| over(round.lab.full_load, round.driver.full_load));
    let bursts = median_of(|round| over(round.lab.bursts, round.driver.bursts));
    let good = bursts >= ENOUGH;
    if json {
        let said = json!({
            "event": "selftest", "driver": driver, "ratio": { "full_load": full, "bursts": bursts },
            "needed": ENOUGH, "ok": good, "rounds": rounds,
        });
        ui::say(said.to_string());
    } else {
        let verdict = format!("{bursts:.2}, at least {ENOUGH} is needed");
        let verdict = if good { Paint::stdout().good(&verdict) } else { Paint::stdout().bad(&verdict) };
        let row = |what: &str, full: String, bursts: String| format!("{what:<24}{full:<14}{bursts}");
        let rates = |what: &str, full, bursts| row(what, ui::rate(full), ui::rate(bursts));
        ui::say(row("", "full load".to_owned(), "in bursts".to_owned()));
        ui::say(rates(
            "lab with a null driver",
            median_of(|round| round.lab.full_load),
            median_of(|round| round.lab.bursts),
        ));
        ui::say(rates(
            &format!("driver {driver}"),
            median_of(|round| round.driver.full_load),
            median_of(|round| round.driver.bursts),
        ));
        let rounds = rounds.len();
        ui::say(row("ratio", format!("{full:.2}"), format!("{verdict} (median of {rounds} rounds)")));
        ui::say(
            "at full load a driver that costs less than the lab waits for it; in bursts there is nothing to wait for",
        );
    }
    if good { Exit::Done } else { Exit::BadVerdict }
}

fn over(lab: f64, driver: f64) -> f64 {
    if driver > 0.0 { lab / driver } else { 0.0 }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(bursts: &[(f64, f64)]) -> Vec<Round> {
        let rates = |bursts| Rates { full_load: 1.0, bursts };
        bursts.iter().map(|&(lab, driver)| Round { lab: rates(lab), driver: rates(driver) }).collect()
    }

    #[test]
    fn the_median_round_decides_by_its_bursts() {
        assert_eq!(judge("x", &rounds(&[(3.0, 1.0), (1.0, 1.0), (1.6, 1.0)]), true), Exit::Done);
        assert_eq!(judge("x", &rounds(&[(3.0, 1.0), (1.0, 1.0), (1.4, 1.0)]), true), Exit::BadVerdict);
        assert_eq!(judge("x", &rounds(&[(3.0, 0.0)]), true), Exit::BadVerdict);
    }
}

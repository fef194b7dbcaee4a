//! `ringway bench`: the stopwatch. Who is measured and what is asked comes from here, the measuring from the bench.

pub mod args;
pub mod contenders;
mod progress;
mod safety;

use std::path::Path;

use ringway_bench::compare::{self, Comparison};
use ringway_bench::error::Error;
use ringway_bench::plan::Plan;
use ringway_bench::promises::{self, Promise, Verdict};
use ringway_bench::results::Results;
use ringway_bench::run::Run;
use ringway_bench::track::Track;
use ringway_bench::{report, table};
use serde_json::json;

use args::BenchArgs;
use progress::Place;

use crate::driver::find;
use crate::failure::{Exit, Failure};
use crate::signals::Stop;
use crate::ui::{self, Paint};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let cause = error.to_string();
        match error {
            Error::Directory(_) => Failure::open(cause, "Set TMPDIR to a directory that you may write to"),
            Error::Unreadable { .. } => {
                Failure::open(cause, "Name a results.json that `ringway bench` of this version has written")
            }
            Error::Unwritable { .. } => Failure::open(cause, "Name another place with --out"),
            _ => Failure::failed(cause, ""),
        }
    }
}

/// Runs it, or does what was asked for instead.
pub fn run(args: &BenchArgs, json: bool) -> anyhow::Result<Exit> {
    if let Some([old, new]) = args.compare.as_deref() {
        return Ok(held_together(&read(old)?, &read(new)?, json)?);
    }
    // What cannot be read is better known before an hour than after it.
    let baseline = args.baseline.as_deref().map(read).transpose()?;
    let promises = promises()?;
    let results = match &args.redraw {
        Some(file) => read(file)?,
        None => measure(args, json)?,
    };
    let changes = baseline.map(|old| Comparison::of(&old, &results));
    let page = report::page(&results, &promises, changes.as_ref())?;
    let text = serde_json::to_string_pretty(&results)?;
    write(&args.out.join("results.json"), &text)?;
    write(&args.out.join("index.html"), &page)?;
    if let Some(file) = &args.json_file {
        write(file, &text)?;
    }
    let broken = promises::broken(&promises, &results);
    match json {
        true => ui::say(
            json!({ "event": "bench", "results": results, "changes": changes, "broken": broken }).to_string(),
        ),
        false => tell(args, &results, &promises, changes.as_ref()),
    }
    let good = results.refused.is_empty() && broken.is_empty();
    Ok(if good { Exit::Done } else { Exit::BadVerdict })
}

fn tell(args: &BenchArgs, results: &Results, promises: &[Promise], changes: Option<&Comparison>) {
    table::lines(results).iter().for_each(ui::say);
    for promise in promises {
        let verdict = promise.judge(results);
        if verdict != Verdict::Open {
            ui::say(format!("promise: {}", promise.line(&verdict)));
        }
    }
    for promise in promises::broken(promises, results) {
        ui::say(Paint::stdout().bad(&format!("BROKEN, although marked as kept: {}", promise.words)));
    }
    for line in changes.iter().flat_map(|changes| changes.lines()) {
        ui::say(format!("baseline: {line}"));
    }
    ui::say(format!("report: {}", args.out.join("index.html").display()));
}

/// Two runs that were made before.
fn held_together(old: &Results, new: &Results, json: bool) -> Result<Exit, Failure> {
    let comparison = Comparison::of(old, new);
    match json {
        true => ui::say(
            json!({ "event": "compare", "agrees": comparison.agrees(), "comparison": comparison })
                .to_string(),
        ),
        false => comparison.lines().iter().for_each(ui::say),
    }
    Ok(if comparison.agrees() { Exit::Done } else { Exit::BadVerdict })
}

fn read(path: &Path) -> Result<Results, Failure> {
    Ok(compare::read(path)?)
}

/// The table in the bench's README.
fn promises() -> Result<Vec<Promise>, Failure> {
    let path = find::root()?.join("bench/README.md");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::open(format!("cannot read {}: {error}", path.display()), ""))?;
    promises::parse(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display()), ""))
}

fn measure(args: &BenchArgs, json: bool) -> Result<Results, Failure> {
    let stop = Stop::on_signals()
        .map_err(|error| Failure::failed(format!("cannot watch for signals: {error}"), ""))?;
    let (lab_core, driver_core) = cores(args);
    let driver_cores = cores_from(driver_core, lab_core);
    let plan = plan(args, driver_cores);
    let contenders = contenders::chosen(args)?;
    let reference = contenders::reference(args, &contenders)?;
    // Before any thread is started: they and the contenders have to be in the namespace too.
    let _namespace = contenders::namespace(&contenders)?;
    let stopped = || stop.asked();
    let track = Track { lab_core, driver_core, driver_cores, stop: &stopped };
    let mut place = Place::new(json);
    let mut tell = |progress: &ringway_bench::run::Progress| place.tell(progress);
    let command = command();
    let run = Run { plan, contenders, track, reference, command, tell: &mut tell };
    ui::note(format!(
        "measuring {} for about {} min",
        run.contenders.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", "),
        run.estimate().as_secs().div_ceil(60)
    ));
    let results = run.go();
    place.finish();
    let mut results = results?;
    if !args.no_safety {
        results.safety = Some(safety::ask(&results, &stop)?);
    }
    Ok(results)
}

/// The set that was asked for, with the changes of the command line.
fn plan(args: &BenchArgs, cores: usize) -> Plan {
    let name = if args.full { "full" } else { "quick" };
    let mut plan = Plan::named(name).expect("both sets are in workloads.toml");
    let set = &mut plan.set;
    set.rounds = args.rounds.map_or(set.rounds, |rounds| rounds as usize);
    set.warm_up = args.warm_up.unwrap_or(set.warm_up);
    set.measure = args.measure.unwrap_or(set.measure);
    match &args.queues[..] {
        [] => plan.fit(cores),
        queues => plan.force(queues, cores),
    }
    if let Some(only) = &args.only {
        plan.restrict(only);
    }
    plan
}

/// One core for the lab and one for the contenders, if there are two. The first core is the one that interrupts go to on
/// most machines, so it is the lab's.
fn cores(args: &BenchArgs) -> (Option<usize>, Option<usize>) {
    let mine = allowed();
    let usual = (mine.len() >= 2).then(|| (mine[0], mine[1]));
    let lab = args.lab_core.or(usual.map(|usual| usual.0));
    let driver = args.driver_core.or(usual.map(|usual| usual.1));
    (lab, driver)
}

/// How many cores there are for contenders: those one after the other from theirs on, up to the lab's. One at least.
fn cores_from(driver: Option<usize>, lab: Option<usize>) -> usize {
    let mine = allowed();
    let Some(first) = driver else { return 1 };
    (first..).take_while(|core| mine.contains(core) && Some(*core) != lab).count().max(1)
}

/// The cores that this process may use.
fn allowed() -> Vec<usize> {
    let Ok(set) = rustix::thread::sched_getaffinity(None) else { return Vec::new() };
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect()
}

/// The command that was given, as a shell takes it.
fn command() -> String {
    let quoted = std::env::args().skip(1).map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:+%@".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    std::iter::once("ringway".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |source| Error::Unwritable { path: path.display().to_string(), source };
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).map_err(failed)?;
    }
    Ok(std::fs::write(path, text).map_err(failed)?)
}

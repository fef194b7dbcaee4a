//! `ringway exec`: a program that finds software NICs where it looks for cards.

pub mod args;
mod child;
mod report;

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use args::ExecArgs;
use child::Program;
use report::Report;
use ringway_lab::tree::{Namespace, NamespaceError};

use crate::failure::{Exit, Failure};
use crate::lab::bring_up::{Running, bring_up_functions};
use crate::lab::plan;
use crate::signals::Stop;
use crate::ui;

/// How often to look at the program, and at the lab.
const GLANCE: Duration = Duration::from_millis(10);
/// How long the lab may take to notice that the program is gone.
const PARTING: Duration = Duration::from_secs(1);

/// Runs the program, and tells what the lab has seen of it.
pub fn run(args: &ExecArgs, json: bool) -> anyhow::Result<Exit> {
    let plan = match &args.file {
        Some(file) => plan::read(file)?,
        None => plan::of_words(&args.nic)?,
    };
    let stop = Stop::on_signals()
        .map_err(|error| Failure::failed(format!("cannot watch for signals: {error}"), ""))?;
    // Before any thread is started: they have to be in the namespace too.
    let namespace = Namespace::enter(args.hugepages).map_err(refused)?;
    let (running, streams) = bring_up_functions(plan, args.sanitize.watch(), args.lab_core)?;
    let mut program = Program::start(&args.command)?;
    let ended = attend(&mut program, &running, &stop);
    drop(program);
    let status = ended?;
    part(&running)?;
    running.flush()?;
    let exit = child::code(status);
    let counters =
        running.look()?.samples.iter().map(|seen| (seen.counters, seen.tx_lost)).collect::<Vec<_>>();
    Report::new(exit, &running, &counters, &streams).tell(json);
    drop((running, namespace));
    Ok(Exit::Of(exit))
}

/// The failure, with its remedy.
pub fn refused(error: NamespaceError) -> Failure {
    let remedy = match error {
        NamespaceError::NotRoot => "Run it with sudo",
        NamespaceError::NoHugepages(_) => "Start a kernel with CONFIG_HUGETLBFS",
        _ => "Run it where root may mount, not in a container",
    };
    Failure::open(error.to_string(), remedy)
}

/// Waits for the program's end, and passes on what the lab has to say.
fn attend(program: &mut Program, running: &Running, stop: &Stop) -> Result<ExitStatus, Failure> {
    loop {
        if let Some(status) = program.ended()? {
            return Ok(status);
        }
        if stop.asked() {
            program.end();
        }
        let news = running.look()?;
        news.notes.iter().for_each(|note| ui::note(format!("ringway: {note}")));
        if let Some(error) = news.error {
            return Err(Failure::failed(error, ""));
        }
        std::thread::sleep(GLANCE);
    }
}

/// Waits until the lab has seen the program go.
fn part(running: &Running) -> Result<(), Failure> {
    let start = Instant::now();
    while start.elapsed() < PARTING && running.look()?.samples.iter().any(|seen| seen.driver) {
        std::thread::sleep(GLANCE);
    }
    Ok(())
}

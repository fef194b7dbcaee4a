//! `ringway forward`: the main job. Two software NICs, a driver between them, traffic, and a verdict.

pub mod args;
mod captured;
mod counters;
mod generated;
mod prepare;
mod render;
mod rig;
pub mod summary;
mod traffic;
mod watch;
mod window;

use std::process::Command;
use std::time::{Duration, Instant};

use ringway_conformance::drivers::Driver;

use args::ForwardArgs;
use prepare::Prepared;
use rig::Rig;
use summary::{Memory, Summary};
use traffic::Traffic;
use watch::{Ended, Watcher};

use crate::driver::{build, find};
use crate::failure::{Exit, Failure};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::ui::{self, Paint};
use ringway_bench::app::App;
use ringway_bench::event::{AppEvent, Final, Start};

/// How long a driver may take to open its devices.
const OPENING: Duration = Duration::from_secs(15);

/// Runs it, and prints what it has shown.
pub fn run(args: &ForwardArgs, json: bool) -> anyhow::Result<Exit> {
    let stop = Stop::on_signals()?;
    let summary = perform(args, json, &stop)?;
    match json {
        true => ui::say(summary.json().to_string()),
        false => render::render(&summary, Paint::stdout()).iter().for_each(ui::say),
    }
    Ok(if summary.complaints().is_empty() { Exit::Done } else { Exit::BadVerdict })
}

/// Everything but the printing.
fn perform(args: &ForwardArgs, json: bool, stop: &Stop) -> Result<Summary, Failure> {
    let driver = find::named(&args.driver)?;
    let source = prepare::source(args)?;
    build::ensure(&driver)?;
    let Prepared { wires, traffic, output } = source.prepare(args)?;
    let ended = Rig::start(args, wires).and_then(|rig| drive(args, json, stop, &driver, &rig, &traffic));
    if ended.is_err() {
        // What was captured until then stays; a file without a packet is no capture.
        if let Some(output) = output.filter(|_| traffic.state().step.arrived == 0) {
            let _ = std::fs::remove_file(output);
        }
    }
    ended
}

/// From the driver's start to its end.
fn drive(
    args: &ForwardArgs,
    json: bool,
    stop: &Stop,
    driver: &Driver,
    rig: &Rig,
    traffic: &Traffic,
) -> Result<Summary, Failure> {
    let mut app = App::start(&driver.name, command(args, driver, rig))?;
    let started = await_start(&mut app, stop)?;
    let before = resident(app.pid());
    traffic.start();
    let mut progress = Progress::new(json, traffic.state().step.total);
    let watcher = Watcher { stop, rig, traffic };
    let ended = watcher.watch(&mut app, &mut progress);
    progress.finish();
    let after = resident(app.pid());
    let said = app.finish()?;
    rig.flush()?.map_err(|error| Failure::failed(error.to_string(), ""))?;
    let memory = before.zip(after).map(|(start, end)| Memory { start, end });
    sum_up(args, ended?, &started, said, memory, rig, traffic)
}

/// The app's command line, as every driver takes it.
fn command(args: &ForwardArgs, driver: &Driver, rig: &Rig) -> Command {
    let mut command = driver.app_command();
    command.arg("forward").args(rig.addresses()).args(["--batch", &args.batch.to_string(), "--json"]);
    if let Some(core) = args.driver_core {
        command.args(["--core", &core.to_string()]);
    }
    command
}

fn await_start(app: &mut App, stop: &Stop) -> Result<Start, Failure> {
    let deadline = Instant::now() + OPENING;
    while Instant::now() < deadline {
        match app.next(Duration::from_millis(50))? {
            Some(AppEvent::Start(start)) => return Ok(start),
            Some(AppEvent::Final(_)) => return Err(Failure::failed("the driver ended before it began", "")),
            _ if stop.asked() => return Err(Failure::failed("stopped before the driver was ready", "")),
            _ => {}
        }
    }
    Err(Failure::failed(
        format!("the driver has not opened its devices after {} s", OPENING.as_secs()),
        "Look where it waits with --trace FILE",
    ))
}

fn sum_up(
    args: &ForwardArgs,
    ended: Ended,
    started: &Start,
    said: Option<Final>,
    memory: Option<Memory>,
    rig: &Rig,
    traffic: &Traffic,
) -> Result<Summary, Failure> {
    let ports = rig.counters()?;
    let mut flows = traffic.flows();
    for (flow, port) in flows.iter_mut().zip(&ports) {
        flow.dropped = counters::dropped(port);
    }
    let told = said.is_some();
    let devices = said.iter().flat_map(|said| &said.devices);
    for (flow, device) in flows.iter_mut().zip(devices) {
        flow.dropped.extend(counters::dropped_by_driver(device));
    }
    let said = said.unwrap_or_default();
    Ok(Summary {
        driver: started.driver.clone(),
        version: started.version.clone(),
        way: started.devices.first().map_or_else(|| "an unknown way".to_owned(), |device| device.way.clone()),
        elapsed_s: traffic.elapsed_s(),
        interrupted: ended == Ended::Interrupted,
        flows,
        counters: if told { counters::compare(&said.devices, &ports) } else { Vec::new() },
        counters_told: told,
        slots_lost: said.slots_lost,
        driver_dropped: said.dropped,
        memory,
        findings: rig.findings(),
        sanitized: args.level() != args::Level::Off,
        strict: args.strict,
        overload: args.generate && args.rate.is_none(),
    })
}

/// Resident memory of a process, in bytes.
fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_process_has_memory() {
        assert!(super::resident(std::process::id()).unwrap() > 100_000);
        assert_eq!(super::resident(u32::MAX), None);
    }
}

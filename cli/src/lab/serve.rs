//! `ringway lab FILE.toml`: up, watched, down.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::args::LabArgs;
use super::bring_up::{Running, bring_up};
use super::live::Live;
use super::plan;
use crate::failure::{Exit, Failure};
use crate::runtime_dir;
use crate::signals::Stop;
use crate::ui;

/// How often counters are shown.
const EVERY: Duration = Duration::from_secs(1);
/// How often the lab is asked for news, and the user's wish to stop is seen.
const GLANCE: Duration = Duration::from_millis(100);

/// Keeps the lab of `file` up until the user wants it down.
pub fn run(args: &LabArgs, file: &Path, json: bool) -> Result<Exit, Failure> {
    let plan = plan::read(file)?;
    let stop = Stop::on_signals()
        .map_err(|error| Failure::failed(format!("cannot watch for signals: {error}"), ""))?;
    // Outlives the lab, whose sockets are in it.
    let directory = runtime_dir::open()?;
    let running = bring_up(plan, directory.path(), args.lab_core)?;
    announce(&running, json);
    let ended = watch(&running, &stop, json);
    let flushed = running.flush();
    ended.and(flushed).map(|()| Exit::Done)
}

fn announce(running: &Running, json: bool) {
    let nics = &running.ports;
    if json {
        let nics: Vec<_> =
            nics.iter().map(|port| json!({ "name": port.name, "socket": port.address })).collect();
        return ui::say(json!({ "event": "ready", "nics": nics }).to_string());
    }
    for port in nics {
        ui::say(format!("NIC {} at unix:{}", port.name, port.address));
    }
}

fn watch(running: &Running, stop: &Stop, json: bool) -> Result<(), Failure> {
    let mut live = Live::new(json);
    let mut told = vec![0; running.ports.len()];
    let mut next = Instant::now();
    while !stop.asked() {
        let news = running.look()?;
        news.notes.iter().for_each(|note| live.print(note));
        for (port, told) in running.ports.iter().zip(&mut told) {
            tell_findings(&mut live, port, told);
        }
        if let Some(error) = news.error {
            return Err(Failure::failed(error, ""));
        }
        let now = Instant::now();
        if now >= next {
            next = now + EVERY;
            live.show(now, news.samples);
        }
        std::thread::sleep(GLANCE);
    }
    Ok(())
}

/// Prints the findings that were made since the last time.
fn tell_findings(live: &mut Live, port: &crate::station::Port, told: &mut usize) {
    let Some(findings) = &port.findings else { return };
    if findings.count() == *told {
        return;
    }
    let all = findings.all();
    all.iter().skip(*told).for_each(|finding| live.print(&format!("NIC {}: {finding}", port.name)));
    *told = all.len();
}

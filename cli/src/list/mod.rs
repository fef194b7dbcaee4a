//! `ringway list`: which drivers and devices there are.

mod devices;
mod nics;

use clap::Args;
use ringway_conformance::drivers::Driver;
use serde_json::json;

use crate::driver::{build, find};
use crate::failure::Exit;
use crate::pci::Machine;
use crate::{runtime_dir, ui};

/// What `ringway list` takes.
#[derive(Debug, Args)]
pub struct ListArgs {}

/// Prints the drivers, the PCI functions that are network controllers, and the NICs of labs. Cards and NICs are there without a
/// repository too; then it says that there are no drivers.
pub fn run(_: &ListArgs, json: bool) -> anyhow::Result<Exit> {
    let root = find::root();
    let drivers = root.as_deref().map_or(Ok(Vec::new()), find::below)?;
    let machine = Machine::this();
    let devices = devices::all(&machine);
    let nics = nics::all(&machine, &runtime_dir::place());
    if json {
        let drivers: Vec<_> = drivers.iter().map(as_json).collect();
        let why = root.err().map(|failure| failure.to_string());
        ui::say(
            json!({ "event": "list", "drivers": drivers, "no_drivers": why, "devices": devices, "nics": nics })
                .to_string(),
        );
        return Ok(Exit::Done);
    }
    match root {
        Ok(_) => print_drivers(&drivers),
        Err(failure) => ui::say(format!("no drivers: {failure}. {}.", failure.remedy)),
    }
    ui::say("");
    devices::print(&devices);
    nics::print(&nics);
    Ok(Exit::Done)
}

fn print_drivers(drivers: &[Driver]) {
    let mut table = ui::table(&["driver", "language", "built", "toolchain", "what it is"]);
    for driver in drivers {
        table.add_row([
            driver.name.clone(),
            driver.language.clone(),
            built(driver).to_owned(),
            toolchain(driver),
            driver.summary.clone(),
        ]);
    }
    ui::say(table.trim_fmt());
}

fn built(driver: &Driver) -> &'static str {
    match build::state(driver) {
        build::State::NeedsNoBuild => "not needed",
        build::State::Built => "yes",
        build::State::Stale => "stale",
        build::State::Missing => "no",
    }
}

fn toolchain(driver: &Driver) -> String {
    let missing: Vec<_> = driver.missing().iter().map(|need| need.tool.as_str()).collect();
    if missing.is_empty() { "there".to_owned() } else { format!("no {}", missing.join(", ")) }
}

fn as_json(driver: &Driver) -> serde_json::Value {
    json!({
        "name": driver.name,
        "language": driver.language,
        "summary": driver.summary,
        "directory": driver.directory,
        "built": built(driver),
        "features": driver.features,
        "needs": driver.needs.iter().map(|need| json!({
            "tool": need.tool, "found": need.found(), "install": need.install,
        })).collect::<Vec<_>>(),
    })
}

//! `ringway doctor`: what each way to a device, each driver and each wire needs, what is there, and the exact command
//! that mends what is missing.

mod cards;
mod drivers;
mod machine;
mod tools;

use clap::Args;
use serde::Serialize;

use crate::failure::Exit;
use crate::pci::Machine;
use crate::ui::{self, Paint};

/// What `ringway doctor` takes.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code 1 if something is missing that `ringway forward` needs; everything else is only told."
)]
pub struct DoctorArgs {}

/// How one thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// There.
    Ok,
    /// Not there, and only needed for what its group says.
    Absent,
    /// Not there, and nothing works without it.
    Missing,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What it is needed for.
    pub group: String,
    /// What was looked at.
    pub name: String,
    /// How it stands.
    pub status: Status,
    /// What was found, in words.
    pub found: String,
    /// The command or step that mends it; empty if nothing has to be mended.
    pub fix: String,
}

impl Check {
    fn ok(group: &str, name: impl Into<String>, found: impl Into<String>) -> Self {
        Check::new(group, name, Status::Ok, found, "")
    }

    fn absent(
        group: &str,
        name: impl Into<String>,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Check::new(group, name, Status::Absent, found, fix)
    }

    fn missing(
        group: &str,
        name: impl Into<String>,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Check::new(group, name, Status::Missing, found, fix)
    }

    fn new(
        group: &str,
        name: impl Into<String>,
        status: Status,
        found: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Check { group: group.to_owned(), name: name.into(), status, found: found.into(), fix: fix.into() }
    }
}

/// Looks at everything and prints it.
pub fn run(_: &DoctorArgs, json: bool) -> anyhow::Result<Exit> {
    let mut checks = machine::software_nic();
    checks.extend(drivers::checks());
    let here = Machine::this();
    checks.extend(cards::kernel_vfio(&here));
    checks.extend(cards::sysfs(&here));
    checks.extend(machine::tap());
    checks.extend(tools::checks());
    checks.push(machine::cpus());
    let bad = checks.iter().any(|check| check.status == Status::Missing);
    if json {
        ui::say(serde_json::json!({ "event": "doctor", "ok": !bad, "checks": checks }).to_string());
    } else {
        print(&checks, Paint::stdout());
    }
    Ok(if bad { Exit::BadVerdict } else { Exit::Done })
}

fn print(checks: &[Check], paint: Paint) {
    let mut group = "";
    for check in checks {
        if check.group != group {
            ui::say(paint.strong(&check.group));
            group = &check.group;
        }
        let mark = match check.status {
            Status::Ok => paint.good("ok     "),
            Status::Absent => paint.warn("absent "),
            Status::Missing => paint.bad("MISSING"),
        };
        ui::say(format!("  {mark}  {:<18} {}", check.name, check.found));
        if !check.fix.is_empty() {
            ui::say(format!("                              {} {}", paint.dim("->"), check.fix));
        }
    }
}

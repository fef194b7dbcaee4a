//! What each driver's own `driver.toml` says that it needs.

use ringway_conformance::drivers::{Driver, Need};

use super::{Check, Status};
use crate::driver::{build, find};

/// The repository, and each driver with its tools.
pub fn checks() -> Vec<Check> {
    match find::all() {
        Ok(drivers) if drivers.is_empty() => {
            vec![Check::missing("Drivers", "drivers/*/driver.toml", "none", "git checkout -- drivers")]
        }
        Ok(drivers) => drivers.iter().flat_map(of_driver).collect(),
        Err(failure) => vec![Check::missing("Drivers", "repository", failure.cause, failure.remedy)],
    }
}

fn of_driver(driver: &Driver) -> Vec<Check> {
    let group = format!("Driver {} ({})", driver.name, driver.language);
    let mut checks: Vec<_> = driver.needs.iter().map(|need| of_need(&group, need)).collect();
    let toolchain = checks.iter().all(|check| check.status == Status::Ok);
    checks.push(built(&group, driver, toolchain));
    checks
}

fn of_need(group: &str, need: &Need) -> Check {
    match need.found() {
        Some(version) => Check::ok(group, &need.tool, version),
        None => Check::absent(group, &need.tool, "not found", &need.install),
    }
}

fn built(group: &str, driver: &Driver, toolchain: bool) -> Check {
    let command = format!("cd {} && {}", driver.root.display(), driver.build.join(" "));
    match build::state(driver) {
        build::State::NeedsNoBuild => Check::ok(group, "built", "needs no build"),
        build::State::Built => Check::ok(group, "built", "yes"),
        build::State::Stale => {
            Check::ok(group, "built", "older than its sources, will be built when it is used")
        }
        build::State::Missing if toolchain => Check::ok(group, "built", "no, will be built when it is used"),
        build::State::Missing => Check::absent(group, "built", "no", command),
    }
}

//! Where the repository is, and which drivers it holds.

use std::path::{Path, PathBuf};

use ringway_conformance::drivers::{self, Driver};

use crate::failure::Failure;

/// The repository: `RINGWAY_ROOT`, or the one that the working directory is in, or the one that this command was
/// built in.
pub fn root() -> Result<PathBuf, Failure> {
    if let Some(given) = std::env::var_os("RINGWAY_ROOT").filter(|given| !given.is_empty()) {
        let given = PathBuf::from(given);
        return match given.join("drivers").is_dir() {
            true => Ok(given),
            false => Err(Failure::open(
                format!("RINGWAY_ROOT is {}, which holds no drivers/", given.display()),
                "Set it to a clone of the Ringway repository, or unset it",
            )),
        };
    }
    let here = std::env::current_dir().ok().and_then(|here| drivers::find_root(&here));
    let built_in = || drivers::find_root(Path::new(env!("CARGO_MANIFEST_DIR")));
    here.or_else(built_in).ok_or_else(|| {
        Failure::open(
            "no Ringway repository here or above",
            "Change into your clone of it, or set RINGWAY_ROOT to it",
        )
    })
}

/// All drivers, by name.
pub fn all() -> Result<Vec<Driver>, Failure> {
    below(&root()?)
}

/// All drivers of the repository at `root`, by name.
pub fn below(root: &Path) -> Result<Vec<Driver>, Failure> {
    drivers::discover(root).map_err(|error| {
        Failure::usage(format!("{error:#}"), "See conformance/README.md for what a driver.toml holds")
    })
}

/// The driver called `name`.
pub fn named(name: &str) -> Result<Driver, Failure> {
    let mut drivers = all()?;
    match drivers.iter().position(|driver| driver.name == name) {
        Some(index) => Ok(drivers.swap_remove(index)),
        None => {
            let names: Vec<_> = drivers.iter().map(|driver| driver.name.as_str()).collect();
            let remedy = match names.is_empty() {
                true => "There is no drivers/*/driver.toml in this repository".to_owned(),
                false => format!("There is: {}", names.join(", ")),
            };
            Err(Failure::usage(format!("no driver is called {name}"), remedy))
        }
    }
}

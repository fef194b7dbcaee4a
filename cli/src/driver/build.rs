//! Builds a driver that is missing or older than its sources.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Instant, SystemTime};

use ringway_bench::app::die_with_parent;
use ringway_conformance::drivers::Driver;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::failure::Failure;
use crate::ui;

/// Directories inside a driver that hold products, not sources.
const PRODUCTS: &[&str] = &[
    "target",
    "build",
    "_build",
    "dist",
    "dist-newstyle",
    "node_modules",
    "bin",
    "obj",
    "out",
    "__pycache__",
];

/// Whether a driver can be run as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing has to be built before it runs.
    NeedsNoBuild,
    /// Built, and not older than its sources.
    Built,
    /// Built, but a source is newer.
    Stale,
    /// Not built.
    Missing,
}

/// Looks at the files; starts nothing.
pub fn state(driver: &Driver) -> State {
    if driver.build.is_empty() {
        return State::NeedsNoBuild;
    }
    let Some(program) = program(driver) else { return State::NeedsNoBuild };
    let Ok(built) = fs::metadata(program).and_then(|data| data.modified()) else { return State::Missing };
    match newest(&driver.directory) {
        Some(source) if source > built => State::Stale,
        _ => State::Built,
    }
}

/// Builds the driver unless it is ready. The builder's output goes to standard error: standard output is for results.
pub fn ensure(driver: &Driver) -> Result<(), Failure> {
    let why = match state(driver) {
        State::NeedsNoBuild | State::Built => return Ok(()),
        State::Stale => "its sources have changed",
        State::Missing => "it is not built yet",
    };
    let shown = driver.build.join(" ");
    ui::note(format!("building driver {}, {why}: {shown}", driver.name));
    let started = Instant::now();
    run(driver, &shown)?;
    if state(driver) == State::Missing {
        let expected = program(driver).unwrap_or_default();
        return Err(Failure::failed(
            format!("driver {}: `{shown}` succeeded, but there is no {}", driver.name, expected.display()),
            format!("Correct `app` or `build` in {}", driver.directory.join("driver.toml").display()),
        ));
    }
    mark_fresh(driver);
    ui::note(format!("built driver {} in {:.1} s", driver.name, started.elapsed().as_secs_f64()));
    Ok(())
}

fn run(driver: &Driver, shown: &str) -> Result<(), Failure> {
    let Some(mut command) = driver.build_command() else { return Ok(()) };
    let output = std::io::stderr();
    let output = std::os::fd::AsFd::as_fd(&output).try_clone_to_owned();
    command.stdin(Stdio::null()).stdout(output.map_or_else(|_| Stdio::null(), Stdio::from));
    die_with_parent(&mut command);
    let status = command.status().map_err(|error| {
        Failure::open(
            format!("driver {}: cannot run `{shown}`: {error}", driver.name),
            "See what it needs with `ringway doctor`",
        )
    })?;
    if status.success() {
        return Ok(());
    }
    if let Some(SIGINT | SIGTERM) = status.signal() {
        return Err(Failure::failed(format!("stopped while driver {} was built", driver.name), ""));
    }
    Err(Failure::failed(
        format!("driver {} does not build: `{shown}` failed ({status})", driver.name),
        format!("Its messages are above; to try again by hand: cd {} && {shown}", driver.root.display()),
    ))
}

/// The file that the app's command runs, if it is one that is built: an interpreter of the system is not.
fn program(driver: &Driver) -> Option<PathBuf> {
    let program = PathBuf::from(driver.app_command().get_program());
    let target = std::env::var_os("CARGO_TARGET_DIR").map(|target| driver.root.join(target));
    let built = program.starts_with(&driver.root) || target.is_some_and(|target| program.starts_with(target));
    built.then_some(program)
}

/// A builder leaves the program's time alone when a change did not affect it; without this it would be asked each time.
fn mark_fresh(driver: &Driver) {
    if state(driver) != State::Stale {
        return;
    }
    if let Some(Ok(file)) = program(driver).map(File::open) {
        // Not being the owner is no error: the next run just asks the builder again.
        let _ = file.set_modified(SystemTime::now());
    }
}

/// The time of the newest source below `directory`.
fn newest(directory: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(directory).ok()?;
    entries.flatten().filter_map(|entry| newest_of(&entry)).max()
}

fn newest_of(entry: &fs::DirEntry) -> Option<SystemTime> {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    let kind = entry.file_type().ok()?;
    if name.starts_with('.') || (kind.is_dir() && PRODUCTS.contains(&name.as_ref())) {
        None
    } else if kind.is_dir() {
        newest(&entry.path())
    } else {
        entry.metadata().ok()?.modified().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A repository with one driver whose build command is `build` (a shell line).
    fn driver(root: &Path, build: &str) -> Driver {
        let directory = root.join("drivers/toy");
        fs::create_dir_all(&directory).unwrap();
        let text = format!(
            "name = \"toy\"\nlanguage = \"sh\"\nsummary = \"a toy\"\nbuild = [\"sh\", \"-c\", {build:?}]\n\
             app = [\"drivers/toy/bin/app\"]\ntestee = [\"drivers/toy/bin/app\"]\n"
        );
        fs::write(directory.join("driver.toml"), text).unwrap();
        Driver::read(root, &directory.join("driver.toml")).unwrap()
    }

    const GOOD: &str = "mkdir -p drivers/toy/bin && echo x >drivers/toy/bin/app";

    #[test]
    fn builds_what_is_missing_and_only_that() {
        let root = tempfile::tempdir().unwrap();
        let driver = driver(root.path(), GOOD);
        assert_eq!(state(&driver), State::Missing);
        ensure(&driver).unwrap();
        assert_eq!(state(&driver), State::Built);
    }

    #[test]
    fn a_newer_source_makes_it_stale_until_it_was_built() {
        let root = tempfile::tempdir().unwrap();
        let driver = driver(root.path(), "true");
        fs::create_dir_all(driver.directory.join("bin")).unwrap();
        fs::write(driver.directory.join("bin/app"), "x").unwrap();
        let source = File::create(driver.directory.join("source")).unwrap();
        File::open(driver.directory.join("bin/app"))
            .unwrap()
            .set_modified(SystemTime::now() - Duration::from_secs(100))
            .unwrap();
        assert_eq!(state(&driver), State::Stale);
        drop(source);
        ensure(&driver).unwrap();
        assert_eq!(state(&driver), State::Built, "the builder did not touch it, but it was asked");
    }

    #[test]
    fn a_failed_build_and_a_build_without_product_are_told_apart() {
        let root = tempfile::tempdir().unwrap();
        let failure = ensure(&driver(root.path(), "exit 3")).unwrap_err();
        assert!(failure.cause.starts_with("driver toy does not build"), "{}", failure.cause);
        let failure = ensure(&driver(root.path(), "true")).unwrap_err();
        assert!(failure.cause.contains("succeeded, but there is no"), "{}", failure.cause);
    }
}

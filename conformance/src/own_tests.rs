//! The tests that each driver brings along in its own language: run as its `driver.toml` says, shown as they are.

use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::drivers::Driver;

/// What became of a driver's tests.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    /// Why they were not run.
    Skipped(String),
}

/// Runs the tests of all `drivers`, one after the other, with their own output. The exit code is 0 if none failed.
pub fn run(drivers: &[Driver]) -> Result<ExitCode> {
    let mut failed = Vec::new();
    for driver in drivers {
        match run_one(driver)? {
            Outcome::Passed => {}
            Outcome::Failed => failed.push(driver.name.as_str()),
            Outcome::Skipped(why) => println!("{}: its own tests are skipped: {why}", driver.name),
        }
    }
    if !failed.is_empty() {
        eprintln!("own tests failed: {}", failed.join(", "));
    }
    Ok(ExitCode::from(u8::from(!failed.is_empty())))
}

fn run_one(driver: &Driver) -> Result<Outcome> {
    let Some(mut command) = driver.test_command() else {
        return Ok(Outcome::Skipped("it has none".to_owned()));
    };
    if let Some(need) = driver.missing().first() {
        return Ok(Outcome::Skipped(format!("{} is missing: {}", need.tool, need.install)));
    }
    println!("{}: {}", driver.name, driver.test.join(" "));
    let status =
        command.stdin(Stdio::null()).status().with_context(|| format!("cannot run {:?}", driver.test))?;
    Ok(if status.success() { Outcome::Passed } else { Outcome::Failed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn outcome(extra: &str) -> Outcome {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("driver.toml");
        let words = "name = \"x\"\nlanguage = \"X\"\nsummary = \"x\"\napp = [\"x\"]\ntestee = [\"x\"]\nfeatures = []\n";
        fs::write(&path, format!("{words}{extra}")).unwrap();
        run_one(&Driver::read(root.path(), &path).unwrap()).unwrap()
    }

    #[test]
    fn passing_and_failing_tests_are_told_apart() {
        assert_eq!(outcome("test = [\"true\"]"), Outcome::Passed);
        assert_eq!(outcome("test = [\"false\"]"), Outcome::Failed);
    }

    #[test]
    fn what_cannot_run_is_skipped_with_the_reason() {
        assert_eq!(outcome(""), Outcome::Skipped("it has none".to_owned()));
        let needs = "[[needs]]\ntool = \"zz\"\nversion = [\"zz-is-not-there\"]\ninstall = \"get zz\"\n";
        let skipped = outcome(&format!("test = [\"true\"]\n{needs}"));
        assert_eq!(skipped, Outcome::Skipped("zz is missing: get zz".to_owned()));
    }
}

//! Plays one case with one driver, and reports.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::{Context, Result};

use crate::case::Case;
use crate::drivers::{Driver, ExpectedFailure};
use crate::outcome::{Failure, Outcome};
use crate::rig::{Rig, Terms};
use crate::testee::Launch;
use crate::way::{TESTEE_MIB, Way, not_over_sysfs};

/// A driver under test, ours or anybody's.
#[derive(Clone, Debug)]
pub struct Subject {
    /// First part of every test name.
    pub name: String,
    /// How its testee is started.
    pub launch: Launch,
    /// Features that its `driver.toml` promises; the testee must announce them.
    pub promised: Vec<String>,
    /// Cases that it is known to fail.
    pub expected: BTreeMap<String, ExpectedFailure>,
    /// Rules of the sanitizer that do not fail a case.
    pub forgiven: Vec<String>,
    /// Arguments of the judge that choose this subject, for the line that plays a case again.
    pub chosen_by: String,
}

impl Subject {
    /// A driver of this repository, built already.
    pub fn of(driver: &Driver) -> Subject {
        Subject {
            name: driver.name.clone(),
            launch: Launch::of(&driver.testee_command()),
            promised: driver.features.clone(),
            expected: driver.expected.clone(),
            forgiven: Vec::new(),
            chosen_by: format!("--driver {}", driver.name),
        }
    }

    /// Anybody's testee, run where the judge runs. Its tests are called `cmd`.
    pub fn command(words: &[String]) -> Result<Subject> {
        let program = words.first().context("no command after --")?;
        let launch = Launch {
            words: words.iter().map(Into::into).collect(),
            directory: std::env::current_dir().unwrap_or_else(|_| Path::new(".").into()),
        };
        Ok(Subject {
            name: "cmd".into(),
            launch,
            promised: Vec::new(),
            expected: BTreeMap::new(),
            forgiven: Vec::new(),
            chosen_by: format!("-- {program} {}", words[1..].join(" ")).trim_end().to_owned(),
        })
    }
}

/// How a case ended.
#[derive(Debug)]
pub enum Verdict {
    /// As it should.
    Passed,
    /// It was not played, or its failure was expected: why.
    Ignored(String),
    /// Otherwise.
    Failed(Box<Report>),
}

/// All that helps to find out why a case failed.
#[derive(Debug, Default)]
pub struct Report {
    /// Expected and happened.
    pub text: String,
    /// What the sanitizer found.
    pub findings: Vec<String>,
    /// The testee's last words.
    pub stderr: Vec<String>,
    /// The last register accesses.
    pub trace: Vec<String>,
    /// Command that plays the case again.
    pub again: String,
}

impl Report {
    /// A report of nothing but words.
    pub fn of(text: impl Into<String>) -> Box<Report> {
        Box::new(Report { text: text.into(), ..Report::default() })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        let parts = [
            ("sanitizer", &self.findings),
            ("standard error of the testee", &self.stderr),
            ("last register accesses", &self.trace),
        ];
        for (title, lines) in parts {
            if !lines.is_empty() {
                writeln!(f, "{title}:\n  {}", lines.join("\n  "))?;
            }
        }
        if self.again.is_empty() { Ok(()) } else { write!(f, "again: {}", self.again) }
    }
}

/// Conditions of a run.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// All chance comes from here.
    pub seed: u64,
    /// Factor on every deadline.
    pub patience: f64,
    /// How testees reach the NICs.
    pub way: Way,
}

/// Plays `case` of `module` with `subject`, and holds the result against the list of expected failures.
pub fn play(subject: &Subject, module: &str, case: &Case, conditions: Conditions) -> Verdict {
    let name = format!("{module}::{}", case.name);
    if let Some(reason) = not_over_sysfs(&name).filter(|_| conditions.way == Way::Sysfs) {
        return Verdict::Ignored(format!("not over sysfs: {reason}"));
    }
    let again = format!(
        "ringway-conform --seed {} --exact {}::{name} {}",
        conditions.seed, subject.name, subject.chosen_by
    );
    let seed = conditions.seed ^ fingerprint(&name);
    let (mut launch, forgiven) = (subject.launch.clone(), subject.forgiven.clone());
    if conditions.way == Way::Sysfs {
        // A testee has its memory before it knows of a device, and a card needs hugepages.
        let hugepages = format!("RINGWAY_HUGEPAGES={TESTEE_MIB}");
        launch.words.splice(0..0, ["env".into(), hugepages.into()]);
    }
    let terms = Terms { launch, seed, patience: conditions.patience, way: conditions.way, forgiven };
    let verdict = match on_a_rig(subject, case, &terms) {
        Verdict::Failed(report) => Verdict::Failed(Box::new(Report { again, ..*report })),
        verdict => verdict,
    };
    against_the_list(verdict, subject.expected.get(&name))
}

/// FNV-1a: every case has chances of its own, the same in every run.
fn fingerprint(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn on_a_rig(subject: &Subject, case: &Case, terms: &Terms) -> Verdict {
    let mut rig = match Rig::new(case, terms) {
        Ok(rig) => rig,
        Err(failure) => return Verdict::Failed(Report::of(failure.to_string())),
    };
    if let Some(broken) = subject.promised.iter().find(|feature| !rig.has(feature)) {
        let has = &rig.hello.features;
        return Verdict::Failed(Report::of(
            Failure::new(
                format!("feature {broken}, as driver.toml says"),
                format!("hello announces {has:?}"),
            )
            .to_string(),
        ));
    }
    if let Some(missing) = case.needs.filter(|feature| !rig.has(feature)) {
        return Verdict::Ignored(format!("{} has no feature {missing}", rig.hello.driver));
    }
    let result = catch_unwind(AssertUnwindSafe(|| (case.run)(&mut rig).and_then(|()| rig.finish())));
    match result.unwrap_or_else(|panic| Err(panicked(panic.as_ref()))) {
        Ok(()) => Verdict::Passed,
        Err(failure) => Verdict::Failed(report(&mut rig, &failure)),
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    Failure::new("a judge without bugs", format!("panic in the case: {}", text.unwrap_or("?")))
}

fn report(rig: &mut Rig, failure: &Failure) -> Box<Report> {
    // Dead first, so that its last words are complete.
    rig.testee.kill();
    Box::new(Report {
        text: failure.to_string(),
        findings: rig.findings(),
        stderr: rig.stderr(),
        trace: rig.trace(),
        again: String::new(),
    })
}

/// A case on the list must fail, and with the words of the list.
fn against_the_list(verdict: Verdict, expected: Option<&ExpectedFailure>) -> Verdict {
    let Some(expected) = expected else { return verdict };
    match verdict {
        Verdict::Passed => Verdict::Failed(Report::of(format!(
            "expected: a failure, for driver.toml lists this case ({})\nhappened: it passes; take it off the list",
            expected.reason
        ))),
        Verdict::Failed(report) if report.text.contains(&expected.message) => {
            Verdict::Ignored(format!("fails as expected: {}", expected.reason))
        }
        Verdict::Failed(mut report) => {
            let listed = format!("\n(driver.toml lists this case, but with {:?})", expected.message);
            report.text.push_str(&listed);
            Verdict::Failed(report)
        }
        ignored => ignored,
    }
}

/// The expected failures that name no case of the suite, each as a failed outcome.
pub fn stale_entries(subject: &Subject) -> Outcome {
    let known: Vec<String> =
        crate::cases::all().map(|(module, case)| format!("{module}::{}", case.name)).collect();
    let stale: Vec<&str> =
        subject.expected.keys().filter(|name| !known.contains(name)).map(String::as_str).collect();
    crate::outcome::expect(stale.is_empty(), "every expected failure is a case of the suite", || {
        stale.join(", ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> ExpectedFailure {
        ExpectedFailure { reason: "not yet".into(), message: "Unsupported".into() }
    }

    #[test]
    fn a_listed_case_must_fail_with_the_listed_words() {
        let listed = expected();
        assert!(matches!(against_the_list(Verdict::Passed, Some(&listed)), Verdict::Failed(_)));
        let failed = |text: &str| Verdict::Failed(Report::of(text));
        assert!(matches!(
            against_the_list(failed("error Unsupported x"), Some(&listed)),
            Verdict::Ignored(_)
        ));
        assert!(matches!(against_the_list(failed("hang"), Some(&listed)), Verdict::Failed(_)));
        assert!(matches!(against_the_list(failed("hang"), None), Verdict::Failed(_)));
        assert!(matches!(against_the_list(Verdict::Passed, None), Verdict::Passed));
    }

    #[test]
    fn an_entry_for_no_case_is_told() {
        let mut subject = Subject::command(&["true".to_owned()]).unwrap();
        assert!(stale_entries(&subject).is_ok());
        subject.expected.insert("rx::no_such_case".into(), expected());
        assert!(stale_entries(&subject).unwrap_err().happened.contains("no_such_case"));
    }
}

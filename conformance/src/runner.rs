//! Runs the suite: each case of each driver as a named test, as `cargo test` would show it, or as JSON lines.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Completion, Trial};
use ringway_lab::sanitizer::RULES;
use ringway_lab::tree::Namespace;

use crate::cases;
use crate::drivers::{Driver, discover};
use crate::mutants;
use crate::own_tests;
use crate::play::{Conditions, Report, Subject, Verdict, play, stale_entries};
use crate::way::{TESTEE_MIB, Way};

/// Arguments of the judge, for its own program and for the `ringway` command.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Run only tests whose name contains this (`rust::rx::keeps_order_across_the_ring_end`)
    pub filter: Option<String>,
    /// The filter is the whole name
    #[arg(long)]
    pub exact: bool,
    /// Judge this driver; may be given several times [default: all in drivers/]
    #[arg(long = "driver", value_name = "NAME")]
    pub drivers: Vec<String>,
    /// List the tests instead of running them
    #[arg(long)]
    pub list: bool,
    /// Print one JSON object for each test
    #[arg(long)]
    pub json: bool,
    /// Seed of all chance: register states before reset, frame lengths, flows
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many tests run at a time
    #[arg(long, short, default_value_t = 2)]
    pub jobs: usize,
    /// Factor on every deadline, for slow machines and testees under a debugger
    #[arg(long, default_value_t = 1.0)]
    pub patience: f64,
    /// How testees reach the NICs: by socket, or as PCI functions in plain memory (needs root)
    #[arg(long, value_name = "WAY", default_value = "vfio-user", conflicts_with_all = ["mutants", "own_tests"])]
    pub through: Way,
    /// Findings of this rule of the sanitizer fail no test; may be given several times
    #[arg(long, value_name = "RULE", value_parser = rule)]
    pub forgive: Vec<String>,
    /// Do not build the drivers first
    #[arg(long)]
    pub no_build: bool,
    /// Instead of the suite: break the drivers as their mutants say, and see that the suite notices
    #[arg(long, conflicts_with = "command")]
    pub mutants: bool,
    /// Instead of the suite: run the tests that each driver brings along in its own language
    #[arg(long, conflicts_with_all = ["command", "mutants", "json", "list", "filter"])]
    pub own_tests: bool,
    /// Judge the testee that this command starts, whoever wrote it; its tests are called `cmd`
    #[arg(last = true, conflicts_with = "drivers")]
    pub command: Vec<String>,
}

/// A word that is a rule of the sanitizer.
fn rule(word: &str) -> Result<String, String> {
    let known = RULES.iter().any(|rule| rule.id == word);
    if known { Ok(word.to_owned()) } else { Err(format!("the sanitizer has no rule {word}")) }
}

/// One test of a run.
pub struct Task {
    /// Its name.
    pub name: String,
    /// Runs it.
    pub run: Box<dyn FnOnce() -> Verdict + Send>,
}

impl Task {
    /// A test called `name`.
    pub fn new(name: impl Into<String>, run: impl FnOnce() -> Verdict + Send + 'static) -> Task {
        Task { name: name.into(), run: Box::new(run) }
    }
}

/// Runs what the arguments ask for, with the drivers of the repository at `root`. Prints the results on standard output;
/// the exit code is 0 if every test ended as it should.
pub fn run(arguments: &Arguments, root: Option<&Path>) -> Result<ExitCode> {
    ensure!(arguments.patience > 0.0 && arguments.patience.is_finite(), "--patience must be above 0");
    if arguments.own_tests {
        return own_tests::run(&chosen(repository(root)?, &arguments.drivers)?);
    }
    let mut tasks = tasks(arguments, root)?;
    // Before any thread is started: they and the testees have to be in the namespace too.
    let namespace = (arguments.through == Way::Sysfs && !arguments.list)
        .then(|| Namespace::enter(hugepages(arguments.jobs)));
    if let Some(Err(error)) = &namespace {
        ignore(&mut tasks, &format!("not over sysfs here: {error}"));
    }
    if arguments.json { Ok(run_json(arguments, tasks)) } else { Ok(run_text(arguments, tasks)) }
}

/// MiB for so many cases side by side; one that ends may still hold its own while the next begins, and some start two testees.
fn hugepages(jobs: usize) -> u64 {
    jobs.max(1) as u64 * 3 * TESTEE_MIB
}

fn tasks(arguments: &Arguments, root: Option<&Path>) -> Result<Vec<Task>> {
    let conditions =
        Conditions { seed: arguments.seed, patience: arguments.patience, way: arguments.through };
    if !arguments.command.is_empty() {
        let subject =
            Subject { forgiven: arguments.forgive.clone(), ..Subject::command(&arguments.command)? };
        return Ok(of_subject(&subject, conditions));
    }
    let drivers = chosen(repository(root)?, &arguments.drivers)?;
    if arguments.mutants {
        return mutants::tasks(&drivers, conditions);
    }
    Ok(drivers.iter().flat_map(|driver| of_driver(driver, arguments, conditions)).collect())
}

fn repository(root: Option<&Path>) -> Result<&Path> {
    root.context("no drivers here: run inside the repository, or give a testee after --")
}

fn chosen(root: &Path, names: &[String]) -> Result<Vec<Driver>> {
    let all = discover(root)?;
    let known = all.iter().map(|driver| driver.name.as_str()).collect::<Vec<_>>().join(", ");
    for name in names {
        ensure!(all.iter().any(|driver| driver.name == *name), "no driver {name}; there are: {known}");
    }
    Ok(all.into_iter().filter(|driver| names.is_empty() || names.contains(&driver.name)).collect())
}

/// The tests of a driver. Without its tools they are ignored; if it does not build, that is the one test that fails.
fn of_driver(driver: &Driver, arguments: &Arguments, conditions: Conditions) -> Vec<Task> {
    let subject = Subject { forgiven: arguments.forgive.clone(), ..Subject::of(driver) };
    let mut tasks = of_subject(&subject, conditions);
    if arguments.list {
        return tasks;
    }
    if let Some(need) = driver.missing().first() {
        ignore(&mut tasks, &format!("{} is missing: {}", need.tool, need.install));
        return tasks;
    }
    if arguments.no_build {
        return tasks;
    }
    match driver.build_now() {
        Ok(()) => tasks,
        Err(error) => {
            let text = format!("expected: {} builds\nhappened: {error:#}", driver.name);
            vec![Task::new(format!("{}::builds", driver.name), move || Verdict::Failed(Report::of(text)))]
        }
    }
}

/// Makes nothing of them but a line that says why.
fn ignore(tasks: &mut [Task], reason: &str) {
    for task in tasks {
        let reason = reason.to_owned();
        task.run = Box::new(move || Verdict::Ignored(reason));
    }
}

fn of_subject(subject: &Subject, conditions: Conditions) -> Vec<Task> {
    let stale = stale_entries(subject).err().map(|failure| {
        let name = format!("{}::expected_failures_are_cases", subject.name);
        Task::new(name, move || Verdict::Failed(Report::of(failure.to_string())))
    });
    let cases = cases::all().map(|(module, case)| {
        let subject = subject.clone();
        let name = format!("{}::{module}::{}", subject.name, case.name);
        Task::new(name, move || play(&subject, module, case, conditions))
    });
    stale.into_iter().chain(cases).collect()
}

/// As `cargo test` shows it.
fn run_text(arguments: &Arguments, tasks: Vec<Task>) -> ExitCode {
    let trials = tasks.into_iter().map(|task| {
        Trial::ignorable_test(task.name, move || match (task.run)() {
            Verdict::Passed => Ok(Completion::Completed),
            Verdict::Ignored(reason) => Ok(Completion::ignored_with(reason)),
            Verdict::Failed(report) => Err(report.to_string().into()),
        })
    });
    let options = libtest_mimic::Arguments {
        filter: arguments.filter.clone(),
        exact: arguments.exact,
        list: arguments.list,
        test_threads: Some(arguments.jobs.max(1)),
        ..libtest_mimic::Arguments::default()
    };
    let conclusion = libtest_mimic::run(&options, trials.collect());
    ExitCode::from(u8::from(conclusion.has_failed()))
}

/// One object a line, as the tests end.
fn run_json(arguments: &Arguments, mut tasks: Vec<Task>) -> ExitCode {
    if let Some(filter) = &arguments.filter {
        tasks.retain(|task| if arguments.exact { task.name == *filter } else { task.name.contains(filter) });
    }
    let mut out = std::io::stdout().lock();
    let mut print = |object: serde_json::Value| {
        // A reader that went away (a closed pipe) does not stop the run: the exit code still tells.
        let _ = writeln!(out, "{object}").and_then(|()| out.flush());
    };
    if arguments.list {
        tasks.iter().for_each(|task| print(serde_json::json!({ "name": task.name })));
        return ExitCode::SUCCESS;
    }
    let mut failed = false;
    side_by_side(tasks, arguments.jobs, |name, seconds, verdict| {
        let (outcome, message) = match verdict {
            Verdict::Passed => ("passed", None),
            Verdict::Ignored(reason) => ("ignored", Some(reason)),
            Verdict::Failed(report) => ("failed", Some(report.to_string())),
        };
        failed |= outcome == "failed";
        print(
            serde_json::json!({ "name": name, "outcome": outcome, "seconds": seconds, "message": message }),
        );
    });
    ExitCode::from(u8::from(failed))
}

/// Runs tasks on `jobs` threads and tells each result on this one.
fn side_by_side(tasks: Vec<Task>, jobs: usize, mut tell: impl FnMut(String, f64, Verdict)) {
    let queue = Mutex::new(tasks.into_iter());
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(task) = next else { return };
                    let start = Instant::now();
                    let verdict = (task.run)();
                    if sender.send((task.name, start.elapsed().as_secs_f64(), verdict)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        results.into_iter().for_each(|(name, seconds, verdict)| tell(name, seconds, verdict));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_run_once_whatever_the_number_of_jobs() {
        for jobs in [0, 1, 3, 20] {
            let tasks = (0..10).map(|n| Task::new(n.to_string(), || Verdict::Passed)).collect();
            let mut names = Vec::new();
            side_by_side(tasks, jobs, |name, _, _| names.push(name));
            names.sort();
            assert_eq!(names, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
        }
    }
}

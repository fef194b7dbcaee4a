//! Broken drivers, to prove that the suite bites: each mutant is one edit of a driver's source, kept by the driver's owner,
//! and names the cases that must fail because of it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use rustix::fs::{FlockOperation, flock};
use serde::Deserialize;

use crate::cases;
use crate::drivers::Driver;
use crate::play::{Conditions, Report, Subject, Verdict, play};
use crate::runner::Task;

/// One edit, and who must notice.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Last part of the test's name.
    pub name: String,
    /// The mistake that it stands for.
    pub why: String,
    /// The file, relative to the driver's directory.
    pub file: PathBuf,
    /// Text that occurs there exactly once.
    pub find: String,
    /// What it becomes.
    pub replace: String,
    /// Cases of the suite that must fail.
    pub caught_by: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutant: Vec<Mutant>,
}

/// Reads and checks a driver's list.
fn read(path: &Path) -> Result<Vec<Mutant>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let list: List = toml::from_str(&text).with_context(|| format!("in {}", path.display()))?;
    let mut names = BTreeSet::new();
    for mutant in &list.mutant {
        ensure!(names.insert(&mutant.name), "{}: two mutants {}", path.display(), mutant.name);
        ensure!(!mutant.caught_by.is_empty(), "{}: {} names no case", path.display(), mutant.name);
        for case in &mutant.caught_by {
            ensure!(find_case(case).is_some(), "{}: {}: no case {case}", path.display(), mutant.name);
        }
    }
    Ok(list.mutant)
}

fn find_case(name: &str) -> Option<(&'static str, &'static crate::case::Case)> {
    cases::all().find(|(module, case)| format!("{module}::{}", case.name) == name)
}

/// `text` with its only `find` replaced.
fn edited(text: &str, find: &str, replace: &str) -> Result<String> {
    match text.matches(find).count() {
        1 => Ok(text.replacen(find, replace, 1)),
        n => bail!("the text to replace occurs {n} times, not once: {find:?}"),
    }
}

/// The tests of all mutants of `drivers`. The first test of a driver is that it passes unchanged.
pub fn tasks(drivers: &[Driver], conditions: Conditions) -> Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for driver in drivers {
        let Some(list) = &driver.mutants else { continue };
        let mutants = read(list)?;
        let named: BTreeSet<String> = mutants.iter().flat_map(|mutant| mutant.caught_by.clone()).collect();
        let bench = Arc::new(Mutex::new(Bench::new(driver, conditions)?));
        let prefix = format!("mutants::{}", driver.name);
        let unchanged = Arc::clone(&bench);
        tasks.push(Task::new(format!("{prefix}::unchanged_driver_passes"), move || {
            verdict(unchanged.lock().unwrap_or_else(PoisonError::into_inner).unchanged(&named))
        }));
        for mutant in mutants {
            let bench = Arc::clone(&bench);
            tasks.push(Task::new(format!("{prefix}::{}", mutant.name), move || {
                verdict(bench.lock().unwrap_or_else(PoisonError::into_inner).mutant(&mutant))
            }));
        }
    }
    Ok(tasks)
}

fn verdict(result: Result<()>) -> Verdict {
    result.map_or_else(|error| Verdict::Failed(Report::of(format!("{error:#}"))), |()| Verdict::Passed)
}

/// A copy of the repository that mutants of one driver are built in, one at a time.
struct Bench {
    original: Driver,
    copy: Driver,
    conditions: Conditions,
    /// Held as long as this process uses the copy.
    _lock: File,
}

impl Bench {
    /// Copies the repository to `target/mutants/NAME/tree`, a place that stays, so that the next run builds little.
    fn new(driver: &Driver, conditions: Conditions) -> Result<Bench> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        let place = driver.root.join(target).join("mutants").join(&driver.name);
        let tree = place.join("tree");
        fs::create_dir_all(&tree).with_context(|| format!("cannot make {}", tree.display()))?;
        let lock = File::create(place.join("lock"))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)
            .with_context(|| format!("another run uses {}", place.display()))?;
        mirror(&driver.root, &tree)?;
        let directory = tree.join(driver.directory.strip_prefix(&driver.root)?);
        let copy = Driver { root: tree, directory, target: Some(place.join("target")), ..driver.clone() };
        Ok(Bench { original: driver.clone(), copy, conditions, _lock: lock })
    }

    fn play(&self, name: &str) -> Result<Verdict> {
        let (module, case) = find_case(name).with_context(|| format!("no case {name}"))?;
        // Expected failures are the business of the suite, not of the mutants.
        let subject = Subject { expected: Default::default(), ..Subject::of(&self.copy) };
        Ok(play(&subject, module, case, self.conditions))
    }

    /// The driver as it is passes every case that a mutant names: else a failure would prove nothing.
    fn unchanged(&self, named: &BTreeSet<String>) -> Result<()> {
        self.copy.build_now()?;
        for name in named {
            match self.play(name)? {
                Verdict::Passed => {}
                Verdict::Ignored(reason) => bail!("{name} is ignored: {reason}"),
                Verdict::Failed(report) => bail!("{name} fails without any mutant:\n{report}"),
            }
        }
        Ok(())
    }

    /// The mutant builds, and fails every case that it names.
    fn mutant(&self, mutant: &Mutant) -> Result<()> {
        let path = self.copy.directory.join(&mutant.file);
        let original = fs::read_to_string(self.original.directory.join(&mutant.file))
            .with_context(|| format!("cannot read {}", mutant.file.display()))?;
        fs::write(&path, edited(&original, &mutant.find, &mutant.replace)?)?;
        let result =
            self.copy.build_now().context("the mutant does not build").and_then(|()| self.caught(mutant));
        fs::write(&path, original)?;
        result
    }

    fn caught(&self, mutant: &Mutant) -> Result<()> {
        for name in &mutant.caught_by {
            match self.play(name)? {
                Verdict::Failed(_) => {}
                Verdict::Passed => bail!("{name} does not notice: {}", mutant.why),
                Verdict::Ignored(reason) => bail!("{name} is ignored: {reason}"),
            }
        }
        Ok(())
    }
}

/// What is never copied: results, not sources.
const SKIPPED: [&str; 4] = ["target", ".git", "node_modules", "mutants"];

/// Makes `to` equal to `from`. Files that are equal already keep their time stamps, so that builds are short.
fn mirror(from: &Path, to: &Path) -> Result<()> {
    let mut wanted = BTreeSet::new();
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let (source, name) = (entry.path(), entry.file_name());
        let copy = to.join(&name);
        if SKIPPED.iter().any(|skipped| name == *skipped) {
            continue;
        }
        if source.is_dir() {
            fs::create_dir_all(&copy)?;
            mirror(&source, &copy)?;
        } else if source.is_file() {
            let bytes = fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
            if fs::read(&copy).ok().as_ref() != Some(&bytes) {
                fs::write(&copy, bytes).with_context(|| format!("cannot write {}", copy.display()))?;
                fs::set_permissions(&copy, source.metadata()?.permissions())?;
            }
        } else {
            continue;
        }
        wanted.insert(name);
    }
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if wanted.contains(&name) || SKIPPED.iter().any(|skipped| name == *skipped) {
            continue;
        }
        if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_must_be_unique() {
        assert_eq!(edited("a b c", "b", "x").unwrap(), "a x c");
        assert!(edited("a b b", "b", "x").is_err());
        assert!(edited("a", "b", "x").is_err());
    }

    #[test]
    fn a_list_that_names_no_case_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("mutants.toml");
        let list = |case: &str| {
            format!("[[mutant]]\nname='a'\nwhy='b'\nfile='c'\nfind='d'\nreplace='e'\ncaught_by=['{case}']")
        };
        fs::write(&path, list("rx::keeps_every_byte")).unwrap();
        assert_eq!(read(&path).unwrap().len(), 1);
        fs::write(&path, list("rx::no_such_case")).unwrap();
        assert!(format!("{:#}", read(&path).unwrap_err()).contains("no_such_case"));
    }

    #[test]
    fn a_mirror_is_equal_and_leaves_results_alone() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(from.path().join("src")).unwrap();
        fs::write(from.path().join("src/a"), "new").unwrap();
        fs::create_dir_all(from.path().join("target")).unwrap();
        fs::write(from.path().join("target/big"), "").unwrap();
        fs::create_dir_all(to.path().join("src")).unwrap();
        fs::write(to.path().join("src/a"), "old").unwrap();
        fs::write(to.path().join("src/gone"), "").unwrap();
        mirror(from.path(), to.path()).unwrap();
        assert_eq!(fs::read_to_string(to.path().join("src/a")).unwrap(), "new");
        assert!(!to.path().join("src/gone").exists() && !to.path().join("target").exists());
    }
}

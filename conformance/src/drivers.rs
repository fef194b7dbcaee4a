//! Which drivers there are: `drivers/*/driver.toml`, read and resolved.
//!
//! A driver is found by its file and run by the commands in it, so that a new language needs no change in Rust code.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

/// A tool that a driver needs to be built or run.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// Name for people.
    pub tool: String,
    /// A command that succeeds if the tool is there; its first line of output is the version.
    pub version: Vec<String>,
    /// Where to get it, or the command that installs it.
    pub install: String,
}

impl Need {
    /// Runs the version command: the first line that it prints, or `None` if the tool is missing or broken.
    pub fn found(&self) -> Option<String> {
        let (program, arguments) = self.version.split_first()?;
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
    }
}

/// A case that a driver is known to fail.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFailure {
    /// Why the driver cannot do better yet.
    pub reason: String,
    /// Words that the message of the failure contains. Another message is another failure.
    pub message: String,
}

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    language: String,
    summary: String,
    #[serde(default)]
    build: Vec<String>,
    app: Vec<String>,
    testee: Vec<String>,
    #[serde(default)]
    test: Vec<String>,
    #[serde(default)]
    features: Vec<String>,
    #[serde(default)]
    needs: Vec<Need>,
    #[serde(default)]
    expected: BTreeMap<String, ExpectedFailure>,
    #[serde(default)]
    mutants: Option<Mutants>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutants {
    #[serde(default)]
    file: Option<PathBuf>,
}

/// A driver of this repository.
#[derive(Clone, Debug)]
pub struct Driver {
    /// Name for command lines and test names: `rust`.
    pub name: String,
    /// Name for people: `Rust`.
    pub language: String,
    /// One line.
    pub summary: String,
    /// The repository.
    pub root: PathBuf,
    /// The driver's own directory, absolute.
    pub directory: PathBuf,
    /// Command that builds app and testee, run in the root; empty if there is nothing to build.
    pub build: Vec<String>,
    /// Command of the app, as written; see [`Driver::app_command`].
    pub app: Vec<String>,
    /// Command of the testee, as written; see [`Driver::testee_command`].
    pub testee: Vec<String>,
    /// Command that runs the driver's own tests, run in the root; empty if there is none.
    pub test: Vec<String>,
    /// What the driver can do beyond the minimum (`rss`, `jumbo`).
    pub features: Vec<String>,
    /// Tools.
    pub needs: Vec<Need>,
    /// Cases that are known to fail, by name (`rx::keeps_order_across_the_ring_end`).
    pub expected: BTreeMap<String, ExpectedFailure>,
    /// File of mutants, absolute, if the driver has one.
    pub mutants: Option<PathBuf>,
    /// Where to build instead of `target` or `$CARGO_TARGET_DIR`. The copy in which mutants are built has one, and is
    /// built for a short build rather than for speed.
    pub target: Option<PathBuf>,
}

impl Driver {
    /// Reads `path` (a `driver.toml` two levels below `root`).
    pub fn read(root: &Path, path: &Path) -> Result<Driver> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file: File = toml::from_str(&text).with_context(|| format!("in {}", path.display()))?;
        let directory = path.parent().context("driver.toml has no directory")?.to_owned();
        let plain =
            |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        ensure!(!file.name.is_empty() && plain(&file.name), "{}: name must be [a-z0-9-]+", path.display());
        for (what, command) in [("app", &file.app), ("testee", &file.testee)] {
            ensure!(!command.is_empty(), "{}: {what} is empty", path.display());
        }
        Ok(Driver {
            name: file.name,
            language: file.language,
            summary: file.summary,
            root: root.to_owned(),
            directory,
            build: file.build,
            app: file.app,
            testee: file.testee,
            test: file.test,
            features: file.features,
            needs: file.needs,
            expected: file.expected,
            mutants: file.mutants.and_then(|mutants| mutants.file).map(|file| root.join(file)),
            target: None,
        })
    }

    /// The tools that are not there.
    pub fn missing(&self) -> Vec<&Need> {
        self.needs.iter().filter(|need| need.found().is_none()).collect()
    }

    /// The build command, ready to run in the root; `None` if there is nothing to build.
    pub fn build_command(&self) -> Option<Command> {
        self.in_root(&self.build)
    }

    /// Builds quietly. The error holds what the build printed.
    pub fn build_now(&self) -> Result<()> {
        let Some(mut command) = self.build_command() else { return Ok(()) };
        let output =
            command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {:?}", self.build))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            bail!("{} failed ({}):\n{}", self.build.join(" "), output.status, text.trim_end());
        }
        Ok(())
    }

    /// The app `ringway-<name>`, ready for arguments; run in the root.
    pub fn app_command(&self) -> Command {
        self.resolved(&self.app)
    }

    /// The conformance testee, ready to run; run in the root.
    pub fn testee_command(&self) -> Command {
        self.resolved(&self.testee)
    }

    /// The command of the driver's own tests; `None` if it has none.
    pub fn test_command(&self) -> Option<Command> {
        self.in_root(&self.test)
    }

    fn in_root(&self, words: &[String]) -> Option<Command> {
        let (program, arguments) = words.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root);
        if let Some(target) = &self.target {
            command.env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "1");
            command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        }
        Some(command)
    }

    fn resolved(&self, words: &[String]) -> Command {
        let elsewhere = std::env::var_os("CARGO_TARGET_DIR").filter(|target| !target.is_empty());
        let target = self.target.clone().map(PathBuf::into_os_string).or(elsewhere);
        let mut words = words.iter().map(|word| resolve(word, &self.root, target.as_ref()));
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).current_dir(&self.root);
        command
    }
}

/// A word of `app` or `testee`: `target/...` follows `$CARGO_TARGET_DIR`, and a path into the repository becomes
/// absolute, for a program's relative path would be looked up from wherever the judge runs.
fn resolve(word: &str, root: &Path, target: Option<&OsString>) -> OsString {
    let path = match (word.strip_prefix("target/"), target) {
        (Some(rest), Some(target)) => root.join(target).join(rest),
        (None, _) if !word.contains('/') || word.starts_with('-') => return word.into(),
        _ => root.join(word),
    };
    path.into_os_string()
}

/// All drivers under `root`, by name. One broken `driver.toml` fails all: it would be missed otherwise.
pub fn discover(root: &Path) -> Result<Vec<Driver>> {
    let root = fs::canonicalize(root).with_context(|| format!("no directory {}", root.display()))?;
    let folder = root.join("drivers");
    let mut drivers = Vec::new();
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path().join("driver.toml");
        if path.is_file() {
            drivers.push(Driver::read(&root, &path)?);
        }
    }
    drivers.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(pair) = drivers.windows(2).find(|pair| pair[0].name == pair[1].name) {
        bail!("two drivers are called {}: {:?} and {:?}", pair[0].name, pair[0].directory, pair[1].directory);
    }
    Ok(drivers)
}

/// The repository that `from` is in: the nearest directory upwards that holds a `drivers` directory and a `Cargo.toml`.
pub fn find_root(from: &Path) -> Option<PathBuf> {
    from.ancestors()
        .find(|directory| directory.join("drivers").is_dir() && directory.join("Cargo.toml").is_file())
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        name = "rust"
        language = "Rust"
        summary = "one line"
        build = ["cargo", "build"]
        app = ["target/release/ringway-rust"]
        testee = ["python3", "drivers/python/conform.py", "--flag=a/b"]
        features = ["rss"]
        [[needs]]
        tool = "shell"
        version = ["echo", "shell 1.0"]
        install = "https://example.org"
        [[needs]]
        tool = "nothing"
        version = ["/nonexistent/tool", "--version"]
        install = "https://example.org"
        [expected]
        "rx::case" = { reason = "not yet", message = "Unsupported" }
        [mutants]
        file = "drivers/rust/mutants.toml"
    "#;

    fn root_with(name: &str, text: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("drivers").join(name);
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("driver.toml"), text).unwrap();
        root
    }

    #[test]
    fn reads_a_whole_file() {
        let root = root_with("rust", GOOD);
        let drivers = discover(root.path()).unwrap();
        let driver = &drivers[0];
        let real = fs::canonicalize(root.path()).unwrap();
        assert_eq!((drivers.len(), driver.name.as_str()), (1, "rust"));
        assert_eq!(driver.expected["rx::case"].message, "Unsupported");
        assert_eq!(driver.mutants.as_deref(), Some(real.join("drivers/rust/mutants.toml").as_path()));
        assert_eq!(driver.missing().iter().map(|need| need.tool.as_str()).collect::<Vec<_>>(), ["nothing"]);
        assert_eq!(driver.needs[0].found().as_deref(), Some("shell 1.0"));
    }

    #[test]
    fn resolves_paths_but_not_words() {
        let root = Path::new("/repo");
        let elsewhere = OsString::from("/elsewhere");
        assert_eq!(resolve("target/release/x", root, None), "/repo/target/release/x");
        assert_eq!(resolve("target/release/x", root, Some(&elsewhere)), "/elsewhere/release/x");
        assert_eq!(resolve("drivers/python/x.py", root, Some(&elsewhere)), "/repo/drivers/python/x.py");
        assert_eq!(resolve("python3", root, Some(&elsewhere)), "python3");
        assert_eq!(resolve("--flag=a/b", root, None), "--flag=a/b");
        assert_eq!(resolve("/usr/bin/env", root, None), "/usr/bin/env");
    }

    #[test]
    fn a_broken_file_is_named() {
        let root = root_with("odd", "name = \"odd\"\nlangage = \"x\"");
        let error = format!("{:#}", discover(root.path()).unwrap_err());
        assert!(error.contains("drivers/odd/driver.toml") && error.contains("langage"), "{error}");
    }

    #[test]
    fn an_expected_failure_needs_reason_and_message() {
        let text = GOOD.replace(", message = \"Unsupported\"", "");
        let root = root_with("rust", &text);
        assert!(format!("{:#}", discover(root.path()).unwrap_err()).contains("message"));
    }

    #[test]
    fn a_failed_build_tells_what_it_printed() {
        let text = GOOD.replace(r#"["cargo", "build"]"#, r#"["sh", "-c", "echo no such luck >&2; exit 1"]"#);
        let root = root_with("rust", &text);
        let error = format!("{:#}", discover(root.path()).unwrap()[0].build_now().unwrap_err());
        assert!(error.contains("no such luck"), "{error}");
    }

    #[test]
    fn finds_the_root_from_below() {
        let root = root_with("rust", GOOD);
        fs::write(root.path().join("Cargo.toml"), "").unwrap();
        let below = root.path().join("drivers/rust");
        assert_eq!(find_root(&below).as_deref(), Some(root.path()));
    }
}

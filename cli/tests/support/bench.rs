//! Runs the command in a directory of its own and looks at what it leaves there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A private place for one test: temporary files, sockets and captures all go there.
pub struct Bench {
    directory: tempfile::TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Bench {
    pub fn new() -> Bench {
        let directory = tempfile::tempdir().unwrap();
        for name in ["tmp", "run"] {
            fs::create_dir(directory.path().join(name)).unwrap();
        }
        Bench { directory }
    }

    /// A path inside.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file inside.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        path
    }

    /// The command, working in here.
    pub fn ringway(&self) -> Command {
        self.command(Path::new(env!("CARGO_BIN_EXE_ringway")))
    }

    /// Some other program, working in here.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.directory.path());
        command
            .env("TMPDIR", self.path("tmp"))
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .env_remove("RINGWAY_ROOT");
        command
    }

    /// Runs `ringway` with these arguments.
    pub fn run<const N: usize>(&self, arguments: [&str; N]) -> Outcome {
        finish(self.ringway().args(arguments))
    }

    /// Makes a repository with one driver, whose app is a shell script; the others are as `ringway` finds them.
    pub fn toy_driver(&self, script: &str) -> PathBuf {
        self.toy_driver_built_by("true", script)
    }

    /// The same with a build command. An empty script stands for an app that is not there until it is built.
    pub fn toy_driver_built_by(&self, build: &str, script: &str) -> PathBuf {
        self.write("root/Cargo.toml", "");
        // Not executed itself: a file that was just written may still be open in a child that another test has forked.
        let app = if script.is_empty() { "" } else { "\"sh\", " };
        self.write(
            "root/drivers/toy/driver.toml",
            format!(
                "name = \"toy\"\nlanguage = \"sh\"\nsummary = \"a toy\"\nbuild = [\"sh\", \"-c\", {build:?}]\n\
                 app = [{app}\"drivers/toy/app.sh\"]\ntestee = [\"drivers/toy/app.sh\"]\n"
            ),
        );
        if !script.is_empty() {
            self.write("root/drivers/toy/app.sh", format!("{script}\n"));
        }
        self.path("root")
    }

    /// Panics if a temporary file or a socket is left.
    pub fn assert_nothing_left(&self) {
        for name in ["tmp", "run"] {
            let left: Vec<_> =
                fs::read_dir(self.path(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert!(left.is_empty(), "left behind: {left:?}");
        }
    }
}

impl Outcome {
    /// Panics unless the run ended with `code` and exactly one line that begins with `ringway: ` and holds all `words`.
    #[track_caller]
    pub fn assert_refused(&self, code: i32, words: &[&str]) {
        let complaints: Vec<_> = self.stderr.lines().filter(|line| line.starts_with("ringway: ")).collect();
        assert_eq!(complaints.len(), 1, "not one line of complaint: {self:#?}");
        for word in words {
            assert!(complaints[0].contains(word), "no {word:?} in {:?}", complaints[0]);
        }
        assert_eq!(self.code, Some(code), "{self:#?}");
    }
}

/// Runs a command to its end, but not for longer than a minute and a half.
#[track_caller]
pub fn finish(command: &mut Command) -> Outcome {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(90);
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let out = std::thread::spawn(move || std::io::read_to_string(&mut out).unwrap());
    let err = std::thread::spawn(move || std::io::read_to_string(&mut err).unwrap());
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                let _ = child.kill();
                panic!("{command:?} does not end");
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    Outcome { code: status.code(), stdout: out.join().unwrap(), stderr: err.join().unwrap() }
}

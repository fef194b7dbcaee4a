//! How a command ends: exit codes, and the one line that names the cause and the remedy.

use std::fmt;

/// What the process says with its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, and the verdict is good.
    Done,
    /// The run took place, and its verdict is bad: packets lost or wrong, a case failed, something is missing.
    BadVerdict,
    /// The command line or a file named on it is wrong. clap uses the same code.
    Usage,
    /// Something that is needed cannot be opened: a file, a socket, a device, a driver.
    CannotOpen,
    /// Something failed on the way.
    Failed,
    /// Whatever the program said that was run.
    Of(u8),
}

impl Exit {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::BadVerdict => 1,
            Exit::Usage => 2,
            Exit::CannotOpen => 3,
            Exit::Failed => 4,
            Exit::Of(code) => code,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit.code())
    }
}

/// An error for the person at the terminal: what happened, and what to do about it.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// What happened, without a full stop.
    pub cause: String,
    /// What to do, as a sentence without a full stop; empty if there is nothing to advise.
    pub remedy: String,
}

impl Failure {
    /// A wrong command line, or a wrong file named on it.
    pub fn usage(cause: impl Into<String>, remedy: impl Into<String>) -> Self {
        Failure { exit: Exit::Usage, cause: cause.into(), remedy: remedy.into() }
    }

    /// Something cannot be opened.
    pub fn open(cause: impl Into<String>, remedy: impl Into<String>) -> Self {
        Failure { exit: Exit::CannotOpen, cause: cause.into(), remedy: remedy.into() }
    }

    /// Something failed on the way.
    pub fn failed(cause: impl Into<String>, remedy: impl Into<String>) -> Self {
        Failure { exit: Exit::Failed, cause: cause.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.cause)
    }
}

impl std::error::Error for Failure {}

/// What is left of an error when it reaches the user: one line of cause, one of remedy, and a code.
#[derive(Debug, PartialEq, Eq)]
pub struct Report {
    /// The exit code.
    pub exit: Exit,
    /// The whole chain of causes in one line.
    pub cause: String,
    /// The remedy nearest to the root of the chain; may be empty.
    pub remedy: String,
}

impl Report {
    /// Flattens an error. An error without a [`Failure`] in its chain counts as [`Exit::Failed`].
    pub fn of(error: &anyhow::Error) -> Self {
        let failure = error.chain().find_map(|cause| cause.downcast_ref::<Failure>());
        Report {
            exit: failure.map_or(Exit::Failed, |failure| failure.exit),
            cause: one_line(&format!("{error:#}")),
            remedy: failure.map_or_else(String::new, |failure| one_line(&failure.remedy)),
        }
    }

    /// `ringway: cause. remedy`
    pub fn line(&self) -> String {
        let cause = sentence(&self.cause);
        if self.remedy.is_empty() {
            format!("ringway: {cause}")
        } else {
            format!("ringway: {cause} {}", sentence(&self.remedy))
        }
    }

    /// The same for programs, as the apps of the drivers say it.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "event": "error",
            "exit": self.exit.code(),
            "message": self.cause,
            "remedy": self.remedy,
        })
    }
}

/// Joins lines with `; ` so that a message of several lines stays one.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Ends with a full stop, unless it ends with a mark already.
fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn says_cause_and_remedy_in_one_line() {
        let error =
            anyhow::Error::new(Failure::open("a.pcap: no such file", "Name a capture file with --in"));
        let report = Report::of(&error);
        assert_eq!(report.line(), "ringway: a.pcap: no such file. Name a capture file with --in.");
        assert_eq!(report.exit, Exit::CannotOpen);
    }

    #[test]
    fn context_comes_first_and_the_remedy_stays() {
        let inner: Result<(), _> = Err(Failure::usage("line 3\nunknown key", "Remove it"));
        let error = inner.context("lab.toml").unwrap_err();
        let report = Report::of(&error);
        assert_eq!(report.line(), "ringway: lab.toml: line 3; unknown key. Remove it.");
        assert_eq!(report.exit, Exit::Usage);
    }

    #[test]
    fn a_plain_error_is_a_failure_on_the_way() {
        let report = Report::of(&anyhow::anyhow!("disk on fire"));
        assert_eq!((report.exit, report.line().as_str()), (Exit::Failed, "ringway: disk on fire."));
        assert_eq!(report.json()["exit"], 4);
    }
}

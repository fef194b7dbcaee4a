//! What keeps the stopwatch itself from running. What is wrong with a contender is a [`Refusal`](crate::judge::Refusal).

use std::io;

/// Why there is no measurement.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No place for sockets.
    #[error("cannot make a directory for sockets: {0}")]
    Directory(io::Error),
    /// A socket cannot be made.
    #[error(transparent)]
    Socket(ringway_lab::serve::BindError),
    /// The system refuses memory, a thread or a core.
    #[error("cannot run the lab: {0}")]
    Lab(io::Error),
    /// A bug of the lab.
    #[error("the lab's polling thread has panicked")]
    LabDied,
    /// The lab's own measurement failed.
    #[error("the lab cannot be measured: {0}")]
    SelfTest(#[from] ringway_lab::selftest::Error),
    /// The lab lost or damaged packets with its own null driver.
    #[error("the lab lost or damaged packets in its own self-test: this is a bug of the lab")]
    SelfTestWrong,
    /// A workload that cannot be made.
    #[error(transparent)]
    Workload(#[from] ringway_lab::wire::generator::OptionsError),
    /// The user has asked for an end.
    #[error("stopped before the end")]
    Stopped,
    /// Everybody was refused.
    #[error("every contender was refused, so there is nothing to compare: {0}")]
    NobodyLeft(String),
    /// A report that cannot be read.
    #[error("cannot read {path}: {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        cause: String,
    },
    /// A file that cannot be written.
    #[error("cannot write {path}: {source}")]
    Unwritable {
        /// The file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The page cannot be drawn.
    #[error("cannot draw the report: {0}")]
    Report(String),
}

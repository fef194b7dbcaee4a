//! Why a command was refused: a number for the client, a sentence for the human.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result as FmtResult};

use rustix::io::Errno;

use crate::memory::MapError;

/// A command that failed.
#[derive(Debug)]
pub(super) struct Refusal {
    /// Goes into the reply.
    pub errno: Errno,
    /// Goes into the notes.
    pub reason: Cow<'static, str>,
}

impl Refusal {
    /// EINVAL, by far the most frequent one.
    pub fn invalid(reason: impl Into<Cow<'static, str>>) -> Self {
        Refusal::new(Errno::INVAL, reason)
    }

    pub fn new(errno: Errno, reason: impl Into<Cow<'static, str>>) -> Self {
        Refusal { errno, reason: reason.into() }
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        write!(f, "{} ({})", self.reason, self.errno)
    }
}

impl From<MapError> for Refusal {
    fn from(error: MapError) -> Self {
        Refusal::new(error.errno(), error.to_string())
    }
}

/// Refuses unless `good`.
pub(super) fn require(good: bool, reason: &'static str) -> Result<(), Refusal> {
    if good { Ok(()) } else { Err(Refusal::invalid(reason)) }
}

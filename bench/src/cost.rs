//! What a packet costs beside time: instructions, allocations, memory, and how much source there is to read.

pub mod callgrind;
pub mod perf;
pub mod runtime;
pub mod source;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use source::Source;

use crate::contender::Contender;
use crate::error::Error;
use crate::plan::Point;
use crate::track::{Times, Track, Trouble};

/// Languages among those of callgrind that collect garbage, and say how much.
const COLLECTED: &[&str] = &["OCaml", "Haskell"];

/// A number, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    /// The number, and what counted it.
    Value {
        /// The number.
        value: f64,
        /// `callgrind`, `perf`.
        by: String,
    },
    /// Why not.
    NotCounted(String),
}

impl Default for Counted {
    fn default() -> Self {
        Counted::NotCounted("an earlier version has not counted it".to_owned())
    }
}

impl Counted {
    /// Two numbers that are missing for one reason.
    fn neither(why: impl Into<String>) -> [Counted; 2] {
        let why = Counted::NotCounted(why.into());
        [why.clone(), why]
    }

    /// The number, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Counted::Value { value, .. } => Some(*value),
            Counted::NotCounted(_) => None,
        }
    }
}

/// What a contender costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Instructions per forwarded packet, at the base point.
    pub instructions: Counted,
    /// Calls of the allocator per million packets.
    pub allocations: Counted,
    /// Bytes of garbage-collected memory allocated per million packets.
    #[serde(default)]
    pub allocated: Counted,
    /// Garbage collections per million packets.
    pub collections: Counted,
    /// How much source it is; `None` for programs whose source is not here.
    pub source: Option<Source>,
}

/// Counts what can be counted here.
///
/// # Errors
/// If the lab does not work.
pub fn of(track: &Track<'_>, contender: &Contender, point: &Point) -> Result<Cost, Error> {
    let language = contender.language.as_deref().unwrap_or_default();
    let [instructions, allocations] = counted(track, contender, point, language)?;
    let [allocated, collections] = collected(track, contender, point, language)?;
    let source = contender.sources.as_deref().map(|sources| Source::of(sources, language));
    Ok(Cost { instructions, allocations, allocated, collections, source })
}

/// What a garbage collector had to do.
fn collected(
    track: &Track<'_>,
    contender: &Contender,
    point: &Point,
    language: &str,
) -> Result<[Counted; 2], Error> {
    if callgrind::LANGUAGES.contains(&language) && !COLLECTED.contains(&language) {
        let none = Counted::Value { value: 0.0, by: "the language, which has no collector".to_owned() };
        return Ok([none.clone(), none]);
    }
    if !contender.tells_counters() {
        return Ok(Counted::neither("a program from outside does not tell"));
    }
    runtime::count(track, contender, point)
}

fn counted(
    track: &Track<'_>,
    contender: &Contender,
    point: &Point,
    language: &str,
) -> Result<[Counted; 2], Error> {
    if !contender.tells_counters() {
        return Ok(Counted::neither("a program from outside cannot be told how many packets to forward"));
    }
    if !callgrind::LANGUAGES.contains(&language) {
        let instructions = by_perf(track, contender, point)?;
        let allocations = "its runtime counts bytes, not calls".to_owned();
        return Ok([instructions, Counted::NotCounted(allocations)]);
    }
    match callgrind::available() {
        Ok(()) => callgrind::count(track, contender, point),
        Err(missing) => Ok(Counted::neither(missing)),
    }
}

/// What a run at full load costs, empty rings included.
fn by_perf(track: &Track<'_>, contender: &Contender, point: &Point) -> Result<Counted, Error> {
    if let Err(why) = perf::available() {
        return Ok(Counted::NotCounted(why));
    }
    let times = Times { warm_up: Duration::from_secs(1), measure: Duration::from_secs(1) };
    let mut counter = None;
    let mut observe = |pid| counter = perf::Counter::start(perf::INSTRUCTIONS, pid, times.measure).ok();
    match track.forward_observed(contender, point, times, 1, &mut observe) {
        Ok(sample) => Ok(match counter {
            Some(counter) => counter.per_packet(sample.pps * times.measure.as_secs_f64()),
            None => Counted::NotCounted("perf cannot be started".to_owned()),
        }),
        Err(Trouble::Broken(error)) => Err(error),
        Err(Trouble::Refused(refusal)) => Ok(Counted::NotCounted(format!("it {refusal}"))),
    }
}

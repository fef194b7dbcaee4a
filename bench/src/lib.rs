//! The stopwatch: workloads, one clock, a report.
//!
//! A [`plan`] says what is run, [`contender`]s run it on a [`track`], round by round, and the [`judge`] decides whether it
//! counts. [`run`] does all of it and makes [`results`], of which the [`report`] is drawn; [`compare`] holds two results
//! against each other, [`promises`] holds one against what was promised. What a packet costs beside time is in [`cost`].
//!
//! Nothing here prints, ends the process, or trusts a contender's own clock.

pub mod app;
pub mod compare;
pub mod contender;
pub mod cost;
pub mod error;
pub mod event;
pub mod judge;
pub mod machine;
pub mod plan;
pub mod promises;
pub mod report;
pub mod results;
pub mod rig;
pub mod run;
pub mod safety;
pub mod stats;
pub mod table;
pub mod track;
pub mod window;

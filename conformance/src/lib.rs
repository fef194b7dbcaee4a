//! The judge: one suite for every driver.
//!
//! [`drivers`] finds the drivers of this repository and how to build, run and test them. A [`rig`] holds a driver's
//! [`testee`], which is spoken to in [`commands`] of the [`protocol`], and a [`world`] of software NICs on wires worked by
//! hand, of which a [`record`] is kept. The [`cases`] play on it; the [`runner`] plays them all and the [`mutants`] prove
//! that they bite.

pub mod case;
pub mod cases;
pub mod commands;
pub mod drivers;
pub mod frames;
pub mod mutants;
pub mod outcome;
pub mod own_tests;
pub mod play;
pub mod protocol;
pub mod random;
pub mod record;
pub mod rig;
pub mod runner;
pub mod tail;
pub mod testee;
pub mod toeplitz;
pub mod way;
pub mod world;

//! The NIC as a driver sees it: registers, rings, interrupts, statistics, and what its sanitizer says of misuse. One program,
//! because linking it takes longer than running it.

#[path = "../common/mod.rs"]
mod common;

mod burst;
mod events;
mod faults;
mod interrupts;
mod plain;
mod registers;
mod rx;
mod sanitizer;
mod stats;
mod tx;

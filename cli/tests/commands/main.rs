//! The commands as a user gives them. One program, because linking it takes longer than running it.
#![allow(missing_docs)]

#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod bench;
mod forward;
mod lab;
mod pci;

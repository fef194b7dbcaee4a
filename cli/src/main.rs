//! The `ringway` command: opens all doors.

mod args;
mod bench;
mod bind;
mod conform;
mod doctor;
mod driver;
mod exec;
mod failure;
mod forward;
mod lab;
mod list;
mod mac;
mod pace;
mod pci;
mod progress;
mod runtime_dir;
mod signals;
mod station;
mod ui;

use std::process::ExitCode;

fn main() -> ExitCode {
    args::run()
}

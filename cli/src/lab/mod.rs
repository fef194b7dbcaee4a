//! `ringway lab`: software NICs and wires, kept up for drivers to come and go.

pub mod args;
pub mod bring_up;
mod config;
mod live;
pub mod plan;
mod rules;
mod selftest;
mod serve;
pub mod wires;

use args::LabArgs;

use crate::failure::Exit;

/// Runs what was asked for.
pub fn run(args: &LabArgs, json: bool) -> anyhow::Result<Exit> {
    match &args.file {
        _ if args.rules => Ok(rules::run(json)),
        Some(file) => Ok(serve::run(args, file, json)?),
        None => Ok(selftest::run(args, json)?),
    }
}

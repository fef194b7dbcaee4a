//! `ringway-conform`: judges drivers. See `README.md` of this crate.

use std::process::ExitCode;

use clap::Parser;
use ringway_conformance::drivers::find_root;
use ringway_conformance::runner::{Arguments, run};

/// Judge a driver of a network card: against a software 82599, by what is on the wire
#[derive(Parser)]
#[command(name = "ringway-conform", version)]
struct Cli {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> ExitCode {
    let arguments = Cli::parse().arguments;
    let root = std::env::current_dir().ok().and_then(|here| find_root(&here));
    run(&arguments, root.as_deref()).unwrap_or_else(|error| {
        eprintln!("ringway-conform: {error:#}");
        ExitCode::from(2)
    })
}

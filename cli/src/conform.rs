//! `ringway conform`: the judge.

use clap::Args;
use ringway_conformance::runner::{self, Arguments};

use crate::driver::find;
use crate::failure::{Exit, Failure};

/// What `ringway conform` takes.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ConformArgs {
    #[command(flatten)]
    arguments: Arguments,
}

const EXAMPLES: &str = "\
Examples:
  ringway conform                              every driver of the repository
  ringway conform --driver rust rx::           the cases of one driver whose name contains rx::
  ringway conform --driver rust --mutants      broken drivers that the suite has to catch
  ringway conform -- ./my-testee --flag        anybody's driver (its protocol: conformance/README.md)

Exit codes: 0 every case as expected, 1 some not, 2 usage, 3 cannot open, 4 failed.";

/// Runs the suite.
pub fn run(args: &ConformArgs, json: bool) -> anyhow::Result<Exit> {
    let mut arguments = args.arguments.clone();
    arguments.json |= json;
    let root = find::root().ok();
    let code = runner::run(&arguments, root.as_deref())
        .map_err(|error| Failure::usage(format!("{error:#}"), "See `ringway conform --help`"))?;
    Ok(if code == std::process::ExitCode::SUCCESS { Exit::Done } else { Exit::BadVerdict })
}

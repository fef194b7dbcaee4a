//! `ringway-house`: holds the repository against the rules of the house (`spec/house.toml`).

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use ringway_spec::generate::find_root;
use ringway_spec::house::House;

/// Who may know whom, fences, the drivers' roster, sizes, citations. One line for each violation.
#[derive(Parser)]
#[command(name = "ringway-house", version)]
struct Arguments {
    /// Root of the repository; found upwards of the current directory if not given.
    #[arg(long)]
    root: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(count) => {
            eprintln!("ringway-house: {count} violations of spec/house.toml");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("ringway-house: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<usize> {
    let root = match &arguments.root {
        Some(root) => root.clone(),
        None => find_root(&std::env::current_dir()?)?,
    };
    let violations = House::read(&root)?.violations();
    for violation in &violations {
        println!("{violation}");
    }
    Ok(violations.len())
}

//! `ringway-spec`: writes the constants of every language, or checks that they are up to date.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use ringway_spec::generate::{Spec, find_root};

/// Registers, descriptors and wire structures for every language, from spec/*.toml.
#[derive(Parser)]
#[command(name = "ringway-spec", version)]
struct Arguments {
    /// Root of the repository; found upwards of the current directory if not given.
    #[arg(long, global = true)]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the generated files.
    Generate,
    /// Fail if a generated file differs from what would be written, or a row is used by nobody.
    Check,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("ringway-spec: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether all is well.
fn run(arguments: &Arguments) -> Result<bool> {
    let root = match &arguments.root {
        Some(root) => root.clone(),
        None => find_root(&std::env::current_dir()?)?,
    };
    let spec = Spec::read(&root)?;
    match arguments.command {
        Command::Generate => generate(&spec),
        Command::Check => check(&spec),
    }
}

fn generate(spec: &Spec) -> Result<bool> {
    for file in spec.generate()? {
        let path = spec.root.join(&file.path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == file.text) {
            println!("unchanged {}", file.path);
            continue;
        }
        let directory = path.parent().context("a generated file has a directory")?;
        std::fs::create_dir_all(directory).with_context(|| format!("creating {}", directory.display()))?;
        std::fs::write(&path, &file.text).with_context(|| format!("writing {}", path.display()))?;
        println!("wrote {}", file.path);
    }
    Ok(true)
}

fn check(spec: &Spec) -> Result<bool> {
    let objections = [spec.stale()?, spec.unused()?].concat();
    for objection in &objections {
        println!("{objection}");
    }
    Ok(objections.is_empty())
}

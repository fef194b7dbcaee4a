//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::bench::args::BenchArgs;
use crate::bind::args::{BindArgs, UnbindArgs};
use crate::conform::ConformArgs;
use crate::doctor::DoctorArgs;
use crate::exec::args::ExecArgs;
use crate::failure::{Exit, Report};
use crate::forward::args::ForwardArgs;
use crate::lab::args::LabArgs;
use crate::list::ListArgs;
use crate::{bench, bind, conform, doctor, exec, forward, lab, list, ui};

/// User-space network drivers, and software NICs to run them on.
#[derive(Debug, Parser)]
#[command(name = "ringway", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    /// Print JSON, one object a line, with keys that stay.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ringway forward --driver rust --in examples/web.pcapng --out out.pcapng
  ringway lab examples/lab-cable.toml
  ringway conform --driver rust
  ringway doctor";

#[derive(Debug, Subcommand)]
enum Command {
    /// Forward a capture, or generated packets, through a driver between two software NICs.
    Forward(ForwardArgs),
    /// Bring software NICs and wires up and keep them up; or measure the lab itself.
    Lab(LabArgs),
    /// Run a program that finds software NICs where it looks for PCI cards: ixy, DPDK, any driver. Needs root.
    Exec(ExecArgs),
    /// Judge a driver: every case of the conformance suite.
    Conform(ConformArgs),
    /// Measure drivers: what a packet costs in each language, and what happens to the tail.
    Bench(BenchArgs),
    /// Show which drivers there are, whether they are built, and this machine's network cards.
    List(ListArgs),
    /// Hand a network card to user space: from the kernel's driver to vfio-pci.
    Bind(BindArgs),
    /// Give a network card back to the kernel's driver.
    Unbind(UnbindArgs),
    /// Say what is missing on this machine, and the command that mends it.
    Doctor(DoctorArgs),
}

/// Parses, runs, and says in one line what went wrong.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let json = cli.json;
    let ended = dispatch(cli);
    let exit = ended.unwrap_or_else(|error| {
        let report = Report::of(&error);
        if json {
            ui::say(report.json().to_string());
        }
        ui::note(report.line());
        report.exit
    });
    exit.into()
}

fn dispatch(cli: Cli) -> anyhow::Result<Exit> {
    match &cli.command {
        Command::Forward(args) => forward::run(args, cli.json),
        Command::Lab(args) => lab::run(args, cli.json),
        Command::Exec(args) => exec::run(args, cli.json),
        Command::Conform(args) => conform::run(args, cli.json),
        Command::Bench(args) => bench::run(args, cli.json),
        Command::List(args) => list::run(args, cli.json),
        Command::Bind(args) => bind::bind(args, cli.json),
        Command::Unbind(args) => bind::unbind(args, cli.json),
        Command::Doctor(args) => doctor::run(args, cli.json),
    }
}

// app · the command line that is the same in every language
// clap for the arguments, one small module a subcommand, and a `Failure` that knows its exit code.

//! `ringway-rust`: forward, generate, capture, info.
//!
//! Exit codes: 0 done, 1 an output file failed, 2 usage, 3 cannot open the device, 4 the device failed.
#![deny(unsafe_code)]

mod args;
mod capture;
mod forward;
mod generate;
mod info;
mod pcap;
mod report;
mod run;
mod workers;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use report::Report;

/// Why the program ends early.
#[derive(Debug)]
enum Failure {
    /// A device could not be opened.
    Open(ringway::Error),
    /// A device failed while in use.
    Device(ringway::Error),
    /// The file for captured packets failed.
    Output(String),
    /// The arguments make no sense together.
    Usage(String),
}

impl Failure {
    fn code(&self) -> u8 {
        match self {
            Failure::Output(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Open(_) => 3,
            Failure::Device(_) => 4,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Failure::Open(error) | Failure::Device(error) => error.kind(),
            Failure::Output(_) => "OutputFailed",
            Failure::Usage(_) => "Usage",
        }
    }

    fn message(&self) -> String {
        match self {
            Failure::Open(error) | Failure::Device(error) => error.to_string(),
            Failure::Output(message) | Failure::Usage(message) => message.clone(),
        }
    }
}

/// Errors after opening are the device's.
impl From<ringway::Error> for Failure {
    fn from(error: ringway::Error) -> Failure {
        Failure::Device(error)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let report = Report::new(args.command.name(), args.command.common().json);
    let common = args.command.common();
    // Threads of several queues have a CPU each.
    let core = common.core.filter(|_| common.queues == 1);
    let result = workers::pin(core).and_then(|()| match &args.command {
        Command::Forward { a, b, common } => forward::forward(a, b, common, &report),
        Command::Generate { device, size, common } => generate::generate(device, *size, common, &report),
        Command::Capture { device, file, common } => capture::capture(device, file, common, &report),
        Command::Info { device, common } => info::info(device, common, &report),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report.error(failure.kind(), &failure.message());
            ExitCode::from(failure.code())
        }
    }
}

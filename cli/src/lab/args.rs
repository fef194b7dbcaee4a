//! The command line of `ringway lab`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::pace::positive;

/// What `ringway lab` takes.
#[derive(Clone, Debug, Args)]
#[command(
    group(ArgGroup::new("what").required(true).args(["file", "selftest", "rules"])),
    after_help = EXAMPLES
)]
pub struct LabArgs {
    /// The NICs and what they are plugged into.
    #[arg(value_name = "FILE.toml")]
    pub file: Option<PathBuf>,
    /// Measure how many packets the lab itself can carry, with a driver in its own process that does nothing.
    #[arg(long)]
    pub selftest: bool,
    /// List the rules of the sanitizer.
    #[arg(long)]
    pub rules: bool,
    /// With --selftest: measure this driver in the same run, and judge whether the lab is fast enough for it.
    #[arg(long, value_name = "NAME", requires = "selftest")]
    pub driver: Option<String>,
    /// With --selftest: bytes of a frame, with FCS.
    #[arg(long, default_value_t = 64, value_name = "BYTES", requires = "selftest",
          value_parser = clap::value_parser!(u16).range(64..=9728))]
    pub size: u16,
    /// With --selftest: packets at once.
    #[arg(long, default_value_t = 32, value_name = "N", requires = "selftest",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub batch: u16,
    /// With --selftest: seconds for each measurement.
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS", requires = "selftest",
          value_parser = positive)]
    pub duration: f64,
    /// With --selftest --driver: how often the two are measured, one after the other.
    #[arg(long, default_value_t = 3, value_name = "N", requires = "selftest",
          value_parser = clap::value_parser!(u16).range(1..=100))]
    pub rounds: u16,
    /// Pin the lab's thread to a processor.
    #[arg(long, value_name = "N")]
    pub lab_core: Option<usize>,
    /// With --selftest: have the driver pin itself to a processor.
    #[arg(long, value_name = "N", requires = "selftest")]
    pub driver_core: Option<usize>,
}

const EXAMPLES: &str = "\
Examples:
  ringway lab examples/lab-cable.toml
  ringway lab --selftest --driver rust --lab-core 0 --driver-core 1
  ringway lab --rules

Sockets are in $XDG_RUNTIME_DIR/ringway, or in /tmp/ringway-UID. Ctrl-C takes everything down.
Exit codes: 0 done, 1 the lab is too slow for the driver, 2 usage, 3 cannot open, 4 failed.";

//! The command line of `ringway bench`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

/// What `ringway bench` takes.
#[derive(Clone, Debug, Args)]
#[command(group(ArgGroup::new("set").args(["quick", "full"])), after_help = EXAMPLES)]
pub struct BenchArgs {
    /// The short set of workloads: under six minutes with three drivers. This is the default.
    #[arg(long)]
    pub quick: bool,
    /// Every batch, frame size and ring, more rounds, longer measurements: about an hour with three drivers.
    #[arg(long)]
    pub full: bool,
    /// Which drivers, by name; all that are built or can be built if not given.
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    pub drivers: Vec<String>,
    /// A program from outside that forwards between two NICs: NAME='CMD {a} {b}' for vfio-user addresses, NAME='CMD {pci-a} {pci-b}'
    /// for PCI functions (as root); NAME:macswap=... if it exchanges the addresses of each packet instead of touching byte 48.
    /// May be given several times.
    #[arg(long, value_name = "NAME=CMD")]
    pub also: Vec<String>,
    /// Whom the others are compared with; c if it is there, else the first.
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,
    /// How often each contender runs each point.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: Option<u32>,
    /// Milliseconds of full load before each measurement.
    #[arg(long, value_name = "MS")]
    pub warm_up: Option<u64>,
    /// Milliseconds of each measurement.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub measure: Option<u64>,
    /// Only the rates at full load of the points whose name contains this ("batch 32"); no latencies, no search.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Forward with so many queues too, each with a thread of its own, whatever the set says and however few cores there are.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=16))]
    pub queues: Vec<u16>,
    /// Where the report goes: index.html and results.json.
    #[arg(long, value_name = "DIR", default_value = "target/bench")]
    pub out: PathBuf,
    /// Write the results to this file too.
    #[arg(long = "json-file", value_name = "FILE")]
    pub json_file: Option<PathBuf>,
    /// Results of an earlier run: what has changed, and by how much of the spread.
    #[arg(long, value_name = "OLD.json")]
    pub baseline: Option<PathBuf>,
    /// Measure nothing: see whether two results agree in every ratio within their spreads. Exit code 1 if not.
    #[arg(long, num_args = 2, value_names = ["A.json", "B.json"])]
    pub compare: Option<Vec<PathBuf>>,
    /// Measure nothing: draw the report of these results again.
    #[arg(long, value_name = "RESULTS.json", conflicts_with = "compare")]
    pub redraw: Option<PathBuf>,
    /// Leave the safety table out, which plays cases of the conformance suite.
    #[arg(long)]
    pub no_safety: bool,
    /// Core of the lab's thread.
    #[arg(long, value_name = "N")]
    pub lab_core: Option<usize>,
    /// Core of the contenders.
    #[arg(long, value_name = "N")]
    pub driver_core: Option<usize>,
}

const EXAMPLES: &str = "\
Examples:
  ringway bench                                        all drivers, the short set
  ringway bench --full --drivers c,rust,csharp
  ringway bench --only 'batch 32' --rounds 11          one question, more rounds
  ringway bench --also mine='./my-driver {a} {b}'      another program beside ours
  ringway bench --baseline target/bench/results.json   what has changed since
  ringway bench --compare A.json B.json                do two runs agree?

Exit codes: 0 done (and --compare: they agree), 1 somebody was refused (they do not), 2 usage, 3 cannot open, 4 failed.
Rates are the contenders' CPU cost on a software NIC, not the speed of any card.";

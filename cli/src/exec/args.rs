//! The command line of `ringway exec`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::forward::args::Level;

/// What `ringway exec` takes.
#[derive(Clone, Debug, Args)]
#[command(group(ArgGroup::new("nics").required(true).args(["nic", "file"])), after_help = EXAMPLES)]
pub struct ExecArgs {
    /// A NIC, and what its port is plugged into: NAME=KIND:KEY=VALUE,... with the kinds and keys of a lab file. NAME alone is
    /// the far end of another NIC's cable or generator. May be given several times.
    #[arg(long, value_name = "NAME[=WIRE]")]
    pub nic: Vec<String>,
    /// The NICs of a lab file instead. Its key `doorbells` means nothing here.
    #[arg(long, value_name = "LAB.toml")]
    pub file: Option<PathBuf>,
    /// Hugepages that the program may have, besides those that the machine has set aside. They are taken when they are used.
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub hugepages: u64,
    /// How deep the sanitizer looks.
    #[arg(long, value_name = "LEVEL", default_value = "descriptors")]
    pub sanitize: Level,
    /// Pin the lab's thread to a processor.
    #[arg(long, value_name = "N")]
    pub lab_core: Option<usize>,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "CMD")]
    pub command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  ringway exec --nic a=null -- ringway-c info 0000:03:00.0
  ringway exec --nic a=generator:to=b,packets=1000000 --nic b -- ringway-c forward 0000:03:00.0 0000:03:01.0
  ringway exec --nic a=pcap:in=web.pcapng --nic b=pcap:out=out.pcapng -- ixy-fwd 0000:03:00.0 0000:03:01.0
  ringway exec --nic a=generator:to=b,expect=same --nic b -- dpdk-testpmd -l 0,1 --iova-mode=pa -- -i

The NICs are 0000:03:00.0, 0000:03:01.0 and so on, below /sys/bus/pci/devices, for this program and its children only.
Exit code: that of the program, 128 + the signal that ended it; and 2 usage, 3 cannot open, 4 failed.";

//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use ringway::Config;

/// Packet slots for each queue, unless told otherwise.
const POOL_SLOTS: u32 = 2048;

/// Packets through user-space drivers, in Rust.
#[derive(clap::Parser)]
#[command(name = "ringway-rust", version)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Forwards packets between two devices, both ways; byte 48 of each is incremented
    Forward {
        /// First device, e.g. unix:/run/user/1000/ringway/nic0
        a: String,
        /// Second device
        b: String,
        #[command(flatten)]
        common: Common,
    },
    /// Sends packets as fast as the device takes them
    Generate {
        /// The device
        device: String,
        /// Length of a frame on the wire in bytes, FCS included: 64 to 1518
        #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(64..=1518))]
        size: u16,
        #[command(flatten)]
        common: Common,
    },
    /// Writes what the device receives into a pcap file
    Capture {
        /// The device; it receives every frame on its wire
        device: String,
        /// The file
        file: PathBuf,
        #[command(flatten)]
        common: Common,
    },
    /// Says what the device is
    Info {
        /// The device
        device: String,
        #[command(flatten)]
        common: Common,
    },
}

/// Options of every command.
#[derive(clap::Args)]
pub struct Common {
    /// Packets that are handled at a time
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub batch: u16,
    /// Ends after this many seconds
    #[arg(long, value_parser = seconds)]
    pub duration: Option<Duration>,
    /// Ends after this many packets
    #[arg(long)]
    pub packets: Option<u64>,
    /// Descriptors of each ring
    #[arg(long, default_value_t = 512)]
    pub ring_slots: u32,
    /// Packet slots of each device; 2048 for each queue if not given
    #[arg(long)]
    pub pool_slots: Option<u32>,
    /// Queues of each device, for forward and generate; with more than one, each has a thread of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=16))]
    pub queues: u16,
    /// Longest frame in bytes, FCS included
    #[arg(long, default_value_t = 1518)]
    pub max_frame: u32,
    /// Runs on this CPU only; threads of several queues run on the CPUs from this one on, or anywhere if there are fewer
    #[arg(long)]
    pub core: Option<usize>,
    /// Prints JSON lines
    #[arg(long)]
    pub json: bool,
}

impl Common {
    /// Packet slots of each device.
    pub fn pool_slots(&self) -> u32 {
        self.pool_slots.unwrap_or(POOL_SLOTS * u32::from(self.queues))
    }

    /// How a device is opened for a program that wants to see everything.
    pub fn config(&self) -> Config {
        Config {
            ring_slots: self.ring_slots,
            rx_queues: self.queues,
            tx_queues: self.queues,
            pool_slots: self.pool_slots(),
            max_frame: self.max_frame,
            promiscuous: true,
            ..Config::default()
        }
    }
}

impl Command {
    pub fn name(&self) -> &'static str {
        match self {
            Command::Forward { .. } => "forward",
            Command::Generate { .. } => "generate",
            Command::Capture { .. } => "capture",
            Command::Info { .. } => "info",
        }
    }

    pub fn common(&self) -> &Common {
        match self {
            Command::Forward { common, .. }
            | Command::Generate { common, .. }
            | Command::Capture { common, .. }
            | Command::Info { common, .. } => common,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text} is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn durations_are_seconds_with_fractions() {
        let args = Args::parse_from(["ringway-rust", "info", "unix:/x", "--duration", "0.5"]);
        assert_eq!(args.command.common().duration, Some(Duration::from_millis(500)));
        assert!(Args::try_parse_from(["ringway-rust", "info", "unix:/x", "--duration", "-1"]).is_err());
        assert!(Args::try_parse_from(["ringway-rust", "info", "unix:/x", "--batch", "0"]).is_err());
    }

    #[test]
    fn each_queue_brings_its_packets() {
        let common = |words: &[&str]| {
            Args::try_parse_from(["ringway-rust", "info", "unix:/x"].iter().chain(words)).map(|args| {
                let config = args.command.common().config();
                (config.rx_queues, config.tx_queues, config.pool_slots)
            })
        };
        assert_eq!(common(&[]).unwrap(), (1, 1, 2048));
        assert_eq!(common(&["--queues", "4"]).unwrap(), (4, 4, 8192));
        assert_eq!(common(&["--queues", "4", "--pool-slots", "4096"]).unwrap(), (4, 4, 4096));
        assert!(common(&["--queues", "0"]).is_err() && common(&["--queues", "17"]).is_err());
    }
}

//! The file that describes a lab: NICs, and what their ports are plugged into.

use std::path::PathBuf;

use ringway_lab::faults::Plan;
use serde::Deserialize;
use toml::Spanned;

use crate::mac::Mac;
use crate::pace::{Pace, packet_rate};

/// A whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabFile {
    /// The NICs, in the order of the file.
    #[serde(rename = "nic", default)]
    pub nics: Vec<NicEntry>,
}

/// One NIC.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NicEntry {
    /// Its name, and with `.sock` behind it the name of its socket.
    pub name: Spanned<String>,
    /// Its address; made from its place in the file if left out.
    pub mac: Option<Mac>,
    /// Whether the cable is in.
    #[serde(default = "yes")]
    pub link: bool,
    /// Whether the driver may map the doorbell pages.
    #[serde(default)]
    pub doorbells: DoorbellMode,
    /// Seed of all that is random in this NIC.
    #[serde(default)]
    pub seed: u64,
    /// How it misbehaves, each as `kind key=value ...`.
    #[serde(default)]
    pub faults: Vec<FaultText>,
    /// What its port is plugged into. The far end of a cable may leave it out.
    pub wire: Option<Spanned<WireEntry>>,
    /// A pcapng file for every frame at the port, both ways.
    pub capture: Option<PathBuf>,
    /// A text file for every register access and doorbell.
    pub trace: Option<PathBuf>,
}

/// How the driver reaches the doorbells.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum DoorbellMode {
    /// Through shared memory.
    #[default]
    Mapped,
    /// By messages: slow, and every access is seen at once.
    Trapped,
}

/// What a port is plugged into.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum WireEntry {
    /// Nothing comes, everything is taken.
    Null {},
    /// A TAP interface of the kernel.
    Tap {
        /// Its name, at most 15 bytes.
        name: String,
        /// Takes 1 from byte 48 of each frame that the NIC sends to the kernel: the drivers' forward workload adds
        /// it, and no checksum would survive that.
        #[serde(default)]
        undo_touch: bool,
    },
    /// Capture files.
    Pcap {
        /// Played to the NIC.
        #[serde(rename = "in")]
        input: Option<PathBuf>,
        /// Takes what the NIC sends.
        #[serde(rename = "out")]
        output: Option<PathBuf>,
        /// How fast it is played.
        #[serde(default = "original")]
        timing: Pace,
        /// How many times it is played; 0 means without end.
        #[serde(rename = "loop", default = "once")]
        rounds: u64,
    },
    /// A packet source and sink that checks what comes back.
    Generator {
        /// Bytes of a frame with FCS.
        #[serde(default = "smallest")]
        size: u16,
        /// Frames a second; as fast as they are taken if left out.
        rate: Option<Rate>,
        /// How many; without end if left out.
        packets: Option<u64>,
        /// How many flows; RSS spreads by them.
        #[serde(default = "one_flow")]
        flows: u32,
        /// The NIC that the driver forwards to, and from which frames come back; without it nothing is expected.
        to: Option<String>,
        /// What the driver makes of a frame.
        #[serde(default)]
        expect: Expect,
    },
    /// Another NIC of this file.
    Cable {
        /// Its name.
        to: String,
    },
}

/// What comes out of a driver, compared with what went in.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// Byte 48 is one more: the forward workload of our drivers and of ixy.
    #[default]
    Touched,
    /// The same.
    Same,
    /// Source and destination address are exchanged.
    Swapped,
}

/// A fault as it is written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct FaultText(pub Plan);

impl TryFrom<String> for FaultText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(FaultText).map_err(|error: ringway_lab::faults::ParseFaultError| error.to_string())
    }
}

/// Frames a second, as a number or as text with `k` or `M` behind it.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(try_from = "RateText")]
pub struct Rate(pub f64);

#[derive(Deserialize)]
#[serde(untagged)]
enum RateText {
    Whole(u64),
    Number(f64),
    Text(String),
}

impl TryFrom<RateText> for Rate {
    type Error = String;

    fn try_from(text: RateText) -> Result<Self, String> {
        let text = match text {
            RateText::Whole(number) => number.to_string(),
            RateText::Number(number) => number.to_string(),
            RateText::Text(text) => text,
        };
        packet_rate(&text).map(Rate)
    }
}

fn yes() -> bool {
    true
}

fn original() -> Pace {
    Pace::Original
}

fn once() -> u64 {
    1
}

fn one_flow() -> u32 {
    1
}

fn smallest() -> u16 {
    64
}

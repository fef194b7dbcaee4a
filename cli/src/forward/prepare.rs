//! What has to be right before a driver is started: the capture, the output, the wires.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ringway_lab::wire::Wire;
use ringway_lab::wire::generator::{self, GeneratorOptions, Rate, Sizes};
use ringway_lab::wire::pcap::{Capture, ReadOptions, Recorder};
use ringway_lab::wire::replay::{self, ReplayOptions};

use super::args::ForwardArgs;
use super::captured::Captured;
use super::generated::Generated;
use super::traffic::Traffic;
use super::window::Windowed;
use crate::failure::Failure;
use crate::mac::Mac;
use crate::pace::Pace;
use crate::ui;

/// Where the packets come from, read and judged.
pub enum Source {
    /// A capture.
    Capture(Arc<Capture>),
    /// A generator for each direction.
    Generator,
}

/// Wires for NICs a and b, and what is behind them.
pub struct Prepared {
    /// In the order of the NICs.
    pub wires: [Box<dyn Wire>; 2],
    /// What goes over them.
    pub traffic: Traffic,
    /// The file that is written, if any.
    pub output: Option<PathBuf>,
}

/// Reads the capture. Nothing is written yet.
pub fn source(args: &ForwardArgs) -> Result<Source, Failure> {
    let Some(input) = &args.input else { return Ok(Source::Generator) };
    let capture = Capture::read(input, &ReadOptions::default())
        .map_err(|error| Failure::open(error.to_string(), ""))?;
    if capture.is_empty() {
        return Err(Failure::open(
            format!("{} holds no packets", input.display()),
            "Record some traffic first",
        ));
    }
    if let Some(output) = args.output.as_ref().filter(|output| same_file(input, output)) {
        return Err(Failure::usage(
            format!("--out {} would overwrite --in {}", output.display(), input.display()),
            "Name another file",
        ));
    }
    Ok(Source::Capture(Arc::new(capture)))
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

impl Source {
    /// Makes the output and the wires.
    pub fn prepare(self, args: &ForwardArgs) -> Result<Prepared, Failure> {
        match self {
            Source::Capture(capture) => of_capture(capture, args),
            Source::Generator => of_generator(args),
        }
    }
}

fn of_capture(capture: Arc<Capture>, args: &ForwardArgs) -> Result<Prepared, Failure> {
    let create = |path: &PathBuf| Recorder::create(path, super::rig::NAMES[1]);
    let output = args.output.as_ref().map(create).transpose();
    let output = output.map_err(|error| Failure::open(error.to_string(), ""))?;
    let longest_gap = longest_gap(&capture, args);
    announce(&capture, args);
    let (replay, record, handle) = replay::pair(
        capture,
        ReplayOptions {
            timing: args.pace().timing(),
            rounds: Some(args.rounds),
            hold: true,
            output,
            timestamps: args.timestamps.into(),
            ..ReplayOptions::default()
        },
    );
    Ok(Prepared {
        wires: [Box::new(Windowed::new(replay, handle.clone())), Box::new(record)],
        traffic: Traffic::Capture(Captured { handle, longest_gap }),
        output: args.output.clone(),
    })
}

/// Says what is going to happen, so that nobody waits for an hour without knowing.
fn announce(capture: &Capture, args: &ForwardArgs) {
    let rounds =
        if args.rounds == 1 { String::new() } else { format!(", {} times", ui::grouped(args.rounds)) };
    ui::note(format!(
        "playing {}: {} packets, {}{rounds}, timing {}",
        capture.path().display(),
        ui::grouped(capture.len() as u64),
        ui::bytes(capture.bytes()),
        args.pace(),
    ));
}

/// The longest time in which nothing may move although all is well.
fn longest_gap(capture: &Capture, args: &ForwardArgs) -> Duration {
    let mut before = None;
    let mut longest = 0;
    for packet in capture.packets() {
        let gap = packet.timestamp.saturating_sub(before.unwrap_or(packet.timestamp));
        longest = longest.max(gap);
        before = Some(packet.timestamp);
    }
    args.pace().longest(Duration::from_nanos(longest))
}

fn of_generator(args: &ForwardArgs) -> Result<Prepared, Failure> {
    let options = GeneratorOptions {
        sizes: Sizes::Fixed(args.size.into()),
        rate: args.rate.map_or(Rate::Max, Rate::PerSecond),
        count: args.packets,
        seed: args.seed,
        destinations: [Mac::of_place(0).0, Mac::of_place(1).0],
        hold: true,
        ..GeneratorOptions::default()
    };
    let (first, second, handle) =
        generator::pair(&options).map_err(|error| Failure::usage(error.to_string(), ""))?;
    let duration = args.time_limit();
    let longest_gap = args.rate.map_or(Duration::ZERO, |rate| Pace::Rate(rate).longest(Duration::ZERO));
    ui::note(announce_generator(args, duration));
    Ok(Prepared {
        wires: [Box::new(first), Box::new(second)],
        traffic: Traffic::Generated(Generated::new(handle, args.packets, duration, longest_gap)),
        output: None,
    })
}

fn announce_generator(args: &ForwardArgs, duration: Option<Duration>) -> String {
    let much = match (args.packets, duration) {
        (Some(packets), _) => format!("{} packets", ui::grouped(packets)),
        (None, Some(time)) => format!("packets for {} s", time.as_secs_f64()),
        (None, None) => "packets without end".to_owned(),
    };
    let rate = args.rate.map_or_else(|| "as fast as they are taken".to_owned(), ui::rate);
    format!("generating {much} of {} bytes in each direction, {rate}", args.size)
}

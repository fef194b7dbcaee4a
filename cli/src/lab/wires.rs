//! What a port is plugged into: from the words of the lab file to wires.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ringway_lab::wire::Wire;
use ringway_lab::wire::cable;
use ringway_lab::wire::capture::CaptureWire;
use ringway_lab::wire::generator::{self, GeneratorOptions, Rate, Sizes};
use ringway_lab::wire::null::NullWire;
use ringway_lab::wire::pcap::{Capture, PcapWire, Player, ReadOptions, Recorder};
use ringway_lab::wire::restore::RestoreWire;
use ringway_lab::wire::tap::TapWire;

use super::config::WireEntry;
use super::plan::NicPlan;
use crate::failure::Failure;
use crate::pace::Pace;

/// What the drivers' forward workload adds to byte 48, and `undo_touch` takes away.
const TOUCH: u8 = 1;

/// Ends of cables whose other end is in place, by the name of the NIC that they wait for.
type LooseEnds = HashMap<String, Box<dyn Wire>>;

/// One wire for each NIC of the plan, in its order.
pub fn wires(plan: &[NicPlan]) -> Result<Vec<Box<dyn Wire>>, Failure> {
    let mut ends = LooseEnds::new();
    plan.iter().map(|nic| captured(nic, wire(nic, &mut ends)?)).collect()
}

/// With a capture around it, if there is to be one.
fn captured(nic: &NicPlan, wire: Box<dyn Wire>) -> Result<Box<dyn Wire>, Failure> {
    let Some(path) = &nic.capture else { return Ok(wire) };
    Ok(Box::new(CaptureWire::new(wire, recorder(path, &nic.name)?)))
}

fn wire(nic: &NicPlan, ends: &mut LooseEnds) -> Result<Box<dyn Wire>, Failure> {
    match &nic.wire {
        WireEntry::Null {} => Ok(Box::new(NullWire::default())),
        WireEntry::Tap { name, undo_touch } => tap(nic, name, *undo_touch),
        WireEntry::Pcap { input, output, timing, rounds } => {
            let player = input.as_deref().map(|path| player(path, *timing, *rounds)).transpose()?;
            let recorder = output.as_deref().map(|path| recorder(path, &nic.name)).transpose()?;
            Ok(Box::new(PcapWire::new(player, recorder)))
        }
        WireEntry::Generator { size, rate, packets } => {
            let options = GeneratorOptions {
                sizes: Sizes::Fixed((*size).into()),
                rate: rate.map_or(Rate::Max, |rate| Rate::PerSecond(rate.0)),
                count: *packets,
                seed: nic.seed,
                destinations: [nic.mac.0; 2],
                ..GeneratorOptions::default()
            };
            let made = generator::one_way(&options);
            let (wire, _) = made.map_err(|error| Failure::usage(format!("NIC {}: {error}", nic.name), ""))?;
            Ok(Box::new(wire))
        }
        WireEntry::Cable { to } => Ok(ends.remove(&nic.name).unwrap_or_else(|| {
            let (near, far) = cable::pair();
            ends.insert(to.clone(), Box::new(far));
            Box::new(near)
        })),
    }
}

fn tap(nic: &NicPlan, name: &str, undo_touch: bool) -> Result<Box<dyn Wire>, Failure> {
    let tap = TapWire::open(name).map_err(|error| Failure::open(format!("NIC {}: {error}", nic.name), ""))?;
    match undo_touch {
        true => Ok(Box::new(RestoreWire::new(Box::new(tap), TOUCH))),
        false => Ok(Box::new(tap)),
    }
}

fn player(path: &Path, timing: Pace, rounds: u64) -> Result<Player, Failure> {
    let capture =
        Capture::read(path, &ReadOptions::default()).map_err(|error| Failure::open(error.to_string(), ""))?;
    Ok(Player::new(Arc::new(capture), timing.timing(), (rounds > 0).then_some(rounds)))
}

fn recorder(path: &Path, nic: &str) -> Result<Recorder, Failure> {
    Recorder::create(path, nic).map_err(|error| Failure::open(error.to_string(), ""))
}

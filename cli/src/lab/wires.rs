//! What a port is plugged into: from the words of the lab file to wires.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ringway_lab::wire::Wire;
use ringway_lab::wire::cable;
use ringway_lab::wire::capture::CaptureWire;
use ringway_lab::wire::generator::{self, GeneratorHandle, GeneratorOptions, Rate, Sizes};
use ringway_lab::wire::null::NullWire;
use ringway_lab::wire::pcap::{Capture, PcapWire, Player, ReadOptions, Recorder};
use ringway_lab::wire::restore::RestoreWire;
use ringway_lab::wire::tap::TapWire;

use super::config::{Expect, WireEntry};
use super::plan::NicPlan;
use crate::failure::Failure;
use crate::mac::Mac;
use crate::pace::Pace;

/// What the drivers' forward workload adds to byte 48, and `undo_touch` takes away.
const TOUCH: u8 = 1;

/// Wires under construction.
#[derive(Default)]
struct Workshop {
    /// Ends whose other end is in place, by the name of the NIC that they wait for.
    loose: HashMap<String, Box<dyn Wire>>,
    traffic: Vec<Stream>,
}

/// Generated packets, in one or both directions.
pub struct Stream {
    /// Between which NICs, for each direction of the handle.
    pub names: Vec<String>,
    /// Tells what was counted.
    pub handle: GeneratorHandle,
    /// Something is expected back.
    pub checked: bool,
}

/// Everything that NICs are plugged into.
pub struct Wires {
    /// One for each NIC of the plan, in its order.
    pub wires: Vec<Box<dyn Wire>>,
    /// The generators among them.
    pub traffic: Vec<Stream>,
}

/// The wires of a plan.
pub fn wires(plan: &[NicPlan]) -> Result<Wires, Failure> {
    let mut shop = Workshop::default();
    let wires =
        plan.iter().map(|nic| captured(nic, shop.wire(nic, plan)?)).collect::<Result<_, Failure>>()?;
    Ok(Wires { wires, traffic: shop.traffic })
}

/// With a capture around it, if there is to be one.
fn captured(nic: &NicPlan, wire: Box<dyn Wire>) -> Result<Box<dyn Wire>, Failure> {
    let Some(path) = &nic.capture else { return Ok(wire) };
    Ok(Box::new(CaptureWire::new(wire, recorder(path, &nic.name)?)))
}

impl Workshop {
    fn wire(&mut self, nic: &NicPlan, plan: &[NicPlan]) -> Result<Box<dyn Wire>, Failure> {
        if let Some(end) = self.loose.remove(&nic.name) {
            return Ok(end);
        }
        match &nic.wire {
            WireEntry::Null {} => Ok(Box::new(NullWire::default())),
            WireEntry::Tap { name, undo_touch } => tap(nic, name, *undo_touch),
            WireEntry::Pcap { input, output, timing, rounds } => {
                let player = input.as_deref().map(|path| player(path, *timing, *rounds)).transpose()?;
                let recorder = output.as_deref().map(|path| recorder(path, &nic.name)).transpose()?;
                Ok(Box::new(PcapWire::new(player, recorder)))
            }
            WireEntry::Generator { to, .. } => self.generator(nic, to.as_deref(), plan),
            WireEntry::Cable { to } => {
                let (near, far) = cable::pair();
                self.loose.insert(to.clone(), Box::new(far));
                Ok(Box::new(near))
            }
        }
    }

    fn generator(
        &mut self,
        nic: &NicPlan,
        to: Option<&str>,
        plan: &[NicPlan],
    ) -> Result<Box<dyn Wire>, Failure> {
        let failed = |error| Failure::usage(format!("NIC {}: {error}", nic.name), "");
        let far = to.and_then(|to| plan.iter().find(|other| other.name == to));
        let options = options(nic, far.map_or(nic.mac, |far| far.mac));
        let Some(far) = far else {
            let (wire, handle) = generator::one_way(&options).map_err(failed)?;
            self.traffic.push(Stream { names: vec![format!("to {}", nic.name)], handle, checked: false });
            return Ok(Box::new(wire));
        };
        let (near, other, handle) = generator::pair(&options).map_err(failed)?;
        let names = vec![format!("{} -> {}", nic.name, far.name), format!("{} -> {}", far.name, nic.name)];
        self.traffic.push(Stream { names, handle, checked: true });
        self.loose.insert(far.name.clone(), Box::new(other));
        Ok(Box::new(near))
    }
}

/// What is generated for `nic`, and for the NIC at the far end, if there is one, with address `far`.
fn options(nic: &NicPlan, far: Mac) -> GeneratorOptions {
    let WireEntry::Generator { size, rate, packets, flows, expect, .. } = &nic.wire else {
        return GeneratorOptions::default();
    };
    GeneratorOptions {
        sizes: Sizes::Fixed((*size).into()),
        rate: rate.map_or(Rate::Max, |rate| Rate::PerSecond(rate.0)),
        count: *packets,
        seed: nic.seed,
        flows: *flows,
        increment: if *expect == Expect::Touched { TOUCH } else { 0 },
        swapped: *expect == Expect::Swapped,
        destinations: [nic.mac.0, far.0],
        ..GeneratorOptions::default()
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

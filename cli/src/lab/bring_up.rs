//! From a plan to a running lab.

use std::io;
use std::path::Path;

use ringway_lab::engine::{Idle, NicId, SpawnOptions};
use ringway_lab::events::Watch;
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::tree::Address;

use super::config::DoorbellMode;
use super::live::Sample;
use super::plan::NicPlan;
use super::wires::{Stream, Wires, wires};
use crate::failure::Failure;
use crate::station::{self, NicEngine, NicLab, Port, Station};

/// A lab that runs.
pub struct Running {
    /// The polling thread.
    pub lab: NicLab,
    /// Its NICs, in the order of the plan.
    pub ports: Vec<Port>,
}

/// Builds everything that the plan names. Sockets go to `directory`.
pub fn bring_up(plan: Vec<NicPlan>, directory: &Path, core: Option<usize>) -> Result<Running, Failure> {
    let Wires { wires, .. } = wires(&plan)?;
    let mut engine = NicEngine::new();
    let mut ports = Vec::new();
    for (nic, wire) in plan.into_iter().zip(wires) {
        let socket = directory.join(format!("{}.sock", nic.name));
        ports.push(make_station(nic).build(wire, &mut engine, &socket)?);
    }
    spawn(engine, ports, core)
}

/// The same, as PCI functions of the namespace that this process is in, one after the other from 0000:03:00.0 on.
pub fn bring_up_functions(
    plan: Vec<NicPlan>,
    level: Watch,
    core: Option<usize>,
) -> Result<(Running, Vec<Stream>), Failure> {
    let Wires { wires, traffic } = wires(&plan)?;
    let mut engine = NicEngine::new();
    let mut ports = Vec::new();
    for (place, (nic, wire)) in plan.into_iter().zip(wires).enumerate() {
        let station = Station { level, doorbells: Doorbells::Plain, ..make_station(nic) };
        ports.push(station.build_function(wire, &mut engine, Address::of_place(place))?);
    }
    Ok((spawn(engine, ports, core)?, traffic))
}

fn spawn(engine: NicEngine, ports: Vec<Port>, core: Option<usize>) -> Result<Running, Failure> {
    let lab = NicLab::spawn(engine, SpawnOptions { core, idle: Idle::Sleep })
        .map_err(|error| Failure::failed(format!("cannot start the lab: {error}"), ""))?;
    Ok(Running { lab, ports })
}

fn make_station(nic: NicPlan) -> Station {
    Station {
        name: nic.name,
        mac: nic.mac,
        seed: nic.seed,
        link: nic.link,
        doorbells: match nic.doorbells {
            DoorbellMode::Mapped => Doorbells::Mapped,
            DoorbellMode::Trapped => Doorbells::Trapped,
        },
        level: Watch::Descriptors,
        trace: nic.trace,
        faults: nic.faults,
    }
}

/// What a glance at the lab has shown.
#[derive(Default)]
pub struct News {
    /// One for each NIC.
    pub samples: Vec<Sample>,
    /// What the servers had to say.
    pub notes: Vec<String>,
    /// What has stopped a wire.
    pub error: Option<String>,
}

impl Running {
    /// Looks at all NICs.
    pub fn look(&self) -> Result<News, Failure> {
        let ids: Vec<_> = self.ports.iter().map(|port| port.id).collect();
        let seen =
            self.run(move |engine| ids.into_iter().map(|id| glance(engine, id)).collect::<Vec<_>>())?;
        let mut news = News::default();
        for (port, seen) in self.ports.iter().zip(seen) {
            let findings = port.findings.as_ref().map_or(0, |findings| findings.count());
            news.samples.push(Sample { name: port.name.clone(), findings, ..seen.sample });
            news.notes.extend(seen.notes.into_iter().map(|note| format!("NIC {}: {note}", port.name)));
            let error = seen.error.or_else(|| port.trace_error());
            let error = error.map(|error| format!("NIC {}: {error}", port.name));
            news.error = news.error.or(error);
        }
        Ok(news)
    }

    /// Writes out what the wires have buffered.
    pub fn flush(&self) -> Result<(), Failure> {
        let ids: Vec<_> = self.ports.iter().map(|port| port.id).collect();
        self.run(move |engine| ids.into_iter().try_for_each(|id| engine.nic(id).wire_mut().flush()))?
            .map_err(|error| Failure::failed(error.to_string(), ""))
    }

    fn run<R: Send + 'static>(
        &self,
        errand: impl FnOnce(&mut NicEngine) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        self.lab.try_run(errand).map_err(station::lab_stopped)
    }
}

struct Glance {
    sample: Sample,
    notes: Vec<String>,
    error: Option<io::Error>,
}

fn glance(engine: &mut NicEngine, id: NicId) -> Glance {
    let driver = engine.client_present(id);
    let notes = engine.take_notes(id);
    let nic = engine.nic(id);
    let counters = nic.counters();
    let tx_lost = counters.tx_lost + nic.wire_mut().dropped();
    let sample = Sample { driver, link: nic.link_up(), counters, tx_lost, ..Sample::default() };
    Glance { sample, notes, error: nic.wire_mut().take_error() }
}

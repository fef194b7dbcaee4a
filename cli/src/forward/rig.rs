//! The lab of a run: NICs a and b on a polling thread, their sockets in a private directory.

use std::io;
use std::path::PathBuf;

use ringway_lab::engine::{Idle, NicId, SpawnOptions};
use ringway_lab::ixgbe::{Counters, Doorbells};
use ringway_lab::wire::Wire;
use tempfile::TempDir;

use super::args::ForwardArgs;
use super::summary::Broken;
use crate::failure::Failure;
use crate::mac::Mac;
use crate::station::{self, NicEngine, NicLab, Port, Station};

/// The names of the two NICs.
pub const NAMES: [&str; 2] = ["a", "b"];

/// Two NICs. Dropping it removes the sockets and their directory.
pub struct Rig {
    lab: NicLab,
    ports: [Port; 2],
    _directory: TempDir,
}

impl Rig {
    /// Plugs two NICs into these wires and starts to poll them.
    pub fn start(args: &ForwardArgs, wires: [Box<dyn Wire>; 2]) -> Result<Rig, Failure> {
        let directory = tempfile::Builder::new().prefix("ringway-").tempdir().map_err(|error| {
            Failure::open(
                format!("cannot make a directory for sockets: {error}"),
                "Set TMPDIR to one that you may write to",
            )
        })?;
        let mut engine = NicEngine::new();
        let [first, second] = wires;
        let mut add = |place: usize, wire| {
            let socket = directory.path().join(format!("{}.sock", NAMES[place]));
            make_station(args, place).build(wire, &mut engine, &socket)
        };
        let ports = [add(0, first)?, add(1, second)?];
        // On a core of its own the lab need not be kind to others; elsewhere it has to share with the driver.
        let idle = if args.lab_core.is_some() { Idle::Spin } else { Idle::Sleep };
        let lab = NicLab::spawn(engine, SpawnOptions { core: args.lab_core, idle })
            .map_err(|error| Failure::failed(format!("cannot start the lab: {error}"), ""))?;
        Ok(Rig { lab, ports, _directory: directory })
    }

    /// The addresses of the two NICs, for a driver.
    pub fn addresses(&self) -> [String; 2] {
        self.ports.each_ref().map(|port| format!("unix:{}", port.address))
    }

    /// What went through the ports, which no driver can clear.
    pub fn counters(&self) -> Result<[Counters; 2], Failure> {
        let [a, b] = self.ids();
        self.run(move |engine| [engine.nic(a).counters(), engine.nic(b).counters()])
    }

    /// What has stopped a wire or a trace, if anything has.
    pub fn error(&self) -> Result<Option<io::Error>, Failure> {
        let ids = self.ids();
        let wire =
            self.run(move |engine| ids.into_iter().find_map(|id| engine.nic(id).wire_mut().take_error()))?;
        Ok(wire.or_else(|| self.ports.iter().find_map(Port::trace_error)))
    }

    /// Writes out what the wires have buffered.
    pub fn flush(&self) -> Result<io::Result<()>, Failure> {
        let ids = self.ids();
        self.run(move |engine| ids.into_iter().try_for_each(|id| engine.nic(id).wire_mut().flush()))
    }

    /// What the sanitizers have found.
    pub fn findings(&self) -> Vec<Broken> {
        let of_port = |port: &Port| {
            let found = port.findings.as_ref().map(|findings| findings.all()).unwrap_or_default();
            Broken::by_rule(&port.name, &found)
        };
        self.ports.iter().flat_map(of_port).collect()
    }

    fn ids(&self) -> [NicId; 2] {
        self.ports.each_ref().map(|port| port.id)
    }

    fn run<R: Send + 'static>(
        &self,
        errand: impl FnOnce(&mut NicEngine) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        self.lab.try_run(errand).map_err(station::lab_stopped)
    }
}

fn make_station(args: &ForwardArgs, place: usize) -> Station {
    Station {
        name: NAMES[place].to_owned(),
        mac: Mac::of_place(place),
        seed: args.seed.wrapping_mul(2).wrapping_add(place as u64),
        link: true,
        doorbells: Doorbells::Mapped,
        level: args.level().watch(),
        trace: args.trace.as_ref().map(|path| trace_path(path, place)),
        faults: Vec::new(),
    }
}

/// Each NIC has a trace of its own: `run.trace` becomes `run.a.trace` and `run.b.trace`.
fn trace_path(path: &std::path::Path, place: usize) -> PathBuf {
    let name = NAMES[place];
    let ending = match path.extension() {
        Some(ending) => format!("{name}.{}", ending.to_string_lossy()),
        None => name.to_owned(),
    };
    path.with_extension(ending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn each_nic_has_its_own_trace() {
        assert_eq!(trace_path(Path::new("/x/run.trace"), 0), Path::new("/x/run.a.trace"));
        assert_eq!(trace_path(Path::new("run"), 1), Path::new("run.b"));
    }
}

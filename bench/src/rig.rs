//! The lab of one run: NICs on a polling thread, with sockets in a private directory or as PCI functions.

use ringway_lab::clock::Nanos;
use ringway_lab::engine::bursts;
use ringway_lab::engine::{Engine, Idle, Lab, NicId, SpawnOptions};
use ringway_lab::ixgbe::{Counters, Doorbells, Nic, NicConfig};
use ringway_lab::tree::Address;
use ringway_lab::wire::Wire;
use tempfile::TempDir;

use crate::contender::Addresses;
use crate::error::Error;

/// NICs that are being polled. Dropping it stops the thread and removes the sockets.
pub struct Rig {
    lab: Lab<Nic>,
    ids: Vec<NicId>,
    addresses: Vec<String>,
    _directory: TempDir,
}

/// What the ports have counted, and when.
#[derive(Clone, Debug)]
pub struct Glance {
    /// By the lab's clock.
    pub at: Nanos,
    /// One for each NIC.
    pub ports: Vec<Counters>,
}

impl Rig {
    /// Plugs a NIC into each wire and starts to poll them on `core`. `seed` decides what registers hold before reset.
    ///
    /// # Errors
    /// If the system refuses a directory, a socket, a thread or the core.
    pub fn start(wires: Vec<(Box<dyn Wire>, [u8; 6])>, core: Option<usize>, seed: u64) -> Result<Rig, Error> {
        Rig::start_as(Addresses::Sockets, wires, core, seed)
    }

    /// The same with addresses of a kind. PCI functions are made in the mount namespace that this process is in.
    ///
    /// # Errors
    /// Those of [`start`](Rig::start), and if the system refuses the files of a function.
    pub fn start_as(
        kind: Addresses,
        wires: Vec<(Box<dyn Wire>, [u8; 6])>,
        core: Option<usize>,
        seed: u64,
    ) -> Result<Rig, Error> {
        let directory =
            tempfile::Builder::new().prefix("ringway-bench-").tempdir().map_err(Error::Directory)?;
        let mut engine = Engine::new();
        let mut ids = Vec::new();
        let mut addresses = Vec::new();
        for (place, (wire, mac)) in wires.into_iter().enumerate() {
            let name = ["a", "b"][place % 2];
            let seed = seed.wrapping_mul(2).wrapping_add(place as u64);
            let doorbells = match kind {
                Addresses::Sockets => Doorbells::Mapped,
                Addresses::Functions => Doorbells::Plain,
            };
            let config = NicConfig { mac, seed, doorbells, ..NicConfig::new(name) };
            let nic = Nic::new(config, wire).map_err(Error::Lab)?;
            let (id, address) = match kind {
                Addresses::Sockets => {
                    let socket = directory.path().join(format!("{name}.sock"));
                    let id = engine.add_nic(nic, &socket).map_err(Error::Socket)?;
                    (id, format!("unix:{}", socket.display()))
                }
                Addresses::Functions => {
                    let address = Address::of_place(place);
                    (engine.add_function(nic, address).map_err(Error::Lab)?, address.to_string())
                }
            };
            ids.push(id);
            addresses.push(address);
        }
        // On a core of its own the lab need not be kind to others; elsewhere it has to share.
        let idle = if core.is_some() { Idle::Spin } else { Idle::Sleep };
        let lab = Lab::spawn(engine, SpawnOptions { core, idle }).map_err(Error::Lab)?;
        Ok(Rig { lab, ids, addresses, _directory: directory })
    }

    /// The addresses of the NICs, for a driver.
    pub fn addresses(&self) -> Vec<String> {
        self.addresses.clone()
    }

    /// What went through the ports.
    ///
    /// # Errors
    /// If the lab has died.
    pub fn glance(&self) -> Result<Glance, Error> {
        let ids = self.ids.clone();
        self.run(move |engine| {
            let ports = ids.iter().map(|id| engine.nic(*id).counters()).collect();
            Glance { at: Nanos::now(), ports }
        })
    }

    /// Has the wires publish what they have counted.
    ///
    /// # Errors
    /// If the lab has died.
    pub fn flush(&self) -> Result<(), Error> {
        let ids = self.ids.clone();
        self.run(move |engine| ids.iter().try_for_each(|id| engine.nic(*id).wire_mut().flush()))?
            .map_err(Error::Lab)
    }

    /// Puts bursts before the driver of both NICs.
    ///
    /// # Errors
    /// If the lab has died.
    pub fn bursts(&self, options: bursts::Options) -> Result<bursts::Report, Error> {
        let ids = [self.ids[0], self.ids[1]];
        self.run(move |engine| engine.bursts(ids, &options))
    }

    /// Begins to measure how busy the lab is.
    ///
    /// # Errors
    /// If the lab has died.
    pub fn reset_load(&self) -> Result<(), Error> {
        self.run(Engine::reset_load)
    }

    /// Share of its time in which the lab had work since [`reset_load`](Rig::reset_load).
    ///
    /// # Errors
    /// If the lab has died.
    pub fn busy_share(&self) -> Result<f64, Error> {
        self.run(|engine| engine.load().busy_share())
    }

    fn run<R: Send + 'static>(
        &self,
        errand: impl FnOnce(&mut Engine<Nic>) -> R + Send + 'static,
    ) -> Result<R, Error> {
        self.lab.try_run(errand).map_err(|_| Error::LabDied)
    }
}

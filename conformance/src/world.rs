//! The lab of one case: NICs on wires worked by hand, each with a recorder, a trace and the sanitizer.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ringway_lab::engine::{Engine, Lab, NicId, SpawnOptions};
use ringway_lab::events::Watch;
use ringway_lab::ixgbe::{Counters, Doorbells, Nic, NicConfig};
use ringway_lab::sanitizer::{Findings, Sanitizer};
use ringway_lab::trace::Trace;
use ringway_lab::tree::Address;
use ringway_lab::wire::manual::{self, ManualHandle};
use tempfile::TempDir;

use crate::frames::Mac;
use crate::random::Random;
use crate::record::Record;
use crate::tail::Tail;
use crate::way::Way;

/// How the NICs of a case are made.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// No page can be mapped.
    pub trapped: bool,
    /// Record every descriptor.
    pub descriptors: bool,
    /// How drivers find it.
    pub way: Way,
}

/// One NIC and all that is around it.
pub struct Port {
    id: NicId,
    /// Where its driver finds it: a socket, or the address of a PCI function.
    pub socket: PathBuf,
    /// Its address.
    pub mac: Mac,
    /// The other end of its wire.
    pub wire: ManualHandle,
    /// What the driver did.
    pub record: Record,
    /// Which rules the driver broke.
    pub findings: Findings,
    /// The last register accesses, for people.
    pub trace: Tail,
}

/// Sees to it that a lab has nothing under way, before a command is given and after it was answered. Through a socket nothing
/// ever is: each access of a register is a message. In plain memory stores are noticed, and counters shown, a little later.
#[derive(Clone, Debug, Default)]
pub struct Settled(Option<Arc<Mutex<Weak<Lab<Nic>>>>>);

impl Settled {
    fn new(way: Way) -> Settled {
        Settled((way == Way::Sysfs).then(Arc::default))
    }

    fn of(&self, lab: &Arc<Lab<Nic>>) {
        if let Some(place) = &self.0 {
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(lab);
        }
    }

    /// Waits for it; not at all if the lab is gone.
    pub fn wait(&self) {
        let Some(place) = &self.0 else { return };
        let lab = place.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(lab) = lab {
            lab.run(Engine::settle);
        }
    }
}

/// The lab of one case.
pub struct World {
    lab: Option<Arc<Lab<Nic>>>,
    settled: Settled,
    ports: Vec<Port>,
    build: Build,
    directory: TempDir,
}

/// PCI addresses in use, one after the other.
const ADDRESSES: usize = 1024;

/// Register accesses that the report of a failure shows.
const TRACE_LINES: usize = 40;

impl World {
    /// A lab with `nics` NICs, their state before reset drawn from `random`.
    pub fn new(nics: usize, build: Build, random: &mut Random) -> io::Result<World> {
        // A short directory name: the path of a socket has at most 107 bytes.
        let directory = tempfile::Builder::new().prefix("rw").tempdir()?;
        let mut world =
            World { lab: None, settled: Settled::new(build.way), ports: Vec::new(), build, directory };
        world.again()?;
        for _ in 0..nics {
            world.add_nic(random.word())?;
        }
        Ok(world)
    }

    /// One more NIC, with the state before reset that `seed` gives. Returns its number.
    pub fn add_nic(&mut self, seed: u64) -> io::Result<usize> {
        let number = self.ports.len();
        let mac = address(seed);
        let (wire, handle) = manual::pair();
        let doorbells = match self.build {
            Build { way: Way::Sysfs, .. } => Doorbells::Plain,
            Build { trapped: true, .. } => Doorbells::Trapped,
            _ => Doorbells::Mapped,
        };
        let watch = if self.build.descriptors { Watch::Descriptors } else { Watch::Registers };
        let config = NicConfig { mac, seed, doorbells, ..NicConfig::new(format!("nic{number}")) };
        let mut nic = Nic::new(config, Box::new(wire))?;
        let (sanitizer, findings) = Sanitizer::new(Watch::Descriptors);
        let lines = Tail::new(TRACE_LINES);
        let trace = Trace::to_writer(Box::new(lines.clone()));
        let record = Record::default();
        nic.add_observer(record.observer(watch));
        nic.add_observer(Box::new(trace));
        nic.add_observer(Box::new(sanitizer));
        let (id, socket) = self.serve(nic, number)?;
        self.ports.push(Port { id, socket, mac, wire: handle, record, findings, trace: lines });
        Ok(number)
    }

    /// Serves a NIC; returns where.
    fn serve(&self, nic: Nic, number: usize) -> io::Result<(NicId, PathBuf)> {
        let lab = self.lab.as_ref().ok_or_else(|| io::Error::other("the lab is gone"))?;
        if self.build.way == Way::Sysfs {
            // Cases are played side by side, and addresses are for all of them.
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            let address = Address::of_place(NEXT.fetch_add(1, Ordering::Relaxed) % ADDRESSES);
            let id = lab.run(move |engine| engine.add_function(nic, address))?;
            return Ok((id, address.to_string().into()));
        }
        let socket = self.path(&format!("nic{number}"));
        let place = socket.clone();
        let id = lab.run(move |engine| engine.add_nic(nic, &place)).map_err(io::Error::other)?;
        Ok((id, socket))
    }

    /// How its drivers find the NICs.
    pub fn way(&self) -> Way {
        self.build.way
    }

    /// NIC `number` of this case.
    pub fn port(&self, number: usize) -> &Port {
        &self.ports[number]
    }

    /// All NICs.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// For testees, whose commands and answers have to find the lab settled.
    pub fn settled(&self) -> Settled {
        self.settled.clone()
    }

    /// A path in the directory of this case.
    pub fn path(&self, name: &str) -> PathBuf {
        Path::new(self.directory.path()).join(name)
    }

    /// Does something with a NIC on the polling thread. The lab must be there.
    pub fn nic<R: Send + 'static>(
        &self,
        number: usize,
        act: impl FnOnce(&mut Nic) -> R + Send + 'static,
    ) -> R {
        let id = self.ports[number].id;
        self.lab
            .as_ref()
            .expect("a case looks at NICs only while the lab is there")
            .run(move |engine| act(engine.nic(id)))
    }

    /// Counters of the port, which no driver can clear.
    pub fn counters(&self, number: usize) -> Counters {
        self.nic(number, |nic| nic.counters())
    }

    /// Whether a driver holds the NIC.
    pub fn taken(&self, number: usize) -> bool {
        let id = self.ports[number].id;
        self.lab.as_ref().is_some_and(|lab| lab.run(move |engine| engine.client_present(id)))
    }

    /// The NIC cuts its driver off; a new one may come.
    pub fn disconnect(&self, number: usize) {
        let id = self.ports[number].id;
        if let Some(lab) = &self.lab {
            lab.run(move |engine| engine.disconnect(id));
        }
    }

    /// The lab goes away, as if its process had died.
    pub fn vanish(&mut self) {
        self.lab = None;
        self.ports.clear();
    }

    /// A new lab with nothing in it, after [`vanish`](Self::vanish).
    pub fn again(&mut self) -> io::Result<()> {
        let lab = Arc::new(spawn()?);
        self.settled.of(&lab);
        self.lab = Some(lab);
        Ok(())
    }
}

fn spawn() -> io::Result<Lab<Nic>> {
    Lab::spawn(Engine::new(), SpawnOptions::default())
}

/// A hardware address that no driver can have guessed: locally administered, unicast.
fn address(seed: u64) -> Mac {
    let [a, b, c, d, e, ..] = Random::new(seed).word().to_be_bytes();
    [0x02, a, b, c, d, e]
}

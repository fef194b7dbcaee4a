//! NICs and the one thread that polls them.
//!
//! An [`Engine`] holds NICs, each with its socket, and knows how to give every one a turn. It is a plain value: whoever
//! owns it may call [`Engine::poll_once`] by hand. A [`Lab`] is an engine on a thread of its own, which spins while
//! there is work and backs off when there is none; [`Lab::run`] carries a closure over to it, so that no lock is ever
//! needed around a NIC.

use std::io;
use std::path::Path;

use rustix::event::PollFd;

use crate::clock::Nanos;
use crate::device::{Attention, Device};
use crate::ixgbe::Nic;
use crate::serve::{BindError, Server};
use crate::tree::{Address, Function};

pub mod bursts;
mod front;
mod idle;
mod lab;
mod load;
mod priority;

use front::Front;
pub use idle::Idle;
pub(crate) use lab::pin;
pub use lab::{Lab, SpawnOptions, Stopped};
pub use load::Load;

/// While a NIC is busy, its socket is looked at once in so many rounds.
const SOCKET_EVERY: u32 = 64;

/// After a message, the socket is looked at in each of so many rounds: one message seldom comes alone.
const EAGER_ROUNDS: u32 = 256;

/// Names a NIC of an engine. Never used again for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NicId(usize);

/// A NIC and its socket, or its files.
struct Served<D> {
    nic: D,
    front: Front,
    /// Rounds until the socket is looked at while the NIC is busy.
    until_socket: u32,
    /// Rounds in which the socket is looked at anyway.
    eager: u32,
}

impl<D: Device> Served<D> {
    /// One turn. `idle` says that the round before found nothing to do anywhere.
    fn poll(&mut self, now: Nanos, idle: bool) -> usize {
        let mut work = 0;
        if idle || self.eager > 0 || self.until_socket == 0 {
            self.until_socket = SOCKET_EVERY;
            self.eager = self.eager.saturating_sub(1);
            work = self.front.poll(&mut self.nic, now);
            if work > 0 {
                self.eager = EAGER_ROUNDS;
            }
        }
        self.until_socket -= 1;
        self.front.glance(&mut self.nic);
        work + self.nic.poll(now)
    }
}

/// NICs that are polled together.
pub struct Engine<D: Device = Nic> {
    /// By number; `None` where a NIC was removed.
    nics: Vec<Option<Served<D>>>,
    /// The last round found nothing to do.
    idle: bool,
    load: Load,
}

impl<D: Device> Default for Engine<D> {
    fn default() -> Self {
        Engine { nics: Vec::new(), idle: true, load: Load::default() }
    }
}

impl<D: Device> Engine<D> {
    /// An engine without NICs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a NIC and serves it at `socket`.
    ///
    /// # Errors
    ///
    /// The socket cannot be made; see [`BindError`]. The NIC is lost then.
    pub fn add_nic(&mut self, nic: D, socket: &Path) -> Result<NicId, BindError> {
        Ok(self.add_served(nic, Server::bind(socket)?))
    }

    /// Takes a NIC with a server that is ready; see [`Server::unbound`].
    pub fn add_served(&mut self, nic: D, server: Server) -> NicId {
        self.add(nic, Front::Socket(Box::new(server)))
    }

    /// Takes a NIC and serves it as the PCI function `address`, in the mount namespace that this process is in.
    ///
    /// # Errors
    ///
    /// The NIC's registers are no plain memory, or the files of the function cannot be made. The NIC is lost then.
    pub fn add_function(&mut self, mut nic: D, address: Address) -> io::Result<NicId> {
        let function = Function::new(address, &mut nic)?;
        Ok(self.add(nic, Front::Files(Box::new(function))))
    }

    fn add(&mut self, nic: D, front: Front) -> NicId {
        self.nics.push(Some(Served { nic, front, until_socket: 0, eager: 0 }));
        NicId(self.nics.len() - 1)
    }

    /// Takes the NIC out: its client is cut off, its socket removed.
    ///
    /// # Panics
    ///
    /// If it was removed before.
    pub fn remove_nic(&mut self, id: NicId) -> D {
        let mut served = self.nics[id.0].take().expect("the NIC was removed");
        served.front.disconnect(&mut served.nic);
        served.nic
    }

    /// The NICs, in the order in which they were added.
    pub fn nics(&self) -> impl Iterator<Item = NicId> + '_ {
        self.nics.iter().enumerate().filter(|(_, nic)| nic.is_some()).map(|(number, _)| NicId(number))
    }

    /// A NIC.
    ///
    /// # Panics
    ///
    /// If it was removed.
    pub fn nic(&mut self, id: NicId) -> &mut D {
        &mut self.served(id).nic
    }

    /// Whether a driver has the NIC.
    ///
    /// # Panics
    ///
    /// If the NIC was removed.
    pub fn client_present(&self, id: NicId) -> bool {
        self.nics[id.0].as_ref().expect("the NIC was removed").front.client_present()
    }

    /// Cuts the NIC's driver off, if it has one.
    ///
    /// # Panics
    ///
    /// If the NIC was removed.
    pub fn disconnect(&mut self, id: NicId) {
        let served = self.served(id);
        served.front.disconnect(&mut served.nic);
    }

    /// Everything that drivers have done until now takes effect, and what they may read is what the NICs would answer now.
    /// For those who have to know that nothing is under way.
    pub fn settle(&mut self) {
        for served in self.nics.iter_mut().flatten() {
            served.front.settle(&mut served.nic);
        }
    }

    /// What the NIC's server had to say since the last call; see [`Server::take_notes`].
    ///
    /// # Panics
    ///
    /// If the NIC was removed.
    pub fn take_notes(&mut self, id: NicId) -> Vec<String> {
        self.served(id).front.take_notes()
    }

    /// Gives every NIC one turn. Returns how much was done.
    pub fn poll_once(&mut self, now: Nanos) -> usize {
        let idle = self.idle;
        let work = self.nics.iter_mut().flatten().map(|served| served.poll(now, idle)).sum();
        self.idle = work == 0;
        self.load.round(now, work);
        work
    }

    /// How busy the engine has been since it was made or [`reset_load`](Engine::reset_load) was called.
    pub fn load(&self) -> Load {
        self.load
    }

    /// Begins to count anew.
    pub fn reset_load(&mut self) {
        self.load = Load::default();
    }

    fn served(&mut self, id: NicId) -> &mut Served<D> {
        self.nics[id.0].as_mut().expect("the NIC was removed")
    }

    /// Somebody is connected, or about to be.
    fn is_attended(&self) -> bool {
        self.nics.iter().flatten().any(|s| s.front.is_attended())
    }

    /// How soon the next round has to come.
    fn attention(&self) -> Attention {
        self.nics.iter().flatten().map(|served| served.nic.attention()).max().unwrap_or_default()
    }

    /// Drivers may take NICs of this engine for cards, which answer at once.
    fn has_functions(&self) -> bool {
        self.nics.iter().flatten().any(|served| matches!(served.front, Front::Files(_)))
    }

    /// What to wait for when there is nothing to do.
    fn poll_fds<'a>(&'a self, fds: &mut Vec<PollFd<'a>>) {
        self.nics.iter().flatten().for_each(|served| served.front.poll_fds(fds));
    }
}

impl<D: Device> Drop for Engine<D> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return; // perhaps because of the NIC; asking it to stop may panic again, which would end the process
        }
        for served in self.nics.iter_mut().flatten() {
            served.front.disconnect(&mut served.nic);
        }
    }
}

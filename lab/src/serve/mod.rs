//! Serves a [`Device`] to a driver over vfio-user.
//!
//! A [`Server`] belongs to one device. It never waits: [`Server::poll`] does what can be done now, on the thread that
//! also polls the device. One client has the device at a time; whoever asks for it meanwhile is told EBUSY.
//!
//! The way of a message:
//!
//! 1. a connection (`peer`) comes through the `listener` or [`Server::adopt`] and waits in the lobby for its VERSION;
//! 2. VERSION is answered (`version`) and the connection has the device;
//! 3. the `inbox` puts a message together, however it was cut up, with the descriptors that belong to it;
//! 4. `command` acts on it: `info`, `irqs`, `access` and `dma` know one group of commands each;
//! 5. the `outbox` sends the reply; before it is out, the next message is not looked at;
//! 6. when the client leaves or dies, the device is told to stop, then eventfds and memory are given back.
//!
//! A command that is refused leaves a sentence in [`Server::take_notes`], for whoever develops the driver.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use crate::device::Device;

mod access;
mod command;
mod dma;
mod eventfd;
mod header;
mod inbox;
mod info;
mod irqs;
mod listener;
mod outbox;
mod peer;
mod refusal;
mod version;
pub mod wire;

pub use eventfd::signal;
pub use listener::BindError;

use listener::Listener;
use peer::{Next, Peer};
use refusal::Refusal;
use version::Agreement;

/// Messages handled in one poll, so that a busy client does not keep the thread from the wires.
const BATCH: usize = 32;

/// Connections that may be without a VERSION at one time. One more, and the oldest is closed.
const LOBBY: usize = 16;

/// With a client present, new connections are looked for only once in so many polls.
const ACCEPT_EVERY: u32 = 16;

/// Notes that are kept until somebody takes them; of more the oldest are forgotten.
const NOTES: usize = 64;

/// The client that has the device.
struct Client {
    peer: Peer,
    agreement: Agreement,
}

/// Serves one device, to one client at a time.
pub struct Server {
    listener: Option<Listener>,
    lobby: VecDeque<Peer>,
    client: Option<Client>,
    until_accept: u32,
    notes: VecDeque<String>,
}

impl Server {
    /// Listens at `path`. The socket can be used by this user only and is removed when the server is dropped.
    ///
    /// # Errors
    ///
    /// Whatever keeps the socket from being made; among others that another server is alive there.
    pub fn bind(path: &Path) -> Result<Self, BindError> {
        Ok(Server { listener: Some(Listener::bind(path)?), ..Server::unbound() })
    }

    /// A server without a socket, for connections that are made in another way; see [`adopt`](Server::adopt).
    pub fn unbound() -> Self {
        Server {
            listener: None,
            lobby: VecDeque::new(),
            client: None,
            until_accept: 0,
            notes: VecDeque::new(),
        }
    }

    /// Takes over a connected stream socket, as if it had been accepted.
    pub fn adopt(&mut self, connection: OwnedFd) {
        if self.lobby.len() == LOBBY {
            self.lobby.pop_front();
            self.note("a connection that sent no VERSION was closed, there are too many of them".to_owned());
        }
        self.lobby.push_back(Peer::new(connection));
    }

    /// Where the server listens.
    pub fn path(&self) -> Option<&Path> {
        self.listener.as_ref().map(Listener::path)
    }

    /// Whether a client has the device.
    pub fn client_present(&self) -> bool {
        self.client.is_some()
    }

    /// Whether a connection is there that is not the client (yet).
    pub fn has_visitors(&self) -> bool {
        !self.lobby.is_empty()
    }

    /// One sentence for each command that was refused and each connection turned away since the last call.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.notes.drain(..).collect()
    }

    /// Does what can be done now. Returns the number of messages handled, comings and goings included.
    pub fn poll(&mut self, device: &mut dyn Device) -> usize {
        let mut done = self.poll_client(device);
        if device.hangs_up() && self.client.is_some() {
            self.disconnect(device);
            done += 1;
        }
        self.accept();
        if !self.lobby.is_empty() {
            done += self.poll_lobby(device);
        }
        done
    }

    /// Cuts the client off, as if it had died.
    pub fn disconnect(&mut self, device: &mut dyn Device) {
        if self.client.take().is_some() {
            device.detached();
            for index in 0..wire::irq::COUNT {
                // A device that cannot forget an eventfd is not helped by an error here.
                let _ = irqs::unbind_all(device, index);
            }
            dma::unmap_all(device);
        }
    }

    /// Appends what to wait for when there is nothing to do.
    pub fn poll_fds<'a>(&'a self, fds: &mut Vec<PollFd<'a>>) {
        fds.extend(self.listener.iter().map(|listener| PollFd::new(listener, PollFlags::IN)));
        fds.extend(self.client.iter().map(|client| client.peer.poll_fd()));
        fds.extend(self.lobby.iter().map(Peer::poll_fd));
    }

    fn poll_client(&mut self, device: &mut dyn Device) -> usize {
        for done in 0..BATCH {
            let Some(client) = &mut self.client else { return done };
            match client.peer.next() {
                Next::Message => {
                    let number = client.peer.inbox.header().command;
                    if let Some(refusal) = command::act(&mut client.peer, &client.agreement, device) {
                        self.note(format!("{} refused: {refusal}", command::name(number)));
                    }
                }
                Next::Wait => return done,
                Next::Gone => {
                    self.disconnect(device);
                    return done + 1;
                }
                Next::Garbage => {
                    client.peer.refuse_garbage();
                    self.note("the client was cut off: a message has an impossible size".to_owned());
                    self.disconnect(device);
                    return done + 1;
                }
            }
        }
        BATCH
    }

    /// Lets new connections in. Rarely while the device is taken: they can only be turned away.
    fn accept(&mut self) {
        self.until_accept = self.until_accept.saturating_sub(1);
        if self.client.is_some() && self.until_accept > 0 {
            return;
        }
        self.until_accept = ACCEPT_EVERY;
        for _ in 0..LOBBY {
            let Some(connection) = self.listener.as_ref().and_then(Listener::accept) else { return };
            self.adopt(connection);
        }
    }

    fn poll_lobby(&mut self, device: &mut dyn Device) -> usize {
        let mut done = 0;
        for _ in 0..self.lobby.len() {
            let Some(mut visitor) = self.lobby.pop_front() else { break };
            match visitor.next() {
                Next::Wait => self.lobby.push_back(visitor),
                Next::Gone => {}
                Next::Garbage => {
                    visitor.refuse_garbage();
                    self.note("a connection was closed: it does not speak vfio-user".to_owned());
                }
                Next::Message => {
                    done += 1;
                    self.receive_visitor(visitor, device);
                }
            }
        }
        done
    }

    /// The first message of a connection must be VERSION.
    fn receive_visitor(&mut self, mut visitor: Peer, device: &mut dyn Device) {
        let header = visitor.inbox.header();
        if header.kind() == wire::flags::REPLY {
            visitor.inbox.clear();
            self.lobby.push_back(visitor);
        } else if header.command != wire::command::VERSION || header.kind() != 0 {
            let refusal = Refusal::invalid("the first message must be VERSION");
            self.note(format!("{} refused: {refusal}", command::name(header.command)));
            answer(&mut visitor, Err(&refusal));
            self.lobby.push_back(visitor);
        } else {
            self.receive_version(visitor, device);
        }
    }

    /// A connection asks for the device.
    fn receive_version(&mut self, mut visitor: Peer, device: &mut dyn Device) {
        if self.client.as_ref().is_some_and(|client| client.peer.has_hung_up()) {
            self.disconnect(device);
        }
        let agreement = match self.client {
            Some(_) => Err(Refusal::new(Errno::BUSY, "another driver has the device")),
            None => Agreement::parse(visitor.inbox.payload()),
        };
        match agreement {
            Ok(agreement) => {
                answer(&mut visitor, Ok(&agreement));
                self.client = Some(Client { peer: visitor, agreement });
                device.attached();
            }
            Err(refusal) => {
                self.note(format!("a client was turned away: {refusal}"));
                answer(&mut visitor, Err(&refusal));
            }
        }
    }

    fn note(&mut self, note: String) {
        if self.notes.len() == NOTES {
            self.notes.pop_front();
        }
        self.notes.push_back(note);
    }
}

/// Answers the first message of a connection. One that is turned away is closed by the caller dropping it: a reply of
/// 16 bytes that does not go out at once has nobody to read it.
fn answer(visitor: &mut Peer, result: Result<&Agreement, &Refusal>) {
    let header = visitor.inbox.header();
    match result {
        Ok(agreement) if header.wants_reply() => {
            agreement.answer(visitor.outbox.begin());
            visitor.outbox.finish(&header, None);
        }
        Ok(_) => {}
        Err(refusal) => visitor.refuse(refusal),
    }
    visitor.inbox.clear();
    visitor.flush();
}

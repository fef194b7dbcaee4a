//! One connection, as a source of whole messages and a sink of replies.

use std::os::fd::{AsFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::inbox::{Inbox, Received};
use super::outbox::{Flushed, Outbox};
use super::refusal::Refusal;

/// What a connection has for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A message is in the inbox.
    Message,
    /// Nothing now: neither a whole message, nor room for the last reply.
    Wait,
    /// The connection is over.
    Gone,
    /// It cannot be understood any more and must be closed.
    Garbage,
}

/// A connection.
pub(super) struct Peer {
    socket: OwnedFd,
    /// The message to act on.
    pub inbox: Inbox,
    /// The answer to it.
    pub outbox: Outbox,
}

impl Peer {
    pub fn new(socket: OwnedFd) -> Self {
        Peer { socket, inbox: Inbox::default(), outbox: Outbox::default() }
    }

    /// Sends what is left of the last reply, then looks for the next message.
    pub fn next(&mut self) -> Next {
        match self.outbox.flush(self.socket.as_fd()) {
            Flushed::All => {}
            Flushed::Blocked => return Next::Wait,
            Flushed::Closed => return Next::Gone,
        }
        match self.inbox.receive(self.socket.as_fd()) {
            Received::Message => Next::Message,
            Received::Nothing => Next::Wait,
            Received::Closed => Next::Gone,
            Received::Garbage => Next::Garbage,
        }
    }

    /// Refuses the message in the inbox.
    pub fn refuse(&mut self, refusal: &Refusal) {
        let header = self.inbox.header();
        if header.wants_reply() {
            self.outbox.refuse(&header, refusal.errno);
        }
    }

    /// Answers a message that cannot be understood, as far as that goes. The connection is of no use afterwards.
    pub fn refuse_garbage(&mut self) {
        self.outbox.refuse(&self.inbox.header(), Errno::INVAL);
        self.flush();
    }

    /// Sends what can be sent now; the rest goes with the following calls of [`next`](Peer::next).
    pub fn flush(&mut self) {
        self.outbox.flush(self.socket.as_fd());
    }

    /// Whether the other side has closed the connection, even if messages of it are still unread.
    pub fn has_hung_up(&self) -> bool {
        let mut state = [PollFd::new(&self.socket, PollFlags::empty())];
        let polled = poll(&mut state, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        polled == Ok(1) && state[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
    }

    /// What to wait for.
    pub fn poll_fd(&self) -> PollFd<'_> {
        let flags = if self.outbox.is_waiting() { PollFlags::OUT } else { PollFlags::IN };
        PollFd::new(&self.socket, flags)
    }
}

//! The reply that is on its way.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::cmsg_space;
use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use super::header::Header;
use super::wire::header;

/// Result of [`Outbox::flush`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flushed {
    /// Nothing is left to send.
    All,
    /// The client does not read; try later.
    Blocked,
    /// The client has gone.
    Closed,
}

/// At most one reply: the next command is not looked at before this one is answered, so that a client that does not
/// read its replies makes nobody wait but itself, and fills no memory.
#[derive(Default)]
pub(super) struct Outbox {
    bytes: Vec<u8>,
    sent: usize,
    fd: Option<OwnedFd>,
}

impl Outbox {
    /// Begins a reply; the payload is appended to what is returned, which already has room for the header.
    pub fn begin(&mut self) -> &mut Vec<u8> {
        self.clear();
        self.bytes.resize(header::BYTES, 0);
        &mut self.bytes
    }

    /// The payload is complete.
    pub fn finish(&mut self, header: &Header, fd: Option<OwnedFd>) {
        let reply = header.reply(self.bytes.len(), 0);
        self.bytes[..header::BYTES].copy_from_slice(&reply);
        self.fd = fd;
    }

    /// The command failed: forgets the payload.
    pub fn refuse(&mut self, header: &Header, errno: Errno) {
        self.clear();
        self.bytes.extend(header.reply(header::BYTES, errno.raw_os_error()));
    }

    /// Forgets the reply.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(64 << 10);
        self.sent = 0;
        self.fd = None;
    }

    /// Whether something waits to be sent.
    pub fn is_waiting(&self) -> bool {
        self.sent < self.bytes.len()
    }

    /// Sends what can be sent now.
    pub fn flush(&mut self, socket: BorrowedFd<'_>) -> Flushed {
        while self.is_waiting() {
            match self.send(socket) {
                Ok(sent) => {
                    self.sent += sent;
                    self.fd = None; // it went with the first byte
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN | Errno::NOBUFS | Errno::NOMEM) => return Flushed::Blocked,
                Err(_) => return Flushed::Closed,
            }
        }
        Flushed::All
    }

    fn send(&self, socket: BorrowedFd<'_>) -> Result<usize, Errno> {
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let fds = self.fd.as_ref().map(|fd| [fd.as_fd()]);
        if let Some(fds) = &fds {
            let fits = control.push(SendAncillaryMessage::ScmRights(fds));
            debug_assert!(fits, "room for one descriptor");
        }
        let rest = [IoSlice::new(&self.bytes[self.sent..])];
        sendmsg(socket, &rest, &mut control, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)
    }
}

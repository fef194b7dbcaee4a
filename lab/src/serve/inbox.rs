//! Putting messages together from a stream of bytes and descriptors.

use std::io::IoSliceMut;
use std::mem::{MaybeUninit, take};
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::cmsg_space;
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, recv, recvmsg};

use super::header::Header;
use super::wire::{header, region_access};

/// Most bytes that one read or write of a region may carry; announced to the client.
pub(super) const MAX_DATA: usize = 1 << 20;

/// Most descriptors that one message may carry; announced to the client.
pub(super) const MAX_FDS: usize = 64;

/// The longest message: a REGION_WRITE of `MAX_DATA` bytes.
const MAX_SIZE: usize = header::BYTES + region_access::BYTES + MAX_DATA;

/// The kernel passes no more than this in one go (SCM_MAX_FD).
const KERNEL_MAX_FDS: usize = 253;

/// The payload buffer grows in steps of this, as bytes arrive: a client cannot make us allocate by a header alone.
const STEP: usize = 64 << 10;

/// What came of [`Inbox::receive`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Received {
    /// The rest of the message has not come yet.
    Nothing,
    /// A whole message: see [`Inbox::header`], [`Inbox::payload`] and [`Inbox::take_fds`].
    Message,
    /// The peer has hung up.
    Closed,
    /// The size in the header is impossible; where the next message begins is anybody's guess.
    Garbage,
}

/// The message that is arriving, or has arrived.
///
/// The header is asked for alone: a longer read could bring the descriptors of the next message together with the
/// end of this one. A descriptor belongs to the message if it came with a byte of its header; any other is closed.
#[derive(Default)]
pub(super) struct Inbox {
    bytes: [u8; header::BYTES],
    payload: Vec<u8>,
    /// Bytes of header and payload that are here.
    have: usize,
    fds: Vec<OwnedFd>,
    /// Some of the descriptors were lost: too many for us, or for the process.
    fds_lost: bool,
}

impl Inbox {
    /// Takes what the socket has, up to the end of one message. Call [`clear`](Inbox::clear) after a message.
    pub fn receive(&mut self, socket: BorrowedFd<'_>) -> Received {
        match self.receive_all(socket) {
            Ok(()) => Received::Message,
            Err(other) => other,
        }
    }

    /// Header of the message.
    pub fn header(&self) -> Header {
        Header::parse(&self.bytes)
    }

    /// Payload of the message.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// Descriptors of the message, or why there are none.
    pub fn take_fds(&mut self) -> Result<Vec<OwnedFd>, Errno> {
        match (self.fds_lost, self.fds.len()) {
            (_, n) if n > MAX_FDS => Err(Errno::INVAL),
            (true, _) => Err(Errno::MFILE),
            _ => Ok(take(&mut self.fds)),
        }
    }

    /// Makes room for the next message. Descriptors that nobody took are closed.
    pub fn clear(&mut self) {
        self.have = 0;
        self.payload.clear();
        self.payload.shrink_to(STEP);
        self.fds.clear();
        self.fds_lost = false;
    }

    /// Reads until the message is whole.
    fn receive_all(&mut self, socket: BorrowedFd<'_>) -> Result<(), Received> {
        while self.have < header::BYTES {
            self.receive_header(socket)?;
        }
        let size = self.header().size as usize;
        if !(header::BYTES..=MAX_SIZE).contains(&size) {
            return Err(Received::Garbage);
        }
        while self.have < size {
            self.receive_payload(socket, size)?;
        }
        Ok(())
    }

    /// One read of header bytes, with descriptors.
    fn receive_header(&mut self, socket: BorrowedFd<'_>) -> Result<(), Received> {
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(KERNEL_MAX_FDS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut rest = [IoSliceMut::new(&mut self.bytes[self.have..])];
        let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
        let result = recvmsg(socket, &mut rest, &mut control, flags).map_err(trouble)?;
        self.fds_lost |= result.flags.contains(ReturnFlags::CTRUNC);
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(fds) = message {
                // One above the limit is enough to know; more would only fill the table of open files.
                self.fds.extend(fds.take((MAX_FDS + 1).saturating_sub(self.fds.len())));
            }
        }
        self.arrived(result.bytes)
    }

    /// One read of payload bytes of a message of `size` bytes.
    fn receive_payload(&mut self, socket: BorrowedFd<'_>, size: usize) -> Result<(), Received> {
        let have = self.have - header::BYTES;
        self.payload.resize((size - header::BYTES).min(have + STEP), 0);
        // Without room for descriptors the kernel closes any that come.
        let (bytes, _) = recv(socket, &mut self.payload[have..], RecvFlags::DONTWAIT).map_err(trouble)?;
        self.arrived(bytes)
    }

    fn arrived(&mut self, bytes: usize) -> Result<(), Received> {
        self.have += bytes;
        if bytes == 0 { Err(Received::Closed) } else { Ok(()) }
    }
}

fn trouble(errno: Errno) -> Received {
    match errno {
        Errno::AGAIN | Errno::INTR => Received::Nothing,
        _ => Received::Closed,
    }
}

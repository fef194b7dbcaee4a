//! The socket: one message after the other, each with a deadline, and no trust in who is on the other end.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType,
};

use crate::bus::bytes::{put, u16_at, u32_at};
use crate::bus::wire::{flags, header, limits};

/// Longest wait for one answer.
pub(super) const DEADLINE: Duration = Duration::from_secs(2);

/// Most descriptors that are taken from one message; more are closed by the kernel, and the message is refused.
pub(super) const MAX_FDS: usize = 16;

/// A header and as much payload as our largest request can ask for.
const MAX_MESSAGE: usize = header::BYTES + limits::MAX_DATA_XFER_SIZE as usize + 4096;

/// Why a request has no good answer.
#[derive(Debug, Clone)]
pub(super) enum Fault {
    /// The peer said no, with a Linux error number (1 to 4095).
    Refused(i32),
    /// The connection cannot be used any more: the peer is gone, silent, or out of step.
    Lost(String),
}

/// A good answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) payload: Vec<u8>,
    pub(super) fds: Vec<OwnedFd>,
}

/// A connection on which requests are answered in order.
pub(super) struct Channel {
    socket: OwnedFd,
    state: Mutex<State>,
}

struct State {
    next_id: u16,
    /// Set for good by the first failure: after it nobody knows where in the stream we are.
    lost: Option<String>,
}

impl Channel {
    /// Connects to the socket at `path`.
    pub(super) fn connect(path: &str) -> rustix::io::Result<Channel> {
        let address = SocketAddrUnix::new(path)?;
        let socket =
            rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        // Before connecting: a full backlog would block for good otherwise.
        set_socket_timeout(&socket, Timeout::Send, Some(DEADLINE))?;
        set_socket_timeout(&socket, Timeout::Recv, Some(DEADLINE))?;
        rustix::net::connect(&socket, &address)?;
        Ok(Channel { socket, state: Mutex::new(State { next_id: 0, lost: None }) })
    }

    /// Sends a command with descriptors and waits for the answer.
    pub(super) fn request(
        &self,
        command: u16,
        payload: &[u8],
        fds: &[BorrowedFd<'_>],
    ) -> Result<Reply, Fault> {
        let mut state = self.usable()?;
        let id = state.take_id();
        let answer = self
            .send(&message(id, command, 0, payload), fds)
            .and_then(|()| self.receive(id, command, Instant::now() + DEADLINE));
        if let Err(Fault::Lost(why)) = &answer {
            state.lost = Some(why.clone());
        }
        answer
    }

    /// Sends a command that is not answered.
    pub(super) fn post(&self, command: u16, payload: &[u8]) -> Result<(), Fault> {
        let mut state = self.usable()?;
        let id = state.take_id();
        let sent = self.send(&message(id, command, flags::NO_REPLY, payload), &[]);
        if let Err(Fault::Lost(why)) = &sent {
            state.lost = Some(why.clone());
        }
        sent
    }

    /// Looks whether the peer is still there, without waiting.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread is talking to the peer, and will see for itself.
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        if let Some(why) = &state.lost {
            return Err(Fault::Lost(why.clone()));
        }
        let mut fds = [PollFd::new(&self.socket, PollFlags::IN | PollFlags::RDHUP)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let why = match rustix::event::poll(&mut fds, Some(&now)) {
            Ok(0) | Err(Errno::INTR) => return Ok(()),
            Ok(_) if fds[0].revents().intersects(PollFlags::RDHUP | PollFlags::HUP | PollFlags::ERR) => {
                "the other end has closed the connection".to_string()
            }
            Ok(_) => "a message came that nobody asked for".to_string(),
            Err(errno) => format!("polling the socket: {errno}"),
        };
        state.lost = Some(why.clone());
        Err(Fault::Lost(why))
    }

    fn usable(&self) -> Result<MutexGuard<'_, State>, Fault> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &state.lost {
            Some(why) => Err(Fault::Lost(why.clone())),
            None => Ok(state),
        }
    }

    /// One message is one `sendmsg`: servers read the header in one go. Only what the kernel did not take is sent again.
    fn send(&self, message: &[u8], fds: &[BorrowedFd<'_>]) -> Result<(), Fault> {
        let start = Instant::now();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !fds.is_empty() && !control.push(SendAncillaryMessage::ScmRights(fds)) {
            return Err(Fault::Lost(format!("{} descriptors in one message", fds.len())));
        }
        let mut sent = 0;
        while sent < message.len() {
            let rest = [IoSlice::new(&message[sent..])];
            match rustix::net::sendmsg(&self.socket, &rest, &mut control, SendFlags::NOSIGNAL) {
                Ok(bytes) => {
                    sent += bytes;
                    control.clear();
                }
                Err(Errno::INTR) if start.elapsed() < DEADLINE => {}
                Err(errno) => return Err(lost("sending", errno)),
            }
        }
        Ok(())
    }

    fn receive(&self, id: u16, command: u16, deadline: Instant) -> Result<Reply, Fault> {
        // Exactly the header first: then the descriptors that come are this message's.
        let mut head = [0; header::BYTES];
        let mut fds = Vec::new();
        self.fill(&mut head, &mut fds, deadline)?;
        let size = u32_at(&head, header::SIZE) as usize;
        let kind = u32_at(&head, header::FLAGS);
        let (its_id, its_command) = (u16_at(&head, header::ID), u16_at(&head, header::COMMAND));
        if !(header::BYTES..=MAX_MESSAGE).contains(&size) || kind & flags::TYPE_MASK != flags::REPLY {
            return Err(Fault::Lost(format!("no answer but {size} bytes with flags {kind:#x}")));
        }
        if (its_id, its_command) != (id, command) {
            let why = format!("an answer to command {its_command} id {its_id}, not to {command} id {id}");
            return Err(Fault::Lost(why));
        }
        // Error answers may have a payload as well.
        let mut payload = vec![0; size - header::BYTES];
        self.fill(&mut payload, &mut fds, deadline)?;
        if kind & flags::ERROR != 0 {
            let errno = u32_at(&head, header::ERRNO) as i32;
            let known = (1..4096).contains(&errno);
            return Err(Fault::Refused(if known { errno } else { Errno::INVAL.raw_os_error() }));
        }
        Ok(Reply { payload, fds })
    }

    /// Reads until `bytes` is full, keeping what descriptors come along.
    fn fill(&self, bytes: &mut [u8], fds: &mut Vec<OwnedFd>, deadline: Instant) -> Result<(), Fault> {
        let mut filled = 0;
        while filled < bytes.len() {
            if Instant::now() > deadline {
                return Err(Fault::Lost(format!("no answer within {DEADLINE:?}")));
            }
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let mut rest = [IoSliceMut::new(&mut bytes[filled..])];
            match rustix::net::recvmsg(&self.socket, &mut rest, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Ok(message) => {
                    fds.extend(control.drain().flat_map(|message| match message {
                        RecvAncillaryMessage::ScmRights(fds) => fds.collect::<Vec<_>>(),
                        _ => Vec::new(),
                    }));
                    if message.bytes == 0 {
                        return Err(Fault::Lost("the other end has closed the connection".into()));
                    }
                    if message.flags.contains(ReturnFlags::CTRUNC) {
                        return Err(Fault::Lost(format!("more than {MAX_FDS} descriptors in a message")));
                    }
                    filled += message.bytes;
                }
                Err(Errno::INTR) => {}
                Err(errno) => return Err(lost("receiving", errno)),
            }
        }
        Ok(())
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl State {
    fn take_id(&mut self) -> u16 {
        self.next_id = self.next_id.wrapping_add(1);
        self.next_id
    }
}

fn lost(doing: &str, errno: Errno) -> Fault {
    Fault::Lost(match errno {
        Errno::AGAIN => format!("no answer within {DEADLINE:?}"),
        Errno::PIPE | Errno::CONNRESET => "the other end has closed the connection".into(),
        other => format!("{doing}: {other}"),
    })
}

fn message(id: u16, command: u16, flags: u32, payload: &[u8]) -> Vec<u8> {
    let mut message = vec![0; header::BYTES + payload.len()];
    put(&mut message, header::ID, &id.to_ne_bytes());
    put(&mut message, header::COMMAND, &command.to_ne_bytes());
    let size = message.len() as u32;
    put(&mut message, header::SIZE, &size.to_ne_bytes());
    put(&mut message, header::FLAGS, &flags.to_ne_bytes());
    put(&mut message, header::BYTES, payload);
    message
}

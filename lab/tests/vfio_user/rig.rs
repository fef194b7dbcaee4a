//! A server, a device, and the client's end of a connection, all on the test's own thread.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use ringway_lab::serve::Server;
use rustix::cmsg_space;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};

use crate::fake::Fake;

pub const EINVAL: u32 = 22;
pub const EEXIST: u32 = 17;
pub const ENOENT: u32 = 2;
pub const EBUSY: u32 = 16;
pub const EOPNOTSUPP: u32 = 95;
pub const EPERM: u32 = 1;
pub const EIO: u32 = 5;

/// Bytes from a dump: hexadecimal, white space anywhere.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// Words, little-endian.
pub fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A command with its header.
pub fn message(id: u16, command: u16, flags: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = words(&[u32::from(id) | u32::from(command) << 16, 16 + payload.len() as u32, flags, 0]);
    bytes.extend(payload);
    bytes
}

/// A VERSION with this JSON text (NUL included, if wanted).
pub fn version(text: &[u8]) -> Vec<u8> {
    message(0, 1, 0, &[&[0, 0, 1, 0], text].concat())
}

pub fn read(id: u16, region: u32, offset: u64, count: u32) -> Vec<u8> {
    message(id, 9, 0, &[&offset.to_le_bytes()[..], &words(&[region, count])].concat())
}

pub fn write(id: u16, flags: u32, region: u32, offset: u64, data: &[u8]) -> Vec<u8> {
    let head = [&offset.to_le_bytes()[..], &words(&[region, data.len() as u32]), data].concat();
    message(id, 10, flags, &head)
}

pub fn dma_map(id: u16, flags: u32, offset: u64, iova: u64, size: u64) -> Vec<u8> {
    let mut payload = words(&[32, flags]);
    payload.extend([offset, iova, size].iter().flat_map(|n| n.to_le_bytes()));
    message(id, 2, 0, &payload)
}

pub fn dma_unmap(id: u16, flags: u32, iova: u64, size: u64) -> Vec<u8> {
    let mut payload = words(&[24, flags]);
    payload.extend([iova, size].iter().flat_map(|n| n.to_le_bytes()));
    message(id, 3, 0, &payload)
}

pub fn set_irqs(id: u16, flags: u32, index: u32, start: u32, count: u32, bools: &[u8]) -> Vec<u8> {
    let payload = [&words(&[20 + bools.len() as u32, flags, index, start, count])[..], bools].concat();
    message(id, 8, 0, &payload)
}

/// A good reply without payload.
pub fn good(id: u16, command: u16) -> Vec<u8> {
    message(id, command, 1, &[])
}

/// An error reply.
pub fn bad(id: u16, command: u16, errno: u32) -> Vec<u8> {
    words(&[u32::from(id) | u32::from(command) << 16, 16, 0x21, errno])
}

/// A memfd that can be mapped.
pub fn memory_file(bytes: u64) -> OwnedFd {
    let file = unsealed_file(bytes);
    fcntl_add_seals(&file, SealFlags::SHRINK).unwrap();
    file
}

pub fn unsealed_file(bytes: u64) -> OwnedFd {
    let file = memfd_create("client", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
    ftruncate(&file, bytes).unwrap();
    file
}

pub fn eventfds(count: usize) -> Vec<OwnedFd> {
    (0..count).map(|_| eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).unwrap()).collect()
}

/// How often the eventfd was signalled since the last look.
pub fn signals(fd: &OwnedFd) -> u64 {
    let mut count = [0; 8];
    match rustix::io::read(fd, &mut count) {
        Ok(_) => u64::from_le_bytes(count),
        Err(_) => 0,
    }
}

/// Descriptors of this process that lead to the same file or eventfd as `fd`.
pub fn copies(fd: &OwnedFd) -> usize {
    let wanted = identity(fd.as_raw_fd());
    let all = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| identity(*number) == wanted).count()
}

/// What a descriptor leads to. All eventfds share one inode, but each has a number of its own.
fn identity(number: i32) -> Option<(String, Option<String>)> {
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).ok()?;
    let line = |key| info.lines().find(|line| line.starts_with(key)).map(str::to_owned);
    Some((line("ino:")?, line("eventfd-id:")))
}

/// A message as the client received it.
#[derive(Debug, Default)]
pub struct Reply {
    pub bytes: Vec<u8>,
    pub fds: Vec<OwnedFd>,
}

/// The client's end of a connection.
pub struct Connection(pub OwnedFd);

impl Connection {
    /// A connection to `server`.
    pub fn new(server: &mut Server) -> Self {
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap();
        server.adopt(theirs);
        Connection(ours)
    }

    pub fn send(&self, bytes: &[u8]) {
        self.send_fds(bytes, &[]);
    }

    /// One `sendmsg`.
    pub fn send_fds(&self, bytes: &[u8], fds: &[BorrowedFd<'_>]) {
        assert_eq!(self.try_send(bytes, fds).unwrap(), bytes.len());
    }

    pub fn try_send(&self, bytes: &[u8], fds: &[BorrowedFd<'_>]) -> Result<usize, Errno> {
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(253))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !fds.is_empty() {
            assert!(control.push(SendAncillaryMessage::ScmRights(fds)));
        }
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        sendmsg(&self.0, &[IoSlice::new(bytes)], &mut control, flags)
    }

    /// The next whole message, if it is here.
    pub fn receive(&self) -> Option<Reply> {
        let mut reply = Reply { bytes: vec![0; 16], fds: Vec::new() };
        if self.fill(&mut reply, 0)? < 16 {
            return None;
        }
        let size = u32::from_le_bytes(reply.bytes[4..8].try_into().unwrap()) as usize;
        reply.bytes.resize(size, 0);
        let mut have = 16;
        while have < size {
            have += self.fill(&mut reply, have)?;
        }
        Some(reply)
    }

    /// Whether the server has closed the connection, and everything was received.
    pub fn is_closed(&self) -> bool {
        let mut byte = Reply { bytes: vec![0], fds: Vec::new() };
        self.fill(&mut byte, 0) == Some(0)
    }

    fn fill(&self, reply: &mut Reply, from: usize) -> Option<usize> {
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(8))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        let received =
            match recvmsg(&self.0, &mut [IoSliceMut::new(&mut reply.bytes[from..])], &mut control, flags) {
                Ok(result) => result.bytes,
                Err(Errno::CONNRESET) => 0,
                Err(_) => return None,
            };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(fds) = message {
                reply.fds.extend(fds);
            }
        }
        Some(received)
    }
}

/// One server, one device, one client.
pub struct Rig {
    pub server: Server,
    pub device: Fake,
    pub client: Connection,
}

impl Rig {
    /// The client has not said anything yet.
    pub fn new() -> Self {
        let mut server = Server::unbound();
        let client = Connection::new(&mut server);
        Rig { server, device: Fake::default(), client }
    }

    /// The client has the device.
    pub fn connected() -> Self {
        Rig::connected_with(b"")
    }

    /// The client has the device, and has sent this JSON text.
    pub fn connected_with(text: &[u8]) -> Self {
        let mut rig = Rig::new();
        let reply = rig.ask(&version(text));
        assert_eq!(reply[8], 1, "VERSION was refused");
        assert_eq!(rig.device.take_log(), ["attached"]);
        rig.device.synchronised = 0;
        rig
    }

    /// Lets the server do all it can.
    pub fn poll(&mut self) {
        while self.server.poll(&mut self.device) > 0 {}
    }

    /// Sends a message and returns the reply.
    pub fn ask(&mut self, message: &[u8]) -> Vec<u8> {
        self.ask_fds(message, &[]).bytes
    }

    /// Sends a message with descriptors and returns the reply with descriptors.
    pub fn ask_fds(&mut self, message: &[u8], fds: &[OwnedFd]) -> Reply {
        let fds: Vec<_> = fds.iter().map(AsFd::as_fd).collect();
        self.client.send_fds(message, &fds);
        self.poll();
        self.client.receive().unwrap_or_else(|| panic!("no reply to {message:02x?}"))
    }

    /// The client is still in step: a read of BAR0+8 is answered as it should be, and by nothing else.
    pub fn probe(&mut self) {
        self.device.bytes[0][8..12].copy_from_slice(&[0x80, 0, 0, 0]);
        let reply = self.ask(&read(0xabcd, 0, 8, 4));
        let wanted = message(0xabcd, 9, 1, &[&words(&[8, 0, 0, 4])[..], &[0x80, 0, 0, 0]].concat());
        assert_eq!(reply, wanted, "out of step");
        assert!(self.client.receive().is_none(), "one reply too many");
    }

    /// The message is refused with `errno`, and the connection stays in step.
    pub fn refused(&mut self, message: &[u8], errno: u32) {
        self.refused_fds(message, &[], errno);
    }

    /// The message with descriptors is refused, the descriptors are closed, and the connection stays in step.
    pub fn refused_fds(&mut self, message: &[u8], fds: &[OwnedFd], errno: u32) {
        let before: Vec<_> = fds.iter().map(copies).collect();
        let reply = self.ask_fds(message, fds);
        let id = u16::from_le_bytes([message[0], message[1]]);
        let command = u16::from_le_bytes([message[2], message[3]]);
        assert_eq!(reply.bytes, bad(id, command, errno), "reply to {message:02x?}");
        assert!(reply.fds.is_empty());
        let notes = self.server.take_notes();
        assert_eq!(notes.len(), 1, "{notes:?}");
        self.probe();
        assert_eq!(fds.iter().map(copies).collect::<Vec<_>>(), before, "descriptors were kept");
    }
}

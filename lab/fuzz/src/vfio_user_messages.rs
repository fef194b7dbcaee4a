//! Any client against the vfio-user server: well-formed commands with odd arguments, messages that lie about their
//! length, raw bytes, descriptors of all kinds anywhere, clients that vanish.
//!
//! A second, much simpler reader of the same stream says what must come back. Whatever is sent, the server
//!
//! * does not panic and does not hand nonsense to the device (which checks that itself);
//! * answers each command that wants a reply exactly once, in order, with its own id and number;
//! * either closes the connection after something that cannot be understood, or answers a probe at the end;
//! * lets the device reach what is mapped, and nothing else.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use arbitrary::{Arbitrary, Result, Unstructured};
use ringway_lab::serve::Server;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use crate::fake::{BAR0_BYTES, Fake, VECTORS};
use crate::input::{around, bytes, few, rare};
use crate::rig::{self, Connection, message, words};

/// A whole run.
#[derive(Arbitrary, Debug)]
pub struct Input {
    /// One client in eight says itself what version it speaks.
    #[arbitrary(with = rare)]
    pub hello: Option<()>,
    #[arbitrary(with = mostly_commands)]
    pub steps: Vec<Step>,
}

/// One thing that happens.
#[derive(Arbitrary, Debug)]
pub enum Step {
    /// A command.
    Command(Message),
    /// Bytes without any sense.
    Bytes {
        #[arbitrary(with = bytes)]
        bytes: Vec<u8>,
        #[arbitrary(with = few)]
        files: Vec<File>,
    },
    /// The server gets turns only now and then.
    Poll,
    /// The device uses the client's memory.
    Dma { page: u8, offset: u16, length: u16, write: bool },
    /// Another client tries its luck.
    Rival {
        #[arbitrary(with = bytes)]
        hello: Vec<u8>,
    },
    /// The client leaves and comes back.
    Vanish,
    /// The device hangs up.
    HangUp,
}

/// A command, sent in two pieces if it is longer than `cut`.
#[derive(Arbitrary, Debug)]
pub struct Message {
    id: u16,
    flags: Flags,
    command: Command,
    #[arbitrary(with = few)]
    files: Vec<File>,
    cut: u8,
    /// The size in the header is wrong by so much.
    #[arbitrary(with = rare)]
    lie: Option<i8>,
}

/// Three steps of four are commands.
fn mostly_commands(input: &mut Unstructured<'_>) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    while !input.is_empty() && steps.len() < 300 {
        let step = if input.ratio(3, 4)? { Step::Command(input.arbitrary()?) } else { input.arbitrary()? };
        steps.push(step);
    }
    Ok(steps)
}

/// Flags of a header.
#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Flags {
    Command,
    NoReply,
    Plain,
    Any(u8),
}

/// A payload that may make sense. Small numbers are pages, vectors or the like; wild ones are anything.
#[derive(Arbitrary, Debug)]
pub enum Command {
    Version {
        minor: u16,
        text: Text,
    },
    DmaMap {
        argsz: u8,
        #[arbitrary(with = |u: &mut Unstructured| u.choose(&[3, 3, 3, 1, 2, 0, 7, 255]).copied())]
        flags: u8,
        offset: u8,
        page: u8,
        pages: u8,
        #[arbitrary(with = rare)]
        wild: Option<(u64, u64, u64)>,
    },
    DmaUnmap {
        #[arbitrary(with = |u: &mut Unstructured| u.choose(&[0, 0, 0, 2, 1, 255]).copied())]
        flags: u8,
        page: u8,
        pages: u8,
        #[arbitrary(with = rare)]
        wild: Option<(u64, u64)>,
    },
    Info {
        argsz: u8,
    },
    RegionInfo {
        argsz: u8,
        #[arbitrary(with = |u: &mut Unstructured| u.int_in_range(0..=10))]
        index: u8,
    },
    RegionIoFds {
        index: u8,
    },
    IrqInfo {
        index: u8,
    },
    SetIrqs {
        #[arbitrary(with = |u: &mut Unstructured| u.choose(&[0x21, 0x22, 0x24, 0x24, 0x09, 0x11, 0xff]).copied())]
        flags: u8,
        #[arbitrary(with = |u: &mut Unstructured| u.choose(&[2, 2, 2, 0, 5, 255]).copied())]
        index: u8,
        #[arbitrary(with = |u: &mut Unstructured| around(VECTORS.into(), u))]
        start: u64,
        #[arbitrary(with = |u: &mut Unstructured| u.choose(&[1, 1, 2, 3, 4, 0, 64, 65]).copied())]
        count: u32,
        #[arbitrary(with = rare)]
        wild: Option<(u32, u32)>,
        #[arbitrary(with = few)]
        bools: Vec<bool>,
    },
    Read(Place),
    Write(Place, #[arbitrary(with = bytes)] Vec<u8>),
    WriteMulti {
        #[arbitrary(with = few)]
        entries: Vec<Place>,
        #[arbitrary(with = rare)]
        wild: Option<u64>,
    },
    Reset,
    Any {
        number: u16,
        #[arbitrary(with = bytes)]
        payload: Vec<u8>,
    },
}

/// Where a region is accessed.
#[derive(Arbitrary, Debug)]
pub struct Place {
    #[arbitrary(with = |u: &mut Unstructured| u.choose(&[0, 0, 0, 7, 7, 1, 2, 3, 9, 255]).copied())]
    region: u32,
    #[arbitrary(with = |u: &mut Unstructured| {
        let edge = *u.choose(&[BAR0_BYTES, 0x100, 0x1000, u64::MAX])?;
        around(edge, u)
    })]
    offset: u64,
    #[arbitrary(with = |u: &mut Unstructured| u.choose(&[4, 4, 1, 2, 8, 0, 9, 0x100]).copied())]
    count: u32,
    #[arbitrary(with = rare)]
    wild: Option<u32>,
}

/// JSON of VERSION.
#[derive(Arbitrary, Debug)]
pub enum Text {
    Missing,
    Multiple,
    NoFds,
    Any(#[arbitrary(with = bytes)] Vec<u8>),
}

/// A descriptor.
#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum File {
    Memory,
    Unsealed,
    Eventfd,
    Socket,
}

const PAGE: u64 = 4096;
/// Longest message that the server takes.
const LONGEST: usize = 16 + 16 + (1 << 20);

impl Command {
    fn number(&self) -> u16 {
        match self {
            Command::Version { .. } => 1,
            Command::DmaMap { .. } => 2,
            Command::DmaUnmap { .. } => 3,
            Command::Info { .. } => 4,
            Command::RegionInfo { .. } => 5,
            Command::RegionIoFds { .. } => 6,
            Command::IrqInfo { .. } => 7,
            Command::SetIrqs { .. } => 8,
            Command::Read(_) => 9,
            Command::Write(..) => 10,
            Command::Reset => 13,
            Command::WriteMulti { .. } => 15,
            Command::Any { number, .. } => *number,
        }
    }

    fn payload(&self) -> Vec<u8> {
        let quads = |quads: &[u64]| quads.iter().flat_map(|quad| quad.to_ne_bytes()).collect::<Vec<u8>>();
        match self {
            Command::Version { minor, text } => {
                [&words(&[u32::from(*minor) << 16])[..], &text.bytes()].concat()
            }
            Command::DmaMap { argsz, flags, offset, page, pages, wild } => {
                let sane = (
                    u64::from(*offset % 9) * PAGE,
                    u64::from(*page % 16) * PAGE,
                    u64::from(*pages % 9) * PAGE,
                );
                let (offset, iova, size) = wild.unwrap_or(sane);
                [words(&[32 + u32::from(*argsz), u32::from(*flags)]), quads(&[offset, iova, size])].concat()
            }
            Command::DmaUnmap { flags, page, pages, wild } => {
                let (iova, size) =
                    wild.unwrap_or((u64::from(*page % 16) * PAGE, u64::from(*pages % 9) * PAGE));
                [words(&[24, u32::from(*flags)]), quads(&[iova, size])].concat()
            }
            Command::Info { argsz } => words(&[u32::from(*argsz), 0, 0, 0]),
            Command::RegionInfo { argsz, index } => {
                words(&[u32::from(*argsz), 0, u32::from(*index), 0, 0, 0, 0, 0])
            }
            Command::RegionIoFds { index } | Command::IrqInfo { index } => {
                words(&[16, 0, u32::from(*index), 0])
            }
            Command::SetIrqs { flags, index, start, count, wild, bools } => {
                let (start, count) = wild.unwrap_or((*start as u32, *count));
                let head = words(&[20, u32::from(*flags), u32::from(*index), start, count]);
                head.into_iter().chain(bools.iter().map(|b| u8::from(*b))).collect()
            }
            Command::Read(place) => place.bytes(place.count),
            Command::Write(place, data) => [&place.bytes(data.len() as u32)[..], data].concat(),
            Command::WriteMulti { entries, wild } => {
                let mut bytes = quads(&[wild.unwrap_or(entries.len() as u64)]);
                for place in entries {
                    bytes.extend(place.bytes(place.count));
                    bytes.extend(words(&[1, 2]));
                }
                bytes
            }
            Command::Reset => Vec::new(),
            Command::Any { payload, .. } => payload.clone(),
        }
    }
}

impl Place {
    /// The first 16 bytes of an access of `count` bytes.
    fn bytes(&self, count: u32) -> Vec<u8> {
        let count = self.wild.unwrap_or(count);
        [self.offset.to_ne_bytes().to_vec(), words(&[self.region, count])].concat()
    }
}

impl Text {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Text::Missing => Vec::new(),
            Text::Multiple => b"{\"capabilities\":{\"write_multiple\":true}}\0".to_vec(),
            Text::NoFds => b"{\"capabilities\":{\"max_msg_fds\":0}}\0".to_vec(),
            Text::Any(bytes) => bytes.clone(),
        }
    }
}

/// One of each kind, made once for all runs.
struct Files([OwnedFd; 4]);

impl Files {
    fn new() -> Self {
        let eventfd = rig::eventfds(1).pop().expect("asked for one");
        let socket = std::os::unix::net::UnixStream::pair().expect("a socket pair").0.into();
        Files([rig::memory_file(8 * PAGE), rig::unsealed_file(8 * PAGE), eventfd, socket])
    }

    fn choose(&self, files: &[File]) -> Vec<BorrowedFd<'_>> {
        files.iter().take(80).map(|file| self.0[*file as usize].as_fd()).collect()
    }
}

thread_local! {
    static FILES: Files = Files::new();
}

/// The simple reader: cuts the stream into messages and knows which replies must come.
#[derive(Default)]
struct Expected {
    stream: Vec<u8>,
    /// Header of each reply to come, as far as it is known: id and command. And whether the request was a VERSION
    /// that ends the connection if it is refused.
    replies: VecDeque<([u8; 4], bool)>,
    /// A VERSION that wants no reply was sent: whether it was accepted shows only in what follows.
    silent_version: bool,
    /// An impossible size was sent: the server closes, after replying to this.
    garbage: bool,
}

impl Expected {
    /// The client has sent this.
    fn sent(&mut self, bytes: &[u8]) {
        if self.garbage {
            return;
        }
        self.stream.extend(bytes);
        while self.stream.len() >= 16 {
            let size = self.size();
            let tag: [u8; 4] = self.stream[..4].try_into().expect("4 bytes");
            if !(16..=LONGEST).contains(&size) {
                self.garbage = true;
                self.replies.push_back((tag, false));
                return;
            }
            if self.stream.len() < size {
                return;
            }
            let flags = self.stream[8];
            let version = tag[2..] == [1, 0] && flags & 0x0f == 0;
            if flags & 0x10 != 0 {
                self.silent_version |= version;
            } else if flags & 0x0f != 1 {
                self.replies.push_back((tag, version));
            }
            self.stream.drain(..size);
        }
    }

    fn size(&self) -> usize {
        u32::from_ne_bytes(self.stream[4..8].try_into().expect("4 bytes")) as usize
    }

    /// What is missing of the message that was begun.
    fn missing(&self) -> usize {
        match self.stream.len() {
            _ if self.garbage => 0,
            0 => 0,
            have @ 1..16 => 16 - have,
            have => self.size() - have,
        }
    }
}

/// One client, and what it is owed.
struct Session {
    client: Connection,
    expected: Expected,
    /// VERSION was answered well.
    agreed: bool,
    /// VERSION failed, or garbage was sent, or the device hung up.
    closing: bool,
}

struct World {
    server: Server,
    device: Fake,
    session: Session,
}

/// Plays the steps.
pub fn run(input: Input) {
    let mut server = Server::unbound();
    let session = Session::new(&mut server);
    let mut world = World { server, device: Fake::default(), session };
    FILES.with(|files| {
        if input.hello.is_none() {
            world.send(&rig::version(b"{\"capabilities\":{\"write_multiple\":true}}\0"), &[]);
            world.poll();
        }
        for step in input.steps {
            world.step(step, files);
        }
    });
    world.finish();
}

impl Session {
    fn new(server: &mut Server) -> Self {
        let client = Connection::new(server);
        let flags = fcntl_getfl(&client.0).expect("a socket has flags");
        fcntl_setfl(&client.0, flags | OFlags::NONBLOCK).expect("a socket can be made non-blocking");
        Session { client, expected: Expected::default(), agreed: false, closing: false }
    }
}

impl World {
    fn step(&mut self, step: Step, files: &Files) {
        match step {
            Step::Command(Message { id, flags, command, files: with, cut, lie }) => {
                let flags = match flags {
                    Flags::Command | Flags::Plain => 0,
                    Flags::NoReply => 0x10,
                    Flags::Any(flags) => u32::from(flags),
                };
                let mut bytes = message(id, command.number(), flags, &command.payload());
                if let Some(lie) = lie {
                    let size = (bytes.len() as u32).wrapping_add_signed(i32::from(lie));
                    bytes[4..8].copy_from_slice(&size.to_ne_bytes());
                }
                let (one, two) = bytes.split_at((cut as usize).min(bytes.len()));
                self.send(one, &files.choose(&with));
                self.send(two, &[]);
            }
            Step::Bytes { bytes, files: with } => self.send(&bytes, &files.choose(&with)),
            Step::Poll => self.poll(),
            Step::Dma { page, offset, length, write } => self.dma(page, offset, length, write),
            Step::Rival { hello } => self.rival(&hello),
            Step::Vanish => {
                self.session = Session::new(&mut self.server);
                self.poll();
            }
            Step::HangUp => {
                self.device.hang_up = true;
                self.session.closing |= self.server.client_present();
                self.server.poll(&mut self.device);
                self.device.hang_up = false;
            }
        }
    }

    fn send(&mut self, bytes: &[u8], fds: &[BorrowedFd<'_>]) {
        let mut fds = fds;
        let mut rest = bytes;
        for _ in 0..10_000 {
            if rest.is_empty() {
                return;
            }
            match self.session.client.try_send(rest, fds) {
                Ok(sent) => {
                    self.session.expected.sent(&rest[..sent]);
                    rest = &rest[sent..];
                    fds = &[];
                }
                Err(rustix::io::Errno::AGAIN) => self.poll(),
                Err(_) => {
                    self.poll();
                    let expected = &self.session.expected;
                    let reason = self.session.closing || expected.garbage || expected.silent_version;
                    assert!(reason, "closed without a reason");
                    return;
                }
            }
        }
        panic!("the server does not read");
    }

    /// Gives the server turns until it has nothing to do, and takes the replies.
    fn poll(&mut self) {
        for _ in 0..10_000 {
            let done = self.server.poll(&mut self.device);
            let received = self.receive();
            if done == 0 && !received {
                return;
            }
        }
        panic!("the server never comes to rest");
    }

    /// Takes what has come. Returns whether there was anything.
    fn receive(&mut self) -> bool {
        let mut any = false;
        while let Some(reply) = self.session.client.receive() {
            any = true;
            let owed = self.session.expected.replies.pop_front();
            let (tag, version) =
                owed.unwrap_or_else(|| panic!("a reply that nobody asked for: {:02x?}", reply.bytes));
            assert_eq!(reply.bytes[..4], tag, "out of order");
            let failed = match reply.bytes[8..12] {
                [1, 0, 0, 0] => false,
                [0x21, 0, 0, 0] => true,
                _ => panic!("flags {:02x?}", &reply.bytes[8..12]),
            };
            assert!(
                !failed || (reply.bytes.len() == 16 && reply.bytes[12..] != [0; 4]),
                "{:02x?}",
                reply.bytes
            );
            if version && !self.session.agreed && !self.session.expected.silent_version {
                self.session.agreed = !failed;
                self.session.closing |= failed;
            }
        }
        any
    }

    /// A range of memory is usable if and only if it is mapped.
    fn dma(&mut self, page: u8, offset: u16, length: u16, write: bool) {
        let memory = &self.device.memory;
        let start = u64::from(page % 20) * PAGE + u64::from(offset);
        let mut bytes = vec![0xa5; usize::from(length)];
        let worked = if write { memory.write(start, &bytes) } else { memory.read(start, &mut bytes) }.is_ok();
        let end = start + u64::from(length);
        let covered = memory.ranges().fold(start, |at, (iova, size)| {
            if iova <= at && at - iova < size { iova.saturating_add(size) } else { at }
        }) >= end;
        // A mapping may forbid what was tried, so covered is not always usable.
        assert!(covered || !worked || length == 0, "{length} bytes at {start:#x}");
    }

    fn rival(&mut self, hello: &[u8]) {
        let rival = Connection::new(&mut self.server);
        let _ = rival.try_send(hello, &[]);
        self.poll();
        drop(rival);
        self.poll();
        // If it was let in, it has left again; then the device was free, and still is.
    }

    /// Completes the last message, then asks something that has one right answer.
    fn finish(mut self) {
        self.poll();
        if !self.session.expected.garbage && !self.session.closing {
            for _ in ["header", "payload"] {
                let zeros = vec![0; self.session.expected.missing()];
                self.send(&zeros, &[]);
            }
            self.poll();
        }
        let closed = self.session.client.is_closed();
        if self.session.expected.garbage || self.session.closing {
            assert!(closed, "the server should have hung up");
        } else if self.session.expected.silent_version && closed {
            // That VERSION was refused.
        } else {
            self.probe();
        }
        drop(self.session.client);
        for _ in 0..10 {
            self.server.poll(&mut self.device);
        }
        assert!(!self.server.client_present() && self.device.eventfds.is_empty());
        assert_eq!(self.device.memory.ranges().len(), 0);
    }

    fn probe(&mut self) {
        assert!(self.session.expected.replies.is_empty(), "unanswered: {:?}", self.session.expected.replies);
        if !self.session.agreed && !self.session.expected.silent_version {
            self.send(&rig::version(b""), &[]);
            self.poll();
        }
        self.device.bytes[0][8..12].copy_from_slice(&[0x80, 1, 2, 3]);
        let question = rig::read(0xabcd, 0, 8, 4);
        self.send(&question, &[]);
        for _ in 0..3 {
            self.server.poll(&mut self.device);
        }
        let reply = self.session.client.receive().expect("no answer to the probe");
        assert_eq!(reply.bytes, message(0xabcd, 9, 1, &[&question[16..], &[0x80, 1, 2, 3]].concat()));
    }
}

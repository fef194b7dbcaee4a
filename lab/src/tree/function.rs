//! One function of the tree: notices drivers that come and go, and passes on what is not in shared memory.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::inotify;

use super::address::Address;
use super::config::{ConfigFile, shared_file};
use super::files::{self, Contents};
use super::physical::PhysicalMemory;
use super::processes::companions;
use super::uio::Uio;
use super::watching::{Watching, holds};
use crate::clock::Nanos;
use crate::device::Device;

/// How often files are looked at. That takes system calls, which nothing in them is in a hurry for.
const EVERY_NS: u64 = 50_000;

const BAR0: u32 = 0;
/// BAR3, which holds the MSI-X table. Without a bus nothing in it means anything.
const BAR3: u32 = 3;

/// A function that can be opened.
#[derive(Debug)]
pub struct Function {
    address: Address,
    config: ConfigFile,
    uio: Uio,
    /// The files of the BARs, held open for whoever opens the function.
    _bars: [OwnedFd; 2],
    inotify: OwnedFd,
    reset_watch: i32,
    terminal_watch: i32,
    /// `/dev/uioN` is open: a kernel driver would have the function, and would have let it master the bus.
    uio_open: bool,
    /// Inode of BAR0's file.
    bar: u64,
    present: bool,
    /// When to look at the files again.
    next: Nanos,
    watching: Watching,
    notes: Vec<String>,
}

/// What inotify had to say.
#[derive(Default)]
struct Happened {
    opened: bool,
    closed: bool,
    uio_opened: bool,
    reset: bool,
}

impl Function {
    /// Makes the files of `device` at `address`, with a `/dev/uioN`, in the namespace that this process is in.
    /// From now on the device finds memory by physical address.
    ///
    /// # Errors
    ///
    /// The device's registers are no plain memory, or what the system says to a file that it does not make.
    pub fn new(address: Address, device: &mut dyn Device) -> io::Result<Self> {
        let terminal = Uio::new()?;
        terminal.bind(device)?;
        device.memory().set_backing(Box::new(PhysicalMemory::new()?));
        let mut config = ConfigFile::new()?;
        config.show(device);
        let (bar, _) = device.mappable(BAR0).ok_or_else(|| io::Error::other("BAR0 is no shared memory"))?;
        let bar = bar.try_clone_to_owned()?;
        let msix_bytes = device.regions().get(BAR3 as usize).map_or(0, |region| region.size);
        let msix = shared_file("ringway-msix", msix_bytes as usize)?;
        let inotify = inotify::init(inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC)?;
        let inode = rustix::fs::fstat(&bar)?.st_ino;
        inotify::add_watch(
            &inotify,
            format!("/proc/self/fd/{}", bar.as_raw_fd()),
            inotify::WatchFlags::OPEN | inotify::WatchFlags::CLOSE,
        )?;
        let bars = [(BAR0, bar.as_fd()), (BAR3, msix.as_fd())];
        let contents = Contents { bars: &bars, config: config.file(), terminal: terminal.path() };
        files::make(address, device, &contents)?;
        let reset = files::directory(address).join("reset");
        let reset_watch = inotify::add_watch(&inotify, &reset, inotify::WatchFlags::MODIFY)?;
        let terminal_watch = inotify::add_watch(&inotify, terminal.path(), inotify::WatchFlags::OPEN)?;
        Ok(Function {
            address,
            config,
            uio: terminal,
            _bars: [bar, msix],
            inotify,
            reset_watch,
            terminal_watch,
            uio_open: false,
            bar: inode,
            present: false,
            next: Nanos::default(),
            watching: Watching::new(inode, device.watched()),
            notes: Vec::new(),
        })
    }

    /// Its address.
    pub fn address(&self) -> Address {
        self.address
    }

    /// Whether a driver has it.
    pub fn is_open(&self) -> bool {
        self.present
    }

    /// What there was to say since the last call.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// What to wait for when there is nothing to do.
    pub fn poll_fds<'a>(&'a self, fds: &mut Vec<PollFd<'a>>) {
        fds.push(PollFd::new(&self.inotify, PollFlags::IN));
    }

    /// Tells the device of accesses that the processor has noticed. Cheap; for every round.
    #[inline]
    pub fn glance(&mut self, device: &mut dyn Device) {
        self.watching.tell(device);
    }

    /// Does what can be done now. Returns how much.
    pub fn poll(&mut self, device: &mut dyn Device, now: Nanos) -> usize {
        if now < self.next {
            return 0;
        }
        self.next = Nanos(now.0 + EVERY_NS);
        let happened = self.happened();
        let mut done = 0;
        self.uio_open |= happened.uio_opened;
        if happened.opened && !self.present {
            self.present = true;
            device.attached();
            done += 1;
        }
        if self.present && std::mem::take(&mut self.uio_open) {
            self.config.look(device);
            self.config.set_master(device);
        }
        if happened.reset {
            device.reset();
            done += 1;
        }
        if self.present {
            done += self.config.look(device) + self.uio.poll();
            self.watching.follow(now, &mut self.notes);
        }
        if happened.closed && self.present && !self.is_held() {
            self.leave(device);
            done += 1;
        }
        done
    }

    /// The driver has gone, or is to be treated as if it had.
    pub fn leave(&mut self, device: &mut dyn Device) {
        if !std::mem::replace(&mut self.present, false) {
            return;
        }
        self.config.look(device);
        self.watching.stop();
        device.detached();
        device.memory().clear();
        self.config.show(device);
        self.uio.reset();
    }

    /// Some process still has BAR0 open or mapped.
    fn is_held(&self) -> bool {
        companions().into_iter().any(|process| holds(process, self.bar))
    }

    fn happened(&self) -> Happened {
        let mut happened = Happened::default();
        let mut buffer = [std::mem::MaybeUninit::uninit(); 1024];
        let mut reader = inotify::Reader::new(&self.inotify, &mut buffer);
        while let Ok(event) = reader.next() {
            if event.wd() == self.reset_watch {
                happened.reset = true;
                continue;
            }
            if event.wd() == self.terminal_watch {
                happened.uio_opened = true;
                continue;
            }
            happened.opened |= event.events().contains(inotify::ReadFlags::OPEN);
            // Events of the same kind are told once: how many have it open must be looked up.
            happened.closed |= event
                .events()
                .intersects(inotify::ReadFlags::CLOSE_WRITE | inotify::ReadFlags::CLOSE_NOWRITE);
        }
        happened
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        files::remove(self.address);
    }
}

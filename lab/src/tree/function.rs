//! One function of the tree: notices drivers that come and go, and passes on what is not in shared memory.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::inotify;

use super::address::Address;
use super::config::{ConfigFile, fill_with_ones, shared_file};
use super::files::{self, Contents};
use super::physical::PhysicalMemory;
use super::processes::companions;
use super::uio::Uio;
use super::watching::{Watching, holds};
use crate::clock::Nanos;
use crate::device::Device;

/// How often files are looked at. That takes system calls, which nothing in them is in a hurry for.
const EVERY_NS: u64 = 50_000;

/// From the first look in vain whether a driver has gone to the second, and to the last.
const FIRST_PAUSE_NS: u64 = 1_000_000;
const LAST_PAUSE_NS: u64 = 500_000_000;

const BAR0: u32 = 0;
/// BAR3, which holds the MSI-X table. Without a bus nothing in it means anything.
const BAR3: u32 = 3;

/// A function that can be opened.
#[derive(Debug)]
pub struct Function {
    address: Address,
    config: ConfigFile,
    uio: Uio,
    /// The files of the BARs, held open for whoever opens the function, and their sizes.
    bars: [(OwnedFd, usize); 2],
    inotify: OwnedFd,
    reset_watch: i32,
    terminal_watch: i32,
    /// `/dev/uioN` is open: a kernel driver would have the function, and would have let it master the bus.
    uio_open: bool,
    /// Inode of BAR0's file.
    bar: u64,
    presence: Presence,
    doubt: Doubt,
    /// When to look at the files again.
    next: Nanos,
    watching: Watching,
    notes: Vec<String>,
}

/// Who has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// Nobody.
    Free,
    /// A driver.
    Open,
    /// A driver, but the card is not there any more.
    PulledOut,
}

/// When to look whether a driver has gone: when some process has closed the BAR, and while another still seems to have it, a
/// few times again. That one may be a process that is just being started, and has for a moment what its parent has.
#[derive(Debug, Default)]
struct Doubt {
    due: Option<Nanos>,
    pause: u64,
}

impl Doubt {
    fn begin(&mut self, now: Nanos) {
        *self = Doubt { due: Some(now), pause: FIRST_PAUSE_NS };
    }

    fn is_due(&mut self, now: Nanos) -> bool {
        let due = self.due.is_some_and(|due| now >= due);
        if due {
            self.due = (self.pause <= LAST_PAUSE_NS).then_some(Nanos(now.0 + self.pause));
            self.pause *= 2;
        }
        due
    }
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
        let size = |bar: u32| device.regions().get(bar as usize).map_or(0, |region| region.size as usize);
        let (bar_bytes, msix_bytes) = (size(BAR0), size(BAR3));
        let msix = shared_file("ringway-msix", msix_bytes)?;
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
            bars: [(bar, bar_bytes), (msix, msix_bytes)],
            inotify,
            reset_watch,
            terminal_watch,
            uio_open: false,
            bar: inode,
            presence: Presence::Free,
            doubt: Doubt::default(),
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
        self.presence == Presence::Open
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
        if happened.opened && self.presence == Presence::Free {
            self.presence = Presence::Open;
            device.attached();
            done += 1;
        }
        if self.is_open() {
            done += self.attend(device, now);
        }
        if happened.reset && self.presence != Presence::PulledOut {
            device.reset();
            done += 1;
        }
        if happened.closed {
            self.doubt.begin(now);
        }
        if self.presence != Presence::Free && self.doubt.is_due(now) && !self.is_held() {
            // Looking takes a while, in which the next driver may have come, to a card as the last has left it.
            let meanwhile = self.happened();
            self.uio_open |= meanwhile.uio_opened;
            if meanwhile.opened {
                self.doubt.begin(now);
            } else {
                self.leave(device);
                done += 1;
            }
        }
        done
    }

    /// What a driver may want.
    fn attend(&mut self, device: &mut dyn Device, now: Nanos) -> usize {
        if std::mem::take(&mut self.uio_open) {
            self.config.look(device);
            self.config.set_master(device);
        }
        let done = self.config.look(device) + self.uio.poll();
        device.config_is_known();
        self.watching.follow(now, &mut self.notes);
        if device.hangs_up() {
            self.pull_out(device);
        }
        done
    }

    /// Does everything that [`poll`](Function::poll) would do sooner or later.
    pub fn settle(&mut self, device: &mut dyn Device) {
        // What starts something is held back until the configuration space was looked at again.
        for _ in 0..2 {
            self.next = Nanos::default();
            self.poll(device, Nanos::now());
            self.glance(device);
            if self.is_open() {
                device.settle();
            }
        }
    }

    /// The driver has gone.
    fn leave(&mut self, device: &mut dyn Device) {
        // The next driver is not to be doubted because of the last.
        self.doubt = Doubt::default();
        match std::mem::replace(&mut self.presence, Presence::Free) {
            Presence::Free => return,
            Presence::Open => self.cut_off(device),
            Presence::PulledOut => device.plugged_in(),
        }
        self.config.show(device);
        self.uio.reset();
    }

    /// The card is pulled out under its driver, which from now on reads ones everywhere. When the driver has gone, the card is
    /// there again.
    pub fn pull_out(&mut self, device: &mut dyn Device) {
        if self.is_open() {
            self.cut_off(device);
            self.presence = Presence::PulledOut;
            self.config.fill_with_ones();
            for (bar, bytes) in &self.bars {
                // Without address space for it the driver is left with what stood there last, and sees it in `config`.
                let _ = fill_with_ones(bar, *bytes);
            }
        }
    }

    fn cut_off(&mut self, device: &mut dyn Device) {
        self.config.look(device);
        self.watching.stop();
        device.detached();
        device.memory().clear();
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

//! Finds who has BAR0 mapped, and where, and has those addresses watched.

use std::io;
use std::os::unix::fs::MetadataExt;

use super::guard::{Ward, guard};
use super::processes::{areas, companions, is_alive, thread_count, threads as threads_of};
use super::watch::Watchpoint;
use crate::clock::Nanos;
use crate::device::Device;

/// How often to look for new mappings and threads.
const EVERY_NS: u64 = 2_000_000;

/// The watchpoints on one BAR.
///
/// They stay when the driver leaves, until its thread ends: a driver that comes back mostly has the BAR mapped where it had it
/// before, and they serve again.
#[derive(Debug)]
pub struct Watching {
    bar: u64,
    offsets: &'static [u32],
    watched: Vec<Watched>,
    /// Threads that are watched, by process, and where the process has the BAR.
    found: Vec<Found>,
    next: Nanos,
    /// There are none; said once.
    given_up: bool,
}

/// A thread that is watched, for as long as it lives.
#[derive(Debug)]
struct Watched {
    thread: u32,
    ward: Ward,
    points: Vec<Point>,
}

#[derive(Debug)]
struct Point {
    address: u64,
    watchpoint: Watchpoint,
    hits: u64,
}

#[derive(Debug)]
struct Found {
    process: u32,
    base: u64,
    threads: Vec<u32>,
}

impl Watching {
    /// Nothing yet. `bar` is the inode of the BAR's file.
    pub fn new(bar: u64, offsets: &'static [u32]) -> Self {
        Watching {
            bar,
            offsets,
            watched: Vec::new(),
            found: Vec::new(),
            next: Nanos::default(),
            given_up: false,
        }
    }

    /// Tells the device of accesses.
    #[inline]
    pub fn tell(&mut self, device: &mut dyn Device) {
        for watched in &mut self.watched {
            watched.tell(device, !self.found.is_empty());
        }
    }

    /// Now and then looks for processes that have mapped the BAR, and for their new threads.
    pub fn follow(&mut self, now: Nanos, notes: &mut Vec<String>) {
        if now < self.next || self.offsets.is_empty() || self.given_up {
            return;
        }
        self.next = Nanos(now.0 + EVERY_NS);
        if self.found.is_empty() {
            self.found = companions().into_iter().filter_map(|process| find(process, self.bar)).collect();
        }
        for place in 0..self.found.len() {
            if let Err(error) = self.follow_threads(place) {
                self.given_up = true;
                let what = "counters that clear when they are read will not, and a driver counts twice what it reads twice";
                notes.push(format!("this machine gives no watchpoints ({error}): {what}"));
            }
        }
    }

    fn follow_threads(&mut self, place: usize) -> io::Result<()> {
        let Found { process, base, ref threads } = self.found[place];
        if thread_count(process) == threads.len() as u64 {
            return Ok(());
        }
        self.watched.retain(|watched| is_alive(watched.thread));
        let (all, offsets) = (threads_of(process), self.offsets);
        let new: Vec<u32> = all.iter().copied().filter(|thread| !threads.contains(thread)).collect();
        for thread in new {
            let Some(watched) = self.watched(thread)? else { continue };
            offsets.iter().try_for_each(|offset| watched.watch(base + u64::from(*offset), *offset))?;
        }
        self.found[place].threads = all;
        Ok(())
    }

    /// A thread that is watched from now on, if it is there.
    fn watched(&mut self, thread: u32) -> io::Result<Option<&mut Watched>> {
        if let Some(place) = self.watched.iter().position(|watched| watched.thread == thread) {
            return Ok(self.watched.get_mut(place));
        }
        match guard(thread) {
            Ok(ward) => self.watched.push(Watched { thread, ward, points: Vec::new() }),
            Err(error) if error.raw_os_error() == Some(GONE) => return Ok(None),
            Err(error) => return Err(error),
        }
        Ok(self.watched.last_mut())
    }

    /// The driver is gone.
    pub fn stop(&mut self) {
        self.found.clear();
    }
}

impl Watched {
    #[inline]
    fn tell(&mut self, device: &mut dyn Device, is_open: bool) {
        for point in &mut self.points {
            if point.watchpoint.tripped() {
                point.hits += 1;
                if is_open {
                    device.access_noticed(point.watchpoint.offset);
                }
            }
        }
        if self.ward.unexplained() > 0 && is_open {
            self.guess(device);
        }
    }

    /// One was hit, and nobody knows which: most likely the one that this thread hits mostly.
    #[cold]
    fn guess(&mut self, device: &mut dyn Device) {
        if let Some(point) = self.points.iter().rev().max_by_key(|point| point.hits) {
            device.access_noticed(point.watchpoint.offset);
        }
    }

    /// Watches an address, if it is not watched already. A thread that is gone needs no watching.
    fn watch(&mut self, address: u64, offset: u32) -> io::Result<()> {
        if self.points.iter().any(|point| point.address == address) {
            return Ok(());
        }
        let mut set = Watchpoint::set(self.thread, address, offset);
        if set.as_ref().is_err_and(|error| error.raw_os_error() == Some(NONE_LEFT)) {
            // Those of where it had the BAR before.
            self.points.retain(|point| point.watchpoint.offset != offset);
            set = Watchpoint::set(self.thread, address, offset);
        }
        match set {
            Ok(watchpoint) => self.points.push(Point { address, watchpoint, hits: 0 }),
            Err(error) if error.raw_os_error() == Some(GONE) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// `ENOSPC`: the thread's watchpoints are all in use.
const NONE_LEFT: i32 = 28;

/// `ESRCH`: there is no such thread any more.
const GONE: i32 = 3;

fn find(process: u32, bar: u64) -> Option<Found> {
    let area = areas(process).into_iter().find(|area| area.inode == bar && area.shared)?;
    Some(Found { process, base: area.start.wrapping_sub(area.offset), threads: Vec::new() })
}

/// Whether `process` has the file with inode `bar` open or mapped.
pub fn holds(process: u32, bar: u64) -> bool {
    let open = std::fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let mut inodes = open.filter_map(|entry| std::fs::metadata(entry.path()).ok()).map(|file| file.ino());
    inodes.any(|inode| inode == bar) || areas(process).iter().any(|area| area.inode == bar)
}

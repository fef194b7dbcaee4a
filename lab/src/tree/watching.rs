//! Finds who has BAR0 mapped, and where, and has those addresses watched.

use std::os::unix::fs::MetadataExt;

use super::processes::{areas, companions, thread_count, threads};
use super::watch::Watchpoint;
use crate::clock::Nanos;
use crate::device::Device;

/// How often to look for new mappings and threads.
const EVERY_NS: u64 = 2_000_000;

/// The watchpoints on one BAR.
#[derive(Debug)]
pub struct Watching {
    bar: u64,
    offsets: &'static [u32],
    points: Vec<Watchpoint>,
    /// Threads that are watched, by process, and where the process has the BAR.
    found: Vec<Found>,
    next: Nanos,
    /// There are none; said once.
    given_up: bool,
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
            points: Vec::new(),
            found: Vec::new(),
            next: Nanos::default(),
            given_up: false,
        }
    }

    /// Tells the device of accesses.
    #[inline]
    pub fn tell(&mut self, device: &mut dyn Device) {
        for point in &mut self.points {
            if point.tripped() {
                device.access_noticed(point.offset);
            }
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

    fn follow_threads(&mut self, place: usize) -> std::io::Result<()> {
        let Found { process, base, threads: known } = &mut self.found[place];
        if thread_count(*process) == known.len() as u64 {
            return Ok(());
        }
        let all = threads(*process);
        for thread in all.iter().filter(|thread| !known.contains(thread)) {
            for offset in self.offsets {
                match Watchpoint::set(*thread, *base + u64::from(*offset), *offset) {
                    Ok(point) => self.points.push(point),
                    Err(error) if error.raw_os_error() == Some(GONE) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        *known = all;
        Ok(())
    }

    /// The driver is gone.
    pub fn stop(&mut self) {
        self.points.clear();
        self.found.clear();
    }
}

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

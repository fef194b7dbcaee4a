//! What the polling thread does when there is nothing to do.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::read;

use super::Engine;
use super::priority::Priority;
use crate::clock::Nanos;
use crate::device::{Attention, Device};

/// How long to spin before giving the core away between rounds.
const SPIN_NS: u64 = 50_000;

/// How long to spin and yield before sleeping.
const YIELD_NS: u64 = 1_000_000;

/// Longest sleep with a driver connected: its doorbells are stores to memory, which wake nobody.
const ATTENDED: Duration = Duration::from_micros(100);

/// After so long without packets the thread may go before others.
const URGENT_NS: u64 = 200_000;

/// Sleep while a driver may wait for an answer within microseconds. Not none, and not too
/// short: the driver may need this very core to go on.
const NAP: Duration = Duration::from_micros(15);

/// Longest sleep without: a connection wakes us, only timers and wires do not.
const UNATTENDED: Duration = Duration::from_millis(20);

/// How far the polling thread backs off while it finds nothing to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Idle {
    /// Never. For measurements, on a core of its own.
    Spin,
    /// Spins, then offers the core to others between rounds.
    Yield,
    /// Spins, then yields, then sleeps, but at most 100 microseconds while a driver is connected.
    #[default]
    Sleep,
}

/// Decides what to do between rounds.
pub(super) struct Backoff {
    limit: Idle,
    /// Since when there has been nothing to do.
    since: Option<Nanos>,
    /// Drivers may have no patience.
    may_be_urgent: bool,
    priority: Priority,
}

impl Backoff {
    pub fn new(limit: Idle, may_be_urgent: bool) -> Self {
        Backoff { limit, since: None, may_be_urgent, priority: Priority::default() }
    }

    /// The round at `now` did `work`. Returns when the next round should begin: at once if there was something to do,
    /// otherwise the later the longer there was nothing. `wake` ends a sleep.
    pub fn after<D: Device>(&mut self, engine: &Engine<D>, wake: BorrowedFd<'_>, now: Nanos, work: usize) {
        if work > 0 {
            self.since = None;
            self.priority.set(false);
            return;
        }
        let idle = now.since(*self.since.get_or_insert(now));
        let attention = engine.attention();
        self.priority.set(self.may_be_urgent && idle > URGENT_NS && attention != Attention::Relaxed);
        match (self.step(idle), attention) {
            (Idle::Spin, _) | (_, Attention::Keen) => std::hint::spin_loop(),
            (_, Attention::Alert) => std::thread::sleep(NAP),
            (Idle::Yield, _) => std::thread::yield_now(),
            (Idle::Sleep, _) => sleep(engine, wake),
        }
    }

    /// What to do after `idle` nanoseconds without work.
    fn step(&self, idle: u64) -> Idle {
        let wanted = match idle {
            0..SPIN_NS => Idle::Spin,
            SPIN_NS..YIELD_NS => Idle::Yield,
            _ => Idle::Sleep,
        };
        wanted.min(self.limit)
    }
}

/// Waits for a socket, for `wake`, or for a short time.
fn sleep<D: Device>(engine: &Engine<D>, wake: BorrowedFd<'_>) {
    let longest = if engine.is_attended() { ATTENDED } else { UNATTENDED };
    let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(longest.subsec_nanos()) };
    let mut fds = vec![PollFd::from_borrowed_fd(wake, PollFlags::IN)];
    engine.poll_fds(&mut fds);
    // An error (a signal) only makes the sleep shorter.
    let _ = poll(&mut fds, Some(&timeout));
    if !fds[0].revents().is_empty() {
        let _ = read(wake, &mut [0; 8]); // or it would keep us from sleeping again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backs_off_in_steps_and_no_further_than_allowed() {
        let steps =
            |limit| [0, SPIN_NS, YIELD_NS, u64::MAX].map(|idle| Backoff::new(limit, false).step(idle));
        assert_eq!(steps(Idle::Sleep), [Idle::Spin, Idle::Yield, Idle::Sleep, Idle::Sleep]);
        assert_eq!(steps(Idle::Yield), [Idle::Spin, Idle::Yield, Idle::Yield, Idle::Yield]);
        assert_eq!(steps(Idle::Spin), [Idle::Spin; 4]);
    }
}

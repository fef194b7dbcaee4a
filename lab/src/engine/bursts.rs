//! What a driver needs for packets that are all there already.
//!
//! At full load a driver that is faster than the lab waits for the lab, and its rate is that of the lab. Here packets come in
//! bursts: two NICs receive some hundred frames each and keep it to themselves, then report all of them at once, and nothing
//! else is done but to look at the transmit tails until the driver has handed over the last one. That time is the driver's. What
//! the lab has to do for a packet, to make it, to send it and to check every byte, comes before or after.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::{Engine, NicId};
use crate::clock::Nanos;
use crate::ixgbe::Nic;

/// Longest burst that is told apart: ten seconds.
const LONGEST_NS: u64 = 10_000_000_000;

/// What is under way when bursts begin, or has gone wrong in one, gets this long to arrive.
const REST_NS: u64 = 1_000_000;

/// What to measure.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Frames that each NIC receives in a burst: at most half of what a ring has descriptors, for so many a driver has to leave
    /// with the NIC.
    pub frames: usize,
    /// For how long to measure.
    pub duration: Duration,
    /// A driver that has not handed over a burst after so long has lost some of it, or does not run; that burst does not
    /// count.
    pub patience: Duration,
}

impl Options {
    /// Half a ring of `slots` at a time.
    pub fn of(slots: u32, duration: Duration) -> Options {
        Options { frames: slots as usize / 2, duration, patience: Duration::from_millis(50) }
    }
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Report {
    /// Frames of a burst, both NICs together.
    pub frames: u64,
    /// Nanoseconds from the report of a burst to the last of its frames being handed over.
    pub nanoseconds: Histogram<u64>,
    /// Bursts that were not handed over in time, or that could not be put before the driver for want of descriptors.
    pub unfinished: u64,
}

impl Report {
    /// More bursts of the same kind.
    pub fn add(&mut self, other: &Report) {
        // They have the same bounds.
        let _ = self.nanoseconds.add(&other.nanoseconds);
        self.unfinished += other.unfinished;
    }

    /// Packets per second, had the driver never had to wait: by the burst in the middle, which a few that were disturbed do not
    /// move. `None` if no burst was finished.
    pub fn packets_per_second(&self) -> Option<f64> {
        let median = self.nanoseconds.value_at_quantile(0.5);
        (median > 0).then(|| self.frames as f64 * 1e9 / median as f64)
    }
}

impl Engine<Nic> {
    /// Puts bursts before the driver of `nics`, which forwards between them. Their wires have to have frames at any time. The
    /// NICs work as ever before and after.
    ///
    /// # Panics
    ///
    /// If a NIC was removed.
    pub fn bursts(&mut self, nics: [NicId; 2], options: &Options) -> Report {
        let nanoseconds = Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("these bounds are valid");
        let mut report = Report { frames: 2 * options.frames as u64, nanoseconds, unfinished: 0 };
        let end = Nanos(Nanos::now().0 + nanos(options.duration));
        self.come_to_rest(nics);
        while Nanos::now() < end {
            match self.burst(nics, options) {
                Some(nanoseconds) => report.nanoseconds.saturating_record(nanoseconds),
                None => {
                    report.unfinished += 1;
                    self.come_to_rest(nics);
                }
            }
        }
        nics.into_iter().for_each(|id| self.nic(id).release());
        report
    }

    /// Nothing new comes, and what is under way arrives.
    fn come_to_rest(&mut self, nics: [NicId; 2]) {
        for id in nics {
            self.nic(id).hold(0);
            self.nic(id).let_go();
            self.nic(id).send_held();
        }
        self.poll_until(REST_NS, |_| false);
    }

    /// One burst. `None` if it did not go as it should.
    fn burst(&mut self, nics: [NicId; 2], options: &Options) -> Option<u64> {
        let patience = nanos(options.patience);
        nics.into_iter().for_each(|id| self.nic(id).hold(options.frames));
        if !self.poll_until(patience, |lab| nics.into_iter().all(|id| lab.nic(id).allowance() == 0)) {
            return None;
        }
        let began = Nanos::now();
        nics.into_iter().for_each(|id| self.nic(id).let_go());
        let took = self.watch_tails(nics, options.frames as u32, began, patience);
        nics.into_iter().for_each(|id| self.nic(id).send_held());
        let is_sent = self.poll_until(patience, |lab| nics.into_iter().all(|id| lab.nic(id).waiting() == 0));
        took.filter(|_| is_sent)
    }

    /// Does nothing but look until both NICs have been given so many frames.
    fn watch_tails(&mut self, nics: [NicId; 2], frames: u32, began: Nanos, patience: u64) -> Option<u64> {
        loop {
            let given = nics.into_iter().all(|id| self.nic(id).waiting() >= frames);
            let took = Nanos::now().since(began);
            if given {
                return Some(took);
            }
            if took > patience {
                return None;
            }
            // A look takes the line from the driver that is about to write it.
            (0..8).for_each(|_| std::hint::spin_loop());
        }
    }

    fn poll_until(&mut self, patience: u64, mut done: impl FnMut(&mut Self) -> bool) -> bool {
        let start = Nanos::now();
        loop {
            let now = Nanos::now();
            self.poll_once(now);
            if done(self) {
                return true;
            }
            if now.since(start) > patience {
                return false;
            }
        }
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ixgbe::NicConfig;
    use crate::serve::Server;
    use crate::wire::generator::{self, GeneratorOptions};

    #[test]
    fn without_a_driver_no_burst_is_finished_and_the_end_comes_all_the_same() {
        let (first, second, _handle) = generator::pair(&GeneratorOptions::default()).unwrap();
        let mut engine = Engine::new();
        let ids = [("a", first), ("b", second)].map(|(name, wire)| {
            engine.add_served(Nic::new(NicConfig::new(name), Box::new(wire)).unwrap(), Server::unbound())
        });
        let options =
            Options { patience: Duration::from_millis(1), ..Options::of(512, Duration::from_millis(20)) };
        let start = Nanos::now();
        let report = engine.bursts(ids, &options);
        assert!(report.unfinished > 0 && report.nanoseconds.is_empty(), "{report:?}");
        assert_eq!((report.frames, report.packets_per_second()), (512, None));
        assert!(Nanos::now().since(start) >= 20_000_000);
    }
}

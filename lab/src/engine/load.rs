//! How busy the polling thread is.

use crate::clock::Nanos;

/// Where the polling thread's time went. If a measurement finds it busy nearly always, the lab may be what was measured,
/// and not the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Load {
    /// Rounds in all.
    pub rounds: u64,
    /// Rounds that found something to do.
    pub busy_rounds: u64,
    /// Time of those rounds, in nanoseconds.
    pub busy_ns: u64,
    /// Time of the other rounds and of the waiting after them, in nanoseconds.
    pub idle_ns: u64,
    /// Packets, doorbells and messages handled, as the NICs count their work.
    pub work: u64,
    #[serde(skip)]
    last: Option<(Nanos, bool)>,
}

impl Load {
    /// Share of time spent in rounds with work, from 0 to 1; 0 if nothing has been measured.
    pub fn busy_share(&self) -> f64 {
        let total = self.busy_ns + self.idle_ns;
        if total == 0 { 0.0 } else { self.busy_ns as f64 / total as f64 }
    }

    /// Work done in a mean round that had any; 0 if there was none.
    pub fn work_per_busy_round(&self) -> f64 {
        if self.busy_rounds == 0 { 0.0 } else { self.work as f64 / self.busy_rounds as f64 }
    }

    /// A round began at `now` and has done `work`. A round lasts until the next begins, so the clock is read once.
    pub(super) fn round(&mut self, now: Nanos, work: usize) {
        if let Some((before, busy)) = self.last {
            let lasted = now.since(before);
            if busy { self.busy_ns += lasted } else { self.idle_ns += lasted }
        }
        let busy = work > 0;
        self.last = Some((now, busy));
        self.rounds += 1;
        self.busy_rounds += u64::from(busy);
        self.work += work as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_to_the_round_that_took_it() {
        let mut load = Load::default();
        assert_eq!(load.busy_share(), 0.0);
        for (now, work) in [(1000, 0), (1100, 32), (1400, 0), (1500, 16), (1600, 0)] {
            load.round(Nanos(now), work);
        }
        assert_eq!((load.busy_ns, load.idle_ns), (400, 200));
        assert_eq!((load.rounds, load.busy_rounds, load.work), (5, 2, 48));
        assert_eq!(load.busy_share(), 400.0 / 600.0);
        assert_eq!(load.work_per_busy_round(), 24.0);
    }
}

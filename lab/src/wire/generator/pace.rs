//! When the next frame is due.

use super::options::Rate;
use crate::clock::Nanos;

/// Times are kept in fractions of a nanosecond, so that rates of many millions per second are exact.
const FRACTION_BITS: u32 = 10;
/// After a delay, at most so much is caught up with at full speed: a real wire sends no bursts either.
const CATCH_UP_NS: u64 = 50_000;

/// Spreads frames evenly in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// From one frame to the next, in fractions; 0 is no limit.
    interval: u64,
    start: Option<Nanos>,
    /// From the start to the next frame, in fractions.
    due: u64,
}

/// The interval of a rate, in fractions of a nanosecond.
pub(super) fn interval(rate: Rate) -> u64 {
    match rate {
        Rate::Max => 0,
        Rate::PerSecond(rate) => ((1e9 * f64::from(1 << FRACTION_BITS) / rate) as u64).max(1),
    }
}

impl Pace {
    pub(super) fn new(interval: u64) -> Self {
        Pace { interval, start: None, due: 0 }
    }

    pub(super) fn interval(&self) -> u64 {
        self.interval
    }

    /// If a frame is due: since when.
    #[inline]
    pub(super) fn ready(&mut self, now: Nanos) -> Option<Nanos> {
        if self.interval == 0 {
            return Some(now);
        }
        let start = *self.start.get_or_insert(now);
        let elapsed = now.since(start) << FRACTION_BITS;
        if elapsed < self.due {
            return None;
        }
        let due = self.due.max(elapsed.saturating_sub(CATCH_UP_NS << FRACTION_BITS));
        self.due = due;
        Some(Nanos(start.0 + (due >> FRACTION_BITS)))
    }

    /// A frame has gone.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.due += self.interval;
    }

    /// When the next frame is due, if there is a limit and it has begun to count.
    pub(super) fn next_due(&self) -> Option<Nanos> {
        let start = self.start?;
        Some(Nanos(start.0 + self.due.div_ceil(1 << FRACTION_BITS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_spread_evenly() {
        let mut pace = Pace::new(interval(Rate::PerSecond(14_880_952.0)));
        let mut sent = 0;
        for now in 0..1_000_000 {
            while pace.ready(Nanos(now)).is_some() {
                pace.advance();
                sent += 1;
            }
        }
        assert!((14_870..14_890).contains(&sent), "{sent} in a millisecond");
    }

    #[test]
    fn after_a_pause_only_a_little_is_caught_up_with() {
        let mut pace = Pace::new(interval(Rate::PerSecond(1e6)));
        assert_eq!(pace.ready(Nanos(0)), Some(Nanos(0)));
        pace.advance();
        assert_eq!(pace.ready(Nanos(999)), None);
        assert_eq!(pace.next_due(), Some(Nanos(1000)));
        let late = Nanos(5_000_000);
        let mut burst = 0;
        while let Some(due) = pace.ready(late) {
            assert!(late.since(due) <= CATCH_UP_NS);
            pace.advance();
            burst += 1;
        }
        assert_eq!(burst, 51);
    }

    #[test]
    fn without_a_limit_a_frame_is_always_due() {
        let mut pace = Pace::new(interval(Rate::Max));
        for now in [0, 0, 5] {
            assert_eq!(pace.ready(Nanos(now)), Some(Nanos(now)));
            pace.advance();
        }
        assert_eq!(pace.next_due(), None);
    }
}

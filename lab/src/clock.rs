//! One clock for the whole lab: monotonic nanoseconds, read once per polling round.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds since an arbitrary fixed start (`CLOCK_MONOTONIC`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

impl Nanos {
    /// The time now.
    pub fn now() -> Self {
        let time = clock_gettime(ClockId::Monotonic);
        Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
    }

    /// Nanoseconds from `earlier` to `self`; 0 if `earlier` is later.
    pub fn since(self, earlier: Nanos) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

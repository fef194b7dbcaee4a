//! How long frames were under way: a histogram, and the few numbers that people read of it.

use hdrhistogram::Histogram;
use serde::Serialize;

use crate::clock::Nanos;

/// Longest latency that is told apart: ten seconds.
const LONGEST_NS: u64 = 10_000_000_000;

/// `latency`, unless it is 0. The lab reads the clock once a round: a frame that comes back within the round that gave it out
/// would have taken no time at all, so for such a one the clock is read anew, and `since` says what to make of it.
#[inline]
pub(super) fn or_within_round(latency: u64, since: impl FnOnce(Nanos) -> u64) -> u64 {
    if latency == 0 { since(Nanos::now()) } else { latency }
}

/// Latencies in nanoseconds, each to three digits.
#[derive(Clone, Debug)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        Latencies(Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("these bounds are valid"))
    }
}

impl Latencies {
    /// Adds one; what is beyond the bounds counts as the bound.
    pub fn record(&mut self, nanoseconds: u64) {
        self.0.saturating_record(nanoseconds);
    }

    /// Forgets all, the longest and the shortest too, which the histogram's own `clear` keeps.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    /// The histogram itself, for plots.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.0
    }

    /// What people read of it; `None` if nothing was recorded.
    pub fn summary(&self) -> Option<LatencySummary> {
        let histogram = &self.0;
        (!histogram.is_empty()).then(|| LatencySummary {
            samples: histogram.len(),
            mean_ns: histogram.mean(),
            min_ns: histogram.min(),
            p50_ns: histogram.value_at_quantile(0.5),
            p90_ns: histogram.value_at_quantile(0.9),
            p99_ns: histogram.value_at_quantile(0.99),
            p999_ns: histogram.value_at_quantile(0.999),
            max_ns: histogram.max(),
        })
    }
}

/// Percentiles of latencies, in nanoseconds from the NIC taking a frame off the wire to a NIC sending it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LatencySummary {
    /// How many frames were measured.
    pub samples: u64,
    /// Mean.
    pub mean_ns: f64,
    /// Shortest.
    pub min_ns: u64,
    /// Median.
    pub p50_ns: u64,
    /// 90 of 100 are not longer.
    pub p90_ns: u64,
    /// 99 of 100 are not longer.
    pub p99_ns: u64,
    /// 999 of 1000 are not longer.
    pub p999_ns: u64,
    /// Longest.
    pub max_ns: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_latency_is_zero() {
        let taken = Nanos::now();
        std::thread::sleep(std::time::Duration::from_micros(1));
        assert!(or_within_round(0, |now| now.since(taken)) >= 1000);
        assert_eq!(or_within_round(7, |_| unreachable!()), 7);
    }

    #[test]
    fn percentiles_of_a_known_distribution() {
        let mut latencies = Latencies::default();
        assert!(latencies.summary().is_none());
        (1..=1000).for_each(|n| latencies.record(n * 1000));
        let summary = latencies.summary().unwrap();
        let near = |value: u64, expected: u64| value.abs_diff(expected) <= expected / 1000;
        assert_eq!(summary.samples, 1000);
        assert!(near(summary.p50_ns, 500_000) && near(summary.p99_ns, 990_000), "{summary:?}");
        assert!(near(summary.min_ns, 1000) && near(summary.max_ns, 1_000_000), "{summary:?}");
        latencies.record(u64::MAX);
        assert!(latencies.summary().unwrap().max_ns >= LONGEST_NS);
        latencies.clear();
        assert!(latencies.summary().is_none());
        latencies.record(5000);
        let summary = latencies.summary().unwrap();
        assert!(near(summary.max_ns, 5000) && near(summary.min_ns, 5000), "{summary:?}");
    }
}

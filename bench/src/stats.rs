//! The statistics of a run, and the one definition of *spread*.
//!
//! Rounds on a busy or virtual machine scatter, and now and then one lies far off. So the middle is the median, and the
//! spread is the interval between two rounds that holds the true median with at least 98 % (a binomial confidence interval,
//! which assumes nothing about how rounds scatter): the lowest and the highest round of up to 10, the second lowest and
//! second highest of 11 to 13, and so on. Everything else follows from it: two contenders are *equal* when the spread of
//! their ratio holds 1, two runs *agree* when their spreads overlap.

use serde::{Deserialize, Serialize};

/// The chance that the true median lies inside the spread is at least this, if there are rounds enough (7).
pub const CONFIDENCE: f64 = 0.98;

/// The median of some rounds and its spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The middle round, or the mean of the two middle ones.
    pub median: f64,
    /// Lower end of the spread.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How many rounds there were.
    pub rounds: usize,
}

impl Estimate {
    /// Of these rounds; `None` if there are none, or any is no number.
    pub fn of(rounds: &[f64]) -> Option<Estimate> {
        let mut sorted = rounds.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (first, last) = (sorted.first()?, sorted.last()?);
        if !first.is_finite() || !last.is_finite() {
            return None;
        }
        let count = sorted.len();
        let median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
        let outside = left_out(count);
        Some(Estimate { median, low: sorted[outside], high: sorted[count - 1 - outside], rounds: count })
    }

    /// How far the spread reaches from the median.
    pub fn reach(&self) -> f64 {
        (self.high - self.median).max(self.median - self.low)
    }

    /// The same in parts of the median; 0 if that is 0.
    pub fn relative(&self) -> f64 {
        if self.median == 0.0 { 0.0 } else { self.reach() / self.median.abs() }
    }

    /// Whether `value` cannot be told from the median.
    pub fn holds(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether the spreads overlap: nothing says that the two differ.
    pub fn agrees_with(&self, other: &Estimate) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// How many rounds at each end lie outside the spread: as many as possible while [`CONFIDENCE`] is kept.
fn left_out(rounds: usize) -> usize {
    // The true median is outside if at most `k` rounds fall on one side of it, each with a chance of one half.
    let total = 2f64.powi(i32::try_from(rounds).unwrap_or(i32::MAX));
    let (mut ways, mut below) = (1.0, 0.0);
    for k in 0..rounds / 2 {
        below += ways;
        if 1.0 - 2.0 * below / total < CONFIDENCE {
            return k.saturating_sub(1);
        }
        ways = ways * (rounds - k) as f64 / (k + 1) as f64;
    }
    0
}

/// How one contender stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The spread of the ratio holds 1.
    Equal,
    /// The whole spread is above 1.
    More,
    /// The whole spread is below 1.
    Less,
}

impl Standing {
    /// Of the ratio of two contenders.
    pub fn of(ratio: &Estimate) -> Standing {
        match ratio {
            _ if ratio.holds(1.0) => Standing::Equal,
            _ if ratio.median > 1.0 => Standing::More,
            _ => Standing::Less,
        }
    }
}

/// Ratios round by round: what disturbs one round disturbs both contenders. Rounds that either one lacks, or in which the
/// second has 0, are left out.
pub fn paired(first: &[Option<f64>], second: &[Option<f64>]) -> Vec<f64> {
    let both = first.iter().zip(second).filter_map(|(first, second)| Some(((*first)?, (*second)?)));
    both.filter(|(_, second)| *second != 0.0).map(|(first, second)| first / second).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(Estimate::of(&[3.0, 1.0, 2.0]).unwrap().median, 2.0);
        assert_eq!(Estimate::of(&[4.0, 1.0, 2.0, 3.0]).unwrap().median, 2.5);
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn the_spread_holds_the_median_with_98_percent() {
        // Two-sided binomial intervals: min and max of 7 give 1 - 2/128 = 98.4 %, the second of 11 at each end
        // 1 - 2 * 12/2048 = 98.8 %, of 10 only 1 - 2 * 11/1024 = 97.9 %.
        let outside: Vec<_> = [1, 5, 7, 10, 11, 13, 14, 20].map(left_out).to_vec();
        assert_eq!(outside, [0, 0, 0, 0, 1, 1, 2, 4]);
        let rounds: Vec<f64> = (0..11).map(f64::from).collect();
        let estimate = Estimate::of(&rounds).unwrap();
        assert_eq!((estimate.low, estimate.median, estimate.high), (1.0, 5.0, 9.0));
        assert_eq!((estimate.reach(), estimate.relative()), (4.0, 0.8));
    }

    #[test]
    fn equal_is_what_the_spread_cannot_tell_apart() {
        let standing = |rounds: &[f64]| Standing::of(&Estimate::of(rounds).unwrap());
        assert_eq!(standing(&[0.9, 1.2, 1.3]), Standing::Equal);
        assert_eq!(standing(&[1.01, 1.2, 1.3]), Standing::More);
        assert_eq!(standing(&[0.5, 0.6, 0.99]), Standing::Less);
    }

    #[test]
    fn runs_agree_when_spreads_overlap() {
        let estimate = |rounds: &[f64]| Estimate::of(rounds).unwrap();
        let first = estimate(&[1.0, 1.1, 1.2]);
        assert!(first.agrees_with(&estimate(&[1.2, 1.3, 1.4])));
        assert!(estimate(&[1.2, 1.3, 1.4]).agrees_with(&first));
        assert!(!first.agrees_with(&estimate(&[1.21, 1.3, 1.4])));
    }

    #[test]
    fn a_disturbance_that_hits_both_cancels() {
        let slow_machine_in_the_middle = [Some(10.0), Some(5.0), Some(10.0)];
        let other = [Some(5.0), Some(2.5), None];
        assert_eq!(paired(&slow_machine_in_the_middle, &other), [2.0, 2.0]);
        assert!(paired(&[Some(1.0)], &[Some(0.0)]).is_empty());
    }
}

//! What was promised, against what was measured. The promises stand in a table of this room's README, as ratios between
//! contenders of one run.

use serde::{Deserialize, Serialize};

use crate::results::Results;
use crate::stats::Estimate;

/// Where the table begins and ends in the README.
const BEGIN: &str = "<!-- promises -->";
const END: &str = "<!-- end of promises -->";

/// How a promise stands, according to the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum State {
    /// It holds.
    Kept,
    /// It does not yet: so many percent are missing.
    ShortBy(f64),
    /// Nobody knows.
    NotMeasured,
}

/// Which side of the bound is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The ratio is at least the bound.
    AtLeast,
    /// The ratio is at most the bound.
    AtMost,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Promise {
    /// In words.
    pub words: String,
    /// What is compared, as the results call it: `rate forward 64 B, batch 32, ring 512`.
    pub what: String,
    /// The first contender of the ratio.
    pub contender: String,
    /// The second.
    pub other: String,
    /// Which side is good.
    pub side: Side,
    /// The bound.
    pub bound: f64,
    /// How it stands.
    pub state: State,
    /// The command that measures it.
    pub command: String,
}

/// A row that cannot be understood.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table of promises: {0}")]
pub struct BadTable(String);

/// What a run says of a promise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// The measured ratio, which keeps it, or misses it by no more than the spread.
    Holds(Estimate),
    /// The whole spread of the measured ratio is on the wrong side.
    Missed(Estimate),
    /// The run did not measure it.
    Open,
}

impl Promise {
    /// What `results` say of it.
    pub fn judge(&self, results: &Results) -> Verdict {
        let Some(ratio) = results.ratio(&self.what, &self.contender, &self.other) else {
            return Verdict::Open;
        };
        let missed = match self.side {
            Side::AtLeast => ratio.high < self.bound,
            Side::AtMost => ratio.low > self.bound,
        };
        if missed { Verdict::Missed(ratio) } else { Verdict::Holds(ratio) }
    }

    /// The state that `results` give it: the median alone decides, and what is missing is in whole percent.
    pub fn state_by(&self, results: &Results) -> State {
        let Some(ratio) = results.ratio(&self.what, &self.contender, &self.other) else {
            return State::NotMeasured;
        };
        let kept = match self.side {
            Side::AtLeast => ratio.median >= self.bound,
            Side::AtMost => ratio.median <= self.bound,
        };
        if kept { State::Kept } else { State::ShortBy(self.short(&ratio).round()) }
    }

    /// How many percent of the bound are missing.
    fn short(&self, ratio: &Estimate) -> f64 {
        100.0 * (ratio.median / self.bound - 1.0).abs()
    }

    /// One line for a terminal.
    pub fn line(&self, verdict: &Verdict) -> String {
        let sign = match self.side {
            Side::AtLeast => ">=",
            Side::AtMost => "<=",
        };
        let measured = match verdict {
            Verdict::Holds(ratio) => {
                format!("{:.3} [{:.3} {:.3}], holds", ratio.median, ratio.low, ratio.high)
            }
            Verdict::Missed(ratio) => {
                let percent = self.short(ratio);
                format!("{:.3} [{:.3} {:.3}], short by {percent:.0} %", ratio.median, ratio.low, ratio.high)
            }
            Verdict::Open => "not measured in this run".to_owned(),
        };
        format!("{}: {sign} {}: {measured}", self.words, self.bound)
    }
}

/// Those promises that are marked as kept and that `results` miss by more than the spread.
pub fn broken<'p>(promises: &'p [Promise], results: &Results) -> Vec<&'p Promise> {
    let kept = promises.iter().filter(|promise| promise.state == State::Kept);
    kept.filter(|promise| matches!(promise.judge(results), Verdict::Missed(_))).collect()
}

/// The table of a README.
///
/// # Errors
/// If there is none, or a row of it cannot be understood.
pub fn parse(readme: &str) -> Result<Vec<Promise>, BadTable> {
    let bad = |why: &str| BadTable(why.to_owned());
    let (_, rest) = readme.split_once(BEGIN).ok_or_else(|| bad("it has no beginning"))?;
    let (table, _) = rest.split_once(END).ok_or_else(|| bad("it has no end"))?;
    let rows = table.lines().map(str::trim).filter(|line| line.starts_with('|')).skip(2);
    rows.map(row).collect()
}

fn row(line: &str) -> Result<Promise, BadTable> {
    let bad = |why: &str| BadTable(format!("{why} in {line}"));
    let cells: Vec<_> = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
    let [words, ratio, bound, state, command] = cells[..] else { return Err(bad("five columns are needed")) };
    let (what, pair) = ratio.split_once(": ").ok_or_else(|| bad("no `what: a / b`"))?;
    let (contender, other) = pair.split_once(" / ").ok_or_else(|| bad("no `a / b`"))?;
    let (side, bound) = match bound.split_once(' ') {
        Some((">=", bound)) => (Side::AtLeast, bound),
        Some(("<=", bound)) => (Side::AtMost, bound),
        _ => return Err(bad("no `>= number` or `<= number`")),
    };
    let state = match state {
        "kept" => State::Kept,
        "not measured yet" => State::NotMeasured,
        other => {
            let percent = other.strip_prefix("short by ").and_then(|rest| rest.strip_suffix(" %"));
            let percent = percent.and_then(|percent| percent.parse().ok());
            State::ShortBy(
                percent.ok_or_else(|| bad("a state must be `kept`, `short by N %` or `not measured yet`"))?,
            )
        }
    };
    Ok(Promise {
        words: words.to_owned(),
        what: what.to_owned(),
        contender: contender.to_owned(),
        other: other.to_owned(),
        side,
        bound: bound.parse().map_err(|_| bad("the bound is no number"))?,
        state,
        command: command.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::testing;

    fn table(rows: &str) -> String {
        format!(
            "text\n{BEGIN}\n\n| promise | ratio | bound | state | command |\n|---|---|---|---|---|\n{rows}\n{END}\n"
        )
    }

    const RATE: &str = "`rate forward 64 B, batch 32, ring 512: rust / c`";

    fn one(bound: &str, state: &str) -> Promise {
        parse(&table(&format!("| fast | {RATE} | {bound} | {state} | `make bench` |"))).unwrap().remove(0)
    }

    #[test]
    fn rows_are_read() {
        let promise = one(">= 0.9", "short by 12 %");
        assert_eq!(promise.what, "rate forward 64 B, batch 32, ring 512");
        assert_eq!((promise.contender.as_str(), promise.other.as_str()), ("rust", "c"));
        assert_eq!((promise.side, promise.bound, promise.state), (Side::AtLeast, 0.9, State::ShortBy(12.0)));
        assert_eq!((promise.words.as_str(), promise.command.as_str()), ("fast", "make bench"));
        assert_eq!(one("<= 2", "not measured yet").state, State::NotMeasured);
    }

    #[test]
    fn rows_that_cannot_be_meant_are_refused() {
        let error = |row: &str| parse(&table(row)).unwrap_err().to_string();
        assert!(error("| a | b |").contains("five columns"));
        assert!(error(&format!("| a | {RATE} | >= x | kept | c |")).contains("no number"));
        assert!(error(&format!("| a | {RATE} | > 1 | kept | c |")).contains(">="));
        assert!(error(&format!("| a | {RATE} | >= 1 | surely | c |")).contains("a state must be"));
        assert!(parse("no table").is_err());
    }

    #[test]
    fn a_kept_promise_that_is_missed_by_more_than_the_spread_is_broken() {
        let results = testing::results(&[0.80, 0.82, 0.84]);
        let broken_with = |bound: &str, state: &str| broken(&[one(bound, state)], &results).len();
        assert_eq!(broken_with(">= 0.80", "kept"), 0);
        assert_eq!(broken_with(">= 0.84", "kept"), 0, "within the spread");
        assert_eq!(broken_with(">= 0.85", "kept"), 1);
        assert_eq!(broken_with("<= 0.79", "kept"), 1);
        assert_eq!(broken_with(">= 0.85", "short by 4 %"), 0, "nobody said that it was kept");
        assert_eq!(one(">= 0.80", "kept").state_by(&results), State::Kept);
        assert_eq!(one(">= 0.84", "kept").state_by(&results), State::ShortBy(2.0), "the median is below");
        assert_eq!(one("<= 0.79", "kept").state_by(&results), State::ShortBy(4.0));
        let other = Promise { contender: "go".to_owned(), ..one(">= 2", "kept") };
        assert_eq!(other.judge(&results), Verdict::Open);
        assert_eq!(other.state_by(&results), State::NotMeasured);
        assert!(
            one(">= 0.85", "kept").line(&one(">= 0.85", "kept").judge(&results)).contains("short by 4 %")
        );
    }
}

//! Two results against each other: what has changed, and by how much of the spread. Only ratios are compared; absolute rates
//! are the machine's of that hour.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::results::{Results, SCHEMA};
use crate::stats::Estimate;

/// A ratio in two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Its name.
    pub what: String,
    /// In the first run.
    pub old: Estimate,
    /// In the second.
    pub new: Estimate,
    /// By how many percent of the old one it has changed.
    pub percent: f64,
    /// How many times the larger of the two spreads' reach that is.
    pub spreads: f64,
    /// The spreads overlap: nothing says that it has changed.
    pub agrees: bool,
}

/// All ratios of two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Those that both have.
    pub changes: Vec<Change>,
    /// Those that only one has.
    pub unpaired: Vec<String>,
    /// What makes the two hard to compare: another machine, other workloads.
    pub notes: Vec<String>,
}

impl Comparison {
    /// Of an older and a newer run.
    pub fn of(old: &Results, new: &Results) -> Comparison {
        let mut changes = Vec::new();
        let mut unpaired = Vec::new();
        for (what, ratio) in &new.ratios {
            match old.ratios.get(what) {
                Some(before) => changes.push(change(what, before.ratio, ratio.ratio)),
                None => unpaired.push(what.clone()),
            }
        }
        unpaired.extend(old.ratios.keys().filter(|what| !new.ratios.contains_key(*what)).cloned());
        Comparison { changes, unpaired, notes: notes(old, new) }
    }

    /// Every ratio of one run is in the other and agrees with it, and there is at least one.
    pub fn agrees(&self) -> bool {
        self.unpaired.is_empty()
            && !self.changes.is_empty()
            && self.changes.iter().all(|change| change.agrees)
    }

    /// Those that do not agree, the largest change first.
    pub fn disagreeing(&self) -> Vec<&Change> {
        let mut found: Vec<_> = self.changes.iter().filter(|change| !change.agrees).collect();
        found.sort_by(|one, other| other.spreads.total_cmp(&one.spreads));
        found
    }

    /// For a terminal: every change that is none of chance, and how many are.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.notes.iter().map(|note| format!("note: {note}")).collect();
        let disagreeing = self.disagreeing();
        for Change { what, old, new, percent, spreads, .. } in &disagreeing {
            lines.push(format!(
                "{what}: {:.3} [{:.3} {:.3}] -> {:.3} [{:.3} {:.3}], {percent:+.1} %, {spreads:.1} spreads",
                old.median, old.low, old.high, new.median, new.low, new.high
            ));
        }
        lines.extend(self.unpaired.iter().map(|what| format!("{what}: only in one of the two")));
        let agreeing = self.changes.len() - disagreeing.len();
        lines.push(format!("{agreeing} of {} ratios agree within their spreads", self.changes.len()));
        lines
    }
}

fn change(what: &str, old: Estimate, new: Estimate) -> Change {
    let difference = new.median - old.median;
    let reach = old.reach().max(new.reach());
    let spreads = match (difference == 0.0, reach == 0.0) {
        (true, _) => 0.0,
        (false, true) => f64::MAX,
        (false, false) => difference.abs() / reach,
    };
    let percent = if old.median == 0.0 { 0.0 } else { 100.0 * difference / old.median };
    Change { what: what.to_owned(), old, new, percent, spreads, agrees: old.agrees_with(&new) }
}

fn notes(old: &Results, new: &Results) -> Vec<String> {
    let mut notes = Vec::new();
    if old.machine.processor != new.machine.processor || old.machine.cores != new.machine.cores {
        notes.push("the two runs are of different machines".to_owned());
    }
    if old.plan != new.plan {
        notes.push("the two runs had different workloads or lengths".to_owned());
    }
    for before in &old.contenders {
        let now = new.contenders.iter().find(|now| now.name == before.name);
        if let Some(now) = now.filter(|now| now.versions != before.versions) {
            let (before, after) = (before.versions.join(", "), now.versions.join(", "));
            notes.push(format!("{}: {before} then, {after} now", now.name));
        }
    }
    notes
}

/// Reads what a run has written.
///
/// # Errors
/// If it cannot be read, or is of another version.
pub fn read(path: &std::path::Path) -> Result<Results, Error> {
    let unreadable = |cause: String| Error::Unreadable { path: path.display().to_string(), cause };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    match value.get("schema").and_then(serde_json::Value::as_u64) {
        Some(schema) if schema == u64::from(SCHEMA) => {}
        Some(schema) => return Err(unreadable(format!("it is of version {schema}, not {SCHEMA}"))),
        None => return Err(unreadable("it is no result of `ringway bench`".to_owned())),
    }
    serde_json::from_value(value).map_err(|error| unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::testing;

    #[test]
    fn runs_that_scatter_alike_agree() {
        let first = testing::results(&[1.00, 1.02, 0.98]);
        let second = testing::results(&[1.03, 1.01, 1.05]);
        let comparison = Comparison::of(&first, &second);
        assert!(comparison.agrees(), "{comparison:?}");
        assert!(comparison.lines().last().unwrap().contains("agree within"));
    }

    #[test]
    fn a_change_beyond_the_spread_is_told_with_its_size() {
        let first = testing::results(&[1.00, 1.02, 0.98]);
        let second = testing::results(&[1.20, 1.22, 1.18]);
        let comparison = Comparison::of(&first, &second);
        assert!(!comparison.agrees());
        let worst = comparison.disagreeing()[0];
        assert!((worst.percent - 20.0).abs() < 0.1 && (worst.spreads - 10.0).abs() < 0.1, "{worst:?}");
        assert!(comparison.lines()[0].contains("rust / c") && comparison.lines()[0].contains("+20.0 %"));
    }

    #[test]
    fn a_ratio_that_only_one_run_has_is_no_agreement() {
        let first = testing::results(&[1.0, 1.0]);
        let mut second = first.clone();
        second.ratios.clear();
        assert!(!Comparison::of(&first, &second).agrees());
        assert!(!Comparison::of(&second, &second).agrees(), "nothing was compared");
    }

    #[test]
    fn what_is_no_result_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.json");
        for (text, why) in [("{", "EOF"), ("{}", "no result"), ("{\"schema\": 99}", "version 99")] {
            std::fs::write(&path, text).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        let results = testing::results(&[1.0, 2.0, 3.0]);
        std::fs::write(&path, serde_json::to_string(&results).unwrap()).unwrap();
        assert_eq!(read(&path).unwrap().ratios.len(), results.ratios.len());
    }
}

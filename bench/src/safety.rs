//! The safety table, made of what the conformance suite has found: a tick means that a case with a lying NIC or a misused API
//! ran and was contained, and names the case.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The file, as it was when this was built.
const CELLS: &str = include_str!("../safety.toml");

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Contained.
    Passed,
    /// Not.
    Failed,
    /// It was not run for this driver.
    Ignored,
}

/// A property in an area, and the cases that stand for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// `bounds`, `use after free`, `overflow`.
    pub property: String,
    /// `packet buffers` or `general memory`.
    pub area: String,
    /// What was tried.
    pub about: String,
    /// Names of cases.
    pub cases: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct File {
    cell: Vec<Cell>,
}

/// The table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Safety {
    /// Its columns.
    pub cells: Vec<Cell>,
    /// What each driver did in each case.
    pub outcomes: BTreeMap<String, BTreeMap<String, Outcome>>,
}

/// What a cell says of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Every case ran and was contained.
    Tick,
    /// A case was not contained.
    Cross,
    /// No case, or one did not run.
    Open,
}

impl Default for Safety {
    fn default() -> Self {
        let File { cell } = toml::from_str(CELLS).expect("a test reads this file");
        Safety { cells: cell, outcomes: BTreeMap::new() }
    }
}

impl Safety {
    /// Every case that stands behind a cell, once.
    pub fn cases(&self) -> Vec<String> {
        let mut cases: Vec<_> = self.cells.iter().flat_map(|cell| cell.cases.clone()).collect();
        cases.sort();
        cases.dedup();
        cases
    }

    /// Notes how a case ended for a driver.
    pub fn note(&mut self, driver: &str, case: &str, outcome: Outcome) {
        self.outcomes.entry(driver.to_owned()).or_default().insert(case.to_owned(), outcome);
    }

    /// What a cell says of a driver.
    pub fn mark(&self, driver: &str, cell: &Cell) -> Mark {
        let Some(outcomes) = self.outcomes.get(driver) else { return Mark::Open };
        let ended: Vec<_> = cell.cases.iter().map(|case| outcomes.get(case)).collect();
        if ended.contains(&Some(&Outcome::Failed)) {
            return Mark::Cross;
        }
        let all = !ended.is_empty() && ended.iter().all(|outcome| *outcome == Some(&Outcome::Passed));
        if all { Mark::Tick } else { Mark::Open }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_needs_every_case_to_have_passed() {
        let mut safety = Safety::default();
        let cell = safety.cells[0].clone();
        assert_eq!(cell.cases.len(), 2);
        assert_eq!(safety.mark("toy", &cell), Mark::Open);
        safety.note("toy", &cell.cases[0], Outcome::Passed);
        assert_eq!(safety.mark("toy", &cell), Mark::Open, "one case is missing");
        safety.note("toy", &cell.cases[1], Outcome::Passed);
        assert_eq!(safety.mark("toy", &cell), Mark::Tick);
        safety.note("toy", &cell.cases[1], Outcome::Failed);
        assert_eq!(safety.mark("toy", &cell), Mark::Cross);
        let empty = Cell { cases: Vec::new(), ..cell };
        assert_eq!(safety.mark("toy", &empty), Mark::Open, "no case, no tick");
    }
}

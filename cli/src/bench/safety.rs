//! Asks the judge for the safety table: plays the cases that stand behind it.

use ringway_bench::results::Results;
use ringway_bench::safety::{Outcome, Safety};
use ringway_conformance::case::Case;
use ringway_conformance::cases;
use ringway_conformance::drivers::Driver;
use ringway_conformance::play::{Conditions, Subject, Verdict, play};
use ringway_conformance::way::Way;

use crate::driver::find;
use crate::failure::Failure;
use crate::signals::Stop;
use crate::ui;

/// Plays every case for every driver of the repository that was measured.
pub fn ask(results: &Results, stop: &Stop) -> Result<Safety, Failure> {
    let mut safety = Safety::default();
    let names = safety.cases();
    let chosen: Vec<_> = cases::all().filter(|(module, case)| names.contains(&name(module, case))).collect();
    let lacks = |known: &&String| !chosen.iter().any(|(module, case)| name(module, case) == **known);
    if let Some(missing) = names.iter().find(lacks) {
        return Err(Failure::failed(
            format!("the safety table names a case that the suite does not have: {missing}"),
            "Correct bench/safety.toml",
        ));
    }
    for one in results.contenders.iter().filter(|one| !one.foreign) {
        let driver = find::named(&one.name)?;
        ui::note(format!(
            "playing {} cases with lying NICs and misused APIs for {}",
            chosen.len(),
            driver.name
        ));
        for (module, case) in &chosen {
            if stop.asked() {
                return Err(Failure::failed("stopped before the end", ""));
            }
            safety.note(&driver.name, &name(module, case), outcome(&driver, module, case));
        }
    }
    Ok(safety)
}

fn name(module: &str, case: &Case) -> String {
    format!("{module}::{}", case.name)
}

/// A failure that is expected is a failure all the same: the cell gets no tick.
fn outcome(driver: &Driver, module: &str, case: &Case) -> Outcome {
    let subject = Subject { expected: Default::default(), ..Subject::of(driver) };
    // Deadlines are not what is asked about here.
    let conditions = Conditions { seed: 1, patience: 4.0, way: Way::VfioUser };
    match play(&subject, module, case, conditions) {
        Verdict::Passed => Outcome::Passed,
        Verdict::Failed(_) => Outcome::Failed,
        Verdict::Ignored(_) => Outcome::Ignored,
    }
}

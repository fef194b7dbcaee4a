//! The promises of the README against the results that were kept beside it.

use std::path::Path;

use ringway_bench::compare;
use ringway_bench::plan::Plan;
use ringway_bench::promises;

/// The results of the run that the states in the table are from.
const MEASURED: &str = "measured/results.json";

#[test]
fn every_promise_stands_as_the_kept_results_say() {
    let room = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(room.join("README.md")).unwrap();
    let promises = promises::parse(&readme).unwrap();
    assert!(!promises.is_empty());
    let results = compare::read(&room.join(MEASURED)).unwrap();
    for promise in promises {
        let measured = promise.state_by(&results);
        assert_eq!(promise.state, measured, "{}", promise.line(&promise.judge(&results)));
    }
}

#[test]
fn every_promise_is_about_something_that_is_measured() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let plan = Plan::named("quick").unwrap();
    let mut known: Vec<_> = plan.points().iter().map(|point| format!("rate {point}")).collect();
    for percent in &plan.set.loads {
        for name in ["p50", "p90", "p99", "p99.9", "p99.99", "p99.999", "max"] {
            known.push(format!("latency {name} at {percent} %"));
        }
    }
    known.extend(["rate without loss".to_owned(), "start to first packet".to_owned()]);
    for promise in promises::parse(&readme).unwrap() {
        assert!(known.contains(&promise.what), "{} is nothing that `make bench` measures", promise.what);
    }
}

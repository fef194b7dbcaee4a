//! The promises of the README against the results that were kept beside it.

use std::path::Path;

use ringway_bench::compare;
use ringway_bench::plan::Plan;
use ringway_bench::promises::{self, State, Verdict};

/// Results of a full run on an idle machine; there are none until somebody has made them.
const MEASURED: &str = "measured/results.json";

#[test]
fn no_promise_that_is_marked_as_kept_is_missed() {
    let room = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(room.join("README.md")).unwrap();
    let promises = promises::parse(&readme).unwrap();
    assert!(!promises.is_empty());
    let kept: Vec<_> = promises.iter().filter(|promise| promise.state == State::Kept).collect();
    if kept.is_empty() {
        return;
    }
    let results = compare::read(&room.join(MEASURED)).unwrap_or_else(|error| {
        panic!("promises are marked as kept, but there is no run that shows it: {error}")
    });
    for promise in kept {
        let verdict = promise.judge(&results);
        assert!(matches!(verdict, Verdict::Holds(_)), "{}", promise.line(&verdict));
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

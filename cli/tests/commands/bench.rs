//! `ringway bench`: the command around the stopwatch.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

fn bench(out: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringway"));
    command.arg("bench").args(words).arg("--out").arg(out).stdin(Stdio::null());
    command.env("TMPDIR", out.parent().unwrap());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const SHORT: &[&str] = &[
    "--drivers",
    "rust",
    "--only",
    "forward 64 B, batch 32, ring 512",
    "--warm-up",
    "50",
    "--measure",
    "100",
    "--no-safety",
];

#[test]
fn a_run_leaves_a_report_that_agrees_with_itself() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let program = format!("same={} forward {{a}} {{b}}", rust_app());
    let words = [SHORT, &["--rounds", "2", "--also", &program]].concat();
    let output = bench(&out, &words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("not the speed of a card"));
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("same"));
    let results = out.join("results.json");
    let results = results.to_str().unwrap();
    let compared = bench(&out, &["--compare", results, results]).output().unwrap();
    assert_eq!(compared.status.code(), Some(0), "{}", said(&compared));
    assert!(said(&compared).contains("ratios agree within their spreads"));
    let redrawn = bench(&out, &["--redraw", results, "--baseline", results]).output().unwrap();
    assert!(said(&redrawn).contains("baseline: "), "{}", said(&redrawn));
}

/// With as many queues as are asked for, however few cores there are: every packet is checked, each flow's order too.
#[test]
fn several_queues_are_measured_if_they_are_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let words =
        "--drivers c,rust --queues 1,3 --only flows --rounds 1 --warm-up 50 --measure 100 --no-safety";
    let run = || bench(&out, &words.split(' ').collect::<Vec<_>>()).output().unwrap();
    // A machine that others load can hold the lab up for longer than a driver waits for its last packets to leave.
    let good = |output: &Output| output.status.success();
    let output = (0..3).map(|_| run()).find(good).unwrap_or_else(run);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let results = std::fs::read_to_string(out.join("results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    let rates = results["rates"].as_array().unwrap();
    let measured: Vec<_> =
        rates.iter().map(|row| (row["contender"].as_str(), row["point"]["queues"].as_u64())).collect();
    let expected = ["c", "rust"].map(Some);
    assert_eq!(measured.len(), 4, "{measured:?}");
    for queues in [1, 3].map(Some) {
        assert!(expected.iter().all(|name| measured.contains(&(*name, queues))), "{measured:?}");
    }
    assert!(std::fs::read_to_string(out.join("index.html")).unwrap().contains("Rate over queues"));
}

/// Where the Rust driver's app is, as its driver.toml says it.
fn rust_app() -> String {
    let cli = Path::new(env!("CARGO_BIN_EXE_ringway"));
    cli.with_file_name("ringway-rust").display().to_string()
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let words = [SHORT, &["--rounds", "500"]].concat();
    let child = bench(&out, &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    // A directory for sockets shows that a measurement has begun.
    while std::fs::read_dir(place.path()).unwrap().count() == 0 {
        assert!(Instant::now() < deadline, "nothing was measured");
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = Pid::from_raw(child.id() as i32).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(said(&output).contains("stopped before the end"), "{}", said(&output));
    assert_eq!(
        std::fs::read_dir(place.path()).unwrap().count(),
        0,
        "something is left in {}",
        place.path().display()
    );
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_is_measured() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    for (words, code, why) in [
        (&["--drivers", "cobol"][..], 2, "no driver is called cobol"),
        (&["--drivers", "rust", "--also", "x=./fwd"], 2, "{a}"),
        (&["--drivers", "rust", "--reference", "go"], 2, "the reference go"),
        (&["--drivers", "rust", "--baseline", "/nonexistent.json"], 3, "/nonexistent.json"),
    ] {
        let output = bench(&out, words).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(said(&output).contains(why), "{why}: {}", said(&output));
    }
    assert!(!out.exists());
}

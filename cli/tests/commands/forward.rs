//! `ringway forward` with the Rust driver: the main job, and how it ends when it is disturbed.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::support::bench::{Bench, Outcome, finish};
use crate::support::capture::{frames, packets, pcap, touched};
use crate::support::process::{Running, run};
use rustix::process::Signal;
use serde_json::Value;

const ETHERNET: u32 = 1;
const PATIENCE: Duration = Duration::from_secs(60);

fn summary(outcome: &Outcome) -> Value {
    let line = outcome.stdout.lines().find(|line| line.contains("\"summary\""));
    serde_json::from_str(line.unwrap_or_else(|| panic!("no summary: {outcome:#?}"))).unwrap()
}

#[test]
fn a_capture_arrives_as_it_was_but_for_byte_48() {
    let bench = Bench::new();
    let frames = frames(2000);
    bench.write("in.pcap", pcap(ETHERNET, &frames));
    let outcome = bench
        .run(["forward", "--json", "--strict", "--in", "in.pcap", "--out", "out.pcap", "--timing", "max"]);
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    let arrived = packets(&fs::read(bench.path("out.pcap")).unwrap());
    let expected: Vec<_> = frames.iter().map(|frame| touched(frame)).collect();
    assert_eq!(arrived.len(), expected.len());
    assert!(arrived == expected, "the packets are not the expected ones");
    let summary = summary(&outcome);
    assert_eq!((&summary["ok"], &summary["way"]), (&true.into(), &"vfio-user".into()));
    let flow = &summary["flows"][0];
    assert_eq!(
        (flow["sent"].as_u64(), flow["received"].as_u64(), flow["lost"].as_u64()),
        (Some(2000), Some(2000), Some(0))
    );
    assert_eq!(flow["latency"]["samples"], 2000);
    bench.assert_nothing_left();
}

#[test]
fn the_real_capture_arrives_with_its_own_timestamps() {
    let bench = Bench::new();
    let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/web.pcapng");
    let outcome = finish(
        bench
            .ringway()
            .args(["forward", "--timing", "scaled=10", "--strict", "--out", "out.pcapng", "--in"])
            .arg(&capture),
    );
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    for line in ["327 of 327 packets arrived", "driver and lab agree", "verdict     good"] {
        assert!(outcome.stdout.contains(line), "no {line:?} in {}", outcome.stdout);
    }
    if let (Ok(before), Ok(after)) = (times(&capture), times(&bench.path("out.pcapng"))) {
        assert_eq!(before, after);
    }
    bench.assert_nothing_left();
}

/// Time and length of each packet, as a second opinion reads them; an error without tshark.
fn times(capture: &Path) -> Result<String, String> {
    run(Command::new("tshark")
        .args(["-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len", "-r"])
        .arg(capture)
        .env("LC_ALL", "C"))
}

/// As fast as it goes, on a machine that may be busy: what driver or NIC drop they have to count.
#[test]
fn generated_traffic_runs_both_ways() {
    let bench = Bench::new();
    let outcome = bench.run(["forward", "--json", "--strict", "--generate", "--packets", "20000"]);
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    let summary = summary(&outcome);
    for flow in summary["flows"].as_array().unwrap() {
        let counted =
            flow["dropped"].as_array().unwrap().iter().map(|by| by["packets"].as_u64().unwrap()).sum();
        let count = |name: &str| flow[name].as_u64();
        assert_eq!((count("sent"), count("lost"), count("wrong")), (Some(20_000), Some(counted), Some(0)));
        assert!(count("received").unwrap() > 0);
    }
    assert_eq!(summary["flows"].as_array().unwrap().len(), 2);
    assert_eq!(summary["slots_lost"], 0);
    assert!(summary["memory"]["start"].as_u64().unwrap() > 0);
    bench.assert_nothing_left();
}

#[test]
fn ctrl_c_ends_in_order_and_leaves_a_valid_capture() {
    let bench = Bench::new();
    bench.write("in.pcap", pcap(ETHERNET, &frames(100)));
    let mut command = bench.ringway();
    command.args([
        "forward", "--json", "--in", "in.pcap", "--out", "out.pcap", "--rate", "1000", "--loop", "1000000",
    ]);
    let mut running = Running::start(&mut command);
    running.line_with("\"progress\"", PATIENCE);
    running.signal(Signal::INT);
    let line = running.line_with("\"summary\"", PATIENCE);
    assert_eq!(running.wait(PATIENCE).code(), Some(1));
    let summary: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&summary["interrupted"], &summary["flows"][0]["lost"]), (&true.into(), &0.into()));
    let arrived = packets(&fs::read(bench.path("out.pcap")).unwrap()).len();
    assert_eq!(Some(arrived as u64), summary["flows"][0]["received"].as_u64());
    assert!(arrived > 0);
    bench.assert_nothing_left();
}

#[test]
fn the_driver_does_not_outlive_a_command_that_is_killed() {
    let bench = Bench::new();
    let pid = bench.path("pid");
    let root = bench.toy_driver(&format!("echo $$ >{}; exec sleep 1000", pid.display()));
    bench.write("in.pcap", pcap(ETHERNET, &frames(1)));
    let mut command = bench.ringway();
    command.env("RINGWAY_ROOT", root).args(["forward", "--driver", "toy", "--in", "in.pcap"]);
    let running = Running::start(&mut command);
    let driver = wait_for_pid(&pid);
    running.signal(Signal::KILL);
    let driver = rustix::process::Pid::from_raw(driver).unwrap();
    let deadline = std::time::Instant::now() + PATIENCE;
    while rustix::process::test_kill_process(driver).is_ok() {
        assert!(std::time::Instant::now() < deadline, "the driver lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn wait_for_pid(file: &Path) -> i32 {
    let deadline = std::time::Instant::now() + PATIENCE;
    loop {
        if let Some(pid) = fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok()) {
            return pid;
        }
        assert!(std::time::Instant::now() < deadline, "the driver was not started");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_trace_tells_every_access() {
    let bench = Bench::new();
    bench.write("in.pcap", pcap(ETHERNET, &frames(10)));
    let outcome = bench.run(["forward", "--in", "in.pcap", "--trace", "run.trace"]);
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    for nic in ["a", "b"] {
        let trace = fs::read_to_string(bench.path(&format!("run.{nic}.trace"))).unwrap();
        assert!(trace.contains("CTRL") && trace.contains("RDT[0]"), "{trace}");
    }
}

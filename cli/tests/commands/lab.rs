//! `ringway lab`: up, used, disturbed, down.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::support::bench::{Bench, Outcome, finish};
use crate::support::process::Running;
use rustix::process::Signal;
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(30);

/// Generated packets come out of one NIC's wire, and the other end sends them back: a cable and a driver.
const CABLE: &str =
    "[[nic]]\nname = \"left\"\nwire = { kind = \"cable\", to = \"right\" }\n[[nic]]\nname = \"right\"\n";

struct Up {
    lab: Running,
    ready: Value,
}

fn up(bench: &Bench, file: &str) -> Up {
    bench.write("lab.toml", file);
    let mut lab = Running::start(bench.ringway().args(["lab", "--json", "lab.toml"]));
    let ready = serde_json::from_str(&lab.line_with("\"ready\"", PATIENCE)).unwrap();
    Up { lab, ready }
}

impl Up {
    fn socket(&self, nic: usize) -> PathBuf {
        PathBuf::from(self.ready["nics"][nic]["socket"].as_str().unwrap())
    }

    fn down(mut self, signal: Signal) {
        self.lab.signal(signal);
        assert_eq!(self.lab.wait(PATIENCE).code(), Some(0));
    }
}

/// The app of the Rust driver.
fn app() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let drivers = ringway_conformance::drivers::discover(root).unwrap();
    let driver = drivers.into_iter().find(|driver| driver.name == "rust").unwrap();
    driver.build_now().unwrap();
    driver.app_command().get_program().into()
}

fn run_app<const N: usize>(arguments: [&str; N]) -> Outcome {
    finish(Command::new(app()).args(arguments))
}

fn address(socket: &Path) -> String {
    format!("unix:{}", socket.display())
}

#[test]
fn sockets_are_private_and_gone_afterwards() {
    for signal in [Signal::INT, Signal::TERM] {
        let bench = Bench::new();
        let up = up(&bench, CABLE);
        let socket = up.socket(0);
        assert_eq!(socket, bench.path("run/ringway/left.sock"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&socket), mode(socket.parent().unwrap())), (0o600, 0o700));
        up.down(signal);
        bench.assert_nothing_left();
    }
}

#[test]
fn packets_cross_a_cable() {
    let bench = Bench::new();
    let up = up(&bench, CABLE);
    let (left, right) = (address(&up.socket(0)), address(&up.socket(1)));
    let output = bench.path("out.pcap");
    let mut capture = Command::new(app());
    capture.args(["capture", &right, output.to_str().unwrap(), "--packets", "1000", "--json"]);
    let mut capture = Running::start(&mut capture);
    capture.line_with("\"start\"", PATIENCE);
    let sent = run_app(["generate", &left, "--packets", "1000", "--json"]);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    capture.line_with("\"final\"", PATIENCE);
    assert_eq!(capture.wait(PATIENCE).code(), Some(0));
    up.down(Signal::TERM);
    bench.assert_nothing_left();
}

#[test]
fn what_a_full_cable_loses_is_counted() {
    const SENT: u64 = 20_000;
    let bench = Bench::new();
    let mut up = up(&bench, CABLE);
    let sent = run_app(["generate", &address(&up.socket(0)), "--packets", "20000", "--json"]);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    let left = loop {
        let line = up.lab.line_with("\"counters\"", PATIENCE);
        let counters: Value = serde_json::from_str(&line).unwrap();
        if counters["nics"][0]["tx_packets"] == SENT {
            break counters["nics"][0].clone();
        }
    };
    let lost = left["tx_lost"].as_u64().unwrap();
    let held = (1 << 18) / (60 + 4); // of 256 KiB, four bytes a frame being the cable's own
    assert!(
        lost > 0 && lost <= SENT - held + 64,
        "nobody takes them, so the cable holds some and loses the rest: {left}"
    );
    up.down(Signal::TERM);
}

#[test]
fn a_second_lab_on_the_same_sockets_is_refused_and_a_dead_ones_are_taken_over() {
    let bench = Bench::new();
    let first = up(&bench, CABLE);
    bench.run(["lab", "lab.toml"]).assert_refused(3, &["left.sock", "listening"]);
    first.lab.signal(Signal::KILL);
    drop(first);
    assert!(bench.path("run/ringway/left.sock").exists(), "a killed lab cannot remove its sockets");
    up(&bench, CABLE).down(Signal::TERM);
    bench.assert_nothing_left();
}

#[test]
fn a_nic_has_one_driver() {
    let bench = Bench::new();
    let up = up(&bench, CABLE);
    let [left, right] = [0, 1].map(|nic| address(&up.socket(nic)));
    let mut first = Command::new(app());
    let mut first = Running::start(first.args(["forward", &left, &right, "--json"]));
    first.line_with("\"start\"", PATIENCE);
    assert_refused(&run_app(["forward", &left, &right]), &["left.sock"]);
    first.signal(Signal::TERM);
    assert_eq!(first.wait(PATIENCE).code(), Some(0));
    up.down(Signal::TERM);
}

/// One line, code 3, and the words in it.
#[track_caller]
fn assert_refused(outcome: &Outcome, words: &[&str]) {
    assert_eq!((outcome.code, outcome.stderr.trim().lines().count()), (Some(3), 1), "{outcome:#?}");
    words.iter().for_each(|word| assert!(outcome.stderr.contains(word), "no {word:?} in {outcome:?}"));
}

#[test]
fn an_app_says_why_it_cannot_reach_a_socket() {
    let bench = Bench::new();
    let missing = address(&bench.path("missing.sock"));
    assert_refused(&run_app(["info", &missing]), &["missing.sock"]);
    let refused = bench.path("refused.sock");
    drop(UnixListener::bind(&refused).unwrap());
    assert_refused(&run_app(["info", &address(&refused)]), &["refused.sock"]);
}

#[test]
fn an_app_says_that_a_socket_speaks_something_else() {
    for answer in [&b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"[..], &[0xFF; 64], b"", &[0; 16]]
    {
        let bench = Bench::new();
        let path = bench.path("other.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let other = std::thread::spawn(move || {
            let (mut peer, _) = listener.accept().unwrap();
            let _ = peer.read(&mut [0; 4096]);
            let _ = peer.write_all(answer);
        });
        assert_refused(&run_app(["info", &address(&path)]), &["other.sock"]);
        other.join().unwrap();
    }
}

#[test]
fn capture_and_trace_are_written() {
    let bench = Bench::new();
    let file = CABLE
        .replace("name = \"right\"", "name = \"right\"\ncapture = \"right.pcapng\"\ntrace = \"right.trace\"");
    let up = up(&bench, &file);
    let [left, right] = [0, 1].map(|nic| address(&up.socket(nic)));
    let mut sink = Command::new(app());
    let mut sink = Running::start(sink.args(["capture", &right, "/dev/null", "--json"]));
    sink.line_with("\"start\"", PATIENCE);
    assert_eq!(run_app(["generate", &left, "--packets", "10"]).code, Some(0));
    sink.signal(Signal::TERM);
    sink.wait(PATIENCE);
    up.down(Signal::TERM);
    let trace = fs::read_to_string(bench.path("right.trace")).unwrap();
    assert!(trace.contains("CTRL"), "{trace}");
    let capture = fs::read(bench.path("right.pcapng")).unwrap();
    assert!(capture.len() > 10 * 60, "{} bytes", capture.len());
}

#[test]
fn the_rules_are_listed() {
    let bench = Bench::new();
    let outcome = bench.run(["lab", "--rules", "--json"]);
    assert_eq!(outcome.code, Some(0));
    let said: Value = serde_json::from_str(outcome.stdout.trim()).unwrap();
    assert!(said["rules"].as_array().unwrap().len() >= 25);
}

#[test]
fn the_selftest_says_what_the_lab_can_carry() {
    let bench = Bench::new();
    let outcome = bench.run(["lab", "--selftest", "--duration", "0.3", "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let said: Value = serde_json::from_str(outcome.stdout.lines().last().unwrap()).unwrap();
    assert!(said["lab_pps"].as_f64().unwrap() > 0.0, "{said}");
    assert!(said["lab_bursts_pps"].as_f64().unwrap() > 0.0, "{said}");
}

//! What needs root: a kernel on both sides (namespace, TAP, software NIC, driver, software NIC, TAP, namespace), and a
//! full disk.
//!
//! Where root or a program is missing, every test is reported as ignored, with the reason.
//! The forward workload adds 1 to byte 48 of each packet, which no checksum survives; the TAP wires take it away again
//! (`undo_touch` in the lab file), so that each kernel gets what the other has sent.
#![allow(missing_docs)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use support::bench::{Bench, finish};
use support::capture::{frames, packets, pcap, touched};
use support::namespace::Namespace;
use support::process::{Running, run};

const PATIENCE: Duration = Duration::from_secs(20);
const V4: [&str; 2] = ["10.82.59.1", "10.82.59.2"];
const V6: [&str; 2] = ["fd00:8259::1", "fd00:8259::2"];

type Case = fn(&Street) -> Result<(), Failed>;

const CASES: &[(&str, Case)] = &[
    ("ping_v4_loses_nothing", |street| street.ping("-4", V4[1])),
    ("ping_v6_loses_nothing", |street| street.ping("-6", V6[1])),
    ("a_download_of_50_mb_arrives_as_it_was", download),
    ("iperf3_runs_both_ways", iperf3),
];

fn main() {
    let mut arguments = Arguments::from_args();
    // Each test has its own NICs, driver and namespaces; side by side they would only slow each other down.
    arguments.test_threads = Some(1);
    let missing = missing();
    if let Some(reason) = &missing {
        eprintln!("end to end: all tests are ignored: {reason}");
    }
    let trials = CASES.iter().map(|&(name, case)| {
        let trial = Trial::test(name, move || case(&Street::build()?));
        trial.with_ignored_flag(missing.is_some())
    });
    let disk = Trial::test("a_full_disk_stops_a_run_and_keeps_what_was_captured", full_disk);
    let disk = disk.with_ignored_flag(missing.is_some());
    libtest_mimic::run(&arguments, trials.chain([disk]).collect()).exit();
}

/// Why the tests cannot run here.
fn missing() -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        return Some("they need root (network namespaces and TAP interfaces): sudo -E cargo test".to_owned());
    }
    if !Path::new("/dev/net/tun").exists() {
        return Some("there is no /dev/net/tun: modprobe tun".to_owned());
    }
    if let Err(error) = run(Command::new("unshare").args(["--net", "true"])) {
        return Some(format!("this machine lets root make no network namespace: {error}"));
    }
    let tools = ["ip", "nsenter", "ping", "python3", "curl", "sha256sum", "iperf3"];
    let absent: Vec<_> =
        tools.into_iter().filter(|tool| run(Command::new("which").arg(tool)).is_err()).collect();
    (!absent.is_empty()).then(|| format!("not installed: {} (see `ringway doctor`)", absent.join(", ")))
}

/// Two namespaces with everything between them. Dropping it takes all of it down.
struct Street {
    // Dropped in this order: the driver goes first, then the lab with its TAPs, then the namespaces.
    _driver: Running,
    lab: Running,
    sides: [Namespace; 2],
    directory: tempfile::TempDir,
}

impl Street {
    fn build() -> Result<Street, Failed> {
        let directory = tempfile::tempdir()?;
        let taps = [format!("rwa{}", std::process::id()), format!("rwb{}", std::process::id())];
        let file = directory.path().join("lab.toml");
        fs::write(&file, lab_file(&taps))?;
        let mut lab = Running::start(
            ringway().args(["lab", "--json"]).arg(&file).env("XDG_RUNTIME_DIR", directory.path()),
        );
        lab.line_with("\"ready\"", PATIENCE);
        let sides = [Namespace::new(), Namespace::new()];
        for (side, namespace) in sides.iter().enumerate() {
            namespace.take(&taps[side], &[&format!("{}/24", V4[side]), &format!("{}/64", V6[side])])?;
        }
        let sockets = ["a", "b"].map(|nic| format!("unix:{}/ringway/{nic}.sock", directory.path().display()));
        let mut driver =
            Running::start(Command::new(driver_app()?).args(["forward", &sockets[0], &sockets[1], "--json"]));
        driver.line_with("\"start\"", PATIENCE);
        let street = Street { _driver: driver, lab, sides, directory };
        street.settle()?;
        Ok(street)
    }

    /// Waits until the first packets have made it: interfaces, neighbour discovery and the NICs' links take their time.
    fn settle(&self) -> Result<(), Failed> {
        for (family, address) in [("-4", V4[1]), ("-6", V6[1])] {
            let ready = |_| self.sides[0].run("ping", &[family, "-c", "1", "-W", "1", address]).is_ok();
            if !(0..20).any(ready) {
                return Err(format!("nothing answers at {address}; lab runs as {}", self.lab.pid()).into());
            }
        }
        Ok(())
    }

    fn ping(&self, family: &str, address: &str) -> Result<(), Failed> {
        let said =
            self.sides[0].run("ping", &[family, "-q", "-c", "200", "-i", "0.01", "-W", "2", address])?;
        match said.contains("200 received, 0% packet loss") && !said.contains("duplicates") {
            true => Ok(()),
            false => Err(said.into()),
        }
    }
}

fn lab_file(taps: &[String; 2]) -> String {
    let nic = |name: &str, tap: &str| {
        format!(
            "[[nic]]\nname = \"{name}\"\nwire = {{ kind = \"tap\", name = \"{tap}\", undo_touch = true }}\n"
        )
    };
    nic("a", &taps[0]) + &nic("b", &taps[1])
}

fn ringway() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ringway"))
}

/// The Rust driver's app, built by the command itself if it has to be.
fn driver_app() -> Result<PathBuf, Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository")?;
    let driver = ringway_conformance::drivers::discover(root)?
        .into_iter()
        .find(|driver| driver.name == "rust")
        .ok_or("no driver is called rust")?;
    driver.build_now()?;
    Ok(driver.app_command().get_program().into())
}

fn download(street: &Street) -> Result<(), Failed> {
    let origin = street.directory.path().join("origin");
    fs::create_dir(&origin)?;
    run(Command::new("sh").current_dir(&origin).args(["-c", "head -c 50000000 /dev/urandom >file"]))?;
    let [near, far] = &street.sides;
    let serve = ["-m", "http.server", "--bind", V4[1], "--directory", origin.to_str().ok_or("path")?, "8080"];
    let _server = Running::start(far.command("python3", &serve).stderr(std::process::Stdio::null()));
    let copy = street.directory.path().join("copy");
    let address = format!("http://{}:8080/file", V4[1]);
    let words = [
        "--silent",
        "--show-error",
        "--fail",
        "--max-time",
        "120",
        "--retry",
        "20",
        "--retry-connrefused",
        "--retry-delay",
        "1",
        "--output",
        copy.to_str().ok_or("path")?,
        &address,
    ];
    near.run("curl", &words)?;
    let (sent, arrived) = (sha256(&origin.join("file"))?, sha256(&copy)?);
    match sent == arrived {
        true => Ok(()),
        false => Err(format!("sent {sent}, arrived {arrived}").into()),
    }
}

fn sha256(file: &Path) -> Result<String, Failed> {
    let said = run(Command::new("sha256sum").arg(file))?;
    Ok(said.split_whitespace().next().ok_or("sha256sum says nothing")?.to_owned())
}

fn iperf3(street: &Street) -> Result<(), Failed> {
    let [near, far] = &street.sides;
    for direction in [&[][..], &["--reverse"]] {
        let mut server =
            Running::start(&mut far.command("iperf3", &["--server", "--one-off", "--forceflush"]));
        server.line_with("listening", PATIENCE);
        let mut words = vec!["--client", V4[1], "--time", "2", "--json"];
        words.extend(direction);
        let said = near.run("iperf3", &words)?;
        let said: serde_json::Value = serde_json::from_str(&said)?;
        let rate = said["end"]["sum_received"]["bits_per_second"].as_f64().unwrap_or(0.0);
        // Far below what any machine does; a single stall of TCP would fall below it.
        if rate < 1e6 {
            return Err(format!("{rate} bit/s with {direction:?}").into());
        }
        eprintln!("iperf3 {}: {:.0} Mbit/s", direction.first().unwrap_or(&"forward"), rate / 1e6);
    }
    Ok(())
}

/// What was captured when the disk was full is a valid file. The small file system is mounted in a namespace of its own, and gone with it.
fn full_disk() -> Result<(), Failed> {
    let bench = Bench::new();
    bench.write("in.pcap", pcap(1, &frames(2000)));
    fs::create_dir(bench.path("small")).unwrap();
    let script = "mount -t tmpfs -o size=256k ringway-test small || exit 77; \"$0\" \"$@\"; code=$?; cp small/out.pcap out.pcap; exit $code";
    let mut command = bench.command(Path::new("unshare"));
    command.args(["--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_ringway")]);
    let outcome =
        finish(command.args(["forward", "--in", "in.pcap", "--out", "small/out.pcap", "--timing", "max"]));
    outcome.assert_refused(4, &["small/out.pcap", "No space left", "readable"]);
    let kept = packets(&fs::read(bench.path("out.pcap")).unwrap());
    let expected: Vec<_> = frames(2000).iter().map(|frame| touched(frame)).collect();
    assert!(!kept.is_empty() && kept.len() < 2000, "{} packets", kept.len());
    assert!(kept == expected[..kept.len()], "what was captured is not what was sent");
    bench.assert_nothing_left();
    Ok(())
}

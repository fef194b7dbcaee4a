//! `ringway exec`: a program finds software NICs where it looks for cards, and nothing of them is left.
//!
//! Without root, mount namespaces or hugepages every test but one is reported as ignored, with the reason.
#![allow(missing_docs)]

mod support;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use ringway_conformance::drivers::discover;
use rustix::process::Signal;
use serde_json::Value;
use support::bench::Bench;
use support::process::Running;

const PATIENCE: Duration = Duration::from_secs(60);
const OVERCOMMIT: &str = "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_overcommit_hugepages";

type Case = fn() -> Result<(), Failed>;

const CASES: &[(&str, Case)] = &[
    ("functions_are_there_and_only_for_the_program", functions_are_there),
    ("the_exit_code_is_that_of_the_program", exit_codes),
    ("a_program_that_is_not_there_is_named", no_program),
    ("sigterm_ends_the_program_and_all_that_it_has_started", sigterm),
    ("our_driver_forwards_over_sysfs_and_every_loss_is_counted", forwards),
    ("a_driver_that_is_killed_leaves_the_nic_to_the_next", killed),
];

fn main() {
    let mut arguments = Arguments::from_args();
    // They change the number of hugepages that there may be, and look at it.
    arguments.test_threads = Some(1);
    let missing = missing();
    if let Some(why) = missing {
        eprintln!("exec: the tests are ignored: {why}");
    }
    let ignored = missing.is_some();
    let trials = CASES.iter().map(|&(name, case)| Trial::test(name, case).with_ignored_flag(ignored));
    let words = Trial::test("wires_that_make_no_sense_are_refused_with_the_word", bad_words);
    libtest_mimic::run(&arguments, trials.chain([words]).collect()).exit();
}

/// What the tests need and this machine does not give.
fn missing() -> Option<&'static str> {
    let namespaces =
        || Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success());
    let hugepages = || fs::OpenOptions::new().write(true).open(OVERCOMMIT).is_ok();
    if !rustix::process::geteuid().is_root() {
        Some("they need root (mount namespaces): sudo -E cargo test")
    } else if !namespaces() {
        Some("they need mount namespaces, which this kernel or container forbids")
    } else if !hugepages() {
        Some("they need hugepages of 2 MiB, of which this kernel has none or gives none to containers")
    } else {
        None
    }
}

struct Outcome {
    code: Option<i32>,
    out: String,
    err: String,
}

fn exec(options: &[&str], program: &[&str]) -> Outcome {
    let bench = Bench::new();
    let output = bench.ringway().arg("exec").args(options).arg("--").args(program).output().unwrap();
    Outcome {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn check(what: &str, right: bool, seen: &Outcome) -> Result<(), Failed> {
    let Outcome { code, out, err } = seen;
    if right { Ok(()) } else { Err(format!("{what}: code {code:?}\n{out}\n{err}").into()) }
}

fn overcommit() -> String {
    fs::read_to_string(OVERCOMMIT).unwrap_or_default()
}

fn functions_are_there() -> Result<(), Failed> {
    let before = (overcommit(), fs::read_to_string("/proc/self/mounts")?);
    let script = "cd /sys/bus/pci/devices && echo * && cat 0000:03:01.0/device 0000:03:01.0/class \
                  && stat -Lc %s 0000:03:00.0/resource0 && stat -f -c %T /dev/hugepages && ls /dev/uio1";
    let seen = exec(&["--nic", "a=cable:to=b", "--nic", "b"], &["sh", "-c", script]);
    let expected = "0000:03:00.0 0000:03:01.0\n0x10fb\n0x020000\n131072\nhugetlbfs\n/dev/uio1\n";
    check("the files", seen.out == expected && seen.code == Some(0), &seen)?;
    let after = (overcommit(), fs::read_to_string("/proc/self/mounts")?);
    check("something is left behind", before == after, &seen)
}

fn exit_codes() -> Result<(), Failed> {
    for (script, code) in [("exit 0", 0), ("exit 7", 7), ("kill -SEGV $$", 139)] {
        let seen = exec(&["--nic", "a=null"], &["sh", "-c", script]);
        check(script, seen.code == Some(code), &seen)?;
    }
    Ok(())
}

fn no_program() -> Result<(), Failed> {
    let seen = exec(&["--nic", "a=null"], &["/nowhere/driver"]);
    check(
        "the line",
        seen.code == Some(3) && seen.err.starts_with("ringway: there is no program /nowhere/driver"),
        &seen,
    )
}

fn bad_words() -> Result<(), Failed> {
    for (word, cause) in [
        ("a=string", "unknown variant `string`"),
        ("a=generator:size=9", "a frame of 9 bytes does not exist"),
        ("a=cable:to=x", "there is no nic `x`"),
        ("a", "nic `a` has no wire"),
        ("a/b=null", "`a/b` cannot be"),
    ] {
        let seen = exec(&["--nic", word], &["true"]);
        let line = format!("ringway: --nic {word}: {cause}");
        check(word, seen.code == Some(2) && seen.err.starts_with(&line), &seen)?;
    }
    Ok(())
}

fn sigterm() -> Result<(), Failed> {
    let bench = Bench::new();
    let before = overcommit();
    let script = "sleep 1000 & echo $!; trap 'exit 3' TERM; echo ready; while :; do sleep 0.1; done";
    let mut running =
        Running::start(bench.ringway().args(["exec", "--nic", "a=null", "--", "sh", "-c", script]));
    let child: i32 = running.line_with("", PATIENCE).trim().parse()?;
    running.line_with("ready", PATIENCE);
    running.signal(Signal::TERM);
    let code = running.wait(PATIENCE).code();
    let deadline = Instant::now() + Duration::from_secs(5);
    while is_alive(child) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10)); // it was killed, and still has to die
    }
    let alive = is_alive(child);
    if code != Some(3) || alive || overcommit() != before {
        return Err(format!("code {code:?}, child alive: {alive}, hugepages {before}{}", overcommit()).into());
    }
    Ok(())
}

/// Whether the process is there, and no zombie.
fn is_alive(process: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

/// The app of the C driver, or nothing if it is not here.
fn app() -> Result<String, Failed> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository")?;
    let driver =
        discover(root)?.into_iter().find(|driver| driver.name == "c").ok_or("there is no driver c")?;
    driver.build_now()?;
    Ok(driver.app_command().get_program().to_string_lossy().into_owned())
}

fn report(seen: &Outcome) -> Result<Value, Failed> {
    let line = seen.out.lines().find(|line| line.contains("\"event\":\"exec\"")).ok_or("no report")?;
    Ok(serde_json::from_str(line)?)
}

fn forwards() -> Result<(), Failed> {
    let app = app()?;
    let options = ["--json", "--nic", "a=generator:to=b,packets=20000,rate=20k", "--nic", "b"];
    let program =
        [&app, "forward", "0000:03:00.0", "0000:03:01.0", "--packets", "40000", "--duration", "30", "--json"];
    let seen = exec(&options, &program);
    check("the exit code", seen.code == Some(0), &seen)?;
    let report = report(&seen)?;
    for nic in report["nics"].as_array().ok_or("no nics")? {
        let bad: Vec<_> =
            nic["findings"].as_array().into_iter().flatten().filter(|f| f["severity"] != "note").collect();
        check(&format!("findings {bad:?}"), bad.is_empty(), &seen)?;
        check("received", nic["rx_packets"] == 20_000, &seen)?;
    }
    let mut lost = 0;
    for direction in report["traffic"].as_array().ok_or("no traffic")? {
        let arrived = &direction["arrived"];
        let whole = arrived["wrong"] == 0 && arrived["reordered"] == 0;
        check(&format!("{direction}"), whole, &seen)?;
        lost += arrived["lost"].as_u64().ok_or("no count of losses")?;
    }
    // What comes while the other NIC's link is still down has nowhere to go, and the driver says how much that was.
    let said = seen.out.lines().find(|line| line.contains("\"event\":\"final\"")).ok_or("no final line")?;
    let said: Value = serde_json::from_str(said)?;
    check(&format!("{lost} were lost"), said["dropped"] == lost && lost < 4_000, &seen)
}

fn killed() -> Result<(), Failed> {
    let app = app()?;
    let forward = format!("{app} forward 0000:03:00.0 0000:03:01.0 --duration 30");
    let script =
        format!("{forward} & sleep 2; kill -9 $!; wait; {app} info 0000:03:00.0 && {app} info 0000:03:01.0");
    let seen = exec(&["--json", "--nic", "a=generator:to=b,rate=1k", "--nic", "b"], &["sh", "-c", &script]);
    check("the exit code", seen.code == Some(0), &seen)?;
    let report = report(&seen)?;
    let resets = report["nics"][0]["resets"].as_u64().unwrap_or(0);
    check("the next driver has had the NIC", resets >= 2, &seen)
}

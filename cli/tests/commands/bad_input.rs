//! Bad input gets one clear line that names the cause, a non-zero exit code, and nothing left behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::bench::{Bench, Outcome, finish};
use crate::support::capture::{frames, pcap};
use rustix::process::{Pid, geteuid, test_kill_process};

const ETHERNET: u32 = 1;
const RAW_IP: u32 = 101;

/// What a driver's app says when its devices are open.
const START: &str = r#"{"event":"start","app":"forward","driver":"toy","version":"0","devices":[{"address":"unix:a","way":"vfio-user","mac":"02:00:00:00:00:01","link":true,"mbit":10000},{"address":"unix:b","way":"vfio-user","mac":"02:00:00:00:00:02","link":true,"mbit":10000}]}"#;

/// Runs `forward` over a good capture with a toy driver.
fn forward_with_toy(bench: &Bench, root: &Path) -> Outcome {
    bench.write("in.pcap", pcap(ETHERNET, &frames(10)));
    finish(
        bench
            .ringway()
            .env("RINGWAY_ROOT", root)
            .args(["forward", "--driver", "toy", "--in", "in.pcap", "--out", "out.pcap", "--timing", "max"]),
    )
}

#[test]
fn captures_that_cannot_be_played_are_refused_by_name_and_reason() {
    let whole = pcap(ETHERNET, &frames(3));
    let cases: &[(&str, Option<Vec<u8>>, &str)] = &[
        ("missing.pcap", None, "No such file"),
        ("empty.pcap", Some(vec![]), "not a capture"),
        ("text.pcap", Some(b"hello, world\n".to_vec()), "not a capture"),
        ("no-packets.pcap", Some(pcap(ETHERNET, &[])), "no packets"),
        ("cut.pcap", Some(whole[..whole.len() - 7].to_vec()), "cut off"),
        ("cooked.pcap", Some(pcap(113, &frames(1))), "Ethernet"),
        ("raw.pcap", Some(pcap(RAW_IP, &frames(1))), "Ethernet"),
    ];
    for (name, contents, reason) in cases {
        let bench = Bench::new();
        if let Some(contents) = contents {
            bench.write(name, contents);
        }
        let outcome = bench.run(["forward", "--in", name, "--out", "out.pcap"]);
        outcome.assert_refused(3, &[name, reason]);
        assert!(!bench.path("out.pcap").exists(), "{name}: an output was made for nothing");
        bench.assert_nothing_left();
    }
}

#[test]
fn a_capture_that_may_not_be_read_is_refused() {
    let bench = Bench::new();
    let capture = bench.write("secret.pcap", pcap(ETHERNET, &frames(1)));
    fs::set_permissions(&capture, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = as_nobody(&bench);
    let outcome = finish(command.args(["forward", "--in", "secret.pcap", "--out", "out.pcap"]));
    outcome.assert_refused(3, &["secret.pcap", "Permission denied"]);
}

/// The command run by somebody without rights: by nobody, if the test runs as root.
fn as_nobody(bench: &Bench) -> Command {
    if !geteuid().is_root() {
        return bench.ringway();
    }
    let program = bench.path("ringway");
    fs::copy(env!("CARGO_BIN_EXE_ringway"), &program).unwrap();
    for directory in ["", "tmp", "run"] {
        fs::set_permissions(bench.path(directory), fs::Permissions::from_mode(0o777)).unwrap();
    }
    fs::remove_dir(bench.path("run")).unwrap();
    let mut command = bench.command(Path::new("setpriv"));
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]).arg(program);
    command.env("XDG_RUNTIME_DIR", bench.path("tmp"));
    command
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let bench = Bench::new();
    bench.write("in.pcap", pcap(ETHERNET, &frames(3)));
    bench
        .run(["forward", "--in", "in.pcap", "--out", "nowhere/out.pcap"])
        .assert_refused(3, &["nowhere/out.pcap", "directory"]);
    bench
        .run(["forward", "--in", "in.pcap", "--out", "/dev/full"])
        .assert_refused(3, &["/dev/full", "No space left"]);
    fs::hard_link(bench.path("in.pcap"), bench.path("same.pcap")).unwrap();
    bench
        .run(["forward", "--in", "in.pcap", "--out", "same.pcap"])
        .assert_refused(2, &["same.pcap", "in.pcap"]);
    assert_eq!(fs::read(bench.path("in.pcap")).unwrap(), pcap(ETHERNET, &frames(3)), "the input was touched");
    bench.assert_nothing_left();
}

#[test]
fn a_wrong_command_line_is_code_2() {
    let bench = Bench::new();
    assert_eq!(bench.run(["forward"]).code, Some(2));
    assert_eq!(bench.run(["forward", "--in", "x", "--timing", "fast"]).code, Some(2));
    assert_eq!(bench.run(["forward", "--in", "x", "--generate"]).code, Some(2));
    bench.write("in.pcap", pcap(ETHERNET, &frames(1)));
    bench
        .run(["forward", "--driver", "cobol", "--in", "in.pcap"])
        .assert_refused(2, &["cobol", "There is: "]);
}

#[test]
fn a_driver_that_does_not_build_is_told_with_its_command() {
    let bench = Bench::new();
    let root = bench.toy_driver_built_by("echo the compiler is angry >&2; exit 1", "");
    let outcome = forward_with_toy(&bench, &root);
    outcome.assert_refused(4, &["driver toy does not build"]);
    assert!(outcome.stderr.contains("the compiler is angry"), "{outcome:?}");
    bench.assert_nothing_left();
}

#[test]
fn a_driver_that_crashes_is_told_with_its_last_words() {
    let bench = Bench::new();
    let root = bench.toy_driver(&format!("echo '{START}'; sleep 0.3; echo out of luck >&2; exit 7"));
    let outcome = forward_with_toy(&bench, &root);
    outcome.assert_refused(4, &["driver toy exited with code 7", "out of luck"]);
    assert!(!bench.path("out.pcap").exists(), "nothing was captured, so there is no capture");
    bench.assert_nothing_left();
}

#[test]
fn a_driver_that_refuses_is_heard() {
    let bench = Bench::new();
    let root = bench
        .toy_driver(r#"echo '{"event":"error","kind":"Unsupported","message":"I only do tea"}'; exit 3"#);
    forward_with_toy(&bench, &root).assert_refused(3, &["Unsupported", "I only do tea"]);
    let root = bench.toy_driver("echo Hello!; sleep 60");
    forward_with_toy(&bench, &root).assert_refused(4, &["no JSON event", "Hello!"]);
    bench.assert_nothing_left();
}

#[test]
fn a_driver_that_does_nothing_loses_everything_and_is_killed() {
    let bench = Bench::new();
    let pid = bench.path("pid");
    let script =
        format!("echo $$ >{}; trap '' TERM; echo '{START}'; while :; do sleep 1; done", pid.display());
    let root = bench.toy_driver(&script);
    forward_with_toy(&bench, &root).assert_refused(4, &["did not end", "killed"]);
    let pid: i32 = fs::read_to_string(pid).unwrap().trim().parse().unwrap();
    assert!(test_kill_process(Pid::from_raw(pid).unwrap()).is_err(), "the driver is still there");
    bench.assert_nothing_left();
}

#[test]
fn an_error_is_an_object_with_json() {
    let bench = Bench::new();
    let outcome = bench.run(["forward", "--json", "--in", "missing.pcap"]);
    outcome.assert_refused(3, &["missing.pcap"]);
    let said: serde_json::Value = serde_json::from_str(outcome.stdout.trim()).unwrap();
    assert_eq!((said["event"].as_str(), said["exit"].as_u64()), (Some("error"), Some(3)));
}

#[test]
fn a_lab_file_is_refused_with_file_and_line() {
    let bench = Bench::new();
    bench.run(["lab", "missing.toml"]).assert_refused(3, &["missing.toml", "No such file"]);
    bench.write("bad.toml", "[[nic]]\nname = \"a\"\nwire = { kind = \"string\" }\n");
    bench.run(["lab", "bad.toml"]).assert_refused(2, &["bad.toml:3:", "string"]);
    bench.write("broken.toml", "[[nic]\n");
    bench.run(["lab", "broken.toml"]).assert_refused(2, &["broken.toml:1:"]);
    bench.write("pcap.toml", "[[nic]]\nname = \"a\"\nwire = { kind = \"pcap\", in = \"no.pcap\" }\n");
    bench.run(["lab", "pcap.toml"]).assert_refused(3, &["no.pcap", "No such file"]);
    bench.assert_nothing_left();
}

#[test]
fn a_tap_without_the_right_to_it_is_refused() {
    let bench = Bench::new();
    bench.write("tap.toml", "[[nic]]\nname = \"a\"\nwire = { kind = \"tap\", name = \"rwbad0\" }\n");
    let mut command = as_nobody(&bench);
    finish(command.args(["lab", "tap.toml"])).assert_refused(3, &["rwbad0", "CAP_NET_ADMIN"]);
}

//! Programs that the end-to-end tests and the examples call.

use std::process::{Command, Stdio};

use super::Check;

const GROUP: &str = "End-to-end tests (also need root)";

/// Program, argument that makes it print a version, Debian package.
const TOOLS: &[(&str, &str, &str)] = &[
    ("ip", "-V", "iproute2"),
    ("ping", "-V", "iputils-ping"),
    ("iperf3", "--version", "iperf3"),
    ("python3", "--version", "python3"),
    ("curl", "--version", "curl"),
    ("ethtool", "--version", "ethtool"),
    ("tcpdump", "--version", "tcpdump"),
    ("tshark", "--version", "tshark"),
];

/// Programs that count for `ringway bench`: instructions and allocations.
const COUNTERS: &[(&str, &str, &str)] =
    &[("valgrind", "--version", "valgrind"), ("perf", "--version", "linux-perf")];

/// One check for each program.
pub fn checks() -> Vec<Check> {
    let checks = |group, tools: &[(&str, &str, &str)]| -> Vec<Check> {
        tools.iter().map(|&(program, argument, package)| tool(group, program, argument, package)).collect()
    };
    [checks(GROUP, TOOLS), checks("Counting (`ringway bench`)", COUNTERS)].concat()
}

fn tool(group: &str, program: &str, argument: &str, package: &str) -> Check {
    match version(program, argument) {
        Some(line) => Check::ok(group, program, line),
        None => Check::absent(group, program, "not found", format!("sudo apt-get install -y {package}")),
    }
}

/// The first line that `program argument` prints, on whichever output; `None` if it cannot be started.
fn version(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).stdin(Stdio::null()).output().ok()?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    String::from_utf8_lossy(&text).lines().map(|line| line.trim().to_owned()).find(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_comes_with_its_package() {
        let check = tool(GROUP, "ringway-no-such-program", "-V", "some-package");
        assert_eq!(check.fix, "sudo apt-get install -y some-package");
        assert!(version("sh", "--version-that-does-not-exist").is_some());
    }
}

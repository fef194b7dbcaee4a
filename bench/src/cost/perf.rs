//! Instructions per packet, counted by the processor while a contender runs at full load.
//!
//! Looking into empty rings is counted too: that is what a driver that polls costs.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Counted;

/// The event that is counted.
pub const INSTRUCTIONS: &str = "instructions:u";

/// Whether the processor's counters can be used here, or why not.
pub fn available() -> Result<(), String> {
    let output = Command::new("perf")
        .args(["stat", "-x", ",", "-e", INSTRUCTIONS, "true"])
        .stdin(Stdio::null())
        .output();
    match output {
        Err(_) => Err("perf is not installed (sudo apt-get install linux-perf)".to_owned()),
        Ok(output) => match parse(&String::from_utf8_lossy(&output.stderr)) {
            Some(_) => Ok(()),
            None => {
                Err("this machine does not count instructions (no counters, or not for this user)".to_owned())
            }
        },
    }
}

/// Counts `event` of a running process and all its threads.
pub struct Counter {
    perf: Child,
}

impl Counter {
    /// Begins; ends by itself after `time`.
    ///
    /// # Errors
    /// If perf cannot be started.
    pub fn start(event: &str, pid: u32, time: Duration) -> std::io::Result<Counter> {
        let (pid, time) = (pid.to_string(), time.as_millis().to_string());
        let mut command = Command::new("perf");
        command.args(["stat", "-x", ",", "-e", event, "-p", &pid, "--timeout", &time]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        crate::app::die_with_parent(&mut command);
        Ok(Counter { perf: command.spawn()? })
    }

    /// The count, divided by `packets`.
    pub fn per_packet(self, packets: f64) -> Counted {
        let output = self.perf.wait_with_output();
        let counted = output.ok().and_then(|output| parse(&String::from_utf8_lossy(&output.stderr)));
        match counted {
            Some(count) if packets > 0.0 => Counted::Value { value: count / packets, by: "perf".to_owned() },
            _ => Counted::NotCounted("perf has counted nothing".to_owned()),
        }
    }
}

/// The first number of perf's comma-separated output; `<not supported>` and `<not counted>` are none.
fn parse(text: &str) -> Option<f64> {
    text.lines().find_map(|line| line.split(',').next()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_perf_prints() {
        assert_eq!(parse("123456,,instructions:u,1000,100.00,,\n"), Some(123_456.0));
        assert_eq!(parse("<not supported>,,instructions:u,0,100.00,,\n"), None);
        assert_eq!(parse("Error: no access\n"), None);
    }

    #[test]
    fn counts_a_process_that_runs_where_perf_can() {
        // Events of the kernel's own are there even where the processor's are not.
        let event = "task-clock";
        let probe = Command::new("perf").args(["stat", "-x", ",", "-e", event, "true"]).output();
        if !probe.is_ok_and(|output| parse(&String::from_utf8_lossy(&output.stderr)).is_some()) {
            return; // no perf here, or not for this user: that is told to whoever asks for instructions
        }
        let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let counter = Counter::start(event, busy.id(), Duration::from_millis(200)).unwrap();
        let counted = counter.per_packet(2.0);
        busy.kill().unwrap();
        busy.wait().unwrap();
        assert!(counted.value().is_some_and(|value| value > 0.0), "{counted:?}");
    }
}

//! Network namespaces without names: each lives as long as the process that holds it, so that nothing can be left behind.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use super::process::{Running, run};

/// A network namespace.
pub struct Namespace {
    holder: Running,
}

impl Namespace {
    /// A new one, with only a loopback interface, which is up.
    pub fn new() -> Namespace {
        let holder = Running::start(Command::new("unshare").args(["--net", "sleep", "infinity"]));
        let namespace = Namespace { holder };
        let ours = fs::read_link("/proc/self/ns/net").unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        while fs::read_link(namespace.path()).unwrap() == ours {
            assert!(Instant::now() < deadline, "unshare --net has not made a namespace");
            std::thread::sleep(Duration::from_millis(5));
        }
        namespace.run("ip", &["link", "set", "lo", "up"]).unwrap();
        namespace
    }

    fn path(&self) -> String {
        format!("/proc/{}/ns/net", self.holder.pid())
    }

    /// A command that will run inside.
    pub fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net={}", self.path())).arg(program).args(arguments);
        command
    }

    /// Runs a command inside to its end.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        run(&mut self.command(program, arguments))
    }

    /// Moves an interface in here, gives it addresses, and takes it up.
    pub fn take(&self, interface: &str, addresses: &[&str]) -> Result<(), String> {
        run(Command::new("ip").args(["link", "set", interface, "netns", &self.holder.pid().to_string()]))?;
        for address in addresses {
            let mut words = vec!["address", "add", address, "dev", interface];
            if address.contains(':') {
                // Without this the address could not be used for a second or two.
                words.push("nodad");
            }
            self.run("ip", &words)?;
        }
        self.run("ip", &["link", "set", interface, "up"]).map(drop)
    }
}

//! The program: started, told to end, and everything that it has left behind.

use std::io::{ErrorKind, IsTerminal};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use ringway_lab::tree;
use rustix::process::{Pid, Signal, kill_process};

use crate::failure::Failure;

/// How long a program that was told to end may take.
const GRACE: Duration = Duration::from_secs(10);

/// The program that is being run.
pub struct Program {
    child: Child,
    /// Whether the terminal sends it the signals that it sends to us.
    shares_terminal: bool,
    told: Option<Instant>,
}

impl Program {
    /// Starts it. It is killed by the kernel should this process be killed.
    pub fn start(words: &[String]) -> Result<Program, Failure> {
        let [name, arguments @ ..] = words else { return Err(Failure::usage("no program is given", "")) };
        let mut command = Command::new(name);
        command.args(arguments);
        // Whatever drivers look at to find their devices elsewhere.
        command.env("RINGWAY_SYSFS", tree::DEVICES).env("SYSFS_PCI_DEVICES", tree::DEVICES);
        let shares_terminal = std::io::stdin().is_terminal();
        if !shares_terminal {
            command.process_group(0);
        }
        // SAFETY: one system call between fork and exec, no memory is touched.
        unsafe {
            command.pre_exec(|| Ok(rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?))
        };
        let child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::open(
                format!("there is no program {name}"),
                "See that it is in PATH, or give its path",
            ),
            _ => Failure::open(format!("cannot start {name}: {error}"), ""),
        })?;
        Ok(Program { child, shares_terminal, told: None })
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>, Failure> {
        self.child
            .try_wait()
            .map_err(|error| Failure::failed(format!("cannot wait for the program: {error}"), ""))
    }

    /// Asks it to end; kills it when that does not help. To be called again and again.
    pub fn end(&mut self) {
        let told = *self.told.get_or_insert_with(|| {
            if !self.shares_terminal {
                signal(self.child.id(), Signal::TERM);
            }
            Instant::now()
        });
        if told.elapsed() > GRACE {
            signal(self.child.id(), Signal::KILL);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        // Whatever else is in this namespace was started by the program.
        for process in tree::companions() {
            signal(process, Signal::KILL);
        }
    }
}

fn signal(process: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}

/// The exit code that tells how a program ended, as shells give it.
pub fn code(status: ExitStatus) -> u8 {
    let signalled = status.signal().map(|signal| 128 + signal);
    status.code().or(signalled).and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}

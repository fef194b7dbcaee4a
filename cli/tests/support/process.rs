//! Child processes that do not outlive the test, and lines read from them with a deadline.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// A child that is killed when dropped, and by the kernel should the test itself be killed.
pub struct Running {
    child: Child,
    lines: Option<Receiver<String>>,
}

impl Running {
    /// Starts it; its standard output can be read with [`Running::line_with`].
    pub fn start(command: &mut Command) -> Running {
        Self::start_from(command.stdin(Stdio::null()))
    }

    /// The same, with something to write its standard input to.
    pub fn start_with_prompt(command: &mut Command) -> (Running, ChildStdin) {
        let mut running = Self::start_from(command.stdin(Stdio::piped()));
        let prompt = running.child.stdin.take().expect("standard input is piped");
        (running, prompt)
    }

    fn start_from(command: &mut Command) -> Running {
        // SAFETY: one system call between fork and exec, no memory is touched.
        unsafe {
            command.pre_exec(|| Ok(rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?))
        };
        command.stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let lines = child.stdout.take().map(|out| {
            let (sender, receiver) = channel();
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
            receiver
        });
        Running { child, lines }
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Reads lines until one contains `word`, and returns it.
    pub fn line_with(&mut self, word: &str, patience: Duration) -> String {
        let deadline = Instant::now() + patience;
        let lines = self.lines.as_ref().expect("standard output is piped");
        loop {
            match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(word) => return line,
                Ok(_) => {}
                Err(error) => {
                    panic!("no line with {word:?}: {error}, and the process: {:?}", self.child.try_wait())
                }
            }
        }
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.child.id() as i32).unwrap(), signal).unwrap();
    }

    /// Waits for the end.
    pub fn wait(&mut self, patience: Duration) -> ExitStatus {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("process {} has not ended after {patience:?}", self.child.id());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command to its end; `Err` holds what it printed if it failed.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = text_of(&output);
    if output.status.success() { Ok(text) } else { Err(format!("{command:?}: {}\n{text}", output.status)) }
}

fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

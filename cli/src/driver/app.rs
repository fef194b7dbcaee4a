//! A driver's app as a child process: started, listened to, ended, and never left behind.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::event::AppEvent;
use crate::failure::Failure;

/// How long an app may take to close its devices after SIGTERM before it is killed.
const CLOSING: Duration = Duration::from_secs(5);
/// How many lines of its standard error are kept for a message.
const LINES_KEPT: usize = 5;

/// A running app. Dropping it kills it.
pub struct App {
    name: String,
    child: Child,
    events: Receiver<Line>,
    stderr: Arc<Mutex<VecDeque<String>>>,
}

/// What the reading thread hands on.
enum Line {
    Event(AppEvent),
    Garbage(String),
}

impl App {
    /// Starts `command`. `name` is for messages.
    ///
    /// The app gets a process group of its own, so that Ctrl-C at the terminal reaches only this process, which
    /// then ends the app in order; and it is killed by the kernel should this process die.
    pub fn start(name: &str, mut command: Command) -> Result<Self, Failure> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        die_with_parent(&mut command);
        let mut child = command.spawn().map_err(|error| {
            let program = command.get_program().to_string_lossy();
            let remedy = format!(
                "See what driver {name} needs with `ringway doctor`; its command is `app` in its driver.toml"
            );
            Failure::open(format!("cannot start {program}: {error}"), remedy)
        })?;
        let (sender, events) = channel();
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || read_events(out, &sender));
        }
        if let Some(err) = child.stderr.take() {
            let kept = Arc::clone(&stderr);
            std::thread::spawn(move || keep_last_lines(err, &kept));
        }
        Ok(App { name: name.to_owned(), child, events, stderr })
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next event, waiting for at most `timeout`; `None` when there was none. An app that has ended, said that
    /// it failed, or prints something that is no event is a failure.
    pub fn next(&mut self, timeout: Duration) -> Result<Option<AppEvent>, Failure> {
        match self.events.recv_timeout(timeout) {
            Ok(Line::Event(AppEvent::Error { kind, message })) => Err(self.refused(&kind, &message)),
            Ok(Line::Event(event)) => Ok(Some(event)),
            Ok(Line::Garbage(line)) => Err(Failure::failed(
                format!("driver {} printed something that is no JSON event: {line}", self.name),
                "Its app must print only the lines of spec/app.schema.json on standard output with --json",
            )),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Asks the app to end (SIGTERM) and collects what it still says. Returns its final line, if it came.
    pub fn finish(mut self) -> Result<Option<super::event::Final>, Failure> {
        self.signal(Signal::TERM);
        let deadline = Instant::now() + CLOSING;
        let mut last = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Line::Event(AppEvent::Final(said))) => last = Some(said),
                Ok(Line::Event(AppEvent::Error { kind, message })) => {
                    return Err(self.refused(&kind, &message));
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Err(self.does_not_end()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.wait(deadline) {
            None => Err(self.does_not_end()),
            Some(status) if status.success() => Ok(last),
            Some(_) => Err(self.ended()),
        }
    }

    fn does_not_end(&self) -> Failure {
        Failure::failed(
            format!(
                "driver {} did not end within {} s of SIGTERM and was killed",
                self.name,
                CLOSING.as_secs()
            ),
            "Its app must close its devices and exit on SIGTERM",
        )
    }

    fn refused(&self, kind: &str, message: &str) -> Failure {
        let cause = format!("driver {}: {kind}: {message}", self.name);
        match kind {
            "DeviceFailed" | "Timeout" => Failure::failed(cause, ""),
            _ => Failure::open(cause, ""),
        }
    }

    /// The failure of an app that is gone although nobody asked it to end.
    fn ended(&mut self) -> Failure {
        let how = match self.wait(Instant::now() + Duration::from_secs(1)) {
            Some(status) => describe(status),
            None => "closed its standard output".to_owned(),
        };
        let lines = self.last_words();
        let cause = match lines.is_empty() {
            true => format!("driver {} {how} without saying why", self.name),
            false => format!("driver {} {how}: {lines}", self.name),
        };
        Failure::failed(cause, "")
    }

    fn last_words(&self) -> String {
        // The other thread may still be reading the last lines; the pipe is closed, so it is soon done.
        for _ in 0..20 {
            if Arc::strong_count(&self.stderr) == 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let kept = self.stderr.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.iter().map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(pid, signal);
        }
    }

    fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        let _ = self.child.wait();
    }
}

/// `exited with code 4`, `was killed by signal 9`.
fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (_, Some(signal)) => format!("was killed by signal {signal}"),
        _ => "ended".to_owned(),
    }
}

/// Has the kernel kill the child when the thread that starts it ends, however it ends.
pub fn die_with_parent(command: &mut Command) {
    let parent = rustix::process::getpid();
    let arrange = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the line above: then nobody would send the signal.
        match rustix::process::getppid() {
            Some(pid) if pid == parent => Ok(()),
            _ => Err(std::io::Error::from(rustix::io::Errno::SRCH)),
        }
    };
    // SAFETY: between fork and exec the closure makes two system calls and touches no memory but its own copy of a
    // process id: no allocation, no lock.
    unsafe { command.pre_exec(arrange) };
}

fn read_events(out: impl Read, sender: &Sender<Line>) {
    for line in BufReader::new(out).lines() {
        let Ok(line) = line else { return };
        let line = match serde_json::from_str(&line) {
            Ok(event) => Line::Event(event),
            Err(_) => Line::Garbage(line),
        };
        if sender.send(line).is_err() {
            return;
        }
    }
}

fn keep_last_lines(err: impl Read, kept: &Mutex<VecDeque<String>>) {
    for line in BufReader::new(err).lines() {
        let Ok(line) = line else { return };
        if line.trim().is_empty() {
            continue;
        }
        let mut kept = kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if kept.len() == LINES_KEPT {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> App {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        App::start("toy", command).unwrap()
    }

    const PATIENCE: Duration = Duration::from_secs(10);
    const FINAL: &str = r#"{"event":"final","received":3,"sent":0,"dropped":3,"devices":[]}"#;

    #[test]
    fn the_final_line_is_collected_after_sigterm() {
        let app =
            shell(&format!("trap 'echo {}; exit 0' TERM; while :; do sleep 0.01; done", shell_quoted(FINAL)));
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(app.finish().unwrap().unwrap().dropped, 3);
    }

    #[test]
    fn an_error_event_becomes_a_failure_with_its_message() {
        let line = r#"{"event":"error","kind":"NoSuchDevice","message":"unix:/x: nobody listens"}"#;
        let failure = shell(&format!("echo {}; exit 3", shell_quoted(line))).next(PATIENCE).unwrap_err();
        assert_eq!(failure.cause, "driver toy: NoSuchDevice: unix:/x: nobody listens");
        assert_eq!(failure.exit, crate::failure::Exit::CannotOpen);
    }

    #[test]
    fn a_crash_is_told_with_code_and_last_words() {
        let failure = shell("echo segmentation something >&2; exit 7").next(PATIENCE).unwrap_err();
        assert_eq!(failure.cause, "driver toy exited with code 7: segmentation something");
        let failure = shell("kill -9 $$").next(PATIENCE).unwrap_err();
        assert_eq!(failure.cause, "driver toy was killed by signal 9 without saying why");
    }

    #[test]
    fn garbage_on_standard_output_is_refused() {
        let failure = shell("echo hello; sleep 5").next(PATIENCE).unwrap_err();
        assert!(failure.cause.contains("no JSON event: hello"), "{}", failure.cause);
    }

    #[test]
    fn dropping_kills_the_whole_group() {
        let app = shell("sleep 1000 & sleep 1000");
        let pid = app.pid();
        std::thread::sleep(Duration::from_millis(50));
        drop(app);
        let group = Pid::from_raw(pid as i32).unwrap();
        let deadline = Instant::now() + PATIENCE;
        while rustix::process::test_kill_process_group(group).is_ok() {
            assert!(Instant::now() < deadline, "processes of group {pid} are left");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn shell_quoted(text: &str) -> String {
        // Twice quoted where it stands inside a trap's own quotes.
        text.replace('"', "\\\"").replace('{', "\\{").replace('}', "\\}").replace(' ', "\\ ")
    }
}

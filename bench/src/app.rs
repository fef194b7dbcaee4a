//! A driver's app as a child process: started, listened to, ended, and never left behind.
//!
//! The command line shares this module: `ringway forward` starts its driver in the same way.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::event::{AppEvent, Final};

/// How long an app may take to close its devices after SIGTERM before it is killed.
const CLOSING: Duration = Duration::from_secs(5);
/// How many lines of its standard error are kept for a message.
const LINES_KEPT: usize = 5;

/// Why an app is of no use any more.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// Its program cannot be started.
    #[error("cannot start {program}: {source}")]
    NoProgram {
        /// The program.
        program: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It has said why it cannot go on.
    #[error("driver {name}: {kind}: {message}")]
    Refused {
        /// The driver.
        name: String,
        /// Which of the errors of design section 2.
        kind: String,
        /// The cause in words.
        message: String,
    },
    /// It has printed something that is no event.
    #[error("driver {name} printed something that is no JSON event: {line}")]
    Garbage {
        /// The driver.
        name: String,
        /// What it printed.
        line: String,
    },
    /// It is gone.
    #[error("driver {name} {how}{}", words(.last_words))]
    Gone {
        /// The driver.
        name: String,
        /// `exited with code 4`, `was killed by signal 9`.
        how: String,
        /// The last lines of its standard error, in one.
        last_words: String,
    },
    /// It had to be killed.
    #[error("driver {name} did not end within {} s of SIGTERM and was killed", CLOSING.as_secs())]
    DoesNotEnd {
        /// The driver.
        name: String,
    },
}

fn words(last: &str) -> String {
    if last.is_empty() { " without saying why".to_owned() } else { format!(": {last}") }
}

/// A running app. Dropping it kills it.
pub struct App {
    name: String,
    /// It prints what it likes, and ends as it likes.
    foreign: bool,
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
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(name: &str, command: Command) -> Result<Self, AppError> {
        App::launch(name, command, false)
    }

    /// Starts a program that prints no events: its standard output is thrown away, and it may end on SIGTERM in any way.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start_foreign(name: &str, command: Command) -> Result<Self, AppError> {
        App::launch(name, command, true)
    }

    fn launch(name: &str, mut command: Command, foreign: bool) -> Result<Self, AppError> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        die_with_parent(&mut command);
        let mut child = command.spawn().map_err(|source| AppError::NoProgram {
            program: command.get_program().to_string_lossy().into_owned(),
            source,
        })?;
        let (sender, events) = channel();
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(
                move || if foreign { discard(out, sender) } else { read_events(out, &sender) },
            );
        }
        if let Some(err) = child.stderr.take() {
            let kept = Arc::clone(&stderr);
            std::thread::spawn(move || keep_last_lines(err, &kept));
        }
        Ok(App { name: name.to_owned(), foreign, child, events, stderr })
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next event, waiting for at most `timeout`; `None` when there was none.
    ///
    /// # Errors
    /// If the app has ended, said that it failed, or printed something that is no event.
    pub fn next(&mut self, timeout: Duration) -> Result<Option<AppEvent>, AppError> {
        match self.events.recv_timeout(timeout) {
            Ok(Line::Event(AppEvent::Error { kind, message })) => Err(self.refused(kind, message)),
            Ok(Line::Event(event)) => Ok(Some(event)),
            Ok(Line::Garbage(line)) => Err(AppError::Garbage { name: self.name.clone(), line }),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Asks the app to end (SIGTERM) and collects what it still says. Returns its final line, if it came.
    ///
    /// # Errors
    /// If it fails, or does not end in time and has to be killed.
    pub fn finish(mut self) -> Result<Option<Final>, AppError> {
        self.signal(Signal::TERM);
        let deadline = Instant::now() + CLOSING;
        let mut last = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Line::Event(AppEvent::Final(said))) => last = Some(said),
                Ok(Line::Event(AppEvent::Error { kind, message })) => {
                    return Err(self.refused(kind, message));
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Err(self.does_not_end()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.wait(deadline) {
            None => Err(self.does_not_end()),
            Some(status) if status.success() || self.foreign => Ok(last),
            Some(_) => Err(self.ended()),
        }
    }

    /// Waits until an app that has said its final line has ended by itself.
    ///
    /// # Errors
    /// If it fails, or has not ended after `longest` and is killed.
    pub fn wait_for_end(mut self, longest: Duration) -> Result<(), AppError> {
        match self.wait(Instant::now() + longest) {
            None => Err(self.does_not_end()),
            Some(status) if status.success() => Ok(()),
            Some(_) => Err(self.ended()),
        }
    }

    fn does_not_end(&self) -> AppError {
        AppError::DoesNotEnd { name: self.name.clone() }
    }

    fn refused(&self, kind: String, message: String) -> AppError {
        AppError::Refused { name: self.name.clone(), kind, message }
    }

    /// The failure of an app that is gone although nobody asked it to end.
    fn ended(&mut self) -> AppError {
        let how = match self.wait(Instant::now() + Duration::from_secs(1)) {
            Some(status) => describe(status),
            None => "closed its standard output".to_owned(),
        };
        AppError::Gone { name: self.name.clone(), how, last_words: self.last_words() }
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

/// Binds the child, and whatever threads its runtime starts, to these cores.
///
/// # Errors
/// If no machine has such a core.
pub fn pin(command: &mut Command, cores: Range<usize>) -> std::io::Result<()> {
    if cores.end > CpuSet::MAX_CPU {
        return Err(std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            format!("there is no core {}", cores.end - 1),
        ));
    }
    let mut set = CpuSet::new();
    cores.for_each(|core| set.set(core));
    let bind = move || sched_setaffinity(None, &set).map_err(std::io::Error::from);
    // SAFETY: between fork and exec the closure makes one system call and touches no memory but its own copy of a
    // set of cores.
    unsafe { command.pre_exec(bind) };
    Ok(())
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

/// Reads to the end; then the sender goes, which tells that the program has.
fn discard(mut out: impl Read, sender: Sender<Line>) {
    let _ = std::io::copy(&mut out, &mut std::io::sink());
    drop(sender);
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
        let error = shell(&format!("echo {}; exit 3", shell_quoted(line))).next(PATIENCE).unwrap_err();
        assert_eq!(error.to_string(), "driver toy: NoSuchDevice: unix:/x: nobody listens");
    }

    #[test]
    fn a_crash_is_told_with_code_and_last_words() {
        let error = shell("echo segmentation something >&2; exit 7").next(PATIENCE).unwrap_err();
        assert_eq!(error.to_string(), "driver toy exited with code 7: segmentation something");
        let error = shell("kill -9 $$").next(PATIENCE).unwrap_err();
        assert_eq!(error.to_string(), "driver toy was killed by signal 9 without saying why");
    }

    #[test]
    fn garbage_on_standard_output_is_refused() {
        let error = shell("echo hello; sleep 5").next(PATIENCE).unwrap_err();
        assert!(error.to_string().contains("no JSON event: hello"), "{error}");
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

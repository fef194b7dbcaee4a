//! A testee as a child process: commands in, answers out, a deadline on every answer.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::outcome::{Failure, Outcome};
use crate::protocol::{Answer, parse, short};
use crate::world::Settled;

/// What is left to be read of a process that has ended is there: this is for a reader that is slow.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How a testee is started, again and again.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Program and arguments.
    pub words: Vec<OsString>,
    /// Where it runs.
    pub directory: PathBuf,
}

impl Launch {
    /// What `command` would run.
    pub fn of(command: &Command) -> Launch {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        Launch {
            words: words.map(OsString::from).collect(),
            directory: command.get_current_dir().map_or_else(|| PathBuf::from("."), PathBuf::from),
        }
    }

    fn spawn(&self) -> std::io::Result<Child> {
        let mut command = Command::new(self.words.first().map_or_else(OsString::new, Clone::clone));
        command.args(self.words.iter().skip(1)).current_dir(&self.directory);
        // A group of its own, so that a testee of several processes (a shell script, a virtual machine) dies whole.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn()
    }
}

/// The last lines that a testee wrote to standard error.
#[derive(Clone, Debug, Default)]
pub struct Mutterings(Arc<Mutex<VecDeque<String>>>);

impl Mutterings {
    const LINES: usize = 200;

    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == Self::LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The lines, oldest first.
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// A running testee. Dropped, it is killed with its whole process group.
#[derive(Debug)]
pub struct Testee {
    child: Child,
    commands: Option<Sender<String>>,
    answers: Receiver<String>,
    stderr: Mutterings,
    /// Closed when the last of them was read.
    last_words: Receiver<()>,
    /// The command that has not been answered yet.
    open_question: Option<String>,
    patience: f64,
    settled: Settled,
}

impl Testee {
    /// Starts a testee. Every deadline is multiplied by `patience`. The lab is `settled` around each command.
    pub fn start(launch: &Launch, patience: f64, settled: Settled) -> Outcome<Testee> {
        let mut child = launch.spawn().map_err(|error| {
            Failure::new(format!("the testee {:?} starts", launch.words), error.to_string())
        })?;
        let stderr = Mutterings::default();
        let (reading, last_words) = channel();
        let commands = child.stdin.take().map(write_from_channel);
        let answers = read_into_channel(child.stdout.take());
        if let Some(pipe) = child.stderr.take() {
            let stderr = stderr.clone();
            thread::spawn(move || {
                BufReader::new(pipe).lines().map_while(Result::ok).for_each(|l| stderr.push(l));
                drop(reading);
            });
        }
        Ok(Testee { child, commands, answers, stderr, last_words, open_question: None, patience, settled })
    }

    /// What the testee writes to standard error.
    pub fn stderr(&self) -> Mutterings {
        self.stderr.clone()
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// `seconds`, stretched by the patience of this run.
    pub fn seconds(&self, seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds * self.patience)
    }

    /// Gives a command without waiting; [`answer`](Self::answer) must follow before the next.
    pub fn tell(&mut self, command: &str) -> Outcome {
        if let Some(open) = &self.open_question {
            return Err(Failure::new(
                "a case that waits for its answers",
                format!("{} is not answered", short(open)),
            ));
        }
        if let Ok(line) = self.answers.try_recv() {
            return Err(Failure::new("one line for each command", format!("one more: {:?}", short(&line))));
        }
        self.settled.wait();
        if let Some(commands) = &self.commands {
            // A writer that is gone means a testee that is gone; the missing answer will tell, with its exit status.
            let _ = commands.send(command.to_owned());
        }
        self.open_question = Some(command.to_owned());
        Ok(())
    }

    /// Waits for the answer to the last command.
    pub fn answer(&mut self, seconds: f64) -> Outcome<Answer> {
        let within = self.seconds(seconds);
        let command = self.open_question.take().unwrap_or_default();
        let expected = || format!("an answer to `{}` within {within:.1?}", short(&command));
        let answer = self.answers.recv_timeout(within);
        self.settled.wait();
        match answer {
            Ok(line) => parse(&line).map_err(|why| {
                Failure::new(
                    format!("a well-formed answer to `{}`", short(&command)),
                    format!("{why}: {:?}", short(&line)),
                )
            }),
            Err(RecvTimeoutError::Timeout) => Err(Failure::new(expected(), "none: the testee hangs")),
            Err(RecvTimeoutError::Disconnected) => {
                let end =
                    self.ended(1.0).map_or_else(|_| "closed its output".into(), |status| status.to_string());
                Err(Failure::new(expected(), format!("the testee ended: {end}")))
            }
        }
    }

    /// Gives a command and waits for the answer.
    pub fn ask(&mut self, command: &str, seconds: f64) -> Outcome<Answer> {
        self.tell(command)?;
        self.answer(seconds)
    }

    /// Closes its standard input.
    pub fn close_input(&mut self) {
        self.commands = None;
    }

    /// Kills it at once, with its whole group, and waits until it is gone.
    pub fn kill(&mut self) {
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }

    /// Sends SIGTERM.
    pub fn terminate(&mut self) {
        if let Some(pid) = Pid::from_raw(self.child.id() as i32) {
            let _ = kill_process(pid, Signal::TERM);
        }
    }

    /// Waits until the process has ended, and what it wrote to standard error was read.
    pub fn ended(&mut self, seconds: f64) -> Outcome<ExitStatus> {
        let within = self.seconds(seconds);
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    // A child that it left behind may hold the pipe open for ever.
                    let _ = self.last_words.recv_timeout(LAST_WORDS);
                    return Ok(status);
                }
                Ok(None) if start.elapsed() < within => thread::sleep(Duration::from_millis(2)),
                Ok(None) => {
                    return Err(Failure::new(format!("the testee ends within {within:.1?}"), "it runs on"));
                }
                Err(error) => return Err(Failure::new("the testee ends", error.to_string())),
            }
        }
    }
}

impl Drop for Testee {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A thread that writes, because a testee that does not read must not hang the judge.
fn write_from_channel(mut pipe: impl Write + Send + 'static) -> Sender<String> {
    let (sender, receiver) = channel::<String>();
    thread::spawn(move || {
        for line in receiver {
            if pipe.write_all(format!("{line}\n").as_bytes()).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

fn read_into_channel(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(pipe) = pipe {
        thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Testee {
        let words = ["sh", "-c", script].map(OsString::from).to_vec();
        Testee::start(&Launch { words, directory: "/".into() }, 1.0, Settled::default()).unwrap()
    }

    #[test]
    fn an_answer_comes_back() {
        let mut testee = shell("read x; echo \"ok got=$x\"");
        let fields = testee.ask("hello", 5.0).unwrap().unwrap();
        assert_eq!(fields.text("got"), Some("hello"));
    }

    #[test]
    fn a_hang_names_the_command() {
        let mut testee = shell("sleep 100");
        let failure = testee.ask("stats 0", 0.1).unwrap_err();
        assert!(failure.expected.contains("stats 0") && failure.happened.contains("hangs"), "{failure}");
    }

    #[test]
    fn an_exit_is_told_with_its_status_and_last_words() {
        let mut testee = shell("echo I cannot >&2; read x; exit 7");
        let stderr = testee.stderr();
        let failure = testee.ask("open x", 5.0).unwrap_err();
        assert!(failure.happened.contains("exit status: 7"), "{failure}");
        assert_eq!(stderr.lines(), ["I cannot"]);
    }

    #[test]
    fn a_second_line_is_caught_at_the_next_command() {
        let mut testee = shell("read x; echo ok; echo ok; read y; echo ok");
        testee.ask("a", 5.0).unwrap().unwrap();
        thread::sleep(Duration::from_millis(100));
        assert!(testee.ask("b", 5.0).unwrap_err().happened.contains("one more"));
    }

    #[test]
    fn a_testee_that_does_not_read_does_not_hang_the_judge() {
        let mut testee = shell("sleep 100");
        let failure = testee.ask(&"x".repeat(1 << 20), 0.1).unwrap_err();
        assert!(failure.happened.contains("hangs"), "{failure}");
    }

    #[test]
    fn children_of_a_testee_die_with_it() {
        let mut testee = shell("sleep 100 & echo ok pid=$!; wait");
        let fields = testee.ask("x", 5.0).unwrap().unwrap();
        let pid = fields.number("pid").unwrap();
        drop(testee);
        let gone =
            || !std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
        assert!((0..200).any(|_| gone() || {
            thread::sleep(Duration::from_millis(5));
            false
        }));
    }
}

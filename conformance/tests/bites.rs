//! The judge judged: every case of the suite must fail with testees that only pretend to have a driver. A case that one of
//! them passes looks at nothing.
//!
//! The testees are this same program, started with the word `testee` and a character.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial, run};
use ringway_conformance::cases;
use ringway_conformance::play::{Conditions, Subject, Verdict, play};
use ringway_conformance::way::Way;

/// Testees without a driver behind them.
const CHARACTERS: [&str; 3] = ["lazy", "refuser", "braggart"];

/// A testee answers at once, so nobody has to wait long for what will not come.
const CONDITIONS: Conditions = Conditions { seed: 1, patience: 0.05, way: Way::VfioUser };

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if words.next().is_some_and(|word| word == "testee") {
        return pretend(&words.next().unwrap_or_default());
    }
    let mut trials = Vec::new();
    for character in CHARACTERS {
        for (module, case) in cases::all() {
            let name = format!("{character}_fails::{module}::{}", case.name);
            trials.push(Trial::test(name, move || {
                match play(&subject(character), module, case, CONDITIONS) {
                    Verdict::Failed(_) => Ok(()),
                    other => Err(format!("a testee without a driver: {other:?}").into()),
                }
            }));
        }
    }
    run(&Arguments::from_args(), trials).exit_code()
}

fn subject(character: &str) -> Subject {
    let program = std::env::current_exe().expect("this program has a path");
    let mut subject = Subject::command(&["set below".to_owned()]).expect("a command of one word");
    subject.launch.words = vec![program.into_os_string(), "testee".into(), OsString::from(character)];
    subject
}

/// Speaks the protocol without doing anything.
fn pretend(character: &str) -> ExitCode {
    let mut state = State::default();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match (words[0], character) {
            ("hello", _) => "ok protocol=1 driver=none version=0 features=rss,jumbo".to_owned(),
            ("quit", _) => "ok".to_owned(),
            (_, "refuser") => "error DeviceFailed I would rather not".to_owned(),
            (_, "braggart") => state.brag(&words),
            (_, _) => state.laze(&words),
        };
        println!("{answer}");
        if std::io::stdout().flush().is_err() || words[0] == "quit" {
            break;
        }
    }
    ExitCode::SUCCESS
}

#[derive(Default)]
struct State {
    opened: u64,
    pool: u64,
    sent: u64,
}

impl State {
    /// Answers as if nothing ever happened.
    fn laze(&mut self, words: &[&str]) -> String {
        match words[0] {
            "open" => self.open(words),
            "receive" | "release" | "send" | "transmit" => "ok n=0".into(),
            "forward" => "ok received=0 sent=0 dropped=0".into(),
            "stats" => "ok rx_packets=0 tx_packets=0 rx_bytes=0 tx_bytes=0 rx_missed=0 rx_errors=0".into(),
            _ => self.common(words),
        }
    }

    /// Answers as if everything had gone well.
    fn brag(&mut self, words: &[&str]) -> String {
        match words[0] {
            "open" => self.open(words),
            "receive" => {
                let count: usize = words.get(3).and_then(|count| count.parse().ok()).unwrap_or(0);
                let packets = vec!["ab".repeat(60); count].join(",");
                if count == 0 { "ok n=0".into() } else { format!("ok n={count} packets={packets}") }
            }
            "transmit" => self.count(words.len().saturating_sub(3) as u64),
            "send" => self.count(words.get(3).and_then(|count| count.parse().ok()).unwrap_or(0)),
            "release" => "ok n=64".into(),
            "forward" => {
                let wanted = words.iter().find_map(|word| word.strip_prefix("packets=")).unwrap_or("0");
                format!("ok received={wanted} sent={wanted} dropped=0")
            }
            "stats" => {
                let (n, bytes) = (self.sent, self.sent * 104);
                format!(
                    "ok rx_packets={n} tx_packets={n} rx_bytes={bytes} tx_bytes={bytes} rx_missed=0 rx_errors=0"
                )
            }
            _ => self.common(words),
        }
    }

    fn count(&mut self, n: u64) -> String {
        self.sent += n;
        format!("ok n={n}")
    }

    fn open(&mut self, words: &[&str]) -> String {
        let pool = words.iter().find_map(|word| word.strip_prefix("pool_slots=")).unwrap_or("2048");
        self.pool = pool.parse().unwrap_or(0);
        self.opened += 1;
        format!("ok device={} mac=02:00:00:00:00:01 way=vfio-user", self.opened - 1)
    }

    fn common(&self, words: &[&str]) -> String {
        match words[0] {
            "link" => "ok up=1 mbit=10000".into(),
            "slots" => format!("ok pool={0} hand=0 rx=0 tx=0 total={0}", self.pool),
            "promiscuous" | "close" => "ok".into(),
            word => format!("error Usage unknown command {word}"),
        }
    }
}

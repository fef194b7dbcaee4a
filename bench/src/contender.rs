//! Who is measured: drivers of this repository, and programs from outside. All of them are child processes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringway_lab::tree::DEVICES;

use crate::plan::{Point, Workload};

/// Packets of a pool for each queue unless the ring is so long that it needs more.
const USUAL_POOL: u32 = 2048;
/// A pool holds at least so many rings: both rings of a device, what the other device sends of it, and batches.
const RINGS_PER_POOL: u32 = 4;

/// How to start it.
#[derive(Clone, Debug)]
pub enum Launch {
    /// An app of a driver: takes the arguments that all of them take, and prints JSON lines.
    App {
        /// Program and first arguments.
        words: Vec<OsString>,
        /// Where to run it.
        directory: Option<PathBuf>,
    },
    /// Any program that forwards between two NICs. `{a}` and `{b}` stand for their addresses, `{batch}`, `{ring}`,
    /// `{queues}` and `{core}` for the numbers of the run.
    Foreign {
        /// The command, word by word.
        words: Vec<String>,
        /// What kind of addresses it takes.
        addresses: Addresses,
        /// What it does to each packet.
        work: Work,
    },
}

/// How a contender finds its NICs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// `unix:/path`, by vfio-user.
    #[default]
    Sockets,
    /// `0000:03:00.0`, as PCI functions.
    Functions,
}

/// What a contender does to a packet that it forwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Work {
    /// Adds one to byte 48.
    #[default]
    Touch,
    /// Exchanges source and destination address.
    Swap,
}

/// Behind the name of a contender whose work is [`Work::Swap`].
const SWAPS: &str = ":macswap";

/// Somebody who is measured.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in the report.
    pub name: String,
    /// The language, if it is known.
    pub language: Option<String>,
    /// How to start it.
    pub launch: Launch,
    /// Its sources, if they are known.
    pub sources: Option<PathBuf>,
    /// Toolchains and runtimes with their versions.
    pub versions: Vec<String>,
}

/// Why `--also` makes no sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlsoError {
    /// Not `NAME=CMD`.
    #[error("`{0}` is not of the form NAME='CMD {{a}} {{b}}'")]
    Form(String),
    /// Quotes that do not match.
    #[error("the command of {0} cannot be split into words: a quote is not closed")]
    Quotes(String),
    /// The addresses are missing.
    #[error(
        "the command of {0} must hold {{a}} and {{b}}, for which the addresses of the two NICs are put in, or {{pci-a}} and \
         {{pci-b}} if it wants PCI functions"
    )]
    Addresses(String),
}

impl Contender {
    /// A program from outside, from `NAME=CMD` or `NAME:macswap=CMD`.
    ///
    /// # Errors
    /// If it is none.
    pub fn also(text: &str) -> Result<Contender, AlsoError> {
        let form = || AlsoError::Form(text.to_owned());
        let (name, command) = text.split_once('=').ok_or_else(form)?;
        let (name, work) = match name.strip_suffix(SWAPS) {
            Some(name) => (name, Work::Swap),
            None => (name, Work::Touch),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+#".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(form());
        }
        let words = shlex::split(command).ok_or_else(|| AlsoError::Quotes(name.to_owned()))?;
        let holds = |place: &str| words.iter().any(|word| word.contains(place));
        let addresses = match (holds("{a}") && holds("{b}"), holds("{pci-a}") && holds("{pci-b}")) {
            (true, false) => Addresses::Sockets,
            (false, true) => Addresses::Functions,
            _ => return Err(AlsoError::Addresses(name.to_owned())),
        };
        Ok(Contender {
            name: name.to_owned(),
            language: None,
            launch: Launch::Foreign { words, addresses, work },
            sources: None,
            versions: Vec::new(),
        })
    }

    /// How it finds its NICs.
    pub fn addresses(&self) -> Addresses {
        match self.launch {
            Launch::App { .. } => Addresses::default(),
            Launch::Foreign { addresses, .. } => addresses,
        }
    }

    /// What it does to each packet.
    pub fn work(&self) -> Work {
        match self.launch {
            Launch::App { .. } => Work::default(),
            Launch::Foreign { work, .. } => work,
        }
    }

    /// It tells what it counts, in the lines that all drivers' apps print.
    pub fn tells_counters(&self) -> bool {
        matches!(self.launch, Launch::App { .. })
    }

    /// Whether it can run this point: a program from outside forwards with the numbers that its command takes.
    pub fn can(&self, point: &Point, base: &Point) -> bool {
        let Launch::Foreign { words, .. } = &self.launch else { return true };
        let takes = |place: &str| words.iter().any(|word| word.contains(place));
        matches!(point.workload, Workload::Forward | Workload::Bursts)
            && (point.batch == base.batch || takes("{batch}"))
            && (point.ring == base.ring || takes("{ring}"))
            && (point.queues == base.queues || takes("{queues}"))
    }

    /// The command for a point on NICs with these addresses. `core` is the first of as many as there are queues, or `None` if
    /// there are fewer. What `capture` receives goes to nowhere.
    pub fn command(&self, point: &Point, addresses: &[String], core: Option<usize>) -> Command {
        self.command_into(Path::new("/dev/null"), point, addresses, core)
    }

    /// The same with a file for what `capture` receives.
    pub fn command_into(
        &self,
        file: &Path,
        point: &Point,
        addresses: &[String],
        core: Option<usize>,
    ) -> Command {
        match &self.launch {
            Launch::App { words, directory } => {
                let mut command = Command::new(words.first().cloned().unwrap_or_default());
                command.args(words.iter().skip(1));
                if let Some(directory) = directory {
                    command.current_dir(directory);
                }
                arguments(&mut command, point, addresses, file);
                if let Some(core) = core.filter(|_| point.queues > 1) {
                    command.args(["--core", &core.to_string()]);
                }
                command
            }
            Launch::Foreign { words, addresses: kind, .. } => {
                let address = |place: usize| addresses.get(place).cloned().unwrap_or_default();
                let fill = |word: &String| {
                    word.replace("{a}", &address(0))
                        .replace("{b}", &address(1))
                        .replace("{pci-a}", &address(0))
                        .replace("{pci-b}", &address(1))
                        .replace("{batch}", &point.batch.to_string())
                        .replace("{ring}", &point.ring.to_string())
                        .replace("{queues}", &point.queues.to_string())
                        .replace("{core}", &core.unwrap_or(0).to_string())
                };
                let mut words = words.iter().map(fill);
                let mut command = Command::new(words.next().unwrap_or_default());
                command.args(words);
                if *kind == Addresses::Functions {
                    // Where DPDK and the drivers of this repository look for cards, whatever they were told before.
                    command.env("SYSFS_PCI_DEVICES", DEVICES).env("RINGWAY_SYSFS", DEVICES);
                }
                command
            }
        }
    }
}

/// As every driver's app takes them.
fn arguments(command: &mut Command, point: &Point, addresses: &[String], file: &Path) {
    command.arg(point.workload.app()).args(addresses);
    match point.workload {
        Workload::Forward | Workload::Bursts => {}
        Workload::Generate => {
            command.args(["--size", &point.size.to_string()]);
        }
        Workload::Capture => {
            command.arg(file);
        }
    }
    let pool = USUAL_POOL.max(RINGS_PER_POOL * point.ring) * u32::from(point.queues);
    for (option, value) in [("--batch", point.batch), ("--ring-slots", point.ring), ("--pool-slots", pool)] {
        command.args([option, &value.to_string()]);
    }
    if point.queues > 1 {
        command.args(["--queues", &point.queues.to_string()]);
    }
    command.arg("--json");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    fn words(command: &Command) -> Vec<String> {
        command.get_args().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_program_from_outside_gets_the_addresses() {
        let base = Plan::named("quick").unwrap().base_point();
        let also = Contender::also("mine='./fwd' --nic {a} --nic={b} -b {batch} \"two words\"").unwrap();
        let command = also.command(&base, &["unix:/x".into(), "unix:/y".into()], Some(1));
        assert_eq!(command.get_program(), "./fwd");
        assert_eq!(words(&command), ["--nic", "unix:/x", "--nic=unix:/y", "-b", "32", "two words"]);
        assert!(also.can(&Point { batch: 1, ..base }, &base));
        assert!(!also.can(&Point { ring: 64, ..base }, &base), "its command takes no ring");
        assert!(!also.can(&Point { queues: 2, ..base }, &base), "its command takes no queues");
        assert!(!also.can(&Point { workload: Workload::Capture, ..base }, &base));
    }

    #[test]
    fn a_program_that_knows_cards_gets_functions() {
        let base = Plan::named("quick").unwrap().base_point();
        let also = Contender::also("mine:macswap=./fwd {pci-a} {pci-b}").unwrap();
        assert_eq!(
            (also.name.as_str(), also.addresses(), also.work()),
            ("mine", Addresses::Functions, Work::Swap)
        );
        let command = also.command(&base, &["0000:03:00.0".into(), "0000:03:01.0".into()], None);
        assert_eq!(words(&command), ["0000:03:00.0", "0000:03:01.0"]);
        assert!(command.get_envs().any(|(name, value)| name == "SYSFS_PCI_DEVICES" && value.is_some()));
    }

    #[test]
    fn a_form_that_cannot_be_meant_is_refused() {
        let error = |text| Contender::also(text).unwrap_err();
        assert!(matches!(error("./fwd {a} {b}"), AlsoError::Form(_)));
        assert!(matches!(error("=./fwd {a} {b}"), AlsoError::Form(_)));
        assert!(matches!(error("x='./fwd {a} {b}"), AlsoError::Quotes(_)));
        assert!(matches!(error("x=./fwd {a}"), AlsoError::Addresses(_)));
        assert!(matches!(error("x=./fwd {a} {pci-b}"), AlsoError::Addresses(_)));
        assert!(matches!(error("x=./fwd {a} {b} {pci-a} {pci-b}"), AlsoError::Addresses(_)));
        assert!(matches!(error("x:shuffle=./fwd {a} {b}"), AlsoError::Form(_)));
    }

    #[test]
    fn an_app_gets_what_all_apps_take() {
        let contender = Contender {
            name: "toy".into(),
            language: None,
            launch: Launch::App { words: vec!["run".into(), "toy.x".into()], directory: None },
            sources: None,
            versions: Vec::new(),
        };
        let point =
            Point { workload: Workload::Generate, size: 128, batch: 8, ring: 1024, queues: 1, flows: 1 };
        let command = contender.command(&point, &["unix:/x".into()], None);
        let expected =
            "toy.x generate unix:/x --size 128 --batch 8 --ring-slots 1024 --pool-slots 4096 --json";
        assert_eq!(words(&command).join(" "), expected);
        let several = Point { queues: 2, flows: 256, ..Plan::named("quick").unwrap().base_point() };
        let command = contender.command(&several, &["unix:/x".into(), "unix:/y".into()], Some(3));
        let said = words(&command).join(" ");
        assert!(said.ends_with("--pool-slots 4096 --queues 2 --json --core 3"), "{said}");
    }
}

//! A driver that knows nothing of us: Debian's `dpdk-testpmd`, with DPDK's own ixgbe driver, on two software NICs that it
//! takes for PCI cards.
//!
//! Every packet has a number, and every byte is checked; what testpmd says that it counted has to be what the lab counted.
//! Where root, the program or hugepages are missing, every test is reported as ignored, with the reason.
#![allow(missing_docs)]

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Command};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use ringway_bench::window;
use ringway_lab::engine::{Engine, Lab, NicId, SpawnOptions};
use ringway_lab::events::{Queue, Side, Watch};
use ringway_lab::ixgbe::{Counters, Doorbells, Nic, NicConfig};
use ringway_lab::sanitizer::{Findings, Sanitizer, Severity};
use ringway_lab::tree::{Address, Namespace};
use ringway_lab::wire::generator::{GeneratorHandle, GeneratorOptions, pair};
use support::process::{Running, run};

/// A machine with few cores is asked to run a poll-mode driver, a NIC that polls, and whatever else it does.
const PATIENCE: Duration = Duration::from_secs(60);
/// It looks for the module in each NIC's cage bit by bit, and tries for six seconds where an edge comes too late.
const SET_UP: Duration = Duration::from_secs(30);
const RESTART: Duration = Duration::from_secs(10);
const ATTEMPTS: u32 = 4;
const PACKETS: u64 = 20_000;
/// Packets that are under way in each direction: less than the receive ring of one queue, so that none has to be dropped.
const UNDER_WAY: u64 = 128;
const MIB: u64 = 512;

/// Findings that DPDK's driver is known for; lab/README.md says why.
const KNOWN: &[&str] = &[
    "reg.reserved_bits",
    "init.interrupts_not_masked",
    "rx.rdrxctl_fixes",
    "rx.dca_bit_12",
    "rx.snoop_not_disabled",
    "tx.arbiter_running",
];

/// How testpmd is run.
#[derive(Clone, Copy)]
struct Mode {
    name: &'static str,
    forward: &'static str,
    queues: u16,
    vector: bool,
}

const MODES: &[Mode] = &[
    Mode { name: "io_one_queue_vector", forward: "io", queues: 1, vector: true },
    Mode { name: "io_four_queues_scalar", forward: "io", queues: 4, vector: false },
    Mode { name: "macswap_four_queues_vector", forward: "macswap", queues: 4, vector: true },
    Mode { name: "macswap_one_queue_scalar", forward: "macswap", queues: 1, vector: false },
];

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let place = if arguments.list { Err("they are only listed".to_owned()) } else { prepare() };
    if let Err(reason) = &place {
        eprintln!("dpdk: all tests are ignored: {reason}");
    }
    let trials = MODES.iter().map(|mode| {
        let trial = Trial::test(format!("testpmd_{}", mode.name), move || forwards_and_again(*mode));
        trial.with_ignored_flag(place.is_err())
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    drop(place); // `exit` does not, and the hugepages that were allowed would stay so
    conclusion.exit();
}

/// A namespace for this whole process, or why the tests cannot run here.
fn prepare() -> Result<Namespace, String> {
    if run(Command::new("which").arg("dpdk-testpmd")).is_err() {
        return Err("dpdk-testpmd is missing: sudo apt-get install dpdk".to_owned());
    }
    if run(Command::new("sh").args(["-c", "ls /usr/lib/*/dpdk/pmds-*/librte_net_ixgbe.so*"])).is_err() {
        return Err(
            "DPDK's driver for ixgbe is missing: sudo apt-get install --install-recommends dpdk".to_owned()
        );
    }
    if run(Command::new("which").arg("stdbuf")).is_err() {
        return Err("stdbuf is missing: sudo apt-get install coreutils".to_owned());
    }
    let free = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = free
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:")?.trim().split(' ').next()?.parse().ok());
    if free.is_some_and(|kib: u64| kib < 2 * MIB * 1024) {
        return Err(format!("there is less than {} MiB of memory for hugepages", 2 * MIB));
    }
    Namespace::enter(2 * MIB).map_err(|error| error.to_string())
}

/// Two NICs, and generators that wait.
struct Cards {
    lab: Lab<Nic>,
    ids: [NicId; 2],
    findings: [Findings; 2],
    traffic: GeneratorHandle,
}

impl Cards {
    fn new(mode: Mode) -> Result<Cards, Failed> {
        let options = GeneratorOptions {
            flows: 64,
            increment: 0,
            swapped: mode.forward == "macswap",
            destinations: [mac(0), mac(1)],
            hold: true,
            ..GeneratorOptions::default()
        };
        let (first, second, traffic) = pair(&options)?;
        let wires = window::pair([first, second], UNDER_WAY);
        let mut engine = Engine::new();
        let mut findings = Vec::new();
        let mut ids = Vec::new();
        for (place, wire) in wires.into_iter().enumerate() {
            let config = NicConfig {
                doorbells: Doorbells::Plain,
                mac: mac(place as u8),
                ..NicConfig::new(format!("card{place}"))
            };
            let mut nic = Nic::new(config, Box::new(wire))?;
            let (sanitizer, found) = Sanitizer::new(Watch::Descriptors);
            nic.add_observer(Box::new(sanitizer));
            findings.push(found);
            ids.push(engine.add_function(nic, Address::of_place(place))?);
        }
        let [a, b] = [ids[0], ids[1]];
        let findings = [findings[0].clone(), findings[1].clone()];
        Ok(Cards { lab: Lab::spawn(engine, SpawnOptions::default())?, ids: [a, b], findings, traffic })
    }

    fn counters(&self) -> [Counters; 2] {
        let ids = self.ids;
        self.lab.run(move |engine| ids.map(|id| engine.nic(id).counters()))
    }

    /// Waits until a queue of both NICs receives.
    fn await_queues(&self, patience: Duration) -> Result<(), Failed> {
        let (ids, queue) = (self.ids, Queue { side: Side::Rx, number: 0 });
        let ready = move |engine: &mut Engine<Nic>| {
            ids.map(|id| {
                let nic = engine.nic(id);
                nic.link_up() && nic.queue_state(queue).is_some_and(|state| state.enabled)
            })
        };
        within(patience, "both ports to be started", || self.lab.run(ready) == [true; 2])
    }

    /// Sends packets both ways, and waits until all of them have come back.
    fn exchange(&self) -> Result<(), Failed> {
        let before = self.traffic.report().sent();
        self.traffic.start();
        until("packets to be sent", || self.traffic.report().sent() >= before + 2 * PACKETS)?;
        self.traffic.stop();
        until("all packets to come back", || self.traffic.report().missing() == 0)
            .map_err(|_| format!("packets are lost: {:?}, {:?}", self.traffic.report(), self.counters()))?;
        for direction in self.traffic.report().directions {
            let wrong = direction.corrupt + direction.unexpected + direction.stale;
            if direction.sent != direction.received || wrong + direction.duplicates + direction.reordered > 0
            {
                return Err(format!("not what was sent came back: {direction:?}").into());
            }
        }
        Ok(())
    }

    fn check_findings(&self) -> Result<(), Failed> {
        for found in self.findings.iter().flat_map(Findings::all) {
            if found.rule.severity >= Severity::Warning && !KNOWN.contains(&found.rule.id) {
                return Err(format!("a finding that DPDK is not known for: {found}").into());
            }
        }
        Ok(())
    }
}

fn mac(place: u8) -> [u8; 6] {
    [0x02, 0x52, 0x57, 0, 0, place + 1]
}

fn until(what: &str, done: impl FnMut() -> bool) -> Result<(), Failed> {
    within(PATIENCE, what, done)
}

fn within(patience: Duration, what: &str, mut done: impl FnMut() -> bool) -> Result<(), Failed> {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > patience {
            return Err(format!("waited {patience:?} for {what}").into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// testpmd, at its prompt.
struct Testpmd {
    process: Running,
    prompt: ChildStdin,
}

impl Testpmd {
    fn start(mode: Mode) -> Testpmd {
        let mut command = Command::new("stdbuf");
        command.args(["-oL", "dpdk-testpmd", "-l", "0,1", "--iova-mode=pa", "-m", &MIB.to_string()]);
        command.args(["--no-telemetry", "--file-prefix", &format!("ringway-{}", std::process::id())]);
        if !mode.vector {
            command.arg("--force-max-simd-bitwidth=64");
        }
        let queues = mode.queues.to_string();
        // It throws away what came before it began, and would go on doing so for some time after it has said that it begins.
        command.args([
            "--",
            "-i",
            "--no-flush-rx",
            "--nb-cores=1",
            "--rss-udp",
            "--rxq",
            &queues,
            "--txq",
            &queues,
        ]);
        // What it has received has room in the transmit ring, or it would drop: it never waits.
        command.args([
            "--rxd=256",
            "--txd=2048",
            "--total-num-mbufs=32768",
            &format!("--forward-mode={}", mode.forward),
        ]);
        let (process, prompt) = Running::start_with_prompt(&mut command);
        Testpmd { process, prompt }
    }

    fn say(&mut self, command: &str) -> Result<(), Failed> {
        Ok(writeln!(self.prompt, "{command}").and_then(|()| self.prompt.flush())?)
    }

    /// Starts ports that are stopped. As at the beginning, it may have to be told again.
    fn start_ports(&mut self, cards: &Cards) -> Result<(), Failed> {
        let mut started = Ok(());
        for _ in 0..ATTEMPTS {
            self.say("port start all")?;
            self.process.line_with("Done", PATIENCE);
            started = cards.await_queues(RESTART);
            if started.is_ok() {
                break;
            }
        }
        started
    }

    /// RX-packets and TX-packets of both ports.
    fn counters(&mut self) -> Result<[[u64; 2]; 2], Failed> {
        self.say("show port stats all")?;
        let mut ports = [[0; 2]; 2];
        for port in &mut ports {
            for (place, name) in ["RX-packets:", "TX-packets:"].into_iter().enumerate() {
                let line = self.process.line_with(name, PATIENCE);
                let number = line.split(name).nth(1).and_then(|rest| rest.split_whitespace().next());
                port[place] = number.ok_or_else(|| format!("no number in {line:?}"))?.parse()?;
            }
        }
        Ok(ports)
    }
}

/// NICs, and testpmd with both ports started. DPDK gives a reset half a millisecond, and gives up: on a machine that is busy
/// with other things, it is started again.
fn set_up(mode: Mode) -> Result<(Cards, Testpmd), Failed> {
    let mut failure = Failed::without_message();
    for _ in 0..ATTEMPTS {
        clear_hugepages()?;
        let cards = Cards::new(mode)?;
        let testpmd = Testpmd::start(mode);
        match cards.await_queues(SET_UP) {
            Ok(()) => return Ok((cards, testpmd)),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// A testpmd that was killed leaves its files behind, and with them the memory.
fn clear_hugepages() -> Result<(), Failed> {
    for file in Path::new("/dev/hugepages").read_dir()? {
        fs::remove_file(file?.path())?;
    }
    Ok(())
}

/// Starts testpmd, has it forward, stops its ports, starts them again, and has it forward again.
fn forwards_and_again(mode: Mode) -> Result<(), Failed> {
    let (cards, mut testpmd) = set_up(mode)?;
    for round in 1..=2 {
        testpmd.say("start")?;
        testpmd.process.line_with("packet forwarding", PATIENCE);
        // Now it reads all counters, to begin at zero. What came meanwhile would be cleared and not read.
        std::thread::sleep(Duration::from_millis(200));
        cards.exchange()?;
        testpmd.say("stop")?;
        testpmd.process.line_with("Accumulated", PATIENCE);
        testpmd.process.line_with("Done.", PATIENCE);
        // It has read the counters to print its own; the NIC takes a moment to clear what was read.
        std::thread::sleep(Duration::from_millis(20));
        let (said, seen) = (testpmd.counters()?, cards.counters());
        if can_watch() {
            let lab = seen.map(|port| [port.rx_frames, port.tx_frames]);
            if said != lab {
                return Err(
                    format!("round {round}: testpmd counted {said:?} (rx, tx), the lab {lab:?}").into()
                );
            }
        }
        if round == 1 {
            testpmd.say("port stop all")?;
            testpmd.process.line_with("Done", PATIENCE);
            testpmd.start_ports(&cards)?;
        }
    }
    testpmd.say("quit")?;
    let status = testpmd.process.wait(PATIENCE);
    if !status.success() {
        return Err(format!("testpmd ended with {status}").into());
    }
    cards.check_findings()?;
    Ok(())
}

/// Whether counters clear when they are read, which takes watchpoints of the processor.
fn can_watch() -> bool {
    ringway_lab::tree::has_watchpoints()
}

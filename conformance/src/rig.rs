//! What a case works with: a testee on one side, the lab on the other, and the steps that most cases share.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use ringway_lab::faults::{Fault, Plan};
use ringway_lab::ixgbe::Nic;
use ringway_lab::ixgbe::regs::Register;
use ringway_lab::sanitizer::Severity;

use crate::case::Case;
use crate::commands::{Device, Hello, Opened, names};
use crate::frames::Mac;
use crate::outcome::{Failure, Outcome, expect, expect_frames};
use crate::protocol::Kind;
use crate::random::Random;
use crate::record::Record;
use crate::testee::{Launch, Mutterings, Testee};
use crate::way::Way;
use crate::world::{Build, Port, World};

/// Packets that one command carries at most, so that lines stay short.
pub const HANDFUL: usize = 64;
/// Seconds that a frame may take from the wire to the testee or back. Two cores, many processes: not microseconds.
const PASSAGE: f64 = 5.0;

/// Testee and lab of one case.
pub struct Rig {
    /// The testee.
    pub testee: Testee,
    /// What the testee said to `hello`.
    pub hello: Hello,
    /// The lab.
    pub world: World,
    /// Chance, from the seed of the run.
    pub random: Random,
    launch: Launch,
    patience: f64,
    forgiven: Vec<String>,
    voices: Vec<Mutterings>,
    finished: bool,
}

/// How a rig is set up.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The testee.
    pub launch: Launch,
    /// All chance comes from here.
    pub seed: u64,
    /// Factor on every deadline.
    pub patience: f64,
    /// How the testee reaches the NICs.
    pub way: Way,
    /// Rules of the sanitizer that do not fail a case.
    pub forgiven: Vec<String>,
}

impl Rig {
    /// Lab and testee for `case`, and the first words between judge and testee.
    pub fn new(case: &Case, terms: &Terms) -> Outcome<Rig> {
        let mut random = Random::new(terms.seed);
        let build = Build { trapped: case.trapped, descriptors: case.descriptors, way: terms.way };
        let world = World::new(case.nics, build, &mut random).map_err(lab_failed)?;
        let mut testee = Testee::start(&terms.launch, terms.patience, world.settled())?;
        let voices = vec![testee.stderr()];
        let hello = testee.hello().map_err(|failure| with_voice(failure, &voices))?;
        let (launch, patience) = (terms.launch.clone(), terms.patience);
        Ok(Rig {
            testee,
            hello,
            world,
            random,
            launch,
            patience,
            forgiven: terms.forgiven.clone(),
            voices,
            finished: false,
        })
    }

    /// A further testee, past its `hello`.
    pub fn another_testee(&mut self) -> Outcome<Testee> {
        let mut testee = Testee::start(&self.launch, self.patience, self.world.settled())?;
        self.voices.push(testee.stderr());
        testee.hello()?;
        Ok(testee)
    }

    /// Replaces the testee, which is killed if it still runs.
    pub fn replace_testee(&mut self) -> Outcome {
        self.testee = self.another_testee()?;
        Ok(())
    }

    /// The driver under test has announced `feature`.
    pub fn has(&self, feature: &str) -> bool {
        self.hello.features.iter().any(|has| has == feature)
    }

    /// From here on, breaking `rule` of the sanitizer is no fault of the driver: the case gives it no chance to keep it.
    pub fn forgive(&mut self, rule: &str) {
        self.forgiven.push(rule.to_owned());
    }

    /// The case has ended its testee itself.
    pub fn finished(&mut self) {
        self.finished = true;
    }

    /// Address of NIC `nic`.
    pub fn mac(&self, nic: usize) -> Mac {
        self.world.port(nic).mac
    }

    /// Socket of NIC `nic`.
    pub fn socket(&self, nic: usize) -> PathBuf {
        self.world.port(nic).socket.clone()
    }

    /// What the driver did to NIC `nic`.
    pub fn record(&self, nic: usize) -> Record {
        self.world.port(nic).record.clone()
    }

    /// A register of NIC `nic`, without side effects.
    pub fn peek(&self, nic: usize, register: Register) -> u32 {
        self.world.nic(nic, move |nic| nic.peek(register.offset))
    }

    /// Opens NIC `nic`, and waits until its link is up, for a frame that comes before that is lost on any card.
    pub fn open(&mut self, nic: usize, options: &str) -> Outcome<Device> {
        self.opened(nic, options).map(|opened| opened.device)
    }

    /// Like [`open`](Self::open), with everything that the testee answers.
    pub fn opened(&mut self, nic: usize, options: &str) -> Outcome<Opened> {
        let socket = self.socket(nic);
        let opened = self.testee.open(&socket, options)?;
        self.until(PASSAGE, "the link of the open NIC comes up", |rig| {
            // Not by LINKS: it tells of a loss until the driver has read it once.
            Ok(rig.nic(nic, |nic| nic.link_up()).then_some(()))
        })?;
        Ok(opened)
    }

    /// Puts frames on the wire towards NIC `nic`, all at once.
    pub fn inject(&self, nic: usize, frames: &[Vec<u8>]) {
        self.world.port(nic).wire.inject_many(frames.iter().cloned());
    }

    /// Receives until `count` packets have come, and gives each handful back at once.
    pub fn gather(&mut self, device: Device, queue: u16, count: usize) -> Outcome<Vec<Vec<u8>>> {
        let packets = self.hold(device, queue, count, true)?;
        Ok(packets)
    }

    /// Receives until `count` packets are in the hand, and leaves them there.
    pub fn grasp(&mut self, device: Device, queue: u16, count: usize) -> Outcome<Vec<Vec<u8>>> {
        self.hold(device, queue, count, false)
    }

    fn hold(&mut self, device: Device, queue: u16, count: usize, release: bool) -> Outcome<Vec<Vec<u8>>> {
        let mut packets = Vec::new();
        let start = Instant::now();
        while packets.len() < count {
            let got = self.testee.receive(device, queue, (count - packets.len()).min(HANDFUL), "")?.packets;
            if release && !got.is_empty() {
                let n = self.testee.release()?;
                expect(n >= got.len(), format!("release gives back {} packets", got.len()), || {
                    format!("n={n}")
                })?;
            }
            if got.is_empty() {
                let within = self.testee.seconds(PASSAGE);
                expect(start.elapsed() < within, format!("{count} packets within {within:.1?}"), || {
                    format!("{} packets came", packets.len())
                })?;
                thread::sleep(Duration::from_micros(200));
            }
            packets.extend(got);
        }
        Ok(packets)
    }

    /// Injects frames, a burst at a time, and expects exactly them, in order, in `queue`.
    pub fn receives(
        &mut self,
        nic: usize,
        device: Device,
        queue: u16,
        frames: &[Vec<u8>],
        burst: usize,
    ) -> Outcome {
        for frames in frames.chunks(burst) {
            self.inject(nic, frames);
            let got = self.gather(device, queue, frames.len())?;
            expect_frames("received", &got, frames)?;
        }
        self.nothing_left(device, queue)
    }

    /// Nothing waits in `queue`.
    pub fn nothing_left(&mut self, device: Device, queue: u16) -> Outcome {
        for _ in 0..3 {
            let surplus = self.testee.receive(device, queue, HANDFUL, "")?.packets;
            expect_frames("received beyond what was sent", &surplus, &[])?;
        }
        Ok(())
    }

    /// Transmits all frames, as many at a time as the ring takes.
    pub fn transmit(&mut self, device: Device, queue: u16, frames: &[Vec<u8>]) -> Outcome {
        let start = Instant::now();
        let mut rest = frames;
        while !rest.is_empty() {
            let n = self.testee.transmit(device, queue, &rest[..rest.len().min(HANDFUL / 2)])?;
            rest = &rest[n..];
            if n == 0 {
                let within = self.testee.seconds(PASSAGE);
                expect(
                    start.elapsed() < within,
                    format!("all frames are taken within {within:.1?}"),
                    || format!("{} of {} are left", rest.len(), frames.len()),
                )?;
                thread::sleep(Duration::from_micros(200));
            }
        }
        Ok(())
    }

    /// Sends the first `count` packets of the hand.
    pub fn send(&mut self, device: Device, queue: u16, count: usize) -> Outcome {
        let mut left = count;
        self.until(PASSAGE, "the ring takes the packets of the hand", |rig| {
            left -= rig.testee.send(device, queue, left)?;
            Ok((left == 0).then_some(()))
        })
    }

    /// Waits until NIC `nic` has sent `count` frames, and takes them off the wire.
    pub fn sent(&mut self, nic: usize, count: usize) -> Outcome<Vec<Vec<u8>>> {
        let mut frames = Vec::new();
        let what = format!("{count} frames on the wire");
        let done = self.until(PASSAGE, &what, |rig| {
            frames.extend(rig.world.port(nic).wire.sent());
            Ok((frames.len() >= count).then_some(()))
        });
        done.map_err(|failure| Failure { happened: format!("{} came", frames.len()), ..failure })?;
        Ok(frames)
    }

    /// Transmits frames and expects exactly them, in order, on the wire.
    pub fn transmits(&mut self, nic: usize, device: Device, queue: u16, frames: &[Vec<u8>]) -> Outcome {
        self.transmit(device, queue, frames)?;
        let sent = self.sent(nic, frames.len())?;
        expect_frames("on the wire", &sent, frames)
    }

    /// With `fault`, opening the first NIC fails with a timeout that names `register`; without it, the card works again.
    pub fn gives_up(&mut self, fault: Fault, register: &str) -> Outcome {
        self.fault(0, fault);
        let socket = self.socket(0);
        let refusal = self.testee.open_refused(&socket, "", &[Kind::Timeout])?;
        names(&refusal, register)?;
        self.calm(0);
        let device = self.open(0, "")?;
        self.works(0, device)
    }

    /// Both directions work: one numbered frame each way.
    pub fn works(&mut self, nic: usize, device: Device) -> Outcome {
        let number = self.random.word() as u32;
        let frames = [crate::frames::numbered(self.mac(nic), number, 100)];
        self.receives(nic, device, 0, &frames, 1)?;
        self.transmits(nic, device, 0, &frames)
    }

    /// Looks again and again until `look` finds something.
    pub fn until<T>(
        &mut self,
        seconds: f64,
        what: &str,
        mut look: impl FnMut(&mut Rig) -> Outcome<Option<T>>,
    ) -> Outcome<T> {
        let within = self.testee.seconds(seconds);
        let start = Instant::now();
        loop {
            if let Some(found) = look(self)? {
                return Ok(found);
            }
            expect(start.elapsed() < within, format!("{what} within {within:.1?}"), || {
                "it did not come".into()
            })?;
            thread::sleep(Duration::from_micros(500));
        }
    }

    /// Does something with a NIC on the polling thread.
    pub fn nic<R: Send + 'static>(&self, nic: usize, act: impl FnOnce(&mut Nic) -> R + Send + 'static) -> R {
        self.world.nic(nic, act)
    }

    /// From now on NIC `nic` misbehaves like this.
    pub fn fault(&self, nic: usize, fault: Fault) {
        self.nic(nic, move |nic| nic.faults_mut().arm(Plan::always(fault)));
    }

    /// NIC `nic` misbehaves no more.
    pub fn calm(&self, nic: usize) {
        self.nic(nic, |nic| nic.faults_mut().clear());
    }

    /// What is checked after every case that went well: the sanitizer is silent, nothing is on a wire that nobody asked
    /// for, and the testee quits.
    pub fn finish(&mut self) -> Outcome {
        for (number, port) in self.world.ports().iter().enumerate() {
            let surplus = port.wire.sent();
            expect_frames(&format!("left on the wire of NIC {number}"), &surplus, &[])?;
        }
        if !self.finished {
            self.testee.quit()?;
        }
        let found = self.findings().len();
        expect(found == 0, "no finding of the sanitizer", || format!("{found}, see below"))
    }

    /// The sanitizer's findings that matter.
    pub fn findings(&self) -> Vec<String> {
        let all = self.world.ports().iter().flat_map(|port| port.findings.all());
        let serious = all.filter(|finding| {
            finding.rule.severity >= Severity::Warning
                && !self.forgiven.iter().any(|rule| rule == finding.rule.id)
        });
        serious.map(|finding| finding.to_string()).collect()
    }

    /// What the testees wrote to standard error.
    pub fn stderr(&self) -> Vec<String> {
        self.voices.iter().flat_map(Mutterings::lines).collect()
    }

    /// The last register accesses of each NIC.
    pub fn trace(&self) -> Vec<String> {
        let lines = |(number, port): (usize, &Port)| {
            port.trace.lines().into_iter().map(|line| format!("nic{number} {line}")).collect::<Vec<_>>()
        };
        self.world.ports().iter().enumerate().flat_map(lines).collect()
    }
}

/// A failure of the lab, which is not the driver's, but must not pass for success.
pub fn lab_failed(error: std::io::Error) -> Failure {
    Failure::new("the lab works", error.to_string())
}

fn with_voice(failure: Failure, voices: &[Mutterings]) -> Failure {
    let lines: Vec<String> = voices.iter().flat_map(Mutterings::lines).collect();
    Failure { happened: format!("{}\n  {}", failure.happened, lines.join("\n  ")), ..failure }
}

/// A file that is not there.
pub fn nowhere(world: &World) -> PathBuf {
    Path::new(&world.path("nothing-here")).to_owned()
}

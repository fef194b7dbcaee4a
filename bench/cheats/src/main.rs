//! A driver's app that cheats in the way it is told to: `ringway-cheat HOW forward A B --batch N ...`, or `HOW capture A FILE`.
//!
//! The stopwatch must refuse each of them by name; the tests beside this file see to it. It is written with the Rust driver,
//! takes the arguments of every driver's app and prints its lines, so that nothing but the cheating tells it from an honest
//! contender.

mod capture;

use std::io::Write;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, bail};
use ringway::{Batch, Config, Device, DmaMemory};
use serde_json::{Value, json};

/// The byte that the workload increments.
const TOUCHED: usize = 48;
/// Every so many packets the rare ways to cheat are used.
const NOW_AND_THEN: u64 = 1000;

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cheat {
    /// Nothing.
    Honest,
    /// Passes packets on without touching them.
    Untouched,
    /// Sends packets back to where they came from.
    Echo,
    /// Damages a packet now and then.
    Corrupt,
    /// Throws a packet away now and then and says nothing.
    DropSilently,
    /// Throws a packet away now and then and counts it, although there was room.
    DropCounted,
}

impl Cheat {
    fn named(name: &str) -> anyhow::Result<Cheat> {
        Ok(match name {
            "honest" => Cheat::Honest,
            "untouched" => Cheat::Untouched,
            "echo" => Cheat::Echo,
            "corrupt" => Cheat::Corrupt,
            "drop-silently" => Cheat::DropSilently,
            "drop-counted" => Cheat::DropCounted,
            other => bail!("{other} is no way to cheat"),
        })
    }
}

struct Forwarder {
    cheat: Cheat,
    devices: [Device; 2],
    batch: Batch,
    aside: Batch,
    received: u64,
    sent: u64,
    dropped: [u64; 2],
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "ringway-cheat: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [how, app, a, b, options @ ..] = &words[..] else {
        bail!("usage: ringway-cheat HOW forward A B ..., or ringway-cheat HOW capture A FILE ...")
    };
    let batch: usize = number(options, "--batch")?.context("--batch is missing")?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    match app.as_str() {
        "forward" => forward(how, [a, b], batch, number(options, "--packets")?, &stop),
        "capture" => capture::capture(how, a, b.as_ref(), batch, &stop),
        other => bail!("this cheat does not {other}"),
    }
}

fn config() -> Config {
    Config { promiscuous: true, ..Config::default() }
}

fn forward(
    how: &str,
    [a, b]: [&str; 2],
    batch: usize,
    packets: Option<u64>,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let memory = DmaMemory::new(16 << 20)?;
    let config = config();
    let devices = [Device::open(a, &memory, &config)?, Device::open(b, &memory, &config)?];
    let (batch, aside) = (Batch::new(&memory, batch), Batch::new(&memory, batch));
    let cheat = Cheat::named(how)?;
    let mut forwarder = Forwarder { cheat, devices, batch, aside, received: 0, sent: 0, dropped: [0; 2] };
    say_start("forward");
    while !stop.load(Relaxed) && packets.is_none_or(|packets| forwarder.received < packets) {
        let moved = forwarder.one_way(0)? + forwarder.one_way(1)?;
        if moved == 0 {
            std::thread::yield_now();
        }
    }
    forwarder.end()
}

/// The number behind an option.
fn number<N: FromStr>(words: &[String], option: &str) -> anyhow::Result<Option<N>> {
    let Some(at) = words.iter().position(|word| word == option) else { return Ok(None) };
    let value = words.get(at + 1).and_then(|word| word.parse().ok());
    value.map(Some).with_context(|| format!("{option} wants a number"))
}

impl Forwarder {
    fn one_way(&mut self, from: usize) -> anyhow::Result<u64> {
        let received = self.devices[from].receive(0, &mut self.batch)? as u64;
        let before = self.received;
        self.received += received;
        let due = before / NOW_AND_THEN != self.received / NOW_AND_THEN;
        for mut packet in self.batch.iter_mut() {
            let byte = packet.head_mut().get_mut(TOUCHED);
            if let Some(byte) = byte.filter(|_| !matches!(self.cheat, Cheat::Untouched | Cheat::Echo)) {
                *byte = byte.wrapping_add(1);
            }
        }
        match self.cheat {
            Cheat::Corrupt if due => self.spoil(),
            Cheat::DropSilently | Cheat::DropCounted if due => self.drop_some(from),
            _ => {}
        }
        let to = if self.cheat == Cheat::Echo { from } else { 1 - from };
        self.sent += self.devices[to].transmit(0, &mut self.batch)? as u64;
        self.dropped[from] += self.batch.clear() as u64;
        Ok(received)
    }

    fn spoil(&mut self) {
        if let Some(mut packet) = self.batch.iter_mut().next()
            && let Some(byte) = packet.head_mut().get_mut(20)
        {
            *byte ^= 0x40;
        }
    }

    /// Throws the batch away.
    fn drop_some(&mut self, from: usize) {
        self.aside.append(&mut self.batch);
        let gone = self.aside.clear() as u64;
        if self.cheat == Cheat::DropCounted {
            self.dropped[from] += gone;
        }
    }

    fn end(mut self) -> anyhow::Result<()> {
        drop((self.batch, self.aside));
        for device in &mut self.devices {
            device.drain(Duration::from_millis(500))?;
        }
        let devices: Vec<Value> = self.dropped.iter().map(|dropped| json!({ "dropped": dropped })).collect();
        let dropped: u64 = self.dropped.iter().sum();
        say(&json!({
            "event": "final", "app": "forward", "elapsed_s": 0, "received": self.received, "sent": self.sent,
            "dropped": dropped, "stopped_by": "signal", "slots_lost": 0, "devices": devices,
        }));
        self.devices.into_iter().try_for_each(Device::close)?;
        Ok(())
    }
}

fn say_start(app: &str) {
    say(&json!({ "event": "start", "app": app, "driver": "cheat", "version": "0.1.0", "devices": [] }));
}

fn say(event: &Value) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{event}").and_then(|()| out.flush());
}

//! The commands of the protocol as methods of [`Testee`], with the checks that every answer must stand.

use std::path::Path;

use crate::frames::Mac;
use crate::outcome::{Failure, Outcome, expect, expect_eq};
use crate::protocol::{Fields, Kind, PROTOCOL, Refusal, hex, short};
use crate::testee::Testee;
use crate::way::spoken;

/// Seconds that the protocol gives an answer.
pub const ANSWER: f64 = 5.0;
/// Seconds that the protocol gives `open`.
pub const OPEN: f64 = 15.0;

/// Number of an open device in a testee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device(pub u64);

/// Answer to `hello`.
#[derive(Clone, Debug)]
pub struct Hello {
    /// Name of the driver.
    pub driver: String,
    /// Its version.
    pub version: String,
    /// What it can do beyond the minimum.
    pub features: Vec<String>,
}

/// Answer to `open`.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The device's number.
    pub device: Device,
    /// Hardware address that the driver tells.
    pub mac: Mac,
    /// How it says that it reached the device.
    pub way: String,
}

/// Answer to `receive`.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// The packets, in order.
    pub packets: Vec<Vec<u8>>,
    /// Their RSS hashes, if the driver reports them.
    pub hashes: Option<Vec<u32>>,
}

/// Answer to `stats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Stats {
    pub rx_packets: u64,
    pub tx_packets: u64,
    pub rx_bytes: u64,
    pub tx_bytes: u64,
    pub rx_missed: u64,
    pub rx_errors: u64,
}

/// Answer to `slots`. The parts sum to `total`: that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Slots {
    pub pool: u64,
    pub hand: u64,
    pub rx: u64,
    pub tx: u64,
    pub total: u64,
}

/// Answer to `forward`. `received = sent + dropped`: that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Forwarded {
    pub received: u64,
    pub sent: u64,
    pub dropped: u64,
}

impl Testee {
    /// `hello`.
    pub fn hello(&mut self) -> Outcome<Hello> {
        let fields = self.ask_ok("hello", ANSWER)?;
        expect_eq("protocol", number("hello", &fields, "protocol")?, PROTOCOL)?;
        let text = |key: &str| text("hello", &fields, key);
        Ok(Hello { driver: text("driver")?, version: text("version")?, features: fields.list("features") })
    }

    /// `open`; an error answer is returned as it is.
    pub fn try_open(&mut self, address: &Path, options: &str) -> Outcome<Result<Opened, Refusal>> {
        self.tell_open(address, options)?;
        self.opened(OPEN)
    }

    /// Gives the command `open` without waiting; [`opened`](Self::opened) must follow.
    pub fn tell_open(&mut self, address: &Path, options: &str) -> Outcome {
        let command = format!("open {} {options}", spoken(address));
        self.tell(command.trim_end())
    }

    /// The answer to `open`.
    pub fn opened(&mut self, seconds: f64) -> Outcome<Result<Opened, Refusal>> {
        let fields = match self.answer(seconds)? {
            Ok(fields) => fields,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mac = text("open", &fields, "mac")?;
        Ok(Ok(Opened {
            device: Device(number("open", &fields, "device")?),
            mac: parse_mac(&mac)
                .ok_or_else(|| Failure::new("mac=aa:bb:cc:dd:ee:ff", format!("mac={mac}")))?,
            way: text("open", &fields, "way")?,
        }))
    }

    /// `open` that must succeed.
    pub fn open(&mut self, address: &Path, options: &str) -> Outcome<Opened> {
        self.try_open(address, options)?
            .map_err(|refusal| Failure::new(format!("open {options} succeeds"), refusal.to_string()))
    }

    /// `open` that must fail with one of `kinds`.
    pub fn open_refused(&mut self, address: &Path, options: &str, kinds: &[Kind]) -> Outcome<Refusal> {
        let what = format!("open {} {options}", spoken(address));
        refused(what.trim_end(), self.try_open(address, options)?, kinds)
    }

    /// `receive` of at most `count` packets; `options` may hold `batch=`.
    pub fn receive(&mut self, device: Device, queue: u16, count: usize, options: &str) -> Outcome<Received> {
        let command = format!("receive {} {queue} {count} {options}", device.0);
        let command = command.trim_end();
        let fields = self.ask_ok(command, ANSWER)?;
        let broken = |why: String| Failure::new(format!("a good answer to `{command}`"), why);
        let packets = fields.packets("packets").map_err(broken)?;
        let n = number(command, &fields, "n")?;
        expect_eq(&format!("`{command}`: number of packets"), packets.len() as u64, n)?;
        expect(packets.len() <= count, format!("at most {count} packets"), || format!("{n}"))?;
        let hashes = match fields.text("hashes") {
            None => None,
            Some(_) => {
                let hashes: Result<Vec<u32>, _> =
                    fields.list("hashes").iter().map(|hash| hash.parse()).collect();
                let hashes = hashes.map_err(|error| broken(format!("hashes: {error}")))?;
                expect_eq("number of hashes", hashes.len(), packets.len())?;
                Some(hashes)
            }
        };
        Ok(Received { packets, hashes })
    }

    /// `transmit`: how many of the frames were taken, from the first.
    pub fn transmit(&mut self, device: Device, queue: u16, frames: &[Vec<u8>]) -> Outcome<usize> {
        let words: Vec<String> = frames.iter().map(|frame| hex(frame)).collect();
        let command = format!("transmit {} {queue} {}", device.0, words.join(" "));
        self.count(&command, frames.len())
    }

    /// `send` of at most `count` packets of the hand: how many were taken.
    pub fn send(&mut self, device: Device, queue: u16, count: usize) -> Outcome<usize> {
        self.count(&format!("send {} {queue} {count}", device.0), count)
    }

    /// `release`: how many packets went back to their pools.
    pub fn release(&mut self) -> Outcome<usize> {
        self.count("release", usize::MAX)
    }

    /// `forward`.
    pub fn forward(&mut self, a: Device, b: Device, options: &str, seconds: f64) -> Outcome<Forwarded> {
        self.tell_forward(a, b, options)?;
        self.forwarded(seconds)
    }

    /// Gives the command `forward` without waiting; [`forwarded`](Self::forwarded) must follow.
    pub fn tell_forward(&mut self, a: Device, b: Device, options: &str) -> Outcome {
        self.tell(&format!("forward {} {} {options}", a.0, b.0))
    }

    /// The answer to `forward`.
    pub fn forwarded(&mut self, seconds: f64) -> Outcome<Forwarded> {
        let fields = accepted("forward", self.answer(seconds)?)?;
        let number = |key: &str| number("forward", &fields, key);
        let told =
            Forwarded { received: number("received")?, sent: number("sent")?, dropped: number("dropped")? };
        expect(told.received == told.sent + told.dropped, "received = sent + dropped", || {
            format!("{told:?}")
        })?;
        Ok(told)
    }

    /// `stats`.
    pub fn stats(&mut self, device: Device) -> Outcome<Stats> {
        let fields = self.ask_ok(&format!("stats {}", device.0), ANSWER)?;
        let number = |key: &str| number("stats", &fields, key);
        Ok(Stats {
            rx_packets: number("rx_packets")?,
            tx_packets: number("tx_packets")?,
            rx_bytes: number("rx_bytes")?,
            tx_bytes: number("tx_bytes")?,
            rx_missed: number("rx_missed")?,
            rx_errors: number("rx_errors")?,
        })
    }

    /// `link`: whether it is up, and its megabits per second.
    pub fn link(&mut self, device: Device) -> Outcome<(bool, u64)> {
        let fields = self.ask_ok(&format!("link {}", device.0), ANSWER)?;
        let (up, mbit) = (number("link", &fields, "up")?, number("link", &fields, "mbit")?);
        expect(up <= 1, "up=0 or up=1", || format!("up={up}"))?;
        expect((up == 1) == (mbit > 0), "mbit is 0 exactly if the link is down", || {
            format!("up={up} mbit={mbit}")
        })?;
        Ok((up == 1, mbit))
    }

    /// `slots`. Fails if a slot is nowhere or in two places.
    pub fn slots(&mut self, device: Device) -> Outcome<Slots> {
        let fields = self.ask_ok(&format!("slots {}", device.0), ANSWER)?;
        let number = |key: &str| number("slots", &fields, key);
        let (pool, hand, rx, tx) = (number("pool")?, number("hand")?, number("rx")?, number("tx")?);
        let slots = Slots { pool, hand, rx, tx, total: number("total")? };
        let sum = [pool, hand, rx, tx].into_iter().try_fold(0u64, u64::checked_add);
        expect(
            sum == Some(slots.total),
            "every slot is in one place: pool + hand + rx + tx = total",
            || format!("{slots:?}"),
        )?;
        Ok(slots)
    }

    /// `promiscuous`.
    pub fn promiscuous(&mut self, device: Device, on: bool) -> Outcome {
        self.ask_ok(&format!("promiscuous {} {}", device.0, u8::from(on)), ANSWER).map(drop)
    }

    /// `close`.
    pub fn close(&mut self, device: Device) -> Outcome {
        self.ask_ok(&format!("close {}", device.0), ANSWER).map(drop)
    }

    /// `close` without waiting for its answer, which [`Testee::closed`] takes.
    pub fn tell_close(&mut self, device: Device) -> Outcome {
        self.tell(&format!("close {}", device.0))
    }

    /// The answer to [`Testee::tell_close`].
    pub fn closed(&mut self) -> Outcome {
        accepted("close", self.answer(ANSWER)?).map(drop)
    }

    /// `quit`, and the process ends with 0.
    pub fn quit(&mut self) -> Outcome {
        self.ask_ok("quit", ANSWER)?;
        let status = self.ended(ANSWER)?;
        expect(status.success(), "after quit the testee exits with 0", || status.to_string())
    }

    /// A command whose answer is `ok`.
    pub fn ask_ok(&mut self, command: &str, seconds: f64) -> Outcome<Fields> {
        accepted(command, self.ask(command, seconds)?)
    }

    /// A command whose answer is an error of one of `kinds`.
    pub fn ask_refused(&mut self, command: &str, kinds: &[Kind]) -> Outcome<Refusal> {
        refused(command, self.ask(command, ANSWER)?, kinds)
    }

    fn count(&mut self, command: &str, at_most: usize) -> Outcome<usize> {
        let fields = self.ask_ok(command, ANSWER)?;
        let n = number(command, &fields, "n")? as usize;
        expect(n <= at_most, format!("`{}`: n is at most {at_most}", short(command)), || format!("n={n}"))?;
        Ok(n)
    }
}

fn accepted(command: &str, answer: Result<Fields, Refusal>) -> Outcome<Fields> {
    answer.map_err(|refusal| Failure::new(format!("`{}` succeeds", short(command)), refusal.to_string()))
}

/// The error in `answer`, which must be of one of `kinds`.
pub fn refused<T>(command: &str, answer: Result<T, Refusal>, kinds: &[Kind]) -> Outcome<Refusal> {
    let names: Vec<String> = kinds.iter().map(Kind::to_string).collect();
    let expected = format!("`{}` answers error {}", short(command), names.join(" or "));
    match answer {
        Err(refusal) if kinds.contains(&refusal.kind) => Ok(refusal),
        Err(refusal) => Err(Failure::new(expected, refusal.to_string())),
        Ok(_) => Err(Failure::new(expected, "ok")),
    }
}

/// A refusal must tell the reader `word`.
pub fn names(refusal: &Refusal, word: &str) -> Outcome {
    expect(refusal.message.contains(word), format!("a message that names {word}"), || refusal.to_string())
}

fn number(command: &str, fields: &Fields, key: &str) -> Outcome<u64> {
    fields.number(key).map_err(|why| Failure::new(format!("a good answer to `{}`", short(command)), why))
}

fn text(command: &str, fields: &Fields, key: &str) -> Outcome<String> {
    let missing =
        || Failure::new(format!("a good answer to `{command}`"), format!("no {key}= in the answer"));
    fields.text(key).map(str::to_owned).ok_or_else(missing)
}

fn parse_mac(text: &str) -> Option<Mac> {
    let bytes: Option<Vec<u8>> = text
        .split(':')
        .map(|part| (part.len() == 2).then(|| u8::from_str_radix(part, 16).ok()).flatten())
        .collect();
    bytes?.try_into().ok()
}

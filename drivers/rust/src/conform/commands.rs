//! What each command does.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ringway::{Config, Device, DmaMemory};

use crate::hand::Hand;
use crate::words::{Answer, Refusal, Words, hex, line, unhex};

/// An open device and what was asked for when it was opened.
pub struct Open {
    pub device: Device,
    max_frame: usize,
}

/// The open devices and the hand.
pub struct Testee {
    memory: DmaMemory,
    pub devices: BTreeMap<usize, Open>,
    /// Numbers are not used again.
    next: usize,
    hand: Hand,
    pub signalled: Arc<AtomicBool>,
}

impl Testee {
    pub fn new(memory: DmaMemory, signalled: Arc<AtomicBool>) -> Testee {
        Testee { memory, devices: BTreeMap::new(), next: 0, hand: Hand::new(), signalled }
    }

    /// Carries one line out and returns the line of the answer.
    pub fn answer(&mut self, text: &str) -> String {
        let mut words = text.split_ascii_whitespace();
        let command = words.next().unwrap_or("");
        let words = Words::new(words);
        line(match command {
            "hello" => Ok(hello()),
            "open" => self.open(&words),
            "receive" => self.receive(&words),
            "transmit" => self.transmit(&words),
            "send" => self.send(&words),
            "release" => Ok(format!("n={}", self.hand.release())),
            "forward" => self.forward(&words),
            "stats" => self.stats(&words),
            "link" => self.link(&words),
            "slots" => self.slots(&words),
            "promiscuous" => self.promiscuous(&words),
            "close" => self.close(&words),
            other => Err(Refusal::Usage(format!("unknown command {other}"))),
        })
    }

    /// Closes what is open.
    pub fn quit(&mut self) -> String {
        self.hand.release();
        for (_, open) in std::mem::take(&mut self.devices) {
            let _ = open.device.close();
        }
        line(Ok(String::new()))
    }

    fn open(&mut self, words: &Words<'_>) -> Answer {
        let address = words.word(0, "the address")?;
        let config = Config {
            rx_queues: words.key("rx_queues", 1)?,
            tx_queues: words.key("tx_queues", 1)?,
            ring_slots: words.key("ring_slots", 512)?,
            pool_slots: words.key("pool_slots", 2048)?,
            promiscuous: switch(words.key("promiscuous", 0)?)?,
            max_frame: words.key("max_frame", 1518)?,
            link_wait: Duration::from_millis(words.key("link_wait_ms", 0)?),
        };
        let device = Device::open(address, &self.memory, &config)?;
        let number = self.next;
        self.next += 1;
        let mac = device.mac().map(|byte| format!("{byte:02x}")).join(":");
        let answer = format!("device={number} mac={mac} way={}", device.control().way());
        self.devices.insert(number, Open { device, max_frame: config.max_frame as usize });
        Ok(answer)
    }

    fn receive(&mut self, words: &Words<'_>) -> Answer {
        let queue = words.number(1, "the queue")?;
        let count: usize = words.number(2, "the count")?;
        let size = batch_size(words)?;
        let device = &mut self.open_device(words)?.device;
        require_queue(device.rx_queue(queue))?;
        device.control().check()?;
        let (mut received, mut packets, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        while packets.len() < count {
            let mut batch = device.batch(size);
            let n = device.rx_queue(queue)?.receive_at_most(&mut batch, count - packets.len())?;
            for packet in &batch {
                packets.push(hex(&packet.to_vec()));
                hashes.push(packet.rss_hash());
            }
            received.push(batch);
            if n == 0 {
                break;
            }
        }
        received.into_iter().for_each(|batch| self.hand.push(batch));
        let mut answer = format!("n={}", packets.len());
        if !packets.is_empty() {
            answer += &format!(" packets={}", packets.join(","));
        }
        if hashes.iter().any(Option::is_some) {
            let hashes: Vec<String> = hashes.iter().map(|hash| hash.unwrap_or(0).to_string()).collect();
            answer += &format!(" hashes={}", hashes.join(","));
        }
        Ok(answer)
    }

    fn transmit(&mut self, words: &Words<'_>) -> Answer {
        let queue = words.number(1, "the queue")?;
        let packets = words.rest(2).iter().map(|word| unhex(word)).collect::<Result<Vec<_>, _>>()?;
        let open = self.open_device(words)?;
        let longest = open.max_frame - 4;
        if packets.is_empty() || packets.iter().any(|packet| !(14..=longest).contains(&packet.len())) {
            return Err(Refusal::Usage(format!("packets have 14 to {longest} bytes")));
        }
        let device = &mut open.device;
        require_queue(device.tx_queue(queue))?;
        device.control().check()?;
        let slots = packets.iter().map(|packet| packet.len().div_ceil(2048)).sum();
        let mut batch = device.batch(slots);
        let pool = device.pool().clone();
        for packet in &packets {
            if !batch.push(&pool, packet)? {
                break;
            }
        }
        Ok(format!("n={}", device.transmit(queue, &mut batch)?))
    }

    fn send(&mut self, words: &Words<'_>) -> Answer {
        let queue = words.number(1, "the queue")?;
        let count = if words.rest(2).is_empty() { usize::MAX } else { words.number(2, "the count")? };
        let number = words.number::<usize>(0, "the device")?;
        let open = self.devices.get_mut(&number).ok_or_else(|| unknown(number))?;
        require_queue(open.device.tx_queue(queue))?;
        open.device.control().check()?;
        let sent = self.hand.send(&self.memory, count, |batch| open.device.transmit(queue, batch))?;
        Ok(format!("n={sent}"))
    }

    fn stats(&mut self, words: &Words<'_>) -> Answer {
        let stats = self.open_device(words)?.device.stats()?;
        Ok(format!(
            "rx_packets={} tx_packets={} rx_bytes={} tx_bytes={} rx_missed={} rx_errors={}",
            stats.rx_packets,
            stats.tx_packets,
            stats.rx_bytes,
            stats.tx_bytes,
            stats.rx_missed,
            stats.rx_errors
        ))
    }

    fn link(&mut self, words: &Words<'_>) -> Answer {
        let link = self.open_device(words)?.device.link()?;
        Ok(format!("up={} mbit={}", u8::from(link.up), link.mbit))
    }

    fn slots(&mut self, words: &Words<'_>) -> Answer {
        let pool = self.open_device(words)?.device.pool().clone();
        let (mut rx, mut tx) = (0, 0);
        for open in self.devices.values_mut() {
            let slots = open.device.slots_of(&pool);
            (rx, tx) = (rx + slots.rx, tx + slots.tx);
        }
        let (free, hand, total) = (pool.free(), self.hand.slots_of(&pool), pool.total());
        Ok(format!("pool={free} hand={hand} rx={rx} tx={tx} total={total}"))
    }

    fn promiscuous(&mut self, words: &Words<'_>) -> Answer {
        let on = switch(words.number(1, "0 or 1")?)?;
        self.open_device(words)?.device.control().set_promiscuous(on)?;
        Ok(String::new())
    }

    fn close(&mut self, words: &Words<'_>) -> Answer {
        let number = words.number(0, "the device")?;
        let open = self.devices.remove(&number).ok_or_else(|| unknown(number))?;
        self.hand.release_of(open.device.pool());
        open.device.close()?;
        Ok(String::new())
    }

    fn open_device(&mut self, words: &Words<'_>) -> Result<&mut Open, Refusal> {
        let number = words.number(0, "the device")?;
        self.devices.get_mut(&number).ok_or_else(|| unknown(number))
    }
}

fn hello() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("protocol=1 driver=rust version={version} features=rss,jumbo")
}

/// Off or on.
fn switch(word: u8) -> Result<bool, Refusal> {
    match word {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Refusal::Usage(format!("{other} is neither 0 nor 1"))),
    }
}

pub fn unknown(device: usize) -> Refusal {
    Refusal::Usage(format!("there is no device {device}"))
}

/// A queue that was not opened is the judge's fault, not the driver's.
fn require_queue<T>(queue: ringway::Result<T>) -> Result<(), Refusal> {
    queue.map(|_| ()).map_err(|error| Refusal::Usage(error.to_string()))
}

pub fn batch_size(words: &Words<'_>) -> Result<usize, Refusal> {
    match words.key("batch", 32)? {
        size @ 1..=8192 => Ok(size),
        size => Err(Refusal::Usage(format!("a batch of {size} slots; 1 to 8192"))),
    }
}

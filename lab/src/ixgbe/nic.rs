//! The NIC: its parts, and one round of work.

use std::io;

use super::counters::Counters;
use super::eeprom::Eeprom;
use super::host::{Host, Log};
use super::i2c::Module;
use super::interrupts::Interrupts;
use super::link::Link;
use super::loopback::Loopback;
use super::msix::MsixBar;
use super::noise::Noise;
use super::pci::ConfigSpace;
use super::plain::PlainBar;
use super::registers::{PAIRS, RegisterFile};
use super::regs::{self, hlreg0};
use super::ring::Ring;
use super::rx::Receiver;
use super::spi::SerialPort;
use super::tx::Transmitter;
use crate::clock::Nanos;
use crate::events::{Event, Observer, Queue, Scene, Side, Watch};
use crate::faults::{Fault, Faults};
use crate::memory::ClientMemory;
use crate::wire::Wire;

/// Rounds between two looks at all queues, enabled or not.
const ROUNDS_BETWEEN_LOOKS: u32 = 256;
/// The same in time, for a poller that sleeps between rounds.
const TIME_BETWEEN_LOOKS_NS: u64 = 200_000;

/// How a driver reaches the queues' registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doorbells {
    /// The pages of queues 0 to 63 may be mapped: moving a tail costs a store.
    #[default]
    Mapped,
    /// Everything is a message.
    Trapped,
    /// The whole BAR is plain memory and nothing is a message; see [`plain`](super::plain).
    Plain,
}

/// What a NIC is made of.
#[derive(Clone, Debug)]
pub struct NicConfig {
    /// For people; not visible to the driver.
    pub name: String,
    /// Station address, as the EEPROM holds it.
    pub mac: [u8; 6],
    /// Chooses the contents of undefined registers and where faults strike.
    pub seed: u64,
    /// How a driver reaches the queues' registers.
    pub doorbells: Doorbells,
    /// An SFP+ module is in the cage (with none, drivers that look for one take seconds, and go on).
    pub module: bool,
}

impl NicConfig {
    /// A locally administered address made from `name`, seed 0, mapped doorbells, with a module.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        let [a, b, c, ..] = hash.to_be_bytes();
        NicConfig {
            name,
            mac: [0x02, 0x52, 0x57, a, b, c],
            seed: 0,
            doorbells: Doorbells::default(),
            module: true,
        }
    }
}

/// State of a queue, for whoever looks from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueState {
    /// The NIC has seen ENABLE.
    pub enabled: bool,
    /// Address of the ring.
    pub base: u64,
    /// Descriptors in the ring.
    pub slots: u32,
    /// Next descriptor that the NIC will use.
    pub head: u32,
    /// First descriptor that it may not use, as last seen.
    pub tail: u32,
}

/// A software 82599.
pub struct Nic {
    pub(super) config: NicConfig,
    pub(super) host: Host,
    pub(super) rx: Receiver,
    pub(super) tx: Transmitter,
    pub(super) link: Link,
    pub(super) eeprom: Eeprom,
    pub(super) spi: SerialPort,
    pub(super) module: Module,
    pub(super) msix: MsixBar,
    pub(super) noise: Noise,
    /// 36-bit counters of which the low word was read, as they were then.
    pub(super) pairs: [Option<u64>; PAIRS],
    /// Bits of CTRL that stand until a reset is over, and when that is, once it is known.
    pub(super) resetting: Option<(u32, Option<Nanos>)>,
    /// A register was written; receiver and transmitter have to take the registers over again.
    pub(super) stale: bool,
    pub(super) client: bool,
    /// Only with [`Doorbells::Plain`].
    pub(super) plain: Option<Box<PlainBar>>,
    wire: Box<dyn Wire>,
    loopback: Loopback,
    observers: Vec<Box<dyn Observer>>,
    spare: Vec<Event>,
    /// Frames that the fault `disconnect` has counted.
    frames_seen: u64,
    rounds: u32,
    last_look: Nanos,
}

impl Nic {
    /// A NIC whose port is plugged into `wire`.
    ///
    /// # Errors
    ///
    /// What the system says if it gives no memory for the doorbell pages.
    pub fn new(config: NicConfig, wire: Box<dyn Wire>) -> io::Result<Self> {
        let registers = RegisterFile::new()?;
        let tx = Transmitter::new(&registers);
        let host = Host {
            registers,
            memory: ClientMemory::default(),
            interrupts: Interrupts::new(),
            config: ConfigSpace::new(),
            counters: Counters::default(),
            faults: Faults::new(config.seed),
            log: Log::default(),
            now: Nanos::default(),
            link_up: false,
            hang_up: false,
        };
        let mut nic = Nic {
            host,
            rx: Receiver::new(),
            tx,
            link: Link::new(),
            eeprom: Eeprom::new(),
            spi: SerialPort::new(),
            module: Module::new(config.module),
            msix: MsixBar::new(),
            noise: Noise::new(config.seed),
            pairs: [None; PAIRS],
            resetting: None,
            stale: true,
            client: false,
            plain: (config.doorbells == Doorbells::Plain).then(Box::default),
            wire,
            loopback: Loopback::default(),
            observers: Vec::new(),
            spare: Vec::new(),
            frames_seen: 0,
            rounds: 0,
            last_look: Nanos::default(),
            config,
        };
        nic.power_up();
        nic.publish_plain_bar();
        Ok(nic)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.config.name
    }

    /// Its station address.
    pub fn mac(&self) -> [u8; 6] {
        self.config.mac
    }

    /// What went through the port since the NIC was made.
    pub fn counters(&self) -> Counters {
        Counters { interrupts: self.host.interrupts.delivered, ..self.host.counters }
    }

    /// State of a queue; `None` if there is no such queue.
    pub fn queue_state(&self, queue: Queue) -> Option<QueueState> {
        let ring: &Ring = match queue.side {
            Side::Rx => self.rx.ring(queue.number)?,
            Side::Tx => self.tx.ring(queue.number)?,
        };
        let Ring { enabled, base, slots, head, tail, .. } = *ring;
        Some(QueueState { enabled, base, slots, head, tail })
    }

    /// From now on receives `frames` and no more, keeps from the driver that they are there, and sends nothing. For
    /// [bursts](crate::engine::bursts).
    pub(crate) fn hold(&mut self, frames: usize) {
        self.rx.hold(frames);
        self.tx.hold(true);
    }

    /// Frames that it may still receive while it holds them.
    pub(crate) fn allowance(&self) -> usize {
        self.rx.allowance().unwrap_or_default()
    }

    /// Shows the driver what was held.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        self.rx.let_go(&mut self.host);
    }

    /// Sends again. Receives nothing more yet.
    pub(crate) fn send_held(&mut self) {
        self.tx.hold(false);
    }

    /// Works as ever.
    pub(crate) fn release(&mut self) {
        self.rx.release(&mut self.host);
        self.tx.hold(false);
    }

    /// Transmit descriptors that the driver has handed over by now and that were not sent yet.
    #[inline]
    pub(crate) fn waiting(&self) -> u32 {
        self.tx.waiting(&self.host)
    }

    /// Plugs the cable in or pulls it out. The NIC sees it in its next round.
    pub fn set_link(&mut self, up: bool) {
        self.link.set_carrier(up);
    }

    /// Whether the NIC has a link now.
    pub fn link_up(&self) -> bool {
        self.host.link_up
    }

    /// The armed faults.
    pub fn faults_mut(&mut self) -> &mut Faults {
        &mut self.host.faults
    }

    /// The armed faults.
    pub fn faults(&self) -> &Faults {
        &self.host.faults
    }

    /// The wire that the port is plugged into.
    pub fn wire_mut(&mut self) -> &mut dyn Wire {
        &mut *self.wire
    }

    /// Plugs the port into another wire; returns the old one.
    pub fn replace_wire(&mut self, wire: Box<dyn Wire>) -> Box<dyn Wire> {
        std::mem::replace(&mut self.wire, wire)
    }

    /// From now on `observer` is told of everything at the driver's side.
    pub fn add_observer(&mut self, observer: Box<dyn Observer>) {
        self.observers.push(observer);
        self.refresh_watch();
    }

    /// Takes all observers away.
    pub fn take_observers(&mut self) -> Vec<Box<dyn Observer>> {
        let observers = std::mem::take(&mut self.observers);
        self.refresh_watch();
        observers
    }

    /// Asks the observers how deep they look.
    pub(super) fn refresh_watch(&mut self) {
        let watch = self.observers.iter().map(|observer| observer.watch()).max().unwrap_or(Watch::Off);
        if !self.host.log.wants_registers() {
            // What was stored while nobody watched is no news.
            for offset in mapped_offsets() {
                self.host.registers.changed(offset);
            }
        }
        self.host.log.set_watch(watch);
    }

    /// One round. Transmitting goes first: it makes room for the driver, and what a loopback sends can be received at
    /// once.
    pub(super) fn round(&mut self, now: Nanos) -> usize {
        self.host.now = now;
        self.look_now_and_then();
        self.finish_reset();
        self.link.poll(&mut self.host);
        let mut done = usize::from(self.wire.poll(now));
        if self.client {
            if std::mem::take(&mut self.stale) {
                self.rx.load(&self.host.registers);
                self.tx.load(&self.host.registers);
            }
            let looped = hlreg0::LPBK.is_set(self.host.registers.of(regs::HLREG0));
            let wire: &mut dyn Wire = if looped { &mut self.loopback } else { &mut *self.wire };
            done += self.tx.poll(&mut self.host, wire);
            done += self.rx.poll(&mut self.host, wire);
            done += self.host.interrupts.deliver(&self.host.registers, now);
            if done != 0 && self.host.faults.is_armed(Fault::Disconnect) {
                self.disconnect_by_fault();
            }
        }
        self.tell();
        done
    }

    /// Each frame since the last time is an occasion.
    #[cold]
    fn disconnect_by_fault(&mut self) {
        let frames = self.host.counters.rx_delivered + self.host.counters.tx_frames;
        for _ in self.frames_seen..frames {
            let struck = self.host.faults.strike(|fault| (fault == Fault::Disconnect).then_some(()));
            self.host.hang_up |= struck.is_some();
        }
        self.frames_seen = frames;
    }

    /// Looks at what the driver may have stored without a message.
    #[inline]
    fn look_now_and_then(&mut self) {
        if self.plain.is_some() {
            if self.client {
                self.look_at_plain_bar(false);
            }
            return;
        }
        self.rounds = self.rounds.wrapping_add(1);
        let due = self.rounds.is_multiple_of(ROUNDS_BETWEEN_LOOKS)
            || self.host.now.since(self.last_look) > TIME_BETWEEN_LOOKS_NS;
        if due && self.client && self.config.doorbells == Doorbells::Mapped {
            self.look_at_pages();
        }
    }

    /// Takes note of everything that the driver has stored in the mapped pages.
    pub(super) fn look_at_pages(&mut self) {
        self.last_look = self.host.now;
        if self.host.log.wants_registers() {
            self.tell_mapped_writes();
        }
        for number in 0..64 {
            self.rx.look(number, &mut self.host);
            self.tx.look(number, &mut self.host);
        }
    }

    pub(super) fn tell_mapped_writes(&mut self) {
        for offset in mapped_offsets() {
            if let Some((before, value)) = self.host.registers.changed(offset) {
                self.host.log.registers(|| Event::MappedWrite { offset, before, value });
            }
        }
    }

    /// Tells observers what has been noted.
    #[inline]
    pub(super) fn tell(&mut self) {
        if !self.host.log.is_empty() {
            self.tell_all();
        }
    }

    #[cold]
    fn tell_all(&mut self) {
        let mut events = self.host.log.swap(std::mem::take(&mut self.spare));
        let mut observers = std::mem::take(&mut self.observers);
        let peek = |offset| self.peek(offset);
        let scene = Scene { now: self.host.now, peek: &peek, memory: &self.host.memory };
        for event in &events {
            for observer in &mut observers {
                if observer.watch() >= level(event) {
                    observer.event(&scene, event);
                }
            }
        }
        self.observers = observers;
        events.clear();
        self.spare = events;
    }
}

/// Every register in the mapped pages but the tails, which are told as doorbells.
fn mapped_offsets() -> impl Iterator<Item = u32> {
    const BLOCK: u32 = regs::RDBAL.at(1).offset - regs::RDBAL.at(0).offset;
    const TAIL: u32 = regs::RDT.at(0).offset % BLOCK;
    let areas = super::doorbells::AREAS.iter();
    let offsets = areas.flat_map(|area| (area.offset..area.offset + area.size).step_by(4));
    offsets.map(|offset| offset as u32).filter(|offset| offset % BLOCK != TAIL)
}

/// The level of watching that an event needs.
fn level(event: &Event) -> Watch {
    match event {
        Event::HandedOver { .. } | Event::Fetched { .. } | Event::Completed { .. } => Watch::Descriptors,
        _ => Watch::Registers,
    }
}

impl std::fmt::Debug for Nic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Nic")
            .field("config", &self.config)
            .field("counters", &self.counters())
            .finish_non_exhaustive()
    }
}

//! BAR0 as plain memory: no access of the driver is a message, the NIC compares.
//!
//! Drivers that map `resource0` of a PCI function do nothing but load and store. The NIC keeps what it last found in each
//! dword, or put there itself. A dword that differs was stored by the driver: the value takes the way of every other
//! register write, and what a read would now give is put in its place, unless the driver has stored again meanwhile.
//!
//! What this cannot see: a read, a store that changes nothing, the first of two stores between two looks. Reads matter for
//! registers that clear: a processor that watches four addresses of the driver ([`WATCHED`]) tells of those that count.
//! The semaphore SWSM.SMBI, which a read takes, is never taken; a lost link shows in LINKS until the next look, not until
//! the next read.

use std::ops::Range;

use super::doorbells::{BAR_BYTES, is_shared};
use super::nic::Nic;
use super::registers::{self, Kind};
use super::regs::{self, Register};
use super::ring::Ring;
use crate::clock::Nanos;
use crate::device::Attention;
use crate::events::Event;

mod counters;

use counters::Pass;
pub use counters::WATCHED;

/// Registers through which a driver works a bus bit by bit, or on which it waits only microseconds: looked at in every round.
const HOT: [Register; 8] =
    [regs::I2CCTL, regs::EEC, regs::EERD, regs::SWSM, regs::SW_FW_SYNC, regs::MSCA, regs::AUTOC, regs::EIMS];

/// Registers that change without a store to them: shown again after every store, and with every look at all registers.
const LIVELY: [Register; 12] = [
    regs::CTRL,
    regs::STATUS,
    regs::LINKS,
    regs::EICR,
    regs::EICS,
    regs::EIMS,
    regs::EICS_EX.at(0),
    regs::EICS_EX.at(1),
    regs::EIMS_EX.at(0),
    regs::EIMS_EX.at(1),
    regs::EIMC,
    regs::AUTOC,
];

/// Registers that a look at all of them leaves out, for they come before or after the others; CTRL has two addresses.
const IN_THEIR_TURN: [u32; 4] =
    [regs::CTRL.offset, regs::CTRL.offset + 4, regs::RXCTRL.offset, regs::DMATXCTL.offset];

/// A driver waits for these bits to clear.
const RESETS: u32 = regs::ctrl::RST.mask() | regs::ctrl::LRST.mask();

/// How often all registers are looked at while the driver stores to some, and while it does not. The shortest wait known
/// is that of DPDK for a reset: half a millisecond.
const EAGER_NS: u64 = 20_000;
const QUIET_NS: u64 = 250_000;
/// And while packets may flow, when no driver is in a hurry for registers and looking at 128 KiB costs what many packets do.
const RUNNING_NS: u64 = 2_000_000;
/// For how long after a store more are expected.
const BUSY_NS: u64 = 2_000_000;
/// For how long after a store the poller does not rest at all: a driver that works a serial bus waits at most half as long
/// between two edges. And for how long it rests only for moments.
const KEEN_NS: u64 = 10_000;
const ALERT_NS: u64 = 3_000_000_000;
/// Semaphores that drivers take before they work a bus.
const OWN_SEMAPHORES: u32 = 0x1F;
/// How often all values are shown, and the counters.
const SHOW_ALL_NS: u64 = 20_000_000;
const SHOW_COUNTERS_NS: u64 = 1_000_000;

/// What the NIC knows of a BAR that is plain memory.
#[derive(Debug)]
pub struct PlainBar {
    /// What each dword held at the last look, two to a word as in memory.
    last: Box<[u64]>,
    noticed: Nanos,
    swept: Nanos,
    shown: Nanos,
    counted: Nanos,
    /// The reset that the values were last shown after.
    resets: u64,
    pass: Pass,
    /// How often somebody has looked at the configuration space; 0 if that is nobody's task.
    config_looks: u64,
    /// What that was when something was first seen that is to start.
    first_seen: Option<u64>,
}

impl Default for PlainBar {
    fn default() -> Self {
        PlainBar {
            last: vec![0; BAR_BYTES / 8].into(),
            noticed: Nanos::default(),
            swept: Nanos::default(),
            shown: Nanos::default(),
            counted: Nanos::default(),
            resets: 0,
            pass: Pass::default(),
            config_looks: 0,
            first_seen: None,
        }
    }
}

impl PlainBar {
    fn last(&self, offset: u32) -> u32 {
        (self.last[offset as usize / 8] >> (8 * (offset & 4))) as u32
    }

    fn set_last(&mut self, offset: u32, value: u32) {
        let shift = 8 * (offset & 4);
        let pair = &mut self.last[offset as usize / 8];
        *pair = *pair & !(0xFFFF_FFFF << shift) | u64::from(value) << shift;
    }

    /// The driver has come: it will store something soon.
    pub fn expect(&mut self, now: Nanos) {
        self.noticed = now;
    }

    /// The longer it is that the driver has stored something, the less likely it is at it.
    pub fn attention(&self, now: Nanos) -> Attention {
        let taken = self.last(regs::SW_FW_SYNC.offset) & OWN_SEMAPHORES != 0;
        match now.since(self.noticed) {
            0..KEEN_NS => Attention::Keen,
            KEEN_NS..BUSY_NS if taken => Attention::Keen,
            KEEN_NS..ALERT_NS => Attention::Alert,
            _ => Attention::Relaxed,
        }
    }

    /// One look: at a few registers, and when it is time, or `thorough`, at all of them.
    fn look(&mut self, nic: &mut Nic, thorough: bool) {
        let now = nic.host.now;
        if self.last(regs::CTRL.offset) & RESETS != 0 {
            self.show(nic, regs::CTRL.offset);
        }
        self.end_pass_in_time(nic);
        let mut noticed = HOT.iter().filter(|hot| self.take_in(nic, hot.offset)).count();
        let control = self.stored(nic, regs::CTRL);
        let pause = match now.since(self.noticed) < BUSY_NS {
            true => EAGER_NS,
            false if nic.rx.is_running() || nic.tx.is_running() => RUNNING_NS,
            false => QUIET_NS,
        };
        if thorough || now.since(self.swept) >= pause || control.is_some_and(|value| value & RESETS != 0) {
            self.swept = now;
            noticed += self.look_at_others(nic);
            self.show_what_changes(nic);
        }
        // What was stored before a reset must not come after it.
        if let Some(value) = control {
            self.accept(nic, regs::CTRL.offset, value);
            noticed += 1;
        }
        if noticed > 0 {
            self.noticed = now;
        }
    }

    /// Nobody is reading counters any more, and everything is shown as it is now.
    fn settle(&mut self, nic: &mut Nic) {
        self.end_pass_now(nic);
        registers::known().for_each(|offset| self.show(nic, offset));
    }

    /// What the driver has stored to `register` since the last look, if anything.
    fn stored(&self, nic: &Nic, register: Register) -> Option<u32> {
        let value = nic.host.registers.pages().load(register.offset);
        (value != self.last(register.offset)).then_some(value)
    }

    /// Looks at everything but CTRL. The order of stores since the last look is not known; what is assumed is the order that
    /// the data sheet wants. What starts something (TE, RXEN, ENABLE) is looked for first and acted on last, so that
    /// everything that was stored before it has been seen.
    fn look_at_others(&mut self, nic: &mut Nic) -> usize {
        let (receive, mut transmit) = (self.stored(nic, regs::RXCTRL), self.stored(nic, regs::DMATXCTL));
        let mut edges = nic.enable_edges();
        let (mut starts, stops) = match receive {
            Some(value) if regs::rxctrl::RXEN.is_set(value) => (receive, None),
            _ => (None, receive),
        };
        if !self.may_start(starts.is_some() || transmit.is_some() || edges != [0; 2]) {
            (starts, transmit, edges) = (None, None, [0; 2]);
        }
        let mut noticed = self.accept_if(nic, regs::RXCTRL, stops) + self.sweep(nic);
        noticed += self.accept_if(nic, regs::DMATXCTL, transmit);
        nic.look_at_shared_pages(edges);
        noticed + self.accept_if(nic, regs::RXCTRL, starts)
    }

    /// Whether the configuration space was looked at after it was first seen that something `is_to_start`: what the driver has
    /// stored there before, bus mastering above all, has to be known by then.
    fn may_start(&mut self, is_to_start: bool) -> bool {
        let first = is_to_start.then(|| self.first_seen.unwrap_or(self.config_looks));
        let may = first.is_none_or(|looks| looks != self.config_looks) || self.config_looks == 0;
        self.first_seen = first.filter(|_| !may);
        may
    }

    fn accept_if(&mut self, nic: &mut Nic, register: Register, value: Option<u32>) -> usize {
        if let Some(value) = value {
            self.accept(nic, register.offset, value);
        }
        usize::from(value.is_some())
    }

    fn sweep(&mut self, nic: &mut Nic) -> usize {
        let mut noticed = 0;
        for page in (0..BAR_BYTES as u32).step_by(0x1000).filter(|page| !is_shared(*page)) {
            let mut offset = page;
            while let Some(next) = self.next_difference(nic, offset..page + 0x1000) {
                let both = [next, next + 4].into_iter().filter(|at| !IN_THEIR_TURN.contains(at));
                noticed += both.filter(|at| self.take_in(nic, *at)).count();
                offset = next + 8;
            }
        }
        noticed
    }

    /// The first pair of dwords in a range that is not as it was found last.
    fn next_difference(&self, nic: &Nic, range: Range<u32>) -> Option<u32> {
        let last = &self.last[range.start as usize / 8..range.end as usize / 8];
        let differs = nic.host.registers.pages().first_difference(range.start, last)?;
        Some(range.start + 8 * differs as u32)
    }

    /// If the driver has stored to the dword at `offset`, lets that take effect.
    #[inline]
    fn take_in(&mut self, nic: &mut Nic, offset: u32) -> bool {
        let value = nic.host.registers.pages().load(offset);
        if value == self.last(offset) {
            return false;
        }
        self.accept(nic, offset, value);
        true
    }

    fn accept(&mut self, nic: &mut Nic, offset: u32, value: u32) {
        self.set_last(offset, value);
        nic.write_plainly(offset, value);
        if nic.host.counters.resets != self.resets {
            self.set_all(nic);
            // Its driver is waiting, and may not wait long.
            nic.end_reset();
        }
        self.show(nic, offset);
        registers::aliases(registers::row(offset).home).for_each(|alias| self.show(nic, alias));
        self.show_lively(nic);
    }

    /// Puts what a read would give at `offset`, unless the driver has stored there meanwhile: that is for the next look.
    fn show(&mut self, nic: &mut Nic, offset: u32) {
        if is_shared(offset) {
            return;
        }
        let value = nic.plain_value(offset);
        let last = self.last(offset);
        if value != last && nic.host.registers.pages().replace(offset, last, value) {
            self.set_last(offset, value);
        }
    }

    fn show_lively(&mut self, nic: &mut Nic) {
        LIVELY.iter().for_each(|register| self.show(nic, register.offset));
    }

    /// What may have changed without a store to it: a few registers often, counters less often, everything rarely.
    fn show_what_changes(&mut self, nic: &mut Nic) {
        let now = nic.host.now;
        self.show_lively(nic);
        if now.since(self.counted) >= SHOW_COUNTERS_NS {
            self.counted = now;
            self.show_counters(nic);
        }
        if now.since(self.shown) >= SHOW_ALL_NS {
            self.shown = now;
            let others = registers::known().filter(|offset| !counters::is_counter(*offset));
            others.for_each(|offset| self.show(nic, offset));
        }
    }

    /// Puts every value in its place, whatever the driver has stored there. After a reset: it has undone that.
    fn set_all(&mut self, nic: &mut Nic) {
        self.pass = Pass::default();
        self.resets = nic.host.counters.resets;
        for offset in registers::known() {
            let value = nic.plain_value(offset);
            nic.host.registers.pages().store(offset, value);
            self.set_last(offset, value);
        }
    }
}

impl Nic {
    /// Takes in what the driver has stored; see [`PlainBar::look`].
    pub(super) fn look_at_plain_bar(&mut self, thorough: bool) {
        self.with_plain_bar(|bar, nic| bar.look(nic, thorough));
    }

    /// Puts every value in its place.
    pub(super) fn publish_plain_bar(&mut self) {
        self.with_plain_bar(PlainBar::set_all);
    }

    /// See [`PlainBar::settle`].
    pub(super) fn settle_plain_bar(&mut self) {
        self.with_plain_bar(PlainBar::settle);
    }

    /// All that the driver has stored in the configuration space until now has been written there.
    pub(super) fn plain_config_is_known(&mut self) {
        if let Some(bar) = &mut self.plain {
            bar.config_looks += 1;
        }
    }

    /// Forgets what stands in the BAR, and that it was looked at.
    pub(super) fn blank_plain_bar(&mut self) {
        let pages = self.host.registers.pages();
        (0..BAR_BYTES as u32).step_by(4).for_each(|offset| pages.store(offset, 0));
        self.with_plain_bar(|bar, _| bar.last.fill(0));
    }

    /// The driver has accessed a watched register.
    pub(super) fn plain_access(&mut self, offset: u32) {
        self.with_plain_bar(|bar, nic| bar.accessed(nic, offset));
    }

    fn with_plain_bar(&mut self, act: impl FnOnce(&mut PlainBar, &mut Nic)) {
        if let Some(mut bar) = self.plain.take() {
            act(&mut bar, self);
            self.plain = Some(bar);
        }
    }

    /// A store that was noticed. It is told as such, before it takes effect.
    fn write_plainly(&mut self, offset: u32, value: u32) {
        if self.host.log.wants_registers() {
            let before = self.peek(offset);
            self.host.log.registers(|| Event::MappedWrite { offset, before, value });
            self.tell();
        }
        self.write_kind(registers::row(offset), value);
        self.stale = true;
        self.tell();
    }

    /// What stands in plain memory.
    fn plain_value(&mut self, offset: u32) -> u32 {
        match registers::row(offset).kind {
            Kind::Links => self.link.read(&self.host),
            _ => self.peek(offset),
        }
    }

    /// Queues 0 to 63 whose ENABLE has changed: receive, transmit.
    fn enable_edges(&self) -> [u64; 2] {
        let registers = &self.host.registers;
        let mut edges = [0; 2];
        for number in 0..64 {
            let receives = regs::rxdctl::ENABLE.is_set(registers.of(regs::RXDCTL.at(number)));
            let transmits = regs::txdctl::ENABLE.is_set(registers.of(regs::TXDCTL.at(number)));
            let [rx, tx] =
                [self.rx.ring(number), self.tx.ring(number)].map(|ring| ring.is_some_and(|r| r.enabled));
            edges[0] |= u64::from(receives != rx) << number;
            edges[1] |= u64::from(transmits != tx) << number;
        }
        edges
    }

    /// Looks at queues 0 to 63 that are enabled, and at those of which ENABLE was set when `edges` were found. Where it was set
    /// later, other stores before it may have been missed; and what a driver did to a queue before that is in no order.
    fn look_at_shared_pages(&mut self, edges: [u64; 2]) {
        if self.host.log.wants_registers() {
            self.tell_mapped_writes();
        }
        for number in 0..64 {
            let due = |side: usize, ring: Option<&Ring>| {
                edges[side] & 1 << number != 0 || ring.is_some_and(|ring| ring.enabled)
            };
            if due(0, self.rx.ring(number)) {
                self.rx.look(number, &mut self.host);
            }
            if due(1, self.tx.ring(number)) {
                self.tx.look(number, &mut self.host);
            }
        }
        self.tell();
    }
}

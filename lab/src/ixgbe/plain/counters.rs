//! Counters that clear when they are read, where no read is seen.
//!
//! A driver reads its counters in one pass. The processor tells that GOTCH was accessed, which is in the pass of every driver
//! known (DPDK leaves out GPRC while packets flow); three milliseconds later the pass is taken to be over. That is long for a
//! pass, but the driver may have lost its core in the midst of it. In between no new values are shown; at its end what was
//! shown is taken from the counters, whether the driver has read that one or not. Counts that come in between stay for the
//! next pass; a driver that begins one before the last is over counts what it reads twice.
//!
//! The counters in the pages of the queues are counted where the driver reads them; of those, what is counted between the
//! driver's read and the first look after it stays in the counter and is read twice.

use std::sync::LazyLock;

use super::super::registers::{self, Kind};
use super::super::regs;
use super::{Nic, PlainBar};
use crate::clock::Nanos;
use crate::events::Event;
use crate::ixgbe::doorbells::is_shared;

/// The registers of which an access means something: counters are read, causes were read. No more than these: a thread has
/// four watchpoints, and often two NICs.
pub static WATCHED: [u32; 2] = [regs::GOTCH.offset, regs::EICR.offset];

/// How long a pass may take.
const PASS_NS: u64 = 3_000_000;

/// Where the driver is in reading its counters.
#[derive(Debug, Default)]
pub struct Pass {
    /// Since when no counters are shown.
    since: Option<Nanos>,
    /// What the counters in the queues' pages held then, by offset.
    queues: Vec<(u32, u64)>,
}

/// Whether the dword at `offset` is a counter that clears.
pub fn is_counter(offset: u32) -> bool {
    matches!(registers::row(offset).kind, Kind::ClearOnRead | Kind::PairLow(_) | Kind::PairHigh(_))
}

impl PlainBar {
    /// The driver has accessed a watched register.
    pub(super) fn accessed(&mut self, nic: &mut Nic, offset: u32) {
        if offset == regs::EICR.offset {
            return self.causes_read(nic);
        }
        if self.pass.since.is_none() {
            self.begin_pass(nic);
            let value = self.last(offset);
            nic.host.log.registers(|| Event::RegisterRead { offset, value });
            nic.tell();
        }
    }

    fn begin_pass(&mut self, nic: &Nic) {
        self.pass.since = Some(nic.host.now);
        let registers = &nic.host.registers;
        self.pass.queues.extend(counters().filter(|offset| is_shared(*offset)).map(|offset| {
            let pair = matches!(registers::row(offset).kind, Kind::PairLow(_));
            (offset, if pair { registers.pair(offset) } else { registers.get(offset).into() })
        }));
    }

    /// The pass is over when no driver takes longer for one.
    pub(super) fn end_pass_in_time(&mut self, nic: &mut Nic) {
        if self.pass.since.is_some_and(|since| nic.host.now.since(since) > PASS_NS) {
            self.end_pass(nic);
        }
    }

    /// The pass, if there is one, is over.
    pub(super) fn end_pass_now(&mut self, nic: &mut Nic) {
        if self.pass.since.is_some() {
            self.end_pass(nic);
        }
    }

    fn end_pass(&mut self, nic: &mut Nic) {
        let pass = std::mem::take(&mut self.pass);
        for (offset, shown) in pass.queues {
            take(nic, offset, shown);
        }
        for offset in counters().filter(|offset| !is_shared(*offset)) {
            let high = u64::from(self.last(offset + 4) & 0xF) << 32;
            let pair = matches!(registers::row(offset).kind, Kind::PairLow(_));
            take(nic, offset, u64::from(self.last(offset)) | if pair { high } else { 0 });
        }
        self.show_counters(nic);
    }

    /// Shows the counters, unless they are being read.
    pub(super) fn show_counters(&mut self, nic: &mut Nic) {
        if self.pass.since.is_none() {
            shown().for_each(|offset| self.show(nic, offset));
        }
    }

    /// EICR was read, which clears what it showed (82599 8.2.3.5.1), or written, which the next look will find.
    fn causes_read(&mut self, nic: &mut Nic) {
        let offset = regs::EICR.offset;
        let shown = self.last(offset);
        if nic.host.registers.pages().load(offset) != shown {
            return;
        }
        nic.host.log.registers(|| Event::RegisterRead { offset, value: shown });
        nic.host.interrupts.read_shown_causes(shown, &nic.host.registers);
        self.show_lively(nic);
        nic.tell();
    }
}

/// The counters, each once: of a pair the low word, and no aliases.
fn counters() -> impl Iterator<Item = u32> {
    static COUNTERS: LazyLock<Box<[u32]>> = LazyLock::new(|| {
        registers::homes().filter(|offset| is_counter(*offset) && !is_high(*offset)).collect()
    });
    COUNTERS.iter().copied()
}

fn is_high(offset: u32) -> bool {
    matches!(registers::row(offset).kind, Kind::PairHigh(_))
}

/// Where counters are shown: all their dwords, aliases included, but for those in the pages of the queues.
fn shown() -> impl Iterator<Item = u32> {
    static SHOWN: LazyLock<Box<[u32]>> =
        LazyLock::new(|| registers::known().filter(|offset| is_counter(*offset)).collect());
    SHOWN.iter().copied()
}

/// Takes what was read from a counter.
fn take(nic: &mut Nic, offset: u32, read: u64) {
    let registers = &mut nic.host.registers;
    match registers::row(offset).kind {
        Kind::PairLow(_) => registers.set_pair(offset, registers.pair(offset).saturating_sub(read)),
        _ => registers.set(offset, registers.get(offset).saturating_sub(read as u32)),
    }
}

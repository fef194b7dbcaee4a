// ixgbe/stats · 82599:8.2.3.23 82599:4.6.5
// Counters that the device clears when they are read, summed up in 64 bits behind a lock.

//! Counters and link.
//!
//! Counters of the port live in registers that are never mapped. Those of queues share pages with the doorbells, where
//! a load would not clear them, so they are always asked for by message.

use super::regs::{
    self, CRCERRS, GORCH, GORCL, GOTCH, GOTCL, GPRC, GPTC, LINKS, MPC, QPRDC, RFC, RJC, RLEC, ROC, RUC, links,
};
use crate::device::{Link, Stats};
use crate::error::Result;
use crate::mmio::Mmio;

/// What was read so far.
#[derive(Default)]
pub(super) struct Totals(Stats);

/// Frames that the port throws away because they are damaged or of an illegal length. No frame counts in two of them.
const ERRORS: [regs::Register; 6] = [CRCERRS, RLEC, RUC, RFC, ROC, RJC];

/// There are this many sets of queue counters; queue q counts in set q modulo 16. [82599:8.2.3.23.71]
pub(super) const COUNTER_SETS: u16 = 16;

impl Totals {
    /// Reads all counters, which clears them, and adds them up.
    pub(super) fn read(&mut self, regs: &Mmio, rx_queues: u16) -> Result<()> {
        let sum = &mut self.0;
        sum.rx_packets += count(regs, GPRC)?;
        sum.tx_packets += count(regs, GPTC)?;
        sum.rx_bytes += octets(regs, GORCL, GORCH)?;
        sum.tx_bytes += octets(regs, GOTCL, GOTCH)?;
        // Everything goes through packet buffer 0.
        sum.rx_missed += count(regs, MPC.at(0))?;
        for set in 0..rx_queues.min(COUNTER_SETS) {
            sum.rx_missed += count(regs, QPRDC.at(set))?;
        }
        for register in ERRORS {
            sum.rx_errors += count(regs, register)?;
        }
        Ok(())
    }

    /// The sums, with what the driver itself threw away.
    pub(super) fn stats(&self, thrown_away: u64) -> Stats {
        Stats { rx_errors: self.0.rx_errors + thrown_away, ..self.0 }
    }
}

fn count(regs: &Mmio, register: regs::Register) -> Result<u64> {
    regs.read_through(register).map(u64::from)
}

/// A 36-bit counter. The low word comes first: reading the high one clears both. [82599:8.2.3.23.26]
fn octets(regs: &Mmio, low: regs::Register, high: regs::Register) -> Result<u64> {
    let low = count(regs, low)?;
    let high = regs.read_through(high)?;
    Ok(low | u64::from(regs::gorch::HIGH.get(high)) << 32)
}

/// The link now. LINKS holds a lost link until it is read once, so it is read twice. [82599:8.2.3.22.20]
pub(super) fn link(regs: &Mmio) -> Result<Link> {
    regs.read_through(LINKS)?;
    let word = regs.read_through(LINKS)?;
    let mbit = match links::SPEED.get(word) {
        _ if !links::UP.is_set(word) => 0,
        links::SPEED_10G => 10_000,
        links::SPEED_1G => 1_000,
        links::SPEED_100M => 100,
        _ => 0,
    };
    Ok(Link { up: links::UP.is_set(word), mbit })
}

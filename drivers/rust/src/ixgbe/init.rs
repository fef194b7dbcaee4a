// ixgbe/init · 82599:4.6.3 82599:4.6.4 82599:4.6.5 82599:4.6.7 82599:4.6.8
// The data sheet's order as a list of small functions, each a few lines over `Mmio`; nothing relies on a reset value
// that the data sheet calls undefined.

//! Bringing the device up and down, in the data sheet's order.
//!
//! | step | what | section |
//! |---|---|---|
//! | [`reset`] | interrupts off, DMA quiet, global reset, EEPROM and DMA ready | 4.6.3 |
//! | [`link`] | 10G serial, restart of auto-negotiation | 4.6.4 |
//! | statistics | read once, which clears them | 4.6.5 |
//! | [`filter`], [`receive`] | address filters, RSS, receive rings | 4.6.7 |
//! | [`transmit`] | buffers, arbiter, transmit rings | 4.6.8 |
//! | the switch | RXEN, last of all | 4.6.7 |

mod buffers;
mod filter;
mod link;
mod receive;
mod reset;
mod stop;
mod transmit;

use std::time::Duration;

use super::regs::{CTRL_EXT, STATUS, ctrl_ext};
use super::rx::RxQueue;
use super::stats::Totals;
use super::tx::TxQueue;
use super::{Nic, stats};
use crate::error::Result;
use crate::mmio::Mmio;

pub(super) use filter::set_promiscuous;
pub(super) use stop::stop;

/// Longest wait for a register. Hardware takes milliseconds at most; a software device may have to wait for a core.
const DEADLINE: Duration = Duration::from_secs(1);

/// Resets the device and reads its Ethernet address. No DMA memory is needed yet.
pub(super) fn reset_and_identify(nic: &Nic) -> Result<[u8; 6]> {
    reset::reset(&nic.regs)?;
    reset::wait_until_ready(&nic.regs)?;
    filter::mac_address(&nic.regs)
}

/// Everything after the reset, up to the moment when packets flow.
pub(super) fn start(nic: &Nic, rx: &[RxQueue], tx: &[TxQueue]) -> Result<()> {
    let regs = &nic.regs;
    regs.set(CTRL_EXT, ctrl_ext::DRV_LOAD.mask())?; // tells the firmware that there is a driver [82599:8.2.3.1.3]
    link::set_up(regs)?;
    Totals::default().read(regs, stats::COUNTER_SETS)?; // [82599:4.6.5]
    receive::prepare(regs)?;
    filter::clear_tables(regs)?;
    filter::set_up(regs, nic.config.promiscuous)?;
    buffers::set_up(regs, nic.config.max_frame)?;
    receive::set_up(regs, &nic.config)?;
    transmit::set_up(regs)?;
    for queue in rx {
        receive::program(regs, queue, nic.config.rx_queues)?;
    }
    for queue in tx {
        transmit::program(regs, queue)?;
    }
    transmit::switch_on(regs)?;
    for queue in rx {
        receive::enable(regs, queue)?;
    }
    for queue in tx {
        transmit::enable(regs, queue)?;
    }
    receive::switch(regs, true)?;
    link::wait(regs, nic.config.link_wait)
}

/// Waits until the device has seen everything so far: any message does. [82599:8.2.3.1.2]
fn flush(regs: &Mmio) -> Result<()> {
    regs.read_through(STATUS).map(|_| ())
}

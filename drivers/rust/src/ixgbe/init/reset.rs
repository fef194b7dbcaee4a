//! Global reset. [82599:4.6.3]

use std::thread::sleep;
use std::time::Duration;

use super::DEADLINE;
use crate::error::{Error, Result};
use crate::ixgbe::regs::{CTRL, EEC, EICR, EIMC, EIMC_EX, RDRXCTL, STATUS, ctrl, eec, eimc, rdrxctl, status};
use crate::mmio::Mmio;

/// How long the device may take to finish what DMA it has begun. [82599:5.2.5.3.2]
const QUIET: Duration = Duration::from_millis(100);

/// From asking for the reset to the first look at it.
const RESET_BEGINS: Duration = Duration::from_millis(1);
/// Time that the device needs to itself after a reset. [82599:4.6.3.2]
const SETTLE: Duration = Duration::from_millis(10);

/// Masks all interrupts, lets DMA run out, resets, and masks again since the reset unmasks nothing but promises little.
pub(super) fn reset(regs: &Mmio) -> Result<()> {
    mask_interrupts(regs)?; // [82599:4.6.3.1]
    if !stop_dma(regs)? {
        // DMA that does not end needs two resets, one to break it off and one to clean up. [82599:5.2.5.3.2]
        global_reset(regs)?;
    }
    global_reset(regs)?;
    mask_interrupts(regs)
}

/// Waits for the EEPROM and the DMA engine to be ready. [82599:4.6.3]
pub(super) fn wait_until_ready(regs: &Mmio) -> Result<()> {
    regs.wait(EEC, eec::ARD.mask(), eec::ARD.mask(), DEADLINE)?;
    regs.wait(RDRXCTL, rdrxctl::DMAIDONE.mask(), rdrxctl::DMAIDONE.mask(), DEADLINE)?;
    Ok(())
}

/// Masks every cause and forgets what is pending. Bit 31 of EIMC is reserved and stays 0. [82599:8.2.3.5.6]
pub(super) fn mask_interrupts(regs: &Mmio) -> Result<()> {
    regs.write(EIMC, eimc::RTXQ.mask() | eimc::OTHERS.mask())?;
    for word in 0..EIMC_EX.len() {
        regs.write(EIMC_EX.at(word), u32::MAX)?;
    }
    regs.read_through(EICR).map(|_| ())
}

/// Asks for no new DMA and waits for the end of what runs; false if it does not end.
fn stop_dma(regs: &Mmio) -> Result<bool> {
    regs.write(CTRL, ctrl::GIO_DIS.mask())?;
    match regs.wait(STATUS, status::GIO.mask(), 0, QUIET) {
        Ok(_) => Ok(true),
        Err(Error::Timeout { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Device and link reset together are the global reset. Both bits clear themselves. [82599:4.6.3.2]
fn global_reset(regs: &Mmio) -> Result<()> {
    let both = ctrl::RST.mask() | ctrl::LRST.mask();
    regs.write(CTRL, both)?;
    sleep(RESET_BEGINS); // no register may be touched before [82599:8.2.3.1.1]
    regs.wait(CTRL, both, 0, DEADLINE)?;
    sleep(SETTLE);
    Ok(())
}

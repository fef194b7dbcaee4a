//! The link: 10 GbE over SFP+. [82599:4.6.4]

use std::time::Duration;

use crate::error::Result;
use crate::ixgbe::regs::{AUTOC, AUTOC2, LINKS, autoc, autoc2, links};
use crate::mmio::Mmio;

/// Selects 10G serial with an SFI module and restarts auto-negotiation. [82599:3.7.4.2]
pub(super) fn set_up(regs: &Mmio) -> Result<()> {
    regs.modify(AUTOC, |word| autoc::LMS.set(word, autoc::LMS_10G_SERIAL))?;
    regs.modify(AUTOC2, |word| {
        autoc2::LINK_DISABLE.set(autoc2::PMA_10G_SERIAL.set(word, autoc2::PMA_10G_SERIAL_SFI), 0)
    })?;
    regs.set(AUTOC, autoc::RESTART_AN.mask())
}

/// Waits for the link, if that is wanted. LINKS holds a lost link until it is read once.
pub(super) fn wait(regs: &Mmio, deadline: Duration) -> Result<()> {
    if deadline.is_zero() {
        return Ok(());
    }
    regs.read_through(LINKS)?;
    regs.wait(LINKS, links::UP.mask(), links::UP.mask(), deadline).map(|_| ())
}

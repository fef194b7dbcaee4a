//! The way down: reception, queues, DMA, reset. [82599:4.6.7.1.2] [82599:5.2.5.3.2]

use std::time::{Duration, Instant};

use super::{receive, reset};
use crate::error::{Error, Result};
use crate::ixgbe::Nic;
use crate::ixgbe::regs::{
    CTRL_EXT, DMATXCTL, RXDCTL, Register, TDH, TDT, TXDCTL, ctrl_ext, dmatxctl, rxdctl, tdh, txdctl,
};
use crate::mmio::Mmio;

/// Longest wait for all queues together to come to rest. The reset that follows stops them in any case.
const REST: Duration = Duration::from_millis(500);

/// Longest wait for what was handed over to be sent: without a link it never is.
const DRAIN: Duration = Duration::from_millis(500);

/// Stops everything, in order. What goes wrong on the way is told at the end: the later steps are needed the more.
pub(in crate::ixgbe) fn stop(nic: &Nic) -> Result<()> {
    let regs = &nic.regs;
    let rx = (0..nic.config.rx_queues).map(|n| (RXDCTL.at(n), rxdctl::ENABLE.mask()));
    let tx = (0..nic.config.tx_queues).map(|n| (TXDCTL.at(n), txdctl::ENABLE.mask()));
    let queues: Vec<_> = rx.chain(tx).collect();
    let steps = [
        reset::mask_interrupts(regs),
        receive::switch(regs, false),
        drain(nic),
        disable(regs, &queues),
        regs.clear(DMATXCTL, dmatxctl::TE.mask()),
        regs.clear(CTRL_EXT, ctrl_ext::DRV_LOAD.mask()),
        reset::reset(regs),
    ];
    steps.into_iter().collect()
}

/// Waits until the device has read the transmit queues to their ends. [82599:4.6.8.1]
fn drain(nic: &Nic) -> Result<()> {
    let start = Instant::now();
    for n in 0..nic.config.tx_queues {
        if !txdctl::ENABLE.is_set(nic.regs.read(TXDCTL.at(n))?) {
            continue; // the device never got so far
        }
        let tail = nic.regs.read(TDT.at(n))?;
        match nic.regs.wait(TDH.at(n), tdh::TDH.mask(), tail, DRAIN.saturating_sub(start.elapsed())) {
            Err(Error::Timeout { .. }) => return Ok(()), // not a reason to stop less
            other => other?,
        };
    }
    Ok(())
}

/// Takes the queues from the device and waits until it has let go of them. [82599:4.6.7.1.2]
fn disable(regs: &Mmio, queues: &[(Register, u32)]) -> Result<()> {
    for &(register, enable) in queues {
        regs.clear(register, enable)?;
    }
    let start = Instant::now();
    for &(register, enable) in queues {
        regs.wait(register, enable, 0, REST.saturating_sub(start.elapsed()))?;
    }
    Ok(())
}

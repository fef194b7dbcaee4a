//! The way down: reception, queues, DMA, reset. [82599:4.6.7.1.2] [82599:5.2.5.3.2]

use std::time::Duration;

use super::{receive, reset};
use crate::error::Result;
use crate::ixgbe::Nic;
use crate::ixgbe::regs::{CTRL_EXT, DMATXCTL, RXDCTL, Register, TXDCTL, ctrl_ext, dmatxctl, rxdctl, txdctl};
use crate::mmio::Mmio;

/// Longest wait for all queues together to come to rest. The reset that follows stops them in any case.
const REST: Duration = Duration::from_millis(500);

/// Stops everything, in order. What goes wrong on the way is told at the end: the later steps are needed the more.
pub(in crate::ixgbe) fn stop(nic: &Nic) -> Result<()> {
    let regs = &nic.regs;
    let rx = (0..nic.config.rx_queues).map(|n| (RXDCTL.at(n), rxdctl::ENABLE.mask()));
    let tx = (0..nic.config.tx_queues).map(|n| (TXDCTL.at(n), txdctl::ENABLE.mask()));
    let queues: Vec<_> = rx.chain(tx).collect();
    let steps = [
        reset::mask_interrupts(regs),
        receive::switch(regs, false),
        disable(regs, &queues),
        regs.clear(DMATXCTL, dmatxctl::TE.mask()),
        regs.clear(CTRL_EXT, ctrl_ext::DRV_LOAD.mask()),
        reset::reset(regs),
    ];
    steps.into_iter().collect()
}

/// Takes the queues from the device and waits until it has let go of them. [82599:4.6.7.1.2]
fn disable(regs: &Mmio, queues: &[(Register, u32)]) -> Result<()> {
    for &(register, enable) in queues {
        regs.clear(register, enable)?;
    }
    let start = std::time::Instant::now();
    for &(register, enable) in queues {
        regs.wait(register, enable, 0, REST.saturating_sub(start.elapsed()))?;
    }
    Ok(())
}

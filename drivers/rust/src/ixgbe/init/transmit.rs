//! Transmission: the master switch and the rings. [82599:4.6.8]

use super::{DEADLINE, flush};
use crate::error::Result;
use crate::ixgbe::regs::{
    DCA_TXCTRL, DMATXCTL, TDBAH, TDBAL, TDH, TDLEN, TDT, TDWBAH, TDWBAL, TQSM, TXDCTL, dca_txctrl, dmatxctl,
    tqsm, txdctl,
};
use crate::ixgbe::stats::COUNTER_SETS;
use crate::ixgbe::tx::TxQueue;
use crate::mmio::Mmio;

/// The device fetches descriptors when it has fewer than this many left...
const PREFETCH: u32 = 32;
/// ... and at least this many are to be had.
const AT_LEAST: u32 = 1;

/// Queue q counts in set q modulo 16. [82599:8.2.3.23.73]
pub(super) fn set_up(regs: &Mmio) -> Result<()> {
    for word in 0..TQSM.len() {
        let set = |queue: u16| u32::from((4 * word + queue) % COUNTER_SETS);
        let sets = tqsm::MAP0.put(set(0)) | tqsm::MAP1.put(set(1));
        regs.post(TQSM.at(word), sets | tqsm::MAP2.put(set(2)) | tqsm::MAP3.put(set(3)))?;
    }
    flush(regs)
}

/// Tells the device where a ring is. [82599:4.6.8]
pub(super) fn program(regs: &Mmio, queue: &TxQueue) -> Result<()> {
    let n = queue.number;
    let iova = queue.span.iova();
    regs.write(TDBAL.at(n), iova as u32)?;
    regs.write(TDBAH.at(n), (iova >> 32) as u32)?;
    regs.write(TDLEN.at(n), size_of_val(queue.span.descriptors()) as u32)?;
    regs.write(TDWBAL.at(n), 0)?; // completion is reported in the descriptors, not as a head
    regs.write(TDWBAH.at(n), 0)?;
    regs.write(TDH.at(n), 0)?;
    regs.write(TDT.at(n), 0)?;
    regs.clear(DCA_TXCTRL.at(n), dca_txctrl::WRITEBACK_RO.mask())?; // reports may not overtake [82599:8.2.3.11.2]
    // Each report comes at once (WTHRESH 0): with RS on few descriptors, one that waits for others might wait for good.
    regs.modify(TXDCTL.at(n), |word| {
        let fetch = txdctl::HTHRESH.set(txdctl::PTHRESH.set(word, PREFETCH), AT_LEAST);
        txdctl::WTHRESH.set(fetch, 0)
    })
}

/// Turns transmission on; queues may be enabled only after this. [82599:4.6.8]
pub(super) fn switch_on(regs: &Mmio) -> Result<()> {
    regs.set(DMATXCTL, dmatxctl::TE.mask())
}

/// Enables a ring and waits until the device says that it is. [82599:4.6.8.1]
pub(super) fn enable(regs: &Mmio, queue: &TxQueue) -> Result<()> {
    let register = TXDCTL.at(queue.number);
    regs.set(register, txdctl::ENABLE.mask())?;
    regs.wait(register, txdctl::ENABLE.mask(), txdctl::ENABLE.mask(), DEADLINE).map(|_| ())
}

//! Reception: the master switch, RSS, and the rings. [82599:4.6.7]

use super::{DEADLINE, flush};
use crate::device::Config;
use crate::dma::SLOT_BYTES;
use crate::error::Result;
use crate::ixgbe::regs::{
    CTRL_EXT, DCA_RXCTRL, MRQC, PSRTYPE, RDBAH, RDBAL, RDH, RDLEN, RDRXCTL, RDT, RETA, RQSMR, RSCCTL, RSSRK,
    RXCSUM, RXCTRL, RXDCTL, SECRXCTRL, SECRXSTAT, SRRCTL, ctrl_ext, dca_rxctrl, mrqc, rdrxctl, reta, rqsmr,
    rscctl, rxcsum, rxctrl, rxdctl, secrxctrl, secrxstat, srrctl,
};
use crate::ixgbe::rx::RxQueue;
use crate::ixgbe::stats::COUNTER_SETS;
use crate::mmio::Mmio;

/// The key of the RSS hash: the one of the published verification suite, so that hashes can be compared. Tables.
const RSS_KEY: [u8; 40] = [
    0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0,
    0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42,
    0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
];

/// Units of SRRCTL: packet buffers in KiB, header buffers in 64 bytes.
const PACKET_KIB: u32 = (SLOT_BYTES / 1024) as u32;
/// Not used with one buffer, but 0 is no legal size. 256 bytes.
const HEADER_LINES: u32 = 4;

/// Reception off; it has been since the reset, and must be while the filters change. [82599:4.6.7]
pub(super) fn prepare(regs: &Mmio) -> Result<()> {
    regs.clear(RXCTRL, rxctrl::RXEN.mask())
}

/// What holds for all queues.
pub(super) fn set_up(regs: &Mmio, config: &Config) -> Result<()> {
    // The FCS is stripped here and in HLREG0, or lengths do not agree. Receive side coalescing is not used, but its
    // fields have to be set like this in any case. [82599:8.2.3.8.8]
    regs.modify(RDRXCTL, |word| {
        let on = rdrxctl::CRCSTRIP.mask() | rdrxctl::RSCACKC.mask() | rdrxctl::FCOE_WRFIX.mask();
        rdrxctl::RSCFRSTSIZE.set(word, 0) | on
    })?;
    regs.set(CTRL_EXT, ctrl_ext::NS_DIS.mask())?; // no snoop off [82599:4.6.7]
    regs.write(PSRTYPE.at(0), 0)?; // no header split [82599:8.2.3.7.4]
    map_counters(regs)?;
    rss(regs, config.rx_queues)
}

/// TCP and UDP over all queues by their hash; all else, fragments included, to queue 0. [82599:7.1.2.8]
fn rss(regs: &Mmio, queues: u16) -> Result<()> {
    for (word, key) in (0..RSSRK.len()).zip(RSS_KEY.chunks_exact(4)) {
        regs.write(RSSRK.at(word), key.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)))?;
    }
    for word in 0..RETA.len() {
        let queue = |entry: u16| u32::from((4 * word + entry) % queues);
        let entries = reta::ENTRY0.put(queue(0)) | reta::ENTRY1.put(queue(1));
        regs.write(RETA.at(word), entries | reta::ENTRY2.put(queue(2)) | reta::ENTRY3.put(queue(3)))?;
    }
    let kinds = mrqc::TCP_IPV4.mask() | mrqc::TCP_IPV6.mask() | mrqc::UDP_IPV4.mask() | mrqc::UDP_IPV6.mask();
    let spread = mrqc::MRQE.put(mrqc::MRQE_RSS) | kinds;
    regs.write(MRQC, if queues > 1 { spread } else { mrqc::MRQE.put(mrqc::MRQE_NONE) })?;
    // The hash and the fragment checksum share a place in the descriptor. [82599:8.2.3.7.5]
    regs.modify(RXCSUM, |word| rxcsum::PCSD.set(word, u32::from(queues > 1)))
}

/// Queue q counts in set q modulo 16. [82599:8.2.3.23.71]
fn map_counters(regs: &Mmio) -> Result<()> {
    for word in 0..RQSMR.len() {
        let set = |queue: u16| u32::from((4 * word + queue) % COUNTER_SETS);
        let sets = rqsmr::MAP0.put(set(0)) | rqsmr::MAP1.put(set(1));
        regs.post(RQSMR.at(word), sets | rqsmr::MAP2.put(set(2)) | rqsmr::MAP3.put(set(3)))?;
    }
    flush(regs)
}

/// Tells the device where a ring is and how its buffers look. [82599:4.6.7] [82599:8.2.3.8.7]
pub(super) fn program(regs: &Mmio, queue: &RxQueue, queues: u16) -> Result<()> {
    let n = queue.number;
    let iova = queue.span.iova();
    regs.write(RDBAL.at(n), iova as u32)?;
    regs.write(RDBAH.at(n), (iova >> 32) as u32)?;
    regs.write(RDLEN.at(n), size_of_val(queue.span.descriptors()) as u32)?;
    regs.write(RDH.at(n), 0)?;
    regs.write(RDT.at(n), 0)?;
    let buffers = srrctl::BSIZEPACKET.put(PACKET_KIB) | srrctl::BSIZEHEADER.put(HEADER_LINES);
    // With one queue packets may wait for a descriptor; with several, one idle queue would stop all others.
    let drop = srrctl::DROP_EN.put(u32::from(queues > 1));
    regs.write(SRRCTL.at(n), buffers | drop | srrctl::DESCTYPE.put(srrctl::DESCTYPE_ADV_ONE_BUFFER))?;
    regs.clear(RSCCTL.at(n), rscctl::RSCEN.mask())?;
    let relaxed = dca_rxctrl::DATA_WRITE_RO.mask() | dca_rxctrl::HEADER_RO.mask();
    regs.clear(DCA_RXCTRL.at(n), dca_rxctrl::RESERVED_CLEAR.mask() | relaxed)?; // bit 12 [82599:4.6.7]
    regs.clear(RXDCTL.at(n), rxdctl::VME.mask() | rxdctl::RLPML_EN.mask()) // VLAN tags stay
}

/// Enables a ring, waits until the device says that it is, and only then hands it the descriptors. [82599:4.6.7.1.1]
pub(super) fn enable(regs: &Mmio, queue: &RxQueue) -> Result<()> {
    let register = RXDCTL.at(queue.number);
    regs.set(register, rxdctl::ENABLE.mask())?;
    regs.wait(register, rxdctl::ENABLE.mask(), rxdctl::ENABLE.mask(), DEADLINE)?;
    queue.publish()?;
    flush(regs)
}

/// Turns reception on or off while the security block holds the packets back. [82599:4.6.7]
pub(super) fn switch(regs: &Mmio, on: bool) -> Result<()> {
    regs.set(SECRXCTRL, secrxctrl::RX_DIS.mask())?;
    regs.wait(SECRXSTAT, secrxstat::RDY.mask(), secrxstat::RDY.mask(), DEADLINE)?;
    regs.modify(RXCTRL, |word| rxctrl::RXEN.set(word, u32::from(on)))?;
    regs.clear(SECRXCTRL, secrxctrl::RX_DIS.mask())
}

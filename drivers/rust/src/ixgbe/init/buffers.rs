//! Packet buffers and frame lengths: one traffic class, no virtualization. [82599:4.6.11.3.4]

use crate::error::Result;
use crate::ixgbe::regs::{
    DTXMXSZRQ, FCRTH, HLREG0, MAXFRS, MTQC, RTTDCS, RXPBSIZE, TXPBSIZE, TXPBTHRESH, dtxmxszrq, fcrth, hlreg0,
    maxfrs, mtqc, rttdcs, rxpbsize, txpbsize, txpbthresh,
};
use crate::mmio::Mmio;

/// All of the receive buffer, in KiB.
const RX_KIB: u32 = 512;
/// Space that the receive buffer keeps free above the flow control threshold, in KiB.
const RX_HEADROOM_KIB: u32 = 24;
/// The threshold counts in units of this many bytes.
const THRESHOLD_UNIT: u32 = 32;
/// All of the transmit buffer, in KiB.
const TX_KIB: u32 = 160;
/// Room that the transmit buffer keeps for the longest packet, in KiB.
const TX_LONGEST_KIB: u32 = 10;
/// Frames longer than this are jumbo frames.
const ORDINARY_FRAME: u32 = 1518;

/// Gives all memory to buffer 0, and says what frames look like on the wire.
pub(super) fn set_up(regs: &Mmio, max_frame: u32) -> Result<()> {
    for n in 0..RXPBSIZE.len() {
        let first = n == 0;
        let kib = |kib| if first { kib } else { 0 };
        regs.write(RXPBSIZE.at(n), rxpbsize::SIZE.put(kib(RX_KIB)))?;
        regs.write(TXPBSIZE.at(n), txpbsize::SIZE.put(kib(TX_KIB)))?;
        regs.write(TXPBTHRESH.at(n), txpbthresh::THRESH.put(kib(TX_KIB - TX_LONGEST_KIB)))?;
    }
    // The device stops reading the buffer out in time only if it knows where full is, with flow control or without.
    let full = (RX_KIB - RX_HEADROOM_KIB) * 1024 / THRESHOLD_UNIT;
    regs.write(FCRTH.at(0), fcrth::RTH.put(full))?; // [82599:8.2.3.3.4]
    // The arbiter stands still while the queue layout and its limits change. [82599:7.2.1.2.1]
    regs.set(RTTDCS, rttdcs::ARBDIS.mask())?;
    regs.write(DTXMXSZRQ, dtxmxszrq::MAX_BYTES.mask())?; // as much as fits: 1 MiB; the rest is reserved
    regs.clear(MTQC, mtqc::RT_ENA.mask() | mtqc::VT_ENA.mask() | mtqc::NUM_TC_OR_Q.mask())?;
    regs.clear(RTTDCS, rttdcs::ARBDIS.mask())?;
    frames(regs, max_frame)
}

/// The device adds and strips the FCS, pads short frames, and takes long ones if they are wanted.
/// [82599:8.2.3.22.8] [82599:8.2.3.22.13]
fn frames(regs: &Mmio, max_frame: u32) -> Result<()> {
    let jumbo = u32::from(max_frame > ORDINARY_FRAME);
    regs.modify(HLREG0, |word| {
        let on = hlreg0::TXCRCEN.mask() | hlreg0::RXCRCSTRP.mask() | hlreg0::TXPADEN.mask();
        hlreg0::JUMBOEN.set(word & !hlreg0::LPBK.mask() | on, jumbo)
    })?;
    regs.modify(MAXFRS, |word| maxfrs::MFS.set(word, max_frame))
}

//! Address filters: what is received. Their tables are undefined after a reset. [82599:7.1.1]

use super::{flush, receive};
use crate::error::{Error, Result};
use crate::ixgbe::regs::{
    FCTRL, MCSTCTRL, MPSAR, MTA, PFUTA, RAH, RAL, VFTA, VLNCTRL, fctrl, mcstctrl, rah, vlnctrl,
};
use crate::mmio::Mmio;

/// The device's own address, which the reset has loaded from the EEPROM into entry 0. [82599:8.2.3.7.8]
pub(super) fn mac_address(regs: &Mmio) -> Result<[u8; 6]> {
    let low = regs.read_through(RAL.at(0))?.to_le_bytes();
    let high = regs.read_through(RAH.at(0))?;
    let rest = rah::ADDRESS.get(high).to_le_bytes();
    let mac = [low[0], low[1], low[2], low[3], rest[0], rest[1]];
    if mac == [0; 6] || mac[0] & 1 != 0 {
        return Err(Error::DeviceFailed(format!("its EEPROM has the Ethernet address {mac:02x?}")));
    }
    regs.write(RAH.at(0), rah::AV.set(high, 1))?;
    Ok(mac)
}

/// Empties every table but our own address. [82599:4.6.7]
pub(super) fn clear_tables(regs: &Mmio) -> Result<()> {
    for entry in 1..RAL.len() {
        regs.post(RAH.at(entry), 0)?;
        regs.post(RAL.at(entry), 0)?;
    }
    for table in [&MPSAR, &MTA, &VFTA, &PFUTA] {
        for word in 0..table.len() {
            regs.post(table.at(word), 0)?;
        }
    }
    flush(regs)
}

/// Our address and broadcasts, or everything; all VLANs. Only while reception is off. [82599:8.2.3.7.1]
pub(super) fn set_up(regs: &Mmio, promiscuous: bool) -> Result<()> {
    let everything = fctrl::UPE.mask() | fctrl::MPE.mask();
    regs.write(FCTRL, fctrl::BAM.mask() | if promiscuous { everything } else { 0 })?;
    regs.clear(MCSTCTRL, mcstctrl::MFE.mask())?;
    regs.clear(VLNCTRL, vlnctrl::VFE.mask() | vlnctrl::CFIEN.mask())
}

/// Changes the filter of a running device: reception is off meanwhile, as FCTRL demands. [82599:8.2.3.7.1]
pub(in crate::ixgbe) fn set_promiscuous(regs: &Mmio, on: bool) -> Result<()> {
    receive::switch(regs, false)?;
    set_up(regs, on)?;
    receive::switch(regs, true)
}

//! Rules about single registers: reserved bits, read-only registers, the EEPROM protocol, semaphores.

use super::context::{Context, Write};
use super::lookup::Found;
use super::rules::{general, receive};
use crate::ixgbe::regs::{self, Access, Info};

/// Registers of which every bit that is not in a field is reserved. Others have fields that the generated tables
/// leave out because neither the model nor a driver of ours uses them.
static FULLY_DESCRIBED: [&str; 13] = [
    regs::EIMC.name,
    regs::EIMS.name,
    regs::DTXMXSZRQ.name,
    regs::RXCTRL.name,
    regs::MTQC.name,
    regs::IVAR_MISC.name,
    regs::RXPBSIZE.name,
    regs::TXPBSIZE.name,
    regs::TXPBTHRESH.name,
    regs::FCRTL.name,
    regs::FCRTH.name,
    regs::IVAR.name,
    regs::SRRCTL.name,
];

/// What has to be remembered of single registers.
#[derive(Debug, Default)]
pub(super) struct SingleRegisters {
    /// Word address of an EEPROM read that has not been seen to be done.
    eeprom_read: Option<u32>,
    /// What the driver reads is not told.
    reads_unseen: bool,
    /// Bits of SWSM and of SW_FW_SYNC that this driver has taken.
    semaphore: u32,
    ownership: u32,
}

impl SingleRegisters {
    pub fn client_came(&mut self) {
        *self = SingleRegisters::default();
    }

    /// The registers are plain memory. Told when the driver came.
    pub fn reads_are_unseen(&mut self) {
        self.reads_unseen = true;
    }

    pub fn reset(&mut self) {
        self.eeprom_read = None;
    }

    pub fn read(&mut self, at: Found, value: u32) {
        if at.is(&regs::EERD) && regs::eerd::DONE.is_set(value) {
            self.eeprom_read = None;
        } else if at.is(&regs::SWSM) && !regs::swsm::SMBI.is_set(value) {
            // A read that returns 0 takes the semaphore.
            self.semaphore |= regs::swsm::SMBI.mask();
        }
    }

    pub fn write(&mut self, cx: &mut Context<'_>, write: &Write) {
        reserved_bits(cx, write);
        read_only(cx, write);
        oddities(cx, write);
        if write.at.is(&regs::EERD) {
            self.eeprom_started(cx, write);
        } else if write.at.is(&regs::SWSM) {
            self.semaphore = (self.semaphore | regs::swsm::SWESMBI.mask()) & write.value;
        } else if write.at.is(&regs::SW_FW_SYNC) {
            let own = OWN_SEMAPHORES & write.value;
            self.ownership = (self.ownership & own) | (own & !write.before);
        }
    }

    fn eeprom_started(&mut self, cx: &mut Context<'_>, write: &Write) {
        if !regs::eerd::START.is_set(write.value) || self.reads_unseen {
            return;
        }
        let word = regs::eerd::ADDR.get(write.value);
        if let Some(pending) = self.eeprom_read.replace(word) {
            cx.device(&general::EEPROM_NOT_AWAITED, || {
                format!(
                    "EERD = {:#x} starts reading word {word:#x} before word {pending:#x} was seen DONE",
                    write.value
                )
            });
        }
    }

    pub fn client_left(&mut self, cx: &mut Context<'_>) {
        for (register, taken) in [(regs::SWSM, self.semaphore), (regs::SW_FW_SYNC, self.ownership)] {
            let kept = taken & cx.peek(register);
            if kept != 0 {
                cx.device(&general::SEMAPHORE_KEPT, || {
                    format!("{register} still has the driver's bits {kept:#x} set; expected 0")
                });
            }
        }
    }
}

/// The bits of SW_FW_SYNC by which software owns something; five more are firmware's.
const OWN_SEMAPHORES: u32 = 0x1F;

/// Writes of ones act, and zeros do nothing.
fn ones_act(access: Access) -> bool {
    matches!(access, Access::W1c | Access::W1s | Access::RcW1c)
}

fn reserved_bits(cx: &mut Context<'_>, write: &Write) {
    let Found { info, .. } = write.at;
    // Writing 0 to a reserved bit is what a driver does that builds its value from fields.
    let kept = if ones_act(info.access) { 0 } else { write.before };
    let wrong = write.value & !kept & info.reserved;
    if wrong == 0 || !FULLY_DESCRIBED.contains(&write.at.name()) {
        return;
    }
    cx.register(&general::RESERVED_BITS, write.at, || {
        format!(
            "{} written with {:#010x}: bits {wrong:#010x} are reserved ({}); read there before: {:#010x}",
            write.at,
            write.value,
            section(info),
            write.before
        )
    });
}

fn read_only(cx: &mut Context<'_>, write: &Write) {
    if matches!(write.at.info.access, Access::Ro | Access::Rc) && write.value != write.before {
        cx.register(&general::READ_ONLY, write.at, || {
            format!(
                "{} is read-only ({}) and keeps {:#x}; {:#x} was written",
                write.at,
                section(write.at.info),
                write.before,
                write.value
            )
        });
    }
}

/// Where the data sheet describes a register, spelled as in the rules.
fn section(info: &Info) -> String {
    info.section.replace(':', " ")
}

/// Bits that mean something on another chip, or that change something in two steps.
fn oddities(cx: &mut Context<'_>, write: &Write) {
    let at = write.at;
    if at.is(&regs::VLNCTRL) && write.raises(regs::vlnctrl::VME) {
        cx.device(&receive::VLAN_STRIP_82598, || {
            format!("VLNCTRL = {:#010x} sets bit 31; stripping is RXDCTL[n].VME on this chip", write.value)
        });
    } else if at.is(&regs::RXDCTL) && write.raises(regs::rxdctl::RLPML_EN) {
        cx.register(&receive::PACKET_LIMIT, at, || {
            format!("{at} = {:#010x} sets RLPML_EN (bit 15); expected 0", write.value)
        });
    } else if at.is(&regs::RAL) && write.value != write.before {
        let valid = regs::RAH.at(at.index);
        if !write.mapped && cx.is_set(valid, regs::rah::AV) && cx.is_set(regs::RXCTRL, regs::rxctrl::RXEN) {
            cx.register(&receive::ADDRESS_WHILE_VALID, at, || {
                format!(
                    "{at} changed from {:#x} to {:#x} with {valid}.AV = 1 and RXCTRL.RXEN = 1",
                    write.before, write.value
                )
            });
        }
    }
}

/// A write to an offset that no register has.
pub(super) fn unknown_write(cx: &mut Context<'_>, offset: u32, value: u32) {
    let place = super::findings::Place::Register(offset);
    cx.report.report(&general::UNKNOWN, place, || {
        format!("{value:#x} written to {offset:#07x}, which is no register here")
    });
}

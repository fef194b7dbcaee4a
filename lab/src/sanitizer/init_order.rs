//! Rules about the order of initialisation (82599 4.6.3), interrupts, and leaving.

use super::context::{Context, Write};
use super::lookup::Found;
use super::queues::Queues;
use super::rules::general;
use crate::clock::Nanos;
use crate::events::Queue;
use crate::ixgbe::regs::{self, Access};

const MILLISECOND: u64 = 1_000_000;

/// The data sheet asks for about 1 ms before the first access after CTRL.RST; half of it is surely too early.
const RESET_QUIET: u64 = MILLISECOND / 2;

/// The data sheet asks for 10 ms. One is left out for a write that reached the NIC later than it was sent.
const RESET_SETTLES: u64 = 9 * MILLISECOND;

/// Bits of EIMS that stand for a cause; bit 31 is reserved.
const CAUSES: u32 = 0x7FFF_FFFF;

/// Bit 2 of the PCI command register, at config offset 4.
const COMMAND_OFFSET: u32 = 4;
const COMMAND_BUS_MASTER: u32 = 1 << 2;

/// What has been done since the driver came, and since its last reset.
#[derive(Debug, Default)]
pub(super) struct InitOrder {
    bus_master: bool,
    /// What the driver reads is not told, so nothing can be said against it.
    reads_unseen: bool,
    /// When the driver asked for a reset, until something else is judged by it.
    reset_at: Option<Nanos>,
    polled_early: bool,
    was_reset: bool,
    since_reset: SinceReset,
}

#[derive(Debug, Default)]
struct SinceReset {
    masked: bool,
    eeprom_loaded: bool,
    dma_ready: bool,
    statistics_read: bool,
    data_path_judged: bool,
    statistics_judged: bool,
}

impl InitOrder {
    pub fn client_came(&mut self) {
        *self = InitOrder::default();
    }

    /// The registers are plain memory. Told when the driver came.
    pub fn reads_are_unseen(&mut self) {
        self.reads_unseen = true;
    }

    /// A reset has taken effect.
    pub fn reset(&mut self, now: Nanos) {
        self.was_reset = true;
        self.reset_at.get_or_insert(now);
        let seen = self.reads_unseen;
        self.since_reset = SinceReset {
            eeprom_loaded: seen,
            dma_ready: seen,
            statistics_read: seen,
            ..SinceReset::default()
        };
    }

    /// Whether there was a reset since the driver came.
    pub fn was_reset(&self) -> bool {
        self.was_reset
    }

    pub fn config_write(&mut self, offset: u32, length: u32, value: u32) {
        if offset <= COMMAND_OFFSET && offset + length > COMMAND_OFFSET {
            let command = value >> (8 * (COMMAND_OFFSET - offset));
            self.bus_master = command & COMMAND_BUS_MASTER != 0;
        }
    }

    pub fn read(&mut self, cx: &mut Context<'_>, at: Found, value: u32) {
        self.accessed(cx, at);
        let seen = &mut self.since_reset;
        if at.is(&regs::EEC) {
            seen.eeprom_loaded |= regs::eec::ARD.is_set(value);
        } else if at.is(&regs::RDRXCTL) {
            seen.dma_ready |= regs::rdrxctl::DMAIDONE.is_set(value);
        } else if at.info.access == Access::Rc {
            seen.statistics_read = true;
        }
    }

    pub fn write(&mut self, cx: &mut Context<'_>, write: &Write, queues: &Queues) {
        let at = write.at;
        if at.is(&regs::CTRL) && (write.raises(regs::ctrl::RST) || write.raises(regs::ctrl::LRST)) {
            self.reset_requested(cx, queues);
            return;
        }
        // When a write in plain memory was made is known too roughly.
        if !write.mapped {
            self.accessed(cx, at);
        }
        if at.is(&regs::EIMC) || at.is(&regs::EIMC_EX) {
            self.since_reset.masked |= write.value != 0;
        } else if at.is(&regs::EIMS) {
            no_vector(cx, write.value);
        } else if !is_about_interrupts(at) && !write.mapped {
            self.settled(cx, write);
        }
        let starts = at.is(&regs::RXCTRL) && write.raises(regs::rxctrl::RXEN)
            || at.is(&regs::DMATXCTL) && write.raises(regs::dmatxctl::TE);
        if starts {
            self.data_path_starts(cx, &format!("{at} = {:#x}", write.value));
        }
    }

    fn reset_requested(&mut self, cx: &mut Context<'_>, queues: &Queues) {
        self.reset_at = Some(cx.now);
        self.polled_early = false;
        let unmasked = cx.peek(regs::EIMS) & CAUSES;
        if unmasked != 0 {
            cx.device(&general::INTERRUPTS_NOT_MASKED, || {
                format!("CTRL.RST set while EIMS = {unmasked:#x}; expected all interrupts masked by EIMC")
            });
        }
        let mastering = !cx.is_set(regs::CTRL, regs::ctrl::GIO_DIS);
        if let Some(queue) = queues.first_enabled().filter(|_| mastering) {
            cx.device(&general::RESET_WHILE_RUNNING, || {
                format!("CTRL.RST set while {} is enabled and CTRL.GIO_DIS = 0", queues.name(queue))
            });
        }
    }

    /// Any access to a register: is the chip left alone right after its reset?
    fn accessed(&mut self, cx: &mut Context<'_>, at: Found) {
        let Some(reset_at) = self.reset_at else { return };
        let waited = cx.now.since(reset_at);
        if waited < RESET_QUIET && !self.polled_early {
            self.polled_early = true;
            cx.device(&general::RESET_POLLED_EARLY, || {
                format!("{at} accessed {} us after CTRL.RST was set; expected about 1000 us", waited / 1000)
            });
        }
    }

    /// The first write that programs something: has the chip settled?
    fn settled(&mut self, cx: &mut Context<'_>, write: &Write) {
        let Some(reset_at) = self.reset_at.take() else { return };
        let waited = cx.now.since(reset_at);
        if waited < RESET_SETTLES {
            cx.device(&general::RESET_NOT_SETTLED, || {
                format!(
                    "{} written {} us after the reset; expected at least 10000 us",
                    write.at,
                    waited / 1000
                )
            });
        }
    }

    pub fn queue_enabled(&mut self, cx: &mut Context<'_>, queue: Queue, name: &str) {
        self.data_path_starts(cx, &format!("{name} enabled"));
        if !self.bus_master {
            cx.queue(&general::BUS_MASTER_OFF, queue, || {
                format!("{name} enabled, but bit 2 of the PCI command register was not set by this driver")
            });
        }
    }

    /// The first queue, RXEN or TE after a reset: was all that comes before done?
    fn data_path_starts(&mut self, cx: &mut Context<'_>, what: &str) {
        if std::mem::replace(&mut self.since_reset.data_path_judged, true) {
            return;
        }
        if !self.was_reset {
            cx.device(&general::NO_RESET, || {
                format!("{what}, but CTRL.RST was not set since the driver came")
            });
            return;
        }
        let seen = &self.since_reset;
        if !seen.masked {
            cx.device(&general::INTERRUPTS_NOT_MASKED, || {
                format!("{what}, but EIMC was not written after the reset; expected EIMC = 0x7fffffff")
            });
        }
        if !seen.eeprom_loaded {
            cx.device(&general::EEPROM_LOAD_NOT_AWAITED, || {
                format!("{what}, but EEC was not read with ARD (bit 9) = 1 since the reset")
            });
        }
        if !seen.dma_ready {
            cx.device(&general::DMA_NOT_AWAITED, || {
                format!("{what}, but RDRXCTL was not read with DMAIDONE (bit 3) = 1 since the reset")
            });
        }
    }

    /// Packets are moving.
    pub fn head_moved(&mut self, cx: &mut Context<'_>) {
        let seen = &mut self.since_reset;
        if !std::mem::replace(&mut seen.statistics_judged, true) && !seen.statistics_read && self.was_reset {
            cx.device(&general::STATISTICS_NOT_CLEARED, || {
                "a packet was moved, but none of the counters (GPRC, GPTC, ...) was read since the reset"
                    .to_owned()
            });
        }
    }
}

/// Registers that a driver writes right after a reset to keep interrupts away.
fn is_about_interrupts(at: Found) -> bool {
    at.is(&regs::EIMS_EX)
        || at.is(&regs::EICR)
        || at.is(&regs::EICS)
        || at.is(&regs::EIAC)
        || at.is(&regs::CTRL)
}

/// Causes above 15 share one vector, that of IVAR_MISC.
fn no_vector(cx: &mut Context<'_>, mask: u32) {
    let others = regs::eims::OTHERS.get(mask);
    let many = cx.is_set(regs::GPIE, regs::gpie::MULTIPLE_MSIX);
    let misc = cx.peek(regs::IVAR_MISC);
    if others != 0 && many && !regs::ivar_misc::VALID1.is_set(misc) {
        cx.device(&general::NO_VECTOR, || {
            format!(
                "EIMS = {mask:#x} unmasks other causes, but IVAR_MISC = {misc:#x} has VALID1 (bit 15) = 0"
            )
        });
    }
}

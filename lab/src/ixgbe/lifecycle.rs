//! Power-up, resets, and drivers that come and go (82599 4.2).

use super::eeprom::Eeprom;
use super::i2c::Module;
use super::msix::MsixBar;
use super::nic::Nic;
use super::pci::ConfigSpace;
use super::registers::PAIRS;
use super::regs::{self, rah};
use super::spi::SerialPort;
use crate::clock::Nanos;
use crate::device::Device;
use crate::events::Event;
use crate::faults::Fault;

/// How long CTRL.RST and LRST read back as set. Drivers give it about half a millisecond at least; one that does not
/// look at all is to find them set.
const RESET_NS: u64 = 10_000;

impl Nic {
    /// The state that a driver finds: an EEPROM, and registers as somebody has left them.
    pub(super) fn power_up(&mut self) {
        self.eeprom = Eeprom::new();
        self.host.config = ConfigSpace::new();
        self.msix = MsixBar::new();
        self.stop();
        self.host.registers.leave_behind(&mut self.noise);
        self.rx.settle(&self.host);
        self.tx.settle(&self.host);
        self.after_reset();
        self.host.interrupts.mask_set(self.noise.next_u32());
    }

    /// CTRL.RST or CTRL.LRST: `bits` of CTRL stay set until it is over.
    pub(super) fn software_reset(&mut self, bits: u32) {
        self.reset_registers();
        self.host.registers.set(regs::CTRL.offset, bits);
        self.resetting = Some((bits, None));
    }

    /// A function level reset. The configuration space is kept, as VFIO does for its user; so are the eventfds.
    pub(super) fn function_reset(&mut self) {
        self.reset_registers();
        self.msix = MsixBar::new();
        self.tell();
    }

    fn reset_registers(&mut self) {
        self.stop();
        self.host.registers.reset(&mut self.noise);
        self.after_reset();
        self.host.counters.resets += 1;
        self.host.log.registers(|| Event::Reset);
    }

    /// Ends all DMA at once.
    fn stop(&mut self) {
        self.rx.stop(&mut self.host);
        self.tx.stop(&mut self.host);
    }

    fn after_reset(&mut self) {
        self.host.interrupts.reset();
        self.pairs = [None; PAIRS];
        self.resetting = None;
        self.spi = SerialPort::new();
        self.module = Module::new(self.config.module);
        let [a, b, c, d, e, f] = self.config.mac;
        let high = rah::ADDRESS.put(u16::from_le_bytes([e, f]).into()) | rah::AV.mask();
        self.host.registers.set(regs::RAL.at(0).offset, u32::from_le_bytes([a, b, c, d]));
        self.host.registers.set(regs::RAH.at(0).offset, high);
        self.link.restart(&mut self.host);
        self.link.forget();
        self.host.interrupts.acknowledge(u32::MAX, &self.host.registers);
        self.stale = true;
    }

    /// Clears the bits of CTRL that started a reset, when it is over.
    #[inline]
    pub(super) fn finish_reset(&mut self) {
        let Some((bits, due)) = self.resetting else { return };
        let Some(due) = due else {
            // The time of the round before may be long ago, so the clock starts in the first round after the write.
            self.resetting = Some((bits, Some(Nanos(self.host.now.0 + RESET_NS))));
            return;
        };
        if self.host.now >= due {
            self.end_reset();
        }
    }

    /// Clears the bits of CTRL that started a reset now.
    pub(super) fn end_reset(&mut self) {
        if let Some((bits, _)) = self.resetting
            && !self.host.faults.is_armed(Fault::ResetNeverClears)
        {
            self.resetting = None;
            self.host.registers.clear_bits(regs::CTRL.offset, bits);
        }
    }

    /// A driver has connected. It finds the card as the one before has left it, which is anything.
    pub(super) fn client_came(&mut self) {
        // In plain memory the driver may have begun before anybody knew that it came, so it was made ready before.
        if self.plain.is_none() {
            self.power_up();
        }
        self.client = true;
        self.refresh_watch();
        self.host.log.registers(|| Event::Client { present: true });
        if let Some(bar) = &mut self.plain {
            bar.expect(self.host.now);
            self.host.log.registers(|| Event::ReadsUnseen);
        }
        self.tell();
    }

    /// The driver has gone: nothing of it may be touched any more.
    pub(super) fn client_left(&mut self) {
        // Its last stores, ENABLE going to 0 among them, have no message after them.
        self.synchronise();
        self.stop();
        self.host.registers.reset(&mut self.noise);
        self.after_reset();
        self.client = false;
        self.host.log.registers(|| Event::Client { present: false });
        self.tell();
        if self.plain.is_some() {
            self.power_up();
            self.publish_plain_bar();
        }
    }
}

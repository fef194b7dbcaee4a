//! Trapped reads and writes of BAR0, with all their side effects (82599 8.2).

use super::nic::Nic;
use super::registers::{self, Kind, Row};
use super::regs::{self, Register, autoc, ctrl, eec, eerd, eewr, fdirctrl, rdrxctl, status, swsm};
use crate::events::{Event, Side};
use crate::faults::Fault;

impl Nic {
    /// What a read of the register at `offset` would give, without its side effects.
    ///
    /// # Panics
    ///
    /// If `offset` is not a multiple of 4 inside BAR0.
    pub fn peek(&self, offset: u32) -> u32 {
        assert!(offset.is_multiple_of(4));
        let row = registers::row(offset);
        let interrupts = &self.host.interrupts;
        let stored = self.host.registers.get(row.home);
        match row.kind {
            Kind::WriteOnly | Kind::MaskClear | Kind::MaskClearEx(_) => 0,
            Kind::Causes | Kind::CauseSet => interrupts.causes(),
            Kind::MaskSet => interrupts.mask(),
            Kind::CauseSetEx(word) => interrupts.queue_causes_word(word),
            Kind::MaskSetEx(word) => interrupts.queue_mask_word(word),
            Kind::Links => self.link.peek(&self.host),
            Kind::PairHigh(number) => match self.pairs[usize::from(number)] {
                Some(value) => (value >> 32) as u32,
                None => stored,
            },
            Kind::Eec | Kind::Eerd if self.host.faults.is_armed(Fault::EepromNeverDone) => {
                stored & !if row.kind == Kind::Eec { eec::ARD.mask() } else { eerd::DONE.mask() }
            }
            _ if row.home == regs::RDRXCTL.offset && self.host.faults.is_armed(Fault::DmaInitNeverDone) => {
                rdrxctl::DMAIDONE.set(stored, 0)
            }
            _ => stored,
        }
    }

    /// Lets the NIC have counted `more`: in a statistics register, or in a 36-bit pair of which it is the low word. A test
    /// need not send 4 GiB to see a counter pass 32 bits.
    ///
    /// # Panics
    ///
    /// If `register` does not count.
    pub fn add_to_counter(&mut self, register: Register, more: u64) {
        let row = registers::row(register.offset);
        match row.kind {
            Kind::PairLow(_) => self.host.registers.count_pair(row.home, more),
            Kind::ClearOnRead => self.host.registers.count(row.home, more),
            kind => panic!("{register} is no counter, but {kind:?}"),
        }
    }

    /// A driver's read.
    pub(super) fn read_register(&mut self, offset: u32) -> u32 {
        let value = self.peek(offset);
        let row = registers::row(offset);
        match row.kind {
            Kind::ClearOnRead => self.host.registers.set(row.home, 0),
            Kind::PairLow(number) => {
                self.pairs[usize::from(number)] = Some(self.host.registers.pair(row.home))
            }
            Kind::PairHigh(number) => self.clear_pair(row.home - 4, number),
            Kind::Swsm => self.host.registers.set(row.home, value | swsm::SMBI.mask()),
            Kind::Causes => {
                self.host.interrupts.read_causes(&self.host.registers);
            }
            Kind::Links => {
                self.link.read(&self.host);
            }
            _ => {}
        }
        self.host.log.registers(|| Event::RegisterRead { offset, value });
        self.tell();
        value
    }

    /// Reading the high word completes the clear of what the low word's read showed; what was counted in between
    /// stays.
    fn clear_pair(&mut self, low: u32, number: u8) {
        let now = self.host.registers.pair(low);
        let read = self.pairs[usize::from(number)].take().unwrap_or(now);
        self.host.registers.set_pair(low, now.saturating_sub(read));
    }

    /// A driver's write.
    pub(super) fn write_register(&mut self, offset: u32, value: u32) {
        if self.host.log.wants_registers() {
            let before = self.peek(offset);
            self.host.log.registers(|| Event::RegisterWrite { offset, before, value });
            // Told before it takes effect: observers see the registers as the driver found them.
            self.tell();
        }
        let row = registers::row(offset);
        self.write_kind(row, value);
        self.stale = true;
        self.tell();
    }

    pub(super) fn write_kind(&mut self, row: Row, value: u32) {
        let home = row.home;
        let old = self.host.registers.get(home);
        let new = (old & !row.writable) | (value & row.writable & !row.self_clearing);
        let interrupts = &mut self.host.interrupts;
        match row.kind {
            Kind::Storage | Kind::WriteOnly | Kind::Swsm => self.host.registers.set(home, new),
            Kind::ClearOnRead | Kind::PairLow(_) | Kind::PairHigh(_) | Kind::Links => {}
            Kind::OneClears => self.host.registers.set(home, old & !value),
            Kind::Causes => interrupts.acknowledge(value, &self.host.registers),
            Kind::CauseSet => interrupts.raise(value),
            Kind::MaskSet => interrupts.mask_set(value),
            Kind::MaskClear => interrupts.mask_clear(value),
            Kind::CauseSetEx(word) => interrupts.raise_queues(word, value),
            Kind::MaskSetEx(word) => interrupts.queue_mask_set(word, value),
            Kind::MaskClearEx(word) => interrupts.queue_mask_clear(word, value),
            Kind::Throttle(vector) => {
                self.host.registers.set(home, new);
                self.host.interrupts.throttle_written(vector, value);
            }
            Kind::Ctrl => self.write_control(new, value),
            Kind::Eec => self.write_eec(home, new),
            Kind::Eerd => self.read_eeprom(home, value),
            Kind::Eewr => self.write_eeprom(home, value),
            Kind::I2c => {
                let lines = self.module.drive(new);
                self.host.registers.set(home, lines);
            }
            Kind::Autoc => {
                self.host.registers.set(home, new);
                if autoc::RESTART_AN.is_set(value) {
                    self.link.restart(&mut self.host);
                }
            }
            Kind::FlowDirector => {
                let done = fdirctrl::PBALLOC.get(new) != 0;
                self.host.registers.set(home, fdirctrl::INIT_DONE.set(new, done.into()));
            }
            Kind::Queue => {
                self.host.registers.set(home, new);
                self.look_at_queue_of(home);
            }
        }
    }

    /// A message that changes a queue's register takes effect before it is answered.
    fn look_at_queue_of(&mut self, home: u32) {
        let (side, first, number) = match home {
            0x1000..0x2000 => (Side::Rx, 0x1000, 0),
            0xD000..0xE000 => (Side::Rx, 0xD000, 64),
            _ => (Side::Tx, 0x6000, 0),
        };
        let number = number + ((home - first) / 0x40) as u16;
        match side {
            Side::Rx => self.rx.look(number, &mut self.host),
            Side::Tx => self.tx.look(number, &mut self.host),
        }
    }

    fn write_control(&mut self, new: u32, value: u32) {
        let resets = value & (ctrl::RST.mask() | ctrl::LRST.mask());
        if resets != 0 {
            return self.software_reset(resets);
        }
        let standing = self.host.registers.of(regs::CTRL) & (ctrl::RST.mask() | ctrl::LRST.mask());
        self.host.registers.set(regs::CTRL.offset, new | standing);
        let word = self.host.registers.of(regs::STATUS);
        // Nothing is ever under way between two rounds, so the function is quiet at once.
        let quiet = ctrl::GIO_DIS.is_set(new);
        self.host.registers.set(regs::STATUS.offset, status::GIO.set(word, (!quiet).into()));
    }

    fn write_eec(&mut self, home: u32, new: u32) {
        let output = self.spi.drive(new, &self.eeprom);
        let new = eec::GNT.set(new, eec::REQ.get(new));
        self.host.registers.set(home, eec::DO.set(new, output.into()));
    }

    fn read_eeprom(&mut self, home: u32, value: u32) {
        if eerd::START.is_set(value) {
            let address = eerd::ADDR.get(value);
            let data = self.eeprom.read(address as usize);
            let answer = eerd::ADDR.put(address) | eerd::DATA.put(data.into()) | eerd::DONE.mask();
            self.host.registers.set(home, answer);
        }
    }

    fn write_eeprom(&mut self, home: u32, value: u32) {
        if eewr::START.is_set(value) {
            self.eeprom.write(eewr::ADDR.get(value) as usize, eewr::DATA.get(value) as u16);
            self.host.registers.set(home, eewr::DONE.mask() | (value & eewr::ADDR.mask()));
        }
    }
}

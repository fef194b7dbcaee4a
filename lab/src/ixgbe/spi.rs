//! The EEPROM's serial port, worked bit by bit through EEC (82599 8.2.3.2.1).
//!
//! Drivers of SFP cards read the first word this way, before they have found out that EERD would do.

use super::eeprom::Eeprom;
use super::regs::eec;

const READ: u8 = 0x03;
const READ_STATUS: u8 = 0x05;
/// The status register: not busy, not write protected.
const READY: u8 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Shifting in the command.
    Command,
    /// Shifting in the byte address of a read.
    Address,
    /// Shifting out bytes from this address on.
    Data { address: u16 },
    /// Shifting out the status register for ever.
    Status,
    /// A command that the NIC's EEPROM does not know; waits for the chip to be deselected.
    Ignored,
}

/// State of the chip's serial port.
#[derive(Debug)]
pub struct SerialPort {
    state: State,
    clock: bool,
    shift: u16,
    bits: u8,
    output: bool,
}

impl SerialPort {
    /// Deselected.
    pub fn new() -> Self {
        SerialPort { state: State::Command, clock: false, shift: 0, bits: 0, output: true }
    }

    /// The driver wrote `value` to EEC. Returns the level of the chip's output, EEC.DO.
    pub fn drive(&mut self, value: u32, eeprom: &Eeprom) -> bool {
        // The chip is selected by a low level.
        if eec::CS.is_set(value) {
            *self = SerialPort { clock: eec::SK.is_set(value), ..SerialPort::new() };
            return self.output;
        }
        let clock = eec::SK.is_set(value);
        match (self.clock, clock) {
            (false, true) => self.rise(eec::DI.is_set(value)),
            (true, false) => self.fall(eeprom),
            _ => {}
        }
        self.clock = clock;
        self.output
    }

    /// Input is sampled on the rising edge.
    fn rise(&mut self, input: bool) {
        self.shift = self.shift << 1 | u16::from(input);
        self.bits += 1;
        match (self.state, self.bits) {
            (State::Command, 8) => self.enter(match self.shift as u8 {
                READ => State::Address,
                READ_STATUS => State::Status,
                _ => State::Ignored,
            }),
            (State::Address, 16) => self.enter(State::Data { address: self.shift }),
            (State::Data { address }, 8) => self.enter(State::Data { address: address.wrapping_add(1) }),
            (State::Status | State::Ignored, 8) => self.enter(self.state),
            _ => {}
        }
    }

    fn enter(&mut self, state: State) {
        self.state = state;
        self.bits = 0;
        self.shift = 0;
    }

    /// Output changes after the falling edge, highest bit of a byte first, low byte of a word first.
    fn fall(&mut self, eeprom: &Eeprom) {
        let byte = match self.state {
            State::Data { address } => {
                eeprom.read(usize::from(address / 2)).to_le_bytes()[usize::from(address % 2)]
            }
            State::Status => READY,
            _ => return,
        };
        self.output = byte << self.bits & 0x80 != 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A driver's end of the bus, as DPDK and Linux work it.
    struct Master<'a> {
        port: SerialPort,
        eeprom: &'a Eeprom,
    }

    impl Master<'_> {
        fn write(&mut self, bits: u32) -> bool {
            self.port.drive(bits, self.eeprom)
        }

        fn select(&mut self) {
            self.write(eec::CS.mask());
            self.write(0);
        }

        fn send(&mut self, value: u32, bits: u32) {
            for bit in (0..bits).rev() {
                let data = if value >> bit & 1 == 1 { eec::DI.mask() } else { 0 };
                self.write(data);
                self.write(data | eec::SK.mask());
                self.write(data);
            }
        }

        fn receive(&mut self, bits: u32) -> u32 {
            (0..bits).fold(0, |value, _| {
                let bit = self.write(eec::SK.mask());
                self.write(0);
                value << 1 | u32::from(bit)
            })
        }
    }

    #[test]
    fn reads_words_like_the_registers_do() {
        let eeprom = Eeprom::new();
        let mut master = Master { port: SerialPort::new(), eeprom: &eeprom };
        for address in [0, 0x0F, 0x2C, 0x3F, 0x3FF] {
            master.select();
            master.send(READ_STATUS.into(), 8);
            assert_eq!(master.receive(8) & 1, 0, "not busy");
            master.select();
            master.send(READ.into(), 8);
            master.send(address * 2, 16);
            let word = (master.receive(16) as u16).swap_bytes();
            assert_eq!(word, eeprom.read(address as usize), "word {address:#x}");
        }
    }

    #[test]
    fn runs_on_to_the_next_word() {
        let eeprom = Eeprom::new();
        let mut master = Master { port: SerialPort::new(), eeprom: &eeprom };
        master.select();
        master.send(READ.into(), 8);
        master.send(0x2B * 2, 16);
        assert_eq!((master.receive(16) as u16).swap_bytes(), eeprom.read(0x2B));
        assert_eq!((master.receive(16) as u16).swap_bytes(), eeprom.read(0x2C));
    }

    #[test]
    fn deselecting_forgets_half_a_command() {
        let eeprom = Eeprom::new();
        let mut master = Master { port: SerialPort::new(), eeprom: &eeprom };
        master.select();
        master.send(READ.into(), 5);
        master.select();
        master.send(READ.into(), 8);
        master.send(0, 16);
        assert_eq!((master.receive(16) as u16).swap_bytes(), eeprom.read(0));
    }
}

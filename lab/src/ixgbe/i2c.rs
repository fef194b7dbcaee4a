//! The SFP+ module in the cage and the two-wire bus to it, worked bit by bit through I2CCTL (82599 8.2.3.1.5).
//!
//! The module is a 10GBASE-SR one that names Intel as its maker; its memory is that of SFF-8472, address 0xA0.

use super::regs::i2cctl;

/// Bus address of the identification memory, as the byte that is sent to write.
const ADDRESS: u8 = 0xA0;

/// The first bytes of the module's memory (SFF-8472, table 4-1); the rest is zero.
fn module() -> [u8; 256] {
    let mut bytes = [0; 256];
    bytes[0] = 0x03; // SFP
    bytes[1] = 0x04; // defined by two-wire interface
    bytes[2] = 0x07; // LC connector
    bytes[3] = 0x10; // 10GBASE-SR
    bytes[11] = 0x06; // 64B/66B
    bytes[12] = 103; // 10.3 Gb/s
    bytes[20..36].copy_from_slice(b"Intel Corp      ");
    bytes[37..40].copy_from_slice(&[0x00, 0x1B, 0x21]);
    bytes[40..56].copy_from_slice(b"FTLX8571D3BCV-IT");
    bytes[63] = bytes[..63].iter().copied().fold(0, u8::wrapping_add);
    bytes
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nobody talks to the module.
    Idle,
    /// Taking in the bus address.
    Select,
    /// Taking in the memory address.
    Pointer,
    /// Taking in a byte to write, which this memory ignores.
    Write,
    /// Giving out a byte.
    Read,
}

/// The module's end of the bus.
#[derive(Debug)]
pub struct Module {
    memory: [u8; 256],
    state: State,
    /// State after the acknowledgement.
    after: State,
    clock: bool,
    data: bool,
    /// Bits of the current byte seen so far; the ninth is the acknowledgement.
    bits: u8,
    shift: u8,
    pointer: u8,
    /// The module holds the data line low.
    pulls: bool,
    present: bool,
}

impl Module {
    /// A module, or an empty cage which never answers.
    pub fn new(present: bool) -> Self {
        Module {
            memory: module(),
            state: State::Idle,
            after: State::Idle,
            clock: true,
            data: true,
            bits: 0,
            shift: 0,
            pointer: 0,
            pulls: false,
            present,
        }
    }

    /// The driver wrote `value` to I2CCTL. Returns what it then reads: both lines as they are, a line being low as
    /// soon as anybody pulls it.
    pub fn drive(&mut self, value: u32) -> u32 {
        let clock = i2cctl::CLK_OUT.is_set(value);
        let data = i2cctl::DATA_OUT.is_set(value);
        if self.present {
            match (self.clock, clock) {
                (true, true) if self.data && !data => self.start(),
                (true, true) if !self.data && data => self.stop(),
                (false, true) => self.rise(data),
                (true, false) => self.fall(),
                _ => {}
            }
        }
        self.clock = clock;
        self.data = data;
        self.lines(value)
    }

    /// `value` with the input bits as the lines are now.
    fn lines(&self, value: u32) -> u32 {
        let value = i2cctl::CLK_IN.set(value, self.clock.into());
        i2cctl::DATA_IN.set(value, (self.data && !self.pulls).into())
    }

    fn start(&mut self) {
        self.state = State::Select;
        self.bits = 0;
        self.pulls = false;
    }

    fn stop(&mut self) {
        self.state = State::Idle;
        self.pulls = false;
    }

    /// Bits are valid while the clock is high.
    fn rise(&mut self, data: bool) {
        if self.bits < 8 {
            self.shift = self.shift << 1 | u8::from(data);
        } else if self.state == State::Read && data {
            // Not acknowledged: the driver has read enough.
            self.after = State::Idle;
        }
        self.bits += 1;
    }

    /// The line changes while the clock is low.
    fn fall(&mut self) {
        self.pulls = false;
        match (self.state, self.bits) {
            (State::Idle, _) => self.bits = 0,
            (State::Read, 8) => self.after = State::Read,
            (_, 8) => self.byte_is_in(),
            (_, 9) => self.byte_is_over(),
            _ => {}
        }
        if self.state == State::Read && self.bits < 8 {
            self.pulls = self.memory[usize::from(self.pointer)] << self.bits & 0x80 == 0;
        }
    }

    /// Eight bits are in: acknowledge them, if they are for this module, by pulling the line for the ninth clock.
    fn byte_is_in(&mut self) {
        self.after = match self.state {
            State::Select if self.shift == ADDRESS => State::Pointer,
            State::Select if self.shift == ADDRESS | 1 => State::Read,
            State::Pointer => {
                self.pointer = self.shift;
                State::Write
            }
            State::Write => State::Write,
            _ => State::Idle,
        };
        self.pulls = self.after != State::Idle;
    }

    /// After the ninth clock.
    fn byte_is_over(&mut self) {
        if self.state == State::Read {
            self.pointer = self.pointer.wrapping_add(1);
        }
        self.state = self.after;
        self.bits = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Master {
        module: Module,
        value: u32,
    }

    impl Master {
        fn new(present: bool) -> Self {
            Master { module: Module::new(present), value: 0xF }
        }

        fn set(&mut self, clock: bool, data: bool) -> bool {
            let value = i2cctl::CLK_OUT.put(clock.into()) | i2cctl::DATA_OUT.put(data.into());
            self.value = self.module.drive(value);
            assert_eq!(i2cctl::CLK_IN.is_set(self.value), clock, "nobody stretches the clock");
            i2cctl::DATA_IN.is_set(self.value)
        }

        fn start(&mut self) {
            self.set(false, true);
            self.set(true, true);
            self.set(true, false);
            self.set(false, false);
        }

        fn stop(&mut self) {
            self.set(false, false);
            self.set(true, false);
            self.set(true, true);
        }

        fn bit(&mut self, data: bool) -> bool {
            self.set(false, data);
            let level = self.set(true, data);
            self.set(false, data);
            level
        }

        /// Sends a byte; true if it was acknowledged.
        fn send(&mut self, byte: u8) -> bool {
            for bit in (0..8).rev() {
                self.bit(byte >> bit & 1 == 1);
            }
            !self.bit(true)
        }

        fn receive(&mut self, more: bool) -> u8 {
            let byte = (0..8).fold(0, |byte, _| byte << 1 | u8::from(self.bit(true)));
            self.bit(!more);
            byte
        }

        fn read(&mut self, at: u8, count: usize) -> Option<Vec<u8>> {
            self.start();
            let answered = self.send(ADDRESS) && self.send(at);
            if !answered {
                self.stop();
                return None;
            }
            self.start();
            assert!(self.send(ADDRESS | 1));
            let bytes = (0..count).map(|n| self.receive(n + 1 < count)).collect();
            self.stop();
            Some(bytes)
        }
    }

    #[test]
    fn a_driver_identifies_the_module() {
        let mut master = Master::new(true);
        assert_eq!(master.read(0, 1), Some(vec![3]));
        assert_eq!(master.read(3, 1), Some(vec![0x10]));
        assert_eq!(master.read(37, 3), Some(vec![0x00, 0x1B, 0x21]));
        assert_eq!(master.read(20, 5).as_deref(), Some(&b"Intel"[..]));
    }

    #[test]
    fn another_address_is_not_acknowledged() {
        let mut master = Master::new(true);
        master.start();
        assert!(!master.send(0x50));
        master.stop();
        assert_eq!(master.read(0, 1), Some(vec![3]), "and the bus still works");
    }

    #[test]
    fn an_empty_cage_does_not_answer_but_the_lines_follow() {
        let mut master = Master::new(false);
        assert_eq!(master.read(0, 1), None);
    }
}

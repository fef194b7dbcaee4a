// mmio · facts of vfio-user's mapped pages
// Registers by typed names: a load or store where the address is mapped, a message where not; every wait has a deadline.

//! Register access: which way an access takes, in what order, and how long to wait.
//!
//! An access to a mapped address is one aligned 32-bit load or store; any other is a message to the device, which has
//! been carried out when the call returns. Three rules follow for whoever programs a device:
//!
//! * a **mapped** load has no side effects when the other end is software, and a mapped store may not have been looked
//!   at yet; [`Mmio::read_through`] always goes to the device, and is also a fence for the stores before it;
//! * a **posted** write ([`Mmio::post`]) is carried out before the next message, but a failure is not told;
//! * the **doorbell** ([`Doorbell::ring`]) comes after everything that was written to DMA memory before it.

mod window;

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bus::Function;
use crate::error::{Error, Result};
pub use window::Window;

/// A register as the generated `regs` modules describe it: a name for messages and an offset in its region.
pub trait Register: Display + Copy {
    /// Offset in bytes from the start of the region; a multiple of 4.
    fn offset(self) -> u32;
}

/// The registers of one region of a function.
#[derive(Clone)]
pub struct Mmio {
    function: Arc<dyn Function>,
    region: u32,
    windows: Vec<Arc<Window>>,
}

impl Mmio {
    /// The registers in `region` of `function`, with all windows that it offers.
    pub fn new(function: Arc<dyn Function>, region: u32) -> Mmio {
        let windows = function.windows(region);
        Mmio { function, region, windows }
    }

    /// Reads a register: a load if it is mapped, otherwise a message.
    ///
    /// # Errors
    /// Those of [`Function::read`].
    pub fn read(&self, register: impl Register) -> Result<u32> {
        match self.window(register) {
            Some(window) => self.doubted(window.load(register.offset())),
            None => self.read_through(register),
        }
    }

    /// Reads a register by asking the device, mapped or not: for registers that a read changes, and as a fence.
    /// When it returns, the device has seen every store and message before.
    ///
    /// # Errors
    /// Those of [`Function::read`].
    pub fn read_through(&self, register: impl Register) -> Result<u32> {
        let mut bytes = [0; 4];
        self.function.read(self.region, register.offset().into(), &mut bytes)?;
        self.doubted(u32::from_le_bytes(bytes))
    }

    /// All ones is what a card that was pulled out reads as, and what hardly any register does: worth a question.
    fn doubted(&self, word: u32) -> Result<u32> {
        if word == u32::MAX {
            self.function.check()?;
        }
        Ok(word)
    }

    /// Writes a register: a store if it is mapped, otherwise a message whose answer is awaited.
    ///
    /// # Errors
    /// Those of [`Function::write`].
    pub fn write(&self, register: impl Register, value: u32) -> Result<()> {
        match self.window(register) {
            Some(window) => {
                window.store(register.offset(), value);
                Ok(())
            }
            None => self.function.write(self.region, register.offset().into(), &value.to_le_bytes()),
        }
    }

    /// Writes a register without waiting for the answer: for long tables. Follow it with a
    /// [`read_through`](Mmio::read_through).
    ///
    /// # Errors
    /// Those of [`Function::post`].
    pub fn post(&self, register: impl Register, value: u32) -> Result<()> {
        match self.window(register) {
            Some(_) => self.write(register, value),
            None => self.function.post(self.region, register.offset().into(), &value.to_le_bytes()),
        }
    }

    /// Reads a register, lets `change` make the new value, and writes that.
    ///
    /// # Errors
    /// Those of [`Mmio::read`] and [`Mmio::write`].
    pub fn modify(&self, register: impl Register, change: impl FnOnce(u32) -> u32) -> Result<()> {
        let value = self.read(register)?;
        self.write(register, change(value))
    }

    /// Sets the bits of `mask`, leaving the others.
    ///
    /// # Errors
    /// Those of [`Mmio::modify`].
    pub fn set(&self, register: impl Register, mask: u32) -> Result<()> {
        self.modify(register, |value| value | mask)
    }

    /// Clears the bits of `mask`, leaving the others.
    ///
    /// # Errors
    /// Those of [`Mmio::modify`].
    pub fn clear(&self, register: impl Register, mask: u32) -> Result<()> {
        self.modify(register, |value| value & !mask)
    }

    /// Waits until the device itself says that `register & mask == value`, at most `deadline`. Looks at least twice,
    /// so that a slow machine does not make a timeout of an answer that is there. Returns the register's value.
    ///
    /// # Errors
    /// [`Error::Timeout`] with the register's name, mask and the time waited, and those of [`Function::read`].
    pub fn wait(&self, register: impl Register, mask: u32, value: u32, deadline: Duration) -> Result<u32> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(1);
        loop {
            let late = start.elapsed() >= deadline;
            let word = self.read_through(register)?;
            if word & mask == value {
                return Ok(word);
            }
            if late {
                let register = register.to_string();
                return Err(Error::Timeout { register, mask, value, waited: start.elapsed() });
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(1));
        }
    }

    /// The tail register of a queue, resolved once so that ringing it is one store.
    pub fn doorbell(&self, register: impl Register) -> Doorbell {
        let offset = register.offset();
        let way = match self.window(register) {
            Some(window) => Bell::Mapped(window.clone()),
            None => Bell::Trapped(self.function.clone(), self.region),
        };
        Doorbell { way, offset }
    }

    fn window(&self, register: impl Register) -> Option<&Arc<Window>> {
        self.windows.iter().find(|window| window.covers(register.offset()))
    }
}

/// A tail register.
pub struct Doorbell {
    way: Bell,
    offset: u32,
}

enum Bell {
    Mapped(Arc<Window>),
    Trapped(Arc<dyn Function>, u32),
}

impl Doorbell {
    /// Writes the tail, after everything that was written to DMA memory before (release).
    ///
    /// # Errors
    /// None if the register is mapped, otherwise those of [`Function::write`].
    #[inline]
    pub fn ring(&self, tail: u32) -> Result<()> {
        match &self.way {
            Bell::Mapped(window) => {
                window.store(self.offset, tail);
                Ok(())
            }
            Bell::Trapped(function, region) => {
                function.write(*region, self.offset.into(), &tail.to_le_bytes())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::fake::Fake;
    use std::os::fd::AsFd;

    #[derive(Clone, Copy)]
    struct At(u32);

    impl Display for At {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "AT[{:#x}]", self.0)
        }
    }

    impl Register for At {
        fn offset(self) -> u32 {
            self.0
        }
    }

    #[test]
    fn a_mapped_address_is_memory_and_any_other_a_message() {
        let fake = Fake::with_window(0x1000, 0x1000);
        let mmio = Mmio::new(fake.clone(), 0);
        mmio.write(At(0x1018), 7).unwrap();
        assert_eq!(mmio.read(At(0x1018)).unwrap(), 7);
        assert_eq!(fake.messages(), 0);
        mmio.write(At(0x2000), 8).unwrap();
        assert_eq!((mmio.read(At(0x2000)).unwrap(), fake.messages()), (8, 2));
        assert_eq!((mmio.read_through(At(0x1018)).unwrap(), fake.messages()), (7, 3));
        mmio.doorbell(At(0x1018)).ring(9).unwrap();
        assert_eq!((mmio.read(At(0x1018)).unwrap(), fake.messages()), (9, 3));
    }

    #[test]
    fn a_mapped_card_that_is_gone_reads_as_ones() {
        let fake = Fake::with_window(0x1000, 0x1000);
        let mmio = Mmio::new(fake.clone(), 0);
        mmio.write(At(0x1018), u32::MAX).unwrap();
        assert_eq!(mmio.read(At(0x1018)).unwrap(), u32::MAX);
        fake.die();
        assert_eq!(mmio.read(At(0x1018)).unwrap_err().kind(), "DeviceFailed");
    }

    #[test]
    fn a_wait_names_the_register_and_the_time() {
        let mmio = Mmio::new(Fake::with_window(0x1000, 0x1000), 0);
        let error = mmio.wait(At(8), 6, 2, Duration::from_millis(20)).unwrap_err();
        let Error::Timeout { register, mask, value, waited } = error else { panic!("{error}") };
        assert_eq!((register.as_str(), mask, value), ("AT[0x8]", 6, 2));
        assert!(waited >= Duration::from_millis(20));
    }

    #[test]
    fn a_file_that_is_too_short_is_not_mapped() {
        let file = rustix::fs::memfd_create("short", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&file, 4096).unwrap();
        assert!(Window::map(file.as_fd(), 0, 0, 4096).is_ok());
        for (offset, start, length) in
            [(4096, 0, 4096), (0, 0, 8192), (0, 4, 4096), (u64::MAX - 4095, 0, 4096), (0, 0, 0)]
        {
            assert_eq!(Window::map(file.as_fd(), offset, start, length).unwrap_err().kind(), "DeviceFailed");
        }
    }
}

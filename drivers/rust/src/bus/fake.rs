//! A function made of memory, for unit tests: registers that remember, a log of messages, and faults.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex};

use rustix::fs::MemfdFlags;

use super::{CONFIG_SPACE, Function, Way};
use crate::dma::DmaMemory;
use crate::error::{Error, Result};
use crate::mmio::Window;

/// What the device does when a register is written: it may change any of them.
type Behaviour = Box<dyn Fn(&mut HashMap<u32, u32>, u32, u32) + Send + Sync>;

pub(crate) struct Fake {
    windows: Vec<Arc<Window>>,
    state: Mutex<State>,
    behaviour: Behaviour,
}

#[derive(Default)]
struct State {
    registers: HashMap<u32, u32>,
    config: [u8; 32],
    /// Bits that read as a fixed value whatever was written.
    stuck: HashMap<u32, (u32, u32)>,
    reads: usize,
    writes: Vec<(u32, u32)>,
    gone: bool,
    mapped: bool,
    resets: usize,
}

impl Fake {
    /// Registers that remember, the window's in mapped memory.
    pub(crate) fn with_window(start: u32, length: u32) -> Arc<Fake> {
        let file = rustix::fs::memfd_create("fake", MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&file, length.into()).unwrap();
        let window = Window::map(file.as_fd(), 0, start, length).unwrap();
        Arc::new(Fake {
            windows: vec![Arc::new(window)],
            state: Mutex::default(),
            behaviour: Box::new(|_, _, _| {}),
        })
    }

    /// No window, so that every access is in the log, and a device that reacts to writes.
    pub(crate) fn device(behaviour: Behaviour) -> Arc<Fake> {
        Arc::new(Fake { windows: Vec::new(), state: Mutex::default(), behaviour })
    }

    /// Number of messages about registers so far.
    pub(crate) fn messages(&self) -> usize {
        let state = self.state.lock().unwrap();
        state.reads + state.writes.len()
    }

    /// All writes to registers so far.
    pub(crate) fn writes(&self) -> Vec<(u32, u32)> {
        self.state.lock().unwrap().writes.clone()
    }

    pub(crate) fn set(&self, offset: u32, value: u32) {
        self.state.lock().unwrap().registers.insert(offset, value);
    }

    pub(crate) fn get(&self, offset: u32) -> u32 {
        self.state.lock().unwrap().registers.get(&offset).copied().unwrap_or(0)
    }

    /// From now on the bits of `mask` read as `value`.
    pub(crate) fn stick(&self, offset: u32, mask: u32, value: u32) {
        self.state.lock().unwrap().stuck.insert(offset, (mask, value));
    }

    /// The peer is gone.
    pub(crate) fn die(&self) {
        self.state.lock().unwrap().gone = true;
    }

    /// Number of resets by way of the bus.
    pub(crate) fn resets(&self) -> usize {
        self.state.lock().unwrap().resets
    }

    /// True while DMA memory is mapped.
    pub(crate) fn is_mapped(&self) -> bool {
        self.state.lock().unwrap().mapped
    }
}

impl Function for Fake {
    fn way(&self) -> Way {
        Way::VfioUser
    }

    fn address(&self) -> &str {
        "fake"
    }

    fn size(&self, _region: u32) -> u64 {
        0x2_0000
    }

    fn windows(&self, _region: u32) -> Vec<Arc<Window>> {
        self.windows.clone()
    }

    fn read(&self, region: u32, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.check()?;
        let mut state = self.state.lock().unwrap();
        if region == CONFIG_SPACE {
            bytes.copy_from_slice(&state.config[offset as usize..][..bytes.len()]);
            return Ok(());
        }
        state.reads += 1;
        let offset = offset as u32;
        let value = match self.windows.iter().find(|window| window.covers(offset)) {
            Some(window) => window.load(offset),
            None => state.registers.get(&offset).copied().unwrap_or(0),
        };
        let (mask, stuck) = state.stuck.get(&offset).copied().unwrap_or((0, 0));
        bytes.copy_from_slice(&(value & !mask | stuck).to_le_bytes());
        Ok(())
    }

    fn write(&self, region: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        self.check()?;
        let mut state = self.state.lock().unwrap();
        if region == CONFIG_SPACE {
            state.config[offset as usize..][..bytes.len()].copy_from_slice(bytes);
            return Ok(());
        }
        let (offset, value) = (offset as u32, u32::from_le_bytes(bytes.try_into().unwrap()));
        state.writes.push((offset, value));
        state.registers.insert(offset, value);
        (self.behaviour)(&mut state.registers, offset, value);
        Ok(())
    }

    fn map_dma(&self, _memory: &DmaMemory) -> Result<()> {
        self.state.lock().unwrap().mapped = true;
        self.check()
    }

    fn unmap_dma(&self, _memory: &DmaMemory) -> Result<()> {
        self.state.lock().unwrap().mapped = false;
        self.check()
    }

    fn vectors(&self) -> Result<u32> {
        Ok(0)
    }

    fn bind_vectors(&self, _first: u32, _events: &[BorrowedFd<'_>]) -> Result<()> {
        Err(Error::Unsupported("no vectors".into()))
    }

    fn unbind_vectors(&self) -> Result<()> {
        Ok(())
    }

    fn reset(&self) -> Result<()> {
        self.state.lock().unwrap().resets += 1;
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let gone = self.state.lock().unwrap().gone;
        if gone { Err(Error::DeviceFailed("fake: gone".into())) } else { Ok(()) }
    }
}

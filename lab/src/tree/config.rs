//! The configuration space as a file: compared like the registers, and given to the device byte for byte.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::Ordering;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use crate::device::Device;
use crate::shared::SharedWords;

/// VFIO's index of the configuration space.
const REGION: u32 = 7;
/// Bytes.
const SIZE: usize = 4096;

/// Offset of the command register, and its bits for access to memory and bus mastering (82599:9.3.3).
const COMMAND: usize = 4;
const MEMORY_AND_MASTER: u16 = 6;

/// A file of `bytes`, which nobody can make shorter: that would be a SIGBUS to whoever has it mapped.
pub fn shared_file(name: &str, bytes: usize) -> io::Result<OwnedFd> {
    let file = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    ftruncate(&file, bytes as u64)?;
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
    Ok(file)
}

/// What a card that is not there any more reads as.
pub fn fill_with_ones(file: &OwnedFd, bytes: usize) -> io::Result<()> {
    let words = SharedWords::map(file, bytes)?;
    (0..bytes).step_by(4).for_each(|offset| words.word(offset).store(u32::MAX, Ordering::Relaxed));
    Ok(())
}

/// The file, and what it last held.
#[derive(Debug)]
pub struct ConfigFile {
    file: OwnedFd,
    words: SharedWords,
    last: Box<[u32]>,
}

impl ConfigFile {
    /// A file of zeros; see [`show`](ConfigFile::show).
    pub fn new() -> io::Result<Self> {
        let file = shared_file("ringway-config", SIZE)?;
        let words = SharedWords::map(&file, SIZE)?;
        Ok(ConfigFile { file, words, last: vec![0; SIZE / 4].into() })
    }

    /// The file that the driver opens.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Puts there what the device has.
    pub fn show(&mut self, device: &mut dyn Device) {
        for index in 0..self.last.len() {
            self.show_word(device, index);
        }
    }

    /// The device is not there any more. Until the next [`show`](ConfigFile::show), nothing may be looked at.
    pub fn fill_with_ones(&mut self) {
        (0..SIZE).step_by(4).for_each(|offset| self.words.word(offset).store(u32::MAX, Ordering::Release));
    }

    fn show_word(&mut self, device: &mut dyn Device, index: usize) {
        let mut bytes = [0; 4];
        if device.read(REGION, index as u64 * 4, &mut bytes).is_ok() {
            self.last[index] = u32::from_le_bytes(bytes);
            self.words.word(index * 4).store(self.last[index].to_le(), Ordering::Release);
        }
    }

    /// Lets the device master the bus, as igb_uio does for whoever opens `/dev/uioN`.
    pub fn set_master(&mut self, device: &mut dyn Device) {
        let command = (self.last[COMMAND / 4] as u16 | MEMORY_AND_MASTER).to_le_bytes();
        let _ = device.write(REGION, COMMAND as u64, &command);
        self.show_word(device, COMMAND / 4);
    }

    /// Gives the device what the driver has written. Returns the number of writes.
    pub fn look(&mut self, device: &mut dyn Device) -> usize {
        let mut written = 0;
        for index in 0..self.last.len() {
            let value = u32::from_le(self.words.word(index * 4).load(Ordering::Acquire));
            if value == self.last[index] {
                continue;
            }
            written += 1;
            let (new, old) = (value.to_le_bytes(), self.last[index].to_le_bytes());
            let first = (0..4).position(|byte| new[byte] != old[byte]).unwrap_or(0);
            let end = (0..4).rposition(|byte| new[byte] != old[byte]).map_or(4, |byte| byte + 1);
            // A write that the device refuses is undone in the file all the same.
            let _ = device.write(REGION, (index * 4 + first) as u64, &new[first..end]);
            self.show_word(device, index);
        }
        written
    }
}

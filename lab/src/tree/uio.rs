//! `/dev/uioN`: interrupts for drivers that know the kernel's UIO.
//!
//! It is a pseudo-terminal in raw mode. The driver writes 0 or 1 (four bytes) to disable or enable interrupts, waits until it
//! can read, and reads a count of four bytes. The device side signals an eventfd, as it does for every other way.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{read, write};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::device::Device;

/// VFIO's index of MSI, the device's only interrupt that is one line.
const MSI: u32 = 1;

/// One `/dev/uioN`.
#[derive(Debug)]
pub struct Uio {
    master: OwnedFd,
    /// Kept open, so that the driver's closing of it is no hang-up.
    slave: OwnedFd,
    path: PathBuf,
    eventfd: OwnedFd,
    enabled: bool,
    pending: bool,
    count: u32,
}

impl Uio {
    /// A terminal of its own.
    pub fn new() -> io::Result<Self> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        rustix::io::ioctl_fionbio(&master, true)?;
        let name = ptsname(&master, Vec::new())?;
        let path = PathBuf::from(name.to_string_lossy().into_owned());
        let slave = open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        let mut modes = tcgetattr(&slave)?;
        modes.make_raw();
        tcsetattr(&slave, OptionalActions::Now, &modes)?;
        let eventfd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Uio { master, slave, path, eventfd, enabled: false, pending: false, count: 0 })
    }

    /// The terminal's name.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// Lets the device interrupt through this.
    pub fn bind(&self, device: &mut dyn Device) -> io::Result<()> {
        Ok(device.bind_vector(MSI, 0, Some(self.eventfd.as_fd().try_clone_to_owned()?))?)
    }

    /// Passes on what has come, both ways. Returns how much.
    pub fn poll(&mut self) -> usize {
        let mut done = 0;
        let mut control = [0; 4];
        while matches!(read(&self.master, &mut control), Ok(4)) {
            self.enabled = control != [0; 4];
            done += 1;
        }
        if read(&self.eventfd, &mut [0; 8]).is_ok() {
            self.pending = true;
        }
        // The kernel's UIO drivers mask the interrupt when it comes, until it is enabled again.
        if self.pending && self.enabled {
            (self.pending, self.enabled) = (false, false);
            self.count += 1;
            // The driver reads so few of them that there is always room.
            let _ = write(&self.master, &self.count.to_ne_bytes());
            done += 1;
        }
        done
    }

    /// The driver is gone: the next begins anew.
    pub fn reset(&mut self) {
        let _ = rustix::termios::tcflush(&self.slave, rustix::termios::QueueSelector::IOFlush);
        let _ = read(&self.eventfd, &mut [0; 8]);
        while matches!(read(&self.master, &mut [0; 64]), Ok(1..)) {}
        (self.enabled, self.pending) = (false, false);
    }
}

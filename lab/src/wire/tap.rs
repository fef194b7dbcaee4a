//! A TAP interface of the Linux kernel as a wire: the kernel's network stack is what the NIC is plugged into.
//!
//! No offloads are asked for (neither `IFF_VNET_HDR` nor `TUNSETOFFLOAD`), so that each frame comes from the kernel
//! whole, not longer than the MTU allows, and with its checksums filled in.

use std::ffi::{c_int, c_short};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;

use rustix::io::Errno;
use rustix::ioctl::{Updater, ioctl, opcode};

use super::pcap::Padded;
use super::{Frame, Wire};
use crate::clock::Nanos;

const DEVICE: &str = "/dev/net/tun";
/// A frame from the kernel cannot be longer: the largest MTU is 65535 (linux/if_tun.h says nothing smaller).
const LONGEST: usize = 65535 + 18;
/// `TUNSETIFF` and its flags, from linux/if_tun.h.
const TUNSETIFF: rustix::ioctl::Opcode = opcode::write::<c_int>(b'T', 202);
const IFF_TAP: c_short = 0x0002;
const IFF_NO_PI: c_short = 0x1000;
/// `IFNAMSIZ`, with the zero at the end.
const NAME: usize = 16;

/// Why there is no TAP interface.
#[derive(Debug, thiserror::Error)]
pub enum TapError {
    /// The kernel has no TAP, or the container does not show it.
    #[error("{DEVICE} is not there; load it (modprobe tun) or give it to the container (--device {DEVICE})")]
    NoDevice,
    /// We may not make interfaces, or not use this one.
    #[error(
        "no permission for the TAP interface {name}: run as root or with CAP_NET_ADMIN, or let root make it for you \
         (ip tuntap add dev {name} mode tap user $USER)"
    )]
    PermissionDenied {
        /// As asked for.
        name: String,
    },
    /// Another program has the interface, or it is none of this kind.
    #[error("the interface {name} is taken by another program or is no TAP interface; choose another name")]
    Taken {
        /// As asked for.
        name: String,
    },
    /// The kernel does not take such a name.
    #[error(
        "{name:?} cannot be the name of an interface; use 1 to 15 characters without / and spaces (\"tap%d\" finds a number)"
    )]
    BadName {
        /// As asked for.
        name: String,
    },
    /// Anything else.
    #[error("cannot open the TAP interface {name}: {source}")]
    Other {
        /// As asked for.
        name: String,
        /// What the kernel says.
        source: io::Error,
    },
}

/// One end of a TAP interface; the kernel has the other. The interface goes away with it unless it is persistent.
#[derive(Debug)]
pub struct TapWire {
    file: File,
    name: String,
    buffer: Box<[u8]>,
    /// Length of the frame in `buffer`; 0 if there is none.
    length: usize,
    padded: Padded,
    dropped: u64,
    gone: bool,
    error: Option<io::Error>,
}

/// `struct ifreq` of linux/if.h as far as TUNSETIFF looks at it; the rest of its union is filling.
#[repr(C)]
struct InterfaceRequest {
    name: [u8; NAME],
    flags: c_short,
    rest: [u8; 22],
}

impl TapWire {
    /// Makes the interface, or attaches to one that was made before. In the name, `%d` becomes the first free number.
    /// It is down and has no address; whoever wants it otherwise says so with `ip`.
    ///
    /// # Errors
    /// If there is no permission, the name is bad or taken, or there is no TAP here.
    pub fn open(name: &str) -> Result<Self, TapError> {
        let bad = name.is_empty() || name.len() >= NAME || name.contains(['/', ' ', '\0']);
        if bad {
            return Err(TapError::BadName { name: name.into() });
        }
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        let opened = OpenOptions::new().read(true).write(true).custom_flags(nonblocking).open(DEVICE);
        let file = opened.map_err(|error| explain(name, error))?;
        let name = attach(&file, name).map_err(|errno| explain(name, errno.into()))?;
        Ok(TapWire {
            file,
            name,
            buffer: vec![0; LONGEST].into(),
            length: 0,
            padded: Padded::default(),
            dropped: 0,
            gone: false,
            error: None,
        })
    }

    /// The interface's name, with its number if it was asked for with `%d`.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn fail(&mut self, errno: Errno) {
        if !self.gone {
            self.gone = true;
            let error = io::Error::from(errno);
            self.error =
                Some(io::Error::new(error.kind(), format!("the TAP interface {}: {error}", self.name)));
        }
    }

    /// Asks the kernel for a frame.
    fn fetch(&mut self) {
        if self.gone {
            return;
        }
        match rustix::io::read(&self.file, &mut self.buffer[..]) {
            Ok(length) => self.length = length,
            Err(errno) if is_passing(errno) => {}
            Err(errno) => self.fail(errno),
        }
    }
}

impl Wire for TapWire {
    fn peek(&mut self, _now: Nanos) -> Option<Frame<'_>> {
        if self.length == 0 {
            self.fetch();
        }
        let bytes = &self.buffer[..self.length];
        (!bytes.is_empty()).then(|| Frame { bytes: self.padded.pad(bytes), fcs_good: true })
    }

    fn advance(&mut self, _now: Nanos) {
        self.length = 0;
    }

    fn send(&mut self, frame: &[u8], _now: Nanos) {
        if self.gone {
            self.dropped += 1;
            return;
        }
        // One write is one frame, taken as a whole or not at all.
        if let Err(errno) = rustix::io::write(&self.file, frame) {
            self.dropped += 1;
            if !is_passing(errno) {
                self.fail(errno);
            }
        }
    }

    fn dropped(&self) -> u64 {
        self.dropped
    }

    fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }
}

/// Nothing to read, no room, a signal, a frame that the kernel finds too short, or the interface is down (EIO).
fn is_passing(errno: Errno) -> bool {
    [Errno::AGAIN, Errno::INTR, Errno::NOBUFS, Errno::NOMEM, Errno::INVAL, Errno::IO].contains(&errno)
}

/// Ties the file to an interface and returns its name.
fn attach(file: &File, name: &str) -> Result<String, Errno> {
    let mut request = InterfaceRequest { name: [0; NAME], flags: IFF_TAP | IFF_NO_PI, rest: [0; 22] };
    request.name[..name.len()].copy_from_slice(name.as_bytes());
    // SAFETY: TUNSETIFF reads and writes one `struct ifreq`, which is 40 bytes on 64-bit Linux, and
    // `InterfaceRequest` has the same size and the same fields where the kernel looks.
    unsafe {
        let update = Updater::<TUNSETIFF, InterfaceRequest>::new(&mut request);
        ioctl(file, update)?;
    }
    let end = request.name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
    Ok(String::from_utf8_lossy(&request.name[..end]).into_owned())
}

fn explain(name: &str, error: io::Error) -> TapError {
    let name = name.to_owned();
    match Errno::from_io_error(&error) {
        Some(Errno::NOENT | Errno::NODEV | Errno::NXIO) => TapError::NoDevice,
        Some(Errno::PERM | Errno::ACCESS) => TapError::PermissionDenied { name },
        Some(Errno::BUSY) => TapError::Taken { name },
        Some(Errno::INVAL) => TapError::Taken { name },
        _ => TapError::Other { name, source: error },
    }
}

const _: () = assert!(size_of::<InterfaceRequest>() == 40);

#[cfg(test)]
mod tests;

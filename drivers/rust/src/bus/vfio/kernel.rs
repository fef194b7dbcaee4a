//! The system calls of VFIO and iommufd, and nothing of what they are good for.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Access, Mode, OFlags};
use rustix::io::{Errno, Result};
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode};

use crate::bus::bytes::{put, u32_at};
use crate::bus::wire::ioctl;

/// A structure of `N` bytes for the kernel, which begins with its own size.
pub(super) struct Record<const N: usize>(pub(super) [u8; N]);

impl<const N: usize> Record<N> {
    /// Zeroes, but for the size.
    pub(super) fn new() -> Record<N> {
        Record([0; N]).with(0, N as u32)
    }

    /// The same with a 32-bit member.
    pub(super) fn with(mut self, at: usize, value: u32) -> Record<N> {
        put(&mut self.0, at, &value.to_ne_bytes());
        self
    }

    /// The same with a 64-bit member.
    pub(super) fn with_u64(mut self, at: usize, value: u64) -> Record<N> {
        put(&mut self.0, at, &value.to_ne_bytes());
        self
    }
}

/// What the ways of VFIO ask of the kernel. Tests play it.
pub(super) trait Kernel: Send + Sync {
    /// Whether this process may open `path` for reading and writing.
    fn may_open(&self, path: &Path) -> bool;
    /// Opens `path` for reading and writing.
    fn open(&self, path: &Path) -> Result<OwnedFd>;
    /// A call whose argument is a number.
    fn tell(&self, file: BorrowedFd<'_>, call: u32, argument: u32) -> Result<u32>;
    /// A call whose argument is a structure that begins with its own size; the kernel may write into it.
    fn exchange(&self, file: BorrowedFd<'_>, call: u32, record: &mut [u8]) -> Result<u32>;
    /// Puts a group into a container.
    fn enter(&self, group: BorrowedFd<'_>, container: BorrowedFd<'_>) -> Result<()>;
    /// Opens the device of a group that has this name.
    fn device(&self, group: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd>;
}

/// The real one.
pub(super) struct Linux;

/// One call. Its maker vouches for the pointer.
struct Call(u32, *mut c_void);

// SAFETY: the opcode and the pointer are those of the call, whose maker vouches that they belong together; the result
// of the call is all that is made of its output.
unsafe impl Ioctl for Call {
    type Output = u32;
    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        self.0
    }

    fn as_ptr(&mut self) -> *mut c_void {
        self.1
    }

    unsafe fn output_from_ptr(out: IoctlOutput, _pointer: *mut c_void) -> Result<u32> {
        Ok(out as u32)
    }
}

impl Kernel for Linux {
    fn may_open(&self, path: &Path) -> bool {
        rustix::fs::access(path, Access::READ_OK | Access::WRITE_OK).is_ok()
    }

    fn open(&self, path: &Path) -> Result<OwnedFd> {
        rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
    }

    fn tell(&self, file: BorrowedFd<'_>, call: u32, argument: u32) -> Result<u32> {
        let call = Call(call, std::ptr::without_provenance_mut(argument as usize));
        // SAFETY: needed to make a system call that rustix does not wrap. The calls that are made with a number take it
        // by value; if one took it for an address, the kernel would refuse it with EFAULT, since nothing is mapped
        // that low.
        unsafe { rustix::ioctl::ioctl(file, call) }
    }

    fn exchange(&self, file: BorrowedFd<'_>, call: u32, record: &mut [u8]) -> Result<u32> {
        if u32_at(record, 0) as usize != record.len() {
            return Err(Errno::INVAL);
        }
        let call = Call(call, record.as_mut_ptr().cast());
        // SAFETY: needed as above. The kernel reads and writes at most as many bytes as the structure says at its
        // front, which is its length, just checked; it copies, so alignment does not matter. Of the addresses that
        // structures carry only those of `DmaMemory` are ever sent (`Space::map`), which is made to be written to by
        // devices, and which the `Space` keeps alive until it is unmapped.
        unsafe { rustix::ioctl::ioctl(file, call) }
    }

    fn enter(&self, group: BorrowedFd<'_>, container: BorrowedFd<'_>) -> Result<()> {
        let mut number = container.as_raw_fd();
        let call = Call(ioctl::GROUP_SET_CONTAINER, (&raw mut number).cast());
        // SAFETY: needed as above. The kernel reads one 32-bit integer, which lives until the call returns.
        unsafe { rustix::ioctl::ioctl(group, call) }.map(|_| ())
    }

    fn device(&self, group: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd> {
        let call = Call(ioctl::GROUP_GET_DEVICE_FD, name.as_ptr().cast_mut().cast());
        // SAFETY: needed as above. The kernel reads a string with its end, which `CStr` has, and does not write.
        let number = unsafe { rustix::ioctl::ioctl(group.as_fd(), call)? };
        // SAFETY: the call has succeeded, so this is a new descriptor that nobody else knows of.
        Ok(unsafe { OwnedFd::from_raw_fd(number as i32) })
    }
}

//! The processor's watchpoints: who loads from or stores to a few registers of a BAR that is plain memory.
//!
//! A watchpoint belongs to a thread and an address, so each thread of each process that has the BAR mapped gets its own; a
//! processor has four. An access costs its thread some microseconds; on the polling side, looking costs one load for
//! each watchpoint.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, FromRawFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use perf_event_open_sys::bindings::{HW_BREAKPOINT_LEN_4, HW_BREAKPOINT_RW, PERF_TYPE_BREAKPOINT};
use perf_event_open_sys::bindings::{perf_event_attr, perf_event_mmap_page};
use perf_event_open_sys::perf_event_open;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// Bytes of a ring: a page that says where it is, and one for what has happened.
const RING: usize = 2 * 4096;

/// One address of one thread.
#[derive(Debug)]
pub struct Watchpoint {
    /// Keeps the watchpoint; what it tells is in the ring.
    _event: File,
    ring: NonNull<perf_event_mmap_page>,
    seen: u64,
    /// What is watched, as offset in the BAR.
    pub offset: u32,
}

// SAFETY: the ring is a mapping owned by this value; its two counters are accessed atomically, the rest not at all.
unsafe impl Send for Watchpoint {}

impl Watchpoint {
    /// Watches four bytes at `address` of `thread`.
    ///
    /// # Errors
    ///
    /// What the system says: it has no watchpoints, they are all in use, the thread is gone.
    pub fn set(thread: u32, address: u64, offset: u32) -> io::Result<Self> {
        let mut attributes = perf_event_attr {
            size: size_of::<perf_event_attr>() as u32,
            type_: PERF_TYPE_BREAKPOINT,
            bp_type: HW_BREAKPOINT_RW,
            ..perf_event_attr::default()
        };
        attributes.__bindgen_anon_1.sample_period = 1;
        attributes.__bindgen_anon_3.bp_addr = address;
        attributes.__bindgen_anon_4.bp_len = HW_BREAKPOINT_LEN_4.into();
        attributes.set_exclude_kernel(1);
        attributes.set_exclude_hv(1);
        // SAFETY: `attributes` is a complete structure of the size that it names.
        let event = unsafe { perf_event_open(&mut attributes, thread as i32, -1, -1, CLOSE_ON_EXEC) };
        if event < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: just opened, and nobody else has it.
        let event = unsafe { File::from_raw_fd(event) };
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice replaces nothing.
        let ring = unsafe { mmap(ptr::null_mut(), RING, access, MapFlags::SHARED, event.as_fd(), 0)? };
        let ring = NonNull::new(ring.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Watchpoint { _event: event, ring, seen: 0, offset })
    }

    /// Whether there was an access since the last call.
    pub fn tripped(&mut self) -> bool {
        // SAFETY: both fields are aligned words of the mapped page, which the kernel changes meanwhile.
        let (head, tail) = unsafe {
            let page = self.ring.as_ptr();
            let word = |field| AtomicU64::from_ptr(field);
            (word(&raw mut (*page).data_head), word(&raw mut (*page).data_tail))
        };
        let head = head.load(Ordering::Acquire);
        if head == self.seen {
            return false;
        }
        self.seen = head;
        tail.store(head, Ordering::Release);
        true
    }
}

/// Whether this machine lets this process watch addresses.
pub fn available() -> bool {
    static WORD: AtomicU32 = AtomicU32::new(0);
    let thread = rustix::thread::gettid().as_raw_nonzero().get() as u32;
    Watchpoint::set(thread, WORD.as_ptr() as u64, 0).is_ok()
}

/// `PERF_FLAG_FD_CLOEXEC` of linux/perf_event.h.
const CLOSE_ON_EXEC: std::ffi::c_ulong = 8;

impl Drop for Watchpoint {
    fn drop(&mut self) {
        // SAFETY: mapped in `set`, and no reference into it is left.
        let _ = unsafe { munmap(self.ring.as_ptr().cast(), RING) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::guard;
    use super::*;

    #[test]
    fn loads_and_stores_are_noticed_where_there_are_watchpoints() {
        static WORDS: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];
        let thread = rustix::thread::gettid().as_raw_nonzero().get() as u32;
        let _hold = guard::start().unwrap();
        let Ok(mut ward) = guard::guard(thread) else {
            return eprintln!("skipped: this machine does not let us trace");
        };
        let Ok(mut watch) = Watchpoint::set(thread, WORDS[1].as_ptr() as u64, 4) else {
            return eprintln!("skipped: this machine has no watchpoints for us");
        };
        let mut tripped = || watch.tripped() || ward.unexplained() > 0;
        assert!(!tripped());
        WORDS[0].load(Ordering::Relaxed);
        assert!(!tripped());
        WORDS[1].load(Ordering::Relaxed);
        assert!(tripped() && !tripped());
        for _ in 0..2_000 {
            WORDS[1].store(1, Ordering::Relaxed);
            assert!(tripped(), "the ring never fills");
        }
    }
}

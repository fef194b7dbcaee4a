//! Keeps threads that are watched from being killed by their watchpoints.
//!
//! When a watchpoint is hit, the processor says in its register DR6 which one. Some virtual machines forget to, now and then
//! (one hit in 1600 was measured); Linux then takes the trap for the instruction INT1, and its SIGTRAP ends the program. So
//! whoever is watched is traced as well (ptrace(2)), and such a signal goes no further. All others do, and stops and
//! continuations by job control are left as they are.
//!
//! It was a hit all the same, which somebody wants to know: a page that is shared with the guard says how many each thread has
//! had ([`Ward::unexplained`]). The thread goes on only when that is written.
//!
//! It is a process of its own that traces: to one that has started the program itself, wait(2) would tell each stop of the
//! program as its end.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::processes::is_alive;

/// `TRAP_BRKPT` and `TRAP_HWBKPT` of asm-generic/siginfo.h: INT1, or what is taken for it; a watchpoint that is nobody's any
/// more. A debugger's breakpoint has neither.
const UNEXPLAINED: [i32; 2] = [1, 4];
/// How often those are looked after that are traced.
const PAUSE_MS: i32 = 1;

/// Threads that can be guarded at the same time.
const WARDS: usize = 1024;

/// What the guard and those who asked for it know of one thread.
#[derive(Debug, Default)]
struct Slot {
    /// 0 if the slot is free.
    thread: AtomicU32,
    hits: AtomicU32,
}

type Slots = [Slot; WARDS];

/// A thread that is guarded.
#[derive(Debug)]
pub struct Ward {
    slots: &'static Slots,
    place: usize,
    seen: u32,
}

impl Ward {
    /// How often since the last call the thread has hit some watchpoint, and the processor has not said which.
    #[inline]
    pub fn unexplained(&mut self) -> u32 {
        let hits = self.slots[self.place].hits.load(Ordering::Acquire);
        let more = hits.wrapping_sub(self.seen);
        self.seen = hits;
        more
    }
}

/// The guard of this process, if it has one.
static GUARD: Mutex<Option<Guard>> = Mutex::new(None);

/// Somebody needs the guard; it ends with the last of them.
#[derive(Debug)]
pub struct Hold(());

#[derive(Debug)]
struct Guard {
    socket: OwnedFd,
    process: libc::pid_t,
    slots: &'static Slots,
    holds: usize,
}

/// Starts the guard. To be called while this process has no other threads and no shared memory, for it is a copy of it.
///
/// # Errors
///
/// What the system says if it gives no process.
pub fn start() -> io::Result<Hold> {
    let mut place = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    match &mut *place {
        Some(guard) => guard.holds += 1,
        None => *place = Some(fork()?),
    }
    Ok(Hold(()))
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut place = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
        let last = place.as_mut().is_some_and(|guard| {
            guard.holds -= 1;
            guard.holds == 0
        });
        if let Some(Guard { socket, process, .. }) = place.take_if(|_| last) {
            drop(socket);
            // SAFETY: waits for a child of this module, and asks nothing of it.
            unsafe { libc::waitpid(process, ptr::null_mut(), 0) };
        }
    }
}

/// The process of the guard.
pub fn process() -> Option<u32> {
    let place = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    place.as_ref().map(|guard| guard.process as u32)
}

/// Guards `thread` of another process from now on until it ends; does nothing if it is guarded already.
///
/// # Errors
///
/// What the system says: somebody else traces it (EPERM), it is gone (ESRCH). There is no guard.
pub fn guard(thread: u32) -> io::Result<Ward> {
    let place = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    let guard = place.as_ref().ok_or_else(|| io::Error::other("nobody guards the watched"))?;
    let slots = guard.slots;
    let ward = |place: usize| Ward { slots, place, seen: slots[place].hits.load(Ordering::Acquire) };
    let of = |thread: u32| slots.iter().position(|slot| slot.thread.load(Ordering::Acquire) == thread);
    if let Some(place) = of(thread).filter(|_| is_alive(thread)) {
        return Ok(ward(place));
    }
    let place = of(0).ok_or(io::ErrorKind::QuotaExceeded)?;
    slots[place].thread.store(thread, Ordering::Release);
    let guarded = ask(guard, thread);
    guarded.inspect_err(|_| slots[place].thread.store(0, Ordering::Release))?;
    Ok(ward(place))
}

/// Has the guard begin.
fn ask(guard: &Guard, thread: u32) -> io::Result<()> {
    rustix::io::write(&guard.socket, &thread.to_ne_bytes())?;
    let mut answer = [0; 4];
    if rustix::io::read(&guard.socket, &mut answer)? != answer.len() {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    match i32::from_ne_bytes(answer) {
        0 => Ok(()),
        libc::EPERM if !is_alive(thread) => Err(io::Error::from_raw_os_error(libc::ESRCH)),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

fn fork() -> io::Result<Guard> {
    let flags = SocketFlags::CLOEXEC;
    let (socket, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    let slots = shared_slots()?;
    // SAFETY: the child makes system calls and nothing else: no lock is taken and no memory allocated.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => stand_guard(theirs.as_raw_fd(), slots),
        process => Ok(Guard { socket, process, slots, holds: 1 }),
    }
}

/// Free slots in memory that a fork does not copy.
fn shared_slots() -> io::Result<&'static Slots> {
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice replaces nothing.
    let slots = unsafe { mmap_anonymous(ptr::null_mut(), size_of::<Slots>(), access, MapFlags::SHARED)? };
    // SAFETY: zeros are free slots; the mapping is aligned to pages, is as large, and is never taken away.
    Ok(unsafe { &*slots.cast::<Slots>() })
}

/// All that the process of the guard does. Ends when nobody is left at the other end of `socket`.
fn stand_guard(socket: RawFd, slots: &Slots) -> ! {
    // SAFETY: descriptors that this process has no use for, and no memory but its own.
    unsafe {
        libc::setsid(); // what the terminal sends is for others
        libc::dup2(socket, 0);
        libc::close_range(1, libc::c_uint::MAX, 0);
    }
    while obey() {
        while let Some(stopped) = stopped(slots) {
            // A thread that was killed meanwhile is not stopped any more; there is nothing to do for it.
            let _ = pass_on(&stopped, slots);
        }
    }
    // SAFETY: ends this process, without what its parent has registered for its own end.
    unsafe { libc::_exit(0) }
}

/// Waits a little for a thread that is to be guarded. False when nobody will name any more.
fn obey() -> bool {
    let mut ready = libc::pollfd { fd: 0, events: libc::POLLIN, revents: 0 };
    let mut thread = [0; 4];
    // SAFETY: structures of this function, of the sizes that are named.
    unsafe {
        if libc::poll(&mut ready, 1, pause()) <= 0 {
            return true;
        }
        if libc::read(0, thread.as_mut_ptr().cast(), 4) != 4 {
            return false;
        }
        let answer = seize(u32::from_ne_bytes(thread)).to_ne_bytes();
        libc::write(0, answer.as_ptr().cast(), 4) == 4
    }
}

/// The error, or 0.
fn seize(thread: u32) -> i32 {
    let seized = ptrace(libc::PTRACE_SEIZE, thread, 0, ptr::null_mut());
    seized.map_or_else(|error| error.raw_os_error().unwrap_or(libc::EIO), |()| 0)
}

/// How long to wait for somebody to be named: not long while somebody is traced.
fn pause() -> i32 {
    let options = libc::WSTOPPED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
    // SAFETY: nothing is written where there is nowhere to write to.
    let nobody = unsafe { libc::waitid(libc::P_ALL, 0, ptr::null_mut(), options) } != 0;
    if nobody { -1 } else { PAUSE_MS }
}

/// A thread that has stopped, as waitid(2) tells it.
struct Stopped {
    thread: u32,
    /// The signal, and in the bits above the event of ptrace, if it is one.
    status: i32,
}

fn pass_on(stopped: &Stopped, slots: &Slots) -> io::Result<()> {
    let Stopped { thread, status } = *stopped;
    let (signal, event) = (status & 0xFF, status >> 8);
    if event == libc::PTRACE_EVENT_STOP && signal != libc::SIGTRAP {
        // Stopped by job control: it stays so until SIGCONT comes.
        return ptrace(libc::PTRACE_LISTEN, thread, 0, ptr::null_mut());
    }
    let hit = event == 0 && signal == libc::SIGTRAP && UNEXPLAINED.contains(&code(thread)?);
    if let Some(slot) = slot_of(slots, thread).filter(|_| hit) {
        slot.hits.fetch_add(1, Ordering::Release);
    }
    let ours = hit || event != 0;
    ptrace(libc::PTRACE_CONT, thread, if ours { 0 } else { signal }, ptr::null_mut())
}

fn slot_of(slots: &Slots, thread: u32) -> Option<&Slot> {
    slots.iter().find(|slot| slot.thread.load(Ordering::Acquire) == thread)
}

/// Why the signal came that has stopped `thread`.
fn code(thread: u32) -> io::Result<i32> {
    // SAFETY: a structure of integers; all zeros is one.
    let mut information: libc::siginfo_t = unsafe { std::mem::zeroed() };
    ptrace(libc::PTRACE_GETSIGINFO, thread, 0, (&raw mut information).cast())?;
    Ok(information.si_code)
}

/// A thread that waits for its tracer; `None` if there is none now. Those that have ended are buried: their own parents
/// hear of it only then.
fn stopped(slots: &Slots) -> Option<Stopped> {
    loop {
        // SAFETY: a structure of integers; all zeros is one.
        let mut information: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let options = libc::WSTOPPED | libc::WEXITED | libc::WNOHANG | libc::__WALL;
        // SAFETY: the structure is this function's own, and the kernel fills it.
        let failed = unsafe { libc::waitid(libc::P_ALL, 0, &mut information, options) } != 0;
        // SAFETY: waitid(2) fills these fields; where it does not, they are zero.
        let (pid, status) = unsafe { (information.si_pid(), information.si_status()) };
        if failed || pid == 0 {
            return None;
        }
        if matches!(information.si_code, libc::CLD_TRAPPED | libc::CLD_STOPPED) {
            return Some(Stopped { thread: pid as u32, status });
        }
        if let Some(slot) = slot_of(slots, pid as u32) {
            slot.thread.store(0, Ordering::Release);
        }
    }
}

/// Requests that take an address of nothing, a signal or no argument, and a structure to fill or none.
fn ptrace(request: libc::c_uint, thread: u32, signal: i32, structure: *mut libc::c_void) -> io::Result<()> {
    let data = if structure.is_null() { signal as usize as *mut libc::c_void } else { structure };
    let nowhere = ptr::null_mut::<libc::c_void>();
    // SAFETY: of the requests of this module only PTRACE_GETSIGINFO writes here, and is given what it writes.
    let result = unsafe { libc::ptrace(request, thread as libc::pid_t, nowhere, data) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    /// A guarded program, killed in the end.
    struct Guarded {
        child: Child,
        ward: Ward,
        _hold: Hold,
    }

    impl Guarded {
        /// A script that has printed something when it is guarded.
        fn new(script: &str) -> Guarded {
            let hold = start().unwrap();
            let mut child = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let ward = guard(child.id()).unwrap();
            Guarded { child, ward, _hold: hold }
        }

        fn send(&self, signal: Signal) {
            kill_process(Pid::from_child(&self.child), signal).unwrap();
        }

        fn state(&self) -> char {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
            stat.rsplit(") ").next().unwrap().chars().next().unwrap()
        }

        fn is(&self, states: &str) -> bool {
            states.contains(self.state())
        }

        fn end(&mut self) -> Option<i32> {
            assert!(within_five_seconds(|| self.child.try_wait().unwrap().is_some()));
            self.child.wait().unwrap().code()
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn within_five_seconds(mut done: impl FnMut() -> bool) -> bool {
        let start = Instant::now();
        loop {
            // Asked once: what was so may be otherwise a moment later, for a traced program stops at every signal.
            if done() {
                return true;
            }
            if start.elapsed() >= Duration::from_secs(5) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn signals_are_passed_on_and_the_end_is_told_to_the_parent() {
        let mut guarded = Guarded::new("trap 'exit 7' TERM; echo; while :; do sleep 0.01; done");
        guarded.send(Signal::TERM);
        assert_eq!(guarded.end(), Some(7));
    }

    #[test]
    fn a_stopped_program_stays_so_until_it_is_continued() {
        let guarded = Guarded::new("echo; while :; do sleep 0.01; done");
        guarded.send(Signal::STOP);
        assert!(within_five_seconds(|| guarded.is("tT")));
        std::thread::sleep(Duration::from_millis(20));
        assert!(guarded.is("tT"));
        guarded.send(Signal::CONT);
        assert!(within_five_seconds(|| guarded.is("SRD")), "{}", guarded.state());
    }

    #[test]
    fn a_program_that_nobody_has_waited_for_is_gone_too() {
        let _hold = start().unwrap();
        let mut child = Command::new("true").spawn().unwrap();
        assert!(within_five_seconds(|| !is_alive(child.id())));
        assert_eq!(guard(child.id()).unwrap_err().raw_os_error(), Some(libc::ESRCH));
        child.wait().unwrap();
    }

    #[test]
    fn a_program_that_is_gone_is_told_as_such() {
        let mut guarded = Guarded::new("echo; exec sleep 1000");
        guarded.child.kill().unwrap();
        guarded.child.wait().unwrap();
        let error = guard(guarded.child.id()).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ESRCH));
    }

    #[test]
    fn a_trap_that_nobody_explains_is_counted_and_thrown_away() {
        // INT1 is what such a trap is taken for; 0xF1 is its code.
        let mut guarded = Guarded::new(
            "echo; sleep 0.1; exec python3 -c \"
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes([0xF1, 0xC3]))
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
\"",
        );
        let code = guarded.end();
        if code == Some(127) {
            return eprintln!("skipped: there is no Python here");
        }
        assert_eq!((code, guarded.ward.unexplained(), guarded.ward.unexplained()), (Some(0), 1, 0));
    }
}

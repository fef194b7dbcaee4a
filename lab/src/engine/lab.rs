//! An engine on a thread of its own.

use std::any::Any;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use rustix::event::{EventfdFlags, eventfd};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::Engine;
use super::idle::{Backoff, Idle};
use crate::clock::Nanos;
use crate::device::Device;
use crate::ixgbe::Nic;

/// How the polling thread runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpawnOptions {
    /// The core to run on and no other; `None` leaves it to the system.
    pub core: Option<usize>,
    /// What to do when there is nothing to do.
    pub idle: Idle,
}

/// The polling thread has ended: it has panicked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the lab's polling thread has panicked")]
pub struct Stopped;

/// Work for the polling thread.
type Errand<D> = Box<dyn FnOnce(&mut Engine<D>) + Send>;

/// A panic on its way to the thread that asked for what panicked.
type Panic = Box<dyn Any + Send>;

/// What both sides hold.
struct Shared {
    /// Rings the polling thread out of its sleep.
    wake: OwnedFd,
    /// There is an errand, or the end has come. Spares the polling thread a look into the channel in each round.
    ring: AtomicBool,
}

impl Shared {
    fn ring(&self) {
        self.ring.store(true, Ordering::Release);
        crate::serve::signal(&self.wake);
    }
}

/// An engine that is being polled by a thread. Dropping it stops the thread and removes the sockets.
pub struct Lab<D: Device + 'static = Nic> {
    errands: Option<Sender<Errand<D>>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Engine<D>>>,
}

impl<D: Device + 'static> Lab<D> {
    /// Starts the polling thread.
    ///
    /// # Errors
    ///
    /// The thread cannot be started, or cannot be bound to the core.
    pub fn spawn(engine: Engine<D>, options: SpawnOptions) -> io::Result<Lab<D>> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let shared = Arc::new(Shared { wake, ring: AtomicBool::new(false) });
        let (errands, inbox) = channel();
        let (ready, started) = sync_channel(1);
        let theirs = Arc::clone(&shared);
        let thread = Builder::new()
            .name("ringway-lab".to_owned())
            .spawn(move || polling_thread(engine, options, &theirs, &inbox, &ready))?;
        let lab = Lab { errands: Some(errands), shared, thread: Some(thread) };
        match started.recv() {
            Ok(Ok(())) => Ok(lab),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(io::Error::other(Stopped)),
        }
    }

    /// Runs `errand` on the polling thread, between two rounds, and returns what it returns.
    ///
    /// # Panics
    ///
    /// If `errand` panics (the lab goes on), or if the polling thread has panicked before.
    pub fn run<R: Send + 'static>(&self, errand: impl FnOnce(&mut Engine<D>) -> R + Send + 'static) -> R {
        self.try_run(errand).unwrap_or_else(|stopped| panic!("{stopped}"))
    }

    /// Like [`run`](Lab::run), for callers who outlive a panic of the polling thread.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the polling thread has panicked, be it while this call waits.
    ///
    /// # Panics
    ///
    /// If `errand` panics.
    pub fn try_run<R: Send + 'static>(
        &self,
        errand: impl FnOnce(&mut Engine<D>) -> R + Send + 'static,
    ) -> Result<R, Stopped> {
        let (reply, result) = sync_channel::<Result<R, Panic>>(1);
        let errand = move |engine: &mut Engine<D>| {
            // The engine may be left half changed by a panic; the caller, who is about to panic too, knows.
            let outcome = catch_unwind(AssertUnwindSafe(|| errand(engine)));
            let _ = reply.send(outcome);
        };
        let errands = self.errands.as_ref().ok_or(Stopped)?;
        errands.send(Box::new(errand)).map_err(|_| Stopped)?;
        self.shared.ring();
        // If the thread dies, it drops the errand and with it the only sender: this does not wait for ever.
        match result.recv().map_err(|_| Stopped)? {
            Ok(result) => Ok(result),
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Whether the polling thread is alive; `false` after it has panicked.
    pub fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Stops the thread and returns the engine, sockets and drivers still connected.
    ///
    /// # Panics
    ///
    /// If the polling thread has panicked, with its panic.
    pub fn stop(mut self) -> Engine<D> {
        match self.join() {
            Some(Ok(engine)) => engine,
            Some(Err(panic)) => resume_unwind(panic),
            None => unreachable!("a lab is stopped only once, it is consumed"),
        }
    }

    fn join(&mut self) -> Option<Result<Engine<D>, Panic>> {
        self.errands = None; // the sign to stop
        self.shared.ring();
        Some(self.thread.take()?.join())
    }
}

impl<D: Device + 'static> Drop for Lab<D> {
    fn drop(&mut self) {
        // A panic of the polling thread was reported by the panic hook already.
        drop(self.join());
    }
}

fn polling_thread<D: Device>(
    mut engine: Engine<D>,
    options: SpawnOptions,
    shared: &Shared,
    inbox: &Receiver<Errand<D>>,
    ready: &SyncSender<io::Result<()>>,
) -> Engine<D> {
    let prepared = options.core.map_or(Ok(()), pin);
    let failed = prepared.is_err();
    if ready.send(prepared).is_err() || failed {
        return engine;
    }
    // Sleeps of 100 microseconds would otherwise last 150.
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1_000));
    let mut backoff = Backoff::new(options.idle, engine.has_functions());
    loop {
        if shared.ring.load(Ordering::Acquire) && !run_errands(&mut engine, shared, inbox) {
            return engine;
        }
        let now = Nanos::now();
        let work = engine.poll_once(now);
        backoff.after(&engine, shared.wake.as_fd(), now, work);
    }
}

/// Does what is waiting in the channel. Returns whether to go on.
fn run_errands<D: Device>(engine: &mut Engine<D>, shared: &Shared, inbox: &Receiver<Errand<D>>) -> bool {
    // Cleared before the channel is looked at: an errand that comes after the look rings again.
    shared.ring.store(false, Ordering::SeqCst);
    loop {
        match inbox.try_recv() {
            Ok(errand) => errand(engine),
            Err(TryRecvError::Empty) => return true,
            Err(TryRecvError::Disconnected) => return false,
        }
    }
}

/// Binds the calling thread to one core.
pub(crate) fn pin(core: usize) -> io::Result<()> {
    let failed = |error: io::Error| {
        io::Error::new(error.kind(), format!("a thread cannot be bound to core {core}: {error}"))
    };
    if core >= CpuSet::MAX_CPU {
        return Err(failed(io::ErrorKind::InvalidInput.into()));
    }
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set).map_err(|errno| failed(errno.into()))
}

//! Who moves packets: with one queue the program's own thread, with several a thread for each, while this one looks on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::Failure;
use crate::args::Common;
use crate::run::{Next, Run, Stop};

/// Turns in vain after which another thread may want the core more.
const IDLE_TURNS: u32 = 64;
/// How often the program's own thread looks at clock and signals.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// One queue of each device, owned by whoever runs it.
pub trait Worker: Send {
    /// Moves some packets, as many as the budget allows; false if there were none.
    fn turn(&mut self, budget: &Budget) -> Result<bool, Failure>;
}

/// What one worker has counted. It alone writes; the program's own thread reads meanwhile.
#[derive(Default)]
#[repr(align(64))]
pub struct Counts {
    pub received: Counter,
    pub sent: Counter,
    /// By device: taken from it and not accepted by the other one.
    pub dropped: [Counter; 2],
}

/// A number with one writer.
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    #[inline]
    pub fn add(&self, packets: usize) {
        self.0.store(self.get() + packets as u64, Relaxed);
    }

    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// The sum of one counter over all workers.
pub fn sum(counts: &[Counts], counter: impl Fn(&Counts) -> &Counter) -> u64 {
    counts.iter().map(|counts| counter(counts).get()).sum()
}

/// Packets that may still be moved by all workers together.
pub struct Budget(Option<AtomicU64>);

impl Budget {
    /// No end if `None`.
    pub fn new(packets: Option<u64>) -> Budget {
        Budget(packets.map(AtomicU64::new))
    }

    /// Takes up to `most`.
    #[inline]
    pub fn take(&self, most: usize) -> usize {
        let Some(left) = &self.0 else { return most };
        let take = |left: u64| Some(left.saturating_sub(most as u64));
        let before = left.fetch_update(Relaxed, Relaxed, take).unwrap_or(0);
        usize::try_from(before).unwrap_or(usize::MAX).min(most)
    }

    /// Gives back what was taken and not used.
    #[inline]
    pub fn give_back(&self, packets: usize) {
        if let Some(left) = self.0.as_ref().filter(|_| packets > 0) {
            left.fetch_add(packets as u64, Relaxed);
        }
    }
}

/// What the program's own thread looks at.
pub struct Watch<'a> {
    pub run: &'a mut Run,
    pub common: &'a Common,
    /// Packets moved so far, all workers together.
    pub moved: &'a dyn Fn() -> u64,
    /// Is called once a second.
    pub report: &'a dyn Fn(Duration) -> Result<(), Failure>,
}

impl Watch<'_> {
    /// What `next` wants; the reason if it is to stop.
    fn obey(&self, next: &Next) -> Result<Option<Stop>, Failure> {
        match next {
            Next::GoOn => Ok(None),
            Next::Report => (self.report)(self.run.elapsed()).map(|()| None),
            Next::Stop(stop) => Ok(Some(*stop)),
        }
    }

    /// As many packets were moved as were asked for.
    fn is_done(&self) -> bool {
        self.common.packets.is_some_and(|packets| (self.moved)() >= packets)
    }
}

/// Has the workers move packets until it is time to stop.
pub fn run<W: Worker>(mut watch: Watch<'_>, mut workers: Vec<W>) -> Result<Stop, Failure> {
    let budget = Budget::new(watch.common.packets);
    watch.run.begin();
    match &mut workers[..] {
        [only] => alone(&mut watch, only, &budget),
        _ => together(&mut watch, workers, &budget),
    }
}

fn alone(watch: &mut Watch<'_>, worker: &mut impl Worker, budget: &Budget) -> Result<Stop, Failure> {
    loop {
        let busy = worker.turn(budget)?;
        if watch.is_done() {
            return Ok(Stop::Packets);
        }
        let next = watch.run.round(busy);
        if let Some(stop) = watch.obey(&next)? {
            return Ok(stop);
        }
    }
}

fn together<W: Worker>(watch: &mut Watch<'_>, workers: Vec<W>, budget: &Budget) -> Result<Stop, Failure> {
    let common = watch.common;
    let first_core = common.core.filter(|core| are_there(*core, workers.len()));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..)
            .zip(workers)
            .map(|(place, worker)| {
                let (core, stop) = (first_core.map(|core| core + place), &stop);
                scope.spawn(move || work(worker, core, budget, stop))
            })
            .collect();
        let stopped = look_on(watch, &stop);
        stop.store(true, Relaxed);
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        stopped
    })
}

/// One thread. If it fails, it ends the others.
fn work(
    mut worker: impl Worker,
    core: Option<usize>,
    budget: &Budget,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let result = pin(core).and_then(|()| {
        let mut idle = 0;
        while !stop.load(Relaxed) {
            idle = if worker.turn(budget)? { 0 } else { idle + 1 };
            if idle >= IDLE_TURNS {
                idle = 0;
                std::thread::yield_now();
            }
        }
        Ok(())
    });
    if result.is_err() {
        stop.store(true, Relaxed);
    }
    result
}

/// Until it is time to stop, or one of the threads has set `stop`.
fn look_on(watch: &mut Watch<'_>, stop: &AtomicBool) -> Result<Stop, Failure> {
    while !watch.is_done() && !stop.load(Relaxed) {
        let next = watch.run.look();
        if let Some(stop) = watch.obey(&next)? {
            return Ok(stop);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(Stop::Packets)
}

/// Whether this process may use so many CPUs from `first` on.
fn are_there(first: usize, cpus: usize) -> bool {
    let (Ok(set), Some(end)) = (sched_getaffinity(None), first.checked_add(cpus)) else { return false };
    (first..end).all(|cpu| cpu < CpuSet::MAX_CPU && set.is_set(cpu))
}

/// Binds the calling thread to one CPU.
pub fn pin(core: Option<usize>) -> Result<(), Failure> {
    let Some(core) = core else { return Ok(()) };
    let mut set = CpuSet::new();
    if core >= CpuSet::MAX_CPU {
        return Err(Failure::Usage(format!("there is no CPU {core}")));
    }
    set.set(core);
    let pinned = sched_setaffinity(None, &set);
    pinned.map_err(|errno| Failure::Usage(format!("running on CPU {core}: {errno}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_to_the_last_packet_and_not_beyond() {
        let budget = Budget::new(Some(10));
        assert_eq!((budget.take(8), budget.take(8), budget.take(8)), (8, 2, 0));
        budget.give_back(3);
        assert_eq!(budget.take(8), 3);
        assert_eq!(Budget::new(None).take(usize::MAX), usize::MAX);
    }

    /// Moves all that it is allowed to.
    struct Toy<'c>(&'c Counts);

    impl Worker for Toy<'_> {
        fn turn(&mut self, budget: &Budget) -> Result<bool, Failure> {
            let taken = budget.take(7);
            self.0.sent.add(taken);
            Ok(taken > 0)
        }
    }

    /// Fails at once.
    struct Broken;

    impl Worker for Broken {
        fn turn(&mut self, _: &Budget) -> Result<bool, Failure> {
            Err(Failure::Usage("broken".to_owned()))
        }
    }

    fn common(words: &[&str]) -> Common {
        use clap::Parser;
        let words = ["ringway-rust", "forward", "unix:/x", "unix:/y"].iter().chain(words);
        let crate::args::Command::Forward { common, .. } = crate::Args::parse_from(words).command else {
            panic!("not forward")
        };
        common
    }

    fn watched<W: Worker>(
        common: &Common,
        moved: &dyn Fn() -> u64,
        workers: Vec<W>,
    ) -> Result<Stop, Failure> {
        let mut progress = Run::new(common).unwrap();
        run(Watch { run: &mut progress, common, moved, report: &|_| Ok(()) }, workers)
    }

    #[test]
    fn several_threads_move_exactly_as_many_packets_as_they_may() {
        for queues in [1, 4] {
            let common = common(&["--packets", "100000"]);
            let counts: Vec<_> = (0..queues).map(|_| Counts::default()).collect();
            let moved = || sum(&counts, |counts| &counts.sent);
            let stop = watched(&common, &moved, counts.iter().map(Toy).collect()).unwrap();
            assert_eq!((stop, moved()), (Stop::Packets, 100_000));
        }
    }

    #[test]
    fn one_that_fails_ends_all_and_says_why() {
        let common = common(&["--core", "0"]);
        let failure = watched(&common, &|| 0, vec![Broken, Broken]).unwrap_err();
        assert_eq!(failure.message(), "broken");
    }

    #[test]
    fn cores_that_are_not_there_are_not_used() {
        assert!(!are_there(0, CpuSet::MAX_CPU + 1));
        assert!(!are_there(usize::MAX, 2));
    }
}

//! A pool is a stack of slots with a home: slots come back to it from wherever they were sent.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::dma::{DmaMemory, Slot, SlotRun};
use crate::error::Result;
use crate::packet::SlotList;

/// The slots of one device, as a stack: what was freed last is used first, while it is still in the cache.
///
/// Cheap to clone; all clones are the same pool. A pool lives until its device is closed and all its slots are home,
/// so packets may outlive the device that received them.
#[derive(Clone)]
pub struct Pool {
    home: Arc<Home>,
    memory: DmaMemory,
}

/// What the clones of a [`Pool`] and the memory's list of pools share.
pub(crate) struct Home {
    first: u32,
    /// Numbers that its slots spread over, from `first` on; no other pool has slots there.
    numbers: u32,
    total: u32,
    stack: Mutex<Stack>,
}

/// The free slots. Locked once a batch, for as long as it takes to move the batch's slots.
pub(crate) struct Stack {
    free: SlotList,
    closed: bool,
}

impl Stack {
    /// The slot that was freed last.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Slot> {
        self.free.pop()
    }

    /// Moves the slots that were freed last into `to`, as many as there are; returns how many.
    #[inline(always)]
    pub(crate) fn pop_all(&mut self, to: &mut [Option<Slot>]) -> usize {
        self.free.pop_all(to)
    }
}

impl Home {
    #[inline(always)]
    fn owns(&self, slot: &Slot) -> bool {
        slot.number().wrapping_sub(self.first) < self.numbers
    }

    fn lock(&self) -> MutexGuard<'_, Stack> {
        self.stack.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_finished(&self, stack: &Stack) -> bool {
        stack.closed && stack.free.len() == self.total as usize
    }
}

impl Pool {
    /// Makes a pool of `slots` slots of `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Error::OutOfMemory) if the memory has no such piece left.
    pub(crate) fn new(memory: &DmaMemory, slots: u32) -> Result<Pool> {
        let SlotRun { first, numbers, slots: taken } = memory.take_slots(slots)?;
        let mut free = SlotList::new(taken.len());
        for slot in taken {
            free.push(slot);
        }
        let stack = Mutex::new(Stack { free, closed: false });
        let home = Arc::new(Home { first, numbers, total: slots, stack });
        memory.pools().list().push(home.clone());
        Ok(Pool { home, memory: memory.clone() })
    }

    /// Number of slots of this pool, wherever they are.
    pub fn total(&self) -> usize {
        self.home.total as usize
    }

    /// Number of slots in the pool now.
    pub fn free(&self) -> usize {
        self.home.lock().free.len()
    }

    /// The memory that the slots are cut from.
    pub fn memory(&self) -> &DmaMemory {
        &self.memory
    }

    #[inline(always)]
    pub(crate) fn owns(&self, slot: &Slot) -> bool {
        self.home.owns(slot)
    }

    /// The stack, locked: for a few pops in a row.
    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, Stack> {
        self.home.lock()
    }

    /// Says that no more slots will be taken; the memory gets them back when the last one is home.
    pub(crate) fn close(&self) {
        let finished = {
            let mut stack = self.home.lock();
            stack.closed = true;
            self.home.is_finished(&stack)
        };
        if finished {
            self.memory.pools().finish(&self.memory, &self.home);
        }
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({} of {} slots free)", self.free(), self.total())
    }
}

/// All pools of one memory, so that any slot finds its way home.
#[derive(Default)]
pub(crate) struct Pools(Mutex<Vec<Arc<Home>>>);

impl Pools {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<Home>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a closed pool whose slots are all home off the list, and its slots back into the memory.
    fn finish(&self, memory: &DmaMemory, home: &Arc<Home>) {
        self.list().retain(|other| !Arc::ptr_eq(other, home));
        let mut stack = home.lock();
        let slots = std::iter::from_fn(|| stack.pop());
        memory.give_back_slots(slots, home.first, home.numbers, home.total);
    }
}

/// Sends slots home, and remembers where the last one lived: traffic keeps coming from the same few pools.
#[derive(Default)]
pub(crate) struct Returns {
    last: Option<Arc<Home>>,
}

impl Returns {
    /// Gives slots back to their pools, and leaves their places empty: one lock for each run of slots of one pool.
    #[inline]
    pub(crate) fn give_back(&mut self, memory: &DmaMemory, mut places: &mut [Option<Slot>]) {
        while let Some(first) = places.first() {
            let home = first.as_ref().and_then(|slot| self.home_of(memory, slot));
            let Some(home) = home else {
                places = &mut places[1..];
                continue;
            };
            let ours = |place: &Option<Slot>| place.as_ref().is_some_and(|slot| home.owns(slot));
            let run = 1 + places[1..].iter().take_while(|place| ours(place)).count();
            let (here, rest) = places.split_at_mut(run);
            let mut stack = home.lock();
            stack.free.push_all(here);
            let finished = home.is_finished(&stack);
            drop(stack);
            if finished {
                self.finish(memory);
            }
            places = rest;
        }
    }

    /// Gives one slot back to its pool.
    pub(crate) fn give_back_one(&mut self, memory: &DmaMemory, slot: Slot) {
        self.give_back(memory, &mut [Some(slot)]);
    }

    #[cold]
    fn finish(&mut self, memory: &DmaMemory) {
        if let Some(home) = self.last.take() {
            memory.pools().finish(memory, &home);
        }
    }

    #[inline]
    fn home_of(&mut self, memory: &DmaMemory, slot: &Slot) -> Option<&Home> {
        if !self.last.as_ref().is_some_and(|home| home.owns(slot)) {
            self.last = memory.pools().list().iter().find(|home| home.owns(slot)).cloned();
        }
        self.last.as_deref()
    }
}

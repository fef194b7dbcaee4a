//! Lists of slots of a fixed capacity, and moving slots between them in bulk.

use crate::dma::Slot;

/// Moves slots from one place to another, as many as both have places. What was in `to` has to be empty.
#[inline(always)]
pub(crate) fn move_slots(from: &mut [Option<Slot>], to: &mut [Option<Slot>]) {
    for (from, to) in from.iter_mut().zip(to) {
        debug_assert!(to.is_none());
        *to = from.take();
    }
}

/// Up to a fixed number of slots, in order. Places below `length` hold a slot, the others none.
pub(crate) struct SlotList {
    places: Box<[Option<Slot>]>,
    length: usize,
}

impl SlotList {
    /// An empty list for up to `capacity` slots.
    pub(crate) fn new(capacity: usize) -> SlotList {
        SlotList { places: (0..capacity).map(|_| None).collect(), length: 0 }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    pub(crate) fn capacity(&self) -> usize {
        self.places.len()
    }

    #[inline(always)]
    pub(crate) fn room(&self) -> usize {
        self.places.len() - self.length
    }

    /// The slots, first in first.
    #[inline(always)]
    pub(crate) fn filled(&self) -> &[Option<Slot>] {
        &self.places[..self.length]
    }

    /// The slots, first in first.
    #[inline(always)]
    pub(crate) fn filled_mut(&mut self) -> &mut [Option<Slot>] {
        &mut self.places[..self.length]
    }

    /// Appends a slot. A full list gives it back.
    #[inline(always)]
    pub(crate) fn push(&mut self, slot: Slot) -> Option<Slot> {
        match self.places.get_mut(self.length) {
            Some(place) => {
                *place = Some(slot);
                self.length += 1;
                None
            }
            None => Some(slot),
        }
    }

    /// Takes the slot that was appended last.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Slot> {
        let last = self.length.checked_sub(1)?;
        self.length = last;
        self.places[last].take()
    }

    /// Appends what is in `from`: all its places hold a slot. Returns how many there was room for.
    #[inline(always)]
    pub(crate) fn push_all(&mut self, from: &mut [Option<Slot>]) -> usize {
        let count = from.len().min(self.room());
        move_slots(&mut from[..count], &mut self.places[self.length..]);
        self.length += count;
        count
    }

    /// Takes the slots that were appended last into `to`, as many as there are; returns how many.
    #[inline(always)]
    pub(crate) fn pop_all(&mut self, to: &mut [Option<Slot>]) -> usize {
        let count = to.len().min(self.length);
        let rest = self.length - count;
        move_slots(&mut self.places[rest..self.length], to);
        self.length = rest;
        count
    }

    /// Moves the slots up after the first `count` places were emptied.
    #[inline(always)]
    pub(crate) fn close_gap(&mut self, count: usize) {
        if count < self.length {
            self.places[..self.length].rotate_left(count);
        }
        self.length -= count.min(self.length);
    }

    /// Empties the list; what was in it has been taken from [`SlotList::filled_mut`].
    pub(crate) fn forget_taken(&mut self) {
        debug_assert!(self.filled().iter().all(Option::is_none));
        self.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dma::DmaMemory;

    fn numbers(list: &SlotList) -> Vec<u32> {
        list.filled().iter().flatten().map(Slot::number).collect()
    }

    #[test]
    fn slots_move_in_bulk_and_keep_their_order() {
        let memory = DmaMemory::new(1 << 20).unwrap();
        let mut list = SlotList::new(8);
        let mut slots: Vec<_> = memory.take_slots(10).unwrap().slots.into_iter().map(Some).collect();
        let first = slots[0].as_ref().unwrap().number();
        assert_eq!(list.push_all(&mut slots), 8);
        assert!(slots[7].is_none() && slots[8].is_some());
        assert!(list.push(slots[8].take().unwrap()).is_some(), "a full list takes nothing");
        let mut out = [const { None }; 3];
        move_slots(&mut list.filled_mut()[..3], &mut out);
        list.close_gap(3);
        assert_eq!(numbers(&list), [3, 4, 5, 6, 7].map(|n| first + n));
        out = [const { None }; 3];
        assert_eq!(list.pop_all(&mut out), 3);
        assert_eq!(out.map(|slot| slot.unwrap().number()), [5, 6, 7].map(|n| first + n));
        assert_eq!(list.pop().unwrap().number(), first + 4);
        assert_eq!((list.len(), list.room(), list.capacity()), (1, 7, 8));
    }
}

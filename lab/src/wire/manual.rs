//! A wire worked by hand: a test puts frames in on one side and looks at what the NIC sent on the other.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Frame, Wire};
use crate::clock::Nanos;

/// A wire and the handle that works it.
pub fn pair() -> (ManualWire, ManualHandle) {
    let shared = Arc::new(Mutex::new(Shared::default()));
    (ManualWire { shared: Arc::clone(&shared), current: None }, ManualHandle { shared })
}

#[derive(Debug)]
struct Injected {
    bytes: Vec<u8>,
    fcs_good: bool,
    /// [`Shared::generation`] at the time of injection.
    generation: u64,
}

#[derive(Debug, Default)]
struct Shared {
    inbound: VecDeque<Injected>,
    sent: VecDeque<Vec<u8>>,
    sent_total: u64,
    /// A frame is in [`ManualWire::current`]: peeked at, but not yet taken.
    peeked: bool,
    /// Counts calls of `clear`, so that a frame that is already peeked at is forgotten too.
    generation: u64,
}

/// A panic of another thread that held the lock leaves the queues whole: every change is one push or pop.
fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The NIC's end. Made by [`pair`].
#[derive(Debug)]
pub struct ManualWire {
    shared: Arc<Mutex<Shared>>,
    current: Option<Injected>,
}

/// The tester's end: may be cloned and used from any thread.
#[derive(Clone, Debug)]
pub struct ManualHandle {
    shared: Arc<Mutex<Shared>>,
}

impl ManualHandle {
    /// Puts a frame (without FCS) on the wire towards the NIC, behind those that wait already.
    pub fn inject(&self, frame: Vec<u8>) {
        self.put([frame], true);
    }

    /// Like [`inject`](Self::inject), but the FCS that follows the frame is wrong.
    pub fn inject_bad_fcs(&self, frame: Vec<u8>) {
        self.put([frame], false);
    }

    /// Puts several frames on the wire at once: the NIC finds either none or all of them.
    pub fn inject_many(&self, frames: impl IntoIterator<Item = Vec<u8>>) {
        self.put(frames, true);
    }

    /// Takes what the NIC has sent since the last call, oldest first.
    pub fn sent(&self) -> Vec<Vec<u8>> {
        lock(&self.shared).sent.drain(..).collect()
    }

    /// How many frames the NIC has sent since the start or the last [`clear`](Self::clear), whether they were
    /// taken with [`sent`](Self::sent) or not.
    pub fn sent_count(&self) -> u64 {
        lock(&self.shared).sent_total
    }

    /// How many injected frames the NIC has not taken (or dropped) yet.
    pub fn pending(&self) -> usize {
        let shared = lock(&self.shared);
        shared.inbound.len() + usize::from(shared.peeked)
    }

    /// Forgets what waits in both directions, and the count.
    pub fn clear(&self) {
        let mut shared = lock(&self.shared);
        shared.inbound.clear();
        shared.sent.clear();
        shared.sent_total = 0;
        shared.peeked = false;
        shared.generation += 1;
    }

    fn put(&self, frames: impl IntoIterator<Item = Vec<u8>>, fcs_good: bool) {
        let frames: Vec<_> = frames.into_iter().collect();
        let mut shared = lock(&self.shared);
        let generation = shared.generation;
        shared.inbound.extend(frames.into_iter().map(|bytes| Injected { bytes, fcs_good, generation }));
    }
}

impl Wire for ManualWire {
    fn peek(&mut self, _now: Nanos) -> Option<Frame<'_>> {
        {
            let mut shared = lock(&self.shared);
            if self.current.as_ref().is_none_or(|frame| frame.generation != shared.generation) {
                self.current = shared.inbound.pop_front();
                shared.peeked = self.current.is_some();
            }
        }
        self.current.as_ref().map(|frame| Frame { bytes: &frame.bytes, fcs_good: frame.fcs_good })
    }

    fn advance(&mut self, _now: Nanos) {
        let Some(taken) = self.current.take() else { return };
        let mut shared = lock(&self.shared);
        if taken.generation == shared.generation {
            shared.peeked = false;
        }
    }

    fn send(&mut self, frame: &[u8], _now: Nanos) {
        let mut shared = lock(&self.shared);
        shared.sent.push_back(frame.to_vec());
        shared.sent_total += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Nanos = Nanos(0);

    #[test]
    fn frames_come_in_order_and_stay_until_taken() {
        let (mut wire, hand) = pair();
        hand.inject_many([vec![1], vec![2]]);
        hand.inject_bad_fcs(vec![3]);
        assert_eq!(hand.pending(), 3);
        assert_eq!(wire.peek(NOW).unwrap().bytes, [1]);
        assert_eq!(wire.peek(NOW).unwrap().bytes, [1]);
        assert_eq!(hand.pending(), 3, "a frame that was only looked at is still pending");
        wire.advance(NOW);
        assert_eq!(hand.pending(), 2);
        assert_eq!(wire.peek(NOW).unwrap().bytes, [2]);
        wire.advance(NOW);
        let bad = wire.peek(NOW).unwrap();
        assert_eq!((bad.bytes, bad.fcs_good), (&[3][..], false));
        wire.advance(NOW);
        assert!(wire.peek(NOW).is_none());
        assert_eq!(hand.pending(), 0);
    }

    #[test]
    fn sent_frames_are_handed_out_once_but_counted_for_good() {
        let (mut wire, hand) = pair();
        wire.send(&[7, 8], NOW);
        wire.send(&[9], NOW);
        assert_eq!(hand.sent(), [vec![7, 8], vec![9]]);
        assert!(hand.sent().is_empty());
        assert_eq!(hand.sent_count(), 2);
    }

    #[test]
    fn clear_forgets_even_a_frame_that_was_peeked_at() {
        let (mut wire, hand) = pair();
        hand.inject_many([vec![1], vec![2]]);
        wire.peek(NOW);
        wire.send(&[5], NOW);
        hand.clear();
        assert_eq!((hand.pending(), hand.sent_count(), hand.sent().len()), (0, 0, 0));
        hand.inject(vec![3]);
        wire.advance(NOW);
        assert_eq!(hand.pending(), 1, "taking the forgotten frame does not take the new one");
        assert_eq!(wire.peek(NOW).unwrap().bytes, [3]);
    }

    #[test]
    fn the_handle_works_from_another_thread() {
        let (mut wire, hand) = pair();
        let thread = std::thread::spawn({
            let hand = hand.clone();
            move || (0..100u8).for_each(|n| hand.inject(vec![n]))
        });
        let mut seen = Vec::new();
        while seen.len() < 100 {
            if let Some(frame) = wire.peek(NOW) {
                seen.push(frame.bytes[0]);
                wire.advance(NOW);
            }
        }
        thread.join().unwrap();
        assert!(seen.iter().copied().eq(0..100));
    }
}

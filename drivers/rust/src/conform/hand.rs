//! The hand: packets that were received and not yet sent or released, of all devices, first in first out.

use std::collections::VecDeque;

use ringway::{Batch, DmaMemory, Pool};

/// Batches in order; none is empty.
pub struct Hand {
    batches: VecDeque<Batch>,
}

impl Hand {
    pub fn new() -> Hand {
        Hand { batches: VecDeque::new() }
    }

    /// Puts received packets behind the others.
    pub fn push(&mut self, batch: Batch) {
        if !batch.is_empty() {
            self.batches.push_back(batch);
        }
    }

    /// Sends packets from the front, at most `count`, with `send`; what that leaves stays in front. Returns how many
    /// went.
    pub fn send<E>(
        &mut self,
        memory: &DmaMemory,
        count: usize,
        mut send: impl FnMut(&mut Batch) -> Result<usize, E>,
    ) -> Result<usize, E> {
        let mut total = 0;
        while let Some(front) = self.batches.front_mut().filter(|_| total < count) {
            let packets = front.len();
            let wanted = packets.min(count - total);
            let mut part = split(memory, front, wanted);
            if front.is_empty() {
                self.batches.pop_front();
            }
            let sent = send(&mut part);
            if !part.is_empty() {
                self.batches.push_front(part);
            }
            let sent = sent?;
            total += sent;
            if sent < wanted {
                break;
            }
        }
        Ok(total)
    }

    /// Gives everything back to its pool and returns how many packets it was.
    pub fn release(&mut self) -> usize {
        self.batches.drain(..).map(|mut batch| batch.clear()).sum()
    }

    /// Gives the packets of one pool back; the others stay in order.
    pub fn release_of(&mut self, pool: &Pool) {
        for batch in &mut self.batches {
            batch.clear_of(pool);
        }
        self.batches.retain(|batch| !batch.is_empty());
    }

    /// Slots of a pool in the hand.
    pub fn slots_of(&self, pool: &Pool) -> usize {
        self.batches.iter().map(|batch| batch.slots_of(pool)).sum()
    }
}

/// Takes the first `packets` packets of `batch` into a batch of their own.
fn split(memory: &DmaMemory, batch: &mut Batch, packets: usize) -> Batch {
    let slots = batch.iter().take(packets).map(|packet| packet.pieces().count()).sum();
    let mut part = Batch::new(memory, slots);
    part.append(batch);
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_hand_sends_nothing() {
        let memory = DmaMemory::new(1 << 20).unwrap();
        let mut hand = Hand::new();
        hand.push(Batch::new(&memory, 4));
        assert_eq!(hand.send(&memory, 5, |_| Err("never called")), Ok(0));
        assert_eq!(hand.release(), 0);
    }
}

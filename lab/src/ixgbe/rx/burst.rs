//! The short way of frames whose like was here before, many at a time, in a round that nothing disturbs.

use super::Receiver;
use crate::ixgbe::deliver::deliver_alike;
use crate::memory::{ClientMemory, Recent};
use crate::wire::{Burst, HEADERS};

/// What became of a burst: its first frames were taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub(super) frames: usize,
    pub(super) octets: u64,
}

impl Receiver {
    /// Takes frames as long as they are known and there is room for them. The next one has to go the long way, which knows
    /// all that can happen, unless this is asked again.
    #[inline]
    pub(super) fn receive_burst(&mut self, memory: &ClientMemory, burst: Burst<'_>) -> Taken {
        let memory = memory.recent();
        if burst.are_alike(HEADERS) {
            return self.receive_alike(memory, burst);
        }
        let mut taken = Taken::default();
        for one in burst.singly() {
            let Taken { frames: 1, octets } = self.receive_alike(memory, one) else { break };
            taken = Taken { frames: taken.frames + 1, octets: taken.octets + octets };
        }
        taken
    }

    /// Takes frames of one length, of whose headers the first one tells. The first frame of a queue in each round goes the
    /// long way: it makes the queue look ahead.
    #[inline]
    fn receive_alike(&mut self, memory: Recent<'_>, burst: Burst<'_>) -> Taken {
        let Some(frame) = burst.frames().next() else { return Taken::default() };
        let Some(findings) = self.known.find(frame) else { return Taken::default() };
        let length = frame.len();
        let queue = &mut self.queues[usize::from(findings.queue)];
        if self.touched >> findings.queue & 1 == 0 || !queue.format.is_straight(length) {
            return Taken::default();
        }
        let count = deliver_alike(memory, &mut self.back, &mut queue.ring, burst, findings.verdict, length);
        let octets = (count * length) as u64;
        queue.packets += count as u64;
        queue.bytes += octets;
        self.tally.good_alike(length, findings.admitted.cast(), count as u64);
        Taken { frames: count, octets }
    }
}

//! The short way of packets of one descriptor that ask for nothing but their FCS, as nearly all do: many at a time, while
//! nothing disturbs.

use super::{PLAIN, TxQueue, WISHES};
use crate::ixgbe::deliver::WriteBack;
use crate::ixgbe::host::Host;
use crate::ixgbe::outbound::{BURST, Outbound};
use crate::ixgbe::regs::tx_data;
use crate::memory::Recent;
use crate::wire::Wire;

impl TxQueue {
    /// Sends at most `most` packets; returns how many. The next one has to go the long way, which knows all that can
    /// happen, unless there is none or this is asked again.
    #[inline]
    pub(super) fn take_burst(
        &mut self,
        host: &mut Host,
        wire: &mut dyn Wire,
        back: &mut WriteBack,
        out: &mut Outbound,
        most: u32,
    ) -> u32 {
        let memory = host.memory.recent();
        let mut descriptors = [[0; 2]; BURST];
        let found = self.ring.descriptors(memory, &mut descriptors[..BURST.min(most as usize)]);
        let (mut taken, mut bytes) = (0, 0);
        for words in &descriptors[..found] {
            let Some(length) = fetch(memory, out, words) else { break };
            taken += 1;
            bytes += length as u64;
            if tx_data::RS.is_set(words) {
                break;
            }
        }
        if taken == 0 {
            return 0;
        }
        self.packets += u64::from(taken);
        self.bytes += bytes;
        out.send_burst(host, wire);
        self.ring.step_by(taken - 1);
        // The last one may ask for a report; for the others this is all there is to finishing.
        self.finish(host, back, descriptors[taken as usize - 1]);
        taken
    }
}

/// Copies the packet of a descriptor. Returns the bytes of its frame; `None` if nothing has happened.
#[inline(always)]
fn fetch(memory: Recent<'_>, out: &mut Outbound, words: &[u64; 2]) -> Option<usize> {
    if words[1] & WISHES != PLAIN {
        return None;
    }
    let length = tx_data::DTALEN.get(words) as usize;
    out.add(length, |room| memory.read(tx_data::BUFFER.get(words), room))
}

// ixgbe/rx · 82599:7.1.6 82599:7.1.9
// Slots are moved, not copied: out of the ring by `take`, into it by a fresh one, so that none can be in two places.

//! The receive queue: *poll, take, refill, publish*.
//!
//! The device owns the descriptors from the head up to the tail. It fills their buffers, writes status and length
//! back, and goes on; the driver follows it, takes the full slots out and puts empty ones in, and moves the tail.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::desc::{self, Received};
use super::{Descriptors, Nic, Retired, regs};
use crate::bus::Watch;
use crate::device::Receive;
use crate::dma::{DmaSpan, Mark, SLOT_BYTES, Slot};
use crate::error::{Error, Result};
use crate::mmio::Doorbell;
use crate::packet::{Batch, Pool, Returns};
use crate::ring::Ring;

/// Empty descriptors that are refilled together: a tail that moves for each packet costs both sides a cache line each time.
/// Short rings have no more than a quarter of them empty.
const REFILL_AT: u32 = 16;

/// One receive queue: the descriptors, and what the driver knows of them.
pub(super) struct RxQueue {
    pub(super) number: u16,
    pub(super) span: Arc<DmaSpan>,
    state: State,
    tail: Doorbell,
    watch: Watch,
}

struct State {
    nic: Arc<Nic>,
    ring: Ring,
    /// The slot behind each descriptor that the device has, or has filled.
    slots: Box<[Option<Slot>]>,
    returns: Returns,
    refill_at: u32,
    hashes: bool,
    longest: usize,
    most_pieces: usize,
}

/// What is at the clean end of the ring.
enum Found {
    /// Nothing that is complete.
    Nothing,
    /// A good packet in this many descriptors.
    Packet(usize),
    /// This many descriptors that describe no possible packet.
    Lie(usize),
}

impl RxQueue {
    /// Makes the ring and puts a slot behind every descriptor but one. The device does not know of it yet.
    pub(super) fn new(nic: &Arc<Nic>, number: u16) -> Result<RxQueue> {
        let size = nic.config.ring_slots;
        let span = Arc::new(nic.memory.span(size as usize * 16, 128)?);
        let mut state = State {
            ring: Ring::new(size),
            slots: (0..size).map(|_| None).collect(),
            returns: Returns::default(),
            refill_at: REFILL_AT.min(size / 4),
            hashes: nic.config.rx_queues > 1,
            longest: nic.longest_packet(),
            most_pieces: nic.most_pieces(),
            nic: nic.clone(),
        };
        state.refill(span.descriptors());
        Ok(RxQueue { number, span, state, tail: nic.regs.doorbell(regs::RDT.at(number)), watch: nic.watch() })
    }

    /// Tells the device how far the ring is filled: everything below the tail is its own. [82599:7.1.9]
    pub(super) fn publish(&self) -> Result<()> {
        self.tail.ring(self.state.ring.fill()) // [rx.publish]
    }
}

impl State {
    /// Moves packets of one descriptor each from the ring to the batch, up to the ring's end or the first descriptor
    /// that is something else. Nothing else of a descriptor is read before its status (acquire).
    #[inline(always)]
    fn take_whole(&mut self, descriptors: Descriptors<'_>, batch: &mut Batch, limit: usize) -> usize {
        let clean = self.ring.clean();
        let run = self.ring.up_to_the_end(clean, self.ring.used()) as usize;
        let (start, run) = (clean as usize, run.min(batch.room()).min(limit));
        let table = self.nic.memory.table();
        let longest = self.longest.min(SLOT_BYTES) as u16;
        let places = &mut self.slots[start..start + run];
        let mut taken = 0;
        for (words, place) in descriptors[start..start + run].iter().zip(places.iter_mut()) {
            let status = Received(words[1].load(Ordering::Acquire)); // [rx.poll]
            let Some(slot) = place.as_mut().filter(|_| status.is_whole(longest)) else { break };
            let mark = Mark::last(status.length());
            table.fetch(slot);
            table.set_mark(slot, if self.hashes { with_hash(mark, &words[0]) } else { mark });
            taken += 1;
        }
        batch.push_slots(&mut places[..taken], taken); // [rx.take]
        self.ring.take_back(taken as u32);
        taken
    }

    /// Looks what is at the clean end: for all that [`State::take_whole`] does not take.
    fn poll(&self, descriptors: Descriptors<'_>) -> Found {
        let mut index = self.ring.clean();
        let mut total = 0;
        for pieces in 1..=self.ring.used() as usize {
            let status = Received(descriptors[index as usize][1].load(Ordering::Acquire));
            if !status.done() {
                return Found::Nothing;
            }
            let length = usize::from(status.length());
            total += length;
            if status.ends() {
                let good = (1..=SLOT_BYTES).contains(&length) && total <= self.longest && !status.is_bad();
                return if good { Found::Packet(pieces) } else { Found::Lie(pieces) };
            }
            // A packet goes on only behind a full buffer, and only as far as the longest frame reaches.
            if length != SLOT_BYTES || pieces == self.most_pieces {
                return Found::Lie(pieces);
            }
            index = self.ring.next(index);
        }
        Found::Nothing
    }

    /// Moves the slots of a packet in several descriptors from the ring into the batch.
    fn take_pieces(&mut self, descriptors: Descriptors<'_>, pieces: usize, batch: &mut Batch) {
        for piece in 1..=pieces {
            let index = self.ring.clean() as usize;
            let [first, second] = &descriptors[index];
            let length = Received(second.load(Ordering::Relaxed)).length();
            let last = piece == pieces;
            let mark = match last {
                true if self.hashes => with_hash(Mark::last(length), first),
                true => Mark::last(length),
                false => Mark::more(length),
            };
            let place = &mut self.slots[index..=index];
            if let Some(slot) = &mut place[0] {
                self.nic.memory.table().set_mark(slot, mark);
            }
            batch.push_slots(place, usize::from(last));
            self.ring.take_back(1);
        }
    }

    /// Takes descriptors that describe no packet out of the ring, and their slots home.
    #[cold]
    fn throw_away(&mut self, pieces: usize) {
        self.nic.lies.fetch_add(1, Ordering::Relaxed);
        for _ in 0..pieces {
            let index = self.ring.clean() as usize;
            self.returns.give_back(&self.nic.memory, &mut self.slots[index..=index]);
            self.ring.take_back(1);
        }
    }

    /// Puts an empty slot behind every descriptor that has none, as far as the pool reaches: a ring that cannot be
    /// filled now is filled later, and never with a slot that is elsewhere. True if there is something to publish.
    #[inline(always)]
    fn refill(&mut self, descriptors: Descriptors<'_>) -> bool {
        let before = self.ring.fill();
        let table = self.nic.memory.table();
        let mut pool = self.nic.pool.lock();
        while self.ring.free() > 0 {
            let start = self.ring.fill() as usize;
            let run = self.ring.up_to_the_end(start as u32, self.ring.free()) as usize;
            let places = &mut self.slots[start..start + run];
            let got = pool.pop_all(places); // [rx.refill]
            for (words, slot) in descriptors[start..start + got].iter().zip(places.iter().flatten()) {
                let [buffer, header] = desc::receive(table.iova(slot));
                words[0].store(buffer, Ordering::Relaxed);
                words[1].store(header, Ordering::Relaxed);
            }
            self.ring.hand_over(got as u32);
            if got < run {
                break;
            }
        }
        before != self.ring.fill()
    }
}

/// Adds the RSS hash in the first word of a descriptor, if there is one.
#[inline(always)]
fn with_hash(mark: Mark, word: &AtomicU64) -> Mark {
    desc::rss_hash(word.load(Ordering::Relaxed)).map_or(mark, |hash| mark.with_hash(hash))
}

impl Receive for RxQueue {
    fn receive(&mut self, batch: &mut Batch, limit: usize) -> Result<usize> {
        let (state, descriptors) = (&mut self.state, self.span.descriptors());
        if !batch.memory().is_same(&state.nic.memory) {
            return Err(Error::Unsupported("a batch of another DMA memory than the device's".into()));
        }
        let mut packets = 0;
        while packets < limit && batch.room() > 0 {
            let taken = state.take_whole(descriptors, batch, limit - packets);
            packets += taken;
            if taken > 0 {
                continue;
            }
            match state.poll(descriptors) {
                Found::Packet(pieces) if pieces <= batch.room() => {
                    state.take_pieces(descriptors, pieces, batch);
                    packets += 1;
                }
                // A packet that the batch could never hold would stop the queue for good.
                Found::Packet(pieces) if pieces > batch.capacity() => state.throw_away(pieces),
                Found::Lie(pieces) => state.throw_away(pieces),
                Found::Packet(_) | Found::Nothing => break,
            }
        }
        if state.ring.free() >= state.refill_at && state.refill(descriptors) {
            self.publish()?;
        }
        if packets == 0 {
            self.watch.in_vain()?;
        }
        Ok(packets)
    }

    fn slots_of(&self, pool: &Pool) -> usize {
        self.state.slots.iter().flatten().filter(|slot| pool.owns(slot)).count()
    }
}

impl Drop for RxQueue {
    fn drop(&mut self) {
        // The device may still write into these slots: they go home when it has been stopped.
        let slots = std::mem::take(&mut self.state.slots);
        self.state.nic.retire(Retired { _descriptors: self.span.clone(), slots });
    }
}

//! A batch owns packets, in order. It is filled by `receive`, emptied by `transmit`, and allocates only when made.

use crate::dma::{DmaMemory, Mark, SLOT_BYTES, Slot};
use crate::error::{Error, Result};
use crate::packet::{Iter, IterMut, MAX_PIECES, Pool, Returns, SlotList};

/// An ordered, owning collection of packets with a fixed capacity, counted in slots.
///
/// A packet of up to 2048 bytes takes one slot, a longer one several. Packets that are still in the batch when it is
/// dropped go back to their pools.
///
/// ```no_run
/// # fn main() -> ringway::Result<()> {
/// # let memory = ringway::DmaMemory::new(16 << 20)?;
/// # let mut device = ringway::Device::open("unix:/tmp/nic0", &memory, &ringway::Config::default())?;
/// let mut batch = device.batch(32);
/// device.receive(0, &mut batch)?;
/// for mut packet in batch.iter_mut() {
///     packet.head_mut()[0] ^= 2; // its first byte
/// }
/// device.transmit(0, &mut batch)?;
/// println!("{} packets did not fit into the ring and are still ours", batch.len());
/// # Ok(()) }
/// ```
pub struct Batch {
    memory: DmaMemory,
    slots: SlotList,
    packets: usize,
    returns: Returns,
}

impl Batch {
    /// An empty batch for up to `capacity` slots (at least one) of `memory`.
    pub fn new(memory: &DmaMemory, capacity: usize) -> Batch {
        Batch {
            memory: memory.clone(),
            slots: SlotList::new(capacity.max(1)),
            packets: 0,
            returns: Returns::default(),
        }
    }

    /// Number of packets.
    #[inline]
    pub fn len(&self) -> usize {
        self.packets
    }

    /// True if there are no packets.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// Number of slots that the batch can hold.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.slots.capacity()
    }

    /// Number of slots that can still be added.
    #[inline(always)]
    pub fn room(&self) -> usize {
        self.slots.room()
    }

    /// The packets in order, for reading.
    pub fn iter(&self) -> Iter<'_> {
        Iter::new(self.memory.table(), self.slots.filled())
    }

    /// The packets in order, for changing their bytes.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_> {
        IterMut::new(self.memory.table(), self.slots.filled_mut())
    }

    /// Appends a packet with a copy of `bytes`, in slots from `pool`. `Ok(false)` if the batch has no room or the pool
    /// no slots for it: full and empty are results.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if `bytes` is empty or longer than any frame, or `pool` is of another memory.
    pub fn push(&mut self, pool: &Pool, bytes: &[u8]) -> Result<bool> {
        let pieces = bytes.len().div_ceil(SLOT_BYTES);
        if pieces == 0 || pieces > MAX_PIECES {
            return Err(Error::Unsupported(format!("a packet of {} bytes", bytes.len())));
        }
        self.same_memory(pool)?;
        if self.room() < pieces || !self.take(pool, pieces) {
            return Ok(false);
        }
        let (table, start) = (self.memory.table(), self.slots.len() - pieces);
        let slots = self.slots.filled_mut()[start..].iter_mut().flatten();
        for (index, (slot, piece)) in slots.zip(bytes.chunks(SLOT_BYTES)).enumerate() {
            table.bytes_mut(slot, piece.len()).copy_from_slice(piece);
            let length = piece.len() as u16;
            let last = index + 1 == pieces;
            table.set_mark(slot, if last { Mark::last(length) } else { Mark::more(length) });
        }
        self.packets += 1;
        Ok(true)
    }

    /// Appends up to `count` packets of `length` bytes each (1 to 2048), whose bytes are whatever was in the slots
    /// before; returns how many there were room and slots for.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if `length` does not fit a slot or `pool` is of another memory.
    pub fn extend(&mut self, pool: &Pool, count: usize, length: usize) -> Result<usize> {
        if length == 0 || length > SLOT_BYTES {
            return Err(Error::Unsupported(format!("a packet of {length} bytes in one slot")));
        }
        self.same_memory(pool)?;
        let start = self.slots.len();
        let mut stack = pool.lock();
        while self.slots.len() - start < count && self.room() > 0 {
            let Some(mut slot) = stack.pop() else { break };
            self.memory.table().set_mark(&mut slot, Mark::last(length as u16));
            self.slots.push(slot);
        }
        let added = self.slots.len() - start;
        self.packets += added;
        Ok(added)
    }

    /// Moves packets from the front of `other` behind those in this batch, as many whole ones as there is room for.
    /// Returns their number; 0 as well if the two are of different memories.
    pub fn append(&mut self, other: &mut Batch) -> usize {
        if !self.memory.is_same(&other.memory) {
            return 0;
        }
        let (slots, packets) = other.front(self.room(), usize::MAX);
        self.slots.push_all(&mut other.slots.filled_mut()[..slots]);
        other.slots.close_gap(slots);
        other.packets -= packets;
        self.packets += packets;
        packets
    }

    /// Gives all packets back to their pools and returns how many there were.
    pub fn clear(&mut self) -> usize {
        let packets = std::mem::take(&mut self.packets);
        self.returns.give_back(&self.memory, self.slots.filled_mut());
        self.slots.forget_taken();
        packets
    }

    /// Gives the packets of one pool back to it; the others stay in order. Returns how many went. A packet belongs to
    /// the pool of its first slot.
    pub fn clear_of(&mut self, pool: &Pool) -> usize {
        let before = self.packets;
        let empty = SlotList::new(self.capacity());
        let mut all = std::mem::replace(&mut self.slots, empty);
        self.packets = 0;
        let (mut ours, mut starts) = (false, true);
        for slot in all.filled_mut().iter_mut().filter_map(Option::take) {
            if starts {
                ours = pool.owns(&slot);
                self.packets += usize::from(!ours);
            }
            starts = !self.memory.table().mark(&slot).goes_on();
            let homeward = if ours { Some(slot) } else { self.slots.push(slot) };
            if let Some(slot) = homeward {
                self.returns.give_back_one(&self.memory, slot);
            }
        }
        before - self.packets
    }

    /// Number of slots in this batch that belong to `pool`.
    pub fn slots_of(&self, pool: &Pool) -> usize {
        self.slots.filled().iter().flatten().filter(|slot| pool.owns(slot)).count()
    }

    /// The memory that the packets are in.
    pub fn memory(&self) -> &DmaMemory {
        &self.memory
    }

    /// How many slots, and packets, the front of the batch has in at most `room` slots and at most `limit` packets,
    /// without splitting a packet.
    pub(crate) fn front(&self, room: usize, limit: usize) -> (usize, usize) {
        if self.slots.len() <= room && self.packets <= limit {
            return (self.slots.len(), self.packets);
        }
        let (mut slots, mut packets) = (0, 0);
        for (index, slot) in self.slots.filled().iter().take(room).flatten().enumerate() {
            if packets == limit {
                break;
            }
            if !self.memory.table().mark(slot).goes_on() {
                (slots, packets) = (index + 1, packets + 1);
            }
        }
        (slots, packets)
    }

    /// The slots in order, to be looked at before they are taken. Those of one packet are neighbours.
    #[inline(always)]
    pub(crate) fn slots_mut(&mut self) -> &mut [Option<Slot>] {
        self.slots.filled_mut()
    }

    /// Says that the first `slots` places, which are `packets` packets, have been emptied.
    #[inline(always)]
    pub(crate) fn taken_front(&mut self, slots: usize, packets: usize) {
        self.slots.close_gap(slots);
        self.packets -= packets;
    }

    /// Appends slots that are `packets` packets; the caller has checked the room.
    #[inline(always)]
    pub(crate) fn push_slots(&mut self, from: &mut [Option<Slot>], packets: usize) {
        let moved = self.slots.push_all(from);
        debug_assert!(moved == from.len());
        self.packets += packets;
    }

    /// Takes `pieces` slots from the pool, all or none.
    fn take(&mut self, pool: &Pool, pieces: usize) -> bool {
        let mut taken = [const { None }; MAX_PIECES];
        let got = pool.lock().pop_all(&mut taken[..pieces]);
        if got < pieces {
            self.returns.give_back(&self.memory, &mut taken[..got]);
            return false;
        }
        self.slots.push_all(&mut taken[..pieces]);
        true
    }

    fn same_memory(&self, pool: &Pool) -> Result<()> {
        if self.memory.is_same(pool.memory()) {
            return Ok(());
        }
        Err(Error::Unsupported("a batch with packets of two DMA memories".into()))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.clear();
    }
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Batch({} packets in {} of {} slots)", self.packets, self.slots.len(), self.capacity())
    }
}

impl<'a> IntoIterator for &'a Batch {
    type Item = crate::packet::Packet<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Batch {
    type Item = crate::packet::PacketMut<'a>;
    type IntoIter = IterMut<'a>;

    fn into_iter(self) -> IterMut<'a> {
        self.iter_mut()
    }
}

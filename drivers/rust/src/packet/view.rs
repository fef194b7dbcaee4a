//! Views of one packet in a batch.

use crate::dma::{Slot, Table};

/// A packet in a batch, for reading.
#[derive(Clone, Copy)]
pub struct Packet<'a> {
    table: Table<'a>,
    slots: &'a [Option<Slot>],
}

/// A packet in a batch, for changing its bytes.
pub struct PacketMut<'a> {
    table: Table<'a>,
    slots: &'a mut [Option<Slot>],
}

impl<'a> Packet<'a> {
    /// Length in bytes, without FCS.
    #[allow(clippy::len_without_is_empty, reason = "no packet is empty")]
    pub fn len(&self) -> usize {
        self.slots.iter().flatten().map(|slot| self.table.mark(slot).length()).sum()
    }

    /// The bytes in the packet's first slot: all of it, unless it is longer than 2048 bytes.
    #[inline]
    pub fn head(&self) -> &'a [u8] {
        self.slots.first().and_then(Option::as_ref).map_or(&[], |slot| self.table.bytes(slot))
    }

    /// The packet's bytes, slot by slot.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let table = self.table;
        self.slots.iter().flatten().map(move |slot| table.bytes(slot))
    }

    /// A copy of the bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        self.pieces().flatten().copied().collect()
    }

    /// The RSS hash that the device computed; `None` if it did not (one receive queue, or no TCP or UDP).
    /// [82599 7.1.2.8]
    pub fn rss_hash(&self) -> Option<u32> {
        self.slots.last()?.as_ref().and_then(|slot| self.table.mark(slot).hash())
    }
}

impl PacketMut<'_> {
    /// The same packet, for reading.
    pub fn as_packet(&self) -> Packet<'_> {
        Packet { table: self.table, slots: self.slots }
    }

    /// The bytes in the packet's first slot: all of it, unless it is longer than 2048 bytes.
    #[inline]
    pub fn head_mut(&mut self) -> &mut [u8] {
        match self.slots.first_mut() {
            Some(Some(slot)) => self.table.bytes_mut(slot, self.table.mark(slot).length()),
            _ => &mut [],
        }
    }

    /// The packet's bytes, slot by slot.
    pub fn pieces_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let table = self.table;
        self.slots.iter_mut().flatten().map(move |slot| table.bytes_mut(slot, table.mark(slot).length()))
    }
}

/// The packets of a batch in order; see [`Batch::iter`](crate::Batch::iter).
pub struct Iter<'a> {
    table: Table<'a>,
    rest: &'a [Option<Slot>],
}

impl<'a> Iter<'a> {
    pub(super) fn new(table: Table<'a>, rest: &'a [Option<Slot>]) -> Iter<'a> {
        Iter { table, rest }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = Packet<'a>;

    fn next(&mut self) -> Option<Packet<'a>> {
        let (slots, rest) = self.rest.split_at_checked(pieces(self.table, self.rest))?;
        self.rest = rest;
        (!slots.is_empty()).then_some(Packet { table: self.table, slots })
    }
}

/// The packets of a batch in order, for changing; see [`Batch::iter_mut`](crate::Batch::iter_mut).
pub struct IterMut<'a> {
    table: Table<'a>,
    rest: &'a mut [Option<Slot>],
}

impl<'a> IterMut<'a> {
    #[inline]
    pub(super) fn new(table: Table<'a>, rest: &'a mut [Option<Slot>]) -> IterMut<'a> {
        IterMut { table, rest }
    }
}

impl<'a> Iterator for IterMut<'a> {
    type Item = PacketMut<'a>;

    #[inline]
    fn next(&mut self) -> Option<PacketMut<'a>> {
        let all = std::mem::take(&mut self.rest);
        let (slots, rest) = all.split_at_mut_checked(pieces(self.table, all))?;
        self.rest = rest;
        (!slots.is_empty()).then_some(PacketMut { table: self.table, slots })
    }
}

/// Number of slots of the first packet in `slots`.
#[inline(always)]
fn pieces(table: Table<'_>, slots: &[Option<Slot>]) -> usize {
    let ends = |slot: &Option<Slot>| slot.as_ref().is_none_or(|slot| !table.mark(slot).goes_on());
    slots.iter().position(ends).map_or(slots.len(), |last| last + 1)
}

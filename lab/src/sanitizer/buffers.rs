//! Who owns which bytes of the driver's memory: the NIC's view of "a buffer is in one place at a time".
//!
//! Every buffer that the NIC owns, and every ring, is entered in each 4 KiB page that it touches, with its exact
//! bounds. Buffers are a few KiB at most, so that is one or two entries; a page holds a handful. Nothing is allocated
//! once all pages of a pool have been used.

use super::queues::Extent;
use crate::events::{Queue, Side};

const PAGE_BITS: u32 = 12;
/// Pages are kept in chunks of this many.
const CHUNK_BITS: u32 = 9;
const CHUNK_PAGES: usize = 1 << CHUNK_BITS;
/// Chunks at most, 128 GiB of memory that was really used. Beyond, nothing is entered and nothing found.
const MOST_CHUNKS: usize = 1 << 16;

/// What some bytes are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// The NIC will write a packet there.
    Receive,
    /// The NIC will read a packet from there.
    Send,
    /// A descriptor ring.
    Ring,
}

impl Use {
    /// Whether two overlapping uses harm each other. Sending the same bytes twice does not, and neither does
    /// sending a ring.
    fn conflicts(self, other: Use) -> bool {
        match (self, other) {
            (Use::Receive, _) | (_, Use::Receive) | (Use::Ring, Use::Ring) => true,
            (Use::Send | Use::Ring, Use::Send) | (Use::Send, Use::Ring) => false,
        }
    }
}

/// Some bytes and who uses them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub extent: Extent,
    pub usage: Use,
    pub queue: Queue,
    pub slot: u32,
    /// Descriptors that send exactly these bytes share an entry, or a driver that sends one buffer a thousand times
    /// would make a long list.
    sharers: u32,
}

impl Claim {
    pub fn new(usage: Use, queue: Queue, slot: u32, extent: Extent) -> Self {
        Claim { extent, usage, queue, slot, sharers: 1 }
    }

    fn is_same(&self, other: &Claim) -> bool {
        let same_owner = self.usage == Use::Send || (self.queue == other.queue && self.slot == other.slot);
        self.usage == other.usage && self.extent == other.extent && same_owner
    }
}

type Page = Vec<Claim>;

#[derive(Debug)]
struct Chunk {
    /// Address of its first byte, shifted right by both bit counts.
    number: u64,
    pages: Box<[Page]>,
}

/// All bytes in use.
#[derive(Debug, Default)]
pub(super) struct Ownership {
    /// Sorted by number.
    chunks: Vec<Chunk>,
    /// Where the last search ended.
    last: usize,
}

impl Ownership {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Ownership::default();
    }

    /// Enters a claim and returns one that it harms, if there is any.
    pub fn claim(&mut self, claim: Claim) -> Option<Claim> {
        let mut harmed = None;
        for page in pages(claim.extent) {
            let Some(page) = self.page(page, true) else { continue };
            if let Some(known) =
                page.iter_mut().find(|known| claim.usage == Use::Send && known.is_same(&claim))
            {
                known.sharers += 1;
                continue;
            }
            harmed = harmed.or_else(|| {
                let harms = |known: &&Claim| {
                    known.usage.conflicts(claim.usage) && known.extent.overlaps(claim.extent)
                };
                page.iter().find(harms).copied()
            });
            page.push(claim);
        }
        harmed
    }

    /// Removes a claim.
    pub fn release(&mut self, claim: Claim) {
        for page in pages(claim.extent) {
            let Some(page) = self.page(page, false) else { continue };
            let Some(at) = page.iter().position(|known| known.is_same(&claim)) else { continue };
            page[at].sharers -= 1;
            if page[at].sharers == 0 {
                page.swap_remove(at);
            }
        }
    }

    fn page(&mut self, page: u64, make: bool) -> Option<&mut Page> {
        let number = page >> CHUNK_BITS;
        if self.chunks.get(self.last).is_none_or(|chunk| chunk.number != number) {
            self.last = self.find(number, make)?;
        }
        Some(&mut self.chunks[self.last].pages[page as usize % CHUNK_PAGES])
    }

    #[cold]
    fn find(&mut self, number: u64, make: bool) -> Option<usize> {
        match self.chunks.binary_search_by_key(&number, |chunk| chunk.number) {
            Ok(at) => Some(at),
            Err(at) if make && self.chunks.len() < MOST_CHUNKS => {
                let pages = vec![Page::new(); CHUNK_PAGES].into_boxed_slice();
                self.chunks.insert(at, Chunk { number, pages });
                Some(at)
            }
            Err(_) => None,
        }
    }
}

/// Numbers of the pages that an extent touches.
fn pages(extent: Extent) -> impl Iterator<Item = u64> {
    let last = extent.end().saturating_sub(1) >> PAGE_BITS;
    let first = extent.start >> PAGE_BITS;
    let none = extent.length == 0;
    (first..=last).filter(move |_| !none)
}

/// `RX queue 0 slot 5`, or `the ring of TX queue 1`.
pub(super) fn describe(claim: &Claim) -> String {
    let side = match claim.queue.side {
        Side::Rx => "RX",
        Side::Tx => "TX",
    };
    match claim.usage {
        Use::Ring => format!("the ring of {side} queue {}", claim.queue.number),
        Use::Receive | Use::Send => format!("{side} queue {} slot {}", claim.queue.number, claim.slot),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RX: Queue = Queue { side: Side::Rx, number: 0 };
    const TX: Queue = Queue { side: Side::Tx, number: 0 };

    fn receive(slot: u32, start: u64, length: u32) -> Claim {
        Claim::new(Use::Receive, RX, slot, Extent { start, length })
    }

    fn send(slot: u32, start: u64, length: u32) -> Claim {
        Claim::new(Use::Send, TX, slot, Extent { start, length })
    }

    #[test]
    fn neighbours_do_not_overlap_and_one_byte_does() {
        let mut owned = Ownership::default();
        assert!(owned.claim(receive(0, 0x1000, 1526)).is_none());
        assert!(owned.claim(receive(1, 0x1000 + 1526, 1526)).is_none());
        let harmed = owned.claim(receive(2, 0x1000 + 1525, 1)).unwrap();
        assert_eq!(harmed.slot, 0);
    }

    #[test]
    fn an_overlap_across_a_page_and_a_chunk_is_found() {
        let mut owned = Ownership::default();
        let edge = 0x20_0000;
        assert!(owned.claim(receive(0, edge - 100, 2048)).is_none());
        assert_eq!(owned.claim(send(9, edge + 1947, 60)).unwrap().slot, 0);
        assert!(owned.claim(send(10, edge + 1948, 60)).is_none());
    }

    #[test]
    fn sending_twice_is_allowed_until_the_last_is_done() {
        let mut owned = Ownership::default();
        assert!(owned.claim(send(0, 0x5000, 60)).is_none());
        assert!(owned.claim(send(1, 0x5000, 60)).is_none());
        owned.release(send(0, 0x5000, 60));
        assert!(owned.claim(receive(3, 0x5000, 2048)).is_some(), "slot 1 still sends it");
        owned.release(receive(3, 0x5000, 2048));
        owned.release(send(1, 0x5000, 60));
        assert!(owned.claim(receive(3, 0x5000, 2048)).is_none());
    }

    #[test]
    fn the_end_of_the_address_space_is_no_trap() {
        let mut owned = Ownership::default();
        assert!(owned.claim(receive(0, u64::MAX - 10, 2048)).is_none());
        assert!(owned.claim(receive(1, u64::MAX - 5, 1)).is_some());
        assert!(owned.claim(receive(1, 0, 0)).is_none(), "nothing overlaps nothing");
    }
}

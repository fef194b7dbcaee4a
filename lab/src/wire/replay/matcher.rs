//! Which of the sent packets is it that has arrived, and is it what it should be?
//!
//! Captured packets carry no sequence number, so they are recognised by their bytes. Usually the packet that arrives
//! is the next one, and one comparison says so; only when it is not, the others that are under way are searched.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Serialize;

use crate::clock::Nanos;
use crate::wire::pcap::{Capture, Padded};

/// The byte that the forward workload changes, in frames that are long enough to have it.
pub const CHANGED_BYTE: usize = 48;
/// So many sent packets are remembered. Far more than pools and rings hold, so that what is older is lost.
const WINDOW: usize = 1 << 15;
/// Among so many packets from the expected one on, a damaged frame looks for the one it was.
const SUSPECTS: usize = 64;

/// What an arrived frame was found to be. Numbers count packets of the capture from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The packet with this number, as it should be.
    Right(usize),
    /// The packet with this number, once more.
    Duplicate(usize),
    /// Most likely the packet with this number, with wrong bytes.
    Corrupt(usize),
    /// None of the packets that are under way.
    Unexpected,
}

/// The first byte that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Number of the packet in the capture, from 1, as Wireshark counts.
    pub packet: u64,
    /// Offset in the frame.
    pub offset: usize,
    /// The byte as it should be; `None` past the end of the frame as it should be.
    pub expected: Option<u8>,
    /// The byte as it is; `None` past the end of the frame as it is.
    pub got: Option<u8>,
}

/// Counts of one replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Packets that the first NIC took off the wire.
    pub sent: u64,
    /// Their bytes, as in the capture.
    pub sent_bytes: u64,
    /// Packets of these that arrived, each counted once, the corrupt ones among them.
    pub arrived: u64,
    /// Their bytes, as in the capture.
    pub arrived_bytes: u64,
    /// Frames that were a packet which had arrived already.
    pub duplicates: u64,
    /// Packets that arrived after one that was sent later.
    pub reordered: u64,
    /// Packets that arrived with wrong bytes or a wrong length.
    pub corrupt: u64,
    /// Frames that nobody sent.
    pub unexpected: u64,
}

#[derive(Clone, Copy, Debug)]
struct Sent {
    packet: u32,
    arrived: bool,
    at: Nanos,
}

/// Follows packets from where they are sent to where they arrive.
#[derive(Debug)]
pub struct Matcher {
    capture: Arc<Capture>,
    increment: u8,
    /// The last `WINDOW` packets that were sent, oldest first.
    sent: VecDeque<Sent>,
    /// Index in `sent` of the packet behind the one that arrived last.
    expected: usize,
    /// Index in `sent` one past the latest packet that has arrived.
    overtaken: usize,
    counts: Counts,
    first_corrupt: Option<Difference>,
    /// Among those that `sent` has forgotten.
    first_lost: Option<u32>,
    padded: Padded,
}

impl Matcher {
    /// `increment` is what the driver adds to byte 48 of each frame.
    pub fn new(capture: Arc<Capture>, increment: u8) -> Self {
        Matcher {
            capture,
            increment,
            sent: VecDeque::with_capacity(WINDOW),
            expected: 0,
            overtaken: 0,
            counts: Counts::default(),
            first_corrupt: None,
            first_lost: None,
            padded: Padded::default(),
        }
    }

    /// The packet with this number (from 0) was sent.
    pub fn sent(&mut self, packet: usize, now: Nanos) {
        if self.sent.len() == WINDOW {
            self.forget_oldest();
        }
        self.sent.push_back(Sent { packet: packet as u32, arrived: false, at: now });
        self.counts.sent += 1;
        self.counts.sent_bytes += self.capture.packet(packet).bytes.len() as u64;
    }

    /// A frame has arrived. Tells what it is and, if it is (or is taken for) a packet that was awaited, when that
    /// was sent.
    pub fn arrived(&mut self, frame: &[u8]) -> (Verdict, Option<Nanos>) {
        if let Some(index) = self.find_awaited(frame) {
            let sent = self.accept(index);
            return (Verdict::Right(sent.packet as usize), Some(sent.at));
        }
        if let Some(packet) = self.find_arrived(frame) {
            self.counts.duplicates += 1;
            return (Verdict::Duplicate(packet), None);
        }
        if let Some(index) = self.find_damaged(frame) {
            let sent = self.accept(index);
            self.counts.corrupt += 1;
            if self.first_corrupt.is_none() {
                self.first_corrupt = self.difference(sent.packet, frame);
            }
            return (Verdict::Corrupt(sent.packet as usize), Some(sent.at));
        }
        self.counts.unexpected += 1;
        (Verdict::Unexpected, None)
    }

    /// The counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The first corrupt packet's first wrong byte.
    pub fn first_corrupt(&self) -> Option<Difference> {
        self.first_corrupt
    }

    /// Number (from 1) of the first packet that was sent and has not arrived.
    pub fn first_missing(&self) -> Option<u64> {
        let waiting = || self.sent.iter().find(|sent| !sent.arrived).map(|sent| sent.packet);
        self.first_lost.or_else(waiting).map(|packet| u64::from(packet) + 1)
    }

    /// An awaited packet that looks like this: the expected one, a later one, or an earlier one.
    fn find_awaited(&mut self, frame: &[u8]) -> Option<usize> {
        let later = self.expected..self.sent.len();
        later.chain(0..self.expected).find(|&index| !self.sent[index].arrived && self.is_it(index, frame))
    }

    fn find_arrived(&mut self, frame: &[u8]) -> Option<usize> {
        let found =
            (0..self.sent.len()).rev().find(|&index| self.sent[index].arrived && self.is_it(index, frame))?;
        Some(self.sent[found].packet as usize)
    }

    /// The awaited packet that is most like this frame, if it is more like than unlike.
    fn find_damaged(&mut self, frame: &[u8]) -> Option<usize> {
        let later = self.expected..self.sent.len();
        let awaited = later.chain(0..self.expected).filter(|&index| !self.sent[index].arrived).take(SUSPECTS);
        let suspects: Vec<_> = awaited.collect();
        let distance = |index: usize| {
            let expected = on_wire(&self.capture, &mut self.padded, self.sent[index].packet);
            let wrong = differences(expected, frame, self.increment).count();
            (wrong * 2 < expected.len().max(frame.len())).then_some((wrong, index))
        };
        // On equal terms the one that comes first in the search.
        let nearest = suspects.into_iter().filter_map(distance).min_by_key(|&(wrong, _)| wrong);
        nearest.map(|(_, index)| index)
    }

    fn is_it(&mut self, index: usize, frame: &[u8]) -> bool {
        let expected = on_wire(&self.capture, &mut self.padded, self.sent[index].packet);
        is_right(expected, frame, self.increment)
    }

    fn difference(&mut self, packet: u32, frame: &[u8]) -> Option<Difference> {
        let expected = on_wire(&self.capture, &mut self.padded, packet);
        let (offset, expected, got) = differences(expected, frame, self.increment).next()?;
        Some(Difference { packet: u64::from(packet) + 1, offset, expected, got })
    }

    fn accept(&mut self, index: usize) -> Sent {
        let sent = &mut self.sent[index];
        sent.arrived = true;
        self.counts.arrived += 1;
        self.counts.arrived_bytes += self.capture.packet(sent.packet as usize).bytes.len() as u64;
        self.expected = index + 1;
        if index < self.overtaken {
            self.counts.reordered += 1;
        } else {
            self.overtaken = index + 1;
        }
        *sent
    }

    fn forget_oldest(&mut self) {
        if let Some(sent) = self.sent.pop_front().filter(|sent| !sent.arrived) {
            self.first_lost.get_or_insert(sent.packet);
        }
        self.expected = self.expected.saturating_sub(1);
        self.overtaken = self.overtaken.saturating_sub(1);
    }
}

fn on_wire<'a>(capture: &'a Capture, padded: &'a mut Padded, packet: u32) -> &'a [u8] {
    padded.pad(capture.packet(packet as usize).bytes)
}

fn is_right(expected: &[u8], frame: &[u8], increment: u8) -> bool {
    if expected.len() != frame.len() {
        return false;
    }
    if frame.len() <= CHANGED_BYTE {
        return expected == frame;
    }
    frame[..CHANGED_BYTE] == expected[..CHANGED_BYTE]
        && frame[CHANGED_BYTE] == expected[CHANGED_BYTE].wrapping_add(increment)
        && frame[CHANGED_BYTE + 1..] == expected[CHANGED_BYTE + 1..]
}

/// Offset, byte as it should be, byte as it is.
fn differences<'a>(
    expected: &'a [u8],
    frame: &'a [u8],
    increment: u8,
) -> impl Iterator<Item = (usize, Option<u8>, Option<u8>)> + 'a {
    (0..expected.len().max(frame.len())).filter_map(move |offset| {
        let change = if offset == CHANGED_BYTE { increment } else { 0 };
        let right = expected.get(offset).map(|byte| byte.wrapping_add(change));
        let got = frame.get(offset).copied();
        (right != got).then_some((offset, right, got))
    })
}

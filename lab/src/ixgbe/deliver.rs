//! Writing a received frame to the driver's memory: payload first, then the first word of the descriptor, then its
//! second word, which hands the slot back, in one store (82599 7.1.5, 7.1.6).

use std::collections::VecDeque;

use super::crc::FrameCheck;
use super::filter::{ETHERTYPE_AT, FCS, TAG};
use super::host::Host;
use super::regs::{self, rx_legacy, rx_writeback as wb, srrctl};
use super::ring::{DESCRIPTOR, Ring};
use crate::clock::Nanos;
use crate::events::{Event, Queue, Side};
use crate::faults::Fault;
use crate::memory::{ClientMemory, DmaFault, Recent};
use crate::wire::Burst;

/// What a queue's SRRCTL and RXDCTL say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// Bytes of each buffer.
    pub buffer: u32,
    /// Descriptors are written back in the legacy form.
    pub legacy: bool,
    /// Header splitting is asked for, which is not modelled.
    pub split: bool,
    /// Drop frames that find no descriptor.
    pub drop: bool,
    /// Cut VLAN tags off.
    pub strip: bool,
}

impl Format {
    /// A frame of `length` bytes fills one buffer, as it is.
    #[inline]
    pub fn is_straight(&self, length: usize) -> bool {
        length <= self.buffer as usize && !self.legacy
    }

    /// From the two registers.
    pub fn new(control: u32, descriptor_control: u32) -> Self {
        let kind = srrctl::DESCTYPE.get(control);
        Format {
            // Hardware has five bits of the field; drivers' masks have seven.
            buffer: (srrctl::BSIZEPACKET.get(control) & 0x1F) * 1024,
            legacy: kind == srrctl::DESCTYPE_LEGACY,
            split: !matches!(kind, srrctl::DESCTYPE_LEGACY | srrctl::DESCTYPE_ADV_ONE_BUFFER),
            drop: srrctl::DROP_EN.is_set(control),
            strip: regs::rxdctl::VME.is_set(descriptor_control),
        }
    }
}

/// The bytes to store: a frame without what is cut out of it, with what is put behind it.
#[derive(Debug)]
pub struct Payload<'a> {
    /// Up to the tag, or everything.
    head: &'a [u8],
    /// Behind the tag.
    rest: &'a [u8],
    /// The FCS, and how many bytes of it are stored: none where it is stripped.
    check: [u8; FCS],
    check_bytes: usize,
}

impl<'a> Payload<'a> {
    /// Of `frame`, with its tag cut out and its FCS put behind, as asked.
    #[inline]
    pub fn new(frame: &'a [u8], cut_tag: bool, with_check: bool, check_good: bool) -> Self {
        let check = if with_check { check_of(frame, check_good) } else { [0; FCS] };
        let check_bytes = if with_check { FCS } else { 0 };
        if cut_tag {
            let (head, rest) = (&frame[..ETHERTYPE_AT], &frame[ETHERTYPE_AT + TAG..]);
            Payload { head, rest, check, check_bytes }
        } else {
            Payload { head: frame, rest: &[], check, check_bytes }
        }
    }

    /// Bytes in all.
    #[inline]
    pub fn len(&self) -> usize {
        self.head.len() + self.rest.len() + self.check_bytes
    }

    /// Writes the bytes in `from..to` to `iova`.
    #[inline]
    fn write(&self, memory: &ClientMemory, from: usize, to: usize, iova: u64) -> Result<(), DmaFault> {
        if from == 0 && to == self.head.len() {
            return memory.write(iova, self.head);
        }
        let mut start = 0;
        for piece in [self.head, self.rest, &self.check[..self.check_bytes]] {
            let end = start + piece.len();
            let (first, last) = (from.max(start), to.min(end));
            if first < last {
                memory.write(iova + (first - from) as u64, &piece[first - start..last - start])?;
            }
            start = end;
        }
        Ok(())
    }
}

/// The FCS of a frame, right or wrong.
#[cold]
fn check_of(frame: &[u8], good: bool) -> [u8; FCS] {
    let mut check = FrameCheck::new().add(frame).bytes();
    if !good {
        check[0] ^= 0xFF;
    }
    check
}

/// A write-back that a fault holds up.
#[derive(Debug)]
struct Late {
    due: Nanos,
    queue: Queue,
    slot: u32,
    address: u64,
    word: u64,
}

/// Write-backs that wait for the end of the round: the same words for descriptors in a row.
#[derive(Debug)]
struct Ready {
    queue: Queue,
    /// The first slot, and how many.
    slot: u32,
    count: u32,
    /// The ring.
    base: u64,
    slots: u32,
    words: [u64; 2],
}

/// Write-backs on their way: at the end of the round, at once, late, or never.
///
/// Received frames are reported together when the round ends, as the card reports whole cache lines. A driver polls the
/// line that is written next: told of each frame by itself, both sides would fetch that line from each other for every
/// frame instead of once for four.
#[derive(Debug, Default)]
pub struct WriteBack {
    ready: Vec<Ready>,
    late: VecDeque<Late>,
    /// Those that are ready wait longer than a round.
    held: bool,
}

impl WriteBack {
    /// Stores the second word of a descriptor, which gives the slot back to the driver, unless a fault forbids.
    #[inline]
    pub fn complete(&mut self, host: &mut Host, ring: &Ring, slot: u32, word: u64) {
        let address = ring.address(slot) + 8;
        if host.faults.concern(ring.queue.side) || !self.late.is_empty() {
            return self.complete_with_faults(host, ring, slot, address, word);
        }
        store(host, ring.queue, slot, address, word);
    }

    /// Nobody watches descriptors, and nothing disturbs or delays the write-backs of `side`.
    #[inline]
    pub fn is_straight(&self, host: &Host, side: Side) -> bool {
        !host.faults.concern(side) && !host.log.wants_descriptors() && self.late.is_empty()
    }

    /// Has both words of `count` receive descriptors from the head on stored when the round ends.
    #[inline]
    fn at_the_end(&mut self, ring: &Ring, count: u32, words: [u64; 2]) {
        let Ring { queue, base, slots, head: slot, .. } = *ring;
        self.ready.push(Ready { queue, slot, count, base, slots, words });
    }

    /// From now on what is ready waits for [`let_go`](WriteBack::let_go), undisturbed by faults. The legacy form does not wait.
    pub fn hold(&mut self) {
        self.held = true;
    }

    /// Stores what was held, in order.
    pub fn let_go(&mut self, host: &mut Host) {
        self.held = false;
        self.flush(host);
    }

    /// The round ends: stores what waits for it, in order.
    #[inline]
    pub fn flush(&mut self, host: &mut Host) {
        if self.held {
            return;
        }
        for Ready { queue, slot, count, base, slots, words } in self.ready.drain(..) {
            let mut slot = slot;
            for _ in 0..count {
                let address = base + u64::from(slot) * DESCRIPTOR;
                if host.memory.recent().store_pair(address, words).is_none() {
                    store_pair(host, queue, slot, address, words);
                }
                slot = if slot + 1 == slots { 0 } else { slot + 1 };
            }
        }
    }

    #[cold]
    fn complete_with_faults(&mut self, host: &mut Host, ring: &Ring, slot: u32, address: u64, word: u64) {
        let side = ring.queue.side;
        if host.faults.strike(|fault| (fault == Fault::DeadDd(side)).then_some(())).is_some() {
            return;
        }
        let delay = host.faults.strike(|fault| match fault {
            Fault::LateDd { side: which, delay_us } if which == side => Some(u64::from(delay_us) * 1000),
            _ => None,
        });
        let due = Nanos(host.now.0 + delay.unwrap_or(0));
        if delay.is_none() && self.late.is_empty() {
            store(host, ring.queue, slot, address, word);
        } else {
            self.late.push_back(Late { due, queue: ring.queue, slot, address, word });
        }
    }

    /// Stores what has become due, in order.
    #[inline]
    pub fn run(&mut self, host: &mut Host) -> usize {
        let mut done = 0;
        while self.late.front().is_some_and(|late| late.due <= host.now) {
            let Some(late) = self.late.pop_front() else { break };
            store(host, late.queue, late.slot, late.address, late.word);
            done += 1;
        }
        done
    }

    /// Forgets what is on its way to `queue` (it was disabled), or everything.
    pub fn forget(&mut self, queue: Option<Queue>) {
        self.late.retain(|late| queue.is_some_and(|queue| late.queue != queue));
        self.ready.retain(|ready| queue.is_some_and(|queue| ready.queue != queue));
    }
}

#[inline]
fn store(host: &mut Host, queue: Queue, slot: u32, address: u64, word: u64) {
    if let Err(fault) = host.memory.store_u64_release(address, word) {
        host.dma_fault(queue, slot, fault);
    }
}

/// As [`store`], the first word first.
#[cold]
fn store_pair(host: &mut Host, queue: Queue, slot: u32, address: u64, [first, second]: [u64; 2]) {
    match host.memory.write(address, &first.to_le_bytes()) {
        Ok(()) => store(host, queue, slot, address + 8, second),
        Err(fault) => host.dma_fault(queue, slot, fault),
    }
}

/// Words of the write-back of a frame's last descriptor, all but length, DD and EOP.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verdict {
    /// First word.
    pub low: u64,
    /// Status, errors and tag in the advanced layout.
    pub high: u64,
}

impl Verdict {
    /// A checksum is wrong.
    #[inline]
    pub fn tells_of_an_error(self) -> bool {
        self.high & (wb::IPE.mask() | wb::L4E.mask()) != 0
    }
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It is in the driver's memory.
    Done,
    /// There are too few descriptors just now.
    NoRoom,
    /// It can never be stored.
    Unstorable,
    /// The driver's memory could not be reached; slots were used up.
    Faulted,
}

/// Stores one frame. On `NoRoom` and `Unstorable` nothing has happened.
#[inline]
pub fn deliver(
    host: &mut Host,
    back: &mut WriteBack,
    ring: &mut Ring,
    format: Format,
    payload: &Payload<'_>,
    verdict: Verdict,
) -> Delivery {
    let length = payload.len();
    let buffer = format.buffer as usize;
    let needed = if length <= buffer { 1 } else { length.div_ceil(buffer.max(1)) };
    if buffer == 0 || needed > ring.slots.saturating_sub(1) as usize {
        return Delivery::Unstorable;
    }
    if (ring.owned() as usize) < needed {
        ring.look_at_tail(host);
        if (ring.owned() as usize) < needed {
            return Delivery::NoRoom;
        }
    }
    ring.look_further(host.memory.recent());
    let mut outcome = Delivery::Done;
    for part in 0..needed {
        let (from, to) = (part * buffer, length.min((part + 1) * buffer));
        let last = part + 1 == needed;
        if let Err(fault) = fill(host, back, ring, format, payload, (from, to), last.then_some(verdict)) {
            host.dma_fault(ring.queue, ring.head, fault);
            outcome = Delivery::Faulted;
        }
        ring.step();
    }
    outcome
}

/// Frames that [`deliver_alike`] takes at a time.
const MOST_ALIKE: usize = 32;

/// Stores frames of one length and one verdict, each in one buffer, while everything
/// [is straight](WriteBack::is_straight). Returns how many: one that is left over has to go by [`deliver`], which tells why.
#[inline]
pub fn deliver_alike(
    memory: Recent<'_>,
    back: &mut WriteBack,
    ring: &mut Ring,
    burst: Burst<'_>,
    verdict: Verdict,
    length: usize,
) -> usize {
    let mut descriptors = [[0; 2]; MOST_ALIKE];
    let found = ring.descriptors(memory, &mut descriptors[..burst.len().min(MOST_ALIKE)]);
    let pairs = burst.frames().zip(&descriptors[..found]);
    let count = pairs.take_while(|(frame, [buffer, _])| memory.write(*buffer, frame).is_some()).count();
    if count != 0 {
        let length = wb::LENGTH.put(length as u64);
        let words = [verdict.low, verdict.high | length | wb::DD.mask() | wb::EOP.mask()];
        back.at_the_end(ring, count as u32, words);
        ring.step_by(count as u32);
    }
    count
}

/// Fills the buffer of the descriptor at the head and writes the descriptor back.
#[inline]
fn fill(
    host: &mut Host,
    back: &mut WriteBack,
    ring: &Ring,
    format: Format,
    payload: &Payload<'_>,
    (from, to): (usize, usize),
    verdict: Option<Verdict>,
) -> Result<(), DmaFault> {
    let (queue, slot) = (ring.queue, ring.head);
    let address = ring.address(slot);
    let buffer = host.memory.load_u64_acquire(address)?;
    if host.log.wants_descriptors() {
        let words = [buffer, host.memory.load_u64_acquire(address + 8)?];
        host.log.descriptors(|| Event::Fetched { queue, slot, words });
    }
    let mut words = [0, wb::LENGTH.put((to - from) as u64) | wb::DD.mask()];
    if let Some(verdict) = verdict {
        words[0] = verdict.low;
        words[1] |= verdict.high | wb::EOP.mask();
    }
    // A posted write that nobody answers does not stop the NIC: the descriptor comes back all the same. It is marked
    // as bad, so that a driver does not take old memory for a packet.
    let written = payload.write(&host.memory, from, to, buffer);
    if written.is_err() {
        words[1] |= wb::RXE.mask();
    }
    if host.faults.concern(Side::Rx) && verdict.is_some() {
        words = corrupted(host, format, words);
    }
    let stored = write_back(host, back, ring, format, slot, words);
    host.log.descriptors(|| Event::Completed { queue, slot, written: Some(words) });
    written.and(stored)
}

#[inline]
fn write_back(
    host: &mut Host,
    back: &mut WriteBack,
    ring: &Ring,
    format: Format,
    slot: u32,
    words: [u64; 2],
) -> Result<(), DmaFault> {
    if !format.legacy && (back.held || back.is_straight(host, Side::Rx)) {
        back.at_the_end(ring, 1, words);
        return Ok(());
    }
    // What waits for the end of the round is older.
    back.flush(host);
    if format.legacy {
        // The legacy form keeps the buffer's address.
        back.complete(host, ring, slot, legacy(words));
        return Ok(());
    }
    host.memory.write(ring.address(slot), &words[0].to_le_bytes())?;
    back.complete(host, ring, slot, words[1]);
    if host.faults.concern(Side::Rx) {
        repeat(host, ring, slot, words);
    }
    Ok(())
}

/// The legacy layout of a write-back.
fn legacy(words: [u64; 2]) -> u64 {
    // The low eight status bits are the same in both forms.
    rx_legacy::LENGTH.put(wb::LENGTH.get(&words))
        | rx_legacy::CHECKSUM.put(wb::FRAGMENT_CHECKSUM.get(&words))
        | rx_legacy::STATUS.put(wb::STATUS.get(&words) & 0xFF)
        | rx_legacy::RXE.put(wb::RXE.get(&words))
        | rx_legacy::L4E.put(wb::L4E.get(&words))
        | rx_legacy::IPE.put(wb::IPE.get(&words))
        | rx_legacy::VLAN.put(wb::VLAN.get(&words))
}

/// Faults in what the last descriptor of a frame says.
#[cold]
fn corrupted(host: &mut Host, format: Format, mut words: [u64; 2]) -> [u64; 2] {
    if let Some(extra) = host.faults.strike(|fault| match fault {
        Fault::LyingLength { extra } => Some(extra),
        _ => None,
    }) {
        let lie = u64::from(format.buffer) + u64::from(extra);
        wb::LENGTH.set(&mut words, lie.min(wb::LENGTH.mask() >> wb::LENGTH.shift));
    }
    if host.faults.strike(|fault| (fault == Fault::DdWithoutEop).then_some(())).is_some() {
        wb::EOP.set(&mut words, 0);
    }
    words
}

/// The fault that gives back a slot which holds no frame.
#[cold]
fn repeat(host: &mut Host, ring: &Ring, slot: u32, words: [u64; 2]) {
    if ring.owned() > 1 && host.faults.strike(|fault| (fault == Fault::StaleDd).then_some(())).is_some() {
        let next = ring.address(ring.next(slot));
        // A fault here would be one of the next frame too, which will tell of it.
        let _ = host.memory.write(next, &words[0].to_le_bytes());
        let _ = host.memory.store_u64_release(next + DESCRIPTOR / 2, words[1]);
    }
}

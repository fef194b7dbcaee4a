//! The last part of transmitting: a packet in private memory becomes frames on the wire (82599 7.2.4, 7.2.5).

use super::crc::FrameCheck;
use super::filter::{Cast, FCS, TAG};
use super::host::Host;
use super::offload::{self, Complaint, Context, Request, SHORTEST};
use super::registers::RegisterFile;
use super::regs::{self, hlreg0};
use super::tally::{self, Tally};
use super::tso::{self, FlagMasks};
use crate::wire::{Burst, Place, Wire};

/// Longest frame that the transmit path takes without FCS (82599 7.2.1.1: 15.5 KiB).
const LONGEST: usize = 15_872;
/// Shortest packet that software may hand over, even with padding (82599 7.2.1.1).
const SHORTEST_PACKET: usize = 17;
const TOO_SHORT: Complaint = "packet is shorter than 17 bytes";
/// Frames that are sent at once, at most.
pub const BURST: usize = 32;
/// They begin at whole cache lines.
const LINE: usize = 64;
/// Longest packet for segmentation: 18 bits of PAYLEN and the headers.
const LONGEST_SEGMENTED: usize = (1 << 18) + 1024;

/// What a packet's first data descriptor asks for, in one form for both descriptor formats.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The offloads.
    pub request: Request,
    /// What the offloads have to know of the packet.
    pub context: Context,
    /// VLAN tag to insert.
    pub tag: Option<u16>,
    /// The NIC appends the FCS.
    pub insert_check: bool,
    /// Start and place of a legacy checksum.
    pub legacy: Option<(usize, usize)>,
}

/// The way from a packet in private memory to the wire.
#[derive(Debug)]
pub struct Outbound {
    /// The packet as the driver handed it over, with room for a tag.
    packet: Box<[u8]>,
    /// One segment of it.
    segment: Box<[u8]>,
    /// Frames that wait for [`send_burst`](Outbound::send_burst).
    burst: Box<[u8]>,
    filled: usize,
    places: Vec<Place>,
    tally: Tally,
    last: Last,
    masks: FlagMasks,
}

/// What went onto the wire for one packet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sent {
    /// Frames.
    pub frames: u64,
    /// Their bytes, without FCS.
    pub bytes: u64,
}

impl Outbound {
    /// With the registers as they are.
    pub fn new(registers: &RegisterFile) -> Self {
        Outbound {
            packet: vec![0; LONGEST_SEGMENTED + SHORTEST + TAG].into(),
            segment: vec![0; LONGEST + SHORTEST + TAG].into(),
            burst: vec![0; LONGEST.next_multiple_of(LINE)].into(),
            filled: 0,
            places: Vec::with_capacity(BURST),
            tally: Tally::default(),
            last: Last::default(),
            masks: FlagMasks::load(registers),
        }
    }

    /// Takes over the registers.
    pub fn load(&mut self, registers: &RegisterFile) {
        let mac = registers.of(regs::HLREG0);
        self.last = Last {
            pad: hlreg0::TXPADEN.is_set(mac),
            append_check: hlreg0::TXCRCEN.is_set(mac),
            // The field is 0x8100 after power-up on the card, but drivers that never touch it may write 0 over it.
            tag_type: match regs::dmatxctl::VT.get(registers.of(regs::DMATXCTL)) {
                0 => 0x8100,
                kind => kind as u16,
            },
        };
        self.masks = FlagMasks::load(registers);
    }

    /// Where a packet is put together, as long as it may be.
    #[inline]
    pub fn packet_buffer(&mut self, segmentation: bool) -> &mut [u8] {
        &mut self.packet[..if segmentation { LONGEST_SEGMENTED } else { LONGEST }]
    }

    /// Sends the packet of `length` bytes that lies in the buffer.
    #[inline]
    pub fn send(
        &mut self,
        host: &Host,
        wire: &mut dyn Wire,
        length: usize,
        order: &Order,
    ) -> Result<Sent, Complaint> {
        if order.request.segmentation {
            self.segments(host, wire, length, order)
        } else {
            self.packet(host, wire, length, order)
        }
    }

    /// Takes a packet of `length` bytes that asks for nothing but its FCS and that `fetch` puts where it is told; it waits for
    /// [`send_burst`](Outbound::send_burst). Returns the bytes of the frame; `None` if the packet cannot be sent this way, or
    /// not before those that wait have gone, or `fetch` fails.
    #[inline(always)]
    pub fn add(&mut self, length: usize, fetch: impl FnOnce(&mut [u8]) -> Option<()>) -> Option<usize> {
        let possible = (SHORTEST_PACKET..=LONGEST).contains(&length) && self.last.append_check;
        let room = self.burst.get_mut(self.filled..)?;
        if !possible || length.max(SHORTEST) > room.len() || self.places.len() == BURST {
            return None;
        }
        fetch(&mut room[..length])?;
        let length = self.last.pad(room, length);
        self.tally.good(length, Cast::of(room));
        self.places.push(Place { start: self.filled as u32, length: length as u32 });
        self.filled += length.next_multiple_of(LINE);
        Some(length)
    }

    /// Sends what is waiting.
    #[inline]
    pub fn send_burst(&mut self, host: &Host, wire: &mut dyn Wire) {
        wire.send_burst(Burst::new(&self.burst, &self.places), host.now);
        self.places.clear();
        self.filled = 0;
    }

    /// After a batch: the statistics of what was sent.
    pub fn flush(&mut self, registers: &mut RegisterFile) {
        self.tally.flush(registers, &tally::TX);
    }

    /// A packet that is one frame.
    #[inline]
    fn packet(
        &mut self,
        host: &Host,
        wire: &mut dyn Wire,
        length: usize,
        order: &Order,
    ) -> Result<Sent, Complaint> {
        if length < SHORTEST_PACKET {
            return Err(TOO_SHORT);
        }
        offload::insert_checksums(&mut self.packet[..length], &order.context, order.request)?;
        if let Some((start, place)) = order.legacy {
            offload::legacy_checksum(&mut self.packet[..length], start, place)?;
        }
        let mut sent = Sent::default();
        let last = self.last;
        last.put(&mut self.packet, length, order, host, wire, &mut self.tally, &mut sent)?;
        Ok(sent)
    }

    /// A packet that is many frames.
    #[cold]
    fn segments(
        &mut self,
        host: &Host,
        wire: &mut dyn Wire,
        length: usize,
        order: &Order,
    ) -> Result<Sent, Complaint> {
        let mut sent = Sent::default();
        let mut outcome = Ok(());
        let last = self.last;
        let tally = &mut self.tally;
        tso::segment(
            &self.packet[..length],
            &order.context,
            self.masks,
            &mut self.segment,
            |frame, length| {
                if outcome.is_ok() {
                    outcome = last.put(frame, length, order, host, wire, tally, &mut sent);
                }
            },
        )?;
        outcome.map(|()| sent)
    }
}

/// The last steps before the wire.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    pad: bool,
    append_check: bool,
    tag_type: u16,
}

impl Last {
    /// Tag, FCS and padding of the frame in `buffer`; then it is sent.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn put(
        self,
        buffer: &mut [u8],
        mut length: usize,
        order: &Order,
        host: &Host,
        wire: &mut dyn Wire,
        tally: &mut Tally,
        sent: &mut Sent,
    ) -> Result<(), Complaint> {
        if let Some(tag) = order.tag {
            length = offload::insert_tag(buffer, length, self.tag_type, tag);
        }
        length =
            if order.insert_check { self.complete(buffer, length)? } else { own_check(&buffer[..length])? };
        let frame = &buffer[..length];
        wire.send(frame, host.now);
        tally.good(length, Cast::of(frame));
        sent.frames += 1;
        sent.bytes += length as u64;
        Ok(())
    }

    /// FCS and padding of a frame that asks for its FCS. Returns the length without FCS.
    #[inline]
    fn complete(self, buffer: &mut [u8], length: usize) -> Result<usize, Complaint> {
        if !self.append_check {
            return Err("IFCS is set, but HLREG0.TXCRCEN is not: the frame would have no FCS");
        }
        Ok(self.pad(buffer, length))
    }

    /// Padding. Returns the length without FCS.
    #[inline]
    fn pad(self, buffer: &mut [u8], length: usize) -> usize {
        if length >= SHORTEST || !self.pad {
            return length;
        }
        buffer[length..SHORTEST].fill(0);
        SHORTEST
    }
}

/// Without IFCS the packet's last four bytes are the FCS. Returns the length without it. The next station would drop
/// a frame whose FCS is wrong, so it does not get onto the wire.
#[cold]
fn own_check(frame: &[u8]) -> Result<usize, Complaint> {
    let (body, check) = frame.split_last_chunk::<FCS>().ok_or("IFCS is not set and the packet has no FCS")?;
    if FrameCheck::new().add(body).bytes() == *check {
        Ok(body.len())
    } else {
        Err("IFCS is not set, and the last four bytes are not the right FCS")
    }
}

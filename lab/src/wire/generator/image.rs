//! What a generated frame looks like: everything but its time stamp follows from its sequence number, so that the
//! sink can tell of every byte whether it is right.
//!
//! ```text
//!  0..14  Ethernet    14..34  IPv4    34..42  UDP (no checksum: byte 48 may change)
//! 42..46  sequence number   46..48  stream   48  the byte that drivers may change
//! 49..54  time stamp: nanoseconds, 40 bits   54..60  key   60..  bytes of a fixed pattern, from a place that
//!                                                                follows from the sequence number
//! ```
//! All little endian. The key is an invertible function of sequence number and stream for a given time, and of
//! the time for a given sequence number and stream: a change in any one of these fields is found for certain, a
//! change in several goes unnoticed once in 2^48 times.

use super::options::{GeneratorOptions, Random};
use crate::wire::{HEADERS, same_headers};

/// The smallest frame without FCS; the fields fill it exactly.
pub(super) const FIELDS_END: usize = 60;
/// Offset of the byte that drivers may change.
pub(super) const CHANGED_BYTE: usize = 48;
const FCS: usize = 4;
const STREAM_BASE: u64 = 0x5257;
const MASK_40: u64 = (1 << 40) - 1;
const MASK_48: u64 = (1 << 48) - 1;
/// Number of places in the pattern that a frame's tail may come from.
const PATTERN_STARTS: usize = 1 << 12;

/// The frames of one stream.
#[derive(Debug)]
pub(super) struct Image {
    stream: u64,
    multipliers: [u64; 2],
    inverses: [u64; 2],
    base: u64,
    flow_bits: u32,
    schedule: Box<[u16]>,
    /// By size, then by flow.
    templates: Box<[Template]>,
    pattern: Box<[u8]>,
}

/// What frames of one size and flow have in common.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Template {
    headers: [u8; HEADERS],
    length: u16,
}

/// The fields between the headers and the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    /// Sequence number in the lower 32 bits, stream in the next 16.
    pub(super) identity: u64,
    /// The changeable byte.
    pub(super) changed: u8,
    /// Time stamp, 40 bits.
    pub(super) stamp: u64,
    /// The key, 48 bits.
    pub(super) key: u64,
}

impl Fields {
    #[inline]
    pub(super) fn read(frame: &[u8; FIELDS_END]) -> Self {
        let word = |at: usize| u64::from_le_bytes(*frame[at..].first_chunk().expect("inside the frame"));
        let (low, middle, high) = (word(42), word(46), word(52));
        Fields {
            identity: low & MASK_48,
            changed: (low >> 48) as u8,
            stamp: (middle >> 24) & MASK_40,
            key: high >> 16,
        }
    }

    #[inline]
    fn write(self, frame: &mut [u8; FIELDS_END]) {
        let low = self.identity | u64::from(self.changed) << 48 | self.stamp << 56;
        let high = self.stamp >> 24 | self.key << 16;
        frame[42..50].copy_from_slice(&low.to_le_bytes());
        frame[50..52].copy_from_slice(&((self.stamp >> 8) as u16).to_le_bytes());
        frame[52..60].copy_from_slice(&high.to_le_bytes());
    }

    #[inline]
    pub(super) fn sequence(self) -> u32 {
        self.identity as u32
    }
}

impl Image {
    /// The frames of stream `stream` (0 or 1).
    pub(super) fn new(options: &GeneratorOptions, stream: usize) -> Self {
        let mut random = Random(options.seed);
        let multipliers = [random.next() | 1, random.next() | 1];
        let base = random.next();
        let sizes = options.sizes.distinct();
        let flow_bits = options.flows.next_power_of_two().trailing_zeros();
        let flows = 0..1u32 << flow_bits;
        let templates = sizes.iter().flat_map(|&size| {
            flows.clone().map(move |flow| Template::new(options.destinations[stream], stream, size, flow))
        });
        let longest = sizes.last().copied().unwrap_or(0);
        Image {
            stream: STREAM_BASE + stream as u64,
            multipliers,
            inverses: multipliers.map(inverse),
            base,
            flow_bits,
            schedule: options.sizes.schedule(&mut random).into(),
            templates: templates.collect(),
            pattern: (0..PATTERN_STARTS + longest).map(|_| random.next() as u8).collect(),
        }
    }

    /// The same frames with source and destination address exchanged.
    pub(super) fn swapped(&self) -> Self {
        let mut templates = self.templates.clone();
        templates.iter_mut().for_each(|template| template.headers[..12].rotate_left(6));
        Image { templates, schedule: self.schedule.clone(), pattern: self.pattern.clone(), ..*self }
    }

    /// Length of the longest frame.
    pub(super) fn longest(&self) -> usize {
        self.templates.iter().map(|template| usize::from(template.length)).max().unwrap_or(FIELDS_END)
    }

    /// Bytes that all frames have in common at their start, if they are of one length too.
    pub(super) fn common(&self) -> usize {
        if self.templates.len() == 1 { HEADERS } else { 0 }
    }

    /// Number of flows.
    pub(super) fn flows(&self) -> usize {
        1 << self.flow_bits
    }

    /// The flow that the frame belongs to.
    #[inline]
    pub(super) fn flow(&self, sequence: u32) -> usize {
        sequence as usize & (self.flows() - 1)
    }

    /// Builds a frame in `buffer` and returns its length.
    #[inline]
    pub(super) fn build(&self, sequence: u32, stamp: u64, buffer: &mut [u8]) -> usize {
        let template = self.template(sequence);
        let length = usize::from(template.length);
        let (fields, tail) = buffer[..length].split_first_chunk_mut().expect("no frame is shorter");
        fields[..HEADERS].copy_from_slice(&template.headers);
        self.fields(sequence, stamp).write(fields);
        if !tail.is_empty() {
            tail.copy_from_slice(self.tail(sequence, length));
        }
        length
    }

    /// Writes another time stamp into a frame that was built.
    #[inline]
    pub(super) fn restamp(&self, sequence: u32, stamp: u64, buffer: &mut [u8]) {
        let fields = buffer.first_chunk_mut().expect("no frame is shorter");
        self.fields(sequence, stamp).write(fields);
    }

    /// The fields of a frame that is as it should be; `None` if any byte is wrong.
    #[inline(always)]
    pub(super) fn check(&self, frame: &[u8], increment: u8) -> Option<Fields> {
        let (begin, tail) = frame.split_first_chunk::<FIELDS_END>()?;
        let fields = Fields::read(begin);
        let sequence = fields.sequence();
        let template = self.template(sequence);
        let right = fields.identity >> 32 == self.stream
            && fields.key == self.key(fields.identity, fields.stamp)
            && fields.changed == self.changeable(sequence).wrapping_add(increment)
            && frame.len() == usize::from(template.length)
            && frame.first_chunk().is_some_and(|headers| same_headers(headers, &template.headers))
            && (tail.is_empty() || tail == self.tail(sequence, frame.len()));
        right.then_some(fields)
    }

    /// Whether these are the fields of a frame of another stream, which has come the wrong way.
    pub(super) fn is_other_stream(&self, fields: Fields) -> bool {
        fields.identity >> 32 != self.stream && fields.key == self.key(fields.identity, fields.stamp)
    }

    /// Which frames a damaged one may have been, most trustworthy first: fields of it are taken to be right and
    /// the others are solved for.
    pub(super) fn suspects(&self, frame: &[u8; FIELDS_END]) -> [(u32, u64); 4] {
        let Fields { identity, stamp, key, .. } = Fields::read(frame);
        let sequence = identity as u32;
        let here = self.identity(sequence);
        let rest = key.wrapping_sub(self.base).wrapping_sub(here.wrapping_mul(self.multipliers[0]));
        let solved_stamp = rest.wrapping_mul(self.inverses[1]) & MASK_40;
        let rest = key.wrapping_sub(self.base).wrapping_sub(stamp.wrapping_mul(self.multipliers[1]));
        let solved_sequence = rest.wrapping_mul(self.inverses[0]) as u32;
        [
            (sequence, stamp),
            (sequence, solved_stamp),
            (solved_sequence, stamp),
            (solved_sequence, solved_stamp),
        ]
    }

    #[inline]
    fn template(&self, sequence: u32) -> &Template {
        if let [only] = &*self.templates {
            return only;
        }
        let round = sequence >> self.flow_bits;
        let size = match &*self.schedule {
            [only] => *only,
            several => several[(round % several.len() as u32) as usize],
        };
        &self.templates[usize::from(size) << self.flow_bits | self.flow(sequence)]
    }

    #[inline]
    fn tail(&self, sequence: u32, length: usize) -> &[u8] {
        let start = sequence.wrapping_mul(0x9e37_79b1) as usize >> 20 & (PATTERN_STARTS - 1);
        &self.pattern[start..start + length - FIELDS_END]
    }

    #[inline]
    fn fields(&self, sequence: u32, stamp: u64) -> Fields {
        let identity = self.identity(sequence);
        let stamp = stamp & MASK_40;
        Fields { identity, changed: self.changeable(sequence), stamp, key: self.key(identity, stamp) }
    }

    #[inline]
    fn identity(&self, sequence: u32) -> u64 {
        self.stream << 32 | u64::from(sequence)
    }

    #[inline]
    fn key(&self, identity: u64, stamp: u64) -> u64 {
        let [first, second] = self.multipliers;
        let sum = identity.wrapping_mul(first).wrapping_add(stamp.wrapping_mul(second));
        sum.wrapping_add(self.base) & MASK_48
    }

    #[inline]
    fn changeable(&self, sequence: u32) -> u8 {
        (sequence.wrapping_mul(0x85eb_ca6b) >> 24) as u8 ^ self.base as u8
    }
}

impl Template {
    /// `size` is with FCS. Addresses are those reserved for benchmarks (RFC 2544, 198.18.0.0/15).
    fn new(destination: [u8; 6], stream: usize, size: usize, flow: u32) -> Self {
        let length = size - FCS;
        let mut headers = [0; HEADERS];
        headers[..6].copy_from_slice(&destination);
        headers[6..12].copy_from_slice(&[0x02, 0x52, 0x57, 0, 0, stream as u8]);
        headers[12..14].copy_from_slice(&0x0800u16.to_be_bytes());
        headers[14] = 0x45;
        headers[16..18].copy_from_slice(&((length - 14) as u16).to_be_bytes());
        headers[20] = 0x40; // do not fragment
        headers[22] = 64; // hops
        headers[23] = 17; // UDP
        let [_, _, high, low] = flow.to_be_bytes();
        headers[26..30].copy_from_slice(&[198, 18, high, low]);
        headers[30..34].copy_from_slice(&[198, 19, 0, 1 + stream as u8]);
        let checksum = internet_checksum(&headers[14..34]);
        headers[24..26].copy_from_slice(&checksum.to_be_bytes());
        headers[34..36].copy_from_slice(&(0x8000 | flow as u16 & 0x7fff).to_be_bytes());
        headers[36..38].copy_from_slice(&9u16.to_be_bytes()); // discard
        headers[38..40].copy_from_slice(&((length - 34) as u16).to_be_bytes());
        Template { headers, length: length as u16 }
    }
}

fn internet_checksum(header: &[u8]) -> u16 {
    let sum: u32 = header.chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    !((folded & 0xffff) + (folded >> 16)) as u16
}

/// The number that undoes a multiplication by an odd number, modulo 2^64.
fn inverse(odd: u64) -> u64 {
    // Newton: each step doubles the number of right bits, and an odd number is its own inverse modulo 8.
    (0..5).fold(odd, |guess, _| guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess))))
}

//! Checks the frames that a NIC sends.

use std::sync::Arc;

use serde::Serialize;

use super::image::{CHANGED_BYTE, FIELDS_END, Fields, Image};
use super::sequence::{Arrival, Sequences};
use crate::clock::Nanos;
use crate::wire::latency;

/// Latencies that wait to be put into the histogram.
const SAMPLES: usize = 2048;
const STAMP_MASK: u64 = (1 << 40) - 1;

/// The first wrong byte of a damaged frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Corruption {
    /// Sequence number of the frame, modulo 2^32, from 0.
    pub sequence: u32,
    /// Offset in the frame.
    pub offset: usize,
    /// The byte as it should be; `None` past the end of the frame as it should be.
    pub expected: Option<u8>,
    /// The byte as it is; `None` past the end of the frame as it is.
    pub got: Option<u8>,
}

/// What a sink has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Received {
    pub(super) frames: u64,
    pub(super) bytes: u64,
    pub(super) duplicates: u64,
    pub(super) reordered: u64,
    pub(super) stale: u64,
    pub(super) corrupt: u64,
    pub(super) unexpected: u64,
    pub(super) unexpected_bytes: u64,
    /// One more than the highest sequence number seen.
    pub(super) next: u64,
    /// Sequence numbers below it that have not been seen.
    pub(super) missing: u64,
    pub(super) first_corrupt: Option<Corruption>,
}

/// One stream's sink.
#[derive(Debug)]
pub(super) struct Sink {
    /// The stream that is awaited; `None` counts frames without looking at them.
    image: Option<Arc<Image>>,
    increment: u8,
    sequences: Sequences,
    /// One more than the last number of each flow.
    flows: Box<[u64]>,
    counts: Received,
    latency_every: u32,
    until_sample: u32,
    pub(super) samples: Vec<u64>,
}

impl Sink {
    pub(super) fn new(image: Option<Arc<Image>>, increment: u8, latency_every: u32) -> Self {
        let flows = image.as_ref().map_or(0, |image| image.flows());
        Sink {
            image,
            increment,
            sequences: Sequences::default(),
            flows: vec![0; flows].into(),
            counts: Received::default(),
            latency_every,
            until_sample: 1,
            samples: Vec::with_capacity(SAMPLES),
        }
    }

    /// The counts so far.
    pub(super) fn counts(&self) -> Received {
        Received { next: self.sequences.next(), missing: self.sequences.missing(), ..self.counts }
    }

    /// The samples should be put into the histogram before there are too many.
    pub(super) fn samples_are_many(&self) -> bool {
        self.samples.len() > SAMPLES / 2
    }

    /// A frame has arrived.
    #[inline(always)]
    pub(super) fn take(&mut self, frame: &[u8], now: Nanos) {
        let checked = self.image.as_ref().and_then(|image| image.check(frame, self.increment));
        let Some(fields) = checked else { return self.take_strange(frame) };
        self.counts.frames += 1;
        self.counts.bytes += frame.len() as u64;
        self.number(fields.sequence());
        self.until_sample -= 1;
        if self.until_sample == 0 {
            self.until_sample = self.latency_every;
            self.sample(fields, now);
        }
    }

    #[inline(always)]
    fn number(&mut self, sequence: u32) {
        let number = match self.sequences.observe(sequence) {
            Arrival::Newest(number) | Arrival::Late(number) => number,
            Arrival::Duplicate => return self.counts.duplicates += 1,
            Arrival::Stale => return self.counts.stale += 1,
        };
        let Some(image) = &self.image else { return };
        let last = &mut self.flows[image.flow(sequence)];
        if number < *last {
            self.counts.reordered += 1;
        } else {
            *last = number + 1;
        }
    }

    #[inline]
    fn sample(&mut self, fields: Fields, now: Nanos) {
        if self.samples.len() < SAMPLES {
            let under_way = |now: Nanos| now.0.wrapping_sub(fields.stamp) & STAMP_MASK;
            self.samples.push(latency::or_within_round(under_way(now), under_way));
        }
    }

    /// A frame that is not as any should be.
    #[cold]
    fn take_strange(&mut self, frame: &[u8]) {
        let found = self.image.as_ref().and_then(|image| nearest(image, frame, self.increment));
        let Some(corruption) = found else {
            self.counts.unexpected += 1;
            self.counts.unexpected_bytes += frame.len() as u64;
            return;
        };
        self.counts.corrupt += 1;
        self.counts.first_corrupt.get_or_insert(corruption);
        // It is damaged, not lost; but a number that is far off is rather part of the damage.
        let expected = self.sequences.next() as u32;
        if corruption.sequence.wrapping_sub(expected).wrapping_add(1 << 16) < 1 << 17 {
            self.number(corruption.sequence);
        }
    }
}

/// The frame that a damaged one was, if it is more like it than unlike: its number and the first wrong byte.
fn nearest(image: &Image, frame: &[u8], increment: u8) -> Option<Corruption> {
    let mut begin = [0; FIELDS_END];
    let shared = frame.len().min(FIELDS_END);
    begin[..shared].copy_from_slice(&frame[..shared]);
    if image.is_other_stream(Fields::read(&begin)) {
        return None;
    }
    let mut buffer = vec![0; image.longest()];
    let mut best: Option<(usize, Corruption)> = None;
    for (sequence, stamp) in image.suspects(&begin) {
        let length = image.build(sequence, stamp, &mut buffer);
        buffer[CHANGED_BYTE] = buffer[CHANGED_BYTE].wrapping_add(increment);
        let expected = &buffer[..length];
        let mut wrong = (0..length.max(frame.len())).filter(|&at| expected.get(at) != frame.get(at));
        let Some(offset) = wrong.next() else { continue };
        let distance = 1 + wrong.count();
        let (right, got) = (expected.get(offset).copied(), frame.get(offset).copied());
        let corruption = Corruption { sequence, offset, expected: right, got };
        let alike = distance * 2 < length.max(frame.len());
        if alike && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, corruption));
        }
    }
    best.map(|(_, corruption)| corruption)
}

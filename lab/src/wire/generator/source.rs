//! Makes the frames that a NIC receives.

use std::sync::Arc;

use super::image::Image;
use super::pace::Pace;
use crate::clock::Nanos;
use crate::wire::{Burst, Place};

/// Frames that are built at once, at most. Who copies a frame that was written just now in other pieces waits until the
/// processor has stored them; those of a group were written a while ago.
const GROUP: usize = 32;
/// Bytes that are built at once, at most: they shall still be in the first cache when they are copied.
const GROUP_BYTES: usize = 16 << 10;
/// Frames begin at whole cache lines.
const LINE: usize = 64;

/// What a source has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) frames: u64,
    pub(super) bytes: u64,
}

/// One stream's source.
#[derive(Debug)]
pub(super) struct Source {
    image: Arc<Image>,
    pub(super) pace: Pace,
    pub(super) running: bool,
    /// Frames to be sent in all.
    count: u64,
    pub(super) sent: Sent,
    /// Frames that are built.
    buffer: Box<[u8]>,
    places: Vec<Place>,
    /// Their time stamp, but for the next one, which may have been offered later.
    stamp: Nanos,
    next_stamp: Nanos,
    common: usize,
    /// From one frame to the next in the buffer.
    stride: usize,
    /// How many fit.
    group: usize,
    /// The first that has not gone.
    next: usize,
    /// It was due already.
    offered: bool,
}

impl Source {
    pub(super) fn new(image: Arc<Image>, pace: Pace, running: bool, count: Option<u64>) -> Self {
        let stride = image.longest().next_multiple_of(LINE);
        let common = image.common();
        let group = (GROUP_BYTES / stride).clamp(1, GROUP);
        Source {
            image,
            pace,
            running,
            count: count.unwrap_or(u64::MAX),
            sent: Sent::default(),
            buffer: vec![0; group * stride].into(),
            places: Vec::with_capacity(group),
            stamp: Nanos(0),
            next_stamp: Nanos(0),
            common,
            stride,
            group,
            next: 0,
            offered: false,
        }
    }

    /// The frame that is due.
    #[inline]
    pub(super) fn peek(&mut self, now: Nanos) -> Option<&[u8]> {
        if !self.running || self.exhausted() {
            return None;
        }
        if !self.offered {
            let stamp = self.pace.ready(now)?;
            self.offered = true;
            self.build(1, stamp);
            self.stamp_next(stamp);
        } else if self.pace.interval() == 0 {
            // Without a rate there is no time at which the frame should have gone: it goes when it is taken.
            self.stamp_next(now);
        }
        let place = self.places[self.next];
        Some(&self.buffer[place.start as usize..][..place.length as usize])
    }

    /// The frame has gone.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.advance_burst(1);
        self.pace.advance();
    }

    /// Frames that are due, if there is no rate.
    #[inline]
    pub(super) fn burst(&mut self, now: Nanos, most: usize) -> Burst<'_> {
        let left = usize::try_from(self.count - self.sent.frames.min(self.count)).unwrap_or(usize::MAX);
        let most = most.min(left);
        if !self.running || self.pace.interval() != 0 || most == 0 {
            return Burst::EMPTY;
        }
        self.build(most, now);
        self.stamp_next(now);
        self.stamp_rest(now);
        let end = self.places.len().min(self.next + most);
        Burst::alike(&self.buffer, &self.places[self.next..end], self.common)
    }

    /// Frames of a burst have gone.
    #[inline]
    pub(super) fn advance_burst(&mut self, frames: usize) {
        let gone = &self.places[self.next..self.next + frames];
        self.sent.frames += frames as u64;
        self.sent.bytes += gone.iter().map(|place| u64::from(place.length)).sum::<u64>();
        self.next += frames;
        self.offered = false;
        self.next_stamp = self.stamp;
    }

    /// If all that were built have gone: builds at most `most`.
    #[inline]
    fn build(&mut self, most: usize, stamp: Nanos) {
        if self.next < self.places.len() {
            return;
        }
        self.next = 0;
        self.places.clear();
        (self.stamp, self.next_stamp) = (stamp, stamp);
        let frames = self.buffer.chunks_exact_mut(self.stride).take(most.min(self.group));
        let first = self.sent.frames as u32;
        self.places.extend(frames.enumerate().map(|(at, frame)| {
            let length = self.image.build(first.wrapping_add(at as u32), stamp.0, frame);
            Place { start: (at * self.stride) as u32, length: length as u32 }
        }));
    }

    /// Gives the next frame another time stamp.
    #[inline]
    fn stamp_next(&mut self, stamp: Nanos) {
        if self.next_stamp != stamp {
            self.next_stamp = stamp;
            self.restamp(self.next, stamp);
        }
    }

    /// Gives those behind the next frame another time stamp.
    #[inline]
    fn stamp_rest(&mut self, stamp: Nanos) {
        if self.stamp != stamp {
            self.stamp = stamp;
            (self.next + 1..self.places.len()).for_each(|at| self.restamp(at, stamp));
        }
    }

    fn restamp(&mut self, at: usize, stamp: Nanos) {
        let sequence = (self.sent.frames as u32).wrapping_add((at - self.next) as u32);
        self.image.restamp(sequence, stamp.0, &mut self.buffer[self.places[at].start as usize..]);
    }

    /// When the next frame is due, if that is known and may be in the future.
    pub(super) fn next_due(&self) -> Option<Nanos> {
        if !self.running || self.exhausted() { None } else { self.pace.next_due() }
    }

    pub(super) fn exhausted(&self) -> bool {
        self.sent.frames >= self.count
    }
}

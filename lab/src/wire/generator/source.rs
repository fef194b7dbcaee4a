//! Makes the frames that a NIC receives.

use std::sync::Arc;

use super::image::Image;
use super::pace::Pace;
use crate::clock::Nanos;

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
    buffer: Box<[u8]>,
    /// Length of the frame in `buffer`; 0 if it has gone.
    length: usize,
    /// Its time stamp.
    stamp: Nanos,
}

impl Source {
    pub(super) fn new(image: Arc<Image>, pace: Pace, running: bool, count: Option<u64>) -> Self {
        let buffer = vec![0; image.longest()].into();
        let count = count.unwrap_or(u64::MAX);
        Source { image, pace, running, count, sent: Sent::default(), buffer, length: 0, stamp: Nanos(0) }
    }

    /// The frame that is due.
    #[inline]
    pub(super) fn peek(&mut self, now: Nanos) -> Option<&[u8]> {
        if !self.running || self.exhausted() {
            return None;
        }
        let sequence = self.sent.frames as u32;
        if self.length == 0 {
            self.stamp = self.pace.ready(now)?;
            self.length = self.image.build(sequence, self.stamp.0, &mut self.buffer);
        } else if self.pace.interval() == 0 && self.stamp != now {
            // Without a rate there is no time at which the frame should have gone: it goes when it is taken.
            self.stamp = now;
            self.image.restamp(sequence, now.0, &mut self.buffer);
        }
        Some(&self.buffer[..self.length])
    }

    /// The frame has gone.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.sent.frames += 1;
        self.sent.bytes += self.length as u64;
        self.length = 0;
        self.pace.advance();
    }

    /// When the next frame is due, if that is known and may be in the future.
    pub(super) fn next_due(&self) -> Option<Nanos> {
        if !self.running || self.exhausted() { None } else { self.pace.next_due() }
    }

    pub(super) fn exhausted(&self) -> bool {
        self.sent.frames >= self.count
    }
}

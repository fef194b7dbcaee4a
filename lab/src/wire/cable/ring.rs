//! A bounded queue of frames in one block of bytes.

/// Bytes of the length before each frame.
const LENGTH: usize = 4;
/// Instead of a length: the next frame is at the beginning of the block.
const WRAP: u32 = u32::MAX;

/// Frames one behind the other, each in one piece. Nothing is allocated after it was made.
#[derive(Debug)]
pub(super) struct FrameRing {
    bytes: Box<[u8]>,
    /// Where the oldest frame is.
    head: usize,
    /// Where the next frame goes.
    tail: usize,
    frames: usize,
}

impl FrameRing {
    pub(super) fn new(capacity: usize) -> Self {
        FrameRing { bytes: vec![0; capacity].into(), head: 0, tail: 0, frames: 0 }
    }

    /// Puts a frame in if there is room.
    pub(super) fn push(&mut self, frame: &[u8]) -> bool {
        let needed = LENGTH + frame.len();
        let Some(at) = self.place(needed) else { return false };
        if at != self.tail && self.tail + LENGTH <= self.bytes.len() {
            self.put_length(self.tail, WRAP);
        }
        self.put_length(at, frame.len() as u32);
        self.bytes[at + LENGTH..at + needed].copy_from_slice(frame);
        self.tail = at + needed;
        self.frames += 1;
        true
    }

    /// Takes the oldest frame out into `frame`, whose contents it replaces.
    pub(super) fn pop(&mut self, frame: &mut Vec<u8>) -> bool {
        if self.frames == 0 {
            return false;
        }
        let end = self.head + LENGTH > self.bytes.len() || self.length(self.head) == WRAP;
        let at = if end { 0 } else { self.head };
        let length = self.length(at) as usize;
        frame.clear();
        frame.extend_from_slice(&self.bytes[at + LENGTH..][..length]);
        self.head = at + LENGTH + length;
        self.frames -= 1;
        true
    }

    /// Where `needed` bytes in one piece are free.
    fn place(&mut self, needed: usize) -> Option<usize> {
        if self.frames == 0 {
            (self.head, self.tail) = (0, 0);
        }
        let wrapped = self.frames > 0 && self.tail <= self.head;
        let room_here = if wrapped { self.head } else { self.bytes.len() } - self.tail;
        if needed <= room_here { Some(self.tail) } else { (!wrapped && needed <= self.head).then_some(0) }
    }

    fn length(&self, at: usize) -> u32 {
        u32::from_le_bytes(*self.bytes[at..].first_chunk().expect("lengths are in one piece"))
    }

    fn put_length(&mut self, at: usize, length: u32) {
        self.bytes[at..at + LENGTH].copy_from_slice(&length.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    const LONGEST: usize = 99 + LENGTH;

    proptest! {
        #[test]
        fn it_is_a_queue(
            capacity in 0..300usize,
            steps in prop::collection::vec(prop::option::of(0..100usize), 0..500),
        ) {
            let mut ring = FrameRing::new(capacity);
            let mut model: VecDeque<Vec<u8>> = VecDeque::new();
            let mut frame = Vec::new();
            for (number, step) in steps.into_iter().enumerate() {
                if let Some(length) = step {
                    let sent = vec![number as u8; length];
                    let fits = ring.push(&sent);
                    let used: usize = model.iter().map(|frame| frame.len() + LENGTH).sum();
                    prop_assert!(!fits || used + length + LENGTH <= capacity);
                    prop_assert!(fits || !model.is_empty() || length + LENGTH > capacity);
                    // What cannot be used is less than one frame at the end of the block, or before the head.
                    prop_assert!(fits || used + length + LENGTH + LONGEST > capacity);
                    if fits {
                        model.push_back(sent);
                    }
                } else {
                    prop_assert_eq!(ring.pop(&mut frame), !model.is_empty());
                    if let Some(expected) = model.pop_front() {
                        prop_assert_eq!(&frame, &expected);
                    }
                }
            }
        }
    }
}

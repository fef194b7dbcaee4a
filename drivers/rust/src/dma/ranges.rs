//! Free ranges of DMA memory: first fit from either end, neighbours join again. Pure.

/// The free parts of `0..end`, in ascending order, no two of them touching.
#[derive(Debug)]
pub(super) struct FreeRanges {
    ranges: Vec<(usize, usize)>,
}

impl FreeRanges {
    /// Everything from 0 to `end` is free.
    pub(super) fn new(end: usize) -> FreeRanges {
        FreeRanges { ranges: if end == 0 { Vec::new() } else { vec![(0, end)] } }
    }

    /// Takes `length` units at the lowest free place that is a multiple of `step` (any number, not only powers of two).
    pub(super) fn take_low(&mut self, length: usize, step: usize) -> Option<usize> {
        let (at, start) = self.ranges.iter().enumerate().find_map(|(at, &(low, high))| {
            let start = low.checked_next_multiple_of(step)?;
            (high.checked_sub(start)? >= length).then_some((at, start))
        })?;
        self.cut(at, start, length);
        Some(start)
    }

    /// Takes `length` units at the highest free place that is a multiple of `step` and where they lie between two
    /// neighbouring multiples of `extent`.
    pub(super) fn take_high(&mut self, length: usize, step: usize, extent: usize) -> Option<usize> {
        if length > extent {
            return None;
        }
        let (at, start) = self.ranges.iter().enumerate().rev().find_map(|(at, &(low, high))| {
            let mut start = high.checked_sub(length)? / step * step;
            let border = (start + length).saturating_sub(1) / extent * extent;
            if start < border {
                start = border.checked_sub(length)? / step * step;
            }
            (start >= low).then_some((at, start))
        })?;
        self.cut(at, start, length);
        Some(start)
    }

    /// Gives back what one of the `take`s returned.
    pub(super) fn give_back(&mut self, start: usize, length: usize) {
        let mut new = (start, start + length);
        let at = self.ranges.partition_point(|&(low, _)| low < start);
        if at < self.ranges.len() && self.ranges[at].0 == new.1 {
            new.1 = self.ranges.remove(at).1;
        }
        if at > 0 && self.ranges[at - 1].1 == new.0 {
            self.ranges[at - 1].1 = new.1;
        } else if new.0 < new.1 {
            self.ranges.insert(at, new);
        }
    }

    /// Number of free units, in however many pieces.
    pub(super) fn total(&self) -> usize {
        self.ranges.iter().map(|(low, high)| high - low).sum()
    }

    fn cut(&mut self, at: usize, start: usize, length: usize) {
        let (low, high) = self.ranges.remove(at);
        if start + length < high {
            self.ranges.insert(at, (start + length, high));
        }
        if low < start {
            self.ranges.insert(at, (low, start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_from_both_ends_and_joins_again() {
        let mut free = FreeRanges::new(1000);
        let low = free.take_low(330, 33).unwrap();
        let high = free.take_high(100, 128, usize::MAX).unwrap();
        assert_eq!((low, high), (0, 896));
        assert_eq!(free.take_low(600, 1), None);
        free.give_back(high, 100);
        free.give_back(low, 330);
        assert_eq!(free.ranges, [(0, 1000)]);
    }

    #[test]
    fn keeps_clear_of_borders() {
        let mut free = FreeRanges::new(1000);
        assert_eq!(free.take_high(301, 1, 300), None);
        assert_eq!(free.take_high(90, 1, 300), Some(910));
        assert_eq!(free.take_high(90, 1, 300), Some(810));
        assert_eq!(free.take_high(300, 1, 300), Some(600 - 300));
        assert_eq!(free.take_high(250, 7, 300), Some(49));
    }

    proptest! {
        /// No two pieces overlap, all are in bounds and aligned, and giving all back restores the whole.
        #[test]
        fn pieces_never_overlap(asks in prop::collection::vec((any::<bool>(), 1usize..300, 1usize..70, any::<bool>()), 1..60)) {
            let mut free = FreeRanges::new(4096);
            let mut held: Vec<(usize, usize)> = Vec::new();
            for (low, length, step, drop_one) in asks {
                let got = if low { free.take_low(length, step) } else { free.take_high(length, step, 1000) };
                if let Some(start) = got {
                    prop_assert_eq!(start % step, 0);
                    prop_assert!(start + length <= 4096);
                    prop_assert!(low || start / 1000 == (start + length - 1) / 1000);
                    prop_assert!(held.iter().all(|&(s, l)| start + length <= s || s + l <= start));
                    held.push((start, length));
                }
                if drop_one && !held.is_empty() {
                    let (start, length) = held.swap_remove(held.len() / 2);
                    free.give_back(start, length);
                }
                prop_assert_eq!(free.total() + held.iter().map(|h| h.1).sum::<usize>(), 4096);
            }
            for (start, length) in held {
                free.give_back(start, length);
            }
            prop_assert_eq!(free.ranges, [(0, 4096)]);
        }
    }
}

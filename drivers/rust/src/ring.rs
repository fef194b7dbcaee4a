// ring · 82599:7.1.9 82599:7.2.3
// Index arithmetic of one descriptor ring as a value: no memory, no I/O, any size, compare-and-wrap instead of division.

//! Which descriptors of a ring are whose: pure index arithmetic.
//!
//! The same type serves both directions. The driver hands descriptors over at `fill` (the tail register) and takes
//! them back at `clean`. One descriptor always stays empty, because head = tail means that the ring is empty.
//!
//! ```text
//!        clean            fill
//!   ┌──────┼────────────────┼───────────────┐
//!   │ free │   used: the device's, or done  │ free (one of them is the gap)
//!   └──────┴────────────────┴───────────────┘
//! ```

/// Positions in a ring of `size` descriptors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ring {
    size: u32,
    clean: u32,
    fill: u32,
}

impl Ring {
    /// An empty ring of `size` descriptors. A ring below two descriptors could hold nothing.
    pub const fn new(size: u32) -> Ring {
        assert!(size >= 2);
        Ring { size, clean: 0, fill: 0 }
    }

    /// Number of descriptors, the gap included.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The oldest descriptor that was handed over and not yet taken back.
    pub const fn clean(&self) -> u32 {
        self.clean
    }

    /// The next descriptor to hand over; the value for the tail register.
    pub const fn fill(&self) -> u32 {
        self.fill
    }

    /// The index behind `index`.
    #[inline(always)]
    pub const fn next(&self, index: u32) -> u32 {
        self.wrap(index + 1)
    }

    /// The index `count` behind `fill`, in a ring that has so many.
    #[inline(always)]
    pub const fn ahead(&self, count: u32) -> u32 {
        debug_assert!(count <= self.size);
        self.wrap(self.fill + count)
    }

    /// Number of descriptors handed over and not yet taken back.
    #[inline(always)]
    pub const fn used(&self) -> u32 {
        self.distance(self.fill)
    }

    /// Number of descriptors that may still be handed over; the gap is not among them.
    #[inline(always)]
    pub const fn free(&self) -> u32 {
        self.size - 1 - self.used()
    }

    /// Hands the next `count` descriptors from `fill` on over. The caller has seen that so many are free.
    #[inline(always)]
    pub const fn hand_over(&mut self, count: u32) {
        debug_assert!(count <= self.free());
        self.fill = self.wrap(self.fill + count);
    }

    /// Takes the next `count` descriptors from `clean` on back. The caller has seen that so many are used.
    #[inline(always)]
    pub const fn take_back(&mut self, count: u32) {
        debug_assert!(count <= self.used());
        self.clean = self.wrap(self.clean + count);
    }

    /// Of `count` descriptors from `start` on: those up to the ring's end. The others are at its beginning.
    #[inline(always)]
    pub const fn up_to_the_end(&self, start: u32, count: u32) -> u32 {
        let left = self.size - start;
        if count < left { count } else { left }
    }

    /// Number of descriptors from `clean` to `index`, `index` not included.
    #[inline(always)]
    pub const fn distance(&self, index: u32) -> u32 {
        if index >= self.clean { index - self.clean } else { index + self.size - self.clean }
    }

    /// An index that has run at most one lap ahead.
    #[inline(always)]
    const fn wrap(&self, index: u32) -> u32 {
        if index >= self.size { index - self.size } else { index }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_new_ring_is_empty_and_keeps_one_gap() {
        let ring = Ring::new(8);
        assert_eq!((ring.used(), ring.free()), (0, 7));
    }

    #[test]
    fn wraps_at_sizes_that_are_no_power_of_two() {
        let mut ring = Ring::new(24);
        ring.hand_over(23);
        assert_eq!((ring.fill(), ring.free()), (23, 0));
        ring.take_back(1);
        ring.hand_over(1);
        assert_eq!((ring.fill(), ring.used(), ring.free()), (0, 23, 0));
    }

    /// The vectors that the rings of all languages share.
    #[test]
    fn agrees_with_the_shared_vectors() {
        let vectors = crate::vectors("ring");
        let number = |case: &serde_json::Value, key: &str| case[key].as_u64().unwrap() as u32;
        for case in vectors["cases"].as_array().unwrap() {
            let (size, head, tail) = (number(case, "size"), number(case, "head"), number(case, "tail"));
            let ring = Ring { size, clean: head, fill: tail };
            assert_eq!((ring.used(), ring.free()), (number(case, "used"), number(case, "free")), "{case}");
            assert_eq!(ring.next(head), number(case, "next_head"), "{case}");
            assert_eq!(ring.next(tail), number(case, "next_tail"), "{case}");
        }
        for case in vectors["wraps"].as_array().unwrap() {
            let ring = Ring::new(number(case, "size"));
            assert_eq!(ring.wrap(number(case, "index")), number(case, "slot"), "{case}");
        }
    }

    proptest! {
        /// Against the obvious model: two counters that never wrap.
        #[test]
        fn agrees_with_counters_that_never_wrap(
            size in 2u32..200,
            steps in prop::collection::vec((any::<bool>(), 1u32..70), 0..500),
        ) {
            let mut ring = Ring::new(size);
            let (mut handed, mut taken) = (0u32, 0u32);
            for (hand, count) in steps {
                if hand {
                    let count = count.min(ring.free());
                    prop_assert_eq!(ring.up_to_the_end(ring.fill(), count), count.min(size - ring.fill()));
                    ring.hand_over(count);
                    handed += count;
                } else {
                    let count = count.min(ring.used());
                    ring.take_back(count);
                    taken += count;
                }
                prop_assert_eq!(ring.used(), handed - taken);
                prop_assert_eq!(ring.free(), size - 1 - (handed - taken));
                prop_assert_eq!(ring.fill(), handed % size);
                prop_assert_eq!(ring.clean(), taken % size);
            }
        }
    }
}

//! Which sequence numbers have arrived: exact counts of loss, duplicates and reordering.

/// So many numbers back, a late frame is told from a duplicate. Far more than pools and rings hold.
const WINDOW: u64 = 1 << 18;
const WORDS: usize = (WINDOW / 64) as usize;

/// What a sequence number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// Higher than any before.
    Newest(u64),
    /// Lower than one before, but not seen yet.
    Late(u64),
    /// Seen before.
    Duplicate,
    /// Too far back to know.
    Stale,
}

/// The numbers of one stream, which begins at 0 and wraps at 2^32.
#[derive(Debug)]
pub(super) struct Sequences {
    /// One more than the highest seen, not wrapped.
    next: u64,
    /// Different numbers seen.
    unique: u64,
    /// A bit for each of the last `WINDOW` numbers: seen. Bits from `next` on are clear in its word.
    seen: Box<[u64]>,
}

impl Default for Sequences {
    fn default() -> Self {
        Sequences { next: 0, unique: 0, seen: vec![0; WORDS].into() }
    }
}

impl Sequences {
    /// A frame with this number has arrived.
    #[inline]
    pub(super) fn observe(&mut self, sequence: u32) -> Arrival {
        let ahead = sequence.wrapping_sub(self.next as u32) as i32;
        if ahead == 0 {
            return Arrival::Newest(self.observe_next());
        }
        let Some(number) = self.next.checked_add_signed(i64::from(ahead)) else { return Arrival::Stale };
        if ahead > 0 {
            self.move_on(number);
            self.mark(number);
            return Arrival::Newest(number);
        }
        // The word that `next` is in has forgotten what was in it a window ago.
        if number + (WINDOW - 64) < self.next {
            return Arrival::Stale;
        }
        if self.seen[word(number)] & bit(number) != 0 {
            return Arrival::Duplicate;
        }
        self.mark(number);
        Arrival::Late(number)
    }

    /// The number that was awaited, as nearly always: does what [`move_on`](Self::move_on) and [`mark`](Self::mark) do.
    #[inline]
    fn observe_next(&mut self) -> u64 {
        let number = self.next;
        let seen = &mut self.seen[word(number)];
        // The first number of a word clears what was there a window ago.
        *seen = if number.is_multiple_of(64) { 1 } else { *seen | bit(number) };
        self.next += 1;
        self.unique += 1;
        number
    }

    /// One more than the highest number seen.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Numbers below the highest seen that have not been seen.
    pub(super) fn missing(&self) -> u64 {
        self.next - self.unique
    }

    fn mark(&mut self, number: u64) {
        self.seen[word(number)] |= bit(number);
        self.unique += 1;
    }

    /// Clears each word that is entered.
    #[inline]
    fn move_on(&mut self, number: u64) {
        let first = self.next.div_ceil(64);
        let last = number / 64;
        for entered in first.max((last + 1).saturating_sub(WORDS as u64))..=last {
            self.seen[entered as usize % WORDS] = 0;
        }
        self.next = number + 1;
    }
}

fn word(number: u64) -> usize {
    (number / 64) as usize % WORDS
}

fn bit(number: u64) -> u64 {
    1 << (number % 64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_wrap_at_32_bits() {
        let mut sequences = Sequences { next: u64::from(u32::MAX) - 1, ..Default::default() };
        sequences.unique = sequences.next;
        for number in [u32::MAX - 1, u32::MAX, 0, 2] {
            assert!(matches!(sequences.observe(number), Arrival::Newest(_)));
        }
        assert_eq!(sequences.observe(1), Arrival::Late(1 << 32 | 1));
        assert_eq!(sequences.observe(u32::MAX), Arrival::Duplicate);
        assert_eq!(sequences.missing(), 0);
    }

    #[test]
    fn what_is_too_far_back_is_stale() {
        let mut sequences = Sequences::default();
        assert_eq!(sequences.observe(u32::MAX), Arrival::Stale, "before the beginning");
        sequences.observe(1_000_000);
        assert_eq!(sequences.missing(), 1_000_000);
        assert_eq!(sequences.observe(1_000_000 - (1 << 18) - 1), Arrival::Stale);
        assert!(matches!(sequences.observe(1_000_000 - (1 << 18) + 100), Arrival::Late(_)));
        assert_eq!(sequences.missing(), 999_999);
    }

    proptest! {
        #[test]
        fn counts_agree_with_a_set(steps in prop::collection::vec((-200i64..400, 0..20u8), 1..2000)) {
            let mut sequences = Sequences::default();
            let mut seen = HashSet::new();
            let (mut at, mut highest) = (0i64, -1);
            for (step, jump) in steps {
                at = (at + if jump == 0 { step * 1000 } else { step }).max(0);
                let known = at + (WINDOW as i64 - 64) > highest;
                let expected = match (at > highest, known, seen.contains(&at)) {
                    (true, ..) => Arrival::Newest(at as u64),
                    (_, false, _) => Arrival::Stale,
                    (_, _, true) => Arrival::Duplicate,
                    (_, _, false) => Arrival::Late(at as u64),
                };
                prop_assert_eq!(sequences.observe(at as u32), expected);
                if expected != Arrival::Stale {
                    seen.insert(at);
                }
                highest = highest.max(at);
                prop_assert_eq!(sequences.missing(), highest as u64 + 1 - seen.len() as u64);
            }
        }
    }
}

//! Seeded noise: what undefined registers hold, and which frames a fault strikes.

/// A small random source (SplitMix64). Not a crate, because the sequence for a seed must never change: a seed that
/// showed a driver's bug has to show it again years later.
#[derive(Clone, Debug)]
pub struct Noise {
    state: u64,
}

impl Noise {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Noise { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// True once in `n` on average; always for 0 and 1.
    pub fn one_in(&mut self, n: u32) -> bool {
        n <= 1 || self.next_u32().is_multiple_of(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_a_seed_never_changes() {
        // First outputs of the published SplitMix64 for seed 0.
        let mut noise = Noise::new(0);
        assert_eq!(noise.next_u64(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(noise.next_u64(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn one_in_is_roughly_that() {
        let mut noise = Noise::new(7);
        let hits = (0..10_000).filter(|_| noise.one_in(10)).count();
        assert!((800..1200).contains(&hits), "{hits}");
        assert!(noise.one_in(0) && noise.one_in(1));
    }
}

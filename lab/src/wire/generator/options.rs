//! What is generated, and how fast.

/// The shortest frame on a wire, with FCS.
pub const SHORTEST: usize = 64;
/// The longest that the generator makes, with FCS: as long as the 82599 receives (15.5 KB).
pub const LONGEST: usize = 15_872;

/// Sizes of frames in bytes as on the wire, with FCS (64 is the shortest frame).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// All alike.
    Fixed(usize),
    /// One after the other, over and over.
    List(Vec<usize>),
    /// Seven of 64, four of 594 and one of 1518, mixed: an average of 362 bytes, as on the Internet once.
    Imix,
}

/// How fast.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rate {
    /// As fast as the NIC takes frames.
    #[default]
    Max,
    /// So many frames per second, evenly.
    PerSecond(f64),
}

/// What a generator makes and expects.
#[derive(Clone, Debug)]
pub struct GeneratorOptions {
    /// Sizes of the frames.
    pub sizes: Sizes,
    /// Frames per second, in each direction.
    pub rate: Rate,
    /// Frames in each direction; `None` for no end.
    pub count: Option<u64>,
    /// Decides everything that looks random.
    pub seed: u64,
    /// Number of flows (pairs of addresses and ports), rounded up to a power of two; RSS spreads by them.
    pub flows: u32,
    /// What the driver adds to byte 48 of each frame: 1 for the forward workload, 0 for an echo.
    pub increment: u8,
    /// The driver exchanges source and destination address of each frame.
    pub swapped: bool,
    /// Destination addresses of the frames that the first and the second NIC receive.
    pub destinations: [[u8; 6]; 2],
    /// The latency of one in so many frames is measured.
    pub latency_every: u32,
    /// Nothing is sent until [`GeneratorHandle::start`](super::GeneratorHandle::start).
    pub hold: bool,
}

impl Default for GeneratorOptions {
    fn default() -> Self {
        GeneratorOptions {
            sizes: Sizes::Fixed(SHORTEST),
            rate: Rate::Max,
            count: None,
            seed: 1,
            flows: 1,
            increment: 1,
            swapped: false,
            destinations: [[0x02, 0, 0, 0, 0, 0x0a], [0x02, 0, 0, 0, 0, 0x0b]],
            latency_every: 16,
            hold: false,
        }
    }
}

/// Options that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum OptionsError {
    /// A frame that no wire carries.
    #[error("frames of {0} bytes cannot be made: {SHORTEST} to {LONGEST} (with FCS) can")]
    Size(usize),
    /// An empty list of sizes.
    #[error("the list of frame sizes is empty; give at least one")]
    NoSizes,
    /// A rate that is not above zero.
    #[error("{0} frames per second is no rate; give a number above 0")]
    Rate(f64),
    /// No flow, or so many flows and sizes that their headers do not fit the cache.
    #[error("{flows} flows of {sizes} frame sizes cannot be made; give 1 to {MOST_TEMPLATES} in all")]
    Flows {
        /// As asked for.
        flows: u32,
        /// Different sizes.
        sizes: usize,
    },
    /// Latency of no frame.
    #[error("the latency of one in 0 frames cannot be measured; give at least 1")]
    Latency,
}

/// Flows times sizes.
const MOST_TEMPLATES: usize = 1 << 16;

impl GeneratorOptions {
    /// Whether a generator can be made of them.
    pub fn check(&self) -> Result<(), OptionsError> {
        let sizes = self.sizes.distinct();
        if sizes.is_empty() {
            return Err(OptionsError::NoSizes);
        }
        if let Some(&size) = sizes.iter().find(|size| !(SHORTEST..=LONGEST).contains(*size)) {
            return Err(OptionsError::Size(size));
        }
        self.rate.check()?;
        let templates = u64::from(self.flows).next_power_of_two() * sizes.len() as u64;
        if self.flows == 0 || templates > MOST_TEMPLATES as u64 {
            return Err(OptionsError::Flows { flows: self.flows, sizes: sizes.len() });
        }
        if self.latency_every == 0 {
            return Err(OptionsError::Latency);
        }
        Ok(())
    }
}

impl Rate {
    /// Whether the number makes sense.
    pub fn check(self) -> Result<(), OptionsError> {
        match self {
            Rate::PerSecond(rate) if !(rate.is_finite() && rate > 0.0) => Err(OptionsError::Rate(rate)),
            _ => Ok(()),
        }
    }
}

impl Sizes {
    /// The different sizes.
    pub(super) fn distinct(&self) -> Vec<usize> {
        let mut sizes = match self {
            Sizes::Fixed(size) => vec![*size],
            Sizes::List(sizes) => sizes.clone(),
            Sizes::Imix => vec![64, 594, 1518],
        };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// One round of sizes in order, as indices into [`distinct`](Self::distinct).
    pub(super) fn schedule(&self, random: &mut Random) -> Vec<u16> {
        let distinct = self.distinct();
        let index = |size: &usize| distinct.binary_search(size).expect("is among them") as u16;
        match self {
            Sizes::Fixed(_) => vec![0],
            Sizes::List(sizes) => sizes.iter().map(index).collect(),
            Sizes::Imix => imix(random),
        }
    }
}

/// A thousand times seven small, four middling and one large, shuffled.
fn imix(random: &mut Random) -> Vec<u16> {
    let mut schedule: Vec<u16> =
        [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2].into_iter().cycle().take(12_000).collect();
    for last in (1..schedule.len()).rev() {
        let other = (random.next() % (last as u64 + 1)) as usize;
        schedule.swap(last, other);
    }
    schedule
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
#[derive(Clone, Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut GeneratorOptions)) -> Result<(), OptionsError> {
        let mut options = GeneratorOptions::default();
        change(&mut options);
        options.check()
    }

    #[test]
    fn options_that_make_no_sense_are_refused() {
        assert_eq!(with(|_| {}), Ok(()));
        assert_eq!(with(|options| options.sizes = Sizes::Fixed(63)), Err(OptionsError::Size(63)));
        assert_eq!(
            with(|options| options.sizes = Sizes::List(vec![64, 15_873])),
            Err(OptionsError::Size(15_873))
        );
        assert_eq!(with(|options| options.sizes = Sizes::List(vec![])), Err(OptionsError::NoSizes));
        assert_eq!(with(|options| options.rate = Rate::PerSecond(0.0)), Err(OptionsError::Rate(0.0)));
        assert!(with(|options| options.rate = Rate::PerSecond(f64::NAN)).is_err());
        assert!(with(|options| options.flows = 0).is_err());
        assert!(with(|options| options.flows = u32::MAX).is_err());
        assert_eq!(with(|options| options.latency_every = 0), Err(OptionsError::Latency));
    }

    #[test]
    fn imix_is_seven_to_four_to_one_and_mixed() {
        let schedule = Sizes::Imix.schedule(&mut Random(1));
        let count = |index| schedule.iter().filter(|&&size| size == index).count();
        assert_eq!([count(0), count(1), count(2)], [7000, 4000, 1000]);
        assert!(schedule[..7] != [0; 7] || schedule[7..11] != [1; 4]);
    }
}

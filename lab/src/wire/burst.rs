//! Several frames at once.

/// Where a frame lies in a block of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Offset of its first byte.
    pub start: u32,
    /// Its bytes, without FCS.
    pub length: u32,
}

/// Frames in order, in one block of memory. A call for many of them costs a frame less than many calls do.
#[derive(Clone, Copy, Debug)]
pub struct Burst<'a> {
    bytes: &'a [u8],
    places: &'a [Place],
    /// So many bytes at the start of each are the same in all of them, and all are of one length.
    common: usize,
}

impl<'a> Burst<'a> {
    /// No frame.
    pub const EMPTY: Burst<'static> = Burst { bytes: &[], places: &[], common: 0 };

    /// The frames at `places` of `bytes`.
    #[inline]
    pub fn new(bytes: &'a [u8], places: &'a [Place]) -> Self {
        Burst { bytes, places, common: 0 }
    }

    /// The same, of frames of one length that have their first `common` bytes in common. Who knows one knows all, as far as
    /// these bytes tell.
    #[inline]
    pub fn alike(bytes: &'a [u8], places: &'a [Place], common: usize) -> Self {
        Burst { bytes, places, common }
    }

    /// All frames are of one length and have as many bytes at their start in common.
    #[inline]
    pub fn are_alike(&self, bytes: usize) -> bool {
        self.common >= bytes
    }

    /// The frames, in order.
    ///
    /// # Panics
    ///
    /// If a place is not within the bytes.
    #[inline]
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
        let bytes = self.bytes;
        self.places.iter().map(move |place| &bytes[place.start as usize..][..place.length as usize])
    }

    /// A burst of each frame.
    #[inline]
    pub fn singly(self) -> impl Iterator<Item = Burst<'a>> + use<'a> {
        self.places.chunks(1).map(move |places| Burst { places, ..self })
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// There are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

//! MAC statistics of one direction, counted in plain integers during a batch and added to the registers afterwards
//! (82599 8.2.3.23). Octets count from the destination address to the FCS.

use super::filter::{Cast, FCS};
use super::registers::RegisterFile;
use super::regs::{self, Register};

/// Number of size classes.
const CLASSES: usize = 6;

/// Size class of a frame of `bytes` with FCS: 64, then up to 127, 255, 511, 1023, and all longer ones.
#[inline]
fn class(bytes: usize) -> usize {
    match bytes {
        0..=64 => 0,
        65..=127 => 1,
        128..=255 => 2,
        256..=511 => 3,
        512..=1023 => 4,
        _ => 5,
    }
}

/// Which registers a direction counts in.
#[derive(Debug)]
pub struct Places {
    classes: [Register; CLASSES],
    good: Register,
    /// Counts all frames, where that is the same as the good ones: nothing bad is ever sent.
    total: Option<Register>,
    good_octets: Register,
    multicast: Register,
    broadcast: Register,
}

/// Receive.
pub static RX: Places = Places {
    classes: [regs::PRC64, regs::PRC127, regs::PRC255, regs::PRC511, regs::PRC1023, regs::PRC1522],
    good: regs::GPRC,
    total: None,
    good_octets: regs::GORCL,
    multicast: regs::MPRC,
    broadcast: regs::BPRC,
};

/// Transmit.
pub static TX: Places = Places {
    classes: [regs::PTC64, regs::PTC127, regs::PTC255, regs::PTC511, regs::PTC1023, regs::PTC1522],
    good: regs::GPTC,
    total: Some(regs::TPT),
    good_octets: regs::GOTCL,
    multicast: regs::MPTC,
    broadcast: regs::BPTC,
};

/// Good frames of a batch.
#[derive(Debug, Default)]
pub struct Tally {
    /// Frames alike that came last and are not counted below: one number to add to, for frames mostly come alike.
    run: Run,
    classes: [u64; CLASSES],
    frames: u64,
    octets: u64,
    multicast: u64,
    broadcast: u64,
}

/// Frames of one length and kind.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    length: usize,
    cast: Cast,
    frames: u64,
}

impl Tally {
    /// One good frame of `length` bytes without FCS.
    #[inline]
    pub fn good(&mut self, length: usize, cast: Cast) {
        self.good_alike(length, cast, 1);
    }

    /// So many of them.
    #[inline]
    pub fn good_alike(&mut self, length: usize, cast: Cast, frames: u64) {
        if length != self.run.length || cast != self.run.cast {
            self.end_run();
            self.run = Run { length, cast, frames: 0 };
        }
        self.run.frames += frames;
    }

    fn end_run(&mut self) {
        let Run { length, cast, frames } = std::mem::take(&mut self.run);
        let bytes = length + FCS;
        self.frames += frames;
        self.octets += frames * bytes as u64;
        self.classes[class(bytes)] += frames;
        match cast {
            Cast::Unicast => {}
            Cast::Multicast => self.multicast += frames,
            Cast::Broadcast => self.broadcast += frames,
        }
    }

    /// Adds the batch to the registers and starts a new one.
    #[inline]
    pub fn flush(&mut self, registers: &mut RegisterFile, places: &Places) {
        self.end_run();
        if self.frames == 0 {
            return;
        }
        for (register, count) in places.classes.iter().zip(self.classes) {
            registers.count(register.offset, count);
        }
        registers.count(places.good.offset, self.frames);
        if let Some(total) = places.total {
            registers.count(total.offset, self.frames);
        }
        registers.count_pair(places.good_octets.offset, self.octets);
        registers.count(places.multicast.offset, self.multicast);
        registers.count(places.broadcast.offset, self.broadcast);
        *self = Tally::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_by_size_with_fcs() {
        let sizes = [64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 9000];
        assert_eq!(sizes.map(class), [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    }
}

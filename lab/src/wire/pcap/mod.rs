//! Capture files as a wire: what is read from one is received by the NIC, what the NIC sends is written to another.
//!
//! Bytes are parsed by `pcap-parser`, whose slices tell where in the file they are, and written by `pcap-file`, which
//! writes whole records into memory. Neither can do the other's part: `pcap-file` 2.0 refuses files that are valid
//! (options without an end mark, packets longer than the limit in the header) and cannot tell where a file is broken;
//! `pcap-parser` 0.17 allocates for each packet that it writes. What a capture must be to be replayed is judged here.

mod classic;
mod encode;
mod error;
mod interface;
mod ng;
mod pad;
mod player;
mod read;
mod record;
#[cfg(test)]
mod tests;

use std::io;

pub use encode::{Direction, Format, Record};
pub use error::CaptureError;
pub use pad::Padded;
pub use player::{Player, Timing};
pub use read::{Capture, LONGEST_FRAME, LeftOut, Packet, ReadOptions, SHORTEST_FRAME};
pub use record::Recorder;

use super::{Frame, Wire};
use crate::clock::Nanos;

/// Replays a capture towards the NIC, records what the NIC sends, or both.
#[derive(Debug, Default)]
pub struct PcapWire {
    player: Option<Player>,
    recorder: Option<Recorder>,
    padded: Padded,
}

impl PcapWire {
    /// A wire with these two ends; without a player it gives nothing, without a recorder it forgets what is sent.
    pub fn new(player: Option<Player>, recorder: Option<Recorder>) -> Self {
        PcapWire { player, recorder, padded: Padded::default() }
    }
}

impl Wire for PcapWire {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        let player = self.player.as_mut()?;
        player.due(now)?;
        let bytes = self.padded.pad(player.packet().bytes);
        Some(Frame { bytes, fcs_good: true })
    }

    fn advance(&mut self, _now: Nanos) {
        if let Some(player) = &mut self.player {
            player.advance();
        }
    }

    fn send(&mut self, frame: &[u8], now: Nanos) {
        if let Some(recorder) = &mut self.recorder {
            recorder.record(frame, now, None);
        }
    }

    fn poll(&mut self, now: Nanos) -> bool {
        self.recorder.as_mut().is_some_and(|recorder| recorder.poll(now))
    }

    fn next_due(&mut self, _now: Nanos) -> Option<Nanos> {
        self.player.as_ref()?.next_due()
    }

    fn exhausted(&self) -> bool {
        self.player.as_ref().is_none_or(Player::finished)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.recorder.as_mut().map_or(Ok(()), Recorder::flush)
    }

    fn take_error(&mut self) -> Option<io::Error> {
        self.recorder.as_mut()?.take_error()
    }
}

//! What is told of a replay.

use serde::Serialize;

use super::{Counts, Difference, Shared};
use crate::wire::latency::LatencySummary;

/// How far a replay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Packets to be sent in all; `None` if there is no end.
    pub total: Option<u64>,
    /// Packets that the first NIC took off the wire.
    pub sent: u64,
    /// Packets of these that the second NIC has sent.
    pub arrived: u64,
    /// All packets have been sent.
    pub finished_sending: bool,
}

impl Progress {
    /// Everything was sent and has arrived.
    pub fn complete(&self) -> bool {
        self.finished_sending && self.arrived == self.sent
    }
}

/// Everything that was counted during a replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The counts.
    #[serde(flatten)]
    pub counts: Counts,
    /// Packets that were sent and have not arrived.
    pub lost: u64,
    /// Frames that the first NIC sent, where none are expected.
    pub returned: u64,
    /// Number (from 1) of the first packet that has not arrived.
    pub first_lost: Option<u64>,
    /// First wrong byte of the first packet that arrived with wrong bytes.
    pub first_corrupt: Option<Difference>,
    /// Seconds from the first packet sent to the last sent or arrived.
    pub elapsed_s: f64,
    /// Packets per second that arrived in this time; 0 if it was too short to tell.
    pub packets_per_second: f64,
    /// Latencies of all packets that arrived; `None` if none did.
    pub latency: Option<LatencySummary>,
    /// Packets in the output file; `None` if nothing was to be recorded.
    pub recorded: Option<u64>,
}

impl Report {
    pub(super) fn of(shared: &Shared) -> Self {
        let counts = shared.matcher.counts();
        let lost = counts.sent - counts.arrived;
        let elapsed = shared.began.zip(shared.last).map_or(0, |(began, last)| last.since(began));
        let elapsed_s = elapsed as f64 / 1e9;
        Report {
            counts,
            lost,
            returned: shared.returned,
            first_lost: shared.matcher.first_missing().filter(|_| lost > 0),
            first_corrupt: shared.matcher.first_corrupt(),
            elapsed_s,
            packets_per_second: if elapsed == 0 { 0.0 } else { counts.arrived as f64 / elapsed_s },
            latency: shared.latencies.summary(),
            recorded: shared.recorded,
        }
    }

    /// Every packet arrived once, in order and as it should be, and nothing else did.
    pub fn is_clean(&self) -> bool {
        let Counts { duplicates, reordered, corrupt, unexpected, .. } = self.counts;
        [self.lost, self.returned, duplicates, reordered, corrupt, unexpected].iter().all(|&count| count == 0)
    }
}

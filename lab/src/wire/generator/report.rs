//! What generators tell of themselves.

use serde::Serialize;

use super::sink::{Corruption, Received};
use super::source::Sent;
use crate::wire::latency::LatencySummary;

/// One direction: from the source at one NIC to the sink at the other (or the same) one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Direction {
    /// Frames that the first NIC took off the wire.
    pub sent: u64,
    /// Their bytes, without FCS.
    pub sent_bytes: u64,
    /// Frames that the second NIC sent, as they should be (duplicates among them).
    pub received: u64,
    /// Their bytes, without FCS.
    pub received_bytes: u64,
    /// Frames that were overtaken by later ones and have not arrived.
    pub lost: u64,
    /// Frames that were sent after the latest that has arrived: under way, or lost too if nothing moves any more.
    pub outstanding: u64,
    /// Frames that had arrived already.
    pub duplicates: u64,
    /// Frames that arrived after a later one of the same flow.
    pub reordered: u64,
    /// Frames that came so late that nobody remembers whether they are duplicates.
    pub stale: u64,
    /// Frames with wrong bytes or a wrong length.
    pub corrupt: u64,
    /// The first of them.
    pub first_corrupt: Option<Corruption>,
    /// Frames that are none of ours.
    pub unexpected: u64,
    /// Their bytes, without FCS.
    pub unexpected_bytes: u64,
    /// How long frames were under way.
    pub latency: Option<LatencySummary>,
    /// When the source was looked at, in nanoseconds of the lab's clock. Rates are differences of two reports.
    pub sent_at_ns: u64,
    /// When the sink was looked at.
    pub received_at_ns: u64,
}

impl Direction {
    pub(super) fn of((sent, sent_at_ns): (Sent, u64), (received, received_at_ns): (Received, u64)) -> Self {
        Direction {
            sent: sent.frames,
            sent_bytes: sent.bytes,
            received: received.frames,
            received_bytes: received.bytes,
            lost: received.missing,
            outstanding: sent.frames.saturating_sub(received.next),
            duplicates: received.duplicates,
            reordered: received.reordered,
            stale: received.stale,
            corrupt: received.corrupt,
            first_corrupt: received.first_corrupt,
            unexpected: received.unexpected,
            unexpected_bytes: received.unexpected_bytes,
            latency: None,
            sent_at_ns,
            received_at_ns,
        }
    }

    /// Frames that were sent and have not arrived, for whatever reason.
    pub fn missing(&self) -> u64 {
        self.lost + self.outstanding
    }

    /// What has arrived is as it should be, in order and once. Says nothing of what is missing.
    pub fn is_clean(&self) -> bool {
        [self.duplicates, self.reordered, self.stale, self.corrupt, self.unexpected].iter().all(|&n| n == 0)
    }
}

/// What a generator (or a pair of them) has sent and received.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// From the first NIC to the second, and back; only one direction for a single NIC.
    pub directions: Vec<Direction>,
}

impl Report {
    /// Frames sent in all directions.
    pub fn sent(&self) -> u64 {
        self.directions.iter().map(|direction| direction.sent).sum()
    }

    /// Frames received in all directions.
    pub fn received(&self) -> u64 {
        self.directions.iter().map(|direction| direction.received).sum()
    }

    /// Frames missing in all directions.
    pub fn missing(&self) -> u64 {
        self.directions.iter().map(Direction::missing).sum()
    }

    /// All directions are [clean](Direction::is_clean).
    pub fn is_clean(&self) -> bool {
        self.directions.iter().all(Direction::is_clean)
    }
}

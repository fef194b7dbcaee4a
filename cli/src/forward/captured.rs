//! A capture on its way from NIC a to NIC b.

use std::time::Duration;

use ringway_lab::wire::replay::{Counts, ReplayHandle, Report};

use super::summary::Flow;
use super::traffic::{State, wrong_byte};
use crate::progress::Step;

/// A replay.
pub struct Captured {
    /// Starts it and tells how it goes.
    pub handle: ReplayHandle,
    /// The longest time between two packets.
    pub longest_gap: Duration,
}

impl Captured {
    /// How far it is.
    pub fn state(&self) -> State {
        let progress = self.handle.progress();
        let step = Step { total: progress.total, sent: progress.sent, arrived: progress.arrived };
        State { step, finished_sending: progress.finished_sending }
    }

    /// What was counted.
    pub fn flow(&self) -> Flow {
        of_report(&self.handle.report(), self.handle.progress().total)
    }
}

fn of_report(report: &Report, planned: Option<u64>) -> Flow {
    let Counts { sent, arrived, arrived_bytes, duplicates, reordered, corrupt, unexpected, .. } =
        report.counts;
    Flow {
        name: "a -> b".to_owned(),
        planned,
        sent,
        received: arrived + duplicates,
        bytes: arrived_bytes,
        lost: report.lost,
        dropped: Vec::new(),
        duplicates,
        reordered,
        wrong: corrupt + unexpected + report.returned,
        rate_pps: report.packets_per_second,
        latency: report.latency,
        first_wrong: first_wrong(report),
    }
}

/// Points at the packet to look at first.
fn first_wrong(report: &Report) -> Option<String> {
    if let Some(wrong) = report.first_corrupt {
        let packet = format!("packet {}", wrong.packet);
        return Some(wrong_byte(&packet, wrong.offset, wrong.expected, wrong.got));
    }
    report.first_lost.map(|packet| format!("packet {packet} of the capture is the first that is missing"))
}

//! The cases, by subject.

use ringway_lab::events::Event;

use crate::case::Case;
use crate::outcome::{Outcome, expect};
use crate::rig::Rig;

mod backpressure;
mod close;
mod disconnect;
mod filters;
mod forward;
mod init_order;
mod jumbo;
mod kill;
mod link;
mod lying;
mod open;
mod pool;
mod protocol;
mod reset;
mod rss;
mod rx;
mod stats;
mod tx;

/// Every case with the name of its module, in the order of a driver's life.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Case)> {
    let modules = [
        ("protocol", protocol::CASES),
        ("open", open::CASES),
        ("reset", reset::CASES),
        ("init_order", init_order::CASES),
        ("rx", rx::CASES),
        ("tx", tx::CASES),
        ("pool", pool::CASES),
        ("backpressure", backpressure::CASES),
        ("filters", filters::CASES),
        ("stats", stats::CASES),
        ("link", link::CASES),
        ("rss", rss::CASES),
        ("jumbo", jumbo::CASES),
        ("lying", lying::CASES),
        ("disconnect", disconnect::CASES),
        ("close", close::CASES),
        ("kill", kill::CASES),
        ("forward", forward::CASES),
    ];
    modules.into_iter().flat_map(|(module, cases)| cases.iter().map(move |case| (module, case)))
}

/// The driver has let go of NIC `nic` in the order that keeps memory safe: every queue was off before its memory went.
fn closed_in_order(rig: &mut Rig, nic: usize) -> Outcome {
    rig.until(1.0, "the driver lets go of the card", |rig| Ok((!rig.world.taken(nic)).then_some(())))?;
    let record = rig.record(nic);
    let enabled = record.last(|event| matches!(event, Event::QueueEnabled { .. }));
    let disabled = record.last(|event| matches!(event, Event::QueueDisabled { .. }));
    let gone = record.last(|event| matches!(event, Event::Client { present: false }));
    let unmapped = record.last(|event| matches!(event, Event::MemoryMapped { mapped: false, .. }));
    let end = [gone, unmapped].into_iter().flatten().min();
    let told =
        || format!("enabled at {enabled:?}, disabled at {disabled:?}, memory or client gone at {end:?}");
    expect(
        enabled.is_some() && disabled > enabled && disabled < end,
        "the queues are off before their memory goes",
        told,
    )
}

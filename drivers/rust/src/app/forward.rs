//! Forwarding between two devices: the workload that all languages share.

use ringway::{Batch, Device};

use crate::Failure;
use crate::args::Common;
use crate::report::{Report, Sums};
use crate::run::{self, Next, Run, Stop};

/// The byte of each packet that is incremented, so that the wire can tell whether a driver touched the packet.
const TOUCHED: usize = 48;

/// Forwards both ways until it is time to stop.
pub fn forward(a: &str, b: &str, common: &Common, report: &Report) -> Result<(), Failure> {
    if a == b {
        return Err(Failure::Usage(format!("forward needs two devices, not {a} twice")));
    }
    let mut run = Run::new(common)?;
    let memory = run::memory(common, &[a, b])?;
    let mut devices = [run::open(a, &memory, common)?, run::open(b, &memory, common)?];
    report.start(&devices)?;
    let mut batch = Batch::new(&memory, common.batch.into());
    run.begin();
    let mut sums = Sums::default();
    let mut dropped = [0, 0];
    let stop = loop {
        let mut busy = false;
        for (from, dropped) in dropped.iter_mut().enumerate() {
            let (received, lost) = one_way(&mut devices, from, &mut batch, left(common, &sums))?;
            busy |= received > 0;
            sums.received += received;
            sums.sent += received - lost;
            *dropped += lost;
        }
        if common.packets.is_some_and(|packets| sums.received >= packets) {
            break Stop::Packets;
        }
        match run.round(busy) {
            Next::GoOn => {}
            Next::Report => report.interval(run.elapsed(), &devices, &dropped)?,
            Next::Stop(stop) => break stop,
        }
    };
    let elapsed = run.elapsed();
    sums.dropped = dropped.iter().sum();
    drop(batch);
    for device in &mut devices {
        device.drain(run::DRAIN)?;
    }
    sums.slots_lost = run::slots_lost(&mut devices);
    report.last(elapsed, &devices, &dropped, sums, stop)?;
    devices.into_iter().try_for_each(Device::close)?;
    Ok(())
}

/// One batch from `devices[from]` to the other one. Returns how many packets were received, and how many of them the
/// other one did not take.
#[inline]
fn one_way(
    devices: &mut [Device; 2],
    from: usize,
    batch: &mut Batch,
    most: usize,
) -> Result<(u64, u64), Failure> {
    let received = devices[from].rx_queue(0)?.receive_at_most(batch, most)?;
    for mut packet in batch.iter_mut() {
        if let Some(byte) = packet.head_mut().get_mut(TOUCHED) {
            *byte = byte.wrapping_add(1);
        }
    }
    // Also with an empty batch: what has been sent must come home, or the other side runs out of slots.
    devices[1 - from].transmit(0, batch)?;
    let lost = if batch.is_empty() { 0 } else { batch.clear() };
    Ok((received as u64, lost as u64))
}

/// How many packets may still be received.
fn left(common: &Common, sums: &Sums) -> usize {
    common.packets.map_or(usize::MAX, |packets| packets.saturating_sub(sums.received) as usize)
}

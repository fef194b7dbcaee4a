//! Forwarding between two devices: the workload that all languages share.

use ringway::{Batch, Device, RxQueue, TxQueue};

use crate::Failure;
use crate::args::Common;
use crate::report::{Report, Sums};
use crate::run::{self, Run};
use crate::workers::{self, Budget, Counts, Watch, Worker};

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
    report.start(&devices.each_ref().map(Device::control), common.queues)?;
    let counts: Vec<_> = (0..common.queues).map(|_| Counts::default()).collect();
    let dropped = || [0, 1].map(|device| workers::sum(&counts, |counts| &counts.dropped[device]));
    let received = || workers::sum(&counts, |counts| &counts.received);
    let stop = {
        let [(a, a_rx, a_tx), (b, b_rx, b_tx)] = devices.each_mut().map(Device::queues);
        let ways = a_rx.iter_mut().zip(b_tx).zip(b_rx.iter_mut().zip(a_tx)).zip(&counts);
        let worker = |((there, back), counts)| Forwarder {
            ways: [there, back],
            batch: Batch::new(&memory, common.batch.into()),
            counts,
        };
        let tell = |time| report.interval(time, &[a, b], &dropped());
        let watch = Watch { run: &mut run, common, moved: &received, report: &tell };
        workers::run(watch, ways.map(worker).collect())?
    };
    let elapsed = run.elapsed();
    for device in &mut devices {
        device.drain(run::DRAIN)?;
    }
    let sent = workers::sum(&counts, |counts| &counts.sent);
    let slots_lost = run::slots_lost(&mut devices);
    let sums = Sums { received: received(), sent, dropped: dropped().iter().sum(), slots_lost };
    report.last(elapsed, &devices.each_ref().map(Device::control), &dropped(), sums, stop)?;
    devices.into_iter().try_for_each(Device::close)?;
    Ok(())
}

/// One queue of both devices, both ways.
struct Forwarder<'d> {
    ways: [(&'d mut RxQueue, &'d mut TxQueue); 2],
    batch: Batch,
    counts: &'d Counts,
}

impl Worker for Forwarder<'_> {
    #[inline]
    fn turn(&mut self, budget: &Budget) -> Result<bool, Failure> {
        let mut busy = false;
        for ((from, to), dropped) in self.ways.iter_mut().zip(&self.counts.dropped) {
            let (received, lost) = one_way(from, to, &mut self.batch, budget)?;
            busy |= received > 0;
            self.counts.received.add(received);
            self.counts.sent.add(received - lost);
            dropped.add(lost);
        }
        Ok(busy)
    }
}

/// One batch. Returns how many packets were received, and how many of them the other side did not take.
#[inline]
fn one_way(
    from: &mut RxQueue,
    to: &mut TxQueue,
    batch: &mut Batch,
    budget: &Budget,
) -> Result<(usize, usize), Failure> {
    let most = budget.take(batch.room());
    let received = from.receive_at_most(batch, most)?;
    budget.give_back(most - received);
    for mut packet in batch.iter_mut() {
        if let Some(byte) = packet.head_mut().get_mut(TOUCHED) {
            *byte = byte.wrapping_add(1);
        }
    }
    // Also with an empty batch: what has been sent must come home, or the other side runs out of slots.
    to.transmit(batch)?;
    let lost = if batch.is_empty() { 0 } else { batch.clear() };
    Ok((received, lost))
}

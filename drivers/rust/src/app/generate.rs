//! Sending as fast as the device takes it.

use ringway::{Batch, Device, Pool, TxQueue};

use crate::Failure;
use crate::args::Common;
use crate::report::{Report, Sums};
use crate::run::{self, Run};
use crate::workers::{self, Budget, Counts, Watch, Worker};

/// Where a packet has its sequence number, big endian.
const SEQUENCE: std::ops::Range<usize> = 42..50;

/// Sends UDP packets with sequence numbers until it is time to stop.
pub fn generate(address: &str, size: u16, common: &Common, report: &Report) -> Result<(), Failure> {
    let mut run = Run::new(common)?;
    let memory = run::memory(common, &[address])?;
    let mut devices = [run::open(address, &memory, common)?];
    report.start(&[devices[0].control()], common.queues)?;
    let template = template(devices[0].mac(), usize::from(size) - 4);
    let counts: Vec<_> = (0..common.queues).map(|_| Counts::default()).collect();
    let sent = || workers::sum(&counts, |counts| &counts.sent);
    let stop = {
        let [device] = &mut devices;
        let (control, _, queues) = device.queues();
        let worker = |((first, queue), counts)| Generator {
            queue,
            pool: control.pool().clone(),
            template: &template,
            batch: Batch::new(&memory, common.batch.into()),
            next: first,
            step: common.queues.into(),
            counts,
        };
        let workers = (0..).zip(queues).zip(&counts).map(worker).collect();
        let tell = |time| report.interval(time, &[control], &[0]);
        workers::run(Watch { run: &mut run, common, moved: &sent, report: &tell }, workers)?
    };
    let elapsed = run.elapsed();
    devices[0].drain(run::DRAIN)?;
    let slots_lost = run::slots_lost(&mut devices);
    let sums = Sums { sent: sent(), slots_lost, ..Sums::default() };
    report.last(elapsed, &[devices[0].control()], &[0], sums, stop)?;
    devices.into_iter().try_for_each(Device::close)?;
    Ok(())
}

/// One transmit queue that is kept full.
struct Generator<'d> {
    queue: &'d mut TxQueue,
    pool: Pool,
    template: &'d [u8],
    batch: Batch,
    /// Number of the next packet. Workers take turns, so that none comes twice.
    next: u64,
    step: u64,
    counts: &'d Counts,
}

impl Worker for Generator<'_> {
    #[inline]
    fn turn(&mut self, budget: &Budget) -> Result<bool, Failure> {
        let most = budget.take(self.batch.room());
        budget.give_back(most - self.fill(most)?);
        let sent = self.queue.transmit(&mut self.batch)?;
        self.counts.sent.add(sent);
        Ok(sent > 0)
    }
}

impl Generator<'_> {
    /// Puts up to `most` numbered packets into the batch; returns how many.
    #[inline]
    fn fill(&mut self, most: usize) -> Result<usize, Failure> {
        let old = self.batch.len();
        let added = self.batch.extend(&self.pool, most, self.template.len())?;
        for mut packet in self.batch.iter_mut().skip(old) {
            let bytes = packet.head_mut();
            bytes.copy_from_slice(self.template);
            bytes[SEQUENCE].copy_from_slice(&self.next.to_be_bytes());
            self.next += self.step;
        }
        Ok(added)
    }
}

/// An Ethernet broadcast with IPv4 and UDP, to the discard port of a documentation address.
fn template(source: [u8; 6], length: usize) -> Vec<u8> {
    let mut packet = vec![0; length];
    packet[..6].fill(0xff);
    packet[6..12].copy_from_slice(&source);
    packet[12..14].copy_from_slice(&[8, 0]);
    let ip_length = (length - 14) as u16;
    packet[14..16].copy_from_slice(&[0x45, 0]);
    packet[16..18].copy_from_slice(&ip_length.to_be_bytes());
    packet[22..24].copy_from_slice(&[64, 17]);
    packet[26..30].copy_from_slice(&[192, 0, 2, 1]);
    packet[30..34].copy_from_slice(&[192, 0, 2, 2]);
    let checksum = checksum(&packet[14..34]);
    packet[24..26].copy_from_slice(&checksum.to_be_bytes());
    packet[34..38].copy_from_slice(&[0, 9, 0, 9]);
    packet[38..40].copy_from_slice(&(ip_length - 20).to_be_bytes()); // no UDP checksum: 0 is legal over IPv4
    packet
}

/// The Internet checksum.
fn checksum(bytes: &[u8]) -> u16 {
    let words = bytes.chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])));
    let mut sum: u32 = words.sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_a_valid_packet() {
        for length in [60, 1514] {
            let packet = template([2, 0, 0, 0, 0, 1], length);
            assert_eq!(packet.len(), length);
            assert_eq!(checksum(&packet[14..34]), 0, "a correct header sums to zero");
            assert_eq!(u16::from_be_bytes([packet[38], packet[39]]) as usize, length - 34);
        }
    }
}

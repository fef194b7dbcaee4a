//! Sending as fast as the device takes it.

use ringway::{Batch, Device, Pool};

use crate::Failure;
use crate::args::Common;
use crate::report::{Report, Sums};
use crate::run::{self, Next, Run, Stop};

/// Where a packet has its sequence number, big endian.
const SEQUENCE: std::ops::Range<usize> = 42..50;

/// Sends UDP packets with sequence numbers until it is time to stop.
pub fn generate(address: &str, size: u16, common: &Common, report: &Report) -> Result<(), Failure> {
    let mut run = Run::new(common)?;
    let memory = run::memory(common, &[address])?;
    let mut devices = [run::open(address, &memory, common)?];
    report.start(&devices)?;
    let pool = devices[0].pool().clone();
    let template = template(devices[0].mac(), usize::from(size) - 4);
    let mut batch = devices[0].batch(common.batch.into());
    run.begin();
    let mut sums = Sums::default();
    let mut next = 0;
    let stop = loop {
        next += fill(&mut batch, &pool, &template, next, left(common, next))?;
        let sent = devices[0].transmit(0, &mut batch)?;
        sums.sent += sent as u64;
        if common.packets.is_some_and(|packets| sums.sent >= packets) {
            break Stop::Packets;
        }
        match run.round(sent > 0) {
            Next::GoOn => {}
            Next::Report => report.interval(run.elapsed(), &devices, &[0])?,
            Next::Stop(stop) => break stop,
        }
    };
    let elapsed = run.elapsed();
    drop(batch);
    devices[0].drain(run::DRAIN)?;
    sums.slots_lost = run::slots_lost(&mut devices);
    report.last(elapsed, &devices, &[0], sums, stop)?;
    devices.into_iter().try_for_each(Device::close)?;
    Ok(())
}

/// Fills the batch up with packets that are numbered from `next` on.
fn fill(batch: &mut Batch, pool: &Pool, template: &[u8], next: u64, most: usize) -> Result<u64, Failure> {
    let old = batch.len();
    let added = batch.extend(pool, batch.room().min(most), template.len())?;
    for (number, mut packet) in (next..).zip(batch.iter_mut().skip(old)) {
        let bytes = packet.head_mut();
        bytes.copy_from_slice(template);
        bytes[SEQUENCE].copy_from_slice(&number.to_be_bytes());
    }
    Ok(added as u64)
}

/// How many packets may still be made.
fn left(common: &Common, made: u64) -> usize {
    common.packets.map_or(usize::MAX, |packets| packets.saturating_sub(made) as usize)
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

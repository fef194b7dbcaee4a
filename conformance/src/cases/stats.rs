//! Counters.

use ringway_lab::ixgbe::regs::{GORCL, GOTCL, GPRC, GPTC};

use crate::case::{Case, case};
use crate::commands::{Device, Stats};
use crate::frames::{FCS, STRANGER, mixed, series};
use crate::outcome::{Outcome, expect_eq};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(start_at_zero_whatever_the_card_has_counted_before, "82599:8.2.3.23"),
    case!(count_every_frame_and_byte, "82599:8.2.3.23"),
    case!(add_up_over_many_reads, "82599:8.2.3.23"),
    case!(go_past_two_to_the_32_bytes, "82599:8.2.3.23"),
    case!(count_short_packets_as_they_are_on_the_wire, "protocol:stats"),
    case!(are_kept_when_promiscuous_is_switched, "protocol:stats"),
    case!(count_what_was_missed, "82599:8.2.3.23"),
    case!(are_counted_for_each_device, "protocol:stats").two_nics(),
];

/// Bytes of frames on the wire.
fn bytes(frames: &[Vec<u8>]) -> u64 {
    frames.iter().map(|frame| (frame.len() + FCS) as u64).sum()
}

/// The counters that `stats` answers must be `expected`.
fn are(rig: &mut Rig, device: Device, expected: Stats) -> Outcome {
    expect_eq("stats", rig.testee.stats(device)?, expected)
}

fn start_at_zero_whatever_the_card_has_counted_before(rig: &mut Rig) -> Outcome {
    for _ in 0..2 {
        let device = rig.open(0, "")?;
        are(rig, device, Stats::default())?;
        rig.works(0, device)?;
        let (rx_packets, tx_packets) = (1, 1);
        are(rig, device, Stats { rx_packets, tx_packets, rx_bytes: 104, tx_bytes: 104, ..Stats::default() })?;
        rig.testee.close(device)?;
        count(rig, 1 << 33, 1 << 20);
    }
    Ok(())
}

fn count_every_frame_and_byte(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let arriving = mixed(rig.mac(0), 0, 300, &mut rig.random);
    let leaving = mixed(STRANGER, 0, 200, &mut rig.random);
    rig.receives(0, device, 0, &arriving, 50)?;
    rig.transmits(0, device, 0, &leaving)?;
    let expected = Stats {
        rx_packets: 300,
        tx_packets: 200,
        rx_bytes: bytes(&arriving),
        tx_bytes: bytes(&leaving),
        ..Stats::default()
    };
    are(rig, device, expected)
}

fn add_up_over_many_reads(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let mut expected = Stats::default();
    for round in 0..40 {
        let count = rig.random.between(0, 20);
        let arriving = mixed(rig.mac(0), round * 100, count, &mut rig.random);
        rig.receives(0, device, 0, &arriving, 20)?;
        let leaving = mixed(STRANGER, round * 100, 20 - count, &mut rig.random);
        rig.transmits(0, device, 0, &leaving)?;
        expected.rx_packets += arriving.len() as u64;
        expected.rx_bytes += bytes(&arriving);
        expected.tx_packets += leaving.len() as u64;
        expected.tx_bytes += bytes(&leaving);
        are(rig, device, expected)?;
        are(rig, device, expected)?;
    }
    Ok(())
}

/// Lets the card have counted `bytes` and `packets` more in each direction: nobody waits for 16 GiB of frames.
fn count(rig: &mut Rig, bytes: u64, packets: u64) {
    rig.nic(0, move |nic| {
        for (register, amount) in [(GORCL, bytes), (GOTCL, bytes), (GPRC, packets), (GPTC, packets)] {
            nic.add_to_counter(register, amount);
        }
    });
}

fn go_past_two_to_the_32_bytes(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let mut expected = Stats::default();
    // Steps below and above 32 bits, and a sum above 36 (the width of the card's own byte counters).
    for step in [3 << 30, 3 << 30, 5 << 32, (15 << 32) + 7, 1, (15 << 32) + 123] {
        count(rig, step, 1 << 31);
        expected.rx_bytes += step;
        expected.tx_bytes += step;
        expected.rx_packets += 1 << 31;
        expected.tx_packets += 1 << 31;
        are(rig, device, expected)?;
    }
    rig.works(0, device)?;
    expected.rx_packets += 1;
    expected.tx_packets += 1;
    expected.rx_bytes += 104;
    expected.tx_bytes += 104;
    are(rig, device, expected)
}

fn count_short_packets_as_they_are_on_the_wire(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.transmit(device, 0, &series(STRANGER, 0, 10, 20))?;
    rig.sent(0, 10)?;
    are(rig, device, Stats { tx_packets: 10, tx_bytes: 640, ..Stats::default() })
}

fn are_kept_when_promiscuous_is_switched(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let mut expected = Stats::default();
    for on in [true, false, true] {
        let frames = series(rig.mac(0), 0, 10, 100);
        rig.receives(0, device, 0, &frames, 10)?;
        rig.testee.promiscuous(device, on)?;
        expected.rx_packets += 10;
        expected.rx_bytes += bytes(&frames);
        are(rig, device, expected)?;
    }
    Ok(())
}

fn count_what_was_missed(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=128")?;
    let frames = series(rig.mac(0), 0, 3000, 1514);
    rig.inject(0, &frames);
    let mut received = 0;
    let stats = rig.until(5.0, "received + rx_missed is all that was sent", |rig| {
        received += rig.testee.receive(device, 0, 64, "")?.packets.len() as u64;
        rig.testee.release()?;
        let stats = rig.testee.stats(device)?;
        Ok((received + stats.rx_missed == 3000).then_some(stats))
    })?;
    expect_eq("rx_packets, which includes what was missed", stats.rx_packets, 3000)?;
    expect_eq("rx_bytes, which includes what was missed", stats.rx_bytes, bytes(&frames))
}

fn are_counted_for_each_device(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "")?, rig.open(1, "")?);
    let frames = series(rig.mac(0), 0, 7, 100);
    rig.receives(0, a, 0, &frames, 7)?;
    rig.transmits(1, b, 0, &frames)?;
    are(rig, a, Stats { rx_packets: 7, rx_bytes: bytes(&frames), ..Stats::default() })?;
    are(rig, b, Stats { tx_packets: 7, tx_bytes: bytes(&frames), ..Stats::default() })
}

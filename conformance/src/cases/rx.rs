//! Receiving.

use ringway_lab::events::Side;
use ringway_lab::faults::Fault;
use ringway_lab::ixgbe::regs::{RDH, RDT};

use crate::case::{Case, case};
use crate::commands::Device;
use crate::frames::{BROADCAST, FCS, LONGEST, SHORTEST, mixed, numbered, series, tagged};
use crate::outcome::{Failure, Outcome, expect, expect_eq, expect_frames};
use crate::protocol::Kind;
use crate::record::{rung, rx};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(receives_a_packet_of_every_length, "82599:7.1.6"),
    case!(keeps_every_byte, "82599:7.1.6"),
    case!(keeps_order_across_the_ring_end, "82599:7.1.9"),
    case!(keeps_order_in_a_ring_that_is_no_power_of_two, "82599:7.1.9"),
    case!(loses_and_counts_what_a_small_ring_cannot_hold, "82599:7.1.9"),
    case!(finds_nothing_on_an_idle_wire, "design:2"),
    case!(leaves_in_the_ring_what_was_not_asked_for, "design:2"),
    case!(does_not_touch_a_packet_in_the_hand, "design:2"),
    case!(keeps_the_vlan_tag, "82599:7.4"),
    case!(drops_and_counts_frames_with_a_bad_fcs, "82599:8.2.3.23"),
    case!(drops_and_counts_frames_of_an_illegal_length, "82599:8.2.3.23"),
    case!(keeps_the_ring_filled, "82599:7.1.9"),
    case!(rings_the_doorbell_once_a_batch, "design:2").trapped(),
    case!(waits_until_a_descriptor_is_done, "82599:7.1.6"),
    case!(receives_after_a_long_silence, "design:2"),
];

/// Frames that every ring of `slots` can hold: see "receive" in the small print of the protocol.
fn burst(slots: usize) -> usize {
    slots / 2
}

fn receives_a_packet_of_every_length(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let mac = rig.mac(0);
    let frames: Vec<_> = (SHORTEST..=LONGEST).map(|length| numbered(mac, length as u32, length)).collect();
    rig.receives(0, device, 0, &frames, 64)
}

fn keeps_every_byte(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let mut frames = Vec::new();
    for byte in [0x00, 0xff, 0x55, 0xaa] {
        for length in [60, 61, 64, 128, 1000, 1514] {
            let mut frame = numbered(rig.mac(0), 0, length);
            frame[14..].fill(byte);
            frames.push(frame);
        }
    }
    rig.receives(0, device, 0, &frames, 24)
}

fn keeps_order_across_the_ring_end(rig: &mut Rig) -> Outcome {
    for slots in [64, 128, 512] {
        let device = rig.open(0, &format!("ring_slots={slots}"))?;
        wraps(rig, device, slots)?;
        rig.testee.close(device)?;
    }
    Ok(())
}

/// Bursts of random size, until the ring has gone around three times.
fn wraps(rig: &mut Rig, device: Device, slots: usize) -> Outcome {
    let mut number = 0;
    while (number as usize) < 3 * slots + 7 {
        let count = rig.random.between(1, burst(slots));
        let frames = series(rig.mac(0), number, count, 60);
        rig.receives(0, device, 0, &frames, count)?;
        number += count as u32;
    }
    Ok(())
}

fn keeps_order_in_a_ring_that_is_no_power_of_two(rig: &mut Rig) -> Outcome {
    for slots in [72, 1000] {
        let socket = rig.socket(0);
        let device = match rig.testee.try_open(&socket, &format!("ring_slots={slots}"))? {
            Ok(opened) => opened.device,
            Err(refusal) if refusal.kind == Kind::Unsupported => continue,
            Err(refusal) => {
                return Err(Failure::new("the ring is taken, or Unsupported", refusal.to_string()));
            }
        };
        wraps(rig, device, slots)?;
        rig.testee.close(device)?;
    }
    let device = rig.open(0, "ring_slots=64")?;
    wraps(rig, device, 64)
}

fn loses_and_counts_what_a_small_ring_cannot_hold(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64")?;
    // More than ring and the card's packet buffer (512 KiB) hold together.
    let frames = series(rig.mac(0), 0, 1000, LONGEST);
    rig.inject(0, &frames);
    let mut got = Vec::new();
    let stats = rig.until(5.0, "every frame is received or missed", |rig| {
        got.extend(rig.testee.receive(device, 0, 64, "")?.packets);
        rig.testee.release()?;
        let stats = rig.testee.stats(device)?;
        Ok((got.len() as u64 + stats.rx_missed >= 1000).then_some(stats))
    })?;
    expect_eq("received + rx_missed", got.len() as u64 + stats.rx_missed, 1000)?;
    expect(got.len() >= 32, "at least what the ring held is received", || format!("{}", got.len()))?;
    let mut rest = frames.iter();
    for packet in &got {
        let found = rest.any(|frame| frame == packet);
        expect(found, "what is received is in order and unchanged", || format!("{:x?}...", &packet[..18]))?;
    }
    rig.works(0, device)
}

fn finds_nothing_on_an_idle_wire(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    for _ in 0..100 {
        rig.nothing_left(device, 0)?;
    }
    expect_eq("rx_packets", rig.testee.stats(device)?.rx_packets, 0)?;
    rig.works(0, device)
}

fn leaves_in_the_ring_what_was_not_asked_for(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let frames = series(rig.mac(0), 0, 60, 80);
    for (count, options) in [(1, ""), (7, "batch=3"), (20, "batch=1"), (60, "batch=256")] {
        rig.inject(0, &frames);
        let mut got = Vec::new();
        rig.until(5.0, "all 60 packets", |rig| {
            got.extend(rig.testee.receive(device, 0, count, options)?.packets);
            Ok((got.len() >= frames.len()).then_some(()))
        })?;
        expect_frames(&format!("received {count} at a time"), &got, &frames)?;
        rig.testee.release()?;
    }
    rig.nothing_left(device, 0)
}

fn does_not_touch_a_packet_in_the_hand(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=256")?;
    let held = mixed(rig.mac(0), 0, 20, &mut rig.random);
    rig.inject(0, &held);
    expect_frames("in the hand", &rig.grasp(device, 0, held.len())?, &held)?;
    // The ring goes around twice while the twenty stay in the hand, and the later ones behind them.
    let later = mixed(rig.mac(0), 100, 130, &mut rig.random);
    for frames in later.chunks(26) {
        rig.inject(0, frames);
        expect_frames("received behind the hand", &rig.grasp(device, 0, frames.len())?, frames)?;
    }
    rig.send(device, 0, held.len())?;
    let sent = rig.sent(0, held.len())?;
    expect_frames("sent from the hand", &sent, &held)?;
    rig.send(device, 0, later.len())?;
    let sent = rig.sent(0, later.len())?;
    expect_frames("sent from the hand", &sent, &later)
}

fn keeps_the_vlan_tag(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let mac = rig.mac(0);
    let frames: Vec<_> =
        [1u16, 2, 100, 4094, 0xe123].iter().map(|&tag| tagged(mac, tag, u32::from(tag), 64)).collect();
    rig.receives(0, device, 0, &frames, 5)?;
    // The longest tagged frame has four bytes more (82599 8.2.3.22.13).
    rig.receives(0, device, 0, &[tagged(mac, 7, 7, LONGEST + 4)], 1)
}

/// Bad frames between good ones: only the good ones arrive, and the bad ones are counted.
fn only_good_ones(rig: &mut Rig, bad: &[(Vec<u8>, bool)]) -> Outcome {
    let device = rig.open(0, "")?;
    let good = series(rig.mac(0), 1000, bad.len(), 90);
    for ((bad, fcs_good), good) in bad.iter().zip(&good) {
        let wire = &rig.world.port(0).wire;
        if *fcs_good {
            wire.inject(bad.clone())
        } else {
            wire.inject_bad_fcs(bad.clone())
        }
        wire.inject(good.clone());
    }
    let got = rig.gather(device, 0, good.len())?;
    expect_frames("received between bad frames", &got, &good)?;
    rig.nothing_left(device, 0)?;
    let stats = rig.testee.stats(device)?;
    expect_eq("rx_errors", stats.rx_errors, bad.len() as u64)?;
    expect_eq("rx_packets", stats.rx_packets, good.len() as u64)?;
    expect_eq("rx_bytes", stats.rx_bytes, (good.len() * (90 + FCS)) as u64)
}

fn drops_and_counts_frames_with_a_bad_fcs(rig: &mut Rig) -> Outcome {
    let bad = [60, 64, 500, 1514].map(|length| (numbered(rig.mac(0), 1, length), false));
    only_good_ones(rig, &bad)
}

fn drops_and_counts_frames_of_an_illegal_length(rig: &mut Rig) -> Outcome {
    let bad = [18, 40, 59, 1515, 1600, 3000].map(|length| (numbered(rig.mac(0), 1, length), true));
    only_good_ones(rig, &bad)?;
    let broadcast = [numbered(BROADCAST, 5, 60)];
    rig.receives(0, Device(0), 0, &broadcast, 1)
}

fn keeps_the_ring_filled(rig: &mut Rig) -> Outcome {
    let slots = 128;
    let device = rig.open(0, &format!("ring_slots={slots}"))?;
    for round in 0..20 {
        let count = rig.random.between(1, burst(slots as usize));
        let frames = series(rig.mac(0), round * 1000, count, 60);
        rig.receives(0, device, 0, &frames, count)?;
        let (head, tail) = (rig.peek(0, RDH.at(0)), rig.peek(0, RDT.at(0)));
        let with_the_card = (tail + slots - head) % slots;
        expect(
            with_the_card >= slots / 2,
            format!("at least {} descriptors with the card", slots / 2),
            || format!("{with_the_card}: RDH {head}, RDT {tail}"),
        )?;
    }
    let there = rig.testee.slots(device)?;
    expect(there.rx < u64::from(slots), format!("at most {} slots in the ring", slots - 1), || {
        format!("{there:?}")
    })
}

fn rings_the_doorbell_once_a_batch(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    for batch in [32, 64] {
        let frames = series(rig.mac(0), batch, batch as usize, 60);
        rig.inject(0, &frames);
        rig.until(5.0, "the card takes the frames", |rig| {
            Ok((rig.world.port(0).wire.pending() == 0).then_some(()))
        })?;
        rig.record(0).clear();
        let got = rig.testee.receive(device, 0, batch as usize, &format!("batch={batch}"))?.packets;
        expect_frames("received in one batch", &got, &frames)?;
        let rings = rig.record(0).count(|event| rung(event, rx(0)));
        expect(rings <= 2, format!("RDT is written once for a batch of {batch}"), || {
            format!("{rings} times")
        })?;
        rig.testee.release()?;
    }
    Ok(())
}

fn waits_until_a_descriptor_is_done(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64")?;
    rig.fault(0, Fault::LateDd { side: Side::Rx, delay_us: 100_000 });
    for round in 0..3 {
        // The payload is in its buffer at once, the write-back comes late: until then there is no packet.
        let frames = mixed(rig.mac(0), round * 100, 20, &mut rig.random);
        rig.receives(0, device, 0, &frames, 20)?;
    }
    rig.calm(0);
    rig.works(0, device)
}

fn receives_after_a_long_silence(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    rig.works(0, device)
}

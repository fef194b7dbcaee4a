//! Receive side scaling. The queue of a packet is computed here from what the driver has put into the card's registers.

use std::collections::HashMap;

use ringway_lab::ixgbe::regs::{MRQC, RETA, RSSRK, mrqc};

use crate::case::{Case, case};
use crate::commands::Device;
use crate::frames::{Flow, Transport, numbered};
use crate::outcome::{Failure, Outcome, expect, expect_eq, expect_frames};
use crate::protocol::Kind;
use crate::random::Random;
use crate::rig::Rig;
use crate::toeplitz::{KEY_BYTES, hash};

pub(super) const CASES: &[Case] = &[
    case!(a_packet_comes_to_the_queue_of_its_hash, "82599:7.1.2.8").needs("rss"),
    case!(every_queue_is_used, "82599:7.1.2.8.2").needs("rss"),
    case!(a_flow_stays_in_its_queue_and_in_order, "82599:7.1.2.8").needs("rss"),
    case!(what_has_no_hash_comes_to_queue_0, "82599:7.1.2.8").needs("rss"),
    case!(every_transmit_queue_sends, "82599:7.2.1").needs("rss"),
    case!(more_queues_than_the_card_spreads_over_are_refused, "82599:7.1.2.8").needs("rss"),
];

/// How the card spreads, read from its registers.
struct Spread {
    key: [u8; KEY_BYTES],
    table: Vec<u16>,
    mrqc: u32,
}

impl Spread {
    fn read(rig: &Rig) -> Outcome<Spread> {
        let bytes = |registers: ringway_lab::ixgbe::regs::Registers, count: u16| -> Vec<u8> {
            (0..count).flat_map(|n| rig.peek(0, registers.at(n)).to_le_bytes()).collect()
        };
        let key =
            bytes(RSSRK, 10).try_into().map_err(|_| Failure::new("a key of 40 bytes", "another size"))?;
        let table = bytes(RETA, 32).into_iter().map(|entry| u16::from(entry & 0xf)).collect();
        Ok(Spread { key, table, mrqc: rig.peek(0, MRQC) })
    }

    /// The hash of a packet of `flow`, if the card makes one.
    fn hash(&self, flow: &Flow) -> Option<u32> {
        let ports = match (flow.transport, flow.from.is_ipv6()) {
            (Transport::Tcp, false) => mrqc::TCP_IPV4,
            (Transport::Udp, false) => mrqc::UDP_IPV4,
            (Transport::Tcp, true) => mrqc::TCP_IPV6,
            (Transport::Udp, true) => mrqc::UDP_IPV6,
        };
        let addresses = if flow.from.is_ipv6() { mrqc::IPV6 } else { mrqc::IPV4 };
        let with_ports = ports.is_set(self.mrqc);
        let hashes = mrqc::MRQE.get(self.mrqc) == 1 && (with_ports || addresses.is_set(self.mrqc));
        hashes.then(|| hash(&self.key, &flow.hash_input(with_ports)))
    }

    /// The queue of a packet with this hash: the low seven bits choose the entry.
    fn queue(&self, hash: Option<u32>) -> u16 {
        hash.map_or(0, |hash| self.table[(hash & 0x7f) as usize])
    }
}

/// A packet and its hash, if the card makes one.
type Hashed = (Vec<u8>, Option<u32>);

/// Opens the card with `queues` queues of each kind.
fn open(rig: &mut Rig, queues: u16) -> Outcome<Device> {
    rig.open(0, &format!("rx_queues={queues} tx_queues={queues} ring_slots=256 pool_slots=8192"))
}

fn flows(random: &mut Random, count: usize) -> Vec<Flow> {
    (0..count).map(|_| Flow::any(random)).collect()
}

fn a_packet_comes_to_the_queue_of_its_hash(rig: &mut Rig) -> Outcome {
    for queues in [1, 2, 4, 8, 16] {
        let device = open(rig, queues)?;
        let spread = Spread::read(rig)?;
        let mut expected: HashMap<u16, Vec<Hashed>> = HashMap::new();
        for (number, flow) in flows(&mut rig.random, 120).iter().enumerate() {
            let hash = spread.hash(flow);
            let packet = flow.packet(rig.mac(0), number as u32);
            rig.inject(0, std::slice::from_ref(&packet));
            let queue = if queues == 1 { 0 } else { spread.queue(hash) };
            expected.entry(queue).or_default().push((packet, hash));
        }
        for queue in 0..queues {
            queue_holds(rig, device, queue, &expected.remove(&queue).unwrap_or_default())?;
        }
        expect(expected.is_empty(), format!("no packet for a queue beyond {queues}"), || {
            format!("{:?}", expected.keys())
        })?;
        rig.testee.close(device)?;
    }
    Ok(())
}

/// Exactly these packets are in `queue`, and the hashes that the driver reports (if it does) are right.
fn queue_holds(rig: &mut Rig, device: Device, queue: u16, expected: &[Hashed]) -> Outcome {
    let (mut packets, mut hashes) = (Vec::new(), Vec::new());
    rig.until(5.0, &format!("{} packets in queue {queue}", expected.len()), |rig| {
        let got = rig.testee.receive(device, queue, 64, "")?;
        rig.testee.release()?;
        packets.extend(got.packets);
        hashes.extend(got.hashes.unwrap_or_default());
        Ok((packets.len() >= expected.len()).then_some(()))
    })?;
    rig.nothing_left(device, queue)?;
    let frames: Vec<_> = expected.iter().map(|(packet, _)| packet.clone()).collect();
    expect_frames(&format!("in queue {queue}"), &packets, &frames)?;
    if !hashes.is_empty() {
        let right: Vec<u32> = expected.iter().map(|(_, hash)| hash.unwrap_or(0)).collect();
        expect_eq(&format!("hashes in queue {queue}"), hashes, right)?;
    }
    Ok(())
}

fn every_queue_is_used(rig: &mut Rig) -> Outcome {
    for queues in [2, 3, 4, 8, 16] {
        let device = open(rig, queues)?;
        let spread = Spread::read(rig)?;
        for queue in 0..queues {
            let share = spread.table.iter().filter(|&&entry| entry == queue).count();
            let fair = 128 / usize::from(queues);
            expect(
                share >= fair / 2,
                format!("about {fair} of 128 table entries for queue {queue}"),
                || format!("{share}"),
            )?;
        }
        let mut counts = vec![0; usize::from(queues)];
        for (number, flow) in flows(&mut rig.random, 100).iter().enumerate() {
            rig.inject(0, &[flow.packet(rig.mac(0), number as u32)]);
        }
        rig.until(5.0, "100 packets in all queues together", |rig| {
            for (queue, count) in (0..).zip(&mut counts) {
                *count += rig.testee.receive(device, queue, 64, "")?.packets.len();
            }
            rig.testee.release()?;
            Ok((counts.iter().sum::<usize>() == 100).then_some(()))
        })?;
        let used = counts.iter().filter(|&&count| count > 0).count();
        expect(used * 2 > usize::from(queues), "most queues have seen one of 100 flows", || {
            format!("{counts:?}")
        })?;
        rig.testee.close(device)?;
    }
    Ok(())
}

fn a_flow_stays_in_its_queue_and_in_order(rig: &mut Rig) -> Outcome {
    let device = open(rig, 4)?;
    let spread = Spread::read(rig)?;
    for flow in flows(&mut rig.random, 8) {
        let queue = spread.queue(spread.hash(&flow));
        let packets: Vec<_> = (0..100).map(|number| flow.packet(rig.mac(0), number)).collect();
        rig.receives(0, device, queue, &packets, 100)?;
    }
    Ok(())
}

fn what_has_no_hash_comes_to_queue_0(rig: &mut Rig) -> Outcome {
    let device = open(rig, 4)?;
    let frames: Vec<_> = (0..50).map(|number| numbered(rig.mac(0), number, 60)).collect();
    rig.receives(0, device, 0, &frames, 50)?;
    (1..4).try_for_each(|queue| rig.nothing_left(device, queue))?;
    let mut second = [Flow::any(&mut rig.random)];
    let spread = Spread::read(rig)?;
    // And the other queues are not dead.
    while spread.queue(spread.hash(&second[0])) == 0 {
        expect(spread.table.iter().any(|&queue| queue > 0), "a table with other queues than 0", || {
            "all 0".into()
        })?;
        second = [Flow::any(&mut rig.random)];
    }
    let packet = second[0].packet(rig.mac(0), 0);
    rig.receives(0, device, spread.queue(spread.hash(&second[0])), &[packet], 1)
}

fn every_transmit_queue_sends(rig: &mut Rig) -> Outcome {
    let device = open(rig, 8)?;
    for queue in 0..8 {
        let frames: Vec<_> =
            (0..300).map(|n| numbered(crate::frames::STRANGER, n + u32::from(queue) * 1000, 60)).collect();
        rig.transmits(0, device, queue, &frames)?;
    }
    rig.testee.ask_refused(&format!("send {} 8", device.0), &[Kind::Usage]).map(drop)
}

fn more_queues_than_the_card_spreads_over_are_refused(rig: &mut Rig) -> Outcome {
    let socket = rig.socket(0);
    for queues in [0, 17, 1000] {
        let options = format!("rx_queues={queues} ring_slots=64 pool_slots=80000");
        rig.testee.open_refused(&socket, &options, &[Kind::Unsupported, Kind::Usage])?;
    }
    let device = open(rig, 16)?;
    rig.works(0, device)
}

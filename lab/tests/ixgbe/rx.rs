//! Receiving, seen from a driver.

use crate::common::{BOTH, Bench, IOVA, frame};
use etherparse::PacketBuilder;
use ringway_lab::device::Device;
use ringway_lab::ixgbe::regs::{self, rx_legacy, rx_writeback as wb, srrctl};
use ringway_lab::ixgbe::{Doorbells, QueueState};

const ADVANCED: u32 = srrctl::DESCTYPE.put(srrctl::DESCTYPE_ADV_ONE_BUFFER);
const KIB2: u32 = srrctl::BSIZEPACKET.put(2);

fn udp(source: [u8; 4], target: [u8; 4], ports: (u16, u16), payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    PacketBuilder::ethernet2([2, 9, 8, 7, 6, 5], [2, 1, 2, 3, 4, 5])
        .ipv4(source, target, 64)
        .udp(ports.0, ports.1)
        .write(&mut frame, payload)
        .unwrap();
    frame.resize(frame.len().max(60), 0);
    frame
}

fn tagged(frame: &[u8], tag: u16) -> Vec<u8> {
    let [high, low] = tag.to_be_bytes();
    [&frame[..12], &[0x81, 0x00, high, low], &frame[12..]].concat()
}

#[test]
fn one_frame_arrives_whole() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.open_rx(0, 32);
        let sent = frame(60, 7);
        bench.arrive(std::slice::from_ref(&sent));
        let got = bench.take(0).expect("a frame");
        assert_eq!(got.bytes, sent);
        assert!(wb::EOP.is_set(&got.words));
        assert!(bench.take(0).is_none());
        assert_eq!(bench.load(regs::RDH.at(0)), 1);
        bench.nic.synchronise();
        let state = bench.nic.queue_state(rx_queue(0));
        let expected = QueueState { enabled: true, base: IOVA, slots: 32, head: 1, tail: 0 };
        assert_eq!(state, Some(expected));
    }
}

#[test]
fn keeps_order_over_many_turns_of_the_ring() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.open_rx(0, 8);
        for round in 0..50u8 {
            let frames: Vec<_> = (0..5).map(|n| frame(60 + n, round)).collect();
            bench.arrive(&frames);
            for sent in &frames {
                assert_eq!(&bench.take(0).expect("a frame").bytes, sent, "round {round}");
            }
        }
        assert_eq!(bench.wire.pending(), 0);
    }
}

#[test]
fn holds_back_without_descriptors() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    let frames: Vec<_> = (0..20).map(|n| frame(60, n)).collect();
    bench.arrive(&frames);
    assert_eq!(bench.wire.pending(), 13, "a ring of eight has room for seven");
    for sent in &frames {
        assert_eq!(&bench.take(0).expect("a frame").bytes, sent);
        bench.settle();
    }
}

#[test]
fn drops_and_counts_with_drop_en() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx_with(0, 8, KIB2 | ADVANCED | srrctl::DROP_EN.put(1), 0);
    bench.arrive(&(0..20).map(|n| frame(60, n)).collect::<Vec<_>>());
    assert_eq!(bench.wire.pending(), 0);
    assert_eq!(bench.read(regs::QPRDC.at(0)), 13);
    assert_eq!(bench.nic.counters().dropped.no_descriptor, 13);
    assert_eq!(bench.read(regs::QPRC.at(0)), 7);
}

#[test]
fn legacy_descriptors_keep_the_buffer_address() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx_with(0, 8, KIB2, 0);
    let sent = udp([10, 0, 0, 1], [10, 0, 0, 2], (1, 2), b"hello");
    bench.arrive(std::slice::from_ref(&sent));
    let words = bench.words(bench.rx_descriptor(0, 0));
    assert_eq!(words[0], IOVA + bench.rx_buffer(0, 0));
    assert!(rx_legacy::DD.is_set(&words) && rx_legacy::EOP.is_set(&words) && rx_legacy::IPCS.is_set(&words));
    assert_eq!(rx_legacy::LENGTH.get(&words), 60);
    assert_eq!(bench.get(bench.rx_buffer(0, 0), 60), sent);
}

#[test]
fn a_jumbo_frame_fills_several_descriptors() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.set(regs::HLREG0, regs::hlreg0::JUMBOEN.mask());
    bench.write(regs::MAXFRS, regs::maxfrs::MFS.put(9018));
    bench.open_rx(0, 16);
    let mut sent = frame(9014, 1);
    sent.iter_mut().skip(14).enumerate().for_each(|(n, byte)| *byte = n as u8);
    bench.arrive(std::slice::from_ref(&sent));
    let parts: Vec<_> = std::iter::from_fn(|| bench.take(0)).collect();
    assert_eq!(parts.len(), 5);
    for (n, part) in parts.iter().enumerate() {
        assert_eq!(wb::EOP.is_set(&part.words), n == 4, "part {n}");
        assert_eq!(part.bytes.len(), if n == 4 { 9014 - 4 * 2048 } else { 2048 });
    }
    let joined: Vec<u8> = parts.into_iter().flat_map(|part| part.bytes).collect();
    assert_eq!(joined, sent);
}

#[test]
fn a_jumbo_frame_waits_until_all_of_it_fits() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.set(regs::HLREG0, regs::hlreg0::JUMBOEN.mask());
    bench.write(regs::MAXFRS, regs::maxfrs::MFS.put(9018));
    bench.open_rx(0, 8);
    bench.arrive(&[frame(60, 0), frame(60, 1), frame(60, 2), frame(9014, 3)]);
    assert_eq!(bench.wire.pending(), 1, "four descriptors are left, five are needed");
    bench.take(0);
    bench.settle();
    assert_eq!(bench.wire.pending(), 0);
    // One that needs more than the ring can ever have is dropped.
    bench.write(regs::MAXFRS, regs::maxfrs::MFS.put(15_000));
    bench.open_rx_with(1, 8, srrctl::BSIZEPACKET.put(1) | ADVANCED, 0);
    bench.write(regs::RXDCTL.at(0), 0);
    bench.arrive(&[frame(9014, 4)]);
    assert_eq!(bench.wire.pending(), 0);
}

#[test]
fn sizes_outside_the_limits_are_dropped_and_counted() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 32);
    bench.arrive(&[frame(59, 1), frame(60, 2), frame(1514, 3), frame(1515, 4), tagged(&frame(1514, 5), 7)]);
    let sizes: Vec<_> = std::iter::from_fn(|| bench.take(0)).map(|got| got.bytes.len()).collect();
    assert_eq!(sizes, [60, 1514, 1518], "a tag may make a frame four bytes longer");
    assert_eq!((bench.read(regs::RUC), bench.read(regs::ROC)), (1, 1));
    bench.wire.inject_bad_fcs(frame(30, 0));
    bench.wire.inject_bad_fcs(frame(3000, 0));
    bench.settle();
    assert_eq!((bench.read(regs::RFC), bench.read(regs::RJC)), (1, 1));
    assert_eq!(bench.nic.counters().dropped.runt, 2);
}

#[test]
fn a_wrong_fcs_drops_the_frame_unless_bad_ones_are_stored() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.wire.inject_bad_fcs(frame(60, 1));
    bench.settle();
    assert!(bench.take(0).is_none());
    assert_eq!(bench.read(regs::CRCERRS), 1);
    bench.set(regs::FCTRL, regs::fctrl::SBP.mask());
    bench.wire.inject_bad_fcs(frame(60, 2));
    bench.settle();
    let got = bench.take(0).expect("stored");
    assert!(wb::RXE.is_set(&got.words));
    assert_eq!(bench.read(regs::CRCERRS), 1);
    assert_eq!(bench.read(regs::GPRC), 0);
}

#[test]
fn the_fcs_is_appended_when_not_stripped() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let value = bench.read(regs::HLREG0) & !regs::hlreg0::RXCRCSTRP.mask();
    bench.write(regs::HLREG0, value);
    bench.open_rx(0, 8);
    // A frame whose CRC is known: 60 zero bytes.
    bench.set(regs::FCTRL, regs::fctrl::UPE.mask());
    bench.arrive(&[vec![0; 60]]);
    let got = bench.take(0).expect("a frame").bytes;
    assert_eq!(got.len(), 64);
    assert_eq!(got[60..], 0x0412_8908_u32.to_le_bytes(), "CRC-32 of 60 zero bytes");
}

#[test]
fn tags_are_stripped_per_queue() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx_with(0, 8, KIB2 | ADVANCED, regs::rxdctl::VME.mask());
    let plain = udp([1, 2, 3, 4], [5, 6, 7, 8], (9, 10), b"payload");
    bench.arrive(&[tagged(&plain, 0x6123), plain.clone()]);
    let got = bench.take(0).expect("tagged");
    assert_eq!(got.bytes, plain);
    assert!(wb::VP.is_set(&got.words) && wb::L4CS.is_set(&got.words));
    assert_eq!(wb::VLAN.get(&got.words), 0x6123);
    let got = bench.take(0).expect("untagged");
    assert!(!wb::VP.is_set(&got.words));
    // Without VME the tag stays, and checksums are still found behind it.
    let value = bench.load(regs::RXDCTL.at(0)) & !regs::rxdctl::VME.mask();
    bench.store(regs::RXDCTL.at(0), value);
    bench.arrive(&[tagged(&plain, 5)]);
    let got = bench.take(0).expect("kept");
    assert_eq!(got.bytes, tagged(&plain, 5));
    assert!(!wb::VP.is_set(&got.words) && wb::L4CS.is_set(&got.words));
}

#[test]
fn the_vlan_table_filters() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    for n in 0..128 {
        bench.write(regs::VFTA.at(n), 0);
    }
    bench.write(regs::VFTA.at(100 / 32), 1 << (100 % 32));
    bench.set(regs::VLNCTRL, regs::vlnctrl::VFE.mask());
    bench.open_rx(0, 8);
    bench.arrive(&[tagged(&frame(60, 1), 0x7000 | 100), tagged(&frame(60, 2), 101), frame(60, 3)]);
    let marks: Vec<_> = std::iter::from_fn(|| bench.take(0)).map(|got| *got.bytes.last().unwrap()).collect();
    assert_eq!(marks, [1, 3], "priority bits do not matter, and untagged frames are not filtered");
    assert_eq!(bench.nic.counters().dropped.vlan, 1);
}

fn to(address: [u8; 6]) -> Vec<u8> {
    let mut frame = frame(60, 0);
    frame[..6].copy_from_slice(&address);
    frame
}

fn addresses_taken(bench: &mut Bench, addresses: &[[u8; 6]]) -> Vec<[u8; 6]> {
    bench.arrive(&addresses.iter().map(|address| to(*address)).collect::<Vec<_>>());
    std::iter::from_fn(|| bench.take(0)).map(|got| *got.bytes.first_chunk().unwrap()).collect()
}

#[test]
fn addresses_are_filtered() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 32);
    let own = bench.nic.mac();
    let second = [0x02, 0xAA, 0, 0, 0, 1];
    let stranger = [0x02, 0xBB, 0, 0, 0, 1];
    let group = [0x01, 0x00, 0x5E, 0, 0, 0x12];
    let all = [0xFF; 6];
    let everybody = [own, second, stranger, group, all];
    for n in 1..128 {
        bench.write(regs::RAH.at(n), 0);
    }
    bench.write(regs::MCSTCTRL, 0);
    bench.write(regs::FCTRL, 0);
    assert_eq!(addresses_taken(&mut bench, &everybody), [own]);
    bench.write(regs::FCTRL, regs::fctrl::BAM.mask());
    assert_eq!(addresses_taken(&mut bench, &everybody), [own, all]);
    bench.write(regs::RAL.at(127), 0xAA02);
    bench.write(regs::RAH.at(127), 0x8000_0100);
    assert_eq!(addresses_taken(&mut bench, &everybody), [own, second, all]);
    bench.write(regs::FCTRL, regs::fctrl::MPE.mask());
    assert_eq!(addresses_taken(&mut bench, &everybody), [own, second, group]);
    bench.write(regs::FCTRL, regs::fctrl::UPE.mask());
    assert_eq!(addresses_taken(&mut bench, &everybody), [own, second, stranger]);
    assert_eq!(bench.nic.counters().dropped.address, 4 + 3 + 2 + 2 + 2);
}

#[test]
fn the_multicast_table_hashes_in_four_ways() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 32);
    bench.write(regs::FCTRL, 0);
    // The upper 16 bits of the address are 0xA5C3 (byte 5 first).
    let group = [0x01, 0, 0, 0, 0xC3, 0xA5];
    for (mode, hash) in [(0, 0xA5C), (1, 0x4B8), (2, 0x970), (3, 0x5C3)] {
        for n in 0..128 {
            bench.write(regs::MTA.at(n), 0);
        }
        bench.write(regs::MTA.at(hash / 32), 1 << (hash % 32));
        bench.write(regs::MCSTCTRL, regs::mcstctrl::MFE.mask() | mode);
        assert_eq!(addresses_taken(&mut bench, &[group]), [group], "mode {mode}");
        bench.write(regs::MTA.at(hash / 32), !(1 << (hash % 32)));
        assert!(addresses_taken(&mut bench, &[group]).is_empty(), "mode {mode}");
    }
}

#[test]
fn pause_frames_stay_in_the_nic() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    let mut pause = to([0x01, 0x80, 0xC2, 0, 0, 1]);
    pause[12..18].copy_from_slice(&[0x88, 0x08, 0, 1, 0xFF, 0xFF]);
    bench.arrive(std::slice::from_ref(&pause));
    assert!(bench.take(0).is_none());
    assert_eq!(bench.read(regs::LXOFFRXCNT), 1);
    bench.set(regs::FCTRL, regs::fctrl::PMCF.mask());
    bench.arrive(&[pause]);
    assert!(bench.take(0).is_some());
}

/// The key of the Microsoft verification suite.
const KEY: [u32; 10] = [
    0xda56_5a6d,
    0xc20e_5b25,
    0x3d25_6741,
    0xb08f_a343,
    0xcb2b_cad0,
    0xb430_7bae,
    0xa32d_cb77,
    0x0cf2_3080,
    0x3bb7_426a,
    0xfa01_acbe,
];

fn spread(bench: &mut Bench, queues: u16, types: u32) {
    for (n, word) in KEY.iter().enumerate() {
        bench.write(regs::RSSRK.at(n as u16), *word);
    }
    for n in 0..32u32 {
        let entry = |k: u32| ((4 * n + k) % u32::from(queues)) << (8 * k);
        bench.write(regs::RETA_ALIAS.at(n as u16), (0..4).map(entry).sum());
    }
    bench.write(regs::MRQC_ALIAS, regs::mrqc::MRQE.put(regs::mrqc::MRQE_RSS) | types);
}

#[test]
fn rss_finds_hash_and_queue() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    spread(&mut bench, 16, regs::mrqc::UDP_IPV4.mask() | regs::mrqc::IPV4.mask());
    for queue in 0..16 {
        bench.open_rx(queue, 8);
    }
    let vectors = [
        ([66, 9, 149, 187], 2794, [161, 142, 100, 80], 1766, 0x51cc_c178u32),
        ([199, 92, 111, 2], 14230, [65, 69, 140, 83], 4739, 0xc626_b0ea),
        ([24, 19, 198, 95], 12898, [12, 22, 207, 184], 38024, 0x5c2b_394a),
        ([38, 27, 205, 30], 48228, [209, 142, 163, 6], 2217, 0xafc7_327f),
        ([153, 39, 163, 191], 44251, [202, 188, 127, 2], 1303, 0x10e8_28a2),
    ];
    for (source, from, target, port, hash) in vectors {
        bench.arrive(&[udp(source, target, (from, port), b"")]);
        let queue = (hash & 0x7F) as u16 % 16;
        let got = bench.take(queue).expect("in the queue of its hash");
        assert_eq!(wb::RSS_HASH.get(&got.words), u64::from(hash));
        assert_eq!(wb::RSS_TYPE.get(&got.words), wb::RSS_TYPE_UDP_IPV4);
        assert_eq!(wb::PACKET_TYPE.get(&got.words), 1 | 1 << 5, "IPv4 and UDP");
    }
    // A fragment has no ports: only addresses count. And what is not IP goes to queue 0.
    let mut fragment = udp([66, 9, 149, 187], [161, 142, 100, 80], (2794, 1766), b"");
    fragment[20] = 0x20;
    bench.arrive(&[fragment, frame(60, 0)]);
    let got = bench.take(0xc2 % 16).expect("by addresses");
    assert_eq!(wb::RSS_HASH.get(&got.words), 0x323e_8fc2);
    assert_eq!(wb::RSS_TYPE.get(&got.words), wb::RSS_TYPE_IPV4);
    assert_eq!(wb::RSS_TYPE.get(&bench.take(0).expect("not IP").words), wb::RSS_TYPE_NONE);
}

#[test]
fn the_hash_is_only_told_with_pcsd() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    spread(&mut bench, 1, regs::mrqc::UDP_IPV4.mask());
    bench.write(regs::RXCSUM, 0);
    bench.open_rx(0, 8);
    let mut sent = udp([1, 2, 3, 4], [5, 6, 7, 8], (9, 10), b"");
    sent[18..20].copy_from_slice(&0xBEEFu16.to_be_bytes());
    bench.arrive(&[sent]);
    let got = bench.take(0).expect("a frame");
    assert_eq!(wb::IP_ID.get(&got.words), 0xBEEF);
    assert_eq!(wb::RSS_TYPE.get(&got.words), 0);
}

#[test]
fn checksums_are_verified() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    let good = udp([1, 2, 3, 4], [5, 6, 7, 8], (9, 10), b"payload of some length");
    let mut wrong_ip = good.clone();
    wrong_ip[22] ^= 1;
    let mut wrong_udp = good.clone();
    wrong_udp[45] ^= 1;
    bench.arrive(&[good, wrong_ip, wrong_udp]);
    let flags: Vec<_> = std::iter::from_fn(|| bench.take(0))
        .map(|got| [wb::IPCS, wb::IPE, wb::L4CS, wb::UDPCS, wb::L4E].map(|field| field.get(&got.words)))
        .collect();
    assert_eq!(flags, [[1, 0, 1, 1, 0], [1, 1, 1, 1, 0], [1, 0, 1, 1, 1]]);
    assert_eq!(bench.read(regs::XEC), 2);
}

#[test]
fn a_disabled_queue_drops_what_belongs_to_it() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.open_rx(0, 8);
        bench.open_rx(1, 8);
        bench.store(regs::RXDCTL.at(0), 0);
        bench.arrive(&[frame(60, 1)]);
        assert_eq!(bench.wire.pending(), 0);
        assert_eq!(bench.nic.counters().dropped.queue_off, 1);
        assert_eq!(bench.nic.queue_state(rx_queue(0)).map(|state| state.enabled), Some(false));
    }
}

fn rx_queue(number: u16) -> ringway_lab::events::Queue {
    ringway_lab::events::Queue { side: ringway_lab::events::Side::Rx, number }
}

#[test]
fn frames_wait_on_the_wire_while_nothing_can_be_received() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.arrive(&[frame(60, 1)]);
    assert_eq!(bench.wire.pending(), 1, "no queue");
    bench.write(regs::RXCTRL, 0);
    bench.open_rx(0, 8);
    bench.settle();
    assert_eq!(bench.wire.pending(), 1, "RXEN is off");
    bench.write(regs::SECRXCTRL, regs::secrxctrl::RX_DIS.mask());
    bench.write(regs::RXCTRL, regs::rxctrl::RXEN.mask());
    bench.settle();
    assert_eq!(bench.wire.pending(), 1, "the data path is off");
    bench.write(regs::SECRXCTRL, 0);
    bench.nic.set_link(false);
    bench.settle();
    assert_eq!(bench.wire.pending(), 1, "no link");
    bench.nic.set_link(true);
    bench.nic.write(7, 4, &[2, 0]).unwrap();
    bench.settle();
    assert_eq!(bench.wire.pending(), 1, "bus mastering is off");
    bench.nic.write(7, 4, &[6, 0]).unwrap();
    bench.write(regs::CTRL, regs::ctrl::GIO_DIS.mask());
    bench.settle();
    assert_eq!(bench.wire.pending(), 1, "the driver asked for quiet");
    bench.write(regs::CTRL, 0);
    bench.settle();
    assert_eq!(bench.take(0).expect("at last").bytes, frame(60, 1));
}

#[test]
fn head_is_taken_when_the_queue_is_enabled_and_not_later() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.open_rx(0, 8);
        bench.arrive(&[frame(60, 1), frame(60, 2)]);
        // DPDK and ixy write RDH again after ENABLE; the NIC goes on where it is.
        bench.store(regs::RDH.at(0), 0);
        bench.arrive(&[frame(60, 3)]);
        let marks: Vec<_> =
            std::iter::from_fn(|| bench.take(0)).map(|got| *got.bytes.last().unwrap()).collect();
        assert_eq!(marks, [1, 2, 3]);
        bench.store(regs::RXDCTL.at(0), 0);
        bench.nic.synchronise();
        bench.open_rx(0, 8);
        bench.arrive(&[frame(60, 4)]);
        assert_eq!(*bench.take(0).expect("from slot 0 again").bytes.last().unwrap(), 4);
    }
}

#[test]
fn a_reset_forgets_the_ring() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.arrive(&[frame(60, 1), frame(60, 2)]);
    bench.bring_up();
    assert_eq!(bench.load(regs::RXDCTL.at(0)), 0);
    bench.open_rx(0, 8);
    bench.arrive(&[frame(60, 3)]);
    assert_eq!(*bench.take(0).expect("at the start of the new ring").bytes.last().unwrap(), 3);
}

#[test]
fn a_tail_outside_of_the_ring_gives_nothing() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.store(regs::RDT.at(0), 8);
    bench.arrive(&[frame(60, 1)]);
    assert_eq!(bench.wire.pending(), 1);
    bench.store(regs::RDT.at(0), 7);
    bench.settle();
    assert_eq!(bench.wire.pending(), 0);
}

#[test]
fn unmapped_buffers_are_faults_not_crashes() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.put_words(bench.rx_descriptor(0, 0), [0xDEAD_0000_0000, 0]);
    bench.arrive(&[frame(60, 1), frame(60, 2)]);
    let counters = bench.nic.counters();
    assert_eq!((counters.dma_faults, counters.dropped.dma_fault, counters.rx_delivered), (1, 1, 1));
    let bad = bench.take(0).expect("the slot comes back");
    assert!(wb::RXE.is_set(&bad.words), "marked as bad");
    assert_eq!(*bench.take(0).expect("the next one is fine").bytes.last().unwrap(), 2);
    assert!(regs::eicr::PCI.is_set(bench.read(regs::EICR)));
}

#[test]
fn unmapping_everything_is_a_fault_too() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.nic.memory().clear();
    bench.arrive(&[frame(60, 1), frame(60, 2)]);
    assert_eq!(bench.nic.counters().dropped.dma_fault, 2);
}

#[test]
fn no_packet_buffer_means_missed() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.write(regs::RXPBSIZE.at(0), 0);
    bench.arrive(&[frame(60, 1), frame(60, 2)]);
    assert_eq!(bench.read(regs::MPC.at(0)), 2);
    assert_eq!(bench.read(regs::GPRC), 2, "missed packets are counted as good, an erratum");
    assert_eq!(bench.nic.counters().dropped.missed, 2);
}

#[test]
fn buffers_without_size_are_unstorable() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx_with(0, 8, ADVANCED, 0);
    bench.arrive(&[frame(60, 1)]);
    assert_eq!(bench.nic.counters().dropped.unstorable, 1);
}

#[test]
fn nothing_is_written_behind_the_frame() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    let at = bench.rx_buffer(0, 0);
    bench.put(at, &[0xEE; 256]);
    bench.arrive(&[frame(61, 1)]);
    assert_eq!(bench.get(at + 61, 100), vec![0xEE; 100]);
}

#[test]
fn after_the_driver_has_gone_nothing_moves() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.nic.detached();
    bench.arrive(&[frame(60, 1)]);
    assert_eq!(bench.wire.pending(), 1);
    assert!(!regs::rxdctl::ENABLE.is_set(bench.load(regs::RXDCTL.at(0))));
}

//! Transmitting, seen from a driver.

use crate::common::{BOTH, Bench, IOVA, LAST, TX_BUFFERS, frame};
use etherparse::{PacketBuilder, SlicedPacket, TransportSlice};
use proptest::prelude::*;
use ringway_lab::device::Device;
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::ixgbe::regs::{self, tx_context, tx_data, tx_legacy, tx_writeback};

fn done(bench: &Bench, slot: u32) -> bool {
    tx_writeback::DD.is_set(&bench.words(bench.tx_descriptor(0, slot)))
}

fn ready() -> Bench {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_tx(0, 32);
    bench
}

#[test]
fn one_frame_goes_out_and_is_reported() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.open_tx(0, 32);
        let bytes = frame(100, 3);
        bench.send(0, &bytes);
        assert_eq!(bench.wire.sent(), [bytes]);
        assert!(done(&bench, 0));
        assert_eq!(bench.load(regs::TDH.at(0)), 1);
    }
}

#[test]
fn many_turns_of_the_ring() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.open_tx(0, 8);
        for round in 0..40u8 {
            let frames: Vec<_> = (0..5).map(|n| frame(60 + n, round)).collect();
            for bytes in &frames {
                let words = bench.data(0, bytes, bytes.len(), LAST);
                bench.push(0, words);
            }
            bench.ring(0);
            assert_eq!(bench.wire.sent(), frames, "round {round}");
        }
    }
}

#[test]
fn done_is_written_only_where_asked() {
    let mut bench = ready();
    let without = tx_data::EOP.mask() | tx_data::IFCS.mask();
    for flags in [without, without, LAST] {
        let words = bench.data(0, &frame(60, 1), 60, flags);
        bench.push(0, words);
    }
    bench.ring(0);
    assert_eq!(bench.wire.sent_count(), 3);
    assert_eq!([0, 1, 2].map(|slot| done(&bench, slot)), [false, false, true]);
}

#[test]
fn a_frame_in_pieces_waits_for_its_end() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.open_tx(0, 8);
        let bytes = frame(300, 3);
        let first = bench.data(0, &bytes[..100], 300, 0);
        bench.push(0, first);
        bench.ring(0);
        assert!(bench.wire.sent().is_empty());
        assert_eq!(bench.load(regs::TDH.at(0)), 0);
        let second = bench.data(0, &[], 300, 0);
        bench.push(0, second);
        let third = bench.data(0, &bytes[100..], 300, LAST);
        bench.push(0, third);
        bench.ring(0);
        assert_eq!(bench.wire.sent(), [bytes]);
        assert_eq!(bench.load(regs::TDH.at(0)), 3);
    }
}

#[test]
fn short_frames_are_padded() {
    let mut bench = ready();
    let mut long = frame(42, 7);
    bench.send(0, &frame(60, 0xEE));
    bench.wire.sent();
    bench.send(0, &long);
    long.resize(60, 0);
    assert_eq!(bench.wire.sent(), [long], "with zeros, whatever was sent before");
    let value = bench.read(regs::HLREG0) & !regs::hlreg0::TXPADEN.mask();
    bench.write(regs::HLREG0, value);
    bench.send(0, &frame(42, 7));
    assert_eq!(bench.wire.sent()[0].len(), 42, "unless TXPADEN is off");
}

#[test]
fn legacy_descriptors_send() {
    let mut bench = ready();
    let bytes = frame(80, 9);
    bench.put(TX_BUFFERS, &bytes);
    let flags = tx_legacy::EOP.put(1) | tx_legacy::IFCS.put(1) | tx_legacy::RS.put(1);
    bench.push(0, [IOVA + TX_BUFFERS, tx_legacy::LENGTH.put(80) | flags]);
    let checksum = tx_legacy::IC.put(1) | tx_legacy::CSS.put(14) | tx_legacy::CSO.put(20);
    let tag = tx_legacy::VLE.put(1) | tx_legacy::VLAN.put(0x123);
    bench.push(0, [IOVA + TX_BUFFERS, tx_legacy::LENGTH.put(80) | flags | checksum | tag]);
    bench.ring(0);
    let sent = bench.wire.sent();
    assert_eq!(sent[0], bytes);
    assert_eq!(sent[1][12..16], [0x81, 0, 1, 0x23]);
    assert_eq!(sent[1].len(), 84);
    // 33 words of 0x0909: the field's complement makes the whole sum 0xFFFF (the field counted when it was summed).
    let sum = (0..33u32).fold(0u32, |sum, _| sum + 0x0909);
    let sum = (sum & 0xFFFF) + (sum >> 16);
    assert_eq!(sent[1][24..26], (!(sum as u16)).to_be_bytes());
    assert!(tx_legacy::DD.is_set(&bench.words(bench.tx_descriptor(0, 1))));
}

fn context(words: (u64, u64)) -> [u64; 2] {
    [words.0, words.1 | tx_context::DEXT.put(1) | tx_context::DTYP.put(tx_context::DTYP_CONTEXT)]
}

/// Ones' complement sum, as a driver computes it for the pseudo header.
fn sum(pieces: &[&[u8]]) -> u16 {
    let mut sum = 0u32;
    for piece in pieces {
        for pair in piece.chunks(2) {
            sum += u32::from(u16::from_be_bytes([pair[0], *pair.get(1).unwrap_or(&0)]));
        }
    }
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum as u16
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn checksums_are_those_of_another_implementation(
        tcp: bool, v6: bool, tag: Option<u16>, payload in proptest::collection::vec(any::<u8>(), 20..1200),
    ) {
        let mut right = Vec::new();
        let ethernet = PacketBuilder::ethernet2([1; 6], [2; 6]);
        let ip = if v6 { ethernet.ipv6([3; 16], [4; 16], 9) } else { ethernet.ipv4([9, 8, 7, 6], [5, 4, 3, 2], 9) };
        if tcp { ip.tcp(1, 2, 3, 4).write(&mut right, &payload) } else { ip.udp(1, 2).write(&mut right, &payload) }
            .unwrap();
        let network = if v6 { 40 } else { 20 };
        let mut prepared = right.clone();
        if !v6 {
            prepared[24..26].fill(0);
        }
        let addresses = if v6 { 22..54 } else { 26..34 };
        let protocol = [0, if tcp { 6 } else { 17 }];
        let length = (right.len() - 14 - network) as u16;
        let pseudo = sum(&[&prepared[addresses], &protocol, &length.to_be_bytes()]);
        let field = 14 + network + if tcp { 16 } else { 6 };
        prepared[field..field + 2].copy_from_slice(&pseudo.to_be_bytes());

        let mut bench = ready();
        let l4t = if tcp { tx_context::L4T_TCP } else { tx_context::L4T_UDP };
        bench.push(0, context((
            tx_context::MACLEN.put(14) | tx_context::IPLEN.put(network as u64) | tx_context::VLAN.put(tag.unwrap_or(0).into()),
            tx_context::L4T.put(l4t) | tx_context::IPV4.put((!v6).into()) | tx_context::IDX.put(1),
        )));
        let offload = tx_data::IXSM.put((!v6).into()) | tx_data::TXSM.put(1) | tx_data::IDX.put(1) | tx_data::CC.put(1);
        let vlan = tx_data::VLE.put(tag.is_some().into());
        let cut = prepared.len() / 2;
        let first = bench.data(0, &prepared[..cut], prepared.len(), offload | vlan);
        bench.push(0, first);
        let second = bench.data(0, &prepared[cut..], prepared.len(), LAST);
        bench.push(0, second);
        // The context is sticky: the same again without one.
        let again = bench.data(0, &prepared, prepared.len(), LAST | offload | vlan);
        bench.push(0, again);
        bench.ring(0);
        if let Some(tag) = tag {
            let tag = [&[0x81, 0x00][..], &tag.to_be_bytes()].concat();
            right.splice(12..12, tag);
        }
        prop_assert_eq!(bench.wire.sent(), vec![right.clone(), right]);
        prop_assert!(!done(&bench, 0) && !done(&bench, 1) && done(&bench, 2) && done(&bench, 3));
    }
}

#[test]
fn a_large_packet_leaves_in_segments() {
    let mut bench = ready();
    let payload: Vec<u8> = (0..20_000u32).map(|n| (n * 7) as u8).collect();
    let mut packet = Vec::new();
    PacketBuilder::ethernet2([1; 6], [2; 6])
        .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
        .tcp(80, 1000, 1, 100)
        .psh()
        .write(&mut packet, &payload)
        .unwrap();
    let pseudo = sum(&[&packet[26..34], &[0, 6]]);
    packet[50..52].copy_from_slice(&pseudo.to_be_bytes());
    bench.push(
        0,
        context((
            tx_context::MACLEN.put(14) | tx_context::IPLEN.put(20) | tx_context::VLAN.put(77),
            tx_context::L4T.put(tx_context::L4T_TCP)
                | tx_context::IPV4.put(1)
                | tx_context::L4LEN.put(20)
                | tx_context::MSS.put(1448),
        )),
    );
    let flags = tx_data::TSE.mask() | tx_data::TXSM.mask() | tx_data::IXSM.mask() | tx_data::VLE.mask();
    for (n, piece) in packet.chunks(4000).enumerate() {
        let last = if (n + 1) * 4000 >= packet.len() { LAST } else { 0 };
        let words = bench.data(0, piece, payload.len(), flags | last);
        bench.push(0, words);
    }
    bench.ring(0);
    let sent = bench.wire.sent();
    assert_eq!(sent.len(), 20_000usize.div_ceil(1448));
    let mut joined = Vec::new();
    for (n, bytes) in sent.iter().enumerate() {
        let sliced = SlicedPacket::from_ethernet(bytes).unwrap();
        assert!(sliced.vlan().is_some());
        let Some(TransportSlice::Tcp(tcp)) = sliced.transport else { panic!("no TCP") };
        assert_eq!(tcp.sequence_number(), 1 + 1448 * n as u32);
        assert_eq!(tcp.psh(), n + 1 == sent.len());
        assert_eq!(
            tcp.checksum(),
            tcp.to_header().calc_checksum_ipv4_raw([10, 0, 0, 1], [10, 0, 0, 2], tcp.payload()).unwrap()
        );
        joined.extend_from_slice(tcp.payload());
    }
    assert_eq!(joined, payload);
    assert_eq!(bench.read(regs::GPTC), sent.len() as u32);
}

#[test]
fn the_head_can_be_written_to_memory_instead() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let place = 0x3F_0000;
    bench.store(regs::TDWBAH.at(0), ((IOVA + place) >> 32) as u32);
    bench.store(regs::TDWBAL.at(0), (IOVA + place) as u32 | 1);
    bench.open_tx(0, 8);
    bench.send(0, &frame(60, 1));
    bench.send(0, &frame(60, 2));
    assert_eq!(bench.get(place, 4), [2, 0, 0, 0]);
    assert!(!done(&bench, 0) && !done(&bench, 1));
}

#[test]
fn software_may_bring_its_own_fcs() {
    let mut bench = ready();
    let flags = LAST & !tx_data::IFCS.mask();
    let with_check = [&[0; 60][..], &0x0412_8908_u32.to_le_bytes()].concat();
    let words = bench.data(0, &with_check, 64, flags);
    bench.push(0, words);
    let words = bench.data(0, &[0; 64], 64, flags);
    bench.push(0, words);
    bench.ring(0);
    assert_eq!(bench.wire.sent(), [vec![0; 60]], "a wrong one never arrives");
    assert_eq!(bench.nic.counters().tx_lost, 1);
    assert!(done(&bench, 1));
}

#[test]
fn nothing_is_sent_while_something_is_off() {
    let mut bench = ready();
    bench.write(regs::DMATXCTL, 0);
    bench.send(0, &frame(60, 1));
    assert_eq!(bench.wire.sent_count(), 0, "TE is off");
    bench.write(regs::DMATXCTL, regs::dmatxctl::TE.mask());
    bench.nic.set_link(false);
    bench.settle();
    assert_eq!(bench.wire.sent_count(), 0, "no link");
    bench.nic.set_link(true);
    bench.nic.write(7, 4, &[2, 0]).unwrap();
    bench.settle();
    assert_eq!(bench.wire.sent_count(), 0, "no bus mastering");
    bench.nic.write(7, 4, &[6, 0]).unwrap();
    bench.store(regs::TXDCTL.at(0), 0);
    bench.settle();
    assert_eq!(bench.wire.sent_count(), 0, "queue off");
    bench.open_tx(0, 8);
    bench.send(0, &frame(60, 2));
    assert_eq!(bench.wire.sent(), [frame(60, 2)], "what waited in a disabled queue is forgotten");
}

#[test]
fn upper_queues_need_a_mode_that_has_them() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_tx(64, 8);
    bench.tx[64].tail = 0;
    bench.send(64, &frame(60, 1));
    assert_eq!(bench.wire.sent_count(), 0);
    bench.write(regs::MTQC, regs::mtqc::VT_ENA.mask());
    bench.settle();
    assert_eq!(bench.wire.sent_count(), 1);
}

#[test]
fn loopback_receives_what_is_sent() {
    let mut bench = ready();
    bench.open_rx(0, 8);
    bench.set(regs::HLREG0, regs::hlreg0::LPBK.mask());
    bench.send(0, &frame(77, 5));
    assert_eq!(bench.take(0).expect("looped").bytes, frame(77, 5));
    assert_eq!(bench.wire.sent_count(), 0);
}

#[test]
fn what_cannot_be_sent_is_skipped_and_counted() {
    let mut bench = ready();
    // A buffer that is not mapped.
    bench.push(0, [0xBAD_0000_0000, bench_words(60)]);
    // A descriptor of no known kind, a context of no known number.
    bench.push(0, [0, tx_data::DEXT.put(1) | tx_data::DTYP.put(1) | LAST]);
    bench.push(0, context((0, tx_context::IDX.put(5))));
    // Too short, and an offload whose context does not fit.
    let words = bench.data(0, &[1; 10], 10, LAST);
    bench.push(0, words);
    let words = bench.data(0, &frame(60, 1), 60, LAST | tx_data::TXSM.mask());
    bench.push(0, words);
    let words = bench.data(0, &frame(60, 1), 60, LAST | tx_data::TSE.mask());
    bench.push(0, words);
    // And a good one behind them.
    let words = bench.data(0, &frame(60, 9), 60, LAST);
    bench.push(0, words);
    bench.ring(0);
    assert_eq!(bench.wire.sent(), [frame(60, 9)]);
    let counters = bench.nic.counters();
    assert_eq!((counters.dma_faults, counters.tx_lost, counters.bad_descriptors), (1, 4, 5));
    assert!([0, 1, 3, 4, 5, 6].iter().all(|slot| done(&bench, *slot)), "the ring goes on");
    assert_eq!(bench.read(regs::GPTC), 1);
}

fn bench_words(length: u64) -> u64 {
    tx_data::DTALEN.put(length)
        | tx_data::DTYP.put(tx_data::DTYP_DATA)
        | tx_data::DEXT.put(1)
        | tx_data::PAYLEN.put(length)
        | LAST
}

#[test]
fn a_frame_that_is_too_long_is_lost() {
    let mut bench = ready();
    for n in 0..5 {
        let words = bench.data(0, &[0; 4000], 20_000, if n == 4 { LAST } else { tx_data::IFCS.mask() });
        bench.push(0, words);
    }
    bench.ring(0);
    assert_eq!(bench.wire.sent_count(), 0);
    assert_eq!(bench.nic.counters().tx_lost, 1);
    assert!(done(&bench, 4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_descriptors_panic(ring in proptest::collection::vec((any::<u64>(), any::<u64>(), 0u8..4), 31), seed: u64) {
        let mut bench = ready();
        bench.open_rx(0, 8);
        for (n, (low, high, kind)) in ring.into_iter().enumerate() {
            let address = IOVA + low % 0x40_0000;
            let words = match kind {
                0 => [low, high],
                1 => [address, high | tx_data::EOP.mask()],
                2 => context((low, high & !(tx_data::DTYP.mask()))),
                _ => [address, bench_words(high % 3000) | (high & 0xFFFF_FF00_D000_0000)],
            };
            bench.push(0, words);
            bench.put(bench.rx_descriptor(0, n as u32 % 8), &seed.to_le_bytes());
        }
        bench.ring(0);
        bench.arrive(&[frame(60, 1), frame(1514, 2)]);
    }
}

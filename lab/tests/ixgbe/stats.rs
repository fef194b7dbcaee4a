//! Statistics: what counts where, 36 bits, counter sets, clear on read.

use crate::common::{Bench, frame};
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::ixgbe::regs::{self, Register};

/// Low word first, then high, as drivers read a 36-bit counter.
fn pair(bench: &mut Bench, low: Register) -> u64 {
    let high = Register { offset: low.offset + 4, ..low };
    u64::from(bench.read(low)) | u64::from(bench.read(high)) << 32
}

fn busy() -> Bench {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 32);
    bench.open_tx(0, 32);
    bench
}

#[test]
fn received_frames_count_by_size_and_kind() {
    let mut bench = busy();
    let mut group = frame(60, 0);
    group[0] = 1;
    let mut all = frame(60, 0);
    all[..6].fill(0xFF);
    let sizes = [60, 61, 123, 124, 251, 252, 507, 508, 1019, 1020, 1514];
    let frames: Vec<_> = sizes.iter().map(|size| frame(*size, 0)).chain([group, all]).collect();
    let octets: u64 = frames.iter().map(|frame| frame.len() as u64 + 4).sum();
    bench.arrive(&frames);
    let classes = [regs::PRC64, regs::PRC127, regs::PRC255, regs::PRC511, regs::PRC1023, regs::PRC1522];
    assert_eq!(classes.map(|register| bench.read(register)), [3, 2, 2, 2, 2, 2]);
    assert_eq!(bench.read(regs::GPRC), 13);
    assert_eq!(bench.read(regs::TPR), 13);
    assert_eq!((bench.read(regs::MPRC), bench.read(regs::BPRC)), (1, 1));
    assert_eq!(pair(&mut bench, regs::GORCL), octets);
    assert_eq!(pair(&mut bench, regs::TORL), octets);
    assert_eq!(bench.read(regs::QPRC.at(0)), 13);
    assert_eq!(pair(&mut bench, regs::QBRC_L.at(0)), octets - 4 * 13, "the stripped CRC does not count");
    assert_eq!((bench.read(regs::GPRC), bench.read(regs::TPR), bench.read(regs::PRC64)), (0, 0, 0));
    assert_eq!((pair(&mut bench, regs::GORCL), pair(&mut bench, regs::QBRC_L.at(0))), (0, 0));
}

#[test]
fn sent_frames_count_by_size_and_kind() {
    let mut bench = busy();
    let mut all = frame(42, 0);
    all[..6].fill(0xFF);
    for bytes in [frame(60, 0), frame(1514, 0), all] {
        bench.send(0, &bytes);
    }
    assert_eq!((bench.read(regs::PTC64), bench.read(regs::PTC1522)), (2, 1), "with padding");
    assert_eq!((bench.read(regs::GPTC), bench.read(regs::TPT), bench.read(regs::BPTC)), (3, 3, 1));
    assert_eq!(pair(&mut bench, regs::GOTCL), 64 + 1518 + 64);
    assert_eq!(bench.read(regs::QPTC.at(0)), 3);
    assert_eq!(pair(&mut bench, regs::QBTC_L.at(0)), 60 + 1514 + 60);
}

#[test]
fn bad_frames_count_in_totals_only() {
    let mut bench = busy();
    bench.wire.inject_bad_fcs(frame(60, 0));
    bench.arrive(&[frame(60, 0), frame(20, 0)]);
    assert_eq!((bench.read(regs::TPR), bench.read(regs::GPRC)), (3, 1));
    assert_eq!(pair(&mut bench, regs::TORL), 64 + 64 + 24);
    assert_eq!(pair(&mut bench, regs::GORCL), 64);
    let counters = bench.nic.counters();
    assert_eq!((counters.rx_frames, counters.rx_delivered, counters.dropped.total()), (3, 1, 2));
}

#[test]
fn octets_go_past_32_bits() {
    let mut bench = busy();
    for low in [regs::GORCL, regs::GOTCL, regs::QBRC_L.at(0), regs::QBTC_L.at(0)] {
        bench.nic.add_to_counter(low, (1 << 32) - 10);
    }
    bench.arrive(&[frame(60, 0)]);
    bench.send(0, &frame(60, 0));
    for (low, more) in
        [(regs::GORCL, 64), (regs::GOTCL, 64), (regs::QBRC_L.at(0), 60), (regs::QBTC_L.at(0), 60)]
    {
        assert_eq!(pair(&mut bench, low), (1 << 32) - 10 + more, "{low}");
        assert_eq!(pair(&mut bench, low), 0, "{low} is cleared");
    }
}

#[test]
fn nothing_is_lost_between_the_two_reads_of_a_pair() {
    let mut bench = busy();
    bench.nic.add_to_counter(regs::GORCL, 0xF_FFFF_FFF0);
    let low = bench.read(regs::GORCL);
    assert_eq!(low, 0xFFFF_FFF0);
    // The counter sticks at its largest value while another frame arrives.
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(bench.read(regs::GORCH), 0xF, "belongs to the low word that was read");
    assert_eq!(pair(&mut bench, regs::GORCL), 0xF, "what was counted since");
}

#[test]
fn counters_of_32_bits_stick() {
    let mut bench = busy();
    bench.nic.add_to_counter(regs::GPRC, u64::from(u32::MAX) - 1);
    bench.arrive(&[frame(60, 0), frame(60, 0), frame(60, 0)]);
    assert_eq!(bench.read(regs::GPRC), u32::MAX);
    assert_eq!(bench.read(regs::GPRC), 0);
}

#[test]
fn queues_count_in_the_sets_they_are_mapped_to() {
    let mut bench = busy();
    bench.open_tx(5, 8);
    // Transmit queue 5 counts in set 9, receive queue 0 in set 3.
    bench.write(regs::TQSM.at(1), 9 << 8);
    bench.write(regs::RQSMR.at(0), 3);
    bench.arrive(&[frame(60, 0)]);
    bench.send(5, &frame(60, 0));
    assert_eq!(bench.read(regs::QPTC.at(9)), 1);
    assert_eq!(bench.read(regs::QPRC.at(3)), 1);
    assert_eq!((bench.read(regs::QPTC.at(0)), bench.read(regs::QPRC.at(0))), (0, 0));
}

#[test]
fn counters_in_mapped_pages_can_be_loaded() {
    for doorbells in [Doorbells::Mapped, Doorbells::Trapped] {
        let mut bench = Bench::ready(doorbells);
        bench.open_rx(0, 8);
        bench.open_tx(0, 8);
        bench.arrive(&[frame(60, 0), frame(60, 0)]);
        bench.send(0, &frame(60, 0));
        if doorbells == Doorbells::Mapped {
            assert_eq!(bench.load(regs::QPRC.at(0)), 2);
            assert_eq!(bench.load(regs::QPRC.at(0)), 2, "a load does not clear");
            assert_eq!(bench.load(regs::QPTC_ALIAS.at(0)), 1);
        }
        assert_eq!(bench.read(regs::QPRC.at(0)), 2);
        assert_eq!(bench.read(regs::QPTC_ALIAS.at(0)), 1);
        assert_eq!(bench.load(regs::QPRC.at(0)), 0, "a message clears");
        assert_eq!(bench.read(regs::QPTC.at(0)), 0);
    }
}

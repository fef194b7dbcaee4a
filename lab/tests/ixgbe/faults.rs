//! Faults, as a driver meets them.

use crate::common::{BOTH, Bench, frame};
use ringway_lab::clock::Nanos;
use ringway_lab::device::Device;
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::ixgbe::regs::{self, rx_writeback as wb, tx_writeback};

fn with(fault: &str) -> Bench {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 32);
    bench.open_tx(0, 32);
    bench.nic.faults_mut().arm(fault.parse().unwrap());
    bench
}

#[test]
fn lying_length() {
    let mut bench = with("lying-length extra=100 after=1 for=1");
    bench.arrive(&[frame(60, 1), frame(60, 2), frame(60, 3)]);
    let lengths: Vec<_> =
        (0..3).map(|slot| wb::LENGTH.get(&bench.words(bench.rx_descriptor(0, slot)))).collect();
    assert_eq!(lengths, [60, 2148, 60]);
    assert_eq!(bench.nic.faults().armed().map(|(_, struck)| struck).collect::<Vec<_>>(), [1]);
}

#[test]
fn done_without_end() {
    let mut bench = with("dd-without-eop for=1");
    bench.arrive(&[frame(60, 1), frame(60, 2)]);
    let ends: Vec<_> = std::iter::from_fn(|| bench.take(0)).map(|got| wb::EOP.is_set(&got.words)).collect();
    assert_eq!(ends, [false, true]);
}

#[test]
fn dead_receive_status() {
    let mut bench = with("dead-dd side=rx after=1 for=1");
    bench.arrive(&[frame(60, 1), frame(60, 2), frame(60, 3)]);
    assert!(bench.take(0).is_some());
    assert!(bench.take(0).is_none(), "never done");
    assert!(wb::DD.is_set(&bench.words(bench.rx_descriptor(0, 2))), "those behind it are");
    assert_eq!(bench.load(regs::RDH.at(0)), 3);
}

#[test]
fn dead_transmit_status() {
    let mut bench = with("dead-dd side=tx");
    bench.send(0, &frame(60, 1));
    assert_eq!(bench.wire.sent_count(), 1);
    assert!(!tx_writeback::DD.is_set(&bench.words(bench.tx_descriptor(0, 0))));
}

#[test]
fn late_status_keeps_order() {
    let mut bench = with("late-dd side=rx delay_us=50 for=1");
    bench.arrive(&[frame(60, 1), frame(60, 2)]);
    assert!(!wb::DD.is_set(&bench.words(bench.rx_descriptor(0, 1))), "the second waits for the first");
    bench.pass(60_000);
    let marks: Vec<_> = std::iter::from_fn(|| bench.take(0)).map(|got| *got.bytes.last().unwrap()).collect();
    assert_eq!(marks, [1, 2]);
    let mut bench = with("late-dd side=tx delay_us=50 for=1");
    bench.send(0, &frame(60, 1));
    assert!(!tx_writeback::DD.is_set(&bench.words(bench.tx_descriptor(0, 0))));
    bench.pass(60_000);
    assert!(tx_writeback::DD.is_set(&bench.words(bench.tx_descriptor(0, 0))));
}

#[test]
fn late_status_of_a_disabled_queue_never_comes() {
    let mut bench = with("late-dd side=rx delay_us=50");
    bench.arrive(&[frame(60, 1)]);
    bench.store(regs::RXDCTL.at(0), 0);
    bench.nic.synchronise();
    bench.pass(100_000);
    assert!(!wb::DD.is_set(&bench.words(bench.rx_descriptor(0, 0))));
}

#[test]
fn stale_status() {
    let mut bench = with("stale-dd for=1");
    bench.arrive(&[frame(60, 1)]);
    assert!(wb::DD.is_set(&bench.words(bench.rx_descriptor(0, 1))), "no frame is there");
}

#[test]
fn stuck_heads() {
    let mut bench = with("head-stuck side=rx");
    bench.nic.faults_mut().arm("head-stuck side=tx".parse().unwrap());
    bench.arrive(&[frame(60, 1)]);
    bench.send(0, &frame(60, 1));
    assert_eq!((bench.load(regs::RDH.at(0)), bench.load(regs::TDH.at(0))), (0, 0));
    assert!(bench.take(0).is_some());
}

#[test]
fn enable_is_refused() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        bench.nic.faults_mut().arm("enable-never-reads-back side=rx".parse().unwrap());
        bench.store(regs::RXDCTL.at(3), regs::rxdctl::ENABLE.mask());
        bench.nic.synchronise();
        assert_eq!(bench.load(regs::RXDCTL.at(3)), 0);
        bench.store(regs::TXDCTL.at(3), regs::txdctl::ENABLE.mask());
        bench.nic.synchronise();
        assert_ne!(bench.load(regs::TXDCTL.at(3)), 0, "the other side works");
    }
}

#[test]
fn a_reset_that_never_ends() {
    let mut bench = with("reset-never-clears");
    bench.write(regs::CTRL, regs::ctrl::RST.mask());
    bench.poll();
    bench.pass(10_000_000_000);
    assert_eq!(bench.read(regs::CTRL), regs::ctrl::RST.mask());
    bench.nic.faults_mut().clear();
    bench.poll();
    assert_eq!(bench.read(regs::CTRL), 0);
}

#[test]
fn a_link_that_never_comes() {
    let mut bench = with("link-never-comes");
    bench.pass(10_000_000_000);
    bench.read(regs::LINKS);
    assert!(!regs::links::UP.is_set(bench.read(regs::LINKS)));
}

#[test]
fn a_link_that_comes_and_goes() {
    let mut bench = with("link-flap up_us=100 down_us=100");
    let mut changes = 0;
    let mut before = bench.nic.link_up();
    for _ in 0..1000 {
        bench.pass(10_000);
        changes += u32::from(std::mem::replace(&mut before, bench.nic.link_up()) != before);
    }
    assert!((95..=105).contains(&changes), "{changes}");
}

#[test]
fn devices_that_are_never_ready() {
    let mut bench = with("eeprom-never-done");
    bench.nic.faults_mut().arm("dma-init-never-done".parse().unwrap());
    bench.write(regs::EERD, 1);
    assert!(!regs::eerd::DONE.is_set(bench.read(regs::EERD)));
    assert!(!regs::eec::ARD.is_set(bench.read(regs::EEC)));
    assert!(!regs::rdrxctl::DMAIDONE.is_set(bench.read(regs::RDRXCTL)));
}

#[test]
fn missed_frames() {
    let mut bench = with("missed after=2 for=3");
    bench.arrive(&(0..10).map(|n| frame(60, n)).collect::<Vec<_>>());
    let marks: Vec<_> = std::iter::from_fn(|| bench.take(0)).map(|got| *got.bytes.last().unwrap()).collect();
    assert_eq!(marks, [0, 1, 5, 6, 7, 8, 9]);
    assert_eq!(bench.read(regs::MPC.at(0)), 3);
}

#[test]
fn a_cut_connection() {
    let mut bench = with("disconnect after=3 for=1");
    bench.arrive(&[frame(60, 0), frame(60, 0), frame(60, 0)]);
    assert!(!bench.nic.hangs_up());
    bench.send(0, &frame(60, 0));
    assert!(bench.nic.hangs_up());
    assert!(!bench.nic.hangs_up(), "told once");
}

#[test]
fn faults_cost_nothing_when_disarmed() {
    let mut bench = with("dead-dd side=rx");
    bench.nic.faults_mut().clear();
    bench.arrive(&[frame(60, 1)]);
    assert!(bench.take(0).is_some());
    assert_eq!(bench.nic.poll(Nanos(bench.now.0 + 1)), 0);
}

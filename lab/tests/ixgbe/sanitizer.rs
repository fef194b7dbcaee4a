//! The sanitizer and the trace on a NIC: a driver that does as the data sheet asks is clean, others are told.

use std::time::Duration;

use crate::common::{BOTH, Bench, LAST, frame};
use ringway_lab::clock::Nanos;
use ringway_lab::device::Device;
use ringway_lab::events::Watch;
use ringway_lab::ixgbe::regs::{self, Field, Register};
use ringway_lab::ixgbe::{Doorbells, NicConfig};
use ringway_lab::sanitizer::{Findings, Sanitizer};
use ringway_lab::trace::{Trace, TraceHandle};

const SLOTS: u32 = 64;

/// A bench whose NIC is watched from the moment when the driver comes.
fn watched(doorbells: Doorbells, seed: u64) -> (Bench, Findings, TraceHandle) {
    let mut bench = Bench::with(NicConfig { doorbells, seed, ..NicConfig::new("test") });
    bench.now = Nanos::now();
    let (sanitizer, findings) = Sanitizer::new(Watch::Descriptors);
    let (trace, handle) = Trace::ring(10_000);
    bench.nic.detached();
    bench.nic.add_observer(Box::new(sanitizer));
    bench.nic.add_observer(Box::new(trace));
    bench.nic.attached();
    (bench, findings, handle)
}

fn put(bench: &mut Bench, register: Register, field: Field, value: u32) {
    let before = bench.read(register);
    bench.write(register, field.set(before, value));
}

/// 82599 4.6.3 up to, and without, the queues.
fn initialise(bench: &mut Bench) {
    bench.nic.write(7, 4, &[6, 0]).unwrap();
    bench.write(regs::EIMC, 0x7FFF_FFFF);
    bench.write(regs::CTRL, regs::ctrl::RST.mask());
    bench.poll();
    std::thread::sleep(Duration::from_millis(11));
    bench.pass(11_000_000);
    assert_eq!(bench.read(regs::CTRL), 0);
    bench.write(regs::EIMC, 0x7FFF_FFFF);
    assert!(regs::eec::ARD.is_set(bench.read(regs::EEC)));
    assert!(regs::rdrxctl::DMAIDONE.is_set(bench.read(regs::RDRXCTL)));
    bench.read(regs::GPRC);
    bench.read(regs::LINKS);
    bench.write(regs::FCTRL, regs::fctrl::UPE.mask() | regs::fctrl::MPE.mask());
    put(bench, regs::RDRXCTL, regs::rdrxctl::RSCFRSTSIZE, 0);
    let on =
        regs::rdrxctl::CRCSTRIP.mask() | regs::rdrxctl::RSCACKC.mask() | regs::rdrxctl::FCOE_WRFIX.mask();
    bench.set(regs::RDRXCTL, on);
    bench.write(regs::FCRTH.at(0), (512 << 10) - 0x6000);
    bench.write(regs::RTTDCS, regs::rttdcs::ARBDIS.mask());
    bench.write(regs::DTXMXSZRQ, 0xFFF);
    bench.write(regs::RTTDCS, 0);
    bench.write(regs::DMATXCTL, regs::dmatxctl::TE.mask());
}

fn open_queues(bench: &mut Bench) {
    put(bench, regs::DCA_RXCTRL.at(0), regs::dca_rxctrl::RESERVED_CLEAR, 0);
    bench.open_rx(0, SLOTS);
    bench.open_tx(0, SLOTS);
    bench.load(regs::TXDCTL.at(0));
    put(bench, regs::SECRXCTRL, regs::secrxctrl::RX_DIS, 1);
    bench.set(regs::RXCTRL, regs::rxctrl::RXEN.mask());
    put(bench, regs::SECRXCTRL, regs::secrxctrl::RX_DIS, 0);
    bench.set(regs::CTRL_EXT, regs::ctrl_ext::NS_DIS.mask());
    bench.settle();
}

/// Packets both ways, a few times round the rings.
fn traffic(bench: &mut Bench) {
    for round in 0..60u8 {
        bench.arrive(&vec![frame(60 + usize::from(round), round); 5]);
        for _ in 0..5 {
            assert!(bench.take(0).is_some(), "round {round}");
        }
        for _ in 0..3 {
            bench.send(0, &frame(100, round));
        }
    }
}

fn stop(bench: &mut Bench) {
    put(bench, regs::RXCTRL, regs::rxctrl::RXEN, 0);
    for register in [regs::RXDCTL.at(0), regs::TXDCTL.at(0)] {
        let value = bench.load(register);
        bench.store(register, value & !regs::rxdctl::ENABLE.mask());
    }
}

fn rules(findings: &Findings) -> Vec<&'static str> {
    findings.all().iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn a_correct_driver_is_clean_whatever_it_finds_at_first() {
    for (doorbells, seed) in BOTH.into_iter().flat_map(|doorbells| (0..5).map(move |seed| (doorbells, seed)))
    {
        let (mut bench, findings, _) = watched(doorbells, seed);
        initialise(&mut bench);
        open_queues(&mut bench);
        traffic(&mut bench);
        stop(&mut bench);
        // The last stores to a mapped page are seen although no message follows them.
        bench.nic.detached();
        assert_eq!(findings.count(), 0, "{doorbells:?}, seed {seed}: {:#?}", findings.all());
    }
}

#[test]
fn the_trace_tells_in_which_order_a_driver_works() {
    for doorbells in BOTH {
        let (mut bench, _, trace) = watched(doorbells, 1);
        initialise(&mut bench);
        open_queues(&mut bench);
        let reset =
            trace.position_of_write("CTRL", None, |value| value & regs::ctrl::RST.mask() != 0).unwrap();
        let enable =
            trace.position_of_write("RXDCTL", Some(0), |value| value & regs::rxdctl::ENABLE.mask() != 0);
        let tail = trace.position_of_write("RDT", Some(0), |value| value == SLOTS - 1).unwrap();
        let receive = trace.first_write("RXCTRL").unwrap().position;
        assert!(
            reset < enable.unwrap() && enable.unwrap() < tail && tail < receive,
            "{:#?}",
            trace.entries()
        );
        let mut entries = trace.entries().into_iter().map(|entry| entry.time);
        let first = entries.next().unwrap();
        entries.fold(first, |last, time| {
            assert!(time >= last, "time runs backwards");
            time
        });
    }
}

#[test]
fn a_tail_past_the_head_is_told() {
    for doorbells in BOTH {
        let (mut bench, findings, _) = watched(doorbells, 2);
        initialise(&mut bench);
        open_queues(&mut bench);
        bench.arrive(&vec![frame(60, 0); 10]);
        bench.store(regs::RDT.at(0), 20);
        bench.settle();
        assert!(rules(&findings).contains(&"rx.tail_past_head"), "{:?}", findings.all());
    }
}

#[test]
fn a_buffer_outside_the_mapping_is_told_when_it_is_handed_over_and_when_it_is_used() {
    let (mut bench, findings, _) = watched(Doorbells::Mapped, 3);
    initialise(&mut bench);
    open_queues(&mut bench);
    let mut words = bench.data(0, &frame(60, 0), 60, LAST);
    words[0] = 0xDEAD_0000;
    bench.push(0, words);
    bench.ring(0);
    assert_eq!(rules(&findings), ["dma.buffer_outside_mapping", "dma.fault"]);
}

#[test]
fn a_descriptor_changed_behind_the_back_of_the_nic_is_told() {
    let (mut bench, findings, _) = watched(Doorbells::Trapped, 4);
    initialise(&mut bench);
    open_queues(&mut bench);
    let at = bench.rx_descriptor(0, 0);
    let [address, _] = bench.words(at);
    bench.put_words(at, [address + 512, 0]);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(rules(&findings), ["rx.descriptor_changed"]);
}

#[test]
fn leaving_with_queues_enabled_is_told() {
    for doorbells in BOTH {
        let (mut bench, findings, _) = watched(doorbells, 5);
        initialise(&mut bench);
        open_queues(&mut bench);
        bench.nic.detached();
        assert_eq!(rules(&findings), ["close.queues_left_running"]);
    }
}

#[test]
fn a_driver_that_does_not_reset_is_told_so_and_not_blamed_for_what_it_found() {
    for seed in 0..5 {
        let (mut bench, findings, _) = watched(Doorbells::Mapped, seed);
        bench.nic.write(7, 4, &[6, 0]).unwrap();
        bench.settle();
        assert_eq!(findings.count(), 0, "{:#?}", findings.all());
        bench.write(regs::DMATXCTL, regs::dmatxctl::TE.mask());
        assert!(rules(&findings).contains(&"init.no_reset"));
    }
}

//! Every rule is seen to fire, and not to fire on the nearest correct behaviour.

mod buffers;
mod driver;
mod general;
mod readme;
mod receive;
mod rings;
mod transmit;
mod transmit_descriptors;

use std::collections::HashSet;

use super::{RULES, rules};
use driver::{BYTES, Driver, MEMORY, RX, SLOTS, TX, buffer, packet};

/// One rule, a driver that breaks it, and the most similar one that does not. Both start from [`Driver::new`].
struct Case {
    rule: &'static str,
    breaks: fn(&mut Driver),
    keeps: fn(&mut Driver),
}

const fn case(rule: &'static str, breaks: fn(&mut Driver), keeps: fn(&mut Driver)) -> Case {
    Case { rule, breaks, keeps }
}

fn cases() -> impl Iterator<Item = &'static Case> {
    [
        general::CASES,
        receive::CASES,
        transmit::CASES,
        rings::CASES,
        transmit_descriptors::CASES,
        buffers::CASES,
    ]
    .into_iter()
    .flatten()
}

#[test]
fn every_rule_fires() {
    let silent = cases().filter_map(|case| {
        let mut driver = Driver::new();
        (case.breaks)(&mut driver);
        let broke = driver.broke();
        (!broke.contains(&case.rule)).then(|| format!("{} did not fire, but {broke:?}", case.rule))
    });
    let silent: Vec<_> = silent.collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn no_rule_fires_on_a_correct_driver_whose_registers_are_plain_memory() {
    for case in cases() {
        let mut driver = Driver::new();
        driver.plain = true;
        (case.keeps)(&mut driver);
        let all = driver.findings.all();
        assert!(all.is_empty(), "the driver that keeps {} breaks {all:#?}", case.rule);
    }
}

#[test]
fn what_comes_in_between_is_not_judged_where_it_cannot_be_seen() {
    use crate::ixgbe::regs;
    let mut driver = Driver::new();
    driver.plain = true;
    driver.prepare();
    driver.open_rx(RX);
    // The data path halted before, and let go after; the arbiter stopped, the receiver off: all undone before a look.
    driver.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 1);
    driver.set_field(regs::CTRL_EXT, regs::ctrl_ext::NS_DIS, 1);
    driver.write(regs::DTXMXSZRQ, 0x100);
    driver.write(regs::DTXMXSZRQ, 0xFFF);
    driver.write(regs::FCTRL, regs::fctrl::UPE.mask());
    driver.write(regs::RAL.at(0), 0x1234);
    assert_eq!(driver.findings.all().len(), 0, "{:#?}", driver.findings.all());
    // But what was left undone is seen.
    driver.set_field(regs::RDRXCTL, regs::rdrxctl::CRCSTRIP, 0);
    driver.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 0);
    driver.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 1);
    assert_eq!(driver.broke(), ["rx.crc_strip_disagrees"]);
}

#[test]
fn no_rule_fires_on_the_nearest_correct_driver() {
    for case in cases() {
        let mut driver = Driver::new();
        (case.keeps)(&mut driver);
        let all = driver.findings.all();
        assert!(
            all.is_empty(),
            "{}: {}",
            case.rule,
            all.iter().map(|f| format!("\n  {f}")).collect::<String>()
        );
    }
}

#[test]
fn every_rule_has_a_case() {
    let tested: HashSet<_> = cases().map(|case| case.rule).collect();
    let untested: Vec<_> = RULES.iter().map(|rule| rule.id).filter(|id| !tested.contains(id)).collect();
    assert!(untested.is_empty(), "{untested:?}");
    for id in tested {
        assert!(rules::find(id).is_some(), "{id} is no rule");
    }
}

/// A whole life, with every packet path, in both ways of reaching the doorbells.
fn life(driver: &mut Driver) {
    driver.start();
    for round in 0..10u32 {
        driver.work(RX, 20);
        driver.refill(20);
        driver.send(&vec![packet(60); 1 + round as usize]);
        driver.work(TX, 1 + round);
    }
    driver.stop();
}

#[test]
fn a_correct_driver_is_clean() {
    for mapped in [false, true] {
        let mut driver = Driver::new();
        driver.mapped = mapped;
        life(&mut driver);
        // And again, after another driver has left its state.
        life_again(&mut driver);
        assert_eq!(driver.findings.summary(), "no findings", "{:#?}", driver.findings.all());
    }
}

fn life_again(driver: &mut Driver) {
    driver.unmap(MEMORY, BYTES);
    life(driver);
}

/// The order of ixy: RXEN before the queues, FCTRL changed at the end, reset values left in place.
#[test]
fn the_four_faults_of_an_old_driver_are_found() {
    use crate::ixgbe::regs;
    let mut driver = Driver::new();
    driver.attach();
    driver.write(regs::EIMC, u32::MAX);
    driver.reset();
    driver.await_ready();
    driver.clear_statistics();
    driver.write(regs::DTXMXSZRQ, 0xFFFF);
    driver.set_field(regs::RDRXCTL, regs::rdrxctl::CRCSTRIP, 1);
    driver.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 1);
    driver.set_field(regs::FCTRL, regs::fctrl::UPE, 1);
    let broke = driver.broke();
    for rule in
        ["reg.reserved_bits", "rx.rsc_first_size", "rx.rdrxctl_fixes", "rx.filter_changed_while_receiving"]
    {
        assert!(broke.contains(&rule), "{rule} is not in {broke:?}");
    }
    let messages: Vec<_> = driver.findings.all().into_iter().map(|finding| finding.message).collect();
    for part in [
        "EIMC written with 0xffffffff: bits 0x80000000",
        "DTXMXSZRQ written with 0x0000ffff: bits 0x0000f000",
    ] {
        assert!(messages.iter().any(|message| message.starts_with(part)), "{part}: {messages:#?}");
    }
}

#[test]
fn a_tail_that_passes_the_head_is_told_with_all_numbers() {
    let mut driver = Driver::new();
    driver.start();
    driver.work(RX, 30);
    driver.ring_doorbell(RX, 40);
    let finding = driver.findings.all().remove(0);
    assert_eq!(
        finding.to_string(),
        "error: rx.tail_past_head: RDT[0] moved from 63 to 40 and passes RDH[0] = 30 (ring of 64): \
         41 descriptors handed over where 30 were free, 11 too many (82599 7.1.9)"
    );
    assert_eq!(SLOTS, 64);
    assert!(buffer(0) > MEMORY);
}

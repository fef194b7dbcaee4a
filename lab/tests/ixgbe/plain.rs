//! BAR0 as plain memory: what is seen of it, what is shown in it, and reads that a processor tells of.

use crate::common::{Bench, frame};
use ringway_lab::device::Device;
use ringway_lab::events::{Queue, Side};
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::ixgbe::regs::{self, Register};

fn ready() -> Bench {
    let mut bench = Bench::ready(Doorbells::Plain);
    bench.open_rx(0, 64);
    bench.open_tx(0, 64);
    bench
}

/// A driver's pass over its counters.
fn pass(bench: &mut Bench, meanwhile: impl FnOnce(&mut Bench)) -> (u32, u32, u32) {
    let queue = bench.load(regs::QPRC.at(0));
    bench.nic.access_noticed(regs::GOTCH.offset);
    let good = bench.read(regs::GPRC);
    meanwhile(bench);
    bench.pass(2_500_000);
    let low = bench.read(regs::GORCL);
    assert_eq!(bench.read(regs::GPRC), good, "nothing changes during a pass");
    bench.pass(4_000_000);
    (queue, low, good)
}

#[test]
fn a_pass_clears_what_it_has_read_and_nothing_else() {
    let mut bench = ready();
    bench.arrive(&[frame(60, 0), frame(60, 1)]);
    bench.pass(2_000_000);
    assert_eq!(pass(&mut bench, |bench| bench.arrive(&[frame(60, 2)])), (2, 128, 2));
    assert_eq!(pass(&mut bench, |_| ()), (1, 64, 1), "what came during the first pass");
    assert_eq!(pass(&mut bench, |_| ()), (0, 0, 0));
}

#[test]
fn once_settled_stores_have_taken_effect_and_everything_is_shown() {
    let mut bench = ready();
    bench.arrive(&[frame(60, 0)]);
    bench.store_unseen(regs::MAXFRS, 0x1234_0000);
    bench.nic.settle();
    assert_eq!(bench.nic.peek(regs::MAXFRS.offset), 0x1234_0000);
    assert_eq!(bench.load_unseen(regs::GPRC), 1);
    bench.nic.access_noticed(regs::GOTCH.offset);
    bench.nic.settle();
    assert_eq!(bench.load_unseen(regs::GPRC), 0, "whoever was reading is done");
}

#[test]
fn nothing_starts_before_the_configuration_space_is_known() {
    let mut bench = Bench::ready(Doorbells::Plain);
    bench.nic.config_is_known();
    bench.store_unseen(regs::RXDCTL.at(3), regs::rxdctl::ENABLE.mask());
    bench.pass(10_000_000);
    let enabled = |bench: &Bench| {
        let queue = Queue { side: Side::Rx, number: 3 };
        bench.nic.queue_state(queue).is_some_and(|state| state.enabled)
    };
    assert!(!enabled(&bench));
    bench.nic.config_is_known();
    bench.pass(10_000_000);
    assert!(enabled(&bench));
}

#[test]
fn what_stood_in_a_card_that_was_pulled_out_is_forgotten() {
    let mut bench = ready();
    bench.nic.detached();
    for register in [regs::MAXFRS, regs::RXDCTL.at(0), Register { name: "", index: None, offset: 0x7FF0 }] {
        bench.store_unseen(register, u32::MAX);
    }
    bench.nic.plugged_in();
    bench.nic.attached();
    bench.pass(50_000_000);
    assert_eq!(bench.load_unseen(Register { name: "", index: None, offset: 0x7FF0 }), 0);
    assert_ne!(bench.nic.peek(regs::MAXFRS.offset), u32::MAX);
}

#[test]
fn what_was_stored_before_a_reset_does_not_come_after_it() {
    let mut bench = ready();
    bench.store_unseen(regs::MAXFRS, 0x1234_0000);
    bench.store_unseen(regs::RXDCTL.at(0), 0);
    bench.store_unseen(regs::CTRL, regs::ctrl::RST.mask());
    bench.poll();
    bench.poll();
    bench.pass(1_000_000);
    assert_eq!((bench.read(regs::CTRL), bench.read(regs::MAXFRS)), (0, 0x05EE_0000));
}

#[test]
fn a_reset_is_answered_in_half_a_millisecond_however_quiet_it_was() {
    let mut bench = ready();
    bench.pass(10_000_000_000);
    bench.store_unseen(regs::CTRL, regs::ctrl::RST.mask());
    for _ in 0..5 {
        bench.pass(100_000); // as long as the poller sleeps
    }
    assert_eq!(bench.load_unseen(regs::CTRL), 0);
}

#[test]
fn causes_clear_when_a_read_of_them_is_told() {
    let mut bench = ready();
    bench.write(regs::EICR, u32::MAX);
    bench.write(regs::EICS, regs::eicr::LSC.mask());
    assert_eq!(bench.read(regs::EICR), regs::eicr::LSC.mask());
    assert_eq!(bench.read(regs::EICS), regs::eicr::LSC.mask());
    bench.nic.access_noticed(regs::EICR.offset);
    assert_eq!((bench.read(regs::EICR), bench.read(regs::EICS)), (0, 0));
}

#[test]
fn masks_are_set_and_cleared_by_ones_and_shown() {
    let mut bench = ready();
    bench.write(regs::EIMC, 0x7FFF_FFFF);
    assert_eq!((bench.read(regs::EIMS), bench.read(regs::EIMC)), (0, 0), "EIMC can be written again");
    bench.write(regs::EIMS, 0x30_0000);
    bench.write(regs::EIMS, 0x1);
    assert_eq!(bench.read(regs::EIMS), 0x30_0001);
    bench.write(regs::EIMC, 0x10_0000);
    bench.write(regs::EIMC, 0x1);
    assert_eq!(bench.read(regs::EIMS), 0x20_0000);
}

#[test]
fn both_addresses_of_a_register_show_the_same() {
    let mut bench = ready();
    for (address, alias) in [(0xEC80, 0x5818), (0x1014 + 0x40 * 5, 0x2114)] {
        let at = |offset| Register { name: "", index: None, offset };
        bench.store(at(address), 0x2);
        bench.pass(50_000_000);
        assert_eq!(bench.read(at(alias)), 0x2, "{address:#x}");
        bench.store(at(alias), 0x0);
        bench.pass(50_000_000);
        assert_eq!(bench.read(at(address)), 0x0, "{alias:#x}");
    }
}

#[test]
fn after_a_reset_everything_has_its_value_before_rst_is_seen_clear() {
    let mut bench = ready();
    bench.write(regs::MAXFRS, 0x1234_0000);
    bench.write(regs::RDRXCTL, 0);
    bench.write(regs::CTRL, regs::ctrl::RST.mask());
    assert_eq!(bench.read(regs::MAXFRS), 0x05EE_0000);
    assert!(regs::rdrxctl::DMAIDONE.is_set(bench.read(regs::RDRXCTL)));
    bench.poll();
    bench.pass(1_000_000);
    assert_eq!(bench.read(regs::CTRL), 0);
}

#[test]
fn the_next_driver_finds_noise_before_it_has_come() {
    let mut bench = ready();
    bench.nic.detached();
    let left = bench.read(regs::MAXFRS);
    bench.nic.attached();
    assert_eq!(bench.read(regs::MAXFRS), left, "coming changes nothing: the driver may have written already");
    assert_ne!(left, 0x05EE_0000);
}

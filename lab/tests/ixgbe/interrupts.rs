//! Interrupts: from causes to eventfds.

use std::fs::File;
use std::io::Read;

use crate::common::{Bench, frame};
use ringway_lab::device::Device;
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::ixgbe::regs::{self, eicr, gpie};
use rustix::event::{EventfdFlags, eventfd};

const MSIX: u32 = 2;

struct Lines(Vec<File>);

impl Lines {
    /// Binds eventfds to the first vectors.
    fn bind(bench: &mut Bench, count: u32) -> Self {
        let bind = |vector| {
            let fd = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC).unwrap();
            bench.nic.bind_vector(MSIX, vector, Some(fd.try_clone().unwrap())).unwrap();
            File::from(fd)
        };
        Lines((0..count).map(bind).collect())
    }

    /// Interrupts on a vector since the last look.
    fn count(&mut self, vector: usize) -> u64 {
        let mut value = [0; 8];
        self.0[vector].read(&mut value).map_or(0, |_| u64::from_ne_bytes(value))
    }
}

/// Receive queue 0 at vector 1, transmit queue 0 at vector 2, everything else at vector 0.
fn ready() -> (Bench, Lines) {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let lines = Lines::bind(&mut bench, 32);
    bench.write(regs::EIMC, u32::MAX);
    bench.write(regs::GPIE, gpie::MULTIPLE_MSIX.mask());
    bench.write(regs::IVAR.at(0), 0x8281);
    bench.write(regs::IVAR_MISC, 0x8000);
    bench.write(regs::EIAC, 0xFFFF);
    for vector in 0..4 {
        bench.write(regs::EITR.at(vector), 0);
    }
    bench.read(regs::EICR);
    bench.open_rx(0, 32);
    bench.open_tx(0, 32);
    (bench, lines)
}

#[test]
fn queues_interrupt_on_their_vectors() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::EIMS, 0b110);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!((lines.count(1), lines.count(2)), (1, 0));
    bench.send(0, &frame(60, 0));
    assert_eq!((lines.count(1), lines.count(2)), (0, 1));
    assert_eq!(bench.read(regs::EICR), 0, "cleared by the delivery (EIAC)");
    assert_eq!(bench.nic.counters().interrupts, 2);
}

#[test]
fn a_masked_cause_is_remembered() {
    let (mut bench, mut lines) = ready();
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(lines.count(1), 0);
    assert_eq!(bench.read(regs::EICS), 0b10, "seen without clearing");
    bench.write(regs::EIMS, 0b10);
    bench.poll();
    assert_eq!(lines.count(1), 1);
}

#[test]
fn without_auto_clear_the_cause_stays_until_it_is_acknowledged() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::EIAC, 0);
    bench.write(regs::EIMS, 0b10);
    bench.arrive(&[frame(60, 0)]);
    bench.settle();
    assert_eq!(lines.count(1), 1, "once");
    assert_eq!(bench.nic.peek(regs::EICR.offset), 0b10);
    bench.write(regs::EICR, 0b10);
    assert_eq!(bench.nic.peek(regs::EICR.offset), 0);
}

#[test]
fn a_read_of_eicr_clears_what_gpie_allows() {
    let (mut bench, _lines) = ready();
    bench.write(regs::EICS, eicr::LSC.mask() | 1 << 5);
    bench.write(regs::GPIE, gpie::MULTIPLE_MSIX.mask() | gpie::OCD.mask());
    assert_eq!(bench.read(regs::EICR), eicr::LSC.mask() | 1 << 5);
    assert_eq!(bench.read(regs::EICR), 1 << 5, "with OCD the queues stay");
    bench.write(regs::GPIE, gpie::MULTIPLE_MSIX.mask());
    bench.read(regs::EICR);
    assert_eq!(bench.read(regs::EICR), 0);
}

#[test]
fn eitr_spaces_interrupts_out() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::EIMS, 0b10);
    // 0x28 is 10 us.
    bench.write(regs::EITR.at(1), 0x28);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(lines.count(1), 1);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(lines.count(1), 0, "too soon");
    bench.pass(10_000);
    assert_eq!(lines.count(1), 1, "but not forgotten");
    // Writing EITR ends the interval, unless CNT_WDIS is set.
    bench.arrive(&[frame(60, 0)]);
    bench.write(regs::EITR.at(1), 0x28 | regs::eitr::CNT_WDIS.mask());
    bench.poll();
    assert_eq!(lines.count(1), 0);
    bench.write(regs::EITR.at(1), 0x28);
    bench.poll();
    assert_eq!(lines.count(1), 1);
}

#[test]
fn auto_mask_leaves_it_to_software_to_go_on() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::GPIE, gpie::MULTIPLE_MSIX.mask() | gpie::EIAME.mask());
    bench.write(regs::EIAM_EX.at(0), 0);
    bench.write(regs::EIAM, 0b10);
    bench.write(regs::EIMS, 0b110);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!((lines.count(1), bench.read(regs::EIMS)), (1, 0b100));
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(lines.count(1), 0);
    bench.write(regs::EIMS, 0b10);
    bench.poll();
    assert_eq!(lines.count(1), 1);
}

#[test]
fn masks_clear_with_eimc_and_not_by_writing_zero() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::EIMS, 0b10);
    bench.write(regs::EIMS, 0);
    assert_eq!(bench.read(regs::EIMS), 0b10);
    bench.write(regs::EIMC, 0b10);
    assert_eq!(bench.read(regs::EIMS), 0);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(lines.count(1), 0);
}

#[test]
fn link_changes_interrupt_on_the_other_vector() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::EIMS, eicr::LSC.mask());
    bench.nic.set_link(false);
    bench.poll();
    assert_eq!(lines.count(0), 1);
    assert!(eicr::LSC.is_set(bench.read(regs::EICR)));
    bench.nic.set_link(true);
    bench.poll();
    assert_eq!(lines.count(0), 1);
}

#[test]
fn vectors_above_15_have_their_own_masks() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::IVAR.at(0), 0x8000 | 0x80 | 20);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(lines.count(20), 0);
    bench.write(regs::EIMS_EX.at(0), 1 << 20);
    bench.poll();
    assert_eq!(lines.count(20), 1);
    bench.write(regs::EIMC_EX.at(0), 1 << 20);
    assert_eq!(bench.read(regs::EIMS_EX.at(0)), 0);
    bench.write(regs::EICS_EX.at(0), 1 << 20);
    bench.write(regs::EIMS_EX.at(0), 1 << 20);
    bench.poll();
    assert_eq!(lines.count(20), 1, "forced by software");
    // The low 16 bits of the first word are those of EIMS.
    bench.write(regs::EIMS_EX.at(0), 1 << 3);
    assert_eq!(bench.read(regs::EIMS), 1 << 3);
}

#[test]
fn one_vector_takes_all_without_msix_mode() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::GPIE, 0);
    bench.write(regs::EIMS, 0b10 | eicr::LSC.mask());
    bench.arrive(&[frame(60, 0)]);
    assert_eq!((lines.count(0), lines.count(1)), (1, 0));
    assert_eq!(bench.read(regs::EICR), 0b10);
}

#[test]
fn an_unbound_vector_is_nobodys() {
    let (mut bench, mut lines) = ready();
    bench.nic.bind_vector(MSIX, 1, None).unwrap();
    bench.write(regs::EIMS, 0b10);
    bench.arrive(&[frame(60, 0)]);
    assert_eq!(lines.count(1), 0);
    assert!(bench.nic.bind_vector(MSIX, 64, None).is_err());
    assert!(bench.nic.trigger(MSIX, 64).is_err());
    bench.nic.trigger(MSIX, 3).unwrap();
    assert_eq!(lines.count(3), 1);
}

#[test]
fn a_reset_masks_everything_but_keeps_the_eventfds() {
    let (mut bench, mut lines) = ready();
    bench.write(regs::EIMS, 0b10);
    bench.nic.reset();
    assert_eq!(bench.read(regs::EIMS), 0);
    bench.nic.trigger(MSIX, 1).unwrap();
    assert_eq!(lines.count(1), 1);
}

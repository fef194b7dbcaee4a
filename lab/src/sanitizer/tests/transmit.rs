use super::driver::Driver;
use super::{Case, TX, case, packet};
use crate::ixgbe::regs;

fn started(driver: &mut Driver) {
    driver.start();
}

fn transmit_on(driver: &mut Driver) {
    driver.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
}

/// Changes registers of the packet buffers in the way that is asked for.
fn rearranged(driver: &mut Driver, change: fn(&mut Driver)) {
    driver.prepare();
    driver.set_field(regs::RTTDCS, regs::rttdcs::ARBDIS, 1);
    change(driver);
    driver.set_field(regs::RTTDCS, regs::rttdcs::ARBDIS, 0);
    transmit_on(driver);
}

fn open_with(driver: &mut Driver, register: fn(u16) -> regs::Register, value: u32) {
    driver.prepare();
    transmit_on(driver);
    driver.program_ring(TX);
    driver.write(register(TX.number), value);
    driver.enable_and_wait(TX);
}

pub const CASES: &[Case] = &[
    case(
        "tx.queue_before_te",
        |d| {
            d.prepare();
            d.open_tx(TX);
        },
        started,
    ),
    case(
        "tx.arbiter_running",
        |d| {
            d.prepare();
            d.write(regs::MTQC, 1);
        },
        // A write that changes nothing rearranges nothing.
        |d| {
            d.prepare();
            d.write(regs::MTQC, 0);
        },
    ),
    case(
        "tx.packet_buffer_size",
        |d| rearranged(d, |d| d.write(regs::TXPBSIZE.at(0), 161 << 10)),
        // Without DCB only the first counts.
        |d| rearranged(d, |d| d.write(regs::TXPBSIZE.at(1), 40 << 10)),
    ),
    case(
        "tx.threshold_above_buffer",
        |d| {
            rearranged(d, |d| {
                d.write(regs::TXPBSIZE.at(0), 40 << 10);
                d.write(regs::TXPBTHRESH.at(0), 150);
            });
        },
        |d| {
            rearranged(d, |d| {
                d.write(regs::TXPBSIZE.at(0), 40 << 10);
                d.write(regs::TXPBTHRESH.at(0), 40);
            });
        },
    ),
    case(
        "tx.request_limit",
        |d| rearranged(d, |d| d.write(regs::DTXMXSZRQ, 0x10)),
        // With DCB the reset value is right.
        |d| {
            rearranged(d, |d| {
                d.write(regs::MTQC, regs::mtqc::RT_ENA.mask());
                d.write(regs::DTXMXSZRQ, 0x10);
            });
        },
    ),
    case(
        "tx.host_threshold",
        |d| open_with(d, |n| regs::TXDCTL.at(n), 32),
        |d| open_with(d, |n| regs::TXDCTL.at(n), 0),
    ),
    case(
        "tx.head_writeback_address",
        |d| open_with(d, |n| regs::TDWBAL.at(n), 0x0010_0008 | 1),
        // The address counts only if it is enabled.
        |d| open_with(d, |n| regs::TDWBAL.at(n), 0x0010_0008),
    ),
    case(
        "tx.disabled_while_sending",
        |d| {
            d.start();
            d.send(&[packet(60)]);
            d.disable(TX);
        },
        |d| {
            d.start();
            d.send(&[packet(60)]);
            d.work(TX, 1);
            d.disable(TX);
        },
    ),
];

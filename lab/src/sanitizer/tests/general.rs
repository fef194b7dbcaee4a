use super::driver::Driver;
use super::{Case, RX, TX, case};
use crate::events::Event;
use crate::ixgbe::regs;

fn started(driver: &mut Driver) {
    driver.start();
}

/// Up to the reset, which is left to the test.
fn before_reset(driver: &mut Driver) {
    driver.attach();
    driver.mask();
}

fn reset_and_wait(driver: &mut Driver, us: u64) {
    driver.write(regs::CTRL, regs::ctrl::RST.mask());
    driver.wait_us(us);
}

pub const CASES: &[Case] = &[
    case(
        "reg.reserved_bits",
        |d| {
            d.attach();
            d.write(regs::EIMC, u32::MAX);
        },
        // Garbage that was there before may stay, and may go.
        |d| {
            d.attach();
            d.set(regs::RXCTRL, 0xFFFF_FF00);
            d.write(regs::RXCTRL, 0xFFFF_FF00);
            d.write(regs::RXCTRL, 0);
            d.write(regs::EIMC, 0x7FFF_FFFF);
        },
    ),
    case(
        "reg.read_only",
        |d| {
            d.attach();
            d.write(regs::STATUS, 0);
        },
        |d| {
            d.attach();
            let value = d.read(regs::STATUS);
            d.write(regs::STATUS, value);
        },
    ),
    case(
        "reg.unknown",
        |d| d.emit(Event::RegisterWrite { offset: 0x0001_FF00, before: 0, value: 1 }),
        |d| d.emit(Event::RegisterRead { offset: 0x0001_FF00, value: 0 }),
    ),
    case(
        "eeprom.read_not_awaited",
        |d| {
            d.attach();
            d.write(regs::EERD, 1 | 3 << 2);
            d.write(regs::EERD, 1 | 4 << 2);
        },
        |d| {
            d.attach();
            for word in 3..6 {
                d.write(regs::EERD, 1 | word << 2);
                d.set(regs::EERD, 2 | word << 2);
                d.read(regs::EERD);
            }
        },
    ),
    case(
        "semaphore.kept",
        |d| {
            d.attach();
            d.write(regs::SW_FW_SYNC, 0b10);
            d.leave();
        },
        // Taken and given back; and bits that others hold are none of this driver's business.
        |d| {
            d.set(regs::SW_FW_SYNC, 0b1_0000_0001);
            d.attach();
            d.read(regs::SWSM);
            d.set(regs::SWSM, 1);
            d.write(regs::SW_FW_SYNC, 0b1_0000_0011);
            d.write(regs::SW_FW_SYNC, 0b1_0000_0001);
            d.write(regs::SWSM, 0);
            d.leave();
        },
    ),
    case(
        "init.no_reset",
        |d| {
            d.attach();
            d.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
        },
        started,
    ),
    case(
        "init.interrupts_not_masked",
        |d| {
            d.attach();
            reset_and_wait(d, 10_000);
        },
        started,
    ),
    case(
        "init.reset_polled_early",
        |d| {
            before_reset(d);
            reset_and_wait(d, 10);
            d.read(regs::CTRL);
        },
        |d| {
            before_reset(d);
            reset_and_wait(d, 1000);
            d.read(regs::CTRL);
        },
    ),
    case(
        "init.reset_not_settled",
        |d| {
            before_reset(d);
            reset_and_wait(d, 2000);
            d.mask();
            d.write(regs::FCTRL, 0x400);
        },
        // Interrupts may, and should, be masked before the pause is over.
        |d| {
            before_reset(d);
            reset_and_wait(d, 2000);
            d.mask();
            d.wait_us(8000);
            d.write(regs::FCTRL, 0x400);
        },
    ),
    case(
        "init.reset_while_running",
        |d| {
            d.start();
            d.mask();
            reset_and_wait(d, 10_000);
        },
        |d| {
            d.start();
            d.mask();
            d.write(regs::CTRL, regs::ctrl::GIO_DIS.mask());
            d.write(regs::CTRL, regs::ctrl::GIO_DIS.mask() | regs::ctrl::RST.mask());
            d.leave();
        },
    ),
    case(
        "init.eeprom_load_not_awaited",
        |d| {
            d.attach();
            d.reset();
            d.read(regs::RDRXCTL);
            d.program_receive();
            d.open_rx(RX);
        },
        started,
    ),
    case(
        "init.dma_not_awaited",
        |d| {
            d.attach();
            d.reset();
            d.read(regs::EEC);
            d.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
        },
        started,
    ),
    case(
        "init.statistics_not_cleared",
        |d| {
            d.attach();
            d.reset();
            d.await_ready();
            d.program_receive();
            d.open_rx(RX);
            d.open_receiver();
            d.work(RX, 1);
        },
        |d| {
            d.start();
            d.work(RX, 1);
        },
    ),
    case(
        "init.bus_master_off",
        |d| {
            d.prepare();
            d.emit(Event::ConfigWrite { offset: 4, length: 2, value: 2 });
            d.open_rx(RX);
        },
        // The bit may be in any write that covers it.
        |d| {
            d.prepare();
            d.emit(Event::ConfigWrite { offset: 4, length: 2, value: 2 });
            d.emit(Event::ConfigWrite { offset: 2, length: 4, value: 0x0006_0000 });
            d.emit(Event::ConfigWrite { offset: 6, length: 2, value: 0xFFFF });
            d.open_rx(RX);
        },
    ),
    case(
        "close.queues_left_running",
        |d| {
            d.start();
            // The NIC stops what is left, then says that the driver is gone.
            d.emit(Event::QueueDisabled { queue: RX, head: 0, tail: 0 });
            d.emit(Event::QueueDisabled { queue: TX, head: 0, tail: 0 });
            d.leave();
        },
        |d| {
            d.start();
            d.stop();
        },
    ),
    case(
        "irq.no_vector",
        |d| {
            d.start();
            d.set_field(regs::GPIE, regs::gpie::MULTIPLE_MSIX, 1);
            d.write(regs::EIMS, 1 << 20);
        },
        |d| {
            d.start();
            d.set_field(regs::GPIE, regs::gpie::MULTIPLE_MSIX, 1);
            d.write(regs::IVAR_MISC, regs::ivar_misc::VALID1.mask());
            d.write(regs::EIMS, 1 << 20);
        },
    ),
];

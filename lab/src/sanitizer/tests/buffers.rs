use super::driver::Driver;
use super::{BYTES, Case, MEMORY, RX, SLOTS, TX, buffer, case, packet};
use crate::events::{Event, Queue, Side};
use crate::ixgbe::regs;
use crate::memory::DmaFault;

const SECOND_RX: Queue = Queue { side: Side::Rx, number: 1 };

/// One slot is received and refilled with a buffer at `address`.
fn refill_with(driver: &mut Driver, address: u64) {
    driver.start();
    driver.work(RX, 1);
    driver.put(RX, SLOTS - 1, [address, 0]);
    driver.ring_doorbell(RX, 0);
}

fn send_from(driver: &mut Driver, address: u64) {
    driver.start();
    driver.send_words(&[[address, packet(60)]]);
}

/// A second receive queue whose ring starts at `offset` from the first one's.
fn second_ring(driver: &mut Driver, offset: u64) {
    driver.start();
    let ring = driver.ring(RX) + offset;
    driver.program_rx(SECOND_RX);
    driver.write(regs::RDBAL.at(1), ring as u32);
    driver.enable_and_wait(SECOND_RX);
}

fn ring_at_the_end(driver: &mut Driver, offset: u64) {
    driver.prepare();
    driver.ring_offset = BYTES - u64::from(SLOTS) * 16 + offset;
    driver.program_rx(RX);
    driver.enable_and_wait(RX);
}

fn life_and_unmap(driver: &mut Driver) {
    driver.start();
    driver.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 0);
    driver.disable(RX);
    driver.disable(TX);
    driver.unmap(MEMORY, BYTES);
    driver.leave();
}

/// Another mapping, of which nothing is in use.
fn unmap_another(driver: &mut Driver) {
    driver.start();
    driver.map(0x4000_0000, 4096);
    driver.unmap(0x4000_0000, 4096);
}

pub const CASES: &[Case] = &[
    case(
        "buffer.given_twice",
        |d| refill_with(d, buffer(20)),
        // Slot 0 was given back, so its buffer is free.
        |d| refill_with(d, buffer(0)),
    ),
    case(
        "buffer.receive_over_send",
        |d| send_from(d, buffer(20) + 100),
        // After the NIC is done with it.
        |d| {
            d.start();
            d.work(RX, 21);
            d.send_words(&[[buffer(20), packet(60)]]);
            d.work(TX, 1);
            d.refill(21);
        },
    ),
    case(
        "buffer.over_ring",
        |d| refill_with(d, MEMORY + 0x8_0000 - 1000),
        // The NIC writes no more than the largest frame, whatever BSIZEPACKET says.
        |d| refill_with(d, MEMORY + 0x8_0000 - 1526),
    ),
    case("ring.overlap", |d| second_ring(d, 512), |d| second_ring(d, 1024)),
    case(
        "dma.fault",
        |d| {
            let fault = DmaFault { iova: 0xDEAD_0000, length: 60, write: true };
            d.emit(Event::DmaFault { queue: Some(RX), slot: 4, fault });
        },
        |d| {
            d.start();
            d.work(RX, 3);
        },
    ),
    case(
        "dma.buffer_outside_mapping",
        |d| refill_with(d, MEMORY + BYTES - 1000),
        |d| refill_with(d, MEMORY + BYTES - 1526),
    ),
    case("dma.ring_outside_mapping", |d| ring_at_the_end(d, 128), |d| ring_at_the_end(d, 0)),
    case(
        "dma.unmapped_in_use",
        |d| {
            d.start();
            d.unmap(MEMORY, BYTES);
        },
        life_and_unmap,
    ),
    case(
        "dma.unmapped_in_use",
        |d| {
            d.start();
            d.map(0x4000_0000, 4096);
            d.work(RX, 1);
            d.put(RX, SLOTS - 1, [0x4000_0000, 0]);
            d.ring_doorbell(RX, 0);
            d.unmap(0x4000_0000, 4096);
        },
        unmap_another,
    ),
];

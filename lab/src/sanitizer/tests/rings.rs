use super::driver::Driver;
use super::{Case, RX, SLOTS, TX, case, packet};
use crate::clock::Nanos;
use crate::events::{Event, Queue, Side};
use crate::ixgbe::regs;
use crate::sanitizer::queues::{of, registers};

/// Up to where the queue would be enabled.
fn programmed(driver: &mut Driver, queue: Queue) {
    driver.prepare();
    driver.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
    match queue.side {
        Side::Rx => driver.program_rx(queue),
        Side::Tx => driver.program_ring(queue),
    }
}

fn enabled_with_length(driver: &mut Driver, queue: Queue, bytes: u32) {
    programmed(driver, queue);
    driver.write(of(registers(queue.side).length, queue), bytes);
    driver.enable_and_wait(queue);
}

fn misaligned(driver: &mut Driver, queue: Queue) {
    driver.ring_offset = 64;
    programmed(driver, queue);
}

fn aligned(driver: &mut Driver, queue: Queue) {
    driver.ring_offset = 128;
    programmed(driver, queue);
    driver.enable_and_wait(queue);
}

/// Writes only one half of the base, and leaves the other as the reset did.
fn half_a_base(driver: &mut Driver, queue: Queue) {
    driver.prepare();
    driver.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
    let low = driver.ring(queue) as u32;
    driver.write(of(registers(queue.side).base_low, queue), low);
    driver.write(of(registers(queue.side).length, queue), SLOTS * 16);
    driver.enable(queue);
}

/// In a mapped page a high half of 0 cannot be seen to be written where 0 was.
fn base_in_a_mapped_page(driver: &mut Driver, queue: Queue) {
    driver.mapped = true;
    driver.prepare();
    driver.set(of(registers(queue.side).base_high, queue), 0);
    programmed_again(driver, queue);
    driver.enable(queue);
}

fn programmed_again(driver: &mut Driver, queue: Queue) {
    driver.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
    match queue.side {
        Side::Rx => driver.program_rx(queue),
        Side::Tx => driver.program_ring(queue),
    }
}

fn base_moved(driver: &mut Driver, queue: Queue) {
    driver.start();
    driver.write(of(registers(queue.side).base_low, queue), 0x0020_0000);
}

/// Disabled, moved and enabled again within one round of polling, the queue's page being mapped.
fn base_moved_properly(driver: &mut Driver, queue: Queue) {
    driver.mapped = true;
    driver.start();
    driver.disable(queue);
    driver.wait_us(100);
    driver.ring_offset = 0x2000;
    programmed_again(driver, queue);
    driver.enable(queue);
}

fn tail_first(driver: &mut Driver, queue: Queue) {
    programmed(driver, queue);
    driver.ring_doorbell(queue, 7);
}

/// Zero may be written at any time, and of a mapped page nobody knows what came first.
fn tail_and_enable_together(driver: &mut Driver, queue: Queue) {
    driver.mapped = true;
    programmed(driver, queue);
    let regs = registers(queue.side);
    let control = of(regs.control, queue);
    let value = driver.get(control) | regs.enable.mask();
    driver.set(control, value);
    driver.emit(Event::Doorbell { queue, head: 0, before: 0, tail: 9 });
}

fn enabled_unread(driver: &mut Driver, queue: Queue) {
    programmed(driver, queue);
    driver.enable(queue);
    fill(driver, queue);
}

fn enabled_unread_in_a_mapped_page(driver: &mut Driver, queue: Queue) {
    driver.mapped = true;
    enabled_unread(driver, queue);
}

/// Hands over some descriptors.
fn fill(driver: &mut Driver, queue: Queue) {
    match queue.side {
        Side::Rx => driver.fill_rx(queue),
        Side::Tx => driver.send(&[packet(60)]),
    }
}

fn beyond(driver: &mut Driver, queue: Queue) {
    driver.start();
    driver.ring_doorbell(queue, SLOTS);
}

fn all_the_way_round(driver: &mut Driver, queue: Queue) {
    driver.start();
    for _ in 0..2 * SLOTS {
        step(driver, queue);
    }
}

/// One packet at a time.
fn step(driver: &mut Driver, queue: Queue) {
    match queue.side {
        Side::Rx => {
            driver.work(RX, 1);
            driver.refill(1);
        }
        Side::Tx => {
            driver.send(&[packet(60)]);
            driver.work(TX, 1);
        }
    }
}

/// The classic: all slots are given, so that head equals tail and the ring looks empty.
fn full(driver: &mut Driver, queue: Queue) {
    driver.start();
    match queue.side {
        Side::Rx => driver.ring_doorbell(queue, 0),
        Side::Tx => driver.send(&vec![packet(60); SLOTS as usize - 1]),
    }
    let head = driver.get(of(registers(queue.side).head, queue));
    driver.ring_doorbell(queue, head);
}

fn nearly_full(driver: &mut Driver, queue: Queue) {
    driver.start();
    if queue.side == Side::Tx {
        driver.send(&vec![packet(60); SLOTS as usize - 1]);
    }
    driver.work(queue, SLOTS / 2);
    match queue.side {
        Side::Rx => driver.refill(SLOTS / 2),
        Side::Tx => driver.send(&vec![packet(60); SLOTS as usize / 2]),
    }
}

fn head_written(driver: &mut Driver, queue: Queue, value: u32) {
    driver.start();
    fill_some(driver, queue);
    driver.write(of(registers(queue.side).head, queue), value);
}

fn fill_some(driver: &mut Driver, queue: Queue) {
    if queue.side == Side::Tx {
        driver.send(&[packet(60); 9]);
    }
    driver.work(queue, 7);
}

/// Before ENABLE the head may be written.
fn head_written_in_time(driver: &mut Driver, queue: Queue) {
    programmed(driver, queue);
    driver.write(of(registers(queue.side).head, queue), 5);
    driver.write(of(registers(queue.side).head, queue), 0);
    driver.enable_and_wait(queue);
}

fn steps(driver: &mut Driver, queue: Queue, pause_ns: u64) {
    driver.start();
    for _ in 0..3000 {
        step(driver, queue);
        driver.now = Nanos(driver.now.0 + pause_ns);
    }
}

fn changed(driver: &mut Driver, queue: Queue) {
    driver.start();
    fill(driver, queue);
    let slot = driver.get(of(registers(queue.side).head, queue));
    let [address, second] = driver.words(queue, slot);
    driver.put(queue, slot, [address + 64, second]);
    driver.work(queue, 1);
}

/// A slot that the NIC does not own may be written at any time.
fn changed_outside(driver: &mut Driver, queue: Queue) {
    driver.start();
    driver.put(queue, SLOTS - 1, [1, 1]);
    fill(driver, queue);
    driver.put(queue, SLOTS - 1, [2, 2]);
    driver.work(queue, 1);
}

fn filled_again(driver: &mut Driver) {
    driver.start();
    driver.put(RX, SLOTS - 1, [1, 1]);
    driver.work(RX, 1);
}

fn bad(driver: &mut Driver, queue: Queue) {
    driver.emit(Event::BadDescriptor { queue, slot: 3, words: [1, 2], why: "it is odd" });
}

macro_rules! both {
    ($(($rx:literal, $tx:literal): $breaks:expr, $keeps:expr;)*) => {
        pub const CASES: &[Case] = &[$(
            case($rx, |d| $breaks(d, RX), |d| $keeps(d, RX)),
            case($tx, |d| $breaks(d, TX), |d| $keeps(d, TX)),
        )*];
    };
}

both! {
    ("rx.ring_misaligned", "tx.ring_misaligned"): misaligned, aligned;
    ("rx.ring_length", "tx.ring_length"):
        |d, q| enabled_with_length(d, q, 64), |d, q| enabled_with_length(d, q, 128 << 10);
    ("rx.ring_not_set", "tx.ring_not_set"): half_a_base, base_in_a_mapped_page;
    ("rx.ring_changed_while_enabled", "tx.ring_changed_while_enabled"): base_moved, base_moved_properly;
    ("rx.tail_while_disabled", "tx.tail_while_disabled"): tail_first, tail_and_enable_together;
    ("rx.tail_before_enable_read", "tx.tail_before_enable_read"): enabled_unread, enabled_unread_in_a_mapped_page;
    ("rx.tail_beyond_ring", "tx.tail_beyond_ring"): beyond, all_the_way_round;
    ("rx.tail_past_head", "tx.tail_past_head"): full, nearly_full;
    ("rx.head_moved_by_driver", "tx.head_moved_by_driver"): |d, q| head_written(d, q, 0), head_written_in_time;
    ("rx.head_rewritten", "tx.head_rewritten"): |d, q| head_written(d, q, 7), head_written_in_time;
    ("rx.doorbell_per_packet", "tx.doorbell_per_packet"): |d, q| steps(d, q, 50), |d, q| steps(d, q, 2000);
    ("rx.descriptor_changed", "tx.descriptor_changed"): changed_or, unchanged_or;
    ("rx.bad_descriptor", "tx.bad_descriptor"): bad, all_the_way_round;
}

fn changed_or(driver: &mut Driver, queue: Queue) {
    match queue.side {
        Side::Rx => {
            driver.start();
            driver.put(RX, 0, [super::buffer(900), 0]);
            driver.work(RX, 1);
        }
        Side::Tx => changed(driver, queue),
    }
}

fn unchanged_or(driver: &mut Driver, queue: Queue) {
    match queue.side {
        Side::Rx => filled_again(driver),
        Side::Tx => changed_outside(driver, queue),
    }
}

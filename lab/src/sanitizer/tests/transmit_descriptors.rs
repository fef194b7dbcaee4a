use super::driver::Driver;
use super::{Case, SLOTS, TX, buffer, case, packet};
use crate::ixgbe::regs::{self, Field, tx_context, tx_data, tx_legacy};

const RS: u64 = tx_data::RS.mask();
const EOP: u64 = tx_data::EOP.mask();
const IFCS: u64 = tx_data::IFCS.mask();

/// A data descriptor in the middle of a packet.
fn part(length: u64, whole: u64) -> u64 {
    (packet(length) & !(RS | EOP | tx_data::PAYLEN.mask())) | tx_data::PAYLEN.put(whole)
}

/// The last descriptor of a packet.
fn end(length: u64, whole: u64) -> u64 {
    part(length, whole) | RS | EOP
}

fn legacy(length: u64) -> u64 {
    tx_legacy::LENGTH.put(length) | EOP | IFCS | RS
}

/// A context for an IPv4 TCP packet.
fn context(index: u64, maclen: u64, iplen: u64, l4len: u64, mss: u64) -> [u64; 2] {
    let first = tx_context::MACLEN.put(maclen) | tx_context::IPLEN.put(iplen);
    let second = tx_context::DEXT.mask()
        | tx_context::DTYP.put(tx_context::DTYP_CONTEXT)
        | tx_context::IDX.put(index)
        | tx_context::L4LEN.put(l4len)
        | tx_context::MSS.put(mss);
    [first, second]
}

fn started_sending(driver: &mut Driver, second_words: &[u64]) {
    driver.start();
    driver.send(second_words);
}

/// A packet with checksums, after a context if there is one.
fn with_context(driver: &mut Driver, contexts: &[[u64; 2]], second: u64) {
    driver.start();
    let mut words = contexts.to_vec();
    words.push([buffer(1000), second]);
    driver.send_words(&words);
}

fn checksummed(index: u64) -> u64 {
    packet(100) | tx_data::IXSM.mask() | tx_data::TXSM.mask() | tx_data::IDX.put(index)
}

/// 54 bytes of headers in front of 946 of payload.
fn segmented() -> u64 {
    (packet(1000) & !tx_data::PAYLEN.mask())
        | tx_data::PAYLEN.put(946)
        | tx_data::TSE.mask()
        | tx_data::TXSM.mask()
}

/// A queue with WTHRESH = 4.
fn with_wthresh(driver: &mut Driver, second_words: &[u64]) {
    driver.prepare();
    driver.set_field(regs::DMATXCTL, regs::dmatxctl::TE, 1);
    driver.program_ring(TX);
    driver.write(regs::TXDCTL.at(0), regs::txdctl::WTHRESH.put(4));
    driver.enable_and_wait(TX);
    driver.send(second_words);
}

/// Many packets, RS on one in `every`.
fn with_rs_now_and_then(driver: &mut Driver, every: usize) {
    driver.start();
    for batch in 0..2 * SLOTS as usize / 8 {
        let rs = |n: usize| if (batch * 8 + n + 1).is_multiple_of(every) { RS } else { 0 };
        let words: Vec<_> = (0..8).map(|n| (packet(60) & !RS) | rs(n)).collect();
        driver.send(&words);
        driver.work(TX, 8);
    }
}

/// A packet of `parts` descriptors.
fn in_parts(driver: &mut Driver, parts: u64) {
    let mut words = vec![part(20, 20 * parts); parts as usize - 1];
    words.push(end(20, 20 * parts));
    started_sending(driver, &words);
}

fn without_padding(driver: &mut Driver) {
    driver.start();
    let off = Field { shift: regs::hlreg0::TXPADEN.shift, width: 1 };
    driver.set_field(regs::HLREG0, off, 0);
    driver.send(&[packet(40) & !IFCS]);
}

pub const CASES: &[Case] = &[
    case(
        "tx.stale_dd",
        |d| started_sending(d, &[packet(60) | tx_legacy::DD.mask()]),
        // What the NIC wrote back is overwritten as a whole.
        |d| {
            d.start();
            for _ in 0..3 {
                d.send(&[packet(60); 30]);
                d.work(TX, 30);
            }
        },
    ),
    case(
        "tx.reserved_bits",
        |d| started_sending(d, &[packet(60) | 1 << 28]),
        |d| started_sending(d, &[packet(60) | tx_data::TSTAMP.mask() | tx_data::CC.mask()]),
    ),
    case(
        "tx.rs_without_eop",
        |d| started_sending(d, &[part(30, 60) | RS, end(30, 60)]),
        |d| started_sending(d, &[part(30, 60), end(30, 60)]),
    ),
    case("tx.rs_missing", |d| with_rs_now_and_then(d, 1000), |d| with_rs_now_and_then(d, 62)),
    case(
        "tx.wthresh_ignores_rs",
        |d| with_wthresh(d, &[packet(60) & !RS]),
        |d| with_wthresh(d, &[part(30, 60), end(30, 60), packet(60)]),
    ),
    case(
        "tx.mixed_formats",
        |d| started_sending(d, &[part(30, 60), legacy(30)]),
        // Packets of both kinds may follow each other.
        |d| started_sending(d, &[packet(60), legacy(60), packet(60)]),
    ),
    case(
        "tx.payload_length",
        |d| started_sending(d, &[part(30, 30), end(30, 30)]),
        // Only the first descriptor's counts.
        |d| started_sending(d, &[part(30, 60), end(30, 0)]),
    ),
    case(
        "tx.null_descriptor",
        |d| started_sending(d, &[part(0, 60), end(60, 60)]),
        |d| started_sending(d, &[tx_legacy::LENGTH.put(0) | EOP | RS]),
    ),
    case("tx.frame_too_short", |d| started_sending(d, &[packet(16)]), |d| started_sending(d, &[packet(17)])),
    case(
        "tx.frame_too_long",
        |d| started_sending(d, &[part(12_000, 15_873), end(3873, 15_873)]),
        |d| started_sending(d, &[part(12_000, 15_872), end(3872, 15_872)]),
    ),
    case("tx.too_many_descriptors", |d| in_parts(d, 39), |d| in_parts(d, 38)),
    case("tx.pad_without_crc", |d| started_sending(d, &[packet(40) & !IFCS]), without_padding),
    case(
        "tx.context_missing",
        |d| with_context(d, &[context(0, 14, 20, 20, 0)], checksummed(1)),
        |d| with_context(d, &[context(1, 14, 20, 20, 0)], checksummed(1)),
    ),
    case(
        "tx.context_index",
        |d| with_context(d, &[context(2, 14, 20, 20, 0)], packet(60)),
        // Of a packet without offloads the index does not matter.
        |d| with_context(d, &[], packet(60) | tx_data::IDX.put(3)),
    ),
    case(
        "tx.context_lengths",
        |d| with_context(d, &[context(0, 14, 0, 20, 0)], checksummed(0)),
        // VLAN insertion needs no lengths.
        |d| with_context(d, &[context(0, 0, 0, 0, 0)], packet(60) | tx_data::VLE.mask()),
    ),
    case(
        "tx.segmentation",
        |d| with_context(d, &[context(0, 14, 20, 20, 0)], segmented()),
        |d| with_context(d, &[context(0, 14, 20, 20, 500)], segmented()),
    ),
    case(
        "tx.tail_splits_packet",
        |d| started_sending(d, &[packet(60), part(30, 60)]),
        |d| started_sending(d, &[packet(60), part(30, 60), end(30, 60)]),
    ),
];

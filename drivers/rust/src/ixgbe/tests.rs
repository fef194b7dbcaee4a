//! The driver against a device made of memory: order of writes, faults, and where the slots are.

use std::collections::HashMap;
use std::time::Duration;

use super::regs::*;
use super::*;
use crate::bus::fake::Fake;
use crate::packet::Batch;

mod faults;
mod hardware;
mod rings;

/// A device that resets, has an address, lets queues be enabled at once, and sends what it is given.
fn device() -> Arc<Fake> {
    let fake = Fake::device(Box::new(|registers, offset, value| {
        if offset == CTRL.offset && value & (ctrl::RST.mask() | ctrl::LRST.mask()) != 0 {
            registers.clear();
            after_reset(registers);
        } else if offset == CTRL.offset && ctrl::GIO_DIS.is_set(value) {
            registers.insert(STATUS.offset, 0);
        } else if let Some(queue) = (0..4).find(|queue| TDT.at(*queue).offset == offset) {
            registers.insert(TDH.at(queue).offset, value); // sent at once
        }
    }));
    after_power_up(&fake);
    fake
}

fn after_reset(registers: &mut HashMap<u32, u32>) {
    let ready = [
        (STATUS.offset, status::GIO.mask()),
        (EEC.offset, eec::ARD.mask()),
        (RDRXCTL.offset, rdrxctl::DMAIDONE.mask() | rdrxctl::RSCFRSTSIZE.put(8)),
        (SECRXSTAT.offset, secrxstat::RDY.mask()),
        (LINKS.offset, links::UP.mask() | links::SPEED.put(links::SPEED_10G)),
        (RAL.at(0).offset, u32::from_le_bytes([2, 0, 0, 1])),
        (RAH.at(0).offset, rah::AV.put(1) | 0x0302),
        (DCA_RXCTRL.at(0).offset, u32::MAX),
    ];
    registers.extend(ready);
}

/// Before the reset every register holds noise.
fn after_power_up(fake: &Fake) {
    for offset in (0..BAR0_BYTES as u32).step_by(4) {
        fake.set(offset, offset.wrapping_mul(0x9E37_79B9));
    }
}

fn memory() -> DmaMemory {
    DmaMemory::new(8 << 20).unwrap()
}

fn small() -> Config {
    Config { ring_slots: 16, pool_slots: 40, ..Config::default() }
}

/// Where in the log the last write of this register is.
fn last(log: &[(u32, u32)], register: Register) -> usize {
    log.iter()
        .rposition(|(offset, _)| *offset == register.offset)
        .unwrap_or_else(|| panic!("{register} never written"))
}

#[test]
fn comes_up_in_the_data_sheets_order() {
    let (fake, memory) = (device(), memory());
    let (nic, rx, tx) = bring_up(fake.clone(), &memory, &small()).unwrap();
    assert_eq!(nic.mac, [2, 0, 0, 1, 2, 3]);
    let log = fake.writes();
    let before = |first, second| {
        assert!(last(&log, first) < last(&log, second), "{first} comes after {second}");
    };
    before(EIMC, FCTRL);
    before(CTRL, AUTOC);
    before(FCTRL, RXCTRL);
    before(HLREG0, RXCTRL);
    before(RDRXCTL, RXCTRL);
    before(RDBAL.at(0), RXDCTL.at(0));
    before(RDLEN.at(0), RXDCTL.at(0));
    before(SRRCTL.at(0), RXDCTL.at(0));
    before(RXDCTL.at(0), RDT.at(0));
    before(TDBAL.at(0), TXDCTL.at(0));
    before(DMATXCTL, TXDCTL.at(0));
    before(DTXMXSZRQ, RTTDCS);
    before(RDT.at(0), RXCTRL);
    before(TXDCTL.at(0), RXCTRL);
    assert_eq!(fake.get(RDT.at(0).offset), 15);
    drop((rx, tx, nic));
}

#[test]
fn fields_that_others_got_wrong_are_right() {
    let (fake, memory) = (device(), memory());
    let up = bring_up(fake.clone(), &memory, &small()).unwrap();
    let log = fake.writes();
    let no_bits = |register: Register, mask: u32| {
        assert!(
            log.iter().all(|(offset, value)| *offset != register.offset || value & mask == 0),
            "{register}"
        );
    };
    no_bits(EIMC, 1 << 31);
    no_bits(DTXMXSZRQ, !dtxmxszrq::MAX_BYTES.mask());
    let receive = fake.get(RDRXCTL.offset);
    assert_eq!(rdrxctl::RSCFRSTSIZE.get(receive), 0);
    for field in [rdrxctl::CRCSTRIP, rdrxctl::RSCACKC, rdrxctl::FCOE_WRFIX] {
        assert!(field.is_set(receive));
    }
    assert!(hlreg0::RXCRCSTRP.is_set(fake.get(HLREG0.offset)));
    assert!(!dca_rxctrl::RESERVED_CLEAR.is_set(fake.get(DCA_RXCTRL.at(0).offset)));
    assert_eq!(txdctl::WTHRESH.get(fake.get(TXDCTL.at(0).offset)), 0);
    assert_eq!((fake.get(MTA.at(127).offset), fake.get(MPSAR.at(255).offset)), (0, 0));
    drop(up);
}

#[test]
fn every_queue_gets_its_share_of_the_table() {
    let (fake, memory) = (device(), memory());
    let config = Config { rx_queues: 3, pool_slots: 64, ..small() };
    let up = bring_up(fake.clone(), &memory, &config).unwrap();
    assert_eq!(mrqc::MRQE.get(fake.get(MRQC.offset)), mrqc::MRQE_RSS);
    assert!(rxcsum::PCSD.is_set(fake.get(RXCSUM.offset)));
    let entries: Vec<u8> = (0..32).flat_map(|word| fake.get(RETA.at(word).offset).to_le_bytes()).collect();
    assert!(entries.iter().enumerate().all(|(index, queue)| usize::from(*queue) == index % 3));
    let vectors = crate::vectors("rss");
    let key = (0..10).map(|word| format!("{:#010x}", fake.get(RSSRK.at(word).offset)));
    assert_eq!(serde_json::json!(key.collect::<Vec<_>>()), vectors["keys"]["microsoft"]["rssrk"]);
    assert_eq!(fake.get(RQSMR.at(4).offset), 0x0302_0100);
    drop(up);
}

#[test]
fn promiscuous_mode_changes_only_while_reception_is_off() {
    let (fake, memory) = (device(), memory());
    let (nic, rx, tx) = bring_up(fake.clone(), &memory, &small()).unwrap();
    let before = fake.writes().len();
    nic.set_promiscuous(true).unwrap();
    let log = fake.writes().split_off(before);
    let filter = last(&log, FCTRL);
    let switch = |part: &[(u32, u32)]| {
        part.iter()
            .rfind(|(offset, _)| *offset == RXCTRL.offset)
            .map(|(_, value)| rxctrl::RXEN.is_set(*value))
    };
    assert_eq!((switch(&log[..filter]), switch(&log[filter..])), (Some(false), Some(true)));
    assert!(fctrl::UPE.is_set(fake.get(FCTRL.offset)) && fctrl::MPE.is_set(fake.get(FCTRL.offset)));
    drop((rx, tx, nic));
}

#[test]
fn statistics_add_up_what_reading_clears() {
    let (fake, memory) = (device(), memory());
    let (nic, rx, tx) = bring_up(fake.clone(), &memory, &small()).unwrap();
    for (register, value) in [(GPRC, 5), (GORCL, 0xFFFF_FFFF), (GORCH, 0xF), (CRCERRS, 2), (MPC.at(0), 7)] {
        fake.set(register.offset, value);
    }
    fake.set(QPRDC.at(0).offset, 1);
    nic.stats().unwrap();
    let stats = nic.stats().unwrap();
    assert_eq!((stats.rx_packets, stats.rx_errors, stats.rx_missed), (10, 4, 16));
    assert_eq!(stats.rx_bytes, 2 * 0xF_FFFF_FFFF);
    assert_eq!(nic.link().unwrap(), Link { up: true, mbit: 10_000 });
    drop((rx, tx, nic));
}

#[test]
fn what_the_device_cannot_do_is_refused_before_it_is_touched() {
    let refused = |config: Config| {
        let fake = device();
        let error = bring_up(fake.clone(), &memory(), &config).map(|_| ()).unwrap_err();
        assert_eq!(fake.messages(), 0);
        error.kind()
    };
    assert_eq!(refused(Config { rx_queues: 0, ..small() }), "Unsupported");
    assert_eq!(refused(Config { rx_queues: 17, ..small() }), "Unsupported");
    assert_eq!(refused(Config { tx_queues: 65, ..small() }), "Unsupported");
    assert_eq!(refused(Config { ring_slots: 20, ..small() }), "Unsupported");
    assert_eq!(refused(Config { ring_slots: 8200, ..small() }), "Unsupported");
    assert_eq!(refused(Config { max_frame: 15873, ..small() }), "Unsupported");
    assert_eq!(refused(Config { pool_slots: 14, ..small() }), "OutOfMemory");
}

#[test]
fn a_device_taken_apart_is_closed_when_its_last_part_goes() {
    let (fake, memory) = (device(), memory());
    let config = Config { rx_queues: 2, tx_queues: 2, ..small() };
    let parts = open(fake.clone(), &memory, &config).unwrap();
    let (driver, pool, mut rx, tx) = (parts.driver, parts.pool, parts.rx, parts.tx);
    assert_eq!((rx[0].slots_of(&pool), pool.free()), (15, 10));
    let last = rx.pop();
    drop(driver);
    std::thread::spawn(move || drop((rx, tx))).join().unwrap();
    assert!(fake.is_mapped(), "a queue is left, and may still be used");
    assert_eq!(pool.free(), 10, "the device may still write into the slots of the dropped ring");
    drop(last);
    assert!(!fake.is_mapped());
    assert_eq!(Pool::new(&memory, (memory.len() / 2112) as u32).unwrap().total(), memory.len() / 2112);
}

//! Devices that do not answer: every wait ends, names its register, and leaves nothing behind.

use std::time::Instant;

use super::*;

/// Opens a device with bits that never change, and returns the error.
fn stuck(register: Register, mask: u32, value: u32) -> (Error, Arc<Fake>, DmaMemory) {
    let (fake, memory) = (device(), memory());
    fake.stick(register.offset, mask, value);
    let config = Config { link_wait: Duration::from_millis(30), ..small() };
    let error = bring_up(fake.clone(), &memory, &config).map(|_| ()).unwrap_err();
    (error, fake, memory)
}

#[test]
fn each_wait_names_its_register_and_nothing_is_left_behind() {
    let cases = [
        (CTRL, ctrl::RST.mask(), ctrl::RST.mask(), "CTRL"),
        (EEC, eec::ARD.mask(), 0, "EEC"),
        (RDRXCTL, rdrxctl::DMAIDONE.mask(), 0, "RDRXCTL"),
        (RXDCTL.at(0), rxdctl::ENABLE.mask(), 0, "RXDCTL[0]"),
        (TXDCTL.at(0), txdctl::ENABLE.mask(), 0, "TXDCTL[0]"),
        (SECRXSTAT, secrxstat::RDY.mask(), 0, "SECRXSTAT"),
        (LINKS, links::UP.mask(), 0, "LINKS"),
    ];
    for (at, mask, value, name) in cases {
        let (error, fake, memory) = stuck(at, mask, value);
        let Error::Timeout { register, .. } = &error else { panic!("{name}: {error}") };
        assert_eq!(register, name);
        assert!(!fake.is_mapped(), "{name}: memory is still mapped");
        let whole = memory.len() / 2112;
        assert_eq!(
            Pool::new(&memory, whole as u32).unwrap().free(),
            whole,
            "{name}: memory was not given back"
        );
    }
}

#[test]
fn dma_that_never_ends_costs_a_second_reset_but_no_failure() {
    let (fake, memory) = (device(), memory());
    fake.stick(STATUS.offset, status::GIO.mask(), status::GIO.mask());
    let up = bring_up(fake.clone(), &memory, &small()).unwrap();
    let resets =
        fake.writes().iter().filter(|(at, value)| *at == CTRL.offset && ctrl::RST.is_set(*value)).count();
    assert_eq!(resets, 2);
    drop(up);
}

#[test]
fn an_eeprom_without_an_address_is_refused() {
    for low in [0, u32::MAX] {
        let (fake, memory) = (device(), memory());
        fake.stick(RAL.at(0).offset, u32::MAX, low);
        fake.stick(RAH.at(0).offset, u32::MAX, if low == 0 { 0 } else { 0xFFFF });
        let error = bring_up(fake, &memory, &small()).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), "DeviceFailed");
    }
}

#[test]
fn a_device_that_goes_away_is_noticed_by_polling_and_gives_everything_back() {
    let (fake, memory) = (device(), memory());
    let (nic, mut rx, mut tx) = bring_up(fake.clone(), &memory, &small()).unwrap();
    let mut batch = Batch::new(&memory, 4);
    fake.die();
    let start = std::time::Instant::now();
    let error = loop {
        if let Err(error) = rx[0].receive(&mut batch, 4) {
            break error;
        }
        assert!(start.elapsed() < Duration::from_secs(2));
    };
    assert_eq!(error.kind(), "DeviceFailed");
    while tx[0].transmit(&mut batch).is_ok() {
        assert!(start.elapsed() < Duration::from_secs(4));
    }
    let pool = nic.pool.clone();
    drop((rx, tx));
    nic.close().unwrap();
    assert_eq!(pool.free(), 0, "a finished pool has given its slots to the memory");
    assert_eq!(Pool::new(&memory, 40).unwrap().free(), 40);
}

#[test]
fn closing_waits_for_what_is_being_sent_but_not_for_ever() {
    let (fake, memory) = (device(), memory());
    let (nic, rx, tx) = bring_up(fake.clone(), &memory, &small()).unwrap();
    fake.stick(TDH.at(0).offset, tdh::TDH.mask(), 7);
    let start = Instant::now();
    drop((rx, tx));
    nic.close().unwrap();
    assert!(start.elapsed() >= Duration::from_millis(500), "{:?}", start.elapsed());
    assert_eq!((fake.resets(), fake.is_mapped()), (0, false));
}

#[test]
fn a_queue_that_does_not_stop_is_reset_by_the_bus() {
    let (fake, memory) = (device(), memory());
    let (nic, rx, tx) = bring_up(fake.clone(), &memory, &small()).unwrap();
    fake.stick(RXDCTL.at(0).offset, rxdctl::ENABLE.mask(), rxdctl::ENABLE.mask());
    drop((rx, tx));
    assert_eq!(nic.close().unwrap_err().kind(), "Timeout");
    assert_eq!((fake.resets(), fake.is_mapped()), (1, false));
}

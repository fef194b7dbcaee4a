use super::driver::Driver;
use super::{Case, RX, SLOTS, case};
use crate::events::{Queue, Side};
use crate::ixgbe::regs::{self, srrctl};

fn started(driver: &mut Driver) {
    driver.start();
}

/// With RSS over `queues` queues of which `enabled` are, and packets coming.
fn receive_with_rss(driver: &mut Driver, queues: u32, enabled: u16) {
    driver.prepare();
    for word in 0..32 {
        let entry = |n: u32| ((4 * u32::from(word) + n) % queues) << (8 * n);
        driver.write(regs::RETA.at(word), (0..4).map(entry).sum());
    }
    for word in 0..10 {
        driver.write(regs::RSSRK.at(word), 0x1234_5678);
    }
    driver.write(regs::MRQC, regs::mrqc::MRQE_RSS);
    for number in 0..enabled {
        driver.open_rx(Queue { side: Side::Rx, number });
    }
    driver.open_receiver();
    receive(driver);
}

/// Packets come and their buffers are given back.
fn receive(driver: &mut Driver) {
    driver.work(RX, 8);
    driver.refill(8);
}

fn enable_with_srrctl(driver: &mut Driver, value: u32) {
    driver.prepare();
    driver.program_rx(RX);
    driver.write(regs::SRRCTL.at(0), value);
    driver.enable_and_wait(RX);
}

const ONE_BUFFER: u32 = srrctl::DESCTYPE.put(srrctl::DESCTYPE_ADV_ONE_BUFFER);

pub const CASES: &[Case] = &[
    case(
        "rx.filter_changed_while_receiving",
        |d| {
            d.start();
            d.set_field(regs::FCTRL, regs::fctrl::UPE, 1);
        },
        |d| {
            d.start();
            d.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 0);
            d.set_field(regs::FCTRL, regs::fctrl::UPE, 1);
            d.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 1);
        },
    ),
    case(
        "rx.crc_strip_disagrees",
        |d| {
            d.prepare();
            d.set_field(regs::HLREG0, regs::hlreg0::RXCRCSTRP, 0);
            d.open_rx(RX);
            d.open_receiver();
        },
        // No stripping at all is as good.
        |d| {
            d.prepare();
            d.set_field(regs::HLREG0, regs::hlreg0::RXCRCSTRP, 0);
            d.set_field(regs::RDRXCTL, regs::rdrxctl::CRCSTRIP, 0);
            d.open_rx(RX);
            d.open_receiver();
        },
    ),
    case(
        "rx.rsc_first_size",
        |d| {
            d.prepare();
            d.set_field(regs::RDRXCTL, regs::rdrxctl::RSCFRSTSIZE, 8);
            d.open_receiver();
        },
        started,
    ),
    case(
        "rx.rdrxctl_fixes",
        |d| {
            d.prepare();
            d.set_field(regs::RDRXCTL, regs::rdrxctl::RSCACKC, 0);
            d.open_receiver();
        },
        started,
    ),
    case(
        "rx.packet_buffer_size",
        |d| {
            d.prepare();
            d.write(regs::RXPBSIZE.at(0), 0);
            d.open_receiver();
        },
        // Without DCB the others keep their reset value, 512 KiB each, and mean nothing.
        |d| {
            d.prepare();
            for number in 1..8 {
                d.write(regs::RXPBSIZE.at(number), 0x80000);
            }
            d.open_rx(RX);
            d.open_receiver();
        },
    ),
    case(
        "rx.flow_threshold",
        |d| {
            d.prepare();
            d.write(regs::FCRTH.at(0), 0);
            d.open_receiver();
        },
        // A smaller buffer with a threshold that fits.
        |d| {
            d.prepare();
            d.write(regs::RXPBSIZE.at(0), 128 << 10);
            d.write(regs::FCRTH.at(0), (128 << 10) - 0x6000);
            d.open_rx(RX);
            d.open_receiver();
        },
    ),
    case(
        "rx.mode_changed_while_receiving",
        |d| {
            receive_with_rss(d, 1, 1);
            d.write(regs::MRQC, 0);
        },
        // Which packets are hashed may change at any time.
        |d| {
            receive_with_rss(d, 1, 1);
            d.set_field(regs::MRQC, regs::mrqc::TCP_IPV4, 1);
        },
    ),
    case(
        "rx.table_not_written",
        |d| {
            d.start();
            for word in (0..128).filter(|word| *word != 77) {
                d.write(regs::MTA.at(word), 0);
            }
            d.write(regs::MCSTCTRL, regs::mcstctrl::MFE.mask());
        },
        |d| {
            d.start();
            for word in 0..128 {
                d.write(regs::MTA.at(word), 0);
            }
            d.write(regs::MCSTCTRL, regs::mcstctrl::MFE.mask());
        },
    ),
    case(
        "rx.jumbo_off",
        |d| {
            d.prepare();
            d.write(regs::MAXFRS, 9018 << 16);
            d.open_receiver();
        },
        |d| {
            d.prepare();
            d.write(regs::MAXFRS, 9018 << 16);
            d.set_field(regs::HLREG0, regs::hlreg0::JUMBOEN, 1);
            d.open_rx(RX);
            d.open_receiver();
        },
    ),
    case(
        "rx.enabled_before_queues",
        |d| {
            d.prepare();
            d.open_receiver();
        },
        started,
    ),
    case(
        "rx.data_path_not_halted",
        |d| {
            d.prepare();
            d.open_rx(RX);
            d.set_field(regs::RXCTRL, regs::rxctrl::RXEN, 1);
        },
        started,
    ),
    case(
        "rx.dca_bit_12",
        |d| {
            d.start();
            d.set(regs::DCA_RXCTRL.at(0), 0x1000);
            receive(d);
        },
        // It may be cleared last of all; and of unused queues it does not matter.
        |d| {
            d.prepare();
            d.program_rx(RX);
            d.write(regs::DCA_RXCTRL.at(0), 0x1000);
            d.enable_and_wait(RX);
            d.fill_rx(RX);
            d.open_receiver();
            d.work(RX, 3);
            d.write(regs::DCA_RXCTRL.at(0), 0);
            d.refill(3);
        },
    ),
    case(
        "rx.snoop_not_disabled",
        |d| {
            d.start();
            d.set_field(regs::CTRL_EXT, regs::ctrl_ext::NS_DIS, 0);
            receive(d);
        },
        |d| {
            d.start();
            receive(d);
        },
    ),
    case("rx.reta_to_disabled_queue", |d| receive_with_rss(d, 4, 3), |d| receive_with_rss(d, 4, 4)),
    case(
        "rx.vlan_strip_82598",
        |d| {
            d.prepare();
            d.set_field(regs::VLNCTRL, regs::vlnctrl::VME, 1);
        },
        |d| {
            d.prepare();
            d.set_field(regs::RXDCTL.at(0), regs::rxdctl::VME, 1);
        },
    ),
    case(
        "rx.packet_limit",
        |d| {
            d.prepare();
            d.set_field(regs::RXDCTL.at(0), regs::rxdctl::RLPML_EN, 1);
        },
        // A bit that was found there is not the driver's.
        |d| {
            d.prepare();
            d.set(regs::RXDCTL.at(0), regs::rxdctl::RLPML_EN.mask());
            d.set_field(regs::RXDCTL.at(0), regs::rxdctl::VME, 1);
        },
    ),
    case(
        "rx.address_changed_while_valid",
        |d| {
            d.start();
            d.set(regs::RAH.at(3), regs::rah::AV.mask());
            d.write(regs::RAL.at(3), 0x1234_5678);
        },
        |d| {
            d.start();
            d.set(regs::RAH.at(3), regs::rah::AV.mask());
            d.write(regs::RAH.at(3), 0);
            d.write(regs::RAL.at(3), 0x1234_5678);
            d.write(regs::RAH.at(3), regs::rah::AV.mask());
        },
    ),
    case("rx.buffer_size", |d| enable_with_srrctl(d, ONE_BUFFER), |d| enable_with_srrctl(d, ONE_BUFFER | 16)),
    case(
        "rx.descriptor_type",
        |d| enable_with_srrctl(d, srrctl::DESCTYPE.put(3) | 2),
        |d| enable_with_srrctl(d, srrctl::DESCTYPE.put(srrctl::DESCTYPE_LEGACY) | 2),
    ),
    case(
        "rx.header_split",
        |d| enable_with_srrctl(d, srrctl::DESCTYPE.put(srrctl::DESCTYPE_SPLIT_ALWAYS) | 2),
        |d| enable_with_srrctl(d, ONE_BUFFER | srrctl::BSIZEHEADER.put(4) | 2),
    ),
    case(
        "rx.stale_dd",
        |d| {
            d.start();
            d.work(RX, 1);
            // Refilled without clearing what the NIC wrote.
            d.ring_doorbell(RX, 0);
            d.work(RX, 1);
            d.ring_doorbell(RX, 1);
        },
        // Legacy descriptors have DD elsewhere, and bit 0 is part of the length.
        |d| {
            d.prepare();
            d.program_rx(RX);
            d.write(regs::SRRCTL.at(0), 2);
            d.enable_and_wait(RX);
            for slot in 0..SLOTS {
                d.put(RX, slot, [super::buffer(slot), 61]);
            }
            d.ring_doorbell(RX, SLOTS - 1);
        },
    ),
    case(
        "rx.odd_buffer_address",
        |d| {
            d.start();
            d.work(RX, 1);
            d.put(RX, SLOTS - 1, [super::buffer(500) + 1, 0]);
            d.ring_doorbell(RX, 0);
        },
        |d| {
            d.start();
            d.work(RX, 1);
            d.put(RX, SLOTS - 1, [super::buffer(500) + 2, 0]);
            d.ring_doorbell(RX, 0);
        },
    ),
];

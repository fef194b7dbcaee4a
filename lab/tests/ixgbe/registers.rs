//! Registers: reset values, noise, and how each kind of access behaves.

use crate::common::{BOTH, Bench};
use proptest::prelude::*;
use ringway_lab::device::Device;
use ringway_lab::ixgbe::regs::{self, Access, REGISTERS, eec, eerd, i2cctl};
use ringway_lab::ixgbe::{Doorbells, Nic, NicConfig};
use ringway_lab::wire::null::NullWire;

fn nic(seed: u64) -> Nic {
    let mut nic = Nic::new(NicConfig { seed, ..NicConfig::new("x") }, Box::new(NullWire::default())).unwrap();
    nic.attached();
    nic
}

/// Registers whose value after a reset is not simply the table's: station address, link.
const SPECIAL: [&str; 5] = ["RAL", "RAH", "LINKS", "STATUS", "CTRL"];

#[test]
fn a_reset_gives_every_defined_register_its_value() {
    for doorbells in BOTH {
        let mut bench = Bench::new(doorbells);
        bench.write(regs::CTRL, regs::ctrl::RST.mask());
        for info in REGISTERS.iter().filter(|info| !info.random && info.alias_of.is_none()) {
            if SPECIAL.contains(&info.registers.name) {
                continue;
            }
            for n in 0..info.registers.len() {
                let register = info.registers.at(n);
                let expected = if n == 0 { info.reset_first } else { info.reset };
                assert_eq!(bench.nic.peek(register.offset), expected, "{register}");
            }
        }
    }
}

#[test]
fn the_station_address_survives_a_reset() {
    let mut bench = Bench::new(Doorbells::Mapped);
    let [a, b, c, d, e, f] = bench.nic.mac();
    bench.write(regs::RAL.at(0), 0);
    bench.write(regs::CTRL, regs::ctrl::RST.mask());
    assert_eq!(bench.read(regs::RAL.at(0)), u32::from_le_bytes([a, b, c, d]));
    assert_eq!(bench.read(regs::RAH.at(0)), u32::from_le_bytes([e, f, 0, 0x80]));
}

#[test]
fn before_a_reset_nothing_can_be_relied_on() {
    let (one, other) = (nic(1), nic(2));
    for register in
        [regs::FCTRL, regs::HLREG0, regs::MAXFRS, regs::RXCSUM, regs::GPRC, regs::EIMS, regs::GPIE]
    {
        assert_ne!(one.peek(register.offset), other.peek(register.offset), "{register}");
    }
    let again = nic(1);
    for offset in (0..0x20000).step_by(4) {
        assert_eq!(one.peek(offset), again.peek(offset), "the seed decides, {offset:#x}");
    }
}

#[test]
fn undefined_registers_hold_noise_after_a_reset_too() {
    let mut nics = [nic(1), nic(2)];
    for nic in &mut nics {
        nic.write(0, 0, &regs::ctrl::RST.mask().to_le_bytes()).unwrap();
    }
    for info in REGISTERS.iter().filter(|info| info.random && info.alias_of.is_none()) {
        let differ = (0..info.registers.len())
            .filter(|n| {
                let offset = info.registers.at(*n).offset;
                nics[0].peek(offset) != nics[1].peek(offset)
            })
            .count();
        assert!(differ > 0, "{} is undefined", info.registers.name);
    }
}

#[test]
fn noise_never_starts_anything() {
    for seed in 0..200 {
        let nic = nic(seed);
        for n in 0..128 {
            assert!(!regs::rxdctl::ENABLE.is_set(nic.peek(regs::RXDCTL.at(n).offset)));
            assert!(!regs::txdctl::ENABLE.is_set(nic.peek(regs::TXDCTL.at(n).offset)));
        }
        assert!(!regs::rxctrl::RXEN.is_set(nic.peek(regs::RXCTRL.offset)));
        assert_eq!(nic.peek(regs::SWSM.offset), 0, "nobody holds a semaphore");
        assert_eq!(nic.peek(regs::CTRL.offset), 0);
        assert_eq!(nic.peek(regs::EICR.offset), 0);
    }
}

#[test]
fn both_addresses_of_a_register_are_one() {
    let mut bench = Bench::new(Doorbells::Mapped);
    for info in REGISTERS.iter().filter(|info| info.alias_of.is_some() && info.access == Access::Rw) {
        let original = info.alias_of.unwrap();
        let original = REGISTERS.iter().find(|other| other.registers.name == original).unwrap();
        if original.self_clearing != 0 || original.registers.name == "CTRL" {
            continue;
        }
        for n in 0..info.registers.len() {
            let (alias, home) = (info.registers.at(n), original.registers.at(n));
            bench.write(alias, 0x5A5A_0000 | u32::from(n));
            assert_eq!(
                bench.read(home),
                (0x5A5A_0000 | u32::from(n)) & original.writable | kept(original),
                "{alias}"
            );
            bench.write(home, 0);
            assert_eq!(bench.read(alias), kept(original), "{alias}");
        }
    }
}

/// Bits that a driver cannot change.
fn kept(info: &regs::Info) -> u32 {
    info.reset & !info.writable
}

#[test]
fn read_only_registers_ignore_writes() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    for info in REGISTERS.iter().filter(|info| info.access == Access::Ro) {
        let register = info.registers.at(0);
        let before = bench.nic.peek(register.offset);
        bench.write(register, !before);
        assert_eq!(bench.nic.peek(register.offset), before, "{register}");
    }
}

#[test]
fn statistics_clear_on_read_and_ignore_writes() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.nic.add_to_counter(regs::CRCERRS, 17);
    bench.write(regs::CRCERRS, 0);
    assert_eq!(bench.nic.peek(regs::CRCERRS.offset), 17, "looking does not clear");
    assert_eq!(bench.read(regs::CRCERRS), 17);
    assert_eq!(bench.read(regs::CRCERRS), 0);
}

#[test]
fn written_ones_clear_wake_up_status() {
    let mut bench = Bench::new(Doorbells::Mapped);
    bench.write(regs::WUS, u32::MAX);
    assert_eq!(bench.read(regs::WUS), 0);
}

#[test]
fn commands_finish() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.write(regs::MSCA, 0x4000_0001);
    assert_eq!(bench.read(regs::MSCA), 1);
    bench.write(regs::FDIRCTRL, 1);
    assert!(regs::fdirctrl::INIT_DONE.is_set(bench.read(regs::FDIRCTRL)));
    bench.write(regs::FDIRCMD, 1);
    assert_eq!(regs::fdircmd::CMD.get(bench.read(regs::FDIRCMD)), 0);
    bench.write(regs::SECRXCTRL, regs::secrxctrl::RX_DIS.mask());
    assert!(regs::secrxstat::RDY.is_set(bench.read(regs::SECRXSTAT)));
    assert!(regs::rdrxctl::DMAIDONE.is_set(bench.read(regs::RDRXCTL)));
    bench.write(regs::RDRXCTL, 0);
    assert!(regs::rdrxctl::DMAIDONE.is_set(bench.read(regs::RDRXCTL)), "cannot be written");
    assert_ne!(regs::anlp1::AN_STATE.get(bench.read(regs::ANLP1)), 0);
}

#[test]
fn a_reset_takes_a_moment_and_then_is_over() {
    let mut bench = Bench::new(Doorbells::Mapped);
    for bit in [regs::ctrl::RST, regs::ctrl::LRST] {
        bench.write(regs::CTRL, bit.mask());
        assert_eq!(bench.read(regs::CTRL), bit.mask());
        bench.poll();
        assert_eq!(bench.read(regs::CTRL), bit.mask());
        bench.pass(100_000);
        assert_eq!(bench.read(regs::CTRL), 0);
    }
}

#[test]
fn semaphores() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    assert_eq!(bench.read(regs::SWSM), 0, "free, and taken by this read");
    assert_eq!(bench.read(regs::SWSM), 1);
    bench.write(regs::SWSM, 1 | 2);
    assert_eq!(bench.read(regs::SWSM), 3, "the semaphore with the firmware is granted");
    bench.write(regs::SW_FW_SYNC, 5);
    bench.write(regs::CTRL, regs::ctrl::RST.mask());
    assert_eq!(bench.read(regs::SWSM), 3, "a reset by one function does not free what another holds");
    assert_eq!(bench.read(regs::SW_FW_SYNC), 5);
    bench.write(regs::SWSM, 0);
    assert_eq!(bench.read(regs::SWSM), 0);
}

#[test]
fn master_disable_drops_status_gio() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    assert!(regs::status::GIO.is_set(bench.read(regs::STATUS)));
    bench.write(regs::CTRL, regs::ctrl::GIO_DIS.mask());
    assert!(!regs::status::GIO.is_set(bench.read(regs::STATUS)));
    bench.write(regs::CTRL, 0);
    assert!(regs::status::GIO.is_set(bench.read(regs::STATUS)));
}

#[test]
fn the_eeprom_adds_up_when_read_by_eerd() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let mut word = |address: u32| {
        bench.write(regs::EERD, eerd::START.mask() | eerd::ADDR.put(address));
        let answer = bench.read(regs::EERD);
        assert!(eerd::DONE.is_set(answer));
        assert_eq!(eerd::ADDR.get(answer), address);
        eerd::DATA.get(answer)
    };
    let sum: u32 = (0..0x40).map(&mut word).sum();
    assert_eq!(sum & 0xFFFF, 0xBABA);
    assert_eq!(word(0x3FFF), 0xFFFF);
}

#[test]
fn the_eeprom_can_be_written() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.write(regs::EEWR, 0x1234 << 16 | 0x40 << 2 | 1);
    assert!(regs::eewr::DONE.is_set(bench.read(regs::EEWR)));
    bench.write(regs::EERD, 0x40 << 2 | 1);
    assert_eq!(bench.read(regs::EERD) >> 16, 0x1234);
}

/// Works the serial port through EEC, as DPDK does at first.
fn bit_bang(bench: &mut Bench, address: u32) -> u16 {
    let shift_out = |bench: &mut Bench, value: u32, bits: u32| {
        for bit in (0..bits).rev() {
            let data = eec::DI.put(value >> bit & 1);
            let base = bench.read(regs::EEC) & !(eec::DI.mask() | eec::SK.mask());
            bench.write(regs::EEC, base | data);
            bench.write(regs::EEC, base | data | eec::SK.mask());
            bench.write(regs::EEC, base | data);
        }
    };
    let base = bench.read(regs::EEC) & !(eec::CS.mask() | eec::SK.mask());
    bench.write(regs::EEC, base | eec::CS.mask());
    bench.write(regs::EEC, base);
    shift_out(bench, 0x03, 8);
    shift_out(bench, address * 2, 16);
    let word = (0..16).fold(0u16, |word, _| {
        let base = bench.read(regs::EEC);
        bench.write(regs::EEC, base | eec::SK.mask());
        let bit = eec::DO.get(bench.read(regs::EEC));
        bench.write(regs::EEC, base & !eec::SK.mask());
        word << 1 | bit as u16
    });
    word.swap_bytes()
}

#[test]
fn the_eeprom_reads_the_same_bit_by_bit() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    assert!(eec::PRES.is_set(bench.read(regs::EEC)) && eec::ARD.is_set(bench.read(regs::EEC)));
    bench.set(regs::EEC, eec::REQ.mask());
    assert!(eec::GNT.is_set(bench.read(regs::EEC)));
    for address in [0, 0x2C, 0x3F] {
        let by_hand = bit_bang(&mut bench, address);
        bench.write(regs::EERD, address << 2 | 1);
        assert_eq!(u32::from(by_hand), bench.read(regs::EERD) >> 16);
    }
    let value = bench.read(regs::EEC) & !eec::REQ.mask();
    bench.write(regs::EEC, value);
    assert!(!eec::GNT.is_set(bench.read(regs::EEC)));
}

#[test]
fn i2c_lines_follow_what_is_driven() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    for (clock, data) in [(0, 0), (0, 1), (1, 1)] {
        bench.write(regs::I2CCTL, i2cctl::CLK_OUT.put(clock) | i2cctl::DATA_OUT.put(data));
        let value = bench.read(regs::I2CCTL);
        assert_eq!((i2cctl::CLK_IN.get(value), i2cctl::DATA_IN.get(value)), (clock, data));
    }
}

#[test]
fn only_whole_dwords_inside_the_bar() {
    let mut nic = nic(0);
    let mut data = [0; 8];
    assert!(nic.read(0, 0, &mut data).is_ok());
    assert!(nic.read(0, 2, &mut data[..4]).is_err());
    assert!(nic.read(0, 0, &mut data[..2]).is_err());
    assert!(nic.read(0, 0x1FFFC, &mut data).is_err());
    assert!(nic.write(0, u64::MAX - 3, &data[..4]).is_err());
    assert!(nic.read(1, 0, &mut data[..4]).is_err());
    assert!(nic.read(8, 0, &mut data[..4]).is_err());
}

#[test]
fn the_whole_bar_can_be_read() {
    let mut data = vec![0; 0x20000];
    nic(3).read(0, 0, &mut data).unwrap();
}

#[test]
fn a_function_level_reset_keeps_bus_mastering() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.write(regs::MAXFRS, 0);
    bench.nic.reset();
    assert_eq!(bench.read(regs::MAXFRS), 0x05EE_0000);
    let mut command = [0; 2];
    bench.nic.read(7, 4, &mut command).unwrap();
    assert_eq!(command, [6, 0]);
    // The same by the PCI Express capability.
    bench.write(regs::MAXFRS, 0);
    bench.nic.write(7, 0xA8, &[0x10, 0xA8]).unwrap();
    assert_eq!(bench.read(regs::MAXFRS), 0x05EE_0000);
}

#[test]
fn links_is_latched_low() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    assert!(regs::links::UP.is_set(bench.read(regs::LINKS)));
    assert_eq!(regs::links::SPEED.get(bench.read(regs::LINKS)), regs::links::SPEED_10G);
    bench.nic.set_link(false);
    bench.poll();
    bench.nic.set_link(true);
    bench.poll();
    assert!(!regs::links::UP.is_set(bench.read(regs::LINKS)), "it was down in between");
    assert!(regs::links::UP.is_set(bench.read(regs::LINKS)));
    assert!(regs::status::LINK_UP.is_set(bench.read(regs::STATUS)));
}

#[test]
fn restarting_negotiation_takes_the_link_down_for_a_while() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let value = bench.read(regs::AUTOC);
    bench.write(regs::AUTOC, value | regs::autoc::RESTART_AN.mask());
    assert_eq!(bench.read(regs::AUTOC), value, "clears itself");
    assert!(!bench.nic.link_up());
    bench.poll();
    bench.pass(1_000_000);
    assert!(bench.nic.link_up());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_sequence_of_accesses_panics(
        seed: u64,
        trapped: bool,
        steps in proptest::collection::vec((0u32..0x8000, any::<u32>(), 0u8..8), 1..400),
    ) {
        let doorbells = if trapped { Doorbells::Trapped } else { Doorbells::Mapped };
        let mut bench = Bench::with(NicConfig { seed, doorbells, ..NicConfig::new("x") });
        bench.nic.write(7, 4, &[6, 0]).unwrap();
        for (index, value, what) in steps {
            // Most accesses go where queues and switches are.
            let offset = match what {
                0..=2 => 0x1000 + index % 0x400 * 4,
                3..=4 => 0x6000 + index % 0x400 * 4,
                5 => [0x3000, 0x4A80, 0x4240, 0x5080, 0x8120, 0][index as usize % 6],
                _ => index * 4,
            };
            let value = if what % 2 == 0 { value } else { value & 0x0200_0003 };
            bench.nic.synchronise();
            bench.nic.write(0, offset.into(), &value.to_le_bytes()).unwrap();
            bench.nic.read(0, offset.into(), &mut [0; 4]).unwrap();
            bench.wire.inject(vec![0xFF; (value % 300) as usize]);
            bench.pass(20_000);
        }
    }
}

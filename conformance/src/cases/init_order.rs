//! The order in which a card is brought up. Nothing is mappable here, so that every access is seen, in its order.

use ringway_lab::events::Event;
use ringway_lab::ixgbe::regs::{
    CTRL, DMATXCTL, EEC, EIMC, FCTRL, HLREG0, RDBAL, RDH, RDLEN, RDRXCTL, RDT, RXCTRL, RXDCTL, Register,
    TDBAL, TDH, TDLEN, TDT, TXDCTL, ctrl, dmatxctl, eec, fctrl, hlreg0, rdrxctl, rxctrl, rxdctl, txdctl,
};

use crate::case::{Case, case};
use crate::outcome::{Failure, Outcome, expect};
use crate::record::{Record, written};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(masks_interrupts_before_and_after_the_reset, "82599:4.6.3.1").trapped(),
    case!(waits_for_the_eeprom_and_for_dma, "82599:4.6.3").trapped(),
    case!(sets_the_filters_before_reception_is_on, "82599:8.2.3.7.1").trapped(),
    case!(strips_the_crc_in_both_places, "82599:8.2.3.8.8").trapped(),
    case!(lets_the_card_add_crc_and_padding, "82599:8.2.3.22.8").trapped(),
    case!(gives_the_ring_before_it_enables_the_receive_queue, "82599:4.6.7").trapped(),
    case!(hands_out_receive_slots_only_when_the_queue_is_enabled, "82599:4.6.7").trapped(),
    case!(switches_transmission_on_before_a_transmit_queue, "82599:4.6.8").trapped(),
    case!(waits_until_a_transmit_queue_is_enabled, "82599:4.6.8").trapped(),
];

/// Opens the card, proves that it works, and returns what the driver did meanwhile.
fn bring_up(rig: &mut Rig) -> Outcome<Record> {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    Ok(rig.record(0))
}

/// The place of the first write to `register` whose value `fits`.
fn write(record: &Record, register: Register, fits: impl Fn(u32) -> bool) -> Outcome<usize> {
    let place = record.first(|event| written(event, register).is_some_and(&fits));
    place.ok_or_else(|| {
        Failure::new(format!("the driver writes {register}"), "no write to it with such a value")
    })
}

/// The first read of `register` that returned a value that `fits`, from event `start` on.
fn read_after(
    record: &Record,
    start: usize,
    register: Register,
    fits: impl Fn(u32) -> bool,
) -> Outcome<usize> {
    let events = record.events();
    let matches = |event: &Event| matches!(*event, Event::RegisterRead { offset, value } if offset == register.offset && fits(value));
    let place = events[start..].iter().position(matches).map(|place| start + place);
    place.ok_or_else(|| Failure::new(format!("the driver reads {register} until it is ready"), "it does not"))
}

fn before(first: (usize, &str), second: (usize, &str)) -> Outcome {
    expect(first.0 < second.0, format!("{} before {}", first.1, second.1), || {
        format!("{} at event {}, {} at {}", first.1, first.0, second.1, second.0)
    })
}

/// All causes but the reserved bit 31 (82599 8.2.3.5.6).
const ALL_CAUSES: u32 = 0x7fff_ffff;

fn masks_interrupts_before_and_after_the_reset(rig: &mut Rig) -> Outcome {
    let record = bring_up(rig)?;
    let masks = |event: &Event| written(event, EIMC).is_some_and(|value| value & ALL_CAUSES == ALL_CAUSES);
    let reset = write(&record, CTRL, |value| ctrl::RST.is_set(value))?;
    let masked = (record.first(masks), record.last(masks));
    let right = masked.0.is_some_and(|first| first < reset) && masked.1.is_some_and(|last| last > reset);
    expect(right, "EIMC with all bits before the reset and again after it", || {
        format!("reset at event {reset}, EIMC first and last at {masked:?}")
    })
}

fn waits_for_the_eeprom_and_for_dma(rig: &mut Rig) -> Outcome {
    let record = bring_up(rig)?;
    let reset = write(&record, CTRL, |value| ctrl::RST.is_set(value))?;
    let cleared = read_after(&record, reset, CTRL, |value| !ctrl::RST.is_set(value))?;
    let eeprom = read_after(&record, cleared, EEC, |value| eec::ARD.is_set(value))?;
    let dma = read_after(&record, cleared, RDRXCTL, |value| rdrxctl::DMAIDONE.is_set(value))?;
    let enabled = write(&record, RXDCTL.at(0), |value| rxdctl::ENABLE.is_set(value))?;
    before((eeprom, "EEC.ARD is seen"), (enabled, "RXDCTL.ENABLE is written"))?;
    before((dma, "RDRXCTL.DMAIDONE is seen"), (enabled, "RXDCTL.ENABLE is written"))
}

fn sets_the_filters_before_reception_is_on(rig: &mut Rig) -> Outcome {
    let record = bring_up(rig)?;
    let reset = write(&record, CTRL, |value| ctrl::RST.is_set(value))?;
    let mut receiving = false;
    let mut broadcast = false;
    for event in &record.events()[reset + 1..] {
        if let Some(value) = written(event, RXCTRL) {
            receiving = rxctrl::RXEN.is_set(value);
        }
        if let Some(value) = written(event, FCTRL) {
            expect(!receiving, "FCTRL is written only while RXCTRL.RXEN is 0", || format!("{event:x?}"))?;
            broadcast = fctrl::BAM.is_set(value);
        }
    }
    expect(receiving && broadcast, "in the end RXCTRL.RXEN and FCTRL.BAM are set", || {
        format!("RXEN {receiving}, BAM {broadcast}")
    })
}

fn strips_the_crc_in_both_places(rig: &mut Rig) -> Outcome {
    bring_up(rig)?;
    let (mac, dma) = (rig.peek(0, HLREG0), rig.peek(0, RDRXCTL));
    expect(hlreg0::RXCRCSTRP.is_set(mac) && rdrxctl::CRCSTRIP.is_set(dma), "both strip the CRC", || {
        format!("HLREG0 {mac:#010x}, RDRXCTL {dma:#010x}")
    })
}

fn lets_the_card_add_crc_and_padding(rig: &mut Rig) -> Outcome {
    bring_up(rig)?;
    let value = rig.peek(0, HLREG0);
    let right = hlreg0::TXCRCEN.is_set(value) && hlreg0::TXPADEN.is_set(value);
    expect(right, "TXCRCEN and TXPADEN in HLREG0", || format!("HLREG0 {value:#010x}"))
}

fn gives_the_ring_before_it_enables_the_receive_queue(rig: &mut Rig) -> Outcome {
    let record = bring_up(rig)?;
    let enabled = write(&record, RXDCTL.at(0), |value| rxdctl::ENABLE.is_set(value))?;
    for register in [RDBAL.at(0), RDLEN.at(0)] {
        // The low half of a base above 4 GiB may well be 0.
        let given = write(&record, register, |value| value != 0 || register == RDBAL.at(0))?;
        before((given, &register.to_string()), (enabled, "RXDCTL.ENABLE"))?;
    }
    let head = record.first(|event| written(event, RDH.at(0)).is_some_and(|value| value != 0));
    expect(head.is_none(), "RDH is never written but with 0", || format!("at event {head:?}"))
}

fn hands_out_receive_slots_only_when_the_queue_is_enabled(rig: &mut Rig) -> Outcome {
    let record = bring_up(rig)?;
    let enabled = write(&record, RXDCTL.at(0), |value| rxdctl::ENABLE.is_set(value))?;
    let seen = read_after(&record, enabled, RXDCTL.at(0), |value| rxdctl::ENABLE.is_set(value))?;
    let tail = write(&record, RDT.at(0), |value| value != 0)?;
    before((seen, "RXDCTL.ENABLE reads back"), (tail, "RDT"))
}

fn switches_transmission_on_before_a_transmit_queue(rig: &mut Rig) -> Outcome {
    let record = bring_up(rig)?;
    let enabled = write(&record, TXDCTL.at(0), |value| txdctl::ENABLE.is_set(value))?;
    let on = write(&record, DMATXCTL, |value| dmatxctl::TE.is_set(value))?;
    before((on, "DMATXCTL.TE"), (enabled, "TXDCTL.ENABLE"))?;
    for register in [TDBAL.at(0), TDLEN.at(0)] {
        let given = write(&record, register, |value| value != 0 || register == TDBAL.at(0))?;
        before((given, &register.to_string()), (enabled, "TXDCTL.ENABLE"))?;
    }
    let head = record.first(|event| written(event, TDH.at(0)).is_some_and(|value| value != 0));
    expect(head.is_none(), "TDH is never written but with 0", || format!("at event {head:?}"))
}

fn waits_until_a_transmit_queue_is_enabled(rig: &mut Rig) -> Outcome {
    let record = bring_up(rig)?;
    let enabled = write(&record, TXDCTL.at(0), |value| txdctl::ENABLE.is_set(value))?;
    let seen = read_after(&record, enabled, TXDCTL.at(0), |value| txdctl::ENABLE.is_set(value))?;
    let tail = write(&record, TDT.at(0), |value| value != 0)?;
    before((seen, "TXDCTL.ENABLE reads back"), (tail, "TDT"))
}

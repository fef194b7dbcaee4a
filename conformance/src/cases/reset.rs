//! Resetting the card, and what it held before.

use ringway_lab::events::Event;
use ringway_lab::faults::Fault;

use crate::case::{Case, case};
use crate::outcome::{Outcome, expect};
use crate::rig::{Rig, lab_failed};

pub(super) const CASES: &[Case] = &[
    case!(resets_the_card_before_it_enables_a_queue, "82599:4.6.3.2"),
    case!(works_whatever_the_registers_held_before, "82599:4.6.3"),
    case!(works_after_another_driver_has_used_the_card, "82599:4.6.3"),
    case!(gives_up_when_the_reset_never_ends, "82599:4.6.3.2"),
    case!(gives_up_when_the_eeprom_is_never_read, "82599:4.6.3"),
    case!(gives_up_when_dma_is_never_initialised, "82599:4.6.3"),
];

/// Seeds that one run of the suite tries.
const SEEDS: usize = 100;

fn resets_the_card_before_it_enables_a_queue(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    let record = rig.record(0);
    let reset = record.first(|event| matches!(event, Event::Reset));
    let enabled = record.first(|event| matches!(event, Event::QueueEnabled { .. }));
    let told = || format!("reset at event {reset:?}, first queue enabled at {enabled:?}");
    expect(reset.is_some() && reset < enabled, "a reset, then queues", told)
}

fn works_whatever_the_registers_held_before(rig: &mut Rig) -> Outcome {
    for _ in 0..SEEDS {
        let seed = rig.random.word();
        let nic = rig.world.add_nic(seed).map_err(lab_failed)?;
        let device = rig.open(nic, "ring_slots=64 pool_slots=256")?;
        rig.works(nic, device)?;
        rig.testee.close(device)?;
    }
    Ok(())
}

fn works_after_another_driver_has_used_the_card(rig: &mut Rig) -> Outcome {
    for options in ["promiscuous=1 ring_slots=4096 pool_slots=8192", "ring_slots=64", "ring_slots=1024"] {
        let device = rig.open(0, options)?;
        rig.works(0, device)?;
        rig.testee.close(device)?;
    }
    let device = rig.open(0, "")?;
    let mine = crate::frames::numbered(rig.mac(0), 1, 60);
    rig.inject(0, &[crate::frames::numbered(crate::frames::STRANGER, 0, 60), mine.clone()]);
    let got = rig.gather(device, 0, 1)?;
    crate::outcome::expect_frames("received without promiscuous, after a driver with it", &got, &[mine])
}

fn gives_up_when_the_reset_never_ends(rig: &mut Rig) -> Outcome {
    rig.gives_up(Fault::ResetNeverClears, "CTRL")
}

fn gives_up_when_the_eeprom_is_never_read(rig: &mut Rig) -> Outcome {
    rig.gives_up(Fault::EepromNeverDone, "EEC")
}

fn gives_up_when_dma_is_never_initialised(rig: &mut Rig) -> Outcome {
    rig.gives_up(Fault::DmaInitNeverDone, "RDRXCTL")
}

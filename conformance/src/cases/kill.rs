//! A driver that dies without a word.

use crate::case::{Case, case};
use crate::frames::series;
use crate::outcome::Outcome;
use crate::rig::Rig;
use crate::way::Way;

pub(super) const CASES: &[Case] = &[
    case!(the_next_driver_finds_a_working_card, "vfio-user:6"),
    case!(while_forwarding_both_cards_serve_the_next_driver, "vfio-user:6").two_nics(),
    case!(does_not_disturb_a_driver_on_another_card, "vfio-user:6").two_nics(),
];

/// A killed driver cannot stop its queues. A card whose driver is not at the other end of a socket goes on until somebody
/// resets it, with memory that is nobody's any more.
fn forgive_what_is_left_behind(rig: &mut Rig) {
    rig.forgive("close.queues_left_running");
    if rig.world.way() == Way::Sysfs {
        for rule in ["dma.buffer_outside_mapping", "dma.ring_outside_mapping", "dma.fault"] {
            rig.forgive(rule);
        }
    }
}

/// Kills the testee and starts another.
fn kill(rig: &mut Rig) -> Outcome {
    forgive_what_is_left_behind(rig);
    rig.testee.kill();
    rig.replace_testee()
}

fn the_next_driver_finds_a_working_card(rig: &mut Rig) -> Outcome {
    for _ in 0..5 {
        let device = rig.open(0, "ring_slots=64")?;
        rig.works(0, device)?;
        rig.inject(0, &series(rig.mac(0), 0, 2000, 60));
        rig.testee.transmit(device, 0, &series(rig.mac(0), 0, 30, 60))?;
        kill(rig)?;
        rig.until(5.0, "the card is free again", |rig| Ok((!rig.world.taken(0)).then_some(())))?;
        rig.world.port(0).wire.clear();
    }
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

fn while_forwarding_both_cards_serve_the_next_driver(rig: &mut Rig) -> Outcome {
    for _ in 0..3 {
        let (a, b) = (rig.open(0, "")?, rig.open(1, "")?);
        rig.testee.tell_forward(a, b, "millis=60000")?;
        for nic in [0, 1] {
            rig.inject(nic, &series(rig.mac(nic), 0, 20_000, 60));
        }
        rig.until(5.0, "forwarding runs", |rig| {
            Ok((rig.world.port(0).wire.sent_count() > 100).then_some(()))
        })?;
        kill(rig)?;
        rig.until(5.0, "the cards are free again", |rig| {
            Ok((!rig.world.taken(0) && !rig.world.taken(1)).then_some(()))
        })?;
        rig.world.ports().iter().for_each(|port| port.wire.clear());
    }
    let (a, b) = (rig.open(0, "")?, rig.open(1, "")?);
    rig.works(0, a)?;
    rig.works(1, b)
}

fn does_not_disturb_a_driver_on_another_card(rig: &mut Rig) -> Outcome {
    forgive_what_is_left_behind(rig);
    let device = rig.open(0, "")?;
    for _ in 0..3 {
        let socket = rig.socket(1);
        let mut other = rig.another_testee()?;
        other.open(&socket, "")?;
        rig.works(0, device)?;
        other.kill();
        rig.until(5.0, "the card is free again", |rig| Ok((!rig.world.taken(1)).then_some(())))?;
        rig.works(0, device)?;
    }
    let other = rig.open(1, "")?;
    rig.works(1, other)
}

//! Whose frames are received.

use crate::case::{Case, case};
use crate::commands::Device;
use crate::frames::{BROADCAST, GROUP, Mac, STRANGER, numbered};
use crate::outcome::{Outcome, expect_eq, expect_frames};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(receives_what_is_for_the_card_and_for_everybody, "82599:7.1.1"),
    case!(opened_promiscuous_it_receives_everything, "82599:7.1.1.1"),
    case!(promiscuous_can_be_switched_on_and_off, "82599:8.2.3.7.1"),
    case!(an_address_that_differs_in_one_bit_is_a_stranger, "82599:7.1.1.1"),
    case!(what_is_filtered_out_is_not_counted, "protocol:small print"),
];

/// A neighbour of `mac` in address space.
fn flipped(mac: Mac, bit: usize) -> Mac {
    let mut mac = mac;
    mac[bit / 8] ^= 1 << (bit % 8);
    mac
}

/// One frame to each of `to`, and one to the card behind them; expects those that `passes` lets through.
fn filter(rig: &mut Rig, device: Device, to: &[Mac], passes: impl Fn(&Mac) -> bool) -> Outcome {
    let mine = rig.mac(0);
    let first = rig.random.word() as u32;
    let all: Vec<_> =
        to.iter().chain([&mine]).zip(first / 2..).map(|(to, n)| (*to, numbered(*to, n, 64))).collect();
    rig.inject(0, &all.iter().map(|(_, frame)| frame.clone()).collect::<Vec<_>>());
    let expected: Vec<_> =
        all.iter().filter(|(to, _)| *to == mine || passes(to)).map(|(_, frame)| frame.clone()).collect();
    let got = rig.gather(device, 0, expected.len())?;
    expect_frames("received through the filters", &got, &expected)?;
    rig.nothing_left(device, 0)
}

fn receives_what_is_for_the_card_and_for_everybody(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    filter(rig, device, &[STRANGER, BROADCAST, GROUP, STRANGER], |to| *to == BROADCAST)
}

fn opened_promiscuous_it_receives_everything(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "promiscuous=1")?;
    filter(rig, device, &[STRANGER, BROADCAST, GROUP, STRANGER], |_| true)
}

fn promiscuous_can_be_switched_on_and_off(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    for on in [false, true, true, false, true, false] {
        rig.testee.promiscuous(device, on)?;
        filter(rig, device, &[STRANGER, BROADCAST, GROUP], |to| on || *to == BROADCAST)?;
    }
    Ok(())
}

fn an_address_that_differs_in_one_bit_is_a_stranger(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let neighbours: Vec<Mac> = (0..48).map(|bit| flipped(rig.mac(0), bit)).collect();
    for neighbours in neighbours.chunks(16) {
        filter(rig, device, neighbours, |_| false)?;
    }
    Ok(())
}

fn what_is_filtered_out_is_not_counted(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    for _ in 0..5 {
        filter(rig, device, &[STRANGER, GROUP, STRANGER], |_| false)?;
    }
    let stats = rig.testee.stats(device)?;
    expect_eq("rx_packets", stats.rx_packets, 5)?;
    expect_eq("rx_errors and rx_missed", (stats.rx_errors, stats.rx_missed), (0, 0))
}

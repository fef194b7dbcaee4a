//! The testee itself: what it says of its driver, and that it survives what the judge may ask.

use crate::case::{Case, case};
use crate::commands::{ANSWER, Device};
use crate::outcome::{Outcome, expect, expect_eq};
use crate::protocol::Kind;
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(says_who_it_is, "protocol:hello"),
    case!(survives_nonsense, "protocol:small print"),
    case!(ignores_keys_that_it_does_not_know, "protocol:testee protocol"),
    case!(ends_well_at_the_end_of_input, "protocol:quit"),
    case!(ends_well_on_sigterm, "protocol:quit"),
    case!(quit_gives_the_card_back, "protocol:quit"),
];

fn says_who_it_is(rig: &mut Rig) -> Outcome {
    let hello = rig.hello.clone();
    expect(!hello.driver.is_empty() && !hello.version.is_empty(), "a driver with name and version", || {
        format!("{hello:?}")
    })?;
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

fn survives_nonsense(rig: &mut Rig) -> Outcome {
    for command in
        ["fly", "open", "receive", "receive 0 0 1", "stats x", "transmit 0 0 00", "close -1", "forward 0 1"]
    {
        rig.testee.ask_refused(command, &[Kind::Usage])?;
    }
    let device = rig.open(0, "")?;
    let n = device.0;
    for command in [
        format!("receive {n} 7 1"),
        format!("receive {n} 0 many"),
        format!("transmit {n} 0 {}", "g".repeat(120)),
        format!("transmit {n} 0 {}", "0".repeat(121)),
        format!("promiscuous {n} 2"),
        format!("stats {}", n + 1),
        format!("forward {n} {n}"),
    ] {
        rig.testee.ask_refused(&command, &[Kind::Usage])?;
    }
    rig.works(0, device)
}

fn ignores_keys_that_it_does_not_know(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "flavour=vanilla ring_slots=64 colour=blue")?;
    rig.testee.receive(device, 0, 1, "flavour=vanilla")?;
    rig.works(0, device)
}

fn ends_well_at_the_end_of_input(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.testee.close_input();
    ended(rig)
}

fn ends_well_on_sigterm(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.testee.terminate();
    ended(rig)
}

fn ended(rig: &mut Rig) -> Outcome {
    let status = rig.testee.ended(ANSWER)?;
    expect(status.success(), "the testee exits with 0", || status.to_string())?;
    rig.finished();
    super::closed_in_order(rig, 0)
}

fn quit_gives_the_card_back(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.testee.quit()?;
    super::closed_in_order(rig, 0)?;
    rig.replace_testee()?;
    let device = rig.open(0, "")?;
    expect_eq("number of the first device of a new testee", device, Device(0))?;
    rig.works(0, device)
}

//! The card goes away.

use std::thread;
use std::time::Duration;

use crate::case::{Case, case};
use crate::commands::{ANSWER, Device, refused};
use crate::frames::series;
use crate::outcome::{Failure, Outcome, expect, expect_eq};
use crate::protocol::Kind;
use crate::rig::{Rig, lab_failed};

pub(super) const CASES: &[Case] = &[
    case!(is_noticed_while_polling_an_idle_queue, "vfio-user:6"),
    case!(is_noticed_while_traffic_runs, "vfio-user:6"),
    case!(is_noticed_by_the_next_command, "vfio-user:6"),
    case!(ends_forward_with_an_error, "vfio-user:6").two_nics(),
    case!(ends_a_forward_that_has_nothing_to_do, "vfio-user:6").two_nics(),
    case!(leaves_the_packets_of_the_hand_alone, "protocol:small print"),
    case!(of_one_card_does_not_disturb_the_other, "protocol:small print").two_nics(),
];

/// The lab is gone: `command` fails with `DeviceFailed`, if not at once then soon.
fn fails_soon(rig: &mut Rig, command: &str) -> Outcome {
    rig.until(5.0, &format!("`{command}` answers DeviceFailed"), |rig| {
        match rig.testee.ask(command, ANSWER)? {
            Ok(_) => Ok(None),
            Err(refusal) if refusal.kind == Kind::DeviceFailed => Ok(Some(())),
            Err(refusal) => Err(Failure::new("DeviceFailed", refusal.to_string())),
        }
    })
}

/// After the loss: closing succeeds, every slot is accounted for, and a new lab is as good as the old one.
fn life_goes_on(rig: &mut Rig, devices: &[Device]) -> Outcome {
    for &device in devices {
        rig.testee.slots(device)?;
        rig.testee.close(device)?;
    }
    rig.world.again().map_err(lab_failed)?;
    let seed = rig.random.word();
    let nic = rig.world.add_nic(seed).map_err(lab_failed)?;
    let device = rig.open(nic, "")?;
    rig.works(nic, device)
}

fn is_noticed_while_polling_an_idle_queue(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.world.vanish();
    fails_soon(rig, &format!("receive {} 0 32", device.0))?;
    life_goes_on(rig, &[device])
}

fn is_noticed_while_traffic_runs(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let frames = series(rig.mac(0), 0, 64, 60);
    rig.receives(0, device, 0, &frames, 64)?;
    rig.inject(0, &frames);
    rig.testee.transmit(device, 0, &frames)?;
    rig.world.vanish();
    let words: Vec<String> = frames[..4].iter().map(|frame| crate::protocol::hex(frame)).collect();
    fails_soon(rig, &format!("transmit {} 0 {}", device.0, words.join(" ")))?;
    fails_soon(rig, &format!("receive {} 0 32", device.0))?;
    rig.testee.release()?;
    life_goes_on(rig, &[device])
}

fn is_noticed_by_the_next_command(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.world.vanish();
    for command in ["stats", "link"] {
        rig.testee.ask_refused(&format!("{command} {}", device.0), &[Kind::DeviceFailed])?;
    }
    rig.testee.ask_refused(&format!("promiscuous {} 1", device.0), &[Kind::DeviceFailed])?;
    life_goes_on(rig, &[device])
}

fn ends_forward_with_an_error(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "")?, rig.open(1, "")?);
    rig.testee.tell_forward(a, b, "millis=20000")?;
    for nic in [0, 1] {
        rig.inject(nic, &series(rig.mac(nic), 0, 5000, 60));
    }
    rig.until(5.0, "forwarding runs", |rig| Ok((rig.world.port(0).wire.sent_count() > 100).then_some(())))?;
    rig.world.vanish();
    let answer = rig.testee.answer(ANSWER)?;
    refused("forward", answer, &[Kind::DeviceFailed])?;
    life_goes_on(rig, &[a, b])
}

fn ends_a_forward_that_has_nothing_to_do(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "")?, rig.open(1, "")?);
    rig.testee.tell_forward(a, b, "millis=20000")?;
    thread::sleep(Duration::from_millis(200));
    rig.world.vanish();
    let answer = rig.testee.answer(ANSWER)?;
    refused("forward", answer, &[Kind::DeviceFailed])?;
    life_goes_on(rig, &[a, b])
}

fn leaves_the_packets_of_the_hand_alone(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.inject(0, &series(rig.mac(0), 0, 30, 60));
    rig.grasp(device, 0, 30)?;
    rig.world.vanish();
    fails_soon(rig, &format!("receive {} 0 32", device.0))?;
    expect_eq("hand", rig.testee.slots(device)?.hand, 30)?;
    expect_eq("released", rig.testee.release()?, 30)?;
    life_goes_on(rig, &[device])
}

fn of_one_card_does_not_disturb_the_other(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "")?, rig.open(1, "")?);
    rig.works(0, a)?;
    rig.forgive("close.queues_left_running"); // nobody can stop the queues of a card that is gone
    rig.world.disconnect(0);
    fails_soon(rig, &format!("receive {} 0 32", a.0))?;
    rig.works(1, b)?;
    let stats = rig.testee.stats(b)?;
    expect(stats.rx_packets == 1 && stats.tx_packets == 1, "the other card counts on", || {
        format!("{stats:?}")
    })?;
    rig.testee.close(a)?;
    let again = rig.open(0, "")?;
    rig.works(0, again)?;
    rig.works(1, b)
}

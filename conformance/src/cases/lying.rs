//! A card that breaks its own rules. Whatever it says, the driver gives out no byte that is not the packet's, waits for
//! nothing without a deadline, and does not die.

use ringway_lab::events::Side;
use ringway_lab::faults::{Fault, Plan};

use crate::case::{Case, case};
use crate::commands::{ANSWER, Device};
use crate::frames::{mixed, series};
use crate::outcome::{Failure, Outcome, expect, expect_eq};
use crate::protocol::{Kind, Refusal};
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(a_length_beyond_the_buffer_is_not_believed, "protocol:small print"),
    case!(a_packet_without_an_end_is_not_given_out, "protocol:small print"),
    case!(a_packet_without_an_end_leaves_the_card_its_slots, "protocol:small print"),
    case!(a_receiver_that_never_reports_is_no_hang, "design:2"),
    case!(a_sender_that_never_reports_is_no_hang, "design:2"),
    case!(a_receive_queue_that_never_starts_is_a_timeout, "82599:8.2.3.8.6"),
    case!(a_transmit_queue_that_never_starts_is_a_timeout, "82599:8.2.3.9.10"),
    case!(a_card_that_is_slow_to_report_loses_nothing, "82599:7.2.3.5"),
    case!(a_head_register_that_is_stuck_does_not_matter, "82599:7.2.3.5"),
];

/// Bytes that a lying length adds: more than any buffer of a slot holds.
const EXTRA: u16 = 4096;

/// What a driver did with a card that lies: it counted what it threw away, or gave the card up.
enum Reaction {
    Counted(u64),
    Failed(Refusal),
}

/// Receives until all is taken or the driver gives up. Every packet must be one of `frames`, in order.
fn reaction(rig: &mut Rig, device: Device, frames: &[Vec<u8>]) -> Outcome<(usize, Reaction)> {
    let mut rest = frames.iter();
    let mut good = 0;
    let mut silent = 0;
    while silent < 50 {
        let command = format!("receive {} 0 64", device.0);
        let fields = match rig.testee.ask(&command, ANSWER)? {
            Ok(fields) => fields,
            Err(refusal) if refusal.kind == Kind::DeviceFailed => {
                return Ok((good, Reaction::Failed(refusal)));
            }
            Err(refusal) => return Err(Failure::new("packets, or DeviceFailed", refusal.to_string())),
        };
        let broken = |why| Failure::new("a good answer to `receive`", why);
        let packets = fields.packets("packets").map_err(broken)?;
        for packet in &packets {
            expect(
                rest.any(|frame| frame == packet),
                "only packets that were on the wire, whole and in order",
                || {
                    format!(
                        "{} bytes {}",
                        packet.len(),
                        crate::protocol::hex(&packet[..packet.len().min(64)])
                    )
                },
            )?;
        }
        good += packets.len();
        silent = if packets.is_empty() { silent + 1 } else { 0 };
        rig.testee.release()?;
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok((good, Reaction::Counted(rig.testee.stats(device)?.rx_errors)))
}

/// Every third frame comes with a lie. The others must arrive, or the card is given up at the first lie.
fn lies(rig: &mut Rig, fault: Fault, spoiled: impl Fn(usize) -> usize) -> Outcome {
    let device = rig.open(0, "ring_slots=64")?;
    rig.works(0, device)?;
    let frames = mixed(rig.mac(0), 0, 30, &mut rig.random);
    for lie in [2, 9, 16, 23] {
        rig.nic(0, move |nic| nic.faults_mut().arm(Plan::once_after(fault, lie)));
    }
    rig.inject(0, &frames);
    let (good, reaction) = reaction(rig, device, &frames)?;
    match reaction {
        Reaction::Failed(refusal) => {
            expect(good >= 2, "what came before the lie is given out", || {
                format!("{good} packets, {refusal}")
            })?;
        }
        Reaction::Counted(errors) => {
            let least = 30 - spoiled(4);
            expect(good >= least && good < 30, format!("from {least} to 29 good packets"), || {
                format!("{good}")
            })?;
            expect(errors >= 1, "rx_errors counts what was thrown away", || format!("rx_errors={errors}"))?;
            rig.calm(0);
            rig.works(0, device)?;
        }
    }
    rig.calm(0);
    rig.testee.slots(device)?;
    rig.testee.close(device)?;
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

fn a_length_beyond_the_buffer_is_not_believed(rig: &mut Rig) -> Outcome {
    lies(rig, Fault::LyingLength { extra: EXTRA }, |lies| lies)
}

fn a_packet_without_an_end_is_not_given_out(rig: &mut Rig) -> Outcome {
    // The frame behind one without an end looks like its end: a driver cannot but lose both.
    lies(rig, Fault::DdWithoutEop, |lies| 2 * lies)
}

fn a_packet_without_an_end_leaves_the_card_its_slots(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64")?;
    rig.works(0, device)?;
    rig.fault(0, Fault::DdWithoutEop);
    let frames = series(rig.mac(0), 0, 41, 60);
    rig.inject(0, &frames[..1]);
    // Long before there is a next frame: the descriptor behind is the card's, and so is its slot.
    let (good, first) = reaction(rig, device, &[])?;
    expect_eq("packets out of a frame without an end", good, 0)?;
    rig.calm(0);
    if let Reaction::Counted(_) = first {
        rig.inject(0, &frames[1..]);
        let (good, _) = reaction(rig, device, &frames[1..])?;
        expect(good >= 39, "all arrive but the first, which looks like the end that was missing", || {
            format!("{good} of 40")
        })?;
        rig.works(0, device)?;
    }
    rig.testee.close(device)?;
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

fn a_receiver_that_never_reports_is_no_hang(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64")?;
    rig.works(0, device)?;
    rig.fault(0, Fault::DeadDd(Side::Rx));
    rig.inject(0, &series(rig.mac(0), 0, 40, 60));
    for _ in 0..100 {
        rig.nothing_left(device, 0)?;
    }
    // Transmitting goes on.
    rig.transmits(0, device, 0, &series(rig.mac(0), 0, 40, 60))?;
    rig.testee.slots(device)?;
    rig.calm(0);
    rig.testee.close(device)?;
    rig.world.port(0).wire.clear();
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

fn a_sender_that_never_reports_is_no_hang(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=512")?;
    rig.works(0, device)?;
    rig.fault(0, Fault::DeadDd(Side::Tx));
    let mut taken = 0;
    for number in 0..20 {
        taken += rig.testee.transmit(device, 0, &series(rig.mac(0), number * 10, 10, 60))?;
    }
    expect((1..=63).contains(&taken), "a ring of 64 takes from 1 to 63 packets and then none", || {
        format!("{taken}")
    })?;
    rig.sent(0, taken)?;
    expect_eq("sent by a full ring", rig.testee.send(device, 0, 1)?, 0)?;
    // Receiving goes on.
    let frames = series(rig.mac(0), 0, 200, 60);
    rig.receives(0, device, 0, &frames, 20)?;
    let slots = rig.testee.slots(device)?;
    expect(slots.tx >= taken as u64, "the slots that are not reported stay in the ring", || {
        format!("{slots:?}")
    })?;
    rig.calm(0);
    rig.testee.close(device)?;
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

/// A queue that never reads back as enabled: opening times out and names the register.
fn never_starts(rig: &mut Rig, side: Side, register: &str) -> Outcome {
    rig.gives_up(Fault::EnableNeverReadsBack(side), register)
}

fn a_receive_queue_that_never_starts_is_a_timeout(rig: &mut Rig) -> Outcome {
    never_starts(rig, Side::Rx, "RXDCTL")
}

fn a_transmit_queue_that_never_starts_is_a_timeout(rig: &mut Rig) -> Outcome {
    never_starts(rig, Side::Tx, "TXDCTL")
}

fn a_card_that_is_slow_to_report_loses_nothing(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=256")?;
    for side in [Side::Rx, Side::Tx] {
        rig.fault(0, Fault::LateDd { side, delay_us: 3000 });
    }
    let frames = mixed(rig.mac(0), 0, 300, &mut rig.random);
    rig.transmits(0, device, 0, &frames)?;
    rig.receives(0, device, 0, &frames, 30)
}

fn a_head_register_that_is_stuck_does_not_matter(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64 pool_slots=256")?;
    for side in [Side::Rx, Side::Tx] {
        rig.fault(0, Fault::HeadStuck(side));
    }
    let frames = mixed(rig.mac(0), 0, 300, &mut rig.random);
    rig.transmits(0, device, 0, &frames)?;
    rig.receives(0, device, 0, &frames, 30)
}

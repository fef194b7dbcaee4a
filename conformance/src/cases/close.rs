//! Closing a device.

use std::thread;
use std::time::Duration;

use ringway_lab::events::Event;

use crate::case::{Case, case};
use crate::commands::Device;
use crate::frames::series;
use crate::outcome::{Outcome, expect, expect_eq, expect_frames};
use crate::protocol::Kind;
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(stops_all_dma_before_it_answers, "design:2").descriptors(),
    case!(sends_first_what_it_was_given, "82599:4.6.8.1"),
    case!(does_not_wait_for_ever_for_the_link, "protocol:close"),
    case!(disables_the_queues_before_memory_goes, "82599:4.6.7.1"),
    case!(and_opening_again_works_many_times, "design:2"),
    case!(twice_is_the_judges_own_fault, "protocol:close"),
    case!(gives_back_the_packets_of_its_hand_and_no_others, "protocol:small print").two_nics(),
    case!(with_packets_of_another_device_in_its_ring, "protocol:small print").two_nics(),
];

/// What tells of the NIC at work in the driver's memory.
fn is_dma(event: &Event) -> bool {
    matches!(
        event,
        Event::Fetched { .. } | Event::Completed { .. } | Event::HeadMoved { .. } | Event::DmaFault { .. }
    )
}

fn stops_all_dma_before_it_answers(rig: &mut Rig) -> Outcome {
    for _ in 0..5 {
        let device = rig.open(0, "promiscuous=1 ring_slots=256")?;
        rig.works(0, device)?;
        // More than the ring holds, so that the card is at work when the driver closes.
        rig.inject(0, &series(rig.mac(0), 0, 4000, 1000));
        let taken = rig.testee.transmit(device, 0, &series(rig.mac(0), 0, 60, 1000))?;
        rig.testee.close(device)?;
        let record = rig.record(0);
        expect(record.count(is_dma) > 0, "the card was at work", || "no descriptor was fetched".into())?;
        record.clear();
        rig.inject(0, &series(rig.mac(0), 0, 100, 100));
        thread::sleep(Duration::from_millis(30));
        let late = record.events().into_iter().find(is_dma);
        expect(late.is_none(), "no DMA after close has answered", || format!("{late:x?}"))?;
        let sent = rig.world.port(0).wire.sent().len();
        expect(sent <= taken, format!("at most {taken} frames on the wire"), || format!("{sent}"))?;
        rig.world.port(0).wire.clear();
    }
    Ok(())
}

/// Transmits while there is no link, so that the packets wait in the ring. Returns them.
fn hold_back(rig: &mut Rig, device: Device) -> Outcome<Vec<Vec<u8>>> {
    rig.nic(0, |nic| nic.set_link(false));
    let frames = series(rig.mac(0), 0, 100, 60);
    expect_eq("packets taken", rig.testee.transmit(device, 0, &frames)?, frames.len())?;
    expect_eq("frames on the wire without a link", rig.world.port(0).wire.sent().len(), 0)?;
    Ok(frames)
}

fn sends_first_what_it_was_given(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    let frames = hold_back(rig, device)?;
    rig.testee.tell_close(device)?;
    thread::sleep(Duration::from_millis(30));
    rig.nic(0, |nic| nic.set_link(true));
    rig.testee.closed()?;
    expect_frames("on the wire when close has answered", &rig.world.port(0).wire.sent(), &frames)
}

fn does_not_wait_for_ever_for_the_link(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    hold_back(rig, device)?;
    rig.testee.close(device)?;
    rig.nic(0, |nic| nic.set_link(true));
    let device = rig.open(0, "link_wait_ms=5000")?;
    rig.works(0, device)
}

fn disables_the_queues_before_memory_goes(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.testee.close(device)?;
    super::closed_in_order(rig, 0)
}

fn and_opening_again_works_many_times(rig: &mut Rig) -> Outcome {
    for number in 0..20 {
        let device = rig.open(0, "ring_slots=64 pool_slots=256")?;
        expect_eq("number of the device", device, Device(number))?;
        rig.works(0, device)?;
        rig.testee.close(device)?;
    }
    Ok(())
}

fn twice_is_the_judges_own_fault(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    rig.works(0, device)?;
    rig.testee.close(device)?;
    rig.testee.ask_refused(&format!("close {}", device.0), &[Kind::Usage])?;
    let device = rig.open(0, "")?;
    rig.works(0, device)
}

fn gives_back_the_packets_of_its_hand_and_no_others(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.open(0, "")?, rig.open(1, "")?);
    let (of_a, of_b) = (series(rig.mac(0), 0, 20, 60), series(rig.mac(1), 100, 20, 60));
    for (of_a, of_b) in of_a.chunks(5).zip(of_b.chunks(5)) {
        rig.inject(0, of_a);
        rig.grasp(a, 0, of_a.len())?;
        rig.inject(1, of_b);
        rig.grasp(b, 0, of_b.len())?;
    }
    rig.testee.close(a)?;
    expect_eq("hand of the device that is left", rig.testee.slots(b)?.hand, 20)?;
    rig.send(b, 0, 20)?;
    let sent = rig.sent(1, 20)?;
    expect_frames("sent from what is left in the hand", &sent, &of_b)?;
    expect_eq("released from an empty hand", rig.testee.release()?, 0)
}

fn with_packets_of_another_device_in_its_ring(rig: &mut Rig) -> Outcome {
    let a = rig.open(0, "")?;
    for _ in 0..5 {
        let b = rig.open(1, "")?;
        let frames = series(rig.mac(0), 0, 30, 60);
        rig.inject(0, &frames);
        rig.grasp(a, 0, 30)?;
        rig.send(b, 0, 30)?;
        let sent = rig.sent(1, 30)?;
        expect_frames("sent through the other device", &sent, &frames)?;
        rig.testee.close(b)?;
        let slots = rig.testee.slots(a)?;
        expect(slots.tx == 0 && slots.hand == 0, "the slots have come home from the closed ring", || {
            format!("{slots:?}")
        })?;
    }
    rig.works(0, a)
}

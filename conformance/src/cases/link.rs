//! The link.

use std::thread;
use std::time::{Duration, Instant};

use crate::case::{Case, case};
use crate::commands::{OPEN, names, refused};
use crate::outcome::{Failure, Outcome, expect, expect_eq};
use crate::protocol::Kind;
use crate::rig::Rig;

pub(super) const CASES: &[Case] = &[
    case!(is_told_with_its_speed, "82599:8.2.3.22.20"),
    case!(is_seen_to_go_and_to_come_back, "82599:8.2.3.22.20"),
    case!(open_waits_for_it, "protocol:open"),
    case!(that_never_comes_is_a_timeout, "protocol:open"),
    case!(that_is_down_does_not_fail_an_open_that_does_not_wait, "protocol:open"),
];

fn is_told_with_its_speed(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    expect_eq("link", rig.testee.link(device)?, (true, 10_000))?;
    rig.works(0, device)
}

fn is_seen_to_go_and_to_come_back(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    for _ in 0..3 {
        rig.works(0, device)?;
        for up in [false, true] {
            rig.nic(0, move |nic| nic.set_link(up));
            // A driver may look twice, for the bit is latched low on a card.
            rig.until(5.0, "the driver sees the change", |rig| {
                Ok((rig.testee.link(device)?.0 == up).then_some(()))
            })?;
        }
    }
    rig.works(0, device)
}

fn open_waits_for_it(rig: &mut Rig) -> Outcome {
    rig.nic(0, |nic| nic.set_link(false));
    let socket = rig.socket(0);
    rig.testee.tell_open(&socket, "link_wait_ms=8000")?;
    thread::sleep(Duration::from_millis(300));
    rig.nic(0, |nic| nic.set_link(true));
    let device =
        rig.testee.opened(OPEN)?.map_err(|refusal| Failure::new("open waits", refusal.to_string()))?.device;
    expect_eq("link", rig.testee.link(device)?, (true, 10_000))?;
    rig.works(0, device)
}

fn that_never_comes_is_a_timeout(rig: &mut Rig) -> Outcome {
    rig.nic(0, |nic| nic.set_link(false));
    let socket = rig.socket(0);
    let start = Instant::now();
    let answer = rig.testee.try_open(&socket, "link_wait_ms=400")?;
    let waited = start.elapsed();
    names(&refused("open link_wait_ms=400", answer, &[Kind::Timeout])?, "LINKS")?;
    expect(waited >= Duration::from_millis(400), "at least 400 ms of waiting", || format!("{waited:?}"))?;
    rig.nic(0, |nic| nic.set_link(true));
    let device = rig.open(0, "link_wait_ms=5000")?;
    rig.works(0, device)
}

fn that_is_down_does_not_fail_an_open_that_does_not_wait(rig: &mut Rig) -> Outcome {
    rig.nic(0, |nic| nic.set_link(false));
    let socket = rig.socket(0);
    let device = rig.testee.open(&socket, "")?.device;
    expect_eq("link", rig.testee.link(device)?, (false, 0))?;
    rig.nothing_left(device, 0)?;
    rig.nic(0, |nic| nic.set_link(true));
    rig.until(5.0, "the driver sees the link come", |rig| Ok(rig.testee.link(device)?.0.then_some(())))?;
    rig.works(0, device)
}

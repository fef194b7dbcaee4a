//! Opening a device, and being refused.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread;

use ringway_lab::device::Device as _;
use ringway_lab::ixgbe::regs::{RDLEN, TDLEN};

use crate::case::{Case, case};
use crate::commands::{Device, names};
use crate::frames::{mixed, series};
use crate::outcome::{Failure, Outcome, expect, expect_eq};
use crate::protocol::Kind;
use crate::rig::{Rig, lab_failed, nowhere};

pub(super) const CASES: &[Case] = &[
    case!(tells_the_address_of_the_card, "82599:8.2.3.7.9"),
    case!(says_which_way_it_went, "design:3"),
    case!(switches_bus_mastering_on, "vfio-user:7.2"),
    case!(refuses_an_address_where_nothing_is, "protocol:open"),
    case!(refuses_a_socket_that_nobody_serves, "protocol:open"),
    case!(refuses_a_peer_that_speaks_something_else, "vfio-user:3.1"),
    case!(gives_up_on_a_peer_that_says_nothing, "design:2"),
    case!(refuses_an_address_that_is_no_address, "protocol:open"),
    case!(refuses_a_card_that_somebody_else_has, "protocol:open"),
    case!(opens_two_cards, "protocol:open").two_nics(),
    case!(works_when_nothing_can_be_mapped, "design:3").trapped(),
    case!(takes_every_ring_that_it_must, "protocol:open"),
    case!(refuses_rings_that_no_card_has, "82599:8.2.3.8.3"),
    case!(refuses_a_pool_that_cannot_fill_the_ring, "protocol:open"),
    case!(never_gives_a_number_twice, "protocol:small print"),
    case!(a_failed_open_gives_the_card_back, "protocol:open"),
];

fn tells_the_address_of_the_card(rig: &mut Rig) -> Outcome {
    let opened = rig.opened(0, "")?;
    expect_eq("mac", opened.mac, rig.mac(0))?;
    rig.works(0, opened.device)
}

fn says_which_way_it_went(rig: &mut Rig) -> Outcome {
    let opened = rig.opened(0, "")?;
    expect_eq("way", opened.way.as_str(), rig.world.way().name())?;
    rig.works(0, opened.device)
}

fn switches_bus_mastering_on(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let command = rig.nic(0, |nic| {
        let mut word = [0; 2];
        nic.read(7, 4, &mut word).map(|()| u16::from_le_bytes(word))
    });
    let command = command.map_err(|errno| lab_failed(errno.into()))?;
    expect(command & 4 != 0, "bit 2 of the PCI command register is set", || format!("it is {command:#06x}"))?;
    rig.works(0, device)
}

fn refuses_an_address_where_nothing_is(rig: &mut Rig) -> Outcome {
    let path = nowhere(&rig.world);
    let refusal = rig.testee.open_refused(&path, "", &[Kind::NoSuchDevice])?;
    names(&refusal, &path.display().to_string())?;
    still_opens(rig)
}

fn refuses_a_socket_that_nobody_serves(rig: &mut Rig) -> Outcome {
    let path = rig.world.path("stale");
    drop(UnixListener::bind(&path).map_err(lab_failed)?);
    let refusal = rig.testee.open_refused(&path, "", &[Kind::NoSuchDevice])?;
    names(&refusal, &path.display().to_string())?;
    still_opens(rig)
}

/// A peer that says `words` to whoever comes, and then stays or goes.
fn stranger(path: &Path, words: &'static [u8], stays: bool) -> Outcome {
    let listener = UnixListener::bind(path).map_err(lab_failed)?;
    thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return };
        let _ = stream.write_all(words);
        if stays {
            // Reads until the driver has given up and closes.
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    Ok(())
}

fn refuses_a_peer_that_speaks_something_else(rig: &mut Rig) -> Outcome {
    // A web server, a message of no length, one of four gigabytes, an answer to another command, nothing at all.
    let words: [&'static [u8]; 5] = [
        b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
        &[0; 32],
        &[0xff; 64],
        b"\0\0\x09\0\x10\0\0\0\x01\0\0\0\0\0\0\0",
        b"",
    ];
    for (number, words) in words.into_iter().enumerate() {
        let path = rig.world.path(&format!("odd{number}"));
        stranger(&path, words, false)?;
        let refusal = rig.testee.open_refused(&path, "", &[Kind::NoSuchDevice])?;
        names(&refusal, &path.display().to_string())?;
    }
    still_opens(rig)
}

fn gives_up_on_a_peer_that_says_nothing(rig: &mut Rig) -> Outcome {
    let path = rig.world.path("mute");
    stranger(&path, b"", true)?;
    rig.testee.open_refused(&path, "", &[Kind::NoSuchDevice, Kind::Timeout])?;
    still_opens(rig)
}

fn refuses_an_address_that_is_no_address(rig: &mut Rig) -> Outcome {
    for address in ["unix:", "eth0", "ffff:ff:1f.7"] {
        let kinds = [Kind::NoSuchDevice, Kind::Unsupported, Kind::Usage, Kind::PermissionDenied];
        rig.testee.ask_refused(&format!("open {address}"), &kinds)?;
    }
    still_opens(rig)
}

fn refuses_a_card_that_somebody_else_has(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "")?;
    let socket = rig.socket(0);
    let mut second = rig.another_testee()?;
    second.open_refused(&socket, "", &[Kind::PermissionDenied])?;
    rig.works(0, device)?;
    rig.testee.close(device)?;
    second.open(&socket, "")?;
    second.quit()
}

fn opens_two_cards(rig: &mut Rig) -> Outcome {
    let (a, b) = (rig.opened(0, "")?, rig.opened(1, "")?);
    expect_eq("numbers of the devices", (a.device, b.device), (Device(0), Device(1)))?;
    expect_eq("addresses", (a.mac, b.mac), (rig.mac(0), rig.mac(1)))?;
    for nic in [0, 1, 0] {
        rig.works(nic, Device(nic as u64))?;
    }
    Ok(())
}

fn works_when_nothing_can_be_mapped(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "ring_slots=64")?;
    let frames = mixed(rig.mac(0), 0, 200, &mut rig.random);
    rig.receives(0, device, 0, &frames, 20)?;
    rig.transmits(0, device, 0, &frames)
}

fn takes_every_ring_that_it_must(rig: &mut Rig) -> Outcome {
    for slots in [64, 128, 256, 512, 1024, 2048, 4096] {
        let device = rig.open(0, &format!("ring_slots={slots} pool_slots={}", 2 * slots + 256))?;
        for length in [RDLEN, TDLEN] {
            expect_eq(&length.at(0).to_string(), rig.peek(0, length.at(0)), slots * 16)?;
        }
        let frames = series(rig.mac(0), slots, 20, 64);
        rig.receives(0, device, 0, &frames, 20)?;
        rig.transmits(0, device, 0, &frames)?;
        rig.testee.close(device)?;
    }
    Ok(())
}

fn refuses_rings_that_no_card_has(rig: &mut Rig) -> Outcome {
    let socket = rig.socket(0);
    for slots in [0, 1, 7, 100, 8200, 1 << 20] {
        let options = format!("ring_slots={slots} pool_slots=20000");
        rig.testee.open_refused(&socket, &options, &[Kind::Unsupported, Kind::Usage])?;
    }
    still_opens(rig)
}

fn refuses_a_pool_that_cannot_fill_the_ring(rig: &mut Rig) -> Outcome {
    let socket = rig.socket(0);
    for slots in [0, 1, 400] {
        rig.testee.open_refused(
            &socket,
            &format!("ring_slots=512 pool_slots={slots}"),
            &[Kind::OutOfMemory],
        )?;
    }
    still_opens(rig)
}

fn never_gives_a_number_twice(rig: &mut Rig) -> Outcome {
    for number in 0..3 {
        let device = rig.open(0, "")?;
        expect_eq("number of the device", device, Device(number))?;
        rig.testee.close(device)?;
        for command in ["stats", "link", "slots", "close"] {
            rig.testee.ask_refused(&format!("{command} {number}"), &[Kind::Usage])?;
        }
    }
    still_opens(rig)
}

fn a_failed_open_gives_the_card_back(rig: &mut Rig) -> Outcome {
    rig.nic(0, |nic| nic.set_link(false));
    let socket = rig.socket(0);
    rig.testee.open_refused(&socket, "link_wait_ms=100", &[Kind::Timeout])?;
    rig.until(1.0, "the failed driver lets go of the card", |rig| Ok((!rig.world.taken(0)).then_some(())))?;
    rig.nic(0, |nic| nic.set_link(true));
    let mut second = rig.another_testee()?;
    let opened = second.open(&socket, "")?;
    second.close(opened.device)?;
    second.quit()?;
    still_opens(rig)
}

/// After all refusals the card opens and works: a driver that refuses everything is no driver.
fn still_opens(rig: &mut Rig) -> Outcome {
    let device = rig.open(0, "").map_err(|failure| Failure {
        expected: format!("after the refusals: {}", failure.expected),
        ..failure
    })?;
    rig.works(0, device)
}

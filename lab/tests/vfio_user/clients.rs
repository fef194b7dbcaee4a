//! Clients come, go, die, and come in pairs.

use std::os::fd::AsFd;

use crate::rig::*;

/// The next client is served.
fn next_client(rig: &mut Rig) {
    drop(std::mem::replace(&mut rig.client, Connection::new(&mut rig.server)));
    assert_eq!(rig.ask(&version(b""))[8], 1);
    rig.probe();
}

#[test]
fn a_client_may_leave_and_another_come() {
    let mut rig = Rig::connected();
    rig.ask_fds(&dma_map(1, 3, 0, 0, 4096), &[memory_file(4096)]);
    rig.ask_fds(&set_irqs(1, 0x24, 2, 0, 3, &[]), &eventfds(3));
    rig.device.take_log();
    next_client(&mut rig);
    // First DMA stops, then the memory goes, then the next one comes.
    assert_eq!(rig.device.take_log(), ["detached with 1 maps", "unmap 0x0 0x1000", "attached"]);
    assert!(rig.device.eventfds.is_empty());
}

#[test]
fn a_client_may_vanish_in_the_middle_of_a_message() {
    let message = write(1, 0, 0, 0x100, &[1, 2, 3, 4]);
    for cut in 0..message.len() {
        let mut rig = Rig::connected();
        rig.client.send(&message[..cut]);
        rig.poll();
        next_client(&mut rig);
        assert!(!rig.device.log.iter().any(|entry| entry.starts_with("write")));
    }
}

#[test]
fn a_client_may_vanish_in_the_middle_of_its_version() {
    let message = version(b"{}\0");
    for cut in 0..message.len() {
        let mut rig = Rig::new();
        rig.client.send(&message[..cut]);
        rig.poll();
        next_client(&mut rig);
        assert_eq!(rig.device.take_log(), ["attached"]);
    }
}

#[test]
fn a_client_may_vanish_with_unread_replies() {
    let mut rig = Rig::connected();
    for _ in 0..200 {
        rig.client.send(&read(1, 0, 8, 4));
    }
    rig.poll();
    next_client(&mut rig);
    let question = read(1, 0, 0, 0x8000);
    while rig.client.try_send(&question, &[]).is_ok() {
        rig.poll();
    }
    next_client(&mut rig);
}

#[test]
fn what_a_dead_client_has_posted_is_still_done() {
    let mut rig = Rig::connected();
    for n in 0..100 {
        rig.client.send(&write(1, 0x10, 0, n * 4, &[1, 0, 0, 0]));
    }
    drop(std::mem::replace(&mut rig.client, Connection::new(&mut rig.server)));
    rig.poll();
    assert_eq!(rig.device.log.iter().filter(|entry| entry.starts_with("write")).count(), 100);
    assert_eq!(rig.device.log.last().unwrap(), "detached with 0 maps");
}

#[test]
fn a_descriptor_of_a_dead_client_is_closed() {
    let mut rig = Rig::connected();
    let file = memory_file(4096);
    rig.client.send_fds(&dma_map(1, 3, 0, 0, 4096)[..20], &[file.as_fd()]);
    rig.poll();
    assert_eq!(copies(&file), 2);
    next_client(&mut rig);
    assert_eq!(copies(&file), 1);
}

#[test]
fn a_second_client_is_told_that_the_device_is_busy() {
    let mut rig = Rig::connected();
    for _ in 0..3 {
        let second = Connection::new(&mut rig.server);
        second.send(&version(b"{}\0"));
        rig.poll();
        assert_eq!(second.receive().unwrap().bytes, bad(0, 1, EBUSY));
        assert!(second.is_closed());
        let notes = rig.server.take_notes();
        assert!(notes.len() == 1 && notes[0].contains("another driver has the device"), "{notes:?}");
        rig.probe();
    }
    assert!(rig.device.log.is_empty(), "the first client's device was touched");
}

#[test]
fn who_comes_right_after_a_dead_client_is_not_turned_away() {
    let mut rig = Rig::connected();
    // More than one poll will handle, so the server has not yet seen the end.
    for _ in 0..150 {
        rig.client.send(&write(1, 0x10, 0, 0, &[0; 4]));
    }
    drop(std::mem::replace(&mut rig.client, Connection::new(&mut rig.server)));
    rig.client.send(&version(b""));
    rig.server.poll(&mut rig.device);
    rig.poll();
    assert_eq!(rig.client.receive().unwrap().bytes[8], 1);
    rig.probe();
}

#[test]
fn who_waits_without_a_word_gets_the_device_when_it_is_free() {
    let mut rig = Rig::connected();
    let second = Connection::new(&mut rig.server);
    rig.poll();
    drop(std::mem::replace(&mut rig.client, second));
    assert_eq!(rig.ask(&version(b""))[8], 1);
    rig.probe();
}

#[test]
fn silent_connections_are_bounded() {
    let mut rig = Rig::connected();
    let silent: Vec<_> = (0..40).map(|_| Connection::new(&mut rig.server)).collect();
    rig.poll();
    assert_eq!(silent.iter().filter(|connection| !connection.is_closed()).count(), 16);
    rig.probe();
}

#[test]
fn the_device_may_hang_up() {
    let mut rig = Rig::connected();
    rig.ask_fds(&dma_map(1, 3, 0, 0, 4096), &[memory_file(4096)]);
    rig.device.hang_up = true;
    rig.device.take_log();
    rig.poll();
    assert!(rig.client.is_closed());
    assert_eq!(rig.device.take_log(), ["detached with 1 maps", "unmap 0x0 0x1000"]);
    next_client(&mut rig);
}

#[test]
fn a_client_that_only_stops_sending_gets_its_answers() {
    let mut rig = Rig::connected();
    rig.client.send(&read(1, 0, 8, 4));
    rustix::net::shutdown(&rig.client.0, rustix::net::Shutdown::Write).unwrap();
    rig.poll();
    assert_eq!(rig.client.receive().unwrap().bytes[8], 1);
    assert!(rig.client.is_closed());
}

#[test]
fn notes_are_bounded() {
    let mut rig = Rig::connected();
    for _ in 0..1000 {
        rig.ask(&read(1, 9, 0, 4));
    }
    assert_eq!(rig.server.take_notes().len(), 64);
    assert!(rig.server.take_notes().is_empty());
}

//! DEVICE_SET_IRQS.

use std::os::fd::OwnedFd;

use crate::fake::{STUBBORN, VECTORS};
use crate::rig::*;

fn bound(rig: &Rig) -> Vec<u32> {
    rig.device.eventfds.keys().map(|(_, vector)| *vector).collect()
}

#[test]
fn binding_as_captured() {
    let mut rig = Rig::connected();
    let fds = eventfds(2);
    let reply = rig.ask_fds(
        &hex("08 00 08 00 24 00 00 00 00 00 00 00 00 00 00 00
              14 00 00 00 24 00 00 00 02 00 00 00 00 00 00 00 02 00 00 00"),
        &fds,
    );
    assert_eq!(reply.bytes, hex("08 00 08 00 10 00 00 00 01 00 00 00 00 00 00 00"));
    assert_eq!(bound(&rig), [0, 1]);
    // Vector 1 got the second descriptor.
    rig.ask(&set_irqs(1, 0x21, 2, 1, 1, &[]));
    assert_eq!((signals(&fds[0]), signals(&fds[1])), (0, 1));
    // Turning off, as captured.
    rig.ask(&message(2, 8, 0, &hex("14 00 00 00 21 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00")));
    assert!(bound(&rig).is_empty());
}

#[test]
fn a_full_message_of_64_vectors_is_bound() {
    let mut rig = Rig::connected();
    let fds = eventfds(60);
    assert_eq!(rig.ask_fds(&set_irqs(1, 0x24, 2, 0, 60, &[]), &fds).bytes, good(1, 8));
    assert_eq!(bound(&rig).len(), 60);
    rig.ask(&set_irqs(1, 0x21, 2, 0, 60, &[]));
    assert!(fds.iter().all(|fd| signals(fd) == 1));
    // 64 arrive; that the device refuses one of them is its own business.
    rig.refused_fds(&set_irqs(1, 0x24, 2, 0, 64, &[]), &eventfds(64), 16);
}

#[test]
fn binding_again_replaces_and_closes() {
    let mut rig = Rig::connected();
    let (first, second) = (eventfds(1), eventfds(1));
    rig.ask_fds(&set_irqs(1, 0x24, 2, 5, 1, &[]), &first);
    rig.ask_fds(&set_irqs(2, 0x24, 2, 5, 1, &[]), &second);
    rig.ask(&set_irqs(3, 0x21, 2, 5, 1, &[]));
    assert_eq!((signals(&first[0]), signals(&second[0])), (0, 1));
}

#[test]
fn unbinding_a_range_leaves_the_others() {
    let mut rig = Rig::connected();
    rig.ask_fds(&set_irqs(1, 0x24, 2, 0, 4, &[]), &eventfds(4));
    assert_eq!(rig.ask(&set_irqs(2, 0x24, 2, 2, 2, &[])), good(2, 8));
    assert_eq!(bound(&rig), [0, 1]);
    assert_eq!(rig.ask(&set_irqs(2, 0x24, 2, 9, 3, &[])), good(2, 8), "nothing was bound there");
}

#[test]
fn firing_by_hand() {
    let mut rig = Rig::connected();
    assert_eq!(rig.ask(&set_irqs(1, 0x21, 2, 3, 2, &[])), good(1, 8));
    assert_eq!(rig.device.take_log(), ["trigger 2 3", "trigger 2 4"]);
    assert_eq!(rig.ask(&set_irqs(1, 0x22, 2, 10, 4, &[1, 0, 0, 255])), good(1, 8));
    assert_eq!(rig.device.take_log(), ["trigger 2 10", "trigger 2 13"]);
}

#[test]
fn an_index_can_be_turned_off_whatever_it_has() {
    let mut rig = Rig::connected();
    rig.ask_fds(&set_irqs(1, 0x24, 2, 0, 4, &[]), &eventfds(4));
    for index in 0..5 {
        assert_eq!(rig.ask(&set_irqs(2, 0x21, index, 0, 0, &[])), good(2, 8));
    }
    assert!(bound(&rig).is_empty());
}

#[test]
fn combinations_of_flags_that_mean_nothing_are_refused() {
    let mut rig = Rig::connected();
    let meaningful = [0x21, 0x22, 0x24];
    for flags in
        (0..64).filter(|flags| !meaningful.contains(flags)).chain([0x40, 0x61, 0x8000_0021, u32::MAX])
    {
        rig.refused(&set_irqs(1, flags, 2, 0, 1, &[]), EINVAL);
    }
    assert!(rig.device.log.is_empty());
}

#[test]
fn ranges_that_do_not_exist_are_refused() {
    let mut rig = Rig::connected();
    for (index, start, count) in [
        (2, VECTORS, 1),
        (2, 0, VECTORS + 1),
        (2, 63, 2),
        (2, u32::MAX, 1),
        (2, 1, u32::MAX),
        (2, 1, 0),
        (0, 0, 1),
        (5, 0, 0),
        (5, 0, 1),
        (u32::MAX, 0, 1),
    ] {
        rig.refused(&set_irqs(1, 0x21, index, start, count, &[]), EINVAL);
        rig.refused(&set_irqs(1, 0x24, index, start, count, &[]), EINVAL);
    }
    for flags in [0x22, 0x24] {
        rig.refused(&set_irqs(1, flags, 2, 0, 0, &[]), EINVAL);
    }
}

#[test]
fn data_must_fit_the_count() {
    let mut rig = Rig::connected();
    for bools in [&[][..], &[1], &[1, 1, 1]] {
        rig.refused(&set_irqs(1, 0x22, 2, 0, 2, bools), EINVAL);
    }
    rig.refused(&set_irqs(1, 0x21, 2, 0, 1, &[1]), EINVAL);
    rig.refused(&set_irqs(1, 0x24, 2, 0, 1, &[1, 0, 0, 0]), EINVAL);
    rig.refused(&message(1, 8, 0, &words(&[20, 0x21, 2, 0])), EINVAL);
    rig.refused(&message(1, 8, 0, &words(&[19, 0x21, 2, 0, 1])), EINVAL);
    assert!(rig.device.log.is_empty());
}

#[test]
fn descriptors_must_fit_the_count() {
    let mut rig = Rig::connected();
    for (count, fds) in [(2, 1), (1, 2), (3, 2), (64, 63)] {
        rig.refused_fds(&set_irqs(1, 0x24, 2, 0, count, &[]), &eventfds(fds), EINVAL);
    }
    rig.refused_fds(&set_irqs(1, 0x21, 2, 0, 1, &[]), &eventfds(1), EINVAL);
    rig.refused_fds(&set_irqs(1, 0x22, 2, 0, 1, &[1]), &eventfds(1), EINVAL);
    rig.refused_fds(&set_irqs(1, 0x21, 2, 0, 0, &[]), &eventfds(1), EINVAL);
    assert!(bound(&rig).is_empty());
}

#[test]
fn more_descriptors_than_announced_are_refused_and_closed() {
    let mut rig = Rig::connected();
    for count in [65, 100, 253] {
        rig.refused_fds(&set_irqs(1, 0x24, 2, 0, 64, &[]), &eventfds(count), EINVAL);
        assert!(bound(&rig).is_empty());
    }
}

#[test]
fn what_is_not_an_eventfd_is_refused() {
    let mut rig = Rig::connected();
    let socket: OwnedFd = std::os::unix::net::UnixStream::pair().unwrap().0.into();
    rig.refused_fds(&set_irqs(1, 0x24, 2, 0, 1, &[]), &[socket], EINVAL);
    rig.refused_fds(&set_irqs(1, 0x24, 2, 0, 1, &[]), &[memory_file(4096)], EINVAL);
}

#[test]
fn the_error_of_the_device_reaches_the_client() {
    let mut rig = Rig::connected();
    rig.refused_fds(&set_irqs(1, 0x24, 2, STUBBORN, 1, &[]), &eventfds(1), 16);
}

#[test]
fn turning_off_and_leaving_close_the_eventfds() {
    let mut rig = Rig::connected();
    let fds = eventfds(2);
    let copied = || fds.iter().map(copies).collect::<Vec<_>>();
    let bind = set_irqs(1, 0x24, 2, 0, 2, &[]);
    let send =
        |rig: &mut Rig| rig.ask_fds(&bind, &[fds[0].try_clone().unwrap(), fds[1].try_clone().unwrap()]);
    send(&mut rig);
    assert_eq!(copied(), [2, 2]);
    rig.ask(&set_irqs(2, 0x21, 2, 0, 0, &[]));
    assert_eq!(copied(), [1, 1]);
    send(&mut rig);
    drop(std::mem::replace(&mut rig.client, Connection::new(&mut rig.server)));
    rig.poll();
    assert_eq!(copied(), [1, 1]);
}

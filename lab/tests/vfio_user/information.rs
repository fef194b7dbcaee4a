//! What the device is made of.

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::fake::{Fake, READ_ONLY, WRITE_ONLY};
use crate::rig::*;

fn region_info(argsz: u32, index: u32) -> Vec<u8> {
    message(2, 5, 0, &words(&[argsz, 0, index, 0, 0, 0, 0, 0]))
}

#[test]
fn device_info_as_captured() {
    let mut rig = Rig::connected();
    let reply = rig.ask(&hex(
        "01 00 04 00 20 00 00 00 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
    ));
    let captured =
        "01 00 04 00 20 00 00 00 01 00 00 00 00 00 00 00 10 00 00 00 03 00 00 00 09 00 00 00 05 00 00 00";
    assert_eq!(reply, hex(captured));
}

#[test]
fn region_info_as_captured_in_two_steps() {
    let mut rig = Rig::connected();
    let short = rig.ask_fds(
        &hex(
            "02 00 05 00 30 00 00 00 00 00 00 00 00 00 00 00 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
             00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
        ),
        &[],
    );
    assert_eq!(
        short.bytes,
        hex("02 00 05 00 30 00 00 00 01 00 00 00 00 00 00 00 50 00 00 00 0f 00 00 00 00 00 00 00 00 00 00 00
             00 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00")
    );
    assert!(short.fds.is_empty(), "the file comes only with the full answer");
    let full = rig.ask_fds(
        &hex(
            "03 00 05 00 30 00 00 00 00 00 00 00 00 00 00 00 50 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
             00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
        ),
        &[],
    );
    assert_eq!(
        full.bytes,
        hex("03 00 05 00 60 00 00 00 01 00 00 00 00 00 00 00
             50 00 00 00 0f 00 00 00 00 00 00 00 20 00 00 00
             00 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00
             01 00 01 00 00 00 00 00 02 00 00 00 00 00 00 00
             00 10 00 00 00 00 00 00 00 10 00 00 00 00 00 00
             00 60 00 00 00 00 00 00 00 10 00 00 00 00 00 00")
    );
    assert_eq!(full.fds.len(), 1);
    rig.probe();
}

#[test]
fn one_byte_too_little_is_the_short_answer_and_more_is_the_full_one() {
    let mut rig = Rig::connected();
    for (argsz, bytes, fds) in [(32, 48, 0), (79, 48, 0), (80, 96, 1), (4096, 96, 1), (u32::MAX, 96, 1)] {
        let reply = rig.ask_fds(&region_info(argsz, 0), &[]);
        assert_eq!((reply.bytes.len(), reply.fds.len()), (bytes, fds), "argsz {argsz}");
        assert_eq!(reply.bytes[16..20], words(&[80]));
    }
}

#[test]
fn regions_that_cannot_be_mapped_or_are_absent() {
    let mut rig = Rig::connected();
    for (index, flags, size) in
        [(1, 0, 0), (READ_ONLY, 1, 0x100), (WRITE_ONLY, 2, 0x100), (6, 0, 0), (7, 3, 0x100), (8, 0, 0)]
    {
        let reply = rig.ask_fds(&region_info(4096, index), &[]);
        assert_eq!(reply.bytes, message(2, 5, 1, &words(&[32, flags, index, 0, size, 0, 0, 0])));
        assert!(reply.fds.is_empty());
    }
}

#[test]
fn the_mapped_page_and_messages_reach_the_same_bytes() {
    let mut rig = Rig::connected();
    let file = rig.ask_fds(&region_info(80, 0), &[]).fds.pop().unwrap();
    let both = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a fresh mapping of a file that is sealed against shrinking, one page, used and removed here.
    unsafe {
        let page = mmap(std::ptr::null_mut(), 4096, both, MapFlags::SHARED, &file, 0x6000).unwrap();
        page.cast::<u32>().add(2).write_volatile(0x1234_5678);
        let reply = rig.ask(&read(1, 0, 0x6008, 4));
        assert_eq!(reply[32..], [0x78, 0x56, 0x34, 0x12]);
        rig.ask(&write(2, 0, 0, 0x6ffc, &[1, 2, 3, 4]));
        assert_eq!(page.cast::<u32>().add(1023).read_volatile(), 0x0403_0201);
        munmap(page, 4096).unwrap();
    }
}

#[test]
fn a_client_that_takes_no_descriptors_is_not_offered_any() {
    let mut rig = Rig::connected_with(b"{\"capabilities\":{\"max_msg_fds\":0}}\0");
    let reply = rig.ask_fds(&region_info(4096, 0), &[]);
    assert_eq!(reply.bytes, message(2, 5, 1, &words(&[32, 3, 0, 0, 0x20000, 0, 0, 0])));
    assert!(reply.fds.is_empty());
}

#[test]
fn irq_info_as_captured() {
    let mut rig = Rig::connected();
    let reply = rig.ask(&hex(
        "05 00 07 00 20 00 00 00 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00",
    ));
    let captured =
        "05 00 07 00 20 00 00 00 01 00 00 00 00 00 00 00 10 00 00 00 01 00 00 00 02 00 00 00 40 00 00 00";
    assert_eq!(reply, hex(captured));
    let absent = rig.ask(&message(6, 7, 0, &words(&[16, 0, 0, 0])));
    assert_eq!(absent, message(6, 7, 1, &words(&[16, 1, 0, 0])));
}

#[test]
fn there_are_no_io_descriptors_as_captured() {
    let mut rig = Rig::connected();
    let reply = rig.ask(&hex(
        "04 00 06 00 20 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
    ));
    let captured =
        "04 00 06 00 20 00 00 00 01 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
    assert_eq!(reply, hex(captured));
    rig.probe();
}

#[test]
fn questions_with_wrong_sizes_or_indexes_are_refused() {
    let mut rig = Rig::connected();
    let wrong: [(u16, &[u32]); 14] = [
        (4, &[0, 0, 0, 0]),
        (4, &[15, 0, 0, 0]),
        (4, &[16, 0, 0]),
        (4, &[]),
        (5, &[31, 0, 0, 0, 0, 0, 0, 0]),
        (5, &[32, 0, 0, 0, 0, 0, 0]),
        (5, &[32, 0, 9, 0, 0, 0, 0, 0]),
        (5, &[32, 0, u32::MAX, 0, 0, 0, 0, 0]),
        (6, &[15, 0, 0, 0]),
        (6, &[16, 0, 9, 0]),
        (7, &[0, 0, 2, 0]),
        (7, &[16, 0, 5, 0]),
        (7, &[16, 0, u32::MAX, 0]),
        (7, &[16, 0, 2]),
    ];
    for (command, payload) in wrong {
        rig.refused(&message(3, command, 0, &words(payload)), EINVAL);
    }
}

#[test]
fn reset_as_captured() {
    let mut rig = Rig::connected();
    let reply = rig.ask(&hex("10 00 0d 00 10 00 00 00 00 00 00 00 00 00 00 00"));
    assert_eq!(reply, hex("10 00 0d 00 10 00 00 00 01 00 00 00 00 00 00 00"));
    assert_eq!(rig.device.take_log(), ["reset"]);
    rig.refused(&message(1, 13, 0, &[0; 4]), EINVAL);
    assert!(rig.device.take_log().is_empty());
}

#[test]
fn a_reset_leaves_memory_and_eventfds() {
    let mut rig = Rig::connected();
    rig.ask_fds(&dma_map(1, 3, 0, 0, 4096), &[memory_file(4096)]);
    rig.ask_fds(&set_irqs(2, 0x24, 2, 0, 1, &[]), &eventfds(1));
    rig.ask(&message(3, 13, 0, &[]));
    assert_eq!(rig.device.memory.ranges().len(), 1);
    assert_eq!(rig.device.eventfds.len(), 1);
}

#[test]
fn every_message_synchronises_the_device_first() {
    let mut rig = Rig::connected();
    for (done, command) in [4, 5, 7, 9, 10, 13, 3, 8].into_iter().enumerate() {
        rig.ask(&message(1, command, 0, &[0; 16]));
        assert_eq!(rig.device.synchronised, done + 1);
    }
}

#[test]
fn the_fake_has_the_shape_that_was_captured() {
    use ringway_lab::device::Device;
    assert_eq!(Fake::default().vectors(2), 0x40);
    assert_eq!(Fake::default().regions()[0].size, 0x20000);
}

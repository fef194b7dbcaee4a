//! Reading and writing regions.

use crate::fake::{BAR0_BYTES, BROKEN, READ_ONLY, WRITE_ONLY};
use crate::rig::*;

#[test]
fn a_read_as_captured() {
    let mut rig = Rig::connected();
    rig.device.bytes[0][8] = 0x80;
    let reply = rig.ask(&hex(
        "0b 00 09 00 20 00 00 00 00 00 00 00 00 00 00 00  08 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00",
    ));
    let captured = "0b 00 09 00 24 00 00 00 01 00 00 00 00 00 00 00
                    08 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00  80 00 00 00";
    assert_eq!(reply, hex(captured));
}

#[test]
fn a_write_as_captured() {
    let mut rig = Rig::connected();
    let reply = rig.ask(&hex("0c 00 0a 00 24 00 00 00 00 00 00 00 00 00 00 00
                              80 08 00 00 00 00 00 00 00 00 00 00 04 00 00 00  01 00 00 00"));
    let captured = "0c 00 0a 00 20 00 00 00 01 00 00 00 00 00 00 00
                    80 08 00 00 00 00 00 00 00 00 00 00 04 00 00 00";
    assert_eq!(reply, hex(captured));
    assert_eq!(rig.device.take_log(), ["write 0 0x880 4"]);
    assert_eq!(rig.device.bytes[0][0x880..0x884], [1, 0, 0, 0]);
}

#[test]
fn a_config_write_of_two_bytes_as_captured() {
    let mut rig = Rig::connected();
    rig.ask(&hex("0e 00 0a 00 22 00 00 00 00 00 00 00 00 00 00 00
                  04 00 00 00 00 00 00 00 07 00 00 00 02 00 00 00  06 00"));
    assert_eq!(rig.device.take_log(), ["write 7 0x4 2"]);
    assert_eq!(rig.device.bytes[7][4..6], [6, 0]);
}

#[test]
fn a_posted_write_as_captured_is_not_answered() {
    let mut rig = Rig::connected();
    rig.client.send(&hex("0f 00 0a 00 24 00 00 00 10 00 00 00 00 00 00 00
                          80 08 00 00 00 00 00 00 00 00 00 00 04 00 00 00  00 00 00 00"));
    rig.poll();
    assert!(rig.client.receive().is_none());
    assert_eq!(rig.device.take_log(), ["write 0 0x880 4"]);
    rig.probe();
}

#[test]
fn a_posted_write_that_fails_is_silent_too() {
    let mut rig = Rig::connected();
    for message in [
        write(1, 0x10, 0, BROKEN, &[1; 4]),
        write(1, 0x10, 0, BAR0_BYTES, &[1; 4]),
        message(1, 9, 0x10, &[0; 3]),
        message(1, 99, 0x10, &[0; 5]),
    ] {
        rig.client.send(&message);
        rig.poll();
        assert!(rig.client.receive().is_none());
        assert_eq!(rig.server.take_notes().len(), 1);
        rig.probe();
    }
}

#[test]
fn accesses_end_at_the_end_of_the_region() {
    let mut rig = Rig::connected();
    assert_eq!(rig.ask(&read(1, 0, BAR0_BYTES - 4, 4)).len(), 36);
    assert_eq!(rig.ask(&read(1, 7, 0, 0x100)).len(), 32 + 0x100);
    assert_eq!(rig.ask(&write(1, 0, 7, 0xff, &[1])).len(), 32);
    for (region, offset, count) in [
        (0, BAR0_BYTES - 3, 4),
        (0, BAR0_BYTES, 1),
        (0, u64::MAX, 1),
        (0, u64::MAX - 3, 4),
        (0, u64::MAX - 2, 4),
        (7, 0, 0x101),
        (7, 0x100, 1),
        (1, 0, 4),
        (6, 0, 1),
        (8, 0, 4),
        (9, 0, 4),
        (u32::MAX, 0, 4),
    ] {
        rig.refused(&read(2, region, offset, count), EINVAL);
        rig.refused(&write(2, 0, region, offset, &vec![0; count as usize]), EINVAL);
    }
}

#[test]
fn an_access_of_no_bytes_is_good_and_does_nothing() {
    let mut rig = Rig::connected();
    assert_eq!(rig.ask(&read(1, 0, 8, 0)), message(1, 9, 1, &words(&[8, 0, 0, 0])));
    assert_eq!(rig.ask(&write(1, 0, 0, 8, &[])), message(1, 10, 1, &words(&[8, 0, 0, 0])));
    assert!(rig.device.log.is_empty());
}

#[test]
fn a_huge_count_is_refused_without_being_allocated() {
    let mut rig = Rig::connected();
    for count in [0x10_0001, 3 << 30, u32::MAX] {
        rig.refused(&read(2, 0, 0, count), EINVAL);
    }
    // The most that may be asked for is not more than this region has, so it is refused for that.
    rig.refused(&read(2, 0, 0, 0x10_0000), EINVAL);
}

#[test]
fn a_whole_region_can_be_read_and_written_at_once() {
    let mut rig = Rig::connected();
    let data: Vec<u8> = (0..0xb000u32).map(|n| n as u8).collect();
    assert_eq!(rig.ask(&write(1, 0, 0, 0, &data)).len(), 32);
    assert_eq!(rig.ask(&read(1, 0, 0, 0xb000))[32..], data);
    rig.probe();
}

#[test]
fn rights_of_regions_are_kept() {
    let mut rig = Rig::connected();
    rig.refused(&write(1, 0, READ_ONLY, 0, &[1]), EINVAL);
    rig.refused(&read(1, WRITE_ONLY, 0, 1), EINVAL);
    assert_eq!(rig.ask(&read(1, READ_ONLY, 0, 1)).len(), 33);
    assert_eq!(rig.ask(&write(1, 0, WRITE_ONLY, 0, &[1])).len(), 32);
}

#[test]
fn the_error_of_the_device_reaches_the_client() {
    let mut rig = Rig::connected();
    rig.refused(&read(1, 0, BROKEN, 4), EIO);
    rig.refused(&write(1, 0, 0, BROKEN, &[1, 2, 3, 4]), EIO);
}

#[test]
fn lengths_must_fit_exactly() {
    let mut rig = Rig::connected();
    let mut long = write(1, 0, 0, 8, &[1, 2, 3, 4, 5]);
    long[28] = 4;
    rig.refused(&long, EINVAL);
    let mut short = write(1, 0, 0, 8, &[1, 2, 3]);
    short[28] = 4;
    rig.refused(&short, EINVAL);
    rig.refused(&message(1, 10, 0, &[0; 15]), EINVAL);
    rig.refused(&message(1, 9, 0, &[0; 15]), EINVAL);
    rig.refused(&message(1, 9, 0, &[0; 17]), EINVAL);
    assert!(rig.device.log.is_empty());
}

fn entry(offset: u64, region: u32, count: u32) -> Vec<u8> {
    [&offset.to_le_bytes()[..], &words(&[region, count]), &[1, 2, 3, 4, 5, 6, 7, 8]].concat()
}

fn multi(count: u64, entries: &[Vec<u8>]) -> Vec<u8> {
    message(4, 15, 0, &[&count.to_le_bytes()[..], &entries.concat()].concat())
}

const MULTI: &[u8] = b"{\"capabilities\":{\"write_multiple\":true}}\0";

#[test]
fn several_writes_in_one_message() {
    let mut rig = Rig::connected_with(MULTI);
    let reply = rig.ask(&multi(3, &[entry(0x10, 0, 4), entry(0x20, 0, 8), entry(4, 7, 2)]));
    assert_eq!(reply, message(4, 15, 1, &words(&[3, 0])));
    assert_eq!(rig.device.take_log(), ["write 0 0x10 4", "write 0 0x20 8", "write 7 0x4 2"]);
    assert_eq!(rig.device.bytes[0][0x20..0x28], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(rig.ask(&multi(0, &[])), message(4, 15, 1, &words(&[0, 0])));
}

#[test]
fn several_writes_are_all_checked_before_the_first() {
    let mut rig = Rig::connected_with(MULTI);
    for wrong in
        [entry(0, 0, 9), entry(BAR0_BYTES, 0, 4), entry(0, 1, 4), entry(0, READ_ONLY, 4), entry(0, 99, 0)]
    {
        rig.refused(&multi(2, &[entry(0x10, 0, 4), wrong]), EINVAL);
    }
    rig.refused(&multi(2, &[entry(0, 0, 4)]), EINVAL);
    rig.refused(&multi(1 << 61, &[entry(0, 0, 4)]), EINVAL);
    rig.refused(&multi(u64::MAX, &[]), EINVAL);
    rig.refused(&message(4, 15, 0, &[0; 7]), EINVAL);
    assert!(rig.device.log.is_empty());
}

#[test]
fn several_writes_say_how_many_were_done() {
    let mut rig = Rig::connected_with(MULTI);
    let reply = rig.ask(&multi(3, &[entry(0, 0, 4), entry(BROKEN, 0, 4), entry(4, 0, 4)]));
    assert_eq!(reply, message(4, 15, 1, &words(&[1, 0])));
    rig.refused(&multi(1, &[entry(BROKEN, 0, 4)]), EIO);
}

#[test]
fn several_writes_must_have_been_agreed_on() {
    Rig::connected().refused(&multi(1, &[entry(0, 0, 4)]), EOPNOTSUPP);
    let no = b"{\"capabilities\":{\"write_multiple\":false}}\0";
    Rig::connected_with(no).refused(&multi(1, &[entry(0, 0, 4)]), EOPNOTSUPP);
}

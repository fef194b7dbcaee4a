//! DMA_MAP and DMA_UNMAP.

use std::os::fd::{AsFd, OwnedFd};

use rustix::io::{Errno, pread};

use crate::rig::*;

const BASE: u64 = 1 << 32;
const SIZE: u64 = 2 << 20;

fn mapped(rig: &Rig) -> Vec<(u64, u64)> {
    rig.device.memory.ranges().collect()
}

#[test]
fn mapping_as_captured() {
    let mut rig = Rig::connected();
    let file = memory_file(SIZE);
    let reply = rig.ask_fds(
        &hex("06 00 02 00 30 00 00 00 00 00 00 00 00 00 00 00
              20 00 00 00 03 00 00 00 00 00 00 00 00 00 00 00
              00 00 00 00 01 00 00 00 00 00 20 00 00 00 00 00"),
        &[file.try_clone().unwrap()],
    );
    assert_eq!(reply.bytes, hex("06 00 02 00 10 00 00 00 01 00 00 00 00 00 00 00"));
    assert_eq!(mapped(&rig), [(BASE, SIZE)]);
    rig.device.memory.write(BASE + SIZE - 3, b"end").unwrap();
    let mut bytes = [0; 3];
    pread(&file, &mut bytes, SIZE - 3).unwrap();
    assert_eq!(&bytes, b"end");
    assert_eq!(copies(&file), 1, "a mapping needs no descriptor");
    assert_eq!(rig.device.take_log(), ["map 0x100000000 0x200000"]);
}

#[test]
fn unmapping_as_captured() {
    let mut rig = Rig::connected();
    rig.ask_fds(&dma_map(6, 3, 0, BASE, SIZE), &[memory_file(SIZE)]);
    let reply = rig.ask(&hex("11 00 03 00 28 00 00 00 00 00 00 00 00 00 00 00
                              18 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00  00 00 20 00 00 00 00 00"));
    let captured = "11 00 03 00 28 00 00 00 01 00 00 00 00 00 00 00
                    18 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00  00 00 20 00 00 00 00 00";
    assert_eq!(reply, hex(captured));
    assert!(rig.device.memory.read(BASE, &mut [0]).is_err());
    assert_eq!(rig.device.take_log(), ["map 0x100000000 0x200000", "unmap 0x100000000 0x200000"]);
}

#[test]
fn overlaps_exist_already() {
    let mut rig = Rig::connected();
    let file = [memory_file(SIZE)];
    rig.ask_fds(&dma_map(6, 3, 0, BASE, SIZE), &file);
    let captured = hex("07 00 02 00 10 00 00 00 21 00 00 00 11 00 00 00");
    assert_eq!(rig.ask_fds(&dma_map(7, 3, 0, BASE, SIZE), &file).bytes, captured);
    rig.server.take_notes();
    rig.refused_fds(&dma_map(7, 3, 0, BASE + SIZE - 4096, 4096), &file, EEXIST);
    rig.refused_fds(&dma_map(7, 3, 0, BASE - 4096, 8192), &file, EEXIST);
    assert_eq!(rig.ask_fds(&dma_map(7, 3, 0, BASE + SIZE, 4096), &file).bytes, good(7, 2));
}

#[test]
fn files_that_could_kill_the_lab_are_refused() {
    let mut rig = Rig::connected();
    let map = dma_map(1, 3, 0, BASE, 8192);
    rig.refused_fds(&map, &[unsealed_file(8192)], EPERM);
    rig.refused_fds(&map, &[memory_file(8191)], EINVAL);
    rig.refused_fds(&map, &[memory_file(0)], EINVAL);
    rig.refused_fds(&dma_map(1, 3, 4096, BASE, 8192), &[memory_file(8192)], EINVAL);
    rig.refused_fds(&dma_map(1, 3, 1 << 63, BASE, 8192), &[memory_file(8192)], EINVAL);
    let socket: OwnedFd = std::os::unix::net::UnixStream::pair().unwrap().0.into();
    rig.refused_fds(&map, &[socket], EPERM);
    assert!(mapped(&rig).is_empty());
    rig.ask_fds(&map, &[unsealed_file(8192)]);
    let note = rig.server.take_notes().pop().unwrap();
    assert!(note.contains("DMA_MAP") && note.contains("F_SEAL_SHRINK"), "{note}");
}

#[test]
fn a_mapped_file_can_no_longer_be_truncated() {
    let mut rig = Rig::connected();
    let file = memory_file(8192);
    rig.ask_fds(&dma_map(1, 3, 0, BASE, 8192), &[file.try_clone().unwrap()]);
    assert_eq!(rustix::fs::ftruncate(&file, 0), Err(Errno::PERM));
    rig.device.memory.write(BASE + 8191, &[1]).unwrap();
}

#[test]
fn requests_without_sense_are_refused() {
    let mut rig = Rig::connected();
    let file = || [memory_file(8192)];
    rig.refused(&dma_map(1, 3, 0, BASE, 4096), EOPNOTSUPP);
    rig.refused_fds(&dma_map(1, 3, 0, BASE, 4096), &[memory_file(4096), memory_file(4096)], EINVAL);
    for flags in [0, 4, 8, 7, 0x8000_0003] {
        rig.refused_fds(&dma_map(1, flags, 0, BASE, 4096), &file(), EINVAL);
    }
    for (offset, iova, size) in
        [(0, BASE, 0), (0, BASE, 4095), (1, BASE, 4096), (0, BASE + 8, 4096), (0, u64::MAX - 4095, 8192)]
    {
        rig.refused_fds(&dma_map(1, 3, offset, iova, size), &file(), EINVAL);
    }
    let mut small = dma_map(1, 3, 0, BASE, 4096);
    small[16] = 31;
    rig.refused_fds(&small, &file(), EINVAL);
    rig.refused_fds(&message(1, 2, 0, &[32; 31]), &file(), EINVAL);
    assert!(mapped(&rig).is_empty());
}

#[test]
fn permissions_are_the_clients() {
    let mut rig = Rig::connected();
    rig.ask_fds(&dma_map(1, 1, 0, 0, 4096), &[memory_file(4096)]);
    rig.ask_fds(&dma_map(1, 2, 0, 4096, 4096), &[memory_file(4096)]);
    assert!(rig.device.memory.write(0, &[1]).is_err());
    assert!(rig.device.memory.read(4096, &mut [1]).is_err());
}

#[test]
fn what_is_not_mapped_exactly_cannot_be_unmapped() {
    let mut rig = Rig::connected();
    rig.ask_fds(&dma_map(1, 3, 0, BASE, 8192), &[memory_file(8192)]);
    for (iova, size) in
        [(BASE, 4096), (BASE + 4096, 4096), (BASE - 4096, 8192), (BASE, 12288), (0, 0), (0, 8192)]
    {
        rig.refused(&dma_unmap(1, 0, iova, size), ENOENT);
    }
    let mut small = dma_unmap(1, 0, BASE, 8192);
    small[16] = 23;
    rig.refused(&small, EINVAL);
    rig.refused(&message(1, 3, 0, &[24; 23]), EINVAL);
    rig.refused(&dma_unmap(1, 1, BASE, 8192), EINVAL);
    assert_eq!(mapped(&rig), [(BASE, 8192)]);
}

#[test]
fn everything_can_be_unmapped_at_once() {
    let mut rig = Rig::connected();
    for n in 0..3 {
        rig.ask_fds(&dma_map(1, 3, 0, n * 8192, 4096), &[memory_file(4096)]);
    }
    rig.refused(&dma_unmap(1, 2, 0, 4096), EINVAL);
    rig.refused(&dma_unmap(1, 2, 8192, 0), EINVAL);
    rig.device.take_log();
    let request = dma_unmap(1, 2, 0, 0);
    assert_eq!(rig.ask(&request)[16..], request[16..]);
    assert_eq!(rig.device.take_log(), ["unmap 0x0 0x1000", "unmap 0x2000 0x1000", "unmap 0x4000 0x1000"]);
    assert!(mapped(&rig).is_empty());
}

#[test]
fn descriptors_behind_plain_messages_find_their_owner() {
    let mut rig = Rig::connected();
    let (one, two) = (memory_file(4096), memory_file(4096));
    let plain: Vec<u8> = (0..20).flat_map(|id| read(id, 0, 8, 4)).collect();
    rig.client.send(&plain);
    rig.client.send(&message(50, 13, 0, &[]));
    rig.client.send_fds(&dma_map(51, 3, 0, 0, 4096), &[one.as_fd()]);
    rig.client.send_fds(&dma_map(52, 3, 0, 8192, 4096), &[two.as_fd()]);
    rig.client.send(&dma_map(53, 3, 0, 16384, 4096));
    rig.client.send_fds(&read(54, 0, 8, 4), &[one.as_fd()]);
    rig.client.send(&dma_map(55, 3, 0, 16384, 4096));
    rig.poll();
    let ids: Vec<_> = std::iter::from_fn(|| rig.client.receive()).map(|r| (r.bytes[0], r.bytes[8])).collect();
    let reads = (0..20).map(|id| (id, 1));
    assert_eq!(
        ids,
        reads.chain([(50, 1), (51, 1), (52, 1), (53, 0x21), (54, 1), (55, 0x21)]).collect::<Vec<_>>()
    );
    rig.device.memory.write(0, b"one").unwrap();
    rig.device.memory.write(8192, b"two").unwrap();
    let mut bytes = [0; 3];
    pread(&two, &mut bytes, 0).unwrap();
    assert_eq!(&bytes, b"two");
    pread(&one, &mut bytes, 0).unwrap();
    assert_eq!(&bytes, b"one");
    assert_eq!((copies(&one), copies(&two)), (1, 1));
}

#[test]
fn descriptors_that_come_with_a_payload_are_not_taken() {
    let mut rig = Rig::connected();
    let file = memory_file(4096);
    let map = dma_map(1, 3, 0, 0, 4096);
    rig.client.send(&map[..16]);
    rig.client.send_fds(&map[16..], &[file.as_fd()]);
    rig.poll();
    assert_eq!(rig.client.receive().unwrap().bytes, bad(1, 2, EOPNOTSUPP));
    assert_eq!(copies(&file), 1);
    rig.probe();
}

#[test]
fn descriptors_may_come_with_any_byte_of_the_header() {
    for split in 1..16 {
        let mut rig = Rig::connected();
        let file = memory_file(4096);
        let map = dma_map(1, 3, 0, 0, 4096);
        rig.client.send(&map[..split]);
        rig.poll();
        rig.client.send_fds(&map[split..], &[file.as_fd()]);
        rig.poll();
        assert_eq!(rig.client.receive().unwrap().bytes, good(1, 2));
    }
}

use std::os::fd::OwnedFd;

use proptest::prelude::*;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::io::{Errno, pread, pwrite};

use super::*;

fn unsealed(length: u64) -> OwnedFd {
    let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
    ftruncate(&file, length).unwrap();
    file
}

fn file(length: u64) -> OwnedFd {
    let file = unsealed(length);
    fcntl_add_seals(&file, SealFlags::SHRINK).unwrap();
    file
}

fn fault(iova: u64, length: usize, write: bool) -> DmaFault {
    DmaFault { iova, length, write }
}

#[test]
fn reads_and_writes_reach_the_file() {
    let file = file(4 * PAGE);
    let mut memory = ClientMemory::default();
    memory.map(&file, PAGE, 1 << 32, 2 * PAGE, Prot::READ_WRITE).unwrap();
    memory.write((1 << 32) + 5, b"hello").unwrap();
    let mut bytes = [0; 5];
    pread(&file, &mut bytes, PAGE + 5).unwrap();
    assert_eq!(&bytes, b"hello");
    pwrite(&file, b"world", 3 * PAGE - 5).unwrap();
    memory.read((1 << 32) + 2 * PAGE - 5, &mut bytes).unwrap();
    assert_eq!(&bytes, b"world");
}

#[test]
fn words_are_little_endian_aligned_or_not() {
    let file = file(PAGE);
    let mut memory = ClientMemory::default();
    memory.map(&file, 0, 0, PAGE, Prot::READ_WRITE).unwrap();
    for iova in [0, 8, 3, PAGE - 8] {
        memory.store_u64_release(iova, 0x0807_0605_0403_0201).unwrap();
        let mut bytes = [0; 8];
        memory.read(iova, &mut bytes).unwrap();
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(memory.load_u64_acquire(iova), Ok(0x0807_0605_0403_0201));
        assert_eq!(memory.read_u64(iova), Ok(0x0807_0605_0403_0201));
    }
    assert_eq!(memory.load_u64_acquire(PAGE - 4), Err(fault(PAGE - 4, 8, false)));
    assert_eq!(memory.store_u64_release(PAGE, 1), Err(fault(PAGE, 8, true)));
}

#[test]
fn an_access_outside_is_a_fault_and_touches_nothing() {
    let file = file(PAGE);
    let mut memory = ClientMemory::default();
    memory.map(&file, 0, 16 * PAGE, PAGE, Prot::READ_WRITE).unwrap();
    let mut bytes = [7; 16];
    for iova in [0, 16 * PAGE - 1, 17 * PAGE - 15, 17 * PAGE, u64::MAX, u64::MAX - 7] {
        assert_eq!(memory.read(iova, &mut bytes), Err(fault(iova, 16, false)));
        assert_eq!(memory.write(iova, &bytes), Err(fault(iova, 16, true)));
        assert!(memory.check(iova, 16, true).is_err());
    }
    let mut all = [1; PAGE as usize];
    memory.read(16 * PAGE, &mut all).unwrap();
    assert!(all.iter().all(|&b| b == 0), "a faulting write changed something");
}

#[test]
fn an_access_of_no_bytes_is_always_good() {
    let memory = ClientMemory::default();
    assert_eq!(memory.read(123, &mut []), Ok(()));
    assert_eq!(memory.write(u64::MAX, &[]), Ok(()));
    assert_eq!(memory.check(0, 0, true), Ok(()));
}

#[test]
fn an_access_runs_on_into_an_adjacent_mapping() {
    let (one, two) = (file(PAGE), file(2 * PAGE));
    let mut memory = ClientMemory::default();
    // Mapped in the wrong order, and the second at another file offset, so the bytes are far apart.
    memory.map(&two, PAGE, 3 * PAGE, PAGE, Prot::READ_WRITE).unwrap();
    memory.map(&one, 0, 2 * PAGE, PAGE, Prot::READ_WRITE).unwrap();
    memory.write(3 * PAGE - 3, b"abcdef").unwrap();
    let mut bytes = [0; 3];
    pread(&one, &mut bytes, PAGE - 3).unwrap();
    assert_eq!(&bytes, b"abc");
    pread(&two, &mut bytes, PAGE).unwrap();
    assert_eq!(&bytes, b"def");
    let mut both = [0; 6];
    memory.read(3 * PAGE - 3, &mut both).unwrap();
    assert_eq!(&both, b"abcdef");
    memory.store_u64_release(3 * PAGE - 4, 0x1122_3344_5566_7788).unwrap();
    assert_eq!(memory.load_u64_acquire(3 * PAGE - 4), Ok(0x1122_3344_5566_7788));
    let mut all = vec![0; 2 * PAGE as usize];
    assert_eq!(memory.read(2 * PAGE, &mut all), Ok(()));
    all.push(0);
    assert_eq!(memory.read(2 * PAGE, &mut all), Err(fault(2 * PAGE, all.len(), false)));
}

#[test]
fn a_write_that_would_fault_half_way_writes_nothing() {
    let (one, two) = (file(PAGE), file(PAGE));
    let mut memory = ClientMemory::default();
    memory.map(&one, 0, 0, PAGE, Prot::READ_WRITE).unwrap();
    memory.map(&two, 0, PAGE, PAGE, Prot::READ).unwrap();
    assert_eq!(memory.write(PAGE - 2, b"abcd"), Err(fault(PAGE - 2, 4, true)));
    assert_eq!(memory.read_u64(PAGE - 8), Ok(0));
}

#[test]
fn permissions_are_kept() {
    let file = file(2 * PAGE);
    let mut memory = ClientMemory::default();
    memory.map(&file, 0, 0, PAGE, Prot::READ).unwrap();
    memory.map(&file, PAGE, PAGE, PAGE, Prot::WRITE).unwrap();
    assert_eq!(memory.write(0, &[1]), Err(fault(0, 1, true)));
    assert_eq!(memory.store_u64_release(0, 1), Err(fault(0, 8, true)));
    assert_eq!(memory.read(0, &mut [0]), Ok(()));
    assert_eq!(memory.read(PAGE, &mut [0]), Err(fault(PAGE, 1, false)));
    assert_eq!(memory.load_u64_acquire(PAGE), Err(fault(PAGE, 8, false)));
    assert_eq!(memory.write(PAGE, &[1]), Ok(()));
    let nothing = memory.map(&file, 0, 8 * PAGE, PAGE, Prot::NONE);
    assert_eq!(nothing, Err(MapError::NoAccess));
}

#[test]
fn overlaps_are_refused_and_neighbours_are_not() {
    let file = file(16 * PAGE);
    let mut memory = ClientMemory::default();
    let mut map = |at: u64, pages: u64| memory.map(&file, 0, at * PAGE, pages * PAGE, Prot::READ_WRITE);
    map(8, 4).unwrap();
    for (at, pages) in [(8, 4), (7, 2), (11, 1), (11, 9), (9, 1), (0, 16), (8, 1)] {
        let overlap = MapError::Overlap { iova: at * PAGE, size: pages * PAGE };
        assert_eq!(map(at, pages), Err(overlap), "{at} {pages}");
        assert_eq!(overlap.errno(), Errno::EXIST);
    }
    map(12, 1).unwrap();
    map(6, 2).unwrap();
    let ranges: Vec<_> = memory.ranges().map(|(iova, size)| (iova / PAGE, size / PAGE)).collect();
    assert_eq!(ranges, [(6, 2), (8, 4), (12, 1)]);
}

#[test]
fn the_end_of_the_address_space_can_be_used_but_not_passed() {
    let file = file(2 * PAGE);
    let mut memory = ClientMemory::default();
    let top = u64::MAX - PAGE + 1;
    assert_eq!(
        memory.map(&file, 0, top, 2 * PAGE, Prot::READ_WRITE),
        Err(MapError::Range { iova: top, size: 2 * PAGE })
    );
    memory.map(&file, 0, top, PAGE, Prot::READ_WRITE).unwrap();
    memory.map(&file, PAGE, 0, PAGE, Prot::READ_WRITE).unwrap();
    memory.write(u64::MAX, &[9]).unwrap();
    // Address 0 is mapped, but no access goes round.
    assert_eq!(memory.write(u64::MAX, &[9, 9]), Err(fault(u64::MAX, 2, true)));
    assert_eq!(memory.read(0, &mut [0]), Ok(()));
    memory.unmap(top, PAGE).unwrap();
}

#[test]
fn only_whole_pages_are_mapped() {
    let file = file(4 * PAGE);
    let mut memory = ClientMemory::default();
    for (offset, iova, size) in [(0, 0, 0), (1, 0, PAGE), (0, 8, PAGE), (0, 0, PAGE + 1)] {
        let result = memory.map(&file, offset, iova, size, Prot::READ_WRITE);
        assert_eq!(result, Err(MapError::Unaligned { iova, size, offset }));
    }
}

#[test]
fn unmap_takes_exactly_one_mapping() {
    let file = file(4 * PAGE);
    let mut memory = ClientMemory::default();
    memory.map(&file, 0, PAGE, 2 * PAGE, Prot::READ_WRITE).unwrap();
    memory.map(&file, 0, 3 * PAGE, PAGE, Prot::READ_WRITE).unwrap();
    for (iova, size) in [(PAGE, PAGE), (2 * PAGE, PAGE), (PAGE, 3 * PAGE), (0, 2 * PAGE), (9 * PAGE, PAGE)] {
        let error = memory.unmap(iova, size).unwrap_err();
        assert_eq!(error, MapError::NotMapped { iova, size });
        assert_eq!(error.errno(), Errno::NOENT);
    }
    memory.read(PAGE, &mut [0]).unwrap(); // now remembered as the last hit
    memory.unmap(PAGE, 2 * PAGE).unwrap();
    assert_eq!(memory.read(PAGE, &mut [0]), Err(fault(PAGE, 1, false)));
    memory.read(3 * PAGE, &mut [0]).unwrap();
    memory.clear();
    assert_eq!(memory.read(3 * PAGE, &mut [0]), Err(fault(3 * PAGE, 1, false)));
    assert_eq!(memory.ranges().len(), 0);
    memory.map(&file, 0, PAGE, 2 * PAGE, Prot::READ_WRITE).unwrap();
}

#[test]
fn a_file_that_may_shrink_is_refused() {
    let mut memory = ClientMemory::default();
    let open = unsealed(PAGE);
    assert_eq!(memory.map(&open, 0, 0, PAGE, Prot::READ_WRITE), Err(MapError::Unsealed));
    let plain = tempfile::tempfile().unwrap();
    plain.set_len(PAGE).unwrap();
    assert_eq!(memory.map(&plain, 0, 0, PAGE, Prot::READ_WRITE), Err(MapError::Unsealed));
    let (socket, _other) = std::os::unix::net::UnixStream::pair().unwrap();
    assert_eq!(memory.map(&socket, 0, 0, PAGE, Prot::READ_WRITE), Err(MapError::Unsealed));
    assert!(MapError::Unsealed.to_string().contains("F_SEAL_SHRINK"));
}

#[test]
fn a_range_past_the_end_of_the_file_is_refused() {
    let file = file(2 * PAGE + 1);
    let mut memory = ClientMemory::default();
    let mut map = |offset, size| memory.map(&file, offset, 0, size, Prot::READ_WRITE);
    let error = MapError::PastEnd { end: 3 * PAGE, length: 2 * PAGE + 1 };
    assert_eq!(map(0, 3 * PAGE), Err(error));
    assert_eq!(map(2 * PAGE, PAGE), Err(error));
    assert!(matches!(map(u64::MAX - PAGE + 1, PAGE), Err(MapError::PastEnd { .. })));
    map(PAGE, PAGE).unwrap();
}

#[test]
fn a_read_only_file_cannot_be_mapped_for_writing() {
    let file = file(PAGE);
    fcntl_add_seals(&file, SealFlags::WRITE).unwrap();
    let mut memory = ClientMemory::default();
    let error = memory.map(&file, 0, 0, PAGE, Prot::READ_WRITE).unwrap_err();
    assert_eq!(error, MapError::System(Errno::PERM));
}

#[test]
fn the_table_has_a_limit() {
    let file = file(PAGE);
    let mut memory = ClientMemory::default();
    for page in 0..MAX_MAPPINGS as u64 {
        memory.map(&file, 0, 2 * page * PAGE, PAGE, Prot::READ_WRITE).unwrap();
    }
    let error = memory.map(&file, 0, 1 << 40, PAGE, Prot::READ_WRITE).unwrap_err();
    assert_eq!(error, MapError::TooMany);
}

#[test]
fn huge_pages_are_mapped_from_the_middle() {
    const HUGE: u64 = 2 << 20;
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING | MemfdFlags::HUGETLB | MemfdFlags::HUGE_2MB;
    let Ok(file) = memfd_create("huge", flags) else {
        eprintln!("skipped: no 2 MiB huge pages in this kernel");
        return;
    };
    ftruncate(&file, 2 * HUGE).unwrap();
    fcntl_add_seals(&file, SealFlags::SHRINK).unwrap();
    let mut memory = ClientMemory::default();
    match memory.map(&file, HUGE - PAGE, 0, 2 * PAGE, Prot::READ_WRITE) {
        Err(MapError::System(Errno::NOMEM)) => {
            eprintln!("skipped: no free huge pages (vm.nr_hugepages)");
            return;
        }
        result => result.unwrap(),
    }
    memory.write(PAGE - 2, b"abcd").unwrap();
    memory.map(&file, HUGE, HUGE, HUGE, Prot::READ).unwrap();
    let mut bytes = [0; 2];
    memory.read(HUGE, &mut bytes).unwrap();
    assert_eq!(&bytes, b"cd");
    memory.unmap(0, 2 * PAGE).unwrap();
    memory.clear();
}

proptest! {
    /// The table against the simplest thing that could be right: one byte array for the address space.
    #[test]
    fn agrees_with_a_plain_array(steps in prop::collection::vec((0u8..5, 0u64..12, 1u64..4, 0u64..9000, 0usize..9000), 1..60)) {
        const PAGES: usize = 16;
        let backing = file(PAGES as u64 * PAGE);
        let mut memory = ClientMemory::default();
        let mut bytes = vec![0u8; PAGES * PAGE as usize];
        let mut mapped = vec![None; PAGES]; // per page: its mapping
        for (fill, (what, page, pages, offset, length)) in steps.into_iter().enumerate() {
            let (iova, size) = (page * PAGE, pages * PAGE);
            let range = page as usize..(page + pages) as usize;
            match what {
                0 | 1 => {
                    // IOVA equals the file offset, so the file keeps what was written through older mappings.
                    let free = mapped[range.clone()].iter().all(Option::is_none);
                    let result = memory.map(&backing, iova, iova, size, Prot::READ_WRITE);
                    prop_assert_eq!(result.is_ok(), free);
                    if free { mapped[range].fill(Some((page, pages))); }
                }
                2 => {
                    let exact = mapped[page as usize] == Some((page, pages));
                    prop_assert_eq!(memory.unmap(iova, size).is_ok(), exact);
                    if exact { mapped[range].fill(None); }
                }
                _ => {
                    let start = (iova + offset) as usize;
                    let covered = (start..start + length).all(|at| mapped.get(at / PAGE as usize).is_some_and(|m| m.is_some()));
                    prop_assert_eq!(memory.check(start as u64, length, true).is_ok(), covered);
                    if what == 3 {
                        let data = vec![fill as u8; length];
                        prop_assert_eq!(memory.write(start as u64, &data).is_ok(), covered);
                        if covered { bytes[start..start + length].copy_from_slice(&data); }
                    } else {
                        let mut data = vec![0; length];
                        prop_assert_eq!(memory.read(start as u64, &mut data).is_ok(), covered);
                        if covered { prop_assert_eq!(&data[..], &bytes[start..start + length]); }
                    }
                }
            }
        }
    }
}

#[test]
fn the_recent_mapping_serves_what_lies_in_it_and_nothing_else() {
    let file = file(4 * PAGE);
    let mut memory = ClientMemory::default();
    assert_eq!(memory.recent().load(0), None, "nothing was used yet");
    memory.map(&file, 0, PAGE, PAGE, Prot::READ_WRITE).unwrap();
    memory.map(&file, PAGE, 2 * PAGE, PAGE, Prot::READ_WRITE).unwrap();
    memory.map(&file, 2 * PAGE, 4 * PAGE, PAGE, Prot::READ).unwrap();
    memory.store_u64_release(PAGE, 7).unwrap();
    let recent = memory.recent();
    assert_eq!(recent.load(PAGE), Some(7));
    assert_eq!(recent.load(PAGE + 4), None, "not aligned");
    assert_eq!(recent.load_pair(2 * PAGE - 8), None, "half of it lies in the next mapping");
    assert_eq!(recent.store_pair(2 * PAGE - 16, [1, 2]), Some(()));
    assert_eq!(recent.load_pair(2 * PAGE - 16), Some([1, 2]));
    for outside in [0, PAGE - 8, 2 * PAGE, 4 * PAGE, u64::MAX - 7] {
        assert_eq!(recent.load(outside), None);
        assert_eq!(recent.write(outside, &[0; 8]), None);
        recent.prefetch(outside);
    }
    assert_eq!(recent.write(2 * PAGE - 7, &[0; 8]), None);
    assert_eq!(memory.read_u64(2 * PAGE - 8), Ok(2), "nothing was written");
    memory.read_u64(4 * PAGE).unwrap();
    assert_eq!(memory.recent().load(4 * PAGE), None, "it may not be written");
}

proptest! {
    #[test]
    fn the_recent_mapping_copies_any_length(data in proptest::collection::vec(any::<u8>(), 0..200), at in 0u64..300) {
        let file = file(PAGE);
        let mut memory = ClientMemory::default();
        memory.map(&file, 0, 0, PAGE, Prot::READ_WRITE).unwrap();
        memory.read_u64(0).unwrap();
        let recent = memory.recent();
        prop_assert_eq!(recent.write(at, &data), Some(()));
        let mut copy = vec![0; data.len()];
        prop_assert_eq!(recent.read(at, &mut copy), Some(()));
        prop_assert_eq!(&copy, &data);
        let mut before = vec![1; at as usize];
        memory.read(0, &mut before).unwrap();
        prop_assert!(before.iter().all(|byte| *byte == 0));
        let mut after = vec![1; 100];
        memory.read(at + data.len() as u64, &mut after).unwrap();
        prop_assert!(after.iter().all(|byte| *byte == 0));
    }
}

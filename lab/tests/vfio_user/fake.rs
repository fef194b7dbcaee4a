//! A device that remembers what was asked of it: arrays of bytes, two mappable pages, vectors.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use ringway_lab::clock::Nanos;
use ringway_lab::device::{Area, Device, Region};
use ringway_lab::memory::ClientMemory;
use ringway_lab::serve;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::io::{Errno, pread, pwrite};

/// BAR0 as in an 82599.
pub const BAR0_BYTES: u64 = 0x20000;
/// Accesses to this byte of BAR0 fail with EIO.
pub const BROKEN: u64 = 0xbad0;
/// Region 2 can only be read, region 3 only written.
pub const READ_ONLY: u32 = 2;
pub const WRITE_ONLY: u32 = 3;
/// Vectors of MSI-X.
pub const VECTORS: u32 = 64;
/// Binding this vector fails with EBUSY.
pub const STUBBORN: u32 = 60;

const AREAS: [Area; 2] = [Area { offset: 0x1000, size: 0x1000 }, Area { offset: 0x6000, size: 0x1000 }];

pub struct Fake {
    regions: Vec<Region>,
    pub bytes: Vec<Vec<u8>>,
    file: OwnedFd,
    pub memory: ClientMemory,
    pub eventfds: BTreeMap<(u32, u32), OwnedFd>,
    /// What happened, as one word each.
    pub log: Vec<String>,
    pub synchronised: usize,
    pub hang_up: bool,
    /// Work that `poll` will claim to have done.
    pub work: usize,
    pub panics: bool,
}

impl Default for Fake {
    fn default() -> Self {
        let region = |size, readable, writable| Region { size, readable, writable };
        let mut regions = vec![Region::default(); 8];
        regions[0] = region(BAR0_BYTES, true, true);
        regions[READ_ONLY as usize] = region(0x100, true, false);
        regions[WRITE_ONLY as usize] = region(0x100, false, true);
        regions[7] = region(0x100, true, true);
        let file = memfd_create("fake", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
        ftruncate(&file, BAR0_BYTES).unwrap();
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL).unwrap();
        Fake {
            bytes: regions.iter().map(|region| vec![0; region.size as usize]).collect(),
            regions,
            file,
            memory: ClientMemory::default(),
            eventfds: BTreeMap::new(),
            log: Vec::new(),
            synchronised: 0,
            hang_up: false,
            work: 0,
            panics: false,
        }
    }
}

impl Fake {
    pub fn take_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    fn is_mapped(region: u32, offset: u64, count: usize) -> bool {
        let inside = |area: &Area| offset >= area.offset && offset + count as u64 <= area.offset + area.size;
        region == 0 && AREAS.iter().any(inside)
    }

    fn check(&self, region: u32, offset: u64, count: usize) -> Result<(), Errno> {
        let end = offset + count as u64;
        assert!(count > 0 && end <= self.regions[region as usize].size, "the server lets nonsense through");
        if region == 0 && offset <= BROKEN && BROKEN < end { Err(Errno::IO) } else { Ok(()) }
    }
}

impl Device for Fake {
    fn regions(&self) -> &[Region] {
        &self.regions
    }

    fn mappable(&self, region: u32) -> Option<(BorrowedFd<'_>, &[Area])> {
        (region == 0).then(|| (self.file.as_fd(), &AREAS[..]))
    }

    fn vectors(&self, index: u32) -> u32 {
        if index == 2 { VECTORS } else { 0 }
    }

    fn read(&mut self, region: u32, offset: u64, data: &mut [u8]) -> Result<(), Errno> {
        self.check(region, offset, data.len())?;
        if Self::is_mapped(region, offset, data.len()) {
            pread(&self.file, data, offset)?;
        } else {
            data.copy_from_slice(&self.bytes[region as usize][offset as usize..][..data.len()]);
        }
        Ok(())
    }

    fn write(&mut self, region: u32, offset: u64, data: &[u8]) -> Result<(), Errno> {
        self.check(region, offset, data.len())?;
        self.log.push(format!("write {region} {offset:#x} {}", data.len()));
        if Self::is_mapped(region, offset, data.len()) {
            pwrite(&self.file, data, offset)?;
        } else {
            self.bytes[region as usize][offset as usize..][..data.len()].copy_from_slice(data);
        }
        Ok(())
    }

    fn bind_vector(&mut self, index: u32, vector: u32, eventfd: Option<OwnedFd>) -> Result<(), Errno> {
        assert!(vector < self.vectors(index), "the server lets nonsense through");
        match eventfd {
            Some(_) if vector == STUBBORN => return Err(Errno::BUSY),
            Some(fd) => self.eventfds.insert((index, vector), fd),
            None => self.eventfds.remove(&(index, vector)),
        };
        Ok(())
    }

    fn trigger(&mut self, index: u32, vector: u32) -> Result<(), Errno> {
        assert!(vector < self.vectors(index), "the server lets nonsense through");
        self.log.push(format!("trigger {index} {vector}"));
        if let Some(fd) = self.eventfds.get(&(index, vector)) {
            serve::signal(fd);
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.log.push("reset".to_owned());
    }

    fn memory(&mut self) -> &mut ClientMemory {
        &mut self.memory
    }

    fn synchronise(&mut self) {
        self.synchronised += 1;
    }

    fn memory_changed(&mut self, iova: u64, size: u64, mapped: bool) {
        self.log.push(format!("{} {iova:#x} {size:#x}", if mapped { "map" } else { "unmap" }));
    }

    fn hangs_up(&mut self) -> bool {
        std::mem::take(&mut self.hang_up)
    }

    fn attached(&mut self) {
        self.log.push("attached".to_owned());
    }

    fn detached(&mut self) {
        // DMA must stop before the memory goes away.
        self.log.push(format!("detached with {} maps", self.memory.ranges().len()));
    }

    fn poll(&mut self, _now: Nanos) -> usize {
        assert!(!self.panics, "the fake device panics as told");
        std::mem::take(&mut self.work)
    }
}

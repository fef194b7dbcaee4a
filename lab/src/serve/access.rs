//! Reading and writing regions by message.

use rustix::io::Errno;

use super::header::{u32_at, u64_at};
use super::inbox::MAX_DATA;
use super::refusal::{Refusal, require};
use super::wire::{multi_write, region_access, region_write_multi};
use crate::device::{Device, Region};

/// Where an access goes.
#[derive(Clone, Copy)]
struct Place {
    region: u32,
    offset: u64,
    count: usize,
}

impl Place {
    /// From the fields that REGION_READ, REGION_WRITE and the entries of REGION_WRITE_MULTI have in common.
    fn parse(bytes: &[u8]) -> Self {
        Place {
            region: u32_at(bytes, region_access::REGION),
            offset: u64_at(bytes, region_access::OFFSET),
            count: u32_at(bytes, region_access::COUNT) as usize,
        }
    }

    /// Finds the region and makes sure that it holds the whole range.
    fn check(self, device: &dyn Device) -> Result<Region, Refusal> {
        require(self.count <= MAX_DATA, "more bytes than max_data_xfer_size")?;
        let region = device.regions().get(self.region as usize).copied().unwrap_or_default();
        let end = self.offset.checked_add(self.count as u64);
        let inside = end.is_some_and(|end| end <= region.size);
        if inside && region.size > 0 {
            return Ok(region);
        }
        let Place { region: index, offset, count } = self;
        Err(Refusal::invalid(format!(
            "{count} bytes at {offset:#x} are outside of region {index}, which has {:#x} bytes",
            region.size
        )))
    }

    fn write(self, device: &mut dyn Device, data: &[u8]) -> Result<(), Refusal> {
        if self.count == 0 {
            return Ok(());
        }
        device.write(self.region, self.offset, data).map_err(|errno| self.refused(errno, "written"))
    }

    fn refused(self, errno: Errno, what: &str) -> Refusal {
        let Place { region, offset, count } = self;
        Refusal::new(errno, format!("{count} bytes at {offset:#x} of region {region} cannot be {what}"))
    }
}

/// REGION_READ.
pub(super) fn read(device: &mut dyn Device, payload: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal> {
    require(payload.len() == region_access::BYTES, "REGION_READ has the wrong length")?;
    let place = Place::parse(payload);
    let region = place.check(device)?;
    require(region.readable, "the region cannot be read")?;
    reply.extend(payload);
    if place.count == 0 {
        return Ok(());
    }
    let start = reply.len();
    reply.resize(start + place.count, 0);
    device.read(place.region, place.offset, &mut reply[start..]).map_err(|errno| place.refused(errno, "read"))
}

/// REGION_WRITE.
pub(super) fn write(device: &mut dyn Device, payload: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal> {
    require(payload.len() >= region_access::BYTES, "REGION_WRITE is too short")?;
    let (request, data) = payload.split_at(region_access::BYTES);
    let place = Place::parse(request);
    require(data.len() == place.count, "REGION_WRITE has not as many bytes as it says")?;
    let region = place.check(device)?;
    require(region.writable, "the region cannot be written")?;
    place.write(device, data)?;
    reply.extend(request);
    Ok(())
}

/// REGION_WRITE_MULTI. All entries are checked before the first is written; if the device then refuses one, the
/// reply tells how many were done before.
pub(super) fn write_multi(
    device: &mut dyn Device,
    payload: &[u8],
    reply: &mut Vec<u8>,
) -> Result<(), Refusal> {
    require(payload.len() >= region_write_multi::BYTES, "REGION_WRITE_MULTI is too short")?;
    let (request, entries) = payload.split_at(region_write_multi::BYTES);
    let count = u64_at(request, region_write_multi::COUNT);
    let bytes = count.checked_mul(multi_write::BYTES as u64);
    require(bytes == Some(entries.len() as u64), "REGION_WRITE_MULTI has not as many entries as it says")?;
    for one in entries.chunks_exact(multi_write::BYTES) {
        let place = Place::parse(one);
        require(place.count <= multi_write::BYTES - multi_write::DATA, "an entry has more than 8 bytes")?;
        require(place.check(device)?.writable, "the region cannot be written")?;
    }
    let mut done = 0u64;
    for one in entries.chunks_exact(multi_write::BYTES) {
        let place = Place::parse(one);
        match place.write(device, &one[multi_write::DATA..][..place.count]) {
            Err(refusal) if done == 0 => return Err(refusal),
            Err(_) => break,
            Ok(()) => done += 1,
        }
    }
    reply.extend(done.to_ne_bytes());
    Ok(())
}

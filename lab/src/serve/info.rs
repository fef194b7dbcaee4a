//! Commands that ask what the device is made of.

use std::os::fd::OwnedFd;

use super::header::u32_at;
use super::refusal::{Refusal, require};
use super::wire::{
    device_flags, device_info, irq, irq_flags, irq_info, region, region_cap, region_flags, region_info,
    region_io_fds, sparse_area, sparse_mmap,
};
use crate::device::{Area, Device};

/// Regions that the client is told of: the nine of a PCI function, or more if the device has more.
fn region_count(device: &dyn Device) -> usize {
    device.regions().len().max(region::COUNT as usize)
}

fn append(reply: &mut Vec<u8>, words: &[u32]) {
    for word in words {
        reply.extend(word.to_ne_bytes());
    }
}

/// DEVICE_GET_INFO.
pub(super) fn device_info(device: &dyn Device, payload: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal> {
    check(payload, device_info::BYTES, device_info::ARGSZ)?;
    let flags = device_flags::RESET | device_flags::PCI;
    append(reply, &[device_info::BYTES as u32, flags, region_count(device) as u32, irq::COUNT]);
    Ok(())
}

/// DEVICE_GET_REGION_INFO. The file comes only with a full answer: a client that asked with too little room asks
/// again.
pub(super) fn region_info(
    device: &dyn Device,
    takes_fds: bool,
    payload: &[u8],
    reply: &mut Vec<u8>,
) -> Result<Option<OwnedFd>, Refusal> {
    let room = check(payload, region_info::BYTES, region_info::ARGSZ)?;
    let index = u32_at(payload, region_info::INDEX);
    require((index as usize) < region_count(device), "there is no such region")?;
    let region = device.regions().get(index as usize).copied().unwrap_or_default();
    let mappable = if takes_fds && region.size > 0 { device.mappable(index) } else { None };
    let mut flags = 0;
    if region.size > 0 {
        flags |= if region.readable { region_flags::READ } else { 0 };
        flags |= if region.writable { region_flags::WRITE } else { 0 };
    }
    let mut full = region_info::BYTES;
    if let Some((_, areas)) = mappable {
        flags |= region_flags::MMAP | region_flags::CAPS;
        full += sparse_mmap::BYTES + areas.len() * sparse_area::BYTES;
    }
    let complete = room >= full;
    let chain = if complete && mappable.is_some() { region_info::BYTES as u32 } else { 0 };
    append(reply, &[full as u32, flags, index, chain]);
    reply.extend(region.size.to_ne_bytes());
    reply.extend(0u64.to_ne_bytes()); // an area lies at the same offset of region and file
    match mappable {
        Some((file, areas)) if complete => {
            append_areas(areas, reply);
            let file = file.try_clone_to_owned().map_err(|error| {
                let errno = rustix::io::Errno::from_io_error(&error).unwrap_or(rustix::io::Errno::MFILE);
                Refusal::new(errno, "no descriptor is left for the file of the region")
            })?;
            Ok(Some(file))
        }
        _ => Ok(None),
    }
}

/// The sparse mmap capability: which parts of the region may be mapped.
fn append_areas(areas: &[Area], reply: &mut Vec<u8>) {
    reply.extend(region_cap::SPARSE_MMAP.to_ne_bytes());
    reply.extend(1u16.to_ne_bytes());
    append(reply, &[0, areas.len() as u32, 0]);
    for area in areas {
        reply.extend(area.offset.to_ne_bytes());
        reply.extend(area.size.to_ne_bytes());
    }
}

/// DEVICE_GET_REGION_IO_FDS: there are none, a mapped doorbell page does the same better.
pub(super) fn region_io_fds(device: &dyn Device, payload: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal> {
    check(payload, region_io_fds::BYTES, region_io_fds::ARGSZ)?;
    let index = u32_at(payload, region_io_fds::INDEX);
    require((index as usize) < region_count(device), "there is no such region")?;
    append(reply, &[region_io_fds::BYTES as u32, 0, index, 0]);
    Ok(())
}

/// DEVICE_GET_IRQ_INFO.
pub(super) fn irq_info(device: &dyn Device, payload: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal> {
    check(payload, irq_info::BYTES, irq_info::ARGSZ)?;
    let index = u32_at(payload, irq_info::INDEX);
    require(index < irq::COUNT, "there is no such kind of interrupt")?;
    append(reply, &[irq_info::BYTES as u32, irq_flags::EVENTFD, index, device.vectors(index)]);
    Ok(())
}

/// Checks the length of a request and returns the room that the client has for the answer. A longer request is
/// understood: the structures may grow at their ends.
pub(super) fn check(payload: &[u8], bytes: usize, argsz: usize) -> Result<usize, Refusal> {
    require(payload.len() >= bytes, "the request is too short")?;
    let room = u32_at(payload, argsz) as usize;
    require(room >= bytes, "argsz is smaller than the structure")?;
    Ok(room)
}

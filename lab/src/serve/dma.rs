//! DMA_MAP and DMA_UNMAP.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::header::{u32_at, u64_at};
use super::info::check;
use super::refusal::{Refusal, require};
use super::wire::{dma_flags, dma_map, dma_unmap, dma_unmap_flags};
use crate::device::Device;
use crate::memory::Prot;

/// DMA_MAP. The memory must come as a file: asking the client for every byte by message is not offered.
pub(super) fn map(device: &mut dyn Device, payload: &[u8], fds: Vec<OwnedFd>) -> Result<(), Refusal> {
    check(payload, dma_map::BYTES, dma_map::ARGSZ)?;
    let flags = u32_at(payload, dma_map::FLAGS);
    require(flags & !(dma_flags::READ | dma_flags::WRITE) == 0, "a flag of DMA_MAP is unknown")?;
    let [file] = fds.as_slice() else {
        return Err(match fds.len() {
            0 => Refusal::new(Errno::OPNOTSUPP, "DMA memory without a file is not supported"),
            _ => Refusal::invalid("DMA_MAP takes one descriptor"),
        });
    };
    let offset = u64_at(payload, dma_map::OFFSET);
    let iova = u64_at(payload, dma_map::IOVA);
    let size = u64_at(payload, dma_map::SIZE);
    let prot = Prot::new(flags & dma_flags::READ != 0, flags & dma_flags::WRITE != 0);
    device.memory().map(file, offset, iova, size, prot)?;
    device.memory_changed(iova, size, true);
    Ok(())
}

/// DMA_UNMAP of one mapping, or of all.
pub(super) fn unmap(device: &mut dyn Device, payload: &[u8], reply: &mut Vec<u8>) -> Result<(), Refusal> {
    check(payload, dma_unmap::BYTES, dma_unmap::ARGSZ)?;
    let iova = u64_at(payload, dma_unmap::IOVA);
    let size = u64_at(payload, dma_unmap::SIZE);
    match u32_at(payload, dma_unmap::FLAGS) {
        0 => {
            device.memory().unmap(iova, size)?;
            device.memory_changed(iova, size, false);
        }
        dma_unmap_flags::ALL => {
            require(iova == 0 && size == 0, "unmapping all takes address 0 and size 0")?;
            unmap_all(device);
        }
        flags => {
            return Err(Refusal::invalid(format!("the flags {flags:#x} of DMA_UNMAP are not supported")));
        }
    }
    reply.extend(&payload[..dma_unmap::BYTES]);
    Ok(())
}

/// Takes all memory away from the device.
pub(super) fn unmap_all(device: &mut dyn Device) {
    let ranges: Vec<_> = device.memory().ranges().collect();
    device.memory().clear();
    for (iova, size) in ranges {
        device.memory_changed(iova, size, false);
    }
}

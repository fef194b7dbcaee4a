//! What DEVICE_GET_REGION_INFO says, and the windows that come of it.

use std::os::fd::AsFd;
use std::sync::Arc;

use super::channel::{Channel, Fault, put, u16_at, u32_at, u64_at};
use crate::bus::wire::{
    cap_header, command, region_cap, region_flags, region_info, sparse_area, sparse_mmap,
};
use crate::mmio::Window;

/// Space for the answer: with less than the whole, servers do not send the descriptor.
const ANSWER_BYTES: u32 = 4096;

/// More areas than any real device has would only cost memory.
const MAX_AREAS: usize = 64;

/// One region of the function.
#[derive(Default)]
pub(super) struct Region {
    pub(super) size: u64,
    pub(super) windows: Vec<Arc<Window>>,
}

/// Asks for a region and maps what may be mapped. A window that cannot be mapped is left to messages.
pub(super) fn query(channel: &Channel, index: u32) -> Result<Region, Fault> {
    let mut ask = [0; region_info::BYTES];
    put(&mut ask, region_info::ARGSZ, &ANSWER_BYTES.to_ne_bytes());
    put(&mut ask, region_info::INDEX, &index.to_ne_bytes());
    let answer = channel.request(command::DEVICE_GET_REGION_INFO, &ask, &[])?;
    let info = answer.payload.as_slice();
    if info.len() < region_info::BYTES {
        return Err(Fault::Lost(format!("region {index} described in {} bytes", info.len())));
    }
    let size = u64_at(info, region_info::SIZE);
    let mut windows = Vec::new();
    if let (true, Some(file)) = (may_map(info), answer.fds.first()) {
        let base = u64_at(info, region_info::OFFSET);
        for (offset, length) in areas(info) {
            let inside = offset.checked_add(length).is_some_and(|end| end <= size);
            let (Ok(start), Ok(length)) = (u32::try_from(offset), u32::try_from(length)) else { continue };
            let Some(at) = base.checked_add(offset).filter(|_| inside) else { continue };
            windows.extend(Window::map(file.as_fd(), at, start, length).map(Arc::new).ok());
        }
    }
    Ok(Region { size, windows })
}

fn may_map(info: &[u8]) -> bool {
    let both = region_flags::READ | region_flags::WRITE | region_flags::MMAP;
    u32_at(info, region_info::FLAGS) & both == both
}

/// The areas that may be mapped: those of the sparse capability, or the whole region if there is none.
fn areas(info: &[u8]) -> Vec<(u64, u64)> {
    let whole = vec![(0, u64_at(info, region_info::SIZE))];
    if u32_at(info, region_info::FLAGS) & region_flags::CAPS == 0 {
        return whole;
    }
    let mut at = u32_at(info, region_info::CAP_OFFSET) as usize;
    // A chain that goes forward only must end; one that goes back is a lie.
    while at >= region_info::BYTES && at + cap_header::BYTES <= info.len() {
        if u16_at(info, at + cap_header::ID) == region_cap::SPARSE_MMAP {
            return sparse(&info[at..]);
        }
        let next = u32_at(info, at + cap_header::NEXT) as usize;
        if next <= at {
            break;
        }
        at = next;
    }
    whole
}

fn sparse(capability: &[u8]) -> Vec<(u64, u64)> {
    let count = (u32_at(capability, sparse_mmap::NR_AREAS) as usize).min(MAX_AREAS);
    let areas = capability.get(sparse_mmap::BYTES..).unwrap_or(&[]);
    let one = |area: &[u8]| (u64_at(area, sparse_area::OFFSET), u64_at(area, sparse_area::SIZE));
    areas.chunks_exact(sparse_area::BYTES).take(count).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer in facts/vfio.md, section 3.3: two areas of one page.
    fn answer() -> Vec<u8> {
        let words: [u32; 20] = [
            0x50,
            0xF,
            0,
            0x20,
            0x20000,
            0,
            0,
            0, // region_info
            0x0001_0001,
            0,
            2,
            0, // sparse capability
            0x1000,
            0,
            0x1000,
            0,
            0x6000,
            0,
            0x1000,
            0,
        ];
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn reads_the_sparse_areas() {
        assert_eq!(areas(&answer()), [(0x1000, 0x1000), (0x6000, 0x1000)]);
    }

    #[test]
    fn without_the_capability_the_region_is_one_area() {
        let mut plain = answer();
        put(&mut plain, region_info::FLAGS, &7u32.to_ne_bytes());
        assert_eq!(areas(&plain), [(0, 0x20000)]);
    }

    #[test]
    fn a_cut_or_circular_chain_does_no_harm() {
        let whole = answer();
        for length in region_info::BYTES..whole.len() {
            areas(&whole[..length]);
        }
        let mut circular = whole.clone();
        put(&mut circular, 32, &2u16.to_ne_bytes());
        put(&mut circular, 36, &32u32.to_ne_bytes());
        assert_eq!(areas(&circular), [(0, 0x20000)]);
        let mut many = whole;
        put(&mut many, 32 + sparse_mmap::NR_AREAS, &u32::MAX.to_ne_bytes());
        assert_eq!(areas(&many).len(), 2);
    }
}

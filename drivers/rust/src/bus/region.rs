//! What a region of a function is said to be: the same structure comes from the kernel and over a vfio-user socket.

use std::os::fd::BorrowedFd;

use super::bytes::{u16_at, u32_at, u64_at};
use super::wire::{cap_header, region_cap, region_flags, region_info, sparse_area, sparse_mmap};
use crate::error::Result;
use crate::mmio::Window;

/// More areas than any real device has would only cost memory.
const MAX_AREAS: usize = 64;

/// Mappings are made of these.
const PAGE: u64 = 4096;

/// Maps what the answer `info` says may be mapped, out of `file`. What does not lie within the region, or is no whole
/// pages (small BARs), is left out.
pub(super) fn windows<'a>(
    info: &[u8],
    file: BorrowedFd<'a>,
) -> impl Iterator<Item = Result<Window>> + use<'a> {
    let (size, base) = (u64_at(info, region_info::SIZE), u64_at(info, region_info::OFFSET));
    let areas = if size > 0 && may_map(info) { areas(info) } else { Vec::new() };
    let whole = |&(offset, length): &(u64, u64)| (offset | length).is_multiple_of(PAGE);
    areas.into_iter().filter(whole).filter_map(move |(offset, length)| {
        let end = offset.checked_add(length)?;
        let (start, length) = (u32::try_from(offset).ok()?, u32::try_from(length).ok()?);
        let at = base.checked_add(offset).filter(|_| end <= size)?;
        Some(Window::map(file, at, start, length))
    })
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
    use crate::bus::bytes::put;

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

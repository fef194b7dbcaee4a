//! What DEVICE_GET_REGION_INFO says, and the windows that come of it.

use std::os::fd::AsFd;
use std::sync::Arc;

use super::channel::{Channel, Fault};
use crate::bus::bytes::{put, u64_at};
use crate::bus::region;
use crate::bus::wire::{command, region_info};
use crate::mmio::Window;

/// Space for the answer: with less than the whole, servers do not send the descriptor.
const ANSWER_BYTES: u32 = 4096;

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
    let windows = answer.fds.first().map_or(Vec::new(), |file| {
        region::windows(info, file.as_fd()).filter_map(Result::ok).map(Arc::new).collect()
    });
    Ok(Region { size: u64_at(info, region_info::SIZE), windows })
}

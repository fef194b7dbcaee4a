//! DEVICE_SET_IRQS: binding eventfds to vectors, and firing them by hand.

use std::os::fd::OwnedFd;

use super::eventfd::is_eventfd;
use super::header::u32_at;
use super::info::check;
use super::refusal::{Refusal, require};
use super::wire::{irq, irq_set, irq_set_flags as is};
use crate::device::Device;

const BIND: u32 = is::DATA_EVENTFD | is::ACTION_TRIGGER;
const FIRE: u32 = is::DATA_NONE | is::ACTION_TRIGGER;
const FIRE_SOME: u32 = is::DATA_BOOL | is::ACTION_TRIGGER;

/// Which vectors the command is about.
struct Range {
    index: u32,
    start: u32,
    count: u32,
}

impl Range {
    fn vectors(&self) -> std::ops::Range<u32> {
        self.start..self.start + self.count
    }
}

/// DEVICE_SET_IRQS.
pub(super) fn set(device: &mut dyn Device, payload: &[u8], fds: Vec<OwnedFd>) -> Result<(), Refusal> {
    check(payload, irq_set::BYTES, irq_set::ARGSZ)?;
    let flags = u32_at(payload, irq_set::FLAGS);
    let range = Range {
        index: u32_at(payload, irq_set::INDEX),
        start: u32_at(payload, irq_set::START),
        count: u32_at(payload, irq_set::COUNT),
    };
    let data = &payload[irq_set::BYTES..];
    require(range.index < irq::COUNT, "there is no such kind of interrupt")?;
    require(flags == FIRE_SOME || data.is_empty(), "the request is too long for its flags")?;
    require(flags == BIND || fds.is_empty(), "only DATA_EVENTFD takes descriptors")?;
    if flags == FIRE && range.start == 0 && range.count == 0 {
        return unbind_all(device, range.index);
    }
    let end = range.start.checked_add(range.count);
    let exists = end.is_some_and(|end| end <= device.vectors(range.index));
    require(exists && range.count > 0, "the vectors do not exist")?;
    match flags {
        BIND => bind(device, &range, fds),
        FIRE => range.vectors().try_for_each(|vector| fire(device, range.index, vector)),
        FIRE_SOME => fire_some(device, &range, data),
        _ => Err(Refusal::invalid(format!(
            "the flags {flags:#x} are not supported (vectors cannot be masked)"
        ))),
    }
}

/// Binds all vectors of an index to nothing.
pub(super) fn unbind_all(device: &mut dyn Device, index: u32) -> Result<(), Refusal> {
    for vector in 0..device.vectors(index) {
        device.bind_vector(index, vector, None).map_err(refused)?;
    }
    Ok(())
}

/// One descriptor for each vector, or none at all to unbind.
fn bind(device: &mut dyn Device, range: &Range, fds: Vec<OwnedFd>) -> Result<(), Refusal> {
    require(
        fds.is_empty() || fds.len() == range.count as usize,
        "there must be one eventfd for each vector, or none to unbind",
    )?;
    require(fds.iter().all(is_eventfd), "a descriptor is not an eventfd")?;
    let mut fds = fds.into_iter();
    for vector in range.vectors() {
        if let Err(errno) = device.bind_vector(range.index, vector, fds.next()) {
            unbind(device, range.index, range.start..vector);
            return Err(refused(errno));
        }
    }
    Ok(())
}

/// Takes back what a command had bound before it failed.
fn unbind(device: &mut dyn Device, index: u32, vectors: std::ops::Range<u32>) {
    for vector in vectors {
        // The error that is reported is the first one.
        let _ = device.bind_vector(index, vector, None);
    }
}

/// One byte for each vector says whether to fire it.
fn fire_some(device: &mut dyn Device, range: &Range, wanted: &[u8]) -> Result<(), Refusal> {
    require(wanted.len() == range.count as usize, "DATA_BOOL needs one byte for each vector")?;
    for (vector, _) in range.vectors().zip(wanted).filter(|(_, wanted)| **wanted != 0) {
        fire(device, range.index, vector)?;
    }
    Ok(())
}

fn fire(device: &mut dyn Device, index: u32, vector: u32) -> Result<(), Refusal> {
    device.trigger(index, vector).map_err(refused)
}

fn refused(errno: rustix::io::Errno) -> Refusal {
    Refusal::new(errno, "the device refused the vector")
}

// bus/vfio_user · vfio-user protocol 0.1
// A client in safe Rust: rustix for the socket, every message with a deadline, no answer believed before it is checked.

//! vfio-user: the function lives in another process, behind a UNIX socket.
//!
//! The client sends commands and gets answers in order. Register pages that the server shares are mapped, so that
//! doorbells and polling need no messages; descriptors of our DMA memory go to the server, which maps them.
//!
//! ```text
//!   VERSION ─ DEVICE_GET_INFO ─ DEVICE_GET_REGION_INFO (0..=8) ─ ... REGION_READ / REGION_WRITE, DMA_MAP, ...
//! ```

mod channel;
mod regions;
#[cfg(test)]
mod tests;

use std::os::fd::BorrowedFd;
use std::sync::Arc;

use rustix::io::Errno;

use super::bytes::{put, u16_at, u32_at};
use super::wire::{
    command, device_flags, device_info, dma_flags, dma_map, dma_unmap, irq, irq_info, irq_set, irq_set_flags,
    limits, region_access, version, version_payload,
};
use super::{Function, Way};
use crate::dma::DmaMemory;
use crate::error::{Error, Result};
use crate::mmio::Window;
use channel::{Channel, Fault, MAX_FDS};
use regions::Region;

/// Regions of a PCI function: six BARs, ROM, configuration space, VGA.
const REGIONS: u32 = super::wire::region::COUNT;

/// A function behind a vfio-user socket.
pub struct VfioUser {
    address: String,
    channel: Channel,
    regions: Vec<Region>,
    /// Descriptors that the server takes in one message.
    max_fds: usize,
}

impl VfioUser {
    /// Connects to the server that listens at `path`, and asks what it serves.
    ///
    /// # Errors
    /// [`Error::NoSuchDevice`] if nobody listens there, or what listens does not speak vfio-user or serves no PCI
    /// function; [`Error::PermissionDenied`] if the socket may not be opened or another driver has the function.
    pub fn connect(path: &str) -> Result<VfioUser> {
        let address = format!("unix:{path}");
        let channel = Channel::connect(path).map_err(|errno| unreachable_because(&address, errno))?;
        let max_fds = negotiate(&channel).map_err(|fault| not_ours(&address, fault))?;
        let found = function_regions(&channel).map_err(|fault| not_ours(&address, fault))?;
        let regions = found.ok_or_else(|| Error::NoSuchDevice {
            address: address.clone(),
            reason: "the server serves something that is no PCI function".into(),
        })?;
        Ok(VfioUser { address, channel, regions, max_fds })
    }

    fn failed(&self, doing: &str, fault: Fault) -> Error {
        Error::DeviceFailed(match fault {
            Fault::Lost(why) => format!("{}: {why}", self.address),
            Fault::Refused(errno) => {
                format!("{}: {doing} was refused: {}", self.address, Errno::from_raw_os_error(errno))
            }
        })
    }

    fn request(&self, doing: &str, command: u16, payload: &[u8], fds: &[BorrowedFd<'_>]) -> Result<Vec<u8>> {
        let answer =
            self.channel.request(command, payload, fds).map_err(|fault| self.failed(doing, fault))?;
        Ok(answer.payload)
    }

    fn set_irqs(&self, flags: u32, start: u32, count: u32, fds: &[BorrowedFd<'_>]) -> Result<()> {
        let mut ask = [0; irq_set::BYTES];
        put(&mut ask, irq_set::ARGSZ, &(irq_set::BYTES as u32).to_ne_bytes());
        put(&mut ask, irq_set::FLAGS, &(flags | irq_set_flags::ACTION_TRIGGER).to_ne_bytes());
        put(&mut ask, irq_set::INDEX, &irq::MSIX.to_ne_bytes());
        put(&mut ask, irq_set::START, &start.to_ne_bytes());
        put(&mut ask, irq_set::COUNT, &count.to_ne_bytes());
        self.request("binding interrupts", command::DEVICE_SET_IRQS, &ask, fds).map(|_| ())
    }
}

impl Function for VfioUser {
    fn way(&self) -> Way {
        Way::VfioUser
    }

    fn address(&self) -> &str {
        &self.address
    }

    fn size(&self, region: u32) -> u64 {
        self.regions.get(region as usize).map_or(0, |region| region.size)
    }

    fn windows(&self, region: u32) -> Vec<Arc<Window>> {
        self.regions.get(region as usize).map_or(Vec::new(), |region| region.windows.clone())
    }

    fn read(&self, region: u32, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let ask = access(region, offset, bytes.len());
        let answer = self.request("reading a register", command::REGION_READ, &ask, &[])?;
        let data = answer.get(region_access::BYTES..).unwrap_or(&[]);
        if data.len() != bytes.len() {
            let (got, wanted) = (data.len(), bytes.len());
            return Err(Error::DeviceFailed(format!(
                "{}: a read of {wanted} bytes gave {got}",
                self.address
            )));
        }
        bytes.copy_from_slice(data);
        Ok(())
    }

    fn write(&self, region: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut ask = access(region, offset, bytes.len());
        ask.extend_from_slice(bytes);
        self.request("writing a register", command::REGION_WRITE, &ask, &[]).map(|_| ())
    }

    fn post(&self, region: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut ask = access(region, offset, bytes.len());
        ask.extend_from_slice(bytes);
        let sent = self.channel.post(command::REGION_WRITE, &ask);
        sent.map_err(|fault| self.failed("writing a register", fault))
    }

    fn map_dma(&self, memory: &DmaMemory) -> Result<()> {
        for run in memory.runs() {
            let mut ask = [0; dma_map::BYTES];
            put(&mut ask, dma_map::ARGSZ, &(dma_map::BYTES as u32).to_ne_bytes());
            put(&mut ask, dma_map::FLAGS, &(dma_flags::READ | dma_flags::WRITE).to_ne_bytes());
            put(&mut ask, dma_map::OFFSET, &(run.offset as u64).to_ne_bytes());
            put(&mut ask, dma_map::IOVA, &run.iova.to_ne_bytes());
            put(&mut ask, dma_map::SIZE, &(run.bytes as u64).to_ne_bytes());
            self.request("mapping DMA memory", command::DMA_MAP, &ask, &[memory.file()])?;
        }
        Ok(())
    }

    fn unmap_dma(&self, memory: &DmaMemory) -> Result<()> {
        for run in memory.runs() {
            let mut ask = [0; dma_unmap::BYTES];
            put(&mut ask, dma_unmap::ARGSZ, &(dma_unmap::BYTES as u32).to_ne_bytes());
            put(&mut ask, dma_unmap::IOVA, &run.iova.to_ne_bytes());
            put(&mut ask, dma_unmap::SIZE, &(run.bytes as u64).to_ne_bytes());
            self.request("unmapping DMA memory", command::DMA_UNMAP, &ask, &[])?;
        }
        Ok(())
    }

    fn vectors(&self) -> Result<u32> {
        let mut ask = [0; irq_info::BYTES];
        put(&mut ask, irq_info::ARGSZ, &(irq_info::BYTES as u32).to_ne_bytes());
        put(&mut ask, irq_info::INDEX, &irq::MSIX.to_ne_bytes());
        let answer = self.request("asking for interrupts", command::DEVICE_GET_IRQ_INFO, &ask, &[])?;
        Ok(u32_at(&answer, irq_info::COUNT))
    }

    fn bind_vectors(&self, first: u32, events: &[BorrowedFd<'_>]) -> Result<()> {
        let count = self.vectors()?;
        super::check_vectors(count, first, events.len())?;
        for (chunk, start) in events.chunks(self.max_fds).zip((first..).step_by(self.max_fds)) {
            self.set_irqs(irq_set_flags::DATA_EVENTFD, start, chunk.len() as u32, chunk)?;
        }
        Ok(())
    }

    fn unbind_vectors(&self) -> Result<()> {
        self.set_irqs(irq_set_flags::DATA_NONE, 0, 0, &[])
    }

    fn reset(&self) -> Result<()> {
        self.request("the reset", command::DEVICE_RESET, &[], &[]).map(|_| ())
    }

    fn check(&self) -> Result<()> {
        self.channel.check().map_err(|fault| self.failed("looking", fault))
    }
}

/// Agrees on version and capabilities; returns how many descriptors the server takes in one message.
fn negotiate(channel: &Channel) -> std::result::Result<usize, Fault> {
    let capabilities = format!("{{\"capabilities\":{{\"max_msg_fds\":{MAX_FDS}}}}}\0");
    let mut ask = vec![0; version_payload::BYTES];
    put(&mut ask, version_payload::MAJOR, &version::MAJOR.to_ne_bytes());
    put(&mut ask, version_payload::MINOR, &version::MINOR.to_ne_bytes());
    ask.extend_from_slice(capabilities.as_bytes());
    let answer = channel.request(command::VERSION, &ask, &[])?.payload;
    let major = u16_at(&answer, version_payload::MAJOR);
    if answer.len() < version_payload::BYTES || major != version::MAJOR {
        return Err(Fault::Lost(format!("it speaks version {major}, we speak {}", version::MAJOR)));
    }
    Ok(max_fds(&answer[version_payload::BYTES..]).clamp(1, MAX_FDS))
}

/// `capabilities.max_msg_fds` of the server; what is missing or garbled has the protocol's default.
fn max_fds(json: &[u8]) -> usize {
    let json = json.strip_suffix(b"\0").unwrap_or(json);
    let value: Option<serde_json::Value> = serde_json::from_slice(json).ok();
    let number = value.as_ref().and_then(|value| value.pointer("/capabilities/max_msg_fds")?.as_u64());
    number.unwrap_or(limits::MAX_MSG_FDS.into()) as usize
}

/// The regions, or `None` if this is no PCI function.
fn function_regions(channel: &Channel) -> std::result::Result<Option<Vec<Region>>, Fault> {
    let mut ask = [0; device_info::BYTES];
    put(&mut ask, device_info::ARGSZ, &(device_info::BYTES as u32).to_ne_bytes());
    let info = channel.request(command::DEVICE_GET_INFO, &ask, &[])?.payload;
    if u32_at(&info, device_info::FLAGS) & device_flags::PCI == 0 {
        return Ok(None);
    }
    let count = u32_at(&info, device_info::NUM_REGIONS).min(REGIONS);
    let one = |index| match regions::query(channel, index) {
        Err(Fault::Refused(_)) => Ok(Region::default()),
        other => other,
    };
    (0..count).map(one).collect::<std::result::Result<_, _>>().map(Some)
}

fn access(region: u32, offset: u64, bytes: usize) -> Vec<u8> {
    let mut ask = vec![0; region_access::BYTES];
    put(&mut ask, region_access::OFFSET, &offset.to_ne_bytes());
    put(&mut ask, region_access::REGION, &region.to_ne_bytes());
    put(&mut ask, region_access::COUNT, &(bytes as u32).to_ne_bytes());
    ask
}

/// What a failed `connect` means to the user.
fn unreachable_because(address: &str, errno: Errno) -> Error {
    let path = address.trim_start_matches("unix:");
    let reason = match errno {
        Errno::ACCESS | Errno::PERM => {
            return Error::PermissionDenied {
                what: format!("no right to open the socket {path}"),
                remedy:
                    "run as the user who started the lab, or let that user change the socket's permissions"
                        .into(),
            };
        }
        Errno::NOENT => "there is no such socket; start a software NIC first (ringway lab FILE.toml)".into(),
        Errno::CONNREFUSED => {
            "nobody listens at this socket; what made it has ended, start it again (ringway lab FILE.toml)"
                .into()
        }
        Errno::AGAIN => "its queue of waiting drivers is full; stop one of them".into(),
        Errno::NAMETOOLONG | Errno::INVAL => "the path of a socket has at most 107 bytes".into(),
        Errno::PROTOTYPE | Errno::NOTSOCK => "this is no stream socket".into(),
        other => format!("connecting: {other}"),
    };
    Error::NoSuchDevice { address: address.into(), reason }
}

/// What a failed greeting means to the user.
fn not_ours(address: &str, fault: Fault) -> Error {
    match fault {
        Fault::Refused(errno) if errno == Errno::BUSY.raw_os_error() => Error::PermissionDenied {
            what: format!("{address} is in use by another driver"),
            remedy: "stop that driver, or use another device".into(),
        },
        Fault::Refused(errno) => Error::NoSuchDevice {
            address: address.into(),
            reason: format!("the server refuses us: {}", Errno::from_raw_os_error(errno)),
        },
        Fault::Lost(why) => Error::NoSuchDevice {
            address: address.into(),
            reason: format!("what listens there does not speak vfio-user ({why})"),
        },
    }
}

//! Acting on one message of the client that has the device.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::header::Header;
use super::peer::Peer;
use super::refusal::{Refusal, require};
use super::version::Agreement;
use super::wire::command;
use super::{access, dma, info, irqs};
use crate::device::Device;

/// Acts on the message in the inbox and puts the answer, if one is wanted, into the outbox. Returns why the command
/// was refused, if it was.
pub(super) fn act(peer: &mut Peer, agreement: &Agreement, device: &mut dyn Device) -> Option<Refusal> {
    let header = peer.inbox.header();
    if header.kind() == super::wire::flags::REPLY {
        // We never ask anything, so this answers nothing; an answer to it would be nonsense too.
        peer.inbox.clear();
        return None;
    }
    device.synchronise();
    let result = dispatch(peer, &header, agreement, device);
    let refusal = match result {
        Ok(fd) if header.wants_reply() => {
            peer.outbox.finish(&header, fd);
            None
        }
        Ok(_) => {
            peer.outbox.clear();
            None
        }
        Err(refusal) => {
            peer.outbox.clear();
            peer.refuse(&refusal);
            Some(refusal)
        }
    };
    peer.inbox.clear();
    refusal
}

fn dispatch(
    peer: &mut Peer,
    header: &Header,
    agreement: &Agreement,
    device: &mut dyn Device,
) -> Result<Option<OwnedFd>, Refusal> {
    require(header.kind() == 0, "the message is neither a command nor a reply")?;
    let fds = peer.inbox.take_fds().map_err(|errno| Refusal::new(errno, "too many descriptors"))?;
    let payload = peer.inbox.payload();
    let reply = peer.outbox.begin();
    match header.command {
        command::DMA_MAP => dma::map(device, payload, fds)?,
        command::DMA_UNMAP => dma::unmap(device, payload, reply)?,
        command::DEVICE_GET_INFO => info::device_info(device, payload, reply)?,
        command::DEVICE_GET_REGION_INFO => {
            return info::region_info(device, agreement.takes_fds, payload, reply);
        }
        command::DEVICE_GET_REGION_IO_FDS => info::region_io_fds(device, payload, reply)?,
        command::DEVICE_GET_IRQ_INFO => info::irq_info(device, payload, reply)?,
        command::DEVICE_SET_IRQS => irqs::set(device, payload, fds)?,
        command::REGION_READ => access::read(device, payload, reply)?,
        command::REGION_WRITE => access::write(device, payload, reply)?,
        command::REGION_WRITE_MULTI if agreement.write_multiple => {
            access::write_multi(device, payload, reply)?
        }
        command::DEVICE_RESET => {
            require(payload.is_empty(), "DEVICE_RESET has no payload")?;
            device.reset();
        }
        command::VERSION => return Err(Refusal::invalid("the version was agreed on already")),
        _ => return Err(Refusal::new(Errno::OPNOTSUPP, "the command is not supported")),
    }
    Ok(None)
}

/// Name of a command, for notes.
pub(super) fn name(number: u16) -> &'static str {
    match number {
        command::VERSION => "VERSION",
        command::DMA_MAP => "DMA_MAP",
        command::DMA_UNMAP => "DMA_UNMAP",
        command::DEVICE_GET_INFO => "DEVICE_GET_INFO",
        command::DEVICE_GET_REGION_INFO => "DEVICE_GET_REGION_INFO",
        command::DEVICE_GET_REGION_IO_FDS => "DEVICE_GET_REGION_IO_FDS",
        command::DEVICE_GET_IRQ_INFO => "DEVICE_GET_IRQ_INFO",
        command::DEVICE_SET_IRQS => "DEVICE_SET_IRQS",
        command::REGION_READ => "REGION_READ",
        command::REGION_WRITE => "REGION_WRITE",
        command::DEVICE_RESET => "DEVICE_RESET",
        command::REGION_WRITE_MULTI => "REGION_WRITE_MULTI",
        _ => "a command unknown here",
    }
}

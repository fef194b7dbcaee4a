//! Rules about the transmit unit: its switches, packet buffers and arbiter.

use super::context::{Context, Write};
use super::queues::{QueueState, of, registers};
use super::rules::transmit as rules;
use crate::events::{Queue, Side};
use crate::ixgbe::regs;

/// KiB: all transmit packet buffers.
const PACKET_BUFFER_KIB: u32 = 160;
/// DTXMXSZRQ without DCB: 1 MiB.
const REQUEST_LIMIT: u32 = 0xFFF;

/// A write to any register.
pub(super) fn write(cx: &mut Context<'_>, write: &Write) {
    let at = write.at;
    if at.is(&regs::DMATXCTL) && write.raises(regs::dmatxctl::TE) {
        opens(cx);
    }
    let arbitrated =
        at.is(&regs::DTXMXSZRQ) || at.is(&regs::TXPBSIZE) || at.is(&regs::TXPBTHRESH) || at.is(&regs::MTQC);
    // In plain memory, the arbiter may have been stopped for a moment that nobody saw.
    if arbitrated
        && !write.mapped
        && write.value != write.before
        && !cx.is_set(regs::RTTDCS, regs::rttdcs::ARBDIS)
    {
        cx.register(&rules::ARBITER_RUNNING, at, || {
            format!("{at} changed from {:#x} to {:#x} while RTTDCS.ARBDIS = 0", write.before, write.value)
        });
    }
}

/// DMATXCTL.TE goes to 1.
fn opens(cx: &mut Context<'_>) {
    let dcb = cx.is_set(regs::MTQC, regs::mtqc::RT_ENA);
    let used = if dcb { regs::TXPBSIZE.len() } else { 1 };
    let sizes: Vec<u32> =
        (0..used).map(|number| cx.field(regs::TXPBSIZE.at(number), regs::txpbsize::SIZE)).collect();
    let (first, total) = (sizes[0], sizes.iter().sum::<u32>());
    if first == 0 || total > PACKET_BUFFER_KIB {
        cx.device(&rules::PACKET_BUFFER, || {
            format!("TXPBSIZE[0] = {first} KiB, {total} KiB in all {used} used; expected at most {PACKET_BUFFER_KIB}")
        });
    }
    for (number, size) in sizes.into_iter().enumerate() {
        let register = regs::TXPBTHRESH.at(number as u16);
        let threshold = cx.field(register, regs::txpbthresh::THRESH);
        if threshold > size {
            cx.device(&rules::THRESHOLD, || {
                format!("{register} = {threshold} KiB, but TXPBSIZE[{number}] has only {size} KiB")
            });
        }
    }
    let limit = cx.field(regs::DTXMXSZRQ, regs::dtxmxszrq::MAX_BYTES);
    if !dcb && limit != REQUEST_LIMIT {
        cx.device(&rules::REQUEST_LIMIT, || format!("DTXMXSZRQ = {limit:#x} at DMATXCTL.TE; expected 0xfff"));
    }
}

/// A transmit queue is enabled.
pub(super) fn queue_enabled(cx: &mut Context<'_>, state: &mut QueueState, queue: Queue) {
    let control = regs::TXDCTL.at(queue.number);
    let value = cx.peek(control);
    if !cx.is_set(regs::DMATXCTL, regs::dmatxctl::TE) {
        cx.queue(&rules::QUEUE_BEFORE_TE, queue, || format!("{control}.ENABLE set while DMATXCTL.TE = 0"));
    }
    if regs::txdctl::PTHRESH.is_set(value) && !regs::txdctl::HTHRESH.is_set(value) {
        cx.queue(&rules::HOST_THRESHOLD, queue, || {
            format!("{control} = {value:#x}: PTHRESH is {} and HTHRESH 0", regs::txdctl::PTHRESH.get(value))
        });
    }
    let writeback = regs::TDWBAL.at(queue.number);
    let address = cx.peek(writeback);
    let head_writeback = regs::tdwbal::HEAD_WB_EN.is_set(address);
    if head_writeback && address & 0xC != 0 {
        cx.queue(&rules::HEAD_WRITEBACK, queue, || {
            format!(
                "{writeback} = {address:#x}: the address is {:#x}; expected a multiple of 16",
                address & !3
            )
        });
    }
    state.assembly.start(regs::txdctl::WTHRESH.get(value));
}

/// The driver clears ENABLE of a queue.
pub(super) fn disabled(cx: &mut Context<'_>, queue: Queue) {
    if queue.side != Side::Tx {
        return;
    }
    let (head, tail) = (of(registers(Side::Tx).head, queue), of(registers(Side::Tx).tail, queue));
    let (at, to) = (cx.peek(head), cx.peek(tail));
    if at != to {
        cx.queue(&rules::DISABLED_WHILE_SENDING, queue, || {
            format!(
                "TXDCTL[{}].ENABLE cleared with {head} = {at} and {tail} = {to}; expected both equal",
                queue.number
            )
        });
    }
}

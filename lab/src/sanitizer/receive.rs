//! Rules about the receive unit: filters, packet buffers, offsets of the CRC, tables.

use super::context::{Context, Write};
use super::lookup::Named;
use super::queues::{QueueState, Queues, ReceiveFormat};
use super::rules::receive as rules;
use crate::events::{Queue, Side};
use crate::ixgbe::regs::{self, Register};

/// KiB: all receive packet buffers.
const PACKET_BUFFER_KIB: u32 = 512;
/// KiB: the largest receive buffer that SRRCTL can describe.
const LARGEST_BUFFER_KIB: u32 = 16;
/// Bytes: longest frame with CRC without HLREG0.JUMBOEN.
const STANDARD_FRAME: u32 = 1518;
/// Bytes that two VLAN tags add.
const TAGS: u32 = 8;
/// Bit 12 of DCA_RXCTRL, reserved and set after a reset.
const DCA_RESERVED: u32 = 1 << 12;

/// Which words of a memory that no reset clears were written.
#[derive(Debug, Default)]
struct TableWritten {
    words: u128,
}

impl TableWritten {
    fn write(&mut self, index: u16) {
        self.words |= 1u128.checked_shl(u32::from(index)).unwrap_or(0);
    }

    /// The first of `count` words that was not written.
    fn missing(&self, count: u16) -> Option<u16> {
        let first = self.words.trailing_ones() as u16;
        (first < count).then_some(first)
    }
}

/// What has to be remembered of the receive unit.
#[derive(Debug, Default)]
pub(super) struct ReceiveUnit {
    multicast: TableWritten,
    vlan: TableWritten,
    redirection: TableWritten,
    key: TableWritten,
    opened: bool,
}

impl ReceiveUnit {
    pub fn reset(&mut self) {
        *self = ReceiveUnit::default();
    }

    pub fn write(&mut self, cx: &mut Context<'_>, write: &Write, queues: &Queues) {
        let at = write.at;
        if at.is(&regs::MTA) {
            self.multicast.write(at.index);
        } else if at.is(&regs::VFTA) {
            self.vlan.write(at.index);
        } else if at.is(&regs::RETA) {
            self.redirection.write(at.index);
        } else if at.is(&regs::RSSRK) {
            self.key.write(at.index);
        } else if at.is(&regs::RXCTRL) && write.raises(regs::rxctrl::RXEN) {
            self.opens(cx, queues, write.mapped);
        } else if cx.is_set(regs::RXCTRL, regs::rxctrl::RXEN) {
            changed_while_receiving(cx, write);
            self.turned_on_while_receiving(cx, write);
        }
    }

    /// RXCTRL.RXEN goes to 1.
    fn opens(&mut self, cx: &mut Context<'_>, queues: &Queues, mapped: bool) {
        crc_strip(cx);
        coalescing(cx);
        packet_buffers(cx);
        jumbo(cx);
        self.tables(cx);
        // Only the first time after a reset: later the receiver may be off just to change a filter.
        if std::mem::replace(&mut self.opened, true) {
            return;
        }
        if !queues.side(Side::Rx).iter().any(|state| state.enabled) {
            cx.device(&rules::ENABLED_BEFORE_QUEUES, || {
                "RXCTRL.RXEN set while RXDCTL[n].ENABLE is 0 for all n".to_owned()
            });
        }
        // In plain memory, what was written around it may be undone before anybody looks.
        if !mapped && !cx.is_set(regs::SECRXCTRL, regs::secrxctrl::RX_DIS) {
            cx.device(&rules::PATH_NOT_HALTED, || "RXCTRL.RXEN set while SECRXCTRL.RX_DIS = 0".to_owned());
        }
    }

    fn turned_on_while_receiving(&self, cx: &mut Context<'_>, write: &Write) {
        let filters = write.at.is(&regs::MCSTCTRL) || write.at.is(&regs::VLNCTRL) || write.at.is(&regs::MRQC);
        if filters {
            self.tables_with(cx, Some(write));
        }
    }

    fn tables(&self, cx: &mut Context<'_>) {
        self.tables_with(cx, None);
    }

    /// Judges the tables in use; `write` is one that has not taken effect yet.
    fn tables_with(&self, cx: &mut Context<'_>, write: Option<&Write>) {
        let value = |register: Register| match write {
            Some(write) if write.at.is(&register) => write.value,
            _ => cx.peek(register),
        };
        let multicast = regs::mcstctrl::MFE.is_set(value(regs::MCSTCTRL));
        let vlan = regs::vlnctrl::VFE.is_set(value(regs::VLNCTRL));
        let rss = uses_rss(regs::mrqc::MRQE.get(value(regs::MRQC)));
        let tables = [
            (multicast, regs::MTA.name(), regs::MTA.len(), &self.multicast, "MCSTCTRL.MFE = 1"),
            (vlan, regs::VFTA.name(), regs::VFTA.len(), &self.vlan, "VLNCTRL.VFE = 1"),
            (rss, regs::RETA.name(), regs::RETA.len(), &self.redirection, "MRQC.MRQE selects RSS"),
            (rss, regs::RSSRK.name(), regs::RSSRK.len(), &self.key, "MRQC.MRQE selects RSS"),
        ];
        for (used, name, count, table, why) in tables {
            if let Some(missing) = table.missing(count).filter(|_| used) {
                cx.device(&rules::TABLE_NOT_WRITTEN, || {
                    format!(
                        "{why}, but {name}[{missing}] was not written since the reset; expected all {count}"
                    )
                });
            }
        }
    }

    /// A receive queue is in full use: packets have come and their descriptors are given back.
    pub fn steady(&self, cx: &mut Context<'_>, queue: Queue, queues: &Queues) {
        let control = regs::DCA_RXCTRL.at(queue.number);
        let value = cx.peek(control);
        if value & DCA_RESERVED != 0 {
            cx.queue(&rules::DCA_BIT_12, queue, || {
                format!("{control} = {value:#x}; expected bit 12 (0x1000) clear")
            });
        }
        if !cx.is_set(regs::CTRL_EXT, regs::ctrl_ext::NS_DIS) {
            let value = cx.peek(regs::CTRL_EXT);
            cx.device(&rules::SNOOP, || {
                format!("packets arrive with CTRL_EXT = {value:#x}; expected bit 16 set")
            });
        }
        redirection(cx, queues);
    }
}

/// RSS without virtualisation.
fn uses_rss(mode: u32) -> bool {
    [regs::mrqc::MRQE_RSS, regs::mrqc::MRQE_DCB_8TC_RSS, regs::mrqc::MRQE_DCB_4TC_RSS].contains(&mode)
}

/// Several packet buffers: modes 2 to 5, and those with bit 2 and 3 set.
fn uses_dcb(mode: u32) -> bool {
    (regs::mrqc::MRQE_DCB_8TC..=regs::mrqc::MRQE_DCB_4TC_RSS).contains(&mode) || mode & 0xC == 0xC
}

fn changed_while_receiving(cx: &mut Context<'_>, write: &Write) {
    if write.mapped {
        return; // the receiver may have been off for a moment that nobody saw
    }
    if write.at.is(&regs::FCTRL) && write.value != write.before {
        cx.device(&rules::FILTER_WHILE_RECEIVING, || {
            format!("FCTRL changed from {:#x} to {:#x} while RXCTRL.RXEN = 1", write.before, write.value)
        });
    } else if write.at.is(&regs::MRQC) && write.changes(regs::mrqc::MRQE) {
        cx.device(&rules::MODE_WHILE_RECEIVING, || {
            format!("MRQC changed from {:#x} to {:#x} while RXCTRL.RXEN = 1", write.before, write.value)
        });
    }
}

fn crc_strip(cx: &mut Context<'_>) {
    let (dma, mac) = (cx.peek(regs::RDRXCTL), cx.peek(regs::HLREG0));
    let (in_dma, in_mac) = (regs::rdrxctl::CRCSTRIP.get(dma), regs::hlreg0::RXCRCSTRP.get(mac));
    if in_dma != in_mac {
        cx.device(&rules::CRC_STRIP, || {
            format!("RDRXCTL.CRCSTRIP = {in_dma} ({dma:#x}) but HLREG0.RXCRCSTRP = {in_mac} ({mac:#x})")
        });
    }
}

fn coalescing(cx: &mut Context<'_>) {
    let value = cx.peek(regs::RDRXCTL);
    let first = regs::rdrxctl::RSCFRSTSIZE.get(value);
    if first != 0 {
        cx.device(&rules::RSC_FIRST_SIZE, || {
            format!("RDRXCTL = {value:#010x} at RXEN: RSCFRSTSIZE (bits 21:17) is {first}; expected 0")
        });
    }
    if !regs::rdrxctl::RSCACKC.is_set(value) || !regs::rdrxctl::FCOE_WRFIX.is_set(value) {
        cx.device(&rules::RDRXCTL_FIXES, || {
            format!("RDRXCTL = {value:#010x} at RXEN; expected RSCACKC (bit 25) and FCOE_WRFIX (bit 26) set")
        });
    }
}

fn packet_buffers(cx: &mut Context<'_>) {
    let dcb = uses_dcb(cx.field(regs::MRQC, regs::mrqc::MRQE));
    let used = if dcb { regs::RXPBSIZE.len() } else { 1 };
    let size = |number| cx.field(regs::RXPBSIZE.at(number), regs::rxpbsize::SIZE);
    let (first, total) = (size(0), (0..used).map(size).sum::<u32>());
    if first == 0 || total > PACKET_BUFFER_KIB {
        cx.device(&rules::PACKET_BUFFER, || {
            format!("RXPBSIZE[0] = {first} KiB, {total} KiB in all {used} used; expected at most {PACKET_BUFFER_KIB}")
        });
    }
    let threshold = regs::FCRTH.at(0);
    let bytes = cx.field(threshold, regs::fcrth::RTH) << regs::fcrth::RTH.shift;
    if bytes == 0 || bytes + 8 > first << 10 {
        let value = cx.peek(threshold);
        cx.device(&rules::FLOW_THRESHOLD, || {
            format!("{threshold} = {value:#x}, a threshold of {bytes:#x} bytes; expected {:#x} (RXPBSIZE[0] - 0x6000)", (first << 10).saturating_sub(0x6000))
        });
    }
}

fn jumbo(cx: &mut Context<'_>) {
    let longest = cx.field(regs::MAXFRS, regs::maxfrs::MFS);
    if longest > STANDARD_FRAME && !cx.is_set(regs::HLREG0, regs::hlreg0::JUMBOEN) {
        cx.device(&rules::JUMBO_OFF, || {
            format!(
                "MAXFRS.MFS = {longest} with HLREG0.JUMBOEN = 0: frames above {STANDARD_FRAME} are dropped"
            )
        });
    }
}

/// Do all entries of RETA lead to queues that are enabled?
fn redirection(cx: &mut Context<'_>, queues: &Queues) {
    if !uses_rss(cx.field(regs::MRQC, regs::mrqc::MRQE)) {
        return;
    }
    for word in 0..regs::RETA.len() {
        let value = cx.peek(regs::RETA.at(word));
        for entry in 0..4u16 {
            let number = (value >> (8 * entry) & 0xF) as u16;
            if !queues.is_enabled(Queue { side: Side::Rx, number }) {
                cx.device(&rules::RETA_QUEUE, || {
                    format!(
                        "RETA[{word}] = {value:#010x}: entry {} is queue {number}, which is not enabled",
                        4 * word + entry
                    )
                });
                return;
            }
        }
    }
}

/// A receive queue is enabled: judges SRRCTL and says how buffers will be used.
pub(super) fn queue_enabled(cx: &mut Context<'_>, state: &mut QueueState, queue: Queue) {
    let register = regs::SRRCTL.at(queue.number);
    let value = cx.peek(register);
    let kib = regs::srrctl::BSIZEPACKET.get(value);
    if kib == 0 || kib > LARGEST_BUFFER_KIB {
        cx.queue(&rules::BUFFER_SIZE, queue, || {
            format!("{register} = {value:#x}: BSIZEPACKET is {kib} KiB; expected 1 to {LARGEST_BUFFER_KIB}")
        });
    }
    match regs::srrctl::DESCTYPE.get(value) {
        regs::srrctl::DESCTYPE_LEGACY | regs::srrctl::DESCTYPE_ADV_ONE_BUFFER => (),
        kind @ (regs::srrctl::DESCTYPE_SPLIT | regs::srrctl::DESCTYPE_SPLIT_ALWAYS) => {
            cx.queue(&rules::HEADER_SPLIT, queue, || {
                format!("{register} = {value:#x}: DESCTYPE is {kind}; expected 1")
            });
        }
        kind => {
            cx.queue(&rules::DESCRIPTOR_TYPE, queue, || {
                format!("{register} = {value:#x}: DESCTYPE is {kind}, which is reserved; expected 1")
            });
        }
    }
    state.format = ReceiveFormat {
        legacy: regs::srrctl::DESCTYPE.get(value) == regs::srrctl::DESCTYPE_LEGACY,
        reach: (kib << 10).min(longest_frame(cx)),
    };
}

/// Most bytes of a frame that the MAC lets through.
fn longest_frame(cx: &Context<'_>) -> u32 {
    let jumbo = cx.is_set(regs::HLREG0, regs::hlreg0::JUMBOEN);
    let longest = if jumbo { cx.field(regs::MAXFRS, regs::maxfrs::MFS) } else { STANDARD_FRAME };
    longest + TAGS
}

//! Rules about transmit descriptors: packets are put together from them as the card would, at the moment when the
//! tail passes.

use super::context::Context;
use super::queues::Extent;
use super::rules::transmit_descriptors as rules;
use crate::events::Queue;
use crate::ixgbe::regs::{self, tx_context, tx_data, tx_legacy};

/// Contexts of a queue.
const CONTEXTS: u64 = 2;
/// Bytes: shortest packet that the card can pad.
const SHORTEST: u64 = 17;
/// Bytes without CRC: from here on no padding is needed.
const UNPADDED: u64 = 60;
/// Bytes: longest packet, 15.5 KiB.
const LONGEST: u64 = 15_872;
/// Descriptors of a packet: 40, less 2, less WTHRESH.
const MOST_DESCRIPTORS: u32 = 38;
/// Bytes: shortest Ethernet header and shortest IP header.
const LEAST_MACLEN: u64 = 14;
const LEAST_IPLEN: u64 = 20;
/// Bits of the second quadword of a data descriptor that mean nothing: 17:16, DCMD 26 and 28, STA 35:33, 45:43.
const RESERVED: u64 = 0x3 << 16 | 1 << 26 | 1 << 28 | 0x7 << 33 | 0x7 << 43;

type Words = [u64; 2];

/// The kinds of transmit descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Data,
    Context,
    Legacy,
    /// Neither; the model will say that it is bad.
    Unknown,
}

fn kind(words: &Words) -> Kind {
    if !tx_data::DEXT.is_set(words) {
        return Kind::Legacy;
    }
    match tx_data::DTYP.get(words) {
        tx_data::DTYP_DATA => Kind::Data,
        tx_context::DTYP_CONTEXT => Kind::Context,
        _ => Kind::Unknown,
    }
}

/// The bytes that a descriptor tells the card to read.
pub(super) fn buffer(words: &Words) -> Extent {
    let length = match kind(words) {
        Kind::Data => tx_data::DTALEN.get(words),
        Kind::Legacy => tx_legacy::LENGTH.get(words),
        Kind::Context | Kind::Unknown => 0,
    };
    Extent { start: words[0], length: length as u32 }
}

/// A packet of which not all descriptors were seen.
#[derive(Clone, Copy, Debug)]
struct Open {
    first: Words,
    kind: Kind,
    descriptors: u32,
    bytes: u64,
    crc: bool,
}

/// The state of one transmit queue's descriptors.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    wthresh: u32,
    without_rs: u32,
    contexts: [Option<Words>; CONTEXTS as usize],
    open: Option<Open>,
}

/// Where a descriptor lies.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub queue: Queue,
    pub slot: u32,
    /// Slots of the ring.
    pub slots: u32,
    /// It is the last before the tail.
    pub last: bool,
}

impl Assembly {
    /// The queue is enabled.
    pub fn start(&mut self, wthresh: u32) {
        *self = Assembly { wthresh, ..Assembly::default() };
    }

    /// The tail has passed a descriptor.
    pub fn add(&mut self, cx: &mut Context<'_>, at: At, words: Words) {
        self.count_rs(cx, at, &words);
        match kind(&words) {
            Kind::Context => self.context(cx, at, words),
            Kind::Data | Kind::Legacy => self.data(cx, at, words),
            Kind::Unknown => self.open = None,
        }
        if at.last && self.open.is_some() {
            cx.queue(&rules::TAIL_SPLITS_PACKET, at.queue, || {
                format!("TDT[{}] stands after slot {}, which has EOP (bit 24) = 0", at.queue.number, at.slot)
            });
        }
    }

    fn count_rs(&mut self, cx: &mut Context<'_>, at: At, words: &Words) {
        if tx_data::RS.is_set(words) {
            self.without_rs = 0;
            return;
        }
        self.without_rs += 1;
        if self.without_rs >= at.slots.saturating_sub(1) {
            let count = std::mem::take(&mut self.without_rs);
            cx.queue(&rules::RS_MISSING, at.queue, || {
                format!(
                    "{count} descriptors up to slot {} handed over without RS (bit 27), a whole ring",
                    at.slot
                )
            });
        }
    }

    fn context(&mut self, cx: &mut Context<'_>, at: At, words: Words) {
        let index = tx_context::IDX.get(&words);
        match self.contexts.get_mut(index as usize) {
            Some(context) => *context = Some(words),
            None => wrong_index(cx, at, index),
        }
    }

    fn data(&mut self, cx: &mut Context<'_>, at: At, words: Words) {
        let kind = kind(&words);
        single_descriptor(cx, at, kind, &words);
        let length = u64::from(buffer(&words).length);
        let mut packet =
            self.open.take().unwrap_or(Open { first: words, kind, descriptors: 0, bytes: 0, crc: false });
        packet.descriptors += 1;
        packet.bytes += length;
        packet.crc |= tx_data::IFCS.is_set(&words);
        if packet.kind != kind {
            cx.queue(&rules::MIXED_FORMATS, at.queue, || {
                format!(
                    "slot {}: a {kind:?} descriptor continues a packet that began with a {:?} one",
                    at.slot, packet.kind
                )
            });
        }
        if !tx_data::EOP.is_set(&words) {
            self.open = Some(packet);
            return;
        }
        if self.wthresh != 0 && !tx_data::RS.is_set(&words) {
            let wthresh = self.wthresh;
            cx.queue(&rules::WTHRESH_IGNORES_RS, at.queue, || {
                format!(
                    "slot {}: RS (bit 27) = 0 while TXDCTL[{}].WTHRESH = {wthresh}",
                    at.slot, at.queue.number
                )
            });
        }
        self.packet(cx, at, &packet);
    }

    /// A packet is complete; `at` is its last descriptor.
    fn packet(&self, cx: &mut Context<'_>, at: At, packet: &Open) {
        // A packet of null descriptors only sends nothing, and that was said already.
        if packet.bytes == 0 {
            return;
        }
        size(cx, at, packet, self.wthresh);
        if packet.bytes < UNPADDED && !packet.crc && cx.is_set(regs::HLREG0, regs::hlreg0::TXPADEN) {
            cx.queue(&rules::PAD_WITHOUT_CRC, at.queue, || {
                format!(
                    "slot {}: {} bytes without IFCS (bit 25) while HLREG0.TXPADEN = 1",
                    at.slot, packet.bytes
                )
            });
        }
        if packet.kind == Kind::Data {
            self.offloads(cx, at, packet);
        }
    }

    fn offloads(&self, cx: &mut Context<'_>, at: At, packet: &Open) {
        let first = &packet.first;
        let segments = tx_data::TSE.is_set(first);
        let checksums = tx_data::IXSM.is_set(first) || tx_data::TXSM.is_set(first);
        if !segments && !checksums && !tx_data::VLE.is_set(first) {
            return payload_length(cx, at, packet, 0);
        }
        let index = tx_data::IDX.get(first);
        let Some(context) = self.contexts.get(index as usize) else { return wrong_index(cx, at, index) };
        let Some(context) = context else {
            cx.queue(&rules::CONTEXT_MISSING, at.queue, || {
                format!(
                    "slot {}: offloads of {:#018x} need context {index}, which was never given",
                    at.slot, first[1]
                )
            });
            return;
        };
        if checksums {
            header_lengths(cx, at, context);
        }
        let headers = if segments { segmented_headers(cx, at, context) } else { 0 };
        payload_length(cx, at, packet, headers);
    }
}

fn wrong_index(cx: &mut Context<'_>, at: At, index: u64) {
    cx.queue(&rules::CONTEXT_INDEX, at.queue, || {
        format!("slot {}: IDX is {index}; expected 0 or 1", at.slot)
    });
}

/// Rules about one descriptor by itself.
fn single_descriptor(cx: &mut Context<'_>, at: At, kind: Kind, words: &Words) {
    let word = words[1];
    if tx_legacy::DD.is_set(words) {
        cx.queue(&rules::STALE_DD, at.queue, || {
            format!("slot {}: second quadword {word:#018x} has DD (bit 32) = 1; expected 0", at.slot)
        });
    }
    if kind == Kind::Data && word & RESERVED != 0 {
        cx.queue(&rules::RESERVED_BITS, at.queue, || {
            format!(
                "slot {}: second quadword {word:#018x} has reserved bits {:#x} set",
                at.slot,
                word & RESERVED
            )
        });
    }
    if tx_data::RS.is_set(words) && !tx_data::EOP.is_set(words) {
        cx.queue(&rules::RS_WITHOUT_EOP, at.queue, || {
            format!("slot {}: second quadword {word:#018x} has RS (bit 27) = 1 and EOP (bit 24) = 0", at.slot)
        });
    }
    if buffer(words).length == 0 && kind == Kind::Data {
        cx.queue(&rules::NULL_DESCRIPTOR, at.queue, || format!("slot {}: DTALEN is 0", at.slot));
    }
}

fn size(cx: &mut Context<'_>, at: At, packet: &Open, wthresh: u32) {
    let Open { bytes, descriptors, .. } = *packet;
    if bytes < SHORTEST {
        cx.queue(&rules::TOO_SHORT, at.queue, || {
            format!("slot {}: a packet of {bytes} bytes; expected at least {SHORTEST}", at.slot)
        });
    }
    if bytes > LONGEST && !tx_data::TSE.is_set(&packet.first) {
        cx.queue(&rules::TOO_LONG, at.queue, || {
            format!("slot {}: a packet of {bytes} bytes; expected at most {LONGEST}", at.slot)
        });
    }
    if descriptors > MOST_DESCRIPTORS.saturating_sub(wthresh) {
        cx.queue(&rules::TOO_MANY_DESCRIPTORS, at.queue, || {
            let most = MOST_DESCRIPTORS.saturating_sub(wthresh);
            format!("slot {}: a packet of {descriptors} descriptors; expected at most {most} (40 - 2 - WTHRESH {wthresh})", at.slot)
        });
    }
}

fn payload_length(cx: &mut Context<'_>, at: At, packet: &Open, headers: u64) {
    // IPsec adds a trailer whose length this model does not know.
    if tx_data::IPSEC.is_set(&packet.first) {
        return;
    }
    let (said, found) = (tx_data::PAYLEN.get(&packet.first), packet.bytes.saturating_sub(headers));
    if said != found {
        cx.queue(&rules::PAYLOAD_LENGTH, at.queue, || {
            format!(
                "packet ending in slot {}: PAYLEN is {said}; expected {found} ({} bytes in {} descriptors, {headers} of headers)",
                at.slot, packet.bytes, packet.descriptors
            )
        });
    }
}

fn header_lengths(cx: &mut Context<'_>, at: At, context: &Words) {
    let (link, network) = (tx_context::MACLEN.get(context), tx_context::IPLEN.get(context));
    if link < LEAST_MACLEN || network < LEAST_IPLEN {
        cx.queue(&rules::CONTEXT_LENGTHS, at.queue, || {
            format!("packet ending in slot {}: its context has MACLEN {link} and IPLEN {network}; expected at least {LEAST_MACLEN} and {LEAST_IPLEN}", at.slot)
        });
    }
}

/// Bytes of headers in front of each segment.
fn segmented_headers(cx: &mut Context<'_>, at: At, context: &Words) -> u64 {
    let (segment, transport) = (tx_context::MSS.get(context), tx_context::L4LEN.get(context));
    if segment == 0 || transport == 0 {
        cx.queue(&rules::SEGMENTATION, at.queue, || {
            format!("packet ending in slot {}: TSE (bit 31) = 1, but its context has MSS {segment} and L4LEN {transport}", at.slot)
        });
    }
    tx_context::MACLEN.get(context) + tx_context::IPLEN.get(context) + transport
}

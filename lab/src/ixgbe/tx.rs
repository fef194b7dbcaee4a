//! Transmitting: from the rings through the offloads onto the wire (82599 7.2).

use std::sync::atomic::{Ordering, fence};

use super::deliver::WriteBack;
use super::host::Host;
use super::offload::{Complaint, Context, Request};
use super::outbound::{Order, Outbound};
use super::registers::RegisterFile;
use super::regs::{self, mtqc, tdwbal, tx_data, tx_legacy, tx_writeback};
use super::ring::{Edge, Ring};
use super::rx::counter_set;
use crate::events::{Event, Queue, Side};
use crate::wire::Wire;

mod burst;

/// Transmit queues of the NIC.
pub const QUEUES: u16 = 128;
/// Queues in use unless MTQC asks for virtualization or traffic classes.
const PLAIN_QUEUES: u16 = 64;
/// Frames sent from a queue in one round, so that the others and receiving get their turn.
const BATCH: u32 = 64;
/// Descriptors looked at in one round, whatever they hold.
const DESCRIPTORS: u32 = 512;

/// What a data descriptor can ask for, or be a part of.
const WISHES: u64 = PLAIN
    | tx_data::DTYP.mask()
    | tx_data::VLE.mask()
    | tx_data::TSE.mask()
    | tx_data::IXSM.mask()
    | tx_data::TXSM.mask()
    | tx_data::IPSEC.mask();
/// A whole packet, in the advanced form, that asks for its FCS alone.
const PLAIN: u64 =
    tx_data::DEXT.mask() | tx_data::EOP.mask() | tx_data::IFCS.mask() | tx_data::DTYP.put(tx_data::DTYP_DATA);

/// One transmit queue.
#[derive(Debug)]
struct TxQueue {
    ring: Ring,
    contexts: [Context; 2],
    /// Statistics since the head was published last.
    packets: u64,
    bytes: u64,
    /// A descriptor with RS was finished since then.
    reported: bool,
}

/// All transmit queues.
#[derive(Debug)]
pub struct Transmitter {
    queues: Box<[TxQueue]>,
    enabled: u128,
    back: WriteBack,
    out: Outbound,
    on: bool,
    limit: u16,
    /// Descriptors wait.
    held: bool,
}

impl Transmitter {
    /// Everything off.
    pub fn new(registers: &RegisterFile) -> Self {
        let queue = |number| TxQueue {
            ring: Ring::new(Queue { side: Side::Tx, number }),
            contexts: [Context::default(); 2],
            packets: 0,
            bytes: 0,
            reported: false,
        };
        Transmitter {
            queues: (0..QUEUES).map(queue).collect(),
            enabled: 0,
            back: WriteBack::default(),
            out: Outbound::new(registers),
            on: false,
            limit: PLAIN_QUEUES,
            held: false,
        }
    }

    /// Takes over the registers that are not a queue's own.
    pub fn load(&mut self, registers: &RegisterFile) {
        self.on = regs::dmatxctl::TE.is_set(registers.of(regs::DMATXCTL));
        let modes = registers.of(regs::MTQC);
        let many = mtqc::RT_ENA.is_set(modes) || mtqc::VT_ENA.is_set(modes);
        self.limit = if many { QUEUES } else { PLAIN_QUEUES };
        self.out.load(registers);
    }

    /// The ring of a queue.
    pub fn ring(&self, number: u16) -> Option<&Ring> {
        self.queues.get(usize::from(number)).map(|queue| &queue.ring)
    }

    /// Some queue is enabled.
    pub fn is_running(&self) -> bool {
        self.enabled != 0
    }

    /// Looks at the registers of queue `number`.
    pub fn look(&mut self, number: u16, host: &mut Host) {
        let queue = &mut self.queues[usize::from(number)];
        match queue.ring.look(host) {
            Edge::None => {}
            Edge::Rising => self.enabled |= 1 << number,
            Edge::Falling => {
                self.enabled &= !(1 << number);
                self.back.forget(Some(queue.ring.queue));
            }
        }
    }

    /// Stops all queues; what is on its way is forgotten.
    pub fn stop(&mut self, host: &mut Host) {
        for queue in &mut self.queues {
            if queue.ring.enabled {
                queue.ring.disable(host);
            }
            queue.ring.rewind();
            queue.contexts = [Context::default(); 2];
        }
        self.enabled = 0;
        self.back.forget(None);
    }

    /// Has descriptors wait, or sends as ever.
    pub fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Descriptors that drivers have handed over by now and that were not sent yet.
    pub fn waiting(&self, host: &Host) -> u32 {
        let mut enabled = self.enabled;
        let mut waiting = 0;
        while enabled != 0 {
            waiting += self.queues[enabled.trailing_zeros() as usize].ring.waiting(host);
            enabled &= enabled - 1;
        }
        waiting
    }

    /// Takes the tails of disabled queues as they are; see [`Ring::settle`].
    pub fn settle(&mut self, host: &Host) {
        self.queues.iter_mut().for_each(|queue| queue.ring.settle(host));
    }

    /// One round: sends what the tails allow.
    ///
    /// Without link nothing is sent and descriptors wait, as in the card.
    pub fn poll(&mut self, host: &mut Host, wire: &mut dyn Wire) -> usize {
        let mut done = self.back.run(host);
        let mut enabled = self.enabled;
        if !self.on || !host.link_up || !host.may_master() || self.held {
            return done;
        }
        while enabled != 0 {
            let number = enabled.trailing_zeros() as u16;
            enabled &= enabled - 1;
            self.look(number, host);
            let queue = &mut self.queues[usize::from(number)];
            if number < self.limit && queue.ring.enabled && queue.ring.owned() != 0 {
                done += queue.run(host, wire, &mut self.back, &mut self.out);
            }
        }
        done
    }
}

impl TxQueue {
    /// Works through descriptors from the head on. Returns how many.
    fn run(
        &mut self,
        host: &mut Host,
        wire: &mut dyn Wire,
        back: &mut WriteBack,
        out: &mut Outbound,
    ) -> usize {
        let mut descriptors = 0;
        let mut frames = 0;
        let straight = back.is_straight(host, Side::Tx);
        self.ring.look_ahead(host.memory.recent(), BATCH);
        while frames < BATCH && descriptors < DESCRIPTORS && self.ring.owned() != 0 {
            if straight {
                let taken = self.take_burst(host, wire, back, out, BATCH - frames);
                descriptors += taken;
                frames += taken;
                if taken != 0 {
                    continue;
                }
            }
            let words = match self.ring.read(host, self.ring.head) {
                Ok(words) => words,
                Err(fault) => {
                    host.dma_fault(self.ring.queue, self.ring.head, fault);
                    host.counters.tx_lost += 1;
                    self.ring.step();
                    descriptors += 1;
                    continue;
                }
            };
            let Some(used) = self.take(host, wire, back, out, words) else { break };
            descriptors += used;
            frames += 1;
        }
        if descriptors != 0 {
            out.flush(&mut host.registers);
            self.publish(host);
        }
        descriptors as usize
    }

    /// Acts on the descriptor at the head, and on those that belong to the same packet. Returns how many; `None` if
    /// the end of the packet is not there yet.
    #[inline]
    fn take(
        &mut self,
        host: &mut Host,
        wire: &mut dyn Wire,
        back: &mut WriteBack,
        out: &mut Outbound,
        words: [u64; 2],
    ) -> Option<u32> {
        let advanced = tx_data::DEXT.is_set(&words);
        if advanced && tx_data::DTYP.get(&words) != tx_data::DTYP_DATA {
            self.take_context(host, words);
            self.finish(host, back, words);
            return Some(1);
        }
        let count = if tx_data::EOP.is_set(&words) { 1 } else { self.length_of_packet(host)? };
        let mut order = self.order(host, &words, advanced);
        let buffer = out.packet_buffer(order.request.segmentation);
        let mut length = Ok(0);
        let mut words = words;
        for part in 0..count {
            if part != 0 {
                words = self.ring.read(host, self.ring.head).unwrap_or_default();
            }
            if let Ok(before) = length {
                length = self.fetch(host, buffer, before, words, advanced);
            }
            self.finish(host, back, words);
        }
        // Drivers set IFCS in the first descriptor, in the last, or in all.
        order.insert_check |= tx_data::IFCS.is_set(&words);
        match length {
            Ok(length) => self.send(host, wire, out, length, &order, words),
            Err(Lost) => host.counters.tx_lost += 1,
        }
        Some(count)
    }

    /// Descriptors from the head to the one with EOP; `None` if the tail comes first.
    #[cold]
    fn length_of_packet(&self, host: &Host) -> Option<u32> {
        let mut slot = self.ring.head;
        for count in 1..=self.ring.owned() {
            // A descriptor that cannot be read ends the packet; the fault is told when it is taken.
            let end = self.ring.read(host, slot).map_or(true, |words| tx_data::EOP.is_set(&words));
            if end {
                return Some(count);
            }
            slot = self.ring.next(slot);
        }
        None
    }

    #[cold]
    fn take_context(&mut self, host: &mut Host, words: [u64; 2]) {
        use regs::tx_context;
        let (queue, slot) = (self.ring.queue, self.ring.head);
        host.log.descriptors(|| Event::Fetched { queue, slot, words });
        if tx_context::DTYP.get(&words) != tx_context::DTYP_CONTEXT {
            return host.bad_descriptor(queue, slot, words, "DTYP is neither data nor context");
        }
        match self.contexts.get_mut(tx_context::IDX.get(&words) as usize) {
            Some(context) => *context = Context::new(&words),
            None => host.bad_descriptor(queue, slot, words, "IDX of a context is above 1"),
        }
    }

    #[inline]
    fn order(&self, host: &mut Host, words: &[u64; 2], advanced: bool) -> Order {
        let vlan = tx_data::VLE.is_set(words);
        let insert_check = tx_data::IFCS.is_set(words);
        if !advanced {
            let legacy = tx_legacy::IC
                .is_set(words)
                .then(|| (tx_legacy::CSS.get(words) as usize, tx_legacy::CSO.get(words) as usize));
            let tag = vlan.then(|| tx_legacy::VLAN.get(words) as u16);
            return Order {
                request: Request::default(),
                context: Context::default(),
                tag,
                insert_check,
                legacy,
            };
        }
        let request = Request::new(words);
        let mut context = Context::default();
        if request.any() || vlan {
            match self.contexts.get(tx_data::IDX.get(words) as usize) {
                Some(found) => context = *found,
                None => host.bad_descriptor(self.ring.queue, self.ring.head, *words, "IDX is above 1"),
            }
        }
        Order { request, context, tag: vlan.then_some(context.tag), insert_check, legacy: None }
    }

    /// Copies a data descriptor's buffer behind the `length` bytes that are there.
    #[inline]
    fn fetch(
        &self,
        host: &mut Host,
        packet: &mut [u8],
        length: usize,
        words: [u64; 2],
        advanced: bool,
    ) -> Result<usize, Lost> {
        let (queue, slot) = (self.ring.queue, self.ring.head);
        host.log.descriptors(|| Event::Fetched { queue, slot, words });
        if tx_data::DEXT.is_set(&words) != advanced
            || advanced && tx_data::DTYP.get(&words) != tx_data::DTYP_DATA
        {
            host.bad_descriptor(queue, slot, words, "another kind of descriptor inside of a packet");
            return Err(Lost);
        }
        // Both forms have address and length at the same place.
        let end = length + tx_data::DTALEN.get(&words) as usize;
        let Some(target) = packet.get_mut(length..end) else {
            host.bad_descriptor(queue, slot, words, "packet is longer than the NIC can send");
            return Err(Lost);
        };
        match host.memory.read(tx_data::BUFFER.get(&words), target) {
            Ok(()) => Ok(end),
            Err(fault) => {
                host.dma_fault(queue, slot, fault);
                Err(Lost)
            }
        }
    }

    /// Gives the descriptor at the head back (by DD if it has RS) and moves on.
    #[inline]
    fn finish(&mut self, host: &mut Host, back: &mut WriteBack, words: [u64; 2]) {
        let (queue, slot) = (self.ring.queue, self.ring.head);
        let mut written = None;
        if tx_data::RS.is_set(&words) {
            self.reported = true;
            if self.head_address(host).is_none() {
                // Everything but DD is undefined in a write-back.
                let done = tx_writeback::DD.mask();
                back.complete(host, &self.ring, slot, done);
                written = Some([words[0], done]);
            }
        }
        host.log.descriptors(|| Event::Completed { queue, slot, written });
        self.ring.step();
    }

    /// Where the head is to be written instead of descriptors, if anywhere (82599 7.2.3.5.2).
    #[inline]
    fn head_address(&self, host: &Host) -> Option<u64> {
        const LOW: u32 = regs::TDWBAL.at(0).offset - regs::TDBAL.at(0).offset;
        const HIGH: u32 = regs::TDWBAH.at(0).offset - regs::TDBAL.at(0).offset;
        let low = self.ring.register(host, LOW);
        tdwbal::HEAD_WB_EN.is_set(low).then(|| {
            let high = self.ring.register(host, HIGH);
            u64::from(high) << 32 | u64::from(low & tdwbal::ADDRESS.mask())
        })
    }

    /// Sends the packet of `length` bytes that lies in `out`.
    #[inline]
    fn send(
        &mut self,
        host: &mut Host,
        wire: &mut dyn Wire,
        out: &mut Outbound,
        length: usize,
        order: &Order,
        words: [u64; 2],
    ) {
        match out.send(host, wire, length, order) {
            Ok(sent) => {
                self.packets += sent.frames;
                self.bytes += sent.bytes;
            }
            Err(why) => self.refused(host, words, why),
        }
    }

    /// The packet that ended with the descriptor before the head cannot be sent.
    #[cold]
    fn refused(&self, host: &mut Host, words: [u64; 2], why: Complaint) {
        let last = self.ring.head.checked_sub(1).unwrap_or(self.ring.slots - 1);
        host.bad_descriptor(self.ring.queue, last, words, why);
        host.counters.tx_lost += 1;
    }

    /// After a batch: head, statistics, interrupt.
    fn publish(&mut self, host: &mut Host) {
        let number = self.ring.queue.number;
        if self.packets != 0 {
            let set = counter_set(host.registers.of(regs::TQSM.at(number / 4)), number);
            // QPTC is kept at its address in the queue's page; see the register table.
            host.registers.count(super::registers::row(regs::QPTC.at(set).offset).home, self.packets);
            host.registers.count_pair(regs::QBTC_L.at(set).offset, self.bytes);
            host.counters.tx_frames += self.packets;
            host.counters.tx_bytes += self.bytes;
            self.packets = 0;
            self.bytes = 0;
        }
        self.ring.publish_head(host);
        if !std::mem::take(&mut self.reported) {
            return;
        }
        // After the copies: the driver may use the buffers again as soon as it sees the head.
        fence(Ordering::Release);
        if let Some(address) = self.head_address(host)
            && let Err(fault) = host.memory.write(address, &self.ring.head.to_le_bytes())
        {
            host.dma_fault(self.ring.queue, self.ring.head, fault);
        }
        let entry =
            host.registers.of(regs::IVAR.at(number / 2)).to_le_bytes()[usize::from(number % 2) * 2 + 1];
        host.interrupts.raise_entry(entry);
    }
}

/// The packet cannot be sent; why has been told.
#[derive(Clone, Copy, Debug)]
struct Lost;

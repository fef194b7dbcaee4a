//! Receiving: from the wire through the filter and RSS into the rings (82599 7.1).

use super::deliver::{Delivery, Format, Payload, Verdict, WriteBack, deliver};
use super::filter::{Admitted, ETHERTYPE_AT, FCS, Filter, Refusal, TAG};
use super::headers::Headers;
use super::host::Host;
use super::known::{Findings, Known};
use super::registers::RegisterFile;
use super::regs::{self, rx_writeback as wb, rxcsum, rxpbsize};
use super::ring::{Edge, Ring};
use super::rss::{Hashed, Rss};
use super::tally::{self, Tally};
use super::verify;
use crate::events::{Queue, Side};
use crate::faults::Fault;
use crate::wire::{Frame, Wire};

mod burst;

/// Receive queues of the NIC.
pub const QUEUES: u16 = 128;
/// Frames taken from the wire in one round, so that transmitting gets its turn.
const BATCH: usize = 64;

/// One receive queue.
#[derive(Debug)]
struct RxQueue {
    ring: Ring,
    format: Format,
    /// Statistics since the head was published last.
    packets: u64,
    bytes: u64,
    dropped: u64,
}

/// All receive queues and what stands before them.
#[derive(Debug)]
pub struct Receiver {
    queues: Box<[RxQueue]>,
    /// A bit for each enabled queue.
    enabled: u128,
    /// A bit for each queue that this batch touched.
    touched: u128,
    filter: Filter,
    rss: Rss,
    known: Known,
    back: WriteBack,
    tally: Tally,
    /// While write-backs are held: how many frames may still be taken.
    allowance: Option<usize>,
    /// Registers that stand for all queues, taken over when any register was written.
    on: bool,
    no_buffer: bool,
    hash_wanted: bool,
    sum_wanted: bool,
}

impl Receiver {
    /// Everything off.
    pub fn new() -> Self {
        let queue = |number| RxQueue {
            ring: Ring::new(Queue { side: Side::Rx, number }),
            format: Format::default(),
            packets: 0,
            bytes: 0,
            dropped: 0,
        };
        Receiver {
            queues: (0..QUEUES).map(queue).collect(),
            enabled: 0,
            touched: 0,
            filter: Filter::new(),
            rss: Rss::new(),
            known: Known::new(),
            back: WriteBack::default(),
            tally: Tally::default(),
            allowance: None,
            on: false,
            no_buffer: false,
            hash_wanted: false,
            sum_wanted: false,
        }
    }

    /// Takes over the registers that are not a queue's own.
    pub fn load(&mut self, registers: &RegisterFile) {
        self.on = regs::rxctrl::RXEN.is_set(registers.of(regs::RXCTRL))
            && !regs::secrxctrl::RX_DIS.is_set(registers.of(regs::SECRXCTRL));
        self.no_buffer = rxpbsize::SIZE.get(registers.of(regs::RXPBSIZE.at(0))) == 0;
        let checksum = registers.of(regs::RXCSUM);
        self.hash_wanted = rxcsum::PCSD.is_set(checksum);
        self.sum_wanted = rxcsum::IPPCSE.is_set(checksum);
        self.filter.load(registers);
        self.rss.load(registers);
        self.known.forget();
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
        if queue.ring.enabled {
            queue.look_at_format(host);
        }
    }

    /// Stops all queues; what is on its way is forgotten.
    pub fn stop(&mut self, host: &mut Host) {
        for queue in self.queues.iter_mut().filter(|queue| queue.ring.enabled) {
            queue.ring.disable(host);
        }
        self.queues.iter_mut().for_each(|queue| queue.ring.rewind());
        self.enabled = 0;
        self.back.forget(None);
    }

    /// From now on takes so many frames and no more, and keeps from the driver that they are there.
    pub fn hold(&mut self, frames: usize) {
        self.allowance = Some(frames);
        self.back.hold();
    }

    /// How many frames may still be taken; `None` while nothing is held.
    pub fn allowance(&self) -> Option<usize> {
        self.allowance
    }

    /// Reports what was held. More is taken only after [`release`](Receiver::release).
    pub fn let_go(&mut self, host: &mut Host) {
        self.allowance = Some(0);
        self.back.let_go(host);
    }

    /// Receives as ever.
    pub fn release(&mut self, host: &mut Host) {
        self.back.let_go(host);
        self.allowance = None;
    }

    /// Takes the tails of disabled queues as they are; see [`Ring::settle`].
    pub fn settle(&mut self, host: &Host) {
        self.queues.iter_mut().for_each(|queue| queue.ring.settle(host));
    }

    /// One round: takes frames from `wire` as long as there are any and they can be placed.
    ///
    /// While nothing can be received at all (RXEN off, no link, no queue), frames stay on the wire.
    pub fn poll(&mut self, host: &mut Host, wire: &mut dyn Wire) -> usize {
        let mut done = self.back.run(host);
        if !self.on || self.enabled == 0 || !host.link_up || !host.may_master() {
            return done;
        }
        let most = self.allowance.map_or(BATCH, |allowance| allowance.min(BATCH));
        if most == 0 {
            return done;
        }
        self.look_at_doorbells(host);
        let straight = !self.no_buffer && self.filter.strip_crc && self.back.is_straight(host, Side::Rx);
        let mut octets = 0;
        let mut frames = 0;
        while frames < most {
            if straight && self.touched != 0 {
                let taken = self.receive_burst(&host.memory, wire.burst(host.now, most - frames));
                wire.advance_burst(taken.frames, host.now);
                frames += taken.frames;
                octets += taken.octets;
                if taken.frames != 0 {
                    continue;
                }
            }
            let Some(frame) = wire.peek(host.now) else { break };
            let length = frame.bytes.len();
            if !self.receive(host, frame) {
                break;
            }
            wire.advance(host.now);
            frames += 1;
            octets += length as u64;
        }
        self.back.flush(host);
        if let Some(allowance) = &mut self.allowance {
            *allowance -= frames;
        }
        if frames != 0 {
            self.count_all(host, frames as u64, octets);
        }
        self.publish(host);
        done += frames;
        done
    }

    /// Reads tails where a batch might run out of descriptors, or where somebody wants to know of each doorbell.
    #[inline]
    fn look_at_doorbells(&mut self, host: &mut Host) {
        let mut enabled = self.enabled;
        while enabled != 0 {
            let number = enabled.trailing_zeros() as u16;
            enabled &= enabled - 1;
            if self.queues[usize::from(number)].ring.owned() < BATCH as u32 || host.log.wants_registers() {
                self.look(number, host);
            }
        }
    }

    /// Counters of all frames, good or bad.
    fn count_all(&mut self, host: &mut Host, frames: u64, octets: u64) {
        host.counters.rx_frames += frames;
        host.counters.rx_bytes += octets;
        host.registers.count(regs::TPR.offset, frames);
        host.registers.count_pair(regs::TORL.offset, octets + frames * FCS as u64);
        self.tally.flush(&mut host.registers, &tally::RX);
    }

    /// Takes one frame. False: it has to wait for descriptors.
    #[inline]
    fn receive(&mut self, host: &mut Host, frame: Frame<'_>) -> bool {
        let findings = match self.examine(frame) {
            Ok(findings) => findings,
            Err(refusal) => {
                refused(host, refusal, frame.bytes, frame.fcs_good);
                return true;
            }
        };
        let missed = self.no_buffer
            || host.faults.concern(Side::Rx)
                && host.faults.strike(|fault| (fault == Fault::Missed).then_some(())).is_some();
        if missed {
            self.count_good(host, frame, findings.admitted);
            host.registers.count(regs::MPC.at(0).offset, 1);
            host.counters.dropped.missed += 1;
            host.interrupts.raise(regs::eicr::RX_MISS.mask());
            return true;
        }
        self.place(host, frame, findings)
    }

    /// What there is to say about a frame that the filter takes.
    #[inline]
    fn examine(&mut self, frame: Frame<'_>) -> Result<Findings, Refusal> {
        let admitted = self.filter.admit(frame)?;
        let at = if admitted.is_tagged() { ETHERTYPE_AT + TAG } else { ETHERTYPE_AT };
        let headers = Headers::parse(frame.bytes, at);
        let hashed = self.rss.classify(frame.bytes, &headers);
        let queue = self.rss.queue(hashed);
        let verdict = self.verdict(frame.bytes, &headers, hashed, admitted);
        let findings = Findings { admitted, queue, verdict };
        self.known.keep(frame, &headers, findings);
        Ok(findings)
    }

    /// Puts the frame into its queue.
    #[inline]
    fn place(&mut self, host: &mut Host, frame: Frame<'_>, findings: Findings) -> bool {
        let Findings { admitted, queue: number, verdict } = findings;
        if self.enabled >> number & 1 == 0 {
            self.count_good(host, frame, admitted);
            host.counters.dropped.queue_off += 1;
            return true;
        }
        let queue = &mut self.queues[usize::from(number)];
        if self.touched >> number & 1 == 0 {
            queue.ring.look_ahead(host.memory.recent(), BATCH as u32);
        }
        let cut = queue.format.strip && admitted.is_tagged();
        let payload = Payload::new(frame.bytes, cut, !self.filter.strip_crc, frame.fcs_good);
        let verdict = if cut { tagged(verdict, admitted) } else { verdict };
        let delivery = deliver(host, &mut self.back, &mut queue.ring, queue.format, &payload, verdict);
        match delivery {
            Delivery::Done => {
                queue.packets += 1;
                queue.bytes += payload.len() as u64;
            }
            Delivery::NoRoom if !queue.format.drop => return false,
            Delivery::NoRoom => {
                queue.dropped += 1;
                host.counters.dropped.no_descriptor += 1;
            }
            Delivery::Unstorable => host.counters.dropped.unstorable += 1,
            Delivery::Faulted => host.counters.dropped.dma_fault += 1,
        }
        self.touched |= 1 << number;
        if verdict.tells_of_an_error() {
            host.registers.count(regs::XEC.offset, 1);
        }
        self.count_good(host, frame, admitted);
        true
    }

    /// MAC statistics of a frame that the filter took. Damaged ones are counted where they belong.
    #[inline]
    fn count_good(&mut self, host: &mut Host, frame: Frame<'_>, admitted: Admitted) {
        match admitted.damage() {
            None => self.tally.good(frame.bytes.len(), admitted.cast()),
            Some(damage) => count_damage(host, damage, frame.bytes, frame.fcs_good),
        }
    }

    /// The write-back's words, but for what depends on the queue.
    #[inline]
    fn verdict(&self, frame: &[u8], headers: &Headers, hashed: Hashed, admitted: Admitted) -> Verdict {
        let mut low = verify::packet_type(headers);
        if self.hash_wanted {
            low |= wb::RSS_TYPE.put(hashed.kind) | wb::RSS_HASH.put(hashed.hash.into());
        } else {
            low |= verify::fragment_words(frame, headers, self.sum_wanted);
        }
        let high = match admitted.damage() {
            None => verify::checksums(frame, headers),
            Some(_) => wb::RXE.mask(),
        };
        Verdict { low, high }
    }

    /// After a batch: heads, statistics of the queues, interrupts.
    #[inline]
    fn publish(&mut self, host: &mut Host) {
        while self.touched != 0 {
            let number = self.touched.trailing_zeros() as u16;
            self.touched &= self.touched - 1;
            self.queues[usize::from(number)].publish(host, number);
        }
    }
}

impl RxQueue {
    /// Reads SRRCTL and RXDCTL, which a driver may change while the queue runs.
    #[inline]
    fn look_at_format(&mut self, host: &mut Host) {
        const SRRCTL: u32 = regs::SRRCTL.at(0).offset - regs::RDBAL.at(0).offset;
        let format = Format::new(self.ring.register(host, SRRCTL), self.ring.control(host));
        if format != self.format {
            self.format = format;
            if format.split {
                let why = "header splitting (SRRCTL.DESCTYPE) is not modelled; taken as one buffer";
                host.bad_descriptor(self.ring.queue, self.ring.head, [0; 2], why);
            }
        }
    }

    fn publish(&mut self, host: &mut Host, number: u16) {
        let set = counter_set(host.registers.of(regs::RQSMR.at(number / 4)), number);
        host.registers.count(regs::QPRDC.at(set).offset, self.dropped);
        self.dropped = 0;
        if self.packets == 0 {
            // Nothing but drops or faults; the head may have moved all the same.
            return self.ring.publish_head(host);
        }
        host.registers.count(regs::QPRC.at(set).offset, self.packets);
        host.registers.count_pair(regs::QBRC_L.at(set).offset, self.bytes);
        host.counters.rx_delivered += self.packets;
        self.packets = 0;
        self.bytes = 0;
        self.ring.publish_head(host);
        let entry = host.registers.of(regs::IVAR.at(number / 2)).to_le_bytes()[usize::from(number % 2) * 2];
        host.interrupts.raise_entry(entry);
    }
}

/// The counter set of queue `number`, from its register of RQSMR or TQSM.
#[inline]
pub fn counter_set(map: u32, number: u16) -> u16 {
    u16::from(map.to_le_bytes()[usize::from(number % 4)] & 0xF)
}

/// Tells the stripped tag in the write-back.
fn tagged(verdict: Verdict, admitted: Admitted) -> Verdict {
    let tag = admitted.tag().unwrap_or_default();
    Verdict { high: verdict.high | wb::VP.mask() | wb::VLAN.put(tag.into()), ..verdict }
}

/// Counters of a frame that the filter refused.
#[cold]
fn refused(host: &mut Host, refusal: Refusal, bytes: &[u8], fcs_good: bool) {
    let dropped = &mut host.counters.dropped;
    match refusal {
        Refusal::Runt => dropped.runt += 1,
        Refusal::Oversize => dropped.oversize += 1,
        Refusal::BadFcs => dropped.bad_fcs += 1,
        Refusal::Address => dropped.address += 1,
        Refusal::Vlan => dropped.vlan += 1,
        Refusal::Control => dropped.control += 1,
    }
    count_damage(host, refusal, bytes, fcs_good);
}

/// Error statistics of the MAC.
#[cold]
fn count_damage(host: &mut Host, refusal: Refusal, bytes: &[u8], fcs_good: bool) {
    let register = match (refusal, fcs_good) {
        (Refusal::Runt, true) => regs::RUC,
        (Refusal::Runt, false) => regs::RFC,
        (Refusal::Oversize, true) => regs::ROC,
        (Refusal::Oversize, false) => regs::RJC,
        (Refusal::BadFcs, _) => regs::CRCERRS,
        (Refusal::Control, _) => pause_counter(bytes),
        (Refusal::Address | Refusal::Vlan, _) => return,
    };
    host.registers.count(register.offset, 1);
}

/// A pause frame with time 0 is an XON, any other an XOFF (802.3 annex 31B).
fn pause_counter(frame: &[u8]) -> regs::Register {
    if frame.get(16..18).is_none_or(|time| time == [0, 0]) { regs::LXONRXCNT } else { regs::LXOFFRXCNT }
}

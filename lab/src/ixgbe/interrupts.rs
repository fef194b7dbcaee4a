//! From causes to eventfds (82599 7.3, 8.2.3.5).
//!
//! A queue cause is one of 64 vectors, the low 16 of which are also bits of EICR; all other causes are bits 31:16 of
//! EICR and share the vector in IVAR_MISC. A cause that is set while its bit of the mask is clear, or sooner than
//! EITR allows, stays set and fires later. A message is sent once for each time that a cause is set; one that is
//! still set when software enables it again is sent again.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::registers::RegisterFile;
use super::regs::{self, eitr, gpie};
use crate::clock::Nanos;

/// Vectors of the function.
pub const VECTORS: usize = 64;

/// Unit of EITR.INTERVAL at 10 Gb/s, in nanoseconds (82599 8.2.3.5.12: "about 2 us").
const INTERVAL_NS: u64 = 2_000;

/// Causes of EICR that are not queues.
const OTHERS: u32 = 0xFFFF_0000;
/// EICR bits that a read clears when GPIE.OCD is set.
const CLEARED_WITH_OCD: u32 = 0x3FFF_0000;
/// Bits of a mask register that exist; bit 31 is reserved.
const MASKABLE: u32 = 0x7FFF_0000;

/// Causes, masks and throttles of one NIC, and where its vectors lead.
#[derive(Debug)]
pub struct Interrupts {
    /// Queue causes by vector.
    queues: u64,
    /// Other causes, as in EICR.
    others: u32,
    /// Queue causes for which no message has been sent yet.
    unsent_queues: u64,
    /// Other causes for which no message has been sent yet.
    unsent_others: u32,
    /// Enabled queue vectors.
    queue_mask: u64,
    /// Enabled other causes.
    other_mask: u32,
    /// When each vector may fire again.
    earliest: [Nanos; VECTORS],
    /// Something is set and enabled but had to wait.
    waiting: bool,
    vectors: [Option<OwnedFd>; VECTORS],
    /// MSI, used when no MSI-X vector is bound.
    message: Option<OwnedFd>,
    /// Interrupts delivered.
    pub delivered: u64,
}

impl Interrupts {
    /// Nothing set, everything masked, nothing bound.
    pub fn new() -> Self {
        Interrupts {
            queues: 0,
            others: 0,
            unsent_queues: 0,
            unsent_others: 0,
            queue_mask: 0,
            other_mask: 0,
            earliest: [Nanos::default(); VECTORS],
            waiting: false,
            vectors: [const { None }; VECTORS],
            message: None,
            delivered: 0,
        }
    }

    /// Forgets causes, masks and throttles, but not the eventfds.
    pub fn reset(&mut self) {
        let (vectors, message) =
            (std::mem::replace(&mut self.vectors, [const { None }; VECTORS]), self.message.take());
        *self = Interrupts { vectors, message, delivered: self.delivered, ..Interrupts::new() };
    }

    /// Binds or unbinds an MSI-X vector.
    ///
    /// # Errors
    ///
    /// `EINVAL` if there is no such vector.
    pub fn bind(&mut self, vector: u32, eventfd: Option<OwnedFd>) -> Result<(), Errno> {
        *self.vectors.get_mut(vector as usize).ok_or(Errno::INVAL)? = eventfd;
        Ok(())
    }

    /// Binds or unbinds the MSI vector.
    pub fn bind_message(&mut self, eventfd: Option<OwnedFd>) {
        self.message = eventfd;
    }

    /// EICR as a read would give it.
    pub fn causes(&self) -> u32 {
        self.others | (self.queues & 0xFFFF) as u32
    }

    /// EIMS as a read would give it.
    pub fn mask(&self) -> u32 {
        self.other_mask | (self.queue_mask & 0xFFFF) as u32
    }

    /// Word `word` of the mask of queue vectors.
    pub fn queue_mask_word(&self, word: u8) -> u32 {
        (self.queue_mask >> (32 * word)) as u32
    }

    /// Word `word` of the causes of queue vectors.
    pub fn queue_causes_word(&self, word: u8) -> u32 {
        (self.queues >> (32 * word)) as u32
    }

    /// A read of EICR: what it clears depends on GPIE.OCD.
    pub fn read_causes(&mut self, registers: &RegisterFile) -> u32 {
        let causes = self.causes();
        let ocd = gpie::OCD.is_set(registers.of(regs::GPIE));
        self.acknowledge(if ocd { CLEARED_WITH_OCD } else { u32::MAX }, registers);
        causes
    }

    /// A read of EICR that was noticed later: it can have cleared only what it `shown`.
    pub fn read_shown_causes(&mut self, shown: u32, registers: &RegisterFile) {
        let ocd = gpie::OCD.is_set(registers.of(regs::GPIE));
        self.acknowledge(if ocd { shown & CLEARED_WITH_OCD } else { shown }, registers);
    }

    /// A write of EICR: clears ones. Both ways of acknowledging mask by EIAM, unless that is left to the delivery.
    pub fn acknowledge(&mut self, bits: u32, registers: &RegisterFile) {
        let cleared = self.causes() & bits;
        self.queues &= !u64::from(bits & !OTHERS);
        self.others &= !bits;
        self.unsent_queues &= self.queues;
        self.unsent_others &= self.others;
        if !gpie::EIAME.is_set(registers.of(regs::GPIE)) {
            self.mask_clear(cleared & registers.of(regs::EIAM));
        }
    }

    /// A write of EIMS.
    pub fn mask_set(&mut self, bits: u32) {
        self.unsent_others |= self.others & bits & MASKABLE & !self.other_mask;
        self.other_mask |= bits & MASKABLE;
        self.queue_mask_set(0, bits & !OTHERS);
    }

    /// A write of EIMC.
    pub fn mask_clear(&mut self, bits: u32) {
        self.queue_mask &= !u64::from(bits & !OTHERS);
        self.other_mask &= !bits;
    }

    /// A write of word `word` of EIMS_EX.
    pub fn queue_mask_set(&mut self, word: u8, bits: u32) {
        let bits = u64::from(bits) << (32 * word);
        self.unsent_queues |= self.queues & bits & !self.queue_mask;
        self.queue_mask |= bits;
        self.waiting = true;
    }

    /// A write of word `word` of EIMC_EX.
    pub fn queue_mask_clear(&mut self, word: u8, bits: u32) {
        self.queue_mask &= !(u64::from(bits) << (32 * word));
    }

    /// A write of EICS, or a cause that is not a queue.
    pub fn raise(&mut self, bits: u32) {
        self.others |= bits & MASKABLE;
        self.unsent_others |= bits & MASKABLE;
        self.raise_queues(0, bits & !OTHERS);
    }

    /// A write of word `word` of EICS_EX.
    pub fn raise_queues(&mut self, word: u8, bits: u32) {
        let bits = u64::from(bits) << (32 * word);
        self.queues |= bits;
        self.unsent_queues |= bits;
        self.waiting = true;
    }

    /// A queue has something to tell. `entry` is its byte of IVAR.
    #[inline]
    pub fn raise_entry(&mut self, entry: u8) {
        if entry & 0x80 != 0 {
            let bit = 1 << (entry & 0x3F);
            self.queues |= bit;
            self.unsent_queues |= bit;
            self.waiting = true;
        }
    }

    /// A write of EITR: unless the driver asks not to touch it, the running interval ends now.
    pub fn throttle_written(&mut self, vector: u8, value: u32) {
        if !eitr::CNT_WDIS.is_set(value)
            && let Some(earliest) = self.earliest.get_mut(usize::from(vector))
        {
            *earliest = Nanos::default();
        }
        self.waiting = true;
    }

    /// Delivers what is set, enabled and not throttled. Cheap when there is nothing.
    #[inline]
    pub fn deliver(&mut self, registers: &RegisterFile, now: Nanos) -> usize {
        if self.waiting { self.deliver_waiting(registers, now) } else { 0 }
    }

    fn deliver_waiting(&mut self, registers: &RegisterFile, now: Nanos) -> usize {
        self.waiting = false;
        let mut due = self.unsent_queues & self.queue_mask;
        let others = self.unsent_others & self.other_mask;
        if !gpie::MULTIPLE_MSIX.is_set(registers.of(regs::GPIE)) {
            let fired = (due != 0 || others != 0) && self.fire(0, registers, now);
            if fired {
                self.unsent_queues &= !due;
                self.unsent_others &= !others;
            }
            return usize::from(fired);
        }
        let mut delivered = 0;
        while due != 0 {
            let vector = due.trailing_zeros() as usize;
            due &= due - 1;
            if self.fire(vector, registers, now) {
                self.sent_queue(vector, registers);
                delivered += 1;
            }
        }
        if others != 0 && self.fire_others(others, registers, now) {
            delivered += 1;
        }
        delivered
    }

    /// Auto-clear and auto-mask of a queue vector whose message was sent. Vectors above 15 have no bit in EICR that
    /// could be read, so they always clear themselves.
    fn sent_queue(&mut self, vector: usize, registers: &RegisterFile) {
        self.unsent_queues &= !(1 << vector);
        if vector > 15 || registers.of(regs::EIAC) >> vector & 1 == 1 {
            self.queues &= !(1 << vector);
        }
        if gpie::EIAME.is_set(registers.of(regs::GPIE)) {
            let word = registers.of(regs::EIAM_EX.at(vector as u16 / 32));
            let low = if vector < 16 { registers.of(regs::EIAM) } else { 0 };
            if (word >> (vector % 32) | low >> (vector % 32)) & 1 == 1 {
                self.queue_mask &= !(1 << vector);
            }
        }
    }

    fn fire_others(&mut self, causes: u32, registers: &RegisterFile, now: Nanos) -> bool {
        use regs::ivar_misc;
        let misc = registers.of(regs::IVAR_MISC);
        let vector = ivar_misc::ALLOC1.get(misc) as usize;
        if !ivar_misc::VALID1.is_set(misc) || !self.fire(vector, registers, now) {
            return false;
        }
        self.unsent_others &= !causes;
        if gpie::EIAME.is_set(registers.of(regs::GPIE)) {
            self.other_mask &= !(causes & registers.of(regs::EIAM));
        }
        true
    }

    /// Writes the eventfd of `vector` if its interval has passed; otherwise it waits.
    fn fire(&mut self, vector: usize, registers: &RegisterFile, now: Nanos) -> bool {
        if now < self.earliest[vector] {
            self.waiting = true;
            return false;
        }
        let interval = eitr::INTERVAL.get(registers.of(regs::EITR.at(vector as u16)));
        self.earliest[vector] = Nanos(now.0 + u64::from(interval) * INTERVAL_NS);
        self.signal(vector);
        true
    }

    /// Fires a vector whatever the registers say.
    pub fn signal(&mut self, vector: usize) {
        let bound = self.vectors.get(vector).and_then(Option::as_ref).or(self.message.as_ref());
        let Some(eventfd) = bound else { return };
        crate::serve::signal(eventfd);
        self.delivered += 1;
    }
}

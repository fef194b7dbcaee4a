//! The sanitizer: a NIC that knows the data sheet and says which rule the driver broke.
//!
//! A [`Sanitizer`] observes everything that happens at the driver's side of a NIC and judges it by the rules of
//! [`rules`]. What it finds is read through [`Findings`], from any thread, while the NIC runs:
//!
//! ```
//! use ringway_lab::events::Watch;
//! use ringway_lab::sanitizer::Sanitizer;
//!
//! let (sanitizer, findings) = Sanitizer::new(Watch::Descriptors);
//! // nic.add_observer(Box::new(sanitizer)); ... run a driver ...
//! # drop(sanitizer);
//! for finding in findings.all() {
//!     eprintln!("{finding}");
//! }
//! assert_eq!(findings.summary(), "no findings");
//! ```
//!
//! Rules are judged per queue where they concern one: registers in [`registers`], what has to happen before and
//! after a reset in [`init_order`], the receive and transmit units in [`receive`] and [`transmit`], rings in
//! [`rings`], slots in [`slots`], packets made of descriptors in [`transmit_packets`], and who owns which memory in
//! [`buffers`] and [`dma`].
//!
//! Doorbell pages that a driver has mapped can only be polled. Two writes to them between two polls have no order,
//! and a write that changes nothing, as well as any read, is not seen. Rules give such writes the benefit of the
//! doubt.

mod buffers;
mod context;
mod dma;
mod findings;
mod init_order;
pub(crate) mod lookup;
mod queues;
mod receive;
mod registers;
mod rings;
pub mod rules;
mod slots;
#[cfg(test)]
mod tests;
mod transmit;
mod transmit_packets;

use buffers::Ownership;
use context::{Context, Write};
use findings::Reporter;
use init_order::InitOrder;
use queues::{Enabling, Queues};
use receive::ReceiveUnit;
use registers::SingleRegisters;

use crate::clock::Nanos;
use crate::events::{Event, Observer, Queue, Scene, Side, Watch};

pub use findings::{Finding, Findings, Place};
pub use rules::{RULES, Rule, Severity};

/// Judges a driver by the data sheet.
#[derive(Debug)]
pub struct Sanitizer {
    level: Watch,
    clock: fn() -> Nanos,
    report: Reporter,
    judge: Judge,
}

impl Sanitizer {
    /// A sanitizer that looks as deep as `level`, and the handle to what it finds.
    pub fn new(level: Watch) -> (Self, Findings) {
        Sanitizer::with_clock(level, Nanos::now)
    }

    /// As [`new`](Self::new), with another clock. The time of the polling round is good enough for whatever comes
    /// in great numbers; for messages of the driver the clock is asked.
    fn with_clock(level: Watch, clock: fn() -> Nanos) -> (Self, Findings) {
        let (report, findings) = Reporter::new();
        (Sanitizer { level, clock, report, judge: Judge::new() }, findings)
    }
}

impl Observer for Sanitizer {
    fn watch(&self) -> Watch {
        self.level
    }

    #[inline]
    fn event(&mut self, scene: &Scene<'_>, event: &Event) {
        let now = if is_trapped(event) { scene.now.max((self.clock)()) } else { scene.now };
        self.report.now = now;
        let mut cx = Context { scene, report: &mut self.report, now };
        self.judge.event(&mut cx, event);
    }
}

/// Whether an event is a message of the driver, which may have come late in a polling round.
#[inline]
fn is_trapped(event: &Event) -> bool {
    matches!(
        event,
        Event::RegisterRead { .. } | Event::RegisterWrite { .. } | Event::Reset | Event::Client { .. }
    )
}

/// Everything that the rules remember.
#[derive(Debug)]
struct Judge {
    client: bool,
    init: InitOrder,
    single: SingleRegisters,
    receive: ReceiveUnit,
    queues: Queues,
    owned: Ownership,
}

impl Judge {
    fn new() -> Self {
        Judge {
            client: false,
            init: InitOrder::default(),
            single: SingleRegisters::default(),
            receive: ReceiveUnit::default(),
            queues: Queues::new(),
            owned: Ownership::default(),
        }
    }

    fn event(&mut self, cx: &mut Context<'_>, event: &Event) {
        match *event {
            Event::HandedOver { queue, slot, words } => {
                if let Some(state) = self.queues.get_mut(queue).filter(|state| state.enabled) {
                    slots::handed_over(cx, &mut self.owned, state, queue, slot, words);
                }
            }
            Event::Fetched { queue, slot, words } => {
                if let Some(state) = self.queues.get(queue) {
                    slots::fetched(cx, state, queue, slot, words);
                }
            }
            Event::Completed { queue, slot, written: _ } => {
                if let Some(state) = self.queues.get_mut(queue) {
                    slots::completed(&mut self.owned, state, queue, slot);
                }
            }
            Event::HeadMoved { queue, head: _ } => self.head_moved(cx, queue),
            Event::Doorbell { queue, head, before, tail } => self.doorbell(cx, queue, head, before, tail),
            _ => self.rare_event(cx, event),
        }
    }

    /// Events that do not come with every packet.
    fn rare_event(&mut self, cx: &mut Context<'_>, event: &Event) {
        match *event {
            Event::RegisterRead { offset, value } => self.read(cx, offset, value),
            Event::RegisterWrite { offset, before, value } => self.write(cx, offset, before, value, false),
            Event::MappedWrite { offset, before, value } => self.write(cx, offset, before, value, true),
            Event::ConfigWrite { offset, length, value } => self.init.config_write(offset, length, value),
            Event::Reset => self.reset(cx),
            Event::QueueEnabled { queue, base, slots, head: _ } => self.queue_enabled(cx, queue, base, slots),
            Event::QueueDisabled { queue, .. } => self.queue_disabled(cx, queue),
            Event::DmaFault { queue, slot, fault } => dma::fault(cx, &self.queues, queue, slot, fault),
            Event::BadDescriptor { queue, slot, words, why } => {
                slots::bad_descriptor(cx, queue, slot, words, why)
            }
            Event::MemoryMapped { iova, size, mapped: false } if self.client => {
                dma::unmapped(cx, &self.queues, iova, size);
            }
            Event::Client { present: true } => self.client_came(cx),
            Event::Client { present: false } => self.client_left(cx),
            Event::ReadsUnseen => {
                self.init.reads_are_unseen();
                self.single.reads_are_unseen();
            }
            _ => (),
        }
    }

    fn client_came(&mut self, cx: &mut Context<'_>) {
        cx.report.attached(cx.now);
        self.client = true;
        self.init.client_came();
        self.single.client_came();
        self.forget();
    }

    fn client_left(&mut self, cx: &mut Context<'_>) {
        if !std::mem::replace(&mut self.client, false) {
            return;
        }
        self.single.client_left(cx);
        let now = cx.scene.now;
        let running: Vec<Queue> = self
            .queues
            .iter()
            .filter(|(_, state)| state.enabled || state.dropped_at == Some(now))
            .map(|(queue, _)| queue)
            .collect();
        if let Some(first) = running.first() {
            let name = self.queues.name(*first);
            cx.device(&rules::general::QUEUES_LEFT_RUNNING, || {
                format!("the driver left with {} of its queues enabled, {name} among them", running.len())
            });
        }
        self.forget();
    }

    /// Nothing written so far counts any more.
    fn forget(&mut self) {
        self.receive.reset();
        for state in self.queues.iter_mut() {
            *state = queues::QueueState { ring: std::mem::take(&mut state.ring), ..Default::default() };
            state.ring.clear();
        }
        self.owned.clear();
    }

    fn reset(&mut self, cx: &Context<'_>) {
        self.init.reset(cx.now);
        self.single.reset();
        self.forget();
    }

    fn read(&mut self, cx: &mut Context<'_>, offset: u32, value: u32) {
        if let Some(at) = lookup::at(offset) {
            self.init.read(cx, at, value);
            self.single.read(at, value);
            rings::read(&mut self.queues, at, value);
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, offset: u32, before: u32, value: u32, mapped: bool) {
        let Some(at) = lookup::at(offset) else { return registers::unknown_write(cx, offset, value) };
        let write = Write { at, before, value, mapped };
        self.single.write(cx, &write);
        self.init.write(cx, &write, &self.queues);
        self.receive.write(cx, &write, &self.queues);
        transmit::write(cx, &write);
        rings::write(cx, &mut self.queues, &write);
    }

    fn queue_enabled(&mut self, cx: &mut Context<'_>, queue: Queue, base: u64, slots: u32) {
        let name = self.queues.name(queue);
        self.init.queue_enabled(cx, queue, &name);
        let Some(state) = self.queues.get_mut(queue) else { return };
        if state.enabled {
            slots::disabled(&mut self.owned, state, queue);
        }
        state.enabled = true;
        state.enabled_at = cx.scene.now;
        (state.dropped_at, state.stop_asked) = (None, false);
        (state.base, state.slots, state.tail) = (base, slots, 0);
        (state.moved, state.steady) = (false, false);
        rings::enabled(cx, state, queue);
        match queue.side {
            Side::Rx => receive::queue_enabled(cx, state, queue),
            Side::Tx => transmit::queue_enabled(cx, state, queue),
        }
        slots::enabled(cx, &mut self.owned, state, queue);
    }

    fn queue_disabled(&mut self, cx: &Context<'_>, queue: Queue) {
        let Some(state) = self.queues.get_mut(queue).filter(|state| state.enabled) else { return };
        slots::disabled(&mut self.owned, state, queue);
        state.enabled = false;
        state.enabling = Enabling::Unseen;
        // Taken back if the write that asked for it, or a reset, is told later in the same round.
        state.dropped_at = (!state.stop_asked).then_some(cx.scene.now);
    }

    fn doorbell(&mut self, cx: &mut Context<'_>, queue: Queue, head: u32, before: u32, tail: u32) {
        let Some(state) = self.queues.get_mut(queue) else { return };
        if !state.enabled && !self.init.was_reset() {
            // Whatever was in the register when the driver came.
            return;
        }
        rings::doorbell(cx, state, queue, rings::Move { head, before, tail });
        // The second look at a queue: it has received packets and now refills.
        if queue.side == Side::Rx && state.enabled && state.moved && !state.steady {
            state.steady = true;
            self.receive.steady(cx, queue, &self.queues);
        }
    }

    fn head_moved(&mut self, cx: &mut Context<'_>, queue: Queue) {
        let Some(state) = self.queues.get_mut(queue) else { return };
        if !std::mem::replace(&mut state.moved, true) {
            self.init.head_moved(cx);
        }
    }
}

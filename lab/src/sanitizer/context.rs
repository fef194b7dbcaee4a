//! What a rule can look at while it judges an event.

use super::findings::{Place, Reporter};
use super::lookup::Found;
use super::rules::Rule;
use crate::clock::Nanos;
use crate::events::{Queue, Scene};
use crate::ixgbe::regs::{Field, Register};

/// The scene of an event, and where to report.
pub(super) struct Context<'a> {
    pub scene: &'a Scene<'a>,
    pub report: &'a mut Reporter,
    /// Time of the event; more precise than the scene's where it matters.
    pub now: Nanos,
}

impl Context<'_> {
    /// What a read of `register` would give.
    pub fn peek(&self, register: Register) -> u32 {
        (self.scene.peek)(register.offset)
    }

    /// Whether `field` of `register` is not 0.
    pub fn is_set(&self, register: Register, field: Field) -> bool {
        field.is_set(self.peek(register))
    }

    /// `field` of `register`.
    pub fn field(&self, register: Register, field: Field) -> u32 {
        field.get(self.peek(register))
    }

    pub fn device(&mut self, rule: &'static Rule, message: impl FnOnce() -> String) {
        self.report.report(rule, Place::Device, message);
    }

    pub fn register(&mut self, rule: &'static Rule, found: Found, message: impl FnOnce() -> String) {
        self.report.report(rule, Place::Register(found.home()), message);
    }

    pub fn queue(&mut self, rule: &'static Rule, queue: Queue, message: impl FnOnce() -> String) {
        self.report.report(rule, Place::Queue(queue), message);
    }
}

/// A write to a register, as the rules see it.
#[derive(Clone, Copy)]
pub(super) struct Write {
    pub at: Found,
    pub before: u32,
    pub value: u32,
    /// Noticed in a mapped page: order within the same round is not known, and a write that changed nothing is not
    /// seen at all.
    pub mapped: bool,
}

impl Write {
    /// Whether the write turns `field` on.
    pub fn raises(&self, field: Field) -> bool {
        field.is_set(self.value) && !field.is_set(self.before)
    }

    /// Whether the write turns `field` off.
    pub fn drops(&self, field: Field) -> bool {
        !field.is_set(self.value) && field.is_set(self.before)
    }

    /// Whether `field` gets another value.
    pub fn changes(&self, field: Field) -> bool {
        field.get(self.value) != field.get(self.before)
    }
}

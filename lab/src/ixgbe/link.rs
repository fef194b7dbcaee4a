//! The link: what is plugged in, and what LINKS and STATUS say of it (82599 8.2.3.22.20).

use super::host::Host;
use super::regs::{self, autoc2, links, status};
use crate::clock::Nanos;
use crate::faults::Fault;

/// From a reset or a restart of auto-negotiation to the link. Real cards take milliseconds to seconds; drivers only
/// rely on it not being at once.
const BRING_UP_NS: u64 = 100_000;

/// State of the link.
#[derive(Debug)]
pub struct Link {
    /// Something is plugged in at the other end.
    carrier: bool,
    /// Not before this time; `None` if it is to be counted from the next round on.
    earliest: Option<Nanos>,
    /// The link was lost since LINKS was read last: the next read says so, even if it is up again.
    lost: bool,
}

impl Link {
    /// Plugged in, but down.
    pub fn new() -> Self {
        Link { carrier: true, earliest: None, lost: false }
    }

    /// Plugs in or pulls out.
    pub fn set_carrier(&mut self, carrier: bool) {
        self.carrier = carrier;
    }

    /// The link goes down and comes again after a while.
    pub fn restart(&mut self, host: &mut Host) {
        self.earliest = None;
        self.apply(host, false);
    }

    /// Forgets what a driver has not read yet.
    pub fn forget(&mut self) {
        self.lost = false;
    }

    /// Follows carrier, time, registers and faults.
    #[inline]
    pub fn poll(&mut self, host: &mut Host) {
        let earliest = *self.earliest.get_or_insert(Nanos(host.now.0 + BRING_UP_NS));
        let up = self.carrier && host.now >= earliest && self.allowed(host);
        if up != host.link_up {
            self.apply(host, up);
        }
    }

    fn allowed(&self, host: &Host) -> bool {
        let flapped = |fault| match fault {
            Fault::LinkFlap { up_us, down_us } => {
                let (up, down) = (u64::from(up_us), u64::from(down_us));
                Some(host.now.0 / 1000 % (up + down).max(1) < up)
            }
            Fault::LinkNeverComes => Some(false),
            _ => None,
        };
        !autoc2::LINK_DISABLE.is_set(host.registers.of(regs::AUTOC2))
            && host.faults.holds(flapped).unwrap_or(true)
    }

    fn apply(&mut self, host: &mut Host, up: bool) {
        let changed = host.link_up != up;
        host.link_up = up;
        self.publish(host);
        if changed {
            self.lost |= !up;
            host.interrupts.raise(regs::eicr::LSC.mask());
        }
    }

    /// Puts the state into the registers (again, after a reset of them).
    pub fn publish(&self, host: &mut Host) {
        let speed = if host.link_up { links::SPEED_10G } else { 0 };
        host.registers.set(regs::LINKS.offset, links::UP.put(host.link_up.into()) | links::SPEED.put(speed));
        let word = host.registers.of(regs::STATUS);
        host.registers.set(regs::STATUS.offset, status::LINK_UP.set(word, host.link_up.into()));
    }

    /// LINKS as a read gives it: latched low.
    pub fn peek(&self, host: &Host) -> u32 {
        if self.lost { 0 } else { host.registers.of(regs::LINKS) }
    }

    /// A read of LINKS.
    pub fn read(&mut self, host: &Host) -> u32 {
        let value = self.peek(host);
        self.lost = false;
        value
    }
}

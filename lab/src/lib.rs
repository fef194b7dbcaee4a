//! Software NICs and wires: the other side of every ring.
//!
//! An [`Engine`](engine::Engine) holds NICs; one thread polls all of them. A NIC is an
//! [82599 model](ixgbe) served over vfio-user ([`serve`]); its port is plugged into a [`wire::Wire`]. Everything that
//! happens at the driver's side of the NIC is told to [observers](events::Observer): the sanitizer, which knows
//! the data sheet's rules, and the trace.

pub mod clock;
pub mod device;
pub mod engine;
pub mod events;
pub mod faults;
pub mod ixgbe;
pub mod memory;
pub mod sanitizer;
pub mod selftest;
pub mod serve;
mod shared;
pub mod trace;
pub mod tree;
pub mod wire;

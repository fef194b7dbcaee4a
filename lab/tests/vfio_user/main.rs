//! The vfio-user server, message by message, against a client of its own: bytes are literal, as captured from other
//! implementations, and nothing is shared with the server but the `Device` interface.

mod clients;
mod fake;
mod information;
mod interrupts;
mod lab;
mod memory;
mod negotiation;
mod regions;
mod rig;
mod socket;
mod stream;

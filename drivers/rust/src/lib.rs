//! User-space driver for the Intel 82599, in Rust: no kernel driver, no C, and no card needed to try it.
//!
//! A device is opened by its address. `unix:/path` is the vfio-user socket of a software NIC (start one with
//! `ringway lab`), which needs no privileges. `0000:03:00.0` is a card: by kernel VFIO if it is bound to vfio-pci, by
//! sysfs otherwise (see [`bus`]).
//!
//! ```no_run
//! use ringway::{Config, Device, DmaMemory};
//!
//! # fn main() -> ringway::Result<()> {
//! let address = "unix:/tmp/nic0";
//! let memory = DmaMemory::for_devices(&[address], 16 << 20)?;
//! let mut nic = Device::open(address, &memory, &Config { promiscuous: true, ..Config::default() })?;
//! let mut batch = nic.batch(32);
//! for _ in 0..1_000_000 {
//!     nic.receive(0, &mut batch)?;
//!     for mut packet in batch.iter_mut() {
//!         if let Some(byte) = packet.head_mut().get_mut(48) {
//!             *byte = byte.wrapping_add(1);
//!         }
//!     }
//!     nic.transmit(0, &mut batch)?;
//!     batch.clear(); // what the ring did not take goes back to the pool
//! }
//! nic.close()
//! # }
//! ```
//!
//! # The model
//!
//! * **One DMA memory** per process ([`DmaMemory`]). All devices opened on it can send each other's packets without
//!   copying.
//! * **Packets are slots.** A [`Pool`] is a stack of slots; lengths live beside it. At any instant a slot is in exactly
//!   one of: pool, batch, receive ring, transmit ring. The type system keeps it so: using a packet after sending it
//!   does not compile (see [`packet`]).
//! * **Batches.** [`Device::receive`] fills a [`Batch`], [`Device::transmit`] takes from its front what the ring can
//!   hold. Nothing is allocated after opening, and nothing on the data path is a system call.
//! * **Polling.** Empty and full are results, not errors. Errors are for devices that fail; every wait has a deadline
//!   and an error that names the register.
//!
//! # Threads
//!
//! [`Device::split`] takes a device apart into queues that can go to other threads. Slots find their way home to
//! their pool from any of them.
//!
//! # Safety
//!
//! `unsafe` is confined to three modules, [`dma`], [`mmio`] and the system calls of [`bus::vfio`], and each use says why
//! it is needed and why it is sound.
//! The device is not trusted: impossible lengths and endless packets are counted and thrown away, never followed.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod bus;
pub mod device;
pub mod dma;
mod error;
mod ixgbe;
pub mod mmio;
pub mod packet;
pub mod ring;

pub use device::{Config, Control, Device, Link, RingSlots, RxQueue, Stats, TxQueue};
pub use dma::DmaMemory;
pub use error::{Error, Result};
pub use packet::{Batch, Packet, PacketMut, Pool};

/// Test vectors that all languages share: `spec/vectors/NAME.json`.
#[cfg(test)]
fn vectors(name: &str) -> serde_json::Value {
    let path = format!("{}/../../spec/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
        .unwrap()
}

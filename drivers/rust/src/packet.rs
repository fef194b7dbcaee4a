// packet · no source: this is ours
// Ownership is in the types: slots are tokens that move between pool, batch and rings, and cannot be used twice.

//! Packets: pools of slots, batches that own packets, and views of their bytes.
//!
//! A packet is not an object. It is one slot of DMA memory (or several, if it is longer than [`SLOT_BYTES`]), and a
//! [`Batch`] owns the slots of its packets. At any instant a slot is in exactly one of: pool, batch, receive ring,
//! transmit ring. A batch that is dropped gives its slots back to the pools they came from.
//!
//! A packet that was sent cannot be touched any more, because the view of it borrows the batch that it left:
//!
//! ```compile_fail,E0499
//! # fn demo(device: &mut ringway::Device, batch: &mut ringway::Batch) -> ringway::Result<()> {
//! let mut packet = batch.iter_mut().next().unwrap();
//! device.transmit(0, batch)?;
//! packet.head_mut()[0] = 1; // the device may be reading this very byte: does not compile
//! # Ok(()) }
//! ```
//!
//! and a batch cannot be copied to send its packets twice:
//!
//! ```compile_fail,E0308
//! # fn demo(batch: &ringway::Batch) {
//! let twice: ringway::Batch = batch.clone(); // there is no such method: this only copies the reference
//! # }
//! ```
//!
//! [`SLOT_BYTES`]: crate::dma::SLOT_BYTES

mod batch;
mod list;
mod pool;
mod view;

pub use batch::Batch;
pub(crate) use list::{SlotList, move_slots};
pub use pool::Pool;
pub(crate) use pool::{Pools, Returns};
pub use view::{Iter, IterMut, Packet, PacketMut};

/// Most slots that one packet may take: the longest frame of the 82599, 15.5 KiB, in 2 KiB pieces.
pub const MAX_PIECES: usize = 8;

#[cfg(test)]
mod tests;

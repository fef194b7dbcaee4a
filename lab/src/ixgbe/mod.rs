//! A software Intel 82599 (`ixgbe`), seen from both ends: a PCI function on one side, a port on the other.
//!
//! A [`Nic`] is polled. Each round it transmits what the tails of the transmit rings allow ([`tx`]), then takes frames
//! from its [wire](crate::wire) into the receive rings ([`rx`]). Trapped accesses of the driver come in between
//! ([`access`]). Everything that both directions need towards the driver is in [`host`].
//!
//! Left out, though registers for it are kept as storage: DCB and virtualization, five-tuple, EtherType, SYN and flow
//! director filters, header split, receive side coalescing, flow control, IPsec, LinkSec, FCoE, time stamps, the
//! firmware's host interface.

mod access;
mod checksum;
mod counters;
mod crc;
mod deliver;
mod doorbells;
mod eeprom;
mod filter;
mod function;
mod headers;
mod host;
mod i2c;
mod interrupts;
mod known;
mod lifecycle;
mod link;
mod loopback;
mod msix;
mod nic;
mod noise;
mod offload;
mod outbound;
mod pci;
mod plain;
mod registers;
pub mod regs;
mod ring;
mod rss;
mod rx;
mod spi;
mod tally;
mod tso;
mod tx;
mod verify;

pub use counters::{Counters, Dropped};
pub use nic::{Doorbells, Nic, NicConfig, QueueState};
pub(crate) use noise::Noise;

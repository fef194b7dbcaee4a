//! Serves a [`Device`] as a PCI function below `/sys/bus/pci/devices`, to drivers that know nothing of us.
//!
//! Where a card would be, there are files: `resource0` is shared memory that the NIC compares with what it knows
//! ([`Doorbells::Plain`](crate::ixgbe::Doorbells::Plain)), `config` likewise, and `/dev/uioN` is the far end of a
//! pseudo-terminal. They are put into a mount namespace of their own ([`Namespace`]), in which the driver is then started.
//! A driver has come when it opens `resource0`, and has gone when the last mapping of it is closed, however it ended.
//!
//! Its memory is found by physical address ([`physical`]): whatever hugepages a process of the namespace has mapped.
//! Accesses of registers that clear are told by the processor's watchpoints ([`watch`]), where it has some.

mod address;
mod config;
mod files;
mod function;
mod guard;
mod hugepages;
mod namespace;
mod physical;
mod processes;
mod uio;
mod watch;
mod watching;

pub use address::Address;
pub use function::Function;
pub use namespace::{DEVICES, Namespace, NamespaceError};
pub use processes::companions;
pub use watch::available as has_watchpoints;

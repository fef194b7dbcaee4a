//! What the fuzz targets do with their input. `lab/tests/fuzz.rs` does the same with a fixed number of random inputs.

#[path = "../../tests/common/mod.rs"]
mod common;
#[allow(dead_code)]
#[path = "../../tests/vfio_user/fake.rs"]
mod fake;
#[allow(dead_code)]
#[path = "../../tests/vfio_user/rig.rs"]
mod rig;

mod input;
pub mod ixgbe_descriptors;
pub mod ixgbe_registers;
pub mod vfio_user_messages;

//! Any descriptors in the rings of the 82599.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ringway_lab_fuzz::ixgbe_descriptors::{Input, run};

fuzz_target!(|input: Input| run(input));

//! Any accesses to the registers of the 82599.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ringway_lab_fuzz::ixgbe_registers::{Input, run};

fuzz_target!(|input: Input| run(input));

//! Any client against the vfio-user server.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ringway_lab_fuzz::vfio_user_messages::{Input, run};

fuzz_target!(|input: Input| run(input));

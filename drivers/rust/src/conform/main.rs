// conform · conformance/README.md
// The line protocol on standard input and output, as thin as it can be over the public interface of the driver.

//! `ringway-rust-conform`: the testee of the conformance suite.
//!
//! Reads commands line by line and answers each with one line, as `conformance/README.md` says.
#![deny(unsafe_code)]

mod commands;
mod forward;
mod hand;
mod input;
mod words;

use std::io::Write;
use std::process::ExitCode;

use commands::Testee;
use input::{Input, Line};
use ringway::DmaMemory;

/// DMA memory for all devices of a test; pages take no RAM until they are used.
const MEMORY_BYTES: usize = 1 << 30;

/// Where the judge will name PCI functions, it says how many MiB of hugepages there are for them.
fn make_memory() -> ringway::Result<DmaMemory> {
    let hugepages = std::env::var("RINGWAY_HUGEPAGES").ok().and_then(|mib| mib.parse::<usize>().ok());
    match hugepages {
        Some(mib) => DmaMemory::huge(mib << 20),
        None => DmaMemory::new(MEMORY_BYTES),
    }
}

fn main() -> ExitCode {
    let memory = match make_memory() {
        Ok(memory) => memory,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut input = match Input::new() {
        Ok(input) => input,
        Err(error) => {
            eprintln!("standard input: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut testee = Testee::new(memory, input.signalled());
    while let Line::Command(line) = input.next() {
        let quit = line.trim() == "quit";
        let answer = if quit { testee.quit() } else { testee.answer(&line) };
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() || quit {
            break;
        }
    }
    testee.quit();
    ExitCode::SUCCESS
}

//! Says where the hugepages of a DMA memory lie in this machine: what a card that is reached over sysfs is told. Needs root.
//!
//! ```text
//! cargo run --release --example huge
//! ```

fn main() -> std::process::ExitCode {
    match ringway::DmaMemory::huge(8 << 20) {
        Ok(memory) => {
            for run in memory.runs() {
                println!("{:#010x}: {} MiB at physical address {:#x}", run.offset, run.bytes >> 20, run.iova);
            }
            0.into()
        }
        Err(error) => {
            eprintln!("huge: {error}");
            1.into()
        }
    }
}

//! The smallest useful program: forwards packets between two devices, both ways, until something fails.
//!
//! ```text
//! cargo run --release --example forward -- unix:/tmp/nic0 unix:/tmp/nic1
//! ```

use ringway::{Config, Device, DmaMemory};

fn main() -> ringway::Result<()> {
    let mut addresses = std::env::args().skip(1);
    let (Some(a), Some(b)) = (addresses.next(), addresses.next()) else {
        eprintln!("usage: forward ADDRESS ADDRESS");
        std::process::exit(2);
    };
    // One memory for both, so that each can send what the other has received without copying it.
    let memory = DmaMemory::for_devices(&[&a, &b], 16 << 20)?;
    let config = Config { promiscuous: true, ..Config::default() };
    let mut nics = [Device::open(&a, &memory, &config)?, Device::open(&b, &memory, &config)?];
    let mut batch = nics[0].batch(32);
    loop {
        for from in [0, 1] {
            nics[from].receive(0, &mut batch)?;
            nics[1 - from].transmit(0, &mut batch)?;
            batch.clear(); // what the ring did not take is dropped
        }
    }
}

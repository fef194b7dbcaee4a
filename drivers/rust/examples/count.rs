//! Counts what arrives on each of four queues, with a thread for each.
//!
//! ```text
//! cargo run --release --example count -- unix:/tmp/nic0
//! ```

use std::time::{Duration, Instant};

use ringway::{Batch, Config, Device, DmaMemory};

fn main() -> ringway::Result<()> {
    let Some(address) = std::env::args().nth(1) else {
        eprintln!("usage: count ADDRESS");
        std::process::exit(2);
    };
    let memory = DmaMemory::for_devices(&[&address], 32 << 20)?;
    let config = Config { rx_queues: 4, pool_slots: 4096, promiscuous: true, ..Config::default() };
    let (control, queues, _) = Device::open(&address, &memory, &config)?.split();
    let end = Instant::now() + Duration::from_secs(10);
    std::thread::scope(|scope| {
        for (number, mut queue) in queues.into_iter().enumerate() {
            let mut batch = Batch::new(&memory, 32);
            scope.spawn(move || {
                let mut count = 0;
                while Instant::now() < end {
                    match queue.receive(&mut batch) {
                        Ok(packets) => count += packets,
                        Err(error) => return eprintln!("queue {number}: {error}"),
                    }
                    batch.clear(); // back to the pool, from whichever thread
                }
                println!("queue {number}: {count} packets");
            });
        }
    });
    println!("{:?}", control.stats()?);
    Ok(())
}

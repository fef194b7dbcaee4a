//! Captures that are not what was on the wire, although every count is right.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::bail;
use ringway::{Batch, Device, DmaMemory};
use serde_json::json;

use crate::{NOW_AND_THEN, config, say, say_start};

/// What is wrong with the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cheat {
    /// Nothing.
    Honest,
    /// One byte of a packet now and then.
    Damages,
    /// Every packet is as long as it should be and holds zeros.
    Invents,
    /// The last byte of each packet is not there.
    Cuts,
    /// Two packets now and then are in each other's place.
    Swaps,
    /// A packet now and then is not there.
    Forgets,
}

impl Cheat {
    fn named(name: &str) -> anyhow::Result<Cheat> {
        Ok(match name {
            "honest" => Cheat::Honest,
            "damages" => Cheat::Damages,
            "invents" => Cheat::Invents,
            "cuts" => Cheat::Cuts,
            "swaps" => Cheat::Swaps,
            "forgets" => Cheat::Forgets,
            other => bail!("{other} is no way to cheat when capturing"),
        })
    }

    /// Packet `number` as it goes into the file, in front of what `held` back of earlier ones.
    fn spoil(self, number: u64, mut bytes: Vec<u8>, held: &mut Option<Vec<u8>>) -> Vec<Vec<u8>> {
        let due = number % NOW_AND_THEN == NOW_AND_THEN - 1;
        match self {
            Cheat::Damages if due => bytes[20] ^= 0x40,
            Cheat::Invents => bytes.fill(0),
            Cheat::Cuts => bytes.truncate(bytes.len() - 1),
            Cheat::Swaps if due => {
                *held = Some(bytes);
                return Vec::new();
            }
            Cheat::Forgets if due => return Vec::new(),
            _ => {}
        }
        std::iter::once(bytes).chain(held.take()).collect()
    }
}

/// Captures into `file` until `stop`.
pub fn capture(how: &str, address: &str, file: &Path, batch: usize, stop: &AtomicBool) -> anyhow::Result<()> {
    let cheat = Cheat::named(how)?;
    let memory = DmaMemory::new(16 << 20)?;
    let mut device = Device::open(address, &memory, &config())?;
    let mut batch = Batch::new(&memory, batch);
    let mut file = BufWriter::new(File::create(file)?);
    for word in [0xa1b2_c3d4u32, 0x0004_0002, 0, 0, 65535, 1] {
        file.write_all(&word.to_le_bytes())?;
    }
    say_start("capture");
    let (mut received, mut held) = (0, None);
    while !stop.load(Relaxed) {
        if device.receive(0, &mut batch)? == 0 {
            std::thread::yield_now();
        }
        for packet in &batch {
            for bytes in cheat.spoil(received, packet.pieces().collect::<Vec<_>>().concat(), &mut held) {
                let length = bytes.len() as u32;
                for word in [0, 0, length, length] {
                    file.write_all(&word.to_le_bytes())?;
                }
                file.write_all(&bytes)?;
            }
            received += 1;
        }
        batch.clear();
    }
    file.flush()?;
    drop(batch);
    say(&json!({
        "event": "final", "app": "capture", "elapsed_s": 0, "received": received, "sent": 0, "dropped": 0,
        "stopped_by": "signal", "slots_lost": 0, "devices": [{ "dropped": 0 }],
    }));
    Ok(device.close()?)
}

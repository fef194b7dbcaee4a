//! The forward workload.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ringway::{Batch, Device};

use crate::commands::{Testee, batch_size, unknown};
use crate::words::{Answer, Refusal, Words};

/// The byte that is incremented.
const TOUCHED: usize = 48;

impl Testee {
    pub fn forward(&mut self, words: &Words<'_>) -> Answer {
        let (a, b) = (words.number::<usize>(0, "the device")?, words.number::<usize>(1, "the other device")?);
        let (packets, millis) = (words.optional("packets")?, words.optional("millis")?);
        if a == b || packets.is_none() && millis.is_none() {
            return Err(Refusal::Usage("forward takes two devices, and packets or millis".into()));
        }
        let size = batch_size(words)?;
        let signalled = self.signalled.clone();
        let mut pair = self.two_devices(a, b)?;
        pair.iter().try_for_each(|device| device.control().check())?;
        let mut batch = pair[0].batch(size);
        let deadline = millis.map(|millis| Instant::now() + Duration::from_millis(millis));
        let packets = packets.unwrap_or(usize::MAX);
        let (mut received, mut sent) = (0, 0);
        let mut from = 0;
        while received < packets && deadline.is_none_or(|deadline| Instant::now() < deadline) {
            if signalled.load(Ordering::Relaxed) {
                break;
            }
            let (n, taken) = one_way(&mut pair, from, &mut batch, packets - received)?;
            (received, sent, from) = (received + n, sent + taken, 1 - from);
            if n == 0 {
                std::thread::yield_now();
            }
        }
        Ok(format!("received={received} sent={sent} dropped={}", received - sent))
    }

    fn two_devices(&mut self, a: usize, b: usize) -> Result<[&mut Device; 2], Refusal> {
        let (mut first, mut second) = (None, None);
        for (number, open) in &mut self.devices {
            match *number {
                n if n == a => first = Some(&mut open.device),
                n if n == b => second = Some(&mut open.device),
                _ => {}
            }
        }
        Ok([first.ok_or_else(|| unknown(a))?, second.ok_or_else(|| unknown(b))?])
    }
}

/// One batch of at most `most` packets from `pair[from]` to the other; returns how many were received, and sent.
fn one_way(
    pair: &mut [&mut Device; 2],
    from: usize,
    batch: &mut Batch,
    most: usize,
) -> Result<(usize, usize), Refusal> {
    let received = pair[from].rx_queue(0)?.receive_at_most(batch, most)?;
    for mut packet in batch.iter_mut() {
        if let Some(byte) = packet.head_mut().get_mut(TOUCHED) {
            *byte = byte.wrapping_add(1);
        }
    }
    let sent = pair[1 - from].transmit(0, batch)?;
    batch.clear();
    Ok((received, sent))
}

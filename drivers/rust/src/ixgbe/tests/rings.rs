//! Receive and transmit rings with the test as the device: it writes descriptors through the memory file.

use proptest::prelude::*;

use super::*;
use crate::device::{Receive, Transmit};

/// A device that is up, and the other end of its rings.
struct Bench {
    fake: Arc<Fake>,
    memory: DmaMemory,
    nic: Arc<Nic>,
    rx: RxQueue,
    tx: TxQueue,
    /// Next descriptor that the device fills, and sends.
    heads: [u32; 2],
}

const ENDS: u64 = 3; // DD and EOP
const GOES_ON: u64 = 1; // DD

impl Bench {
    fn new(config: Config) -> Bench {
        let (fake, memory) = (device(), memory());
        let (nic, mut rx, mut tx) = bring_up(fake.clone(), &memory, &config).unwrap();
        Bench { fake, memory, nic, rx: rx.remove(0), tx: tx.remove(0), heads: [0, 0] }
    }

    fn descriptor(span: &DmaSpan, index: u32) -> [u64; 2] {
        let [first, second] = &span.descriptors()[index as usize];
        [first.load(Ordering::Acquire), second.load(Ordering::Acquire)]
    }

    /// Descriptors that the device has: from its head to the tail.
    fn available(&self) -> u32 {
        let size = self.nic.config.ring_slots;
        (self.fake.get(RDT.at(0).offset) + size - self.heads[0]) % size
    }

    /// Writes one descriptor back, with `bytes` in its buffer and `length` claimed. False if there is none.
    fn write_back(&mut self, bytes: &[u8], length: usize, status: u64) -> bool {
        if self.available() == 0 {
            return false;
        }
        let [buffer, _] = Bench::descriptor(&self.rx.span, self.heads[0]);
        rustix::io::pwrite(self.memory.file(), bytes, buffer - DmaMemory::IOVA).unwrap();
        let word = &self.rx.span.descriptors()[self.heads[0] as usize][1];
        word.store((length as u64) << 32 | status, Ordering::Release);
        self.heads[0] = (self.heads[0] + 1) % self.nic.config.ring_slots;
        true
    }

    fn deliver(&mut self, bytes: &[u8]) -> bool {
        let pieces: Vec<_> = bytes.chunks(2048).collect();
        if (self.available() as usize) < pieces.len() {
            return false;
        }
        let last = pieces.len() - 1;
        pieces.iter().enumerate().all(|(index, piece)| {
            self.write_back(piece, piece.len(), if index == last { ENDS } else { GOES_ON })
        })
    }

    /// Sends what is in the transmit ring, as the device would, and returns the packets.
    fn sent(&mut self) -> Vec<Vec<u8>> {
        let (mut packets, mut packet) = (Vec::new(), Vec::new());
        while self.heads[1] != self.fake.get(TDT.at(0).offset) {
            let [buffer, command] = Bench::descriptor(&self.tx.span, self.heads[1]);
            let mut bytes = vec![0; (command & 0xFFFF) as usize];
            rustix::io::pread(self.memory.file(), &mut bytes, buffer - DmaMemory::IOVA).unwrap();
            packet.extend(bytes);
            let (ends, report) = (command & 1 << 24 != 0, command & 1 << 27 != 0);
            assert!(ends || !report, "RS without EOP");
            if ends {
                assert_eq!(command >> 46, packet.len() as u64, "PAYLEN");
                packets.push(std::mem::take(&mut packet));
            }
            if report {
                let word = &self.tx.span.descriptors()[self.heads[1] as usize][1];
                word.store(1 << 32, Ordering::Release);
            }
            self.heads[1] = (self.heads[1] + 1) % self.nic.config.ring_slots;
        }
        assert!(packet.is_empty(), "the tail is within a packet");
        packets
    }

    /// Every slot is in the pool, a ring or the batch.
    fn account(&self, batch: &Batch) {
        let pool = &self.nic.pool;
        let rings = self.rx.slots_of(pool) + self.tx.slots_of(pool);
        assert_eq!(pool.free() + rings + batch.slots_of(pool), pool.total());
    }
}

fn jumbo() -> Config {
    Config { max_frame: 9018, ..small() }
}

#[test]
fn keeps_order_and_bytes_around_the_ring_end() {
    let mut bench = Bench::new(small());
    let mut batch = Batch::new(&bench.memory, 7);
    for round in 0..50u8 {
        for n in 0..5 {
            assert!(bench.deliver(&[round, n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
        }
        assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 5);
        let heads: Vec<_> = batch.iter().map(|packet| [packet.head()[0], packet.head()[1]]).collect();
        assert_eq!(heads, [0, 1, 2, 3, 4].map(|n| [round, n]));
        batch.clear();
        bench.account(&batch);
    }
}

#[test]
fn an_empty_pool_leaves_gaps_that_are_filled_later() {
    let mut bench = Bench::new(Config { pool_slots: 16, ..small() });
    let mut batch = Batch::new(&bench.memory, 40);
    for _ in 0..15 {
        assert!(bench.deliver(&[1; 60]));
    }
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 15);
    assert_eq!(bench.available(), 1, "one slot was left in the pool");
    assert!(bench.deliver(&[2; 60]) && !bench.deliver(&[3; 60]));
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 1);
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 0);
    batch.clear();
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 0);
    assert_eq!(bench.available(), 15);
    bench.account(&batch);
}

#[test]
fn long_packets_come_in_one_piece_and_leave_in_one_piece() {
    let mut bench = Bench::new(jumbo());
    let mut batch = Batch::new(&bench.memory, 8);
    let packet: Vec<u8> = (0..9000).map(|i| (i / 7) as u8).collect();
    assert!(bench.deliver(&packet) && bench.deliver(&packet[..60]) && bench.deliver(&packet));
    // Five slots and one; the second long one does not fit behind them and is left for later.
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 2);
    assert_eq!(batch.iter().map(|packet| packet.len()).collect::<Vec<_>>(), [9000, 60]);
    assert_eq!(bench.tx.transmit(&mut batch).unwrap(), 2);
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 1);
    assert_eq!(bench.tx.transmit(&mut batch).unwrap(), 1);
    let sent = bench.sent();
    assert!(sent[0] == packet && sent[1] == packet[..60] && sent[2] == packet);
    bench.tx.reclaim();
    assert_eq!(bench.tx.used(), 0);
    bench.account(&batch);
}

#[test]
fn half_a_packet_waits_for_the_rest() {
    let mut bench = Bench::new(jumbo());
    let mut batch = Batch::new(&bench.memory, 8);
    assert!(bench.write_back(&[5; 2048], 2048, GOES_ON));
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 0);
    assert!(bench.write_back(&[6; 100], 100, ENDS));
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 1);
    assert_eq!(batch.iter().next().unwrap().len(), 2148);
}

#[test]
fn lies_are_counted_and_thrown_away() {
    // Claimed length, status, in a ring for ordinary frames.
    let lies = [
        (2049, ENDS),
        (65535, ENDS),
        (0, ENDS),
        (1523, ENDS),
        (60, GOES_ON),
        (2048, GOES_ON),
        (60, ENDS | 1 << 29),
    ];
    let mut bench = Bench::new(small());
    let mut batch = Batch::new(&bench.memory, 8);
    for (count, (length, status)) in lies.into_iter().enumerate() {
        assert!(bench.write_back(&[9; 60], length, status) && bench.deliver(&[1; 60]));
        assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 1, "the packet after the lie");
        assert_eq!(batch.iter().next().unwrap().head(), [1; 60]);
        assert_eq!(bench.nic.stats().unwrap().rx_errors, count as u64 + 1);
        batch.clear();
        bench.account(&batch);
    }
}

#[test]
fn a_packet_without_end_and_one_that_no_batch_can_hold_do_not_stop_the_queue() {
    let mut bench = Bench::new(jumbo());
    let mut batch = Batch::new(&bench.memory, 4);
    for _ in 0..5 {
        assert!(bench.write_back(&[7; 2048], 2048, GOES_ON));
    }
    assert!(bench.deliver(&[8; 9000]) && bench.deliver(&[1; 60]));
    assert_eq!(bench.rx.receive(&mut batch, usize::MAX).unwrap(), 1);
    assert_eq!(batch.iter().next().unwrap().head(), [1; 60]);
    assert_eq!(bench.nic.stats().unwrap().rx_errors, 2);
    bench.account(&batch);
}

#[test]
fn a_full_ring_takes_what_fits_and_leaves_the_rest_in_order() {
    let mut bench = Bench::new(small());
    let mut batch = Batch::new(&bench.memory, 20);
    for n in 0..20u8 {
        assert!(batch.push(&bench.nic.pool, &[n; 60]).unwrap());
    }
    assert_eq!(bench.tx.transmit(&mut batch).unwrap(), 15);
    assert_eq!(bench.tx.transmit(&mut batch).unwrap(), 0);
    assert_eq!(batch.iter().next().unwrap().head()[0], 15);
    assert_eq!(bench.sent().len(), 15);
    assert_eq!(bench.tx.transmit(&mut batch).unwrap(), 5);
    assert_eq!(bench.sent().iter().map(|packet| packet[0]).collect::<Vec<_>>(), [15, 16, 17, 18, 19]);
    bench.tx.reclaim();
    assert_eq!(bench.tx.used(), 0, "the last packets of a call are reported even if silence follows");
    bench.account(&batch);
}

#[test]
fn reports_are_asked_for_every_so_often_only() {
    let mut bench = Bench::new(Config { ring_slots: 128, pool_slots: 256, ..small() });
    let mut batch = Batch::new(&bench.memory, 100);
    for _ in 0..100 {
        assert!(batch.push(&bench.nic.pool, &[0; 60]).unwrap());
    }
    bench.tx.transmit(&mut batch).unwrap();
    let asks = (0..100).filter(|index| Bench::descriptor(&bench.tx.span, *index)[1] & 1 << 27 != 0);
    assert_eq!(asks.collect::<Vec<_>>(), [31, 63, 95, 99]);
}

#[test]
fn runts_are_padded_with_zeros() {
    let mut bench = Bench::new(small());
    let mut batch = Batch::new(&bench.memory, 2);
    assert!(batch.push(&bench.nic.pool, &[0xEE; 60]).unwrap());
    batch.clear();
    assert!(batch.push(&bench.nic.pool, &[1; 14]).unwrap());
    bench.tx.transmit(&mut batch).unwrap();
    assert_eq!(bench.sent(), [[&[1; 14][..], &[0; 3]].concat()]);
}

#[test]
fn a_batch_of_another_memory_is_refused() {
    let mut bench = Bench::new(small());
    let mut batch = Batch::new(&memory(), 2);
    assert_eq!(bench.rx.receive(&mut batch, 1).unwrap_err().kind(), "Unsupported");
    assert_eq!(bench.tx.transmit(&mut batch).unwrap_err().kind(), "Unsupported");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever comes in whatever order goes out the same, at any ring size, and no slot is lost.
    #[test]
    fn what_comes_in_goes_out(
        ring in 2u32..8,
        spare in 0u32..40,
        steps in prop::collection::vec((0u8..4, 14usize..9000), 1..120),
    ) {
        let ring_slots = ring * 8;
        let mut bench = Bench::new(Config { ring_slots, pool_slots: ring_slots + spare, ..jumbo() });
        let mut batch = Batch::new(&bench.memory, 8);
        let (mut expected, mut got) = (Vec::new(), Vec::new());
        for (what, length) in steps {
            match what {
                0 => {
                    let packet: Vec<u8> = (0..length.max(17)).map(|i| (i ^ length) as u8).collect();
                    if bench.deliver(&packet) {
                        expected.push(packet);
                    }
                }
                1 => drop(bench.rx.receive(&mut batch, usize::MAX).unwrap()),
                2 => drop(bench.tx.transmit(&mut batch).unwrap()),
                _ => got.extend(bench.sent()),
            }
            bench.account(&batch);
        }
        for _ in 0..200 {
            bench.rx.receive(&mut batch, usize::MAX).unwrap();
            bench.tx.transmit(&mut batch).unwrap();
            got.extend(bench.sent());
        }
        prop_assert_eq!(got, expected);
        bench.account(&batch);
    }
}

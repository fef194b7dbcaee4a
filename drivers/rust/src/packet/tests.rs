//! Where slots are at any time: nothing is lost, nothing is in two places.

use super::*;
use crate::dma::DmaMemory;
use proptest::prelude::*;

fn memory() -> DmaMemory {
    DmaMemory::new(4 << 20).unwrap()
}

#[test]
fn a_dropped_batch_gives_its_packets_back() {
    let memory = memory();
    let pool = Pool::new(&memory, 16).unwrap();
    let mut batch = Batch::new(&memory, 8);
    assert!(batch.push(&pool, &[1; 60]).unwrap());
    assert!(batch.push(&pool, &[2; 5000]).unwrap());
    assert_eq!((batch.len(), batch.room(), pool.free()), (2, 4, 12));
    drop(batch);
    assert_eq!(pool.free(), 16);
}

#[test]
fn a_long_packet_reads_back_over_its_pieces() {
    let memory = memory();
    let pool = Pool::new(&memory, 16).unwrap();
    let mut batch = Batch::new(&memory, 8);
    let bytes: Vec<u8> = (0..5000).map(|i| i as u8).collect();
    assert!(batch.push(&pool, &bytes).unwrap());
    let packet = batch.iter().next().unwrap();
    assert_eq!((packet.len(), packet.head().len(), packet.pieces().count()), (5000, 2048, 3));
    assert_eq!(packet.to_vec(), bytes);
}

#[test]
fn full_and_empty_are_results() {
    let memory = memory();
    let pool = Pool::new(&memory, 2).unwrap();
    let mut batch = Batch::new(&memory, 3);
    assert!(!batch.push(&pool, &[0; 6000]).unwrap(), "three slots wanted, two there");
    assert_eq!(pool.free(), 2, "nothing half taken");
    assert_eq!(batch.extend(&pool, 5, 60).unwrap(), 2);
    assert!(!batch.push(&pool, &[0; 60]).unwrap());
    assert_eq!(batch.push(&pool, &[]).unwrap_err().kind(), "Unsupported");
    assert_eq!(batch.extend(&pool, 1, 2049).unwrap_err().kind(), "Unsupported");
}

#[test]
fn packets_keep_their_home_and_their_order() {
    let memory = memory();
    let (a, b) = (Pool::new(&memory, 4).unwrap(), Pool::new(&memory, 4).unwrap());
    let mut hand = Batch::new(&memory, 8);
    for (pool, byte) in [(&a, 1), (&b, 2), (&a, 3), (&b, 4)] {
        assert!(hand.push(pool, &[byte; 60]).unwrap());
    }
    assert_eq!((hand.slots_of(&a), hand.clear_of(&a)), (2, 2));
    let left: Vec<u8> = hand.iter().map(|packet| packet.head()[0]).collect();
    assert_eq!((left, a.free(), b.free()), (vec![2, 4], 4, 2));
    assert_eq!(hand.clear(), 2);
    assert_eq!(b.free(), 4);
}

#[test]
fn a_closed_pool_gives_its_memory_back_when_the_last_slot_is_home() {
    let memory = DmaMemory::new(100 * 2112).unwrap();
    let pool = Pool::new(&memory, 90).unwrap();
    let mut batch = Batch::new(&memory, 1);
    assert!(batch.push(&pool, &[0; 60]).unwrap());
    pool.close();
    assert_eq!(Pool::new(&memory, 90).unwrap_err().kind(), "OutOfMemory");
    drop(batch);
    assert_eq!(Pool::new(&memory, 90).unwrap().free(), 90);
}

#[test]
fn appending_never_splits_a_packet() {
    let memory = memory();
    let pool = Pool::new(&memory, 16).unwrap();
    let mut from = Batch::new(&memory, 16);
    assert!(from.push(&pool, &[1; 60]).unwrap() && from.push(&pool, &[2; 5000]).unwrap());
    let mut to = Batch::new(&memory, 3);
    assert_eq!(to.append(&mut from), 1);
    assert_eq!((to.len(), to.room(), from.len()), (1, 2, 1));
}

#[test]
fn batches_go_to_other_threads_and_slots_come_home() {
    let memory = memory();
    let pool = Pool::new(&memory, 64).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut batch = Batch::new(&memory, 8);
                for _ in 0..1000 {
                    batch.extend(&pool, 8, 60).unwrap();
                    batch.clear();
                }
            });
        }
    });
    assert_eq!(pool.free(), 64);
}

proptest! {
    /// Whatever is done, every slot is in the pool or in one batch, and no byte of a packet changes by itself.
    #[test]
    fn slots_are_conserved(steps in prop::collection::vec((0u8..5, 1usize..6000), 1..80)) {
        let memory = memory();
        let pool = Pool::new(&memory, 20).unwrap();
        let (mut one, mut two) = (Batch::new(&memory, 12), Batch::new(&memory, 7));
        for (what, length) in steps {
            match what {
                0 => drop(one.push(&pool, &vec![length as u8; length]).unwrap()),
                1 => drop(two.push(&pool, &vec![length as u8; length]).unwrap()),
                2 => drop(one.append(&mut two)),
                3 => drop(two.append(&mut one)),
                _ => drop(two.clear()),
            }
            prop_assert_eq!(pool.free() + one.slots_of(&pool) + two.slots_of(&pool), 20);
            prop_assert_eq!(one.len(), one.iter().count());
            for packet in one.iter().chain(&two) {
                let bytes = packet.to_vec();
                prop_assert!(bytes.iter().all(|byte| *byte == bytes.len() as u8));
            }
        }
    }
}

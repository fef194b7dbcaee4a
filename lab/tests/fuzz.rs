//! The fuzz targets of `lab/fuzz` with a fixed number of random inputs: what runs in a second, the same each time. Each
//! input that once was a finding becomes a test of its own where it belongs.

use arbitrary::{Arbitrary, Unstructured};

mod common;
#[allow(dead_code)]
#[path = "vfio_user/fake.rs"]
mod fake;
#[path = "../fuzz/src/input.rs"]
mod input;
#[path = "../fuzz/src/ixgbe_descriptors.rs"]
mod ixgbe_descriptors;
#[path = "../fuzz/src/ixgbe_registers.rs"]
mod ixgbe_registers;
#[allow(dead_code)]
#[path = "vfio_user/rig.rs"]
mod rig;
#[path = "../fuzz/src/vfio_user_messages.rs"]
mod vfio_user_messages;

/// Bytes without any sense, the same for the same seed (splitmix64, which is four lines).
fn noise(seed: u64, bytes: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    (0..bytes.div_ceil(8)).flat_map(|_| next().to_le_bytes()).take(bytes).collect()
}

/// Plays `count` inputs. A panic names the seed, with which it can be played again alone.
fn play<T: for<'a> Arbitrary<'a>>(count: u64, run: impl Fn(T)) {
    struct Named(u64);
    impl Drop for Named {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("this was the input with seed {}", self.0);
            }
        }
    }
    for seed in 0..count {
        let named = Named(seed);
        let bytes = noise(seed, 16 << (seed % 8));
        if let Ok(input) = T::arbitrary_take_rest(Unstructured::new(&bytes)) {
            run(input);
        }
        drop(named);
    }
}

#[test]
fn vfio_user_messages_of_any_kind() {
    play(10_000, vfio_user_messages::run);
}

#[test]
fn ixgbe_registers_in_any_order() {
    play(500, ixgbe_registers::run);
}

#[test]
fn ixgbe_descriptors_of_any_kind() {
    play(500, ixgbe_descriptors::run);
}

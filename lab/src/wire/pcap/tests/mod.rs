mod build;
mod disk;
mod example;
mod library;
mod play;
mod read;
mod write;

use std::path::Path;

use super::{Capture, CaptureError, ReadOptions};

/// Reads bytes as if they were the file `in.pcap`.
fn parse(data: &[u8]) -> Result<Capture, CaptureError> {
    parse_with(data, &ReadOptions::default())
}

fn parse_with(data: &[u8], options: &ReadOptions) -> Result<Capture, CaptureError> {
    Capture::from_bytes(Path::new("in.pcap"), data.to_vec(), options)
}

/// A frame of `length` bytes that no other test frame equals.
fn frame(length: usize, mark: u8) -> Vec<u8> {
    (0..length).map(|n| (n as u8).wrapping_mul(31).wrapping_add(mark)).collect()
}

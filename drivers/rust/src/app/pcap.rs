//! A pcap file that is valid at any time: after an interruption, and after the disk was full.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

/// The classic format with nanoseconds, in our byte order. Readers know both orders by the first word.
const MAGIC: u32 = 0xa1b2_3c4d;
const VERSION: [u16; 2] = [2, 4];
const ETHERNET: u32 = 1;
const SNAP_LENGTH: u32 = 262_144;

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 16;

/// Writes packets to a file in whole records.
pub struct PcapFile {
    file: File,
    /// Records that are not yet in the file.
    buffer: Vec<u8>,
    /// Where each record in the buffer ends.
    ends: Vec<usize>,
    /// Bytes in the file, all of them whole records.
    written: u64,
}

impl PcapFile {
    /// Makes the file, or empties it, and writes its header.
    pub fn create(path: &Path) -> io::Result<PcapFile> {
        let mut pcap = PcapFile {
            file: File::create(path)?,
            buffer: Vec::with_capacity(2 * BUFFER),
            ends: Vec::new(),
            written: 0,
        };
        let [major, minor] = VERSION;
        for word in [MAGIC, u32::from(minor) << 16 | u32::from(major), 0, 0, SNAP_LENGTH, ETHERNET] {
            pcap.buffer.extend(word.to_le_bytes());
        }
        pcap.ends.push(pcap.buffer.len());
        pcap.flush()?;
        Ok(pcap)
    }

    /// Adds a packet with the time `now`. It is in the file after the next [`PcapFile::flush`] at the latest.
    pub fn add<'a>(
        &mut self,
        now: SystemTime,
        length: usize,
        pieces: impl Iterator<Item = &'a [u8]>,
    ) -> io::Result<()> {
        let time = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        for word in [time.as_secs() as u32, time.subsec_nanos(), length as u32, length as u32] {
            self.buffer.extend(word.to_le_bytes());
        }
        pieces.for_each(|piece| self.buffer.extend_from_slice(piece));
        self.ends.push(self.buffer.len());
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Writes what was collected. If that fails, the file is cut back to the last whole record.
    pub fn flush(&mut self) -> io::Result<()> {
        let mut done = 0;
        let mut result = Ok(());
        while done < self.buffer.len() && result.is_ok() {
            match self.file.write(&self.buffer[done..]) {
                Ok(0) => result = Err(io::ErrorKind::WriteZero.into()),
                Ok(bytes) => done += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => result = Err(error),
            }
        }
        let whole = self.ends.iter().rev().find(|end| **end <= done).copied().unwrap_or(0);
        self.written += whole as u64;
        if whole < done {
            // Fails for a pipe or a device, where there is nothing to cut.
            let _ = self.file.set_len(self.written);
        }
        self.buffer.clear();
        self.ends.clear();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(bytes: &[u8]) -> usize {
        let (mut at, mut count) = (24, 0);
        while at < bytes.len() {
            let length = u32::from_le_bytes(bytes[at + 8..at + 12].try_into().unwrap());
            at += 16 + length as usize;
            count += 1;
        }
        assert_eq!(at, bytes.len(), "a record is cut off");
        count
    }

    #[test]
    fn writes_whole_records() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pcap");
        let mut pcap = PcapFile::create(&path).unwrap();
        for _ in 0..1000 {
            pcap.add(SystemTime::now(), 100, [&[1; 60][..], &[2; 40][..]].into_iter()).unwrap();
        }
        pcap.flush().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes[..4], [0x4d, 0x3c, 0xb2, 0xa1]);
        assert_eq!(records(&bytes), 1000);
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let path = Path::new("/dev/full");
        assert_eq!(PcapFile::create(path).map(|_| ()).unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}

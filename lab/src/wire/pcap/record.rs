//! Writing captures so that the file is valid at every moment.
//!
//! The file grows by whole packets only. When the disk is full, what was written of the last packet is cut off
//! again, so that everything before it stays readable.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::encode::{Direction, Encoder, Format, Record};
use crate::clock::Nanos;

/// Written at once.
const BUFFER: usize = 1 << 16;
/// At most so long does a packet wait to be written.
const FLUSH_AFTER_NS: u64 = 500_000_000;

/// Writes packets to a pcap or pcapng file.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
    encoder: Encoder,
    buffer: Vec<u8>,
    /// Where each packet in `buffer` ends.
    ends: Vec<usize>,
    /// Length of the file; always the end of a packet.
    length: u64,
    written: u64,
    lost: u64,
    flushed_at: Nanos,
    epoch: Epoch,
    failed: bool,
    error: Option<io::Error>,
}

/// Ties the lab's clock to the calendar.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    /// Nanoseconds since 1970 at `monotonic`.
    wall: u64,
    monotonic: Nanos,
}

impl Epoch {
    fn now() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        Epoch { wall, monotonic: Nanos::now() }
    }

    fn timestamp(&self, at: Nanos) -> u64 {
        (self.wall + at.since(self.monotonic)).saturating_sub(self.monotonic.since(at))
    }
}

impl Format {
    /// pcapng for a name that ends so, classic pcap for any other.
    pub fn of(path: &Path) -> Format {
        let is_ng = |ending: &std::ffi::OsStr| {
            ["pcapng", "ntar"].iter().any(|name| ending.eq_ignore_ascii_case(name))
        };
        if path.extension().is_some_and(is_ng) { Format::Pcapng } else { Format::Pcap }
    }
}

impl Recorder {
    /// Creates the file (or empties it) and writes its header. The ending of its name decides the format.
    /// `interface` is the name under which pcapng keeps where the packets were seen.
    ///
    /// # Errors
    /// When the file cannot be created or cannot hold even the header; then it is removed again.
    pub fn create(path: &Path, interface: &str) -> io::Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .map_err(|error| explain(path, "create", &error, ""))?;
        let encoder = Encoder::new(Format::of(path));
        let header = encoder.header(interface);
        if let Err(error) = (&file).write_all(&header) {
            if file.metadata().is_ok_and(|data| data.is_file()) {
                // The first error is the one to report.
                let _ = std::fs::remove_file(path);
            }
            return Err(explain(path, "write", &error, ""));
        }
        let epoch = Epoch::now();
        Ok(Recorder {
            path: path.to_owned(),
            file,
            encoder,
            buffer: Vec::with_capacity(BUFFER + (1 << 14)),
            ends: Vec::new(),
            length: header.len() as u64,
            written: 0,
            lost: 0,
            flushed_at: epoch.monotonic,
            epoch,
            failed: false,
            error: None,
        })
    }

    /// Keeps a frame that was seen at `at`.
    pub fn record(&mut self, frame: &[u8], at: Nanos, direction: Option<Direction>) {
        let timestamp = self.epoch.timestamp(at);
        self.record_as(&Record { bytes: frame, timestamp, direction });
    }

    /// Keeps a frame under a timestamp of the caller's.
    pub fn record_as(&mut self, record: &Record<'_>) {
        if self.failed {
            self.lost += 1;
            return;
        }
        self.encoder.append(&mut self.buffer, record);
        self.ends.push(self.buffer.len());
        if self.buffer.len() >= BUFFER {
            self.write_out();
        }
    }

    /// To be called now and then: writes out what has waited for long.
    pub fn poll(&mut self, now: Nanos) -> bool {
        if self.ends.is_empty() || now.since(self.flushed_at) < FLUSH_AFTER_NS {
            return false;
        }
        self.flushed_at = now;
        self.write_out();
        true
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// What stopped the recording, unless [`take_error`](Self::take_error) has told before.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out();
        self.take_error().map_or(Ok(()), Err)
    }

    /// What stopped the recording (disk full), once.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Packets that are in the file.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Packets that came after the recording was stopped by an error, and those that the error cost.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write_out(&mut self) {
        let mut done = 0;
        let mut failure = None;
        while done < self.buffer.len() {
            match self.file.write(&self.buffer[done..]) {
                Ok(0) => failure = Some(io::Error::from(io::ErrorKind::WriteZero)),
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => failure = Some(error),
            }
            if failure.is_some() {
                break;
            }
        }
        let whole = self.ends.partition_point(|&end| end <= done);
        self.length += whole.checked_sub(1).map_or(0, |last| self.ends[last] as u64);
        self.written += whole as u64;
        if let Some(error) = failure {
            self.fail(&error, self.ends.len() - whole);
        }
        self.buffer.clear();
        self.ends.clear();
    }

    fn fail(&mut self, error: &io::Error, lost: usize) {
        // A pipe cannot be cut; its reader sees the end in the middle of a packet.
        let _ = self.file.set_len(self.length);
        self.failed = true;
        self.lost += lost as u64;
        let kept = format!("; the {} packets before are kept and readable", self.written);
        self.error = Some(explain(&self.path, "write", error, &kept));
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.write_out();
    }
}

fn explain(path: &Path, verb: &str, error: &io::Error, after: &str) -> io::Error {
    let remedy = match error.kind() {
        io::ErrorKind::StorageFull => "; free some space or record elsewhere",
        io::ErrorKind::PermissionDenied => "; choose a directory that you may write to",
        io::ErrorKind::NotFound => "; create the directory first",
        _ => "",
    };
    io::Error::new(error.kind(), format!("cannot {verb} {}: {error}{after}{remedy}", path.display()))
}

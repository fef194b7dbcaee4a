//! Captures in memory: read and judged as a whole before the first packet is replayed.

use std::path::{Path, PathBuf};

use pcap_parser::Linktype;
use serde::Serialize;

use super::classic::Classic;
use super::error::CaptureError;
use super::ng::Ng;

const ETHERNET: u16 = Linktype::ETHERNET.0 as u16;

/// The longest frame (without FCS) that is taken unless told otherwise: the 82599 counts 15.5 KB with FCS.
pub const LONGEST_FRAME: usize = 15_872 - 4;
/// Destination, source, type: nothing shorter is Ethernet.
pub const SHORTEST_FRAME: usize = 14;

/// What to do with captures that cannot be replayed truly. By default they are refused.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Take the whole packets of a file that is cut off.
    pub whole_only: bool,
    /// Skip packets that were captured in part, or that no port can carry, and count them.
    pub skip_unsuitable: bool,
    /// Longest frame in bytes without FCS.
    pub longest_frame: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { whole_only: false, skip_unsuitable: false, longest_frame: LONGEST_FRAME }
    }
}

/// What was left out of a [`Capture`], as far as [`ReadOptions`] allowed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Packets that were captured in part.
    pub snapped: usize,
    /// Packets that are too short or too long for a port.
    pub unsendable: usize,
    /// Where the record begins that the file ends in.
    pub cut_off_at: Option<usize>,
}

/// One packet of a [`Capture`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The frame without FCS, as long as it was captured (a sender's capture shows it without padding).
    pub bytes: &'a [u8],
    /// Nanoseconds since 1970.
    pub timestamp: u64,
}

/// A capture file in memory. Every packet in it is a whole Ethernet frame.
#[derive(Debug)]
pub struct Capture {
    path: PathBuf,
    data: Vec<u8>,
    packets: Vec<Entry>,
    left_out: LeftOut,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    timestamp: u64,
    offset: usize,
    length: usize,
}

impl Capture {
    /// Reads a pcap or pcapng file; which one it is, its first bytes tell.
    pub fn read(path: &Path, options: &ReadOptions) -> Result<Self, CaptureError> {
        let data = std::fs::read(path)
            .map_err(|source| CaptureError::Unreadable { path: path.to_owned(), source })?;
        Self::from_bytes(path, data, options)
    }

    /// Like [`read`](Self::read) with the contents given; `path` is what errors name.
    pub fn from_bytes(path: &Path, data: Vec<u8>, options: &ReadOptions) -> Result<Self, CaptureError> {
        let path = path.to_owned();
        let capture = Capture { path, data, packets: Vec::new(), left_out: LeftOut::default() };
        capture.index(options)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of packets.
    pub fn len(&self) -> usize {
        self.packets.len()
    }

    /// Whether there are no packets.
    pub fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }

    /// Sum of the lengths of all packets.
    pub fn bytes(&self) -> u64 {
        self.packets.iter().map(|entry| entry.length as u64).sum()
    }

    /// The packet with that number, from 0.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn packet(&self, number: usize) -> Packet<'_> {
        let Entry { timestamp, offset, length } = self.packets[number];
        Packet { bytes: &self.data[offset..offset + length], timestamp }
    }

    /// All packets in the order of the file.
    pub fn packets(&self) -> impl ExactSizeIterator<Item = Packet<'_>> {
        (0..self.len()).map(|number| self.packet(number))
    }

    /// What was left out because the options allowed it.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    fn index(mut self, options: &ReadOptions) -> Result<Self, CaptureError> {
        let (mut reader, mut offset) = self.recognise()?;
        let mut number = 0;
        while offset < self.data.len() {
            let step = match reader.step(&self.data, offset) {
                Ok(step) => step,
                Err(Fault::Truncated) if options.whole_only => {
                    self.left_out.cut_off_at = Some(offset);
                    break;
                }
                Err(fault) => return Err(self.error(fault, offset)),
            };
            if let Some(found) = step.found {
                number += 1;
                self.take(found, number, offset, options)?;
            }
            offset = step.next;
        }
        Ok(self)
    }

    fn recognise(&self) -> Result<(Reader, usize), CaptureError> {
        if let Some(ng) = Ng::open(&self.data) {
            return Ok((Reader::Ng(ng), 0));
        }
        match Classic::open(&self.data) {
            Some(Ok((classic, _))) if classic.link_type() != ETHERNET => {
                Err(CaptureError::LinkType { path: self.path.clone(), link_type: classic.link_type() })
            }
            Some(Ok((classic, offset))) => Ok((Reader::Classic(classic), offset)),
            Some(Err(fault)) => Err(self.error(fault, 0)),
            None => Err(CaptureError::NotACapture { path: self.path.clone(), found: what_it_is(&self.data) }),
        }
    }

    fn take(
        &mut self,
        found: Found,
        number: usize,
        offset: usize,
        options: &ReadOptions,
    ) -> Result<(), CaptureError> {
        let path = || self.path.clone();
        if found.link_type != ETHERNET {
            return Err(CaptureError::LinkType { path: path(), link_type: found.link_type });
        }
        let length = (found.captured as usize).saturating_sub(usize::from(found.fcs));
        if found.captured < found.original {
            let Found { captured, original, .. } = found;
            self.left_out.snapped += 1;
            if !options.skip_unsuitable {
                return Err(CaptureError::Snapped { path: path(), number, offset, captured, original });
            }
        } else if length < SHORTEST_FRAME || length > options.longest_frame {
            let (shortest, longest) = (SHORTEST_FRAME, options.longest_frame);
            self.left_out.unsendable += 1;
            if !options.skip_unsuitable {
                return Err(CaptureError::Unsendable {
                    path: path(),
                    number,
                    offset,
                    length,
                    shortest,
                    longest,
                });
            }
        } else {
            self.packets.push(Entry { timestamp: found.timestamp, offset: found.bytes, length });
        }
        Ok(())
    }

    fn error(&self, fault: Fault, offset: usize) -> CaptureError {
        let path = self.path.clone();
        match fault {
            Fault::Truncated => CaptureError::Truncated { path, offset, packets: self.packets.len() },
            Fault::Malformed(what) => CaptureError::Malformed { path, offset, what },
        }
    }
}

/// One of the two formats, in the middle of a file.
enum Reader {
    Classic(Classic),
    Ng(Ng),
}

impl Reader {
    fn step(&mut self, data: &[u8], offset: usize) -> Result<Step, Fault> {
        match self {
            Reader::Classic(classic) => classic.step(data, offset),
            Reader::Ng(ng) => ng.step(data, offset),
        }
    }
}

/// One record or block of a file.
pub(super) struct Step {
    /// Where the next one begins.
    pub(super) next: usize,
    /// The packet, if it holds one.
    pub(super) found: Option<Found>,
}

/// A packet as it stands in the file.
pub(super) struct Found {
    /// Where its bytes begin.
    pub(super) bytes: usize,
    /// How many are in the file, with FCS.
    pub(super) captured: u32,
    /// How many there were on the wire, with FCS.
    pub(super) original: u32,
    /// Nanoseconds since 1970.
    pub(super) timestamp: u64,
    /// Link type of its interface.
    pub(super) link_type: u16,
    /// Bytes of FCS at its end.
    pub(super) fcs: u8,
}

/// What is wrong with a record.
pub(super) enum Fault {
    /// It is longer than the file.
    Truncated,
    /// It breaks a rule of the format.
    Malformed(&'static str),
}

/// What people give by mistake.
fn what_it_is(data: &[u8]) -> String {
    match data {
        [] => "it is empty".into(),
        [0x1f, 0x8b, ..] => "it is compressed (gunzip it first)".into(),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "it is compressed (unzstd it first)".into(),
        _ => {
            let begin: Vec<_> = data.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            format!("it begins with {}", begin.join(" "))
        }
    }
}

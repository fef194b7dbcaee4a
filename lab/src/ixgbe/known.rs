//! Frames whose like was here before: what the NIC has to say of them is known.
//!
//! Filter, parser, RSS and checksums cost more than storing a short frame does, and what they find follows from a few
//! of its bytes and the registers alone. Packets of one flow mostly have those bytes in common, so the answer is kept.
//! Only frames of which 42 bytes and the length say everything are: IPv4 and UDP without options, tag or checksum, whole
//! and without an error. Others have to be looked at anew each time, if only to add up their bytes.

use super::deliver::Verdict;
use super::filter::{Admitted, ETHERTYPE_AT};
use super::headers::{Headers, Network, Transport};
use crate::wire::{Frame, HEADERS, same_headers};

/// Where the UDP header begins.
const UDP_AT: usize = 34;
/// Kinds of frames that are kept.
const KINDS: usize = 16;

/// What the NIC finds out about a frame that it takes.
#[derive(Clone, Copy, Debug)]
pub struct Findings {
    /// The filter's word.
    pub admitted: Admitted,
    /// The queue.
    pub queue: u16,
    /// The write-back's words, but for what depends on the queue.
    pub verdict: Verdict,
}

impl Findings {
    /// Neither damage nor a wrong checksum.
    #[inline]
    pub fn is_good(&self) -> bool {
        self.admitted.damage().is_none() && !self.verdict.tells_of_an_error()
    }
}

/// One kind of frames.
#[derive(Clone, Copy, Debug)]
struct Kind {
    headers: [u8; HEADERS],
    /// Bytes of the frame; 0 if the place is free.
    length: usize,
    findings: Findings,
}

/// The kinds seen last, each at the place that its source port gives.
#[derive(Debug)]
pub struct Known {
    kinds: [Kind; KINDS],
}

impl Known {
    /// None.
    pub fn new() -> Self {
        let findings = Findings { admitted: Admitted::default(), queue: 0, verdict: Verdict::default() };
        Known { kinds: [Kind { headers: [0; HEADERS], length: 0, findings }; KINDS] }
    }

    /// A register was written: what was found may be wrong now.
    pub fn forget(&mut self) {
        self.kinds.iter_mut().for_each(|kind| kind.length = 0);
    }

    /// What was found out about a frame of the same kind. `frame` has a right FCS.
    #[inline]
    pub fn find(&self, frame: &[u8]) -> Option<&Findings> {
        let headers = frame.first_chunk()?;
        let kind = &self.kinds[place(headers)];
        let same = kind.length == frame.len() && same_headers(&kind.headers, headers);
        same.then_some(&kind.findings)
    }

    /// Keeps what was found out about a frame, if that holds for all of its kind.
    #[inline]
    pub fn keep(&mut self, frame: Frame<'_>, headers: &Headers, findings: Findings) {
        if let Some(bytes) = frame.bytes.first_chunk()
            && headers_say_all(bytes, headers)
            && findings.is_good()
        {
            self.kinds[place(bytes)] = Kind { headers: *bytes, length: frame.bytes.len(), findings };
        }
    }
}

/// The lower byte of the source port differs most between flows.
#[inline]
fn place(headers: &[u8; HEADERS]) -> usize {
    usize::from(headers[UDP_AT + 1]) % KINDS
}

/// Nothing behind the headers matters.
#[inline]
fn headers_say_all(bytes: &[u8; HEADERS], headers: &Headers) -> bool {
    let plain = headers.network == Network::V4 && headers.network_at == ETHERTYPE_AT + 2 && !headers.extended;
    let checksum = [bytes[HEADERS - 2], bytes[HEADERS - 1]];
    plain && headers.transport == Transport::Udp && checksum == [0, 0]
}

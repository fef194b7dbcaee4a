//! The text form of a trace.
//!
//! One line an entry: microseconds since the driver attached, a letter, and what happened.
//!
//! | letter | meaning | example |
//! |---|---|---|
//! | `R` | register read, fields that changed since it was last read or written, repetitions | `R RXDCTL[0] 0x02000000 ENABLE=1 x3` |
//! | `W` | register written, fields that the write changed | `W RXDCTL[0] 0x02000000 ENABLE=1` |
//! | `w` | the same, noticed in a page that the driver has mapped | `w RDLEN[0] 0x00002000 LEN=64` |
//! | `D` | doorbell: a tail moved | `D RDT[0] 511 from 0, head 0` |
//! | `P` | PCI config space written | `P 0x004 0x0006 (2 bytes)` |
//! | `Q` | a queue was enabled or disabled | `Q RX queue 0 enabled: 512 slots at 0x10000, head 0` |
//! | `X` | a reset took effect | `X reset` |
//! | `M` | DMA memory mapped or unmapped | `M mapped 0x100000 (2097152 bytes)` |
//! | `F` | the NIC could not reach memory | `F RX queue 0 slot 5: write of 60 bytes at 0x0` |
//! | `B` | the NIC skipped a descriptor | `B TX queue 0 slot 3: 0x... 0x...: why` |
//! | `C` | the driver came or left | `C driver attached` |

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::{RegisterName, TraceEntry, Traced};
use crate::events::{Queue, Side};
use crate::ixgbe::regs::Access;

/// Nanoseconds after which repeated reads are written although they still go on.
const LONGEST_FOLD: u64 = 1_000_000_000;
/// Nanoseconds that doorbells may stay in the buffer.
const LONGEST_WAIT: u64 = 10_000_000;

/// Whether a trace could be written.
#[derive(Clone, Debug, Default)]
pub struct TraceErrors {
    first: Arc<Mutex<Option<io::Error>>>,
}

impl TraceErrors {
    /// The error that ended the trace, told once.
    pub fn take(&self) -> Option<io::Error> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, error: io::Error) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Writes entries as lines.
pub(super) struct LineWriter {
    /// `None` after the first error.
    writer: Option<BufWriter<Box<dyn Write + Send>>>,
    errors: TraceErrors,
    /// A read that may be repeated.
    pending: Option<TraceEntry>,
    /// Value of each register as last seen, to tell what changed.
    seen: HashMap<u32, u32>,
    flushed: u64,
}

impl fmt::Debug for LineWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineWriter").field("pending", &self.pending).finish_non_exhaustive()
    }
}

impl LineWriter {
    pub fn new(writer: Box<dyn Write + Send>) -> Self {
        LineWriter {
            writer: Some(BufWriter::new(writer)),
            errors: TraceErrors::default(),
            pending: None,
            seen: HashMap::new(),
            flushed: 0,
        }
    }

    pub fn errors(&self) -> TraceErrors {
        self.errors.clone()
    }

    pub fn add(&mut self, entry: TraceEntry) {
        if self.fold(&entry) {
            return;
        }
        self.write_pending();
        if matches!(entry.what, Traced::Read { .. }) {
            self.pending = Some(entry);
            return;
        }
        self.write(&entry);
        let doorbell = matches!(entry.what, Traced::Doorbell { .. });
        if !doorbell || entry.time.saturating_sub(self.flushed) > LONGEST_WAIT {
            self.flushed = entry.time;
            self.flush();
        }
    }

    /// Counts a repeated read.
    fn fold(&mut self, entry: &TraceEntry) -> bool {
        let Some(pending) = self.pending.as_mut() else { return false };
        let recent = entry.time.saturating_sub(pending.time) < LONGEST_FOLD;
        if !recent || !pending.what.repeats(&entry.what) {
            return false;
        }
        if let Traced::Read { times, .. } = &mut pending.what {
            *times += 1;
        }
        true
    }

    fn write_pending(&mut self) {
        if let Some(entry) = self.pending.take() {
            self.write(&entry);
            self.flush();
        }
    }

    fn write(&mut self, entry: &TraceEntry) {
        let changes = self.changes(&entry.what);
        if let Some(writer) = self.writer.as_mut() {
            let (us, ns) = (entry.time / 1000, entry.time % 1000);
            let result = writeln!(writer, "{us:>9}.{ns:03} {}{changes}", Shown(&entry.what));
            self.check(result);
        }
    }

    fn flush(&mut self) {
        if let Some(writer) = self.writer.as_mut() {
            let result = writer.flush();
            self.check(result);
        }
    }

    fn check(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.errors.set(error);
            // Parts of the buffer could not be written; dropping a `BufWriter` would try again.
            if let Some(writer) = self.writer.take() {
                drop(writer.into_parts());
            }
        }
    }

    /// The fields that an access changes or shows changed, as ` NAME=value`, and the number of repetitions.
    fn changes(&mut self, what: &Traced) -> String {
        match *what {
            Traced::Read { register, value, times } => {
                let before = self.seen.insert(register.offset, value).unwrap_or(0);
                let repeated = if times > 1 { format!(" x{times}") } else { String::new() };
                fields(&register, before, value) + &repeated
            }
            Traced::Write { register, before, value, .. } => {
                self.seen.insert(register.offset, value);
                fields(&register, before, value)
            }
            _ => String::new(),
        }
    }
}

impl Drop for LineWriter {
    fn drop(&mut self) {
        self.write_pending();
        self.flush();
    }
}

/// Fields of a register in which two values differ. Where ones act, those that are set.
fn fields(register: &RegisterName, before: u32, value: u32) -> String {
    let Some(found) = register.found() else { return String::new() };
    let before = match found.info.access {
        Access::W1c | Access::W1s | Access::RcW1c => 0,
        _ => before,
    };
    let changed = found.info.fields.iter().filter(|(_, field)| field.get(before) != field.get(value));
    changed
        .map(|(name, field)| {
            let value = field.get(value);
            if value < 10 { format!(" {name}={value}") } else { format!(" {name}={value:#x}") }
        })
        .collect()
}

fn queue_name(queue: Queue) -> String {
    let side = match queue.side {
        Side::Rx => "RX",
        Side::Tx => "TX",
    };
    format!("{side} queue {}", queue.number)
}

/// The part of a line between its time and its fields.
struct Shown<'a>(&'a Traced);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.0 {
            Traced::Read { register, value, .. } => write!(f, "R {register} {value:#010x}"),
            Traced::Write { register, value, mapped: false, .. } => write!(f, "W {register} {value:#010x}"),
            Traced::Write { register, value, mapped: true, .. } => write!(f, "w {register} {value:#010x}"),
            Traced::Config { offset, length, value } => {
                let digits = 2 + 2 * length as usize;
                write!(f, "P {offset:#05x} {value:#0digits$x} ({length} bytes)")
            }
            Traced::Doorbell { queue, head, before, tail } => {
                let name = if queue.side == Side::Rx { "RDT" } else { "TDT" };
                write!(f, "D {name}[{}] {tail} from {before}, head {head}", queue.number)
            }
            Traced::Reset => f.write_str("X reset"),
            Traced::Enabled { queue, base, slots, head } => {
                write!(f, "Q {} enabled: {slots} slots at {base:#x}, head {head}", queue_name(queue))
            }
            Traced::Disabled { queue, head, tail } => {
                write!(f, "Q {} disabled: head {head}, tail {tail}", queue_name(queue))
            }
            Traced::Fault { queue, slot, fault } => {
                let access = if fault.write { "write" } else { "read" };
                let user =
                    queue.map_or("device".to_owned(), |queue| format!("{} slot {slot}", queue_name(queue)));
                write!(f, "F {user}: {access} of {} bytes at {:#x}", fault.length, fault.iova)
            }
            Traced::Bad { queue, slot, words: [low, high], why } => {
                write!(f, "B {} slot {slot}: {low:#018x} {high:#018x}: {why}", queue_name(queue))
            }
            Traced::Memory { iova, size, mapped } => {
                let what = if mapped { "mapped" } else { "unmapped" };
                write!(f, "M {what} {iova:#x} ({size} bytes)")
            }
            Traced::Client { present } => {
                f.write_str(if present { "C driver attached" } else { "C driver left" })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::DmaFault;

    /// A writer whose text can be looked at, or that is full after some bytes.
    #[derive(Clone)]
    struct Page {
        text: Arc<Mutex<Vec<u8>>>,
        room: usize,
    }

    impl Page {
        fn with_room(room: usize) -> Self {
            Page { text: Arc::default(), room }
        }

        fn text(&self) -> String {
            String::from_utf8(self.text.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut text = self.text.lock().unwrap();
            if text.len() + bytes.len() > self.room {
                return Err(io::ErrorKind::StorageFull.into());
            }
            text.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn register(offset: u32) -> RegisterName {
        RegisterName::at(offset)
    }

    fn read(time: u64, offset: u32, value: u32) -> TraceEntry {
        TraceEntry { time, what: Traced::Read { register: register(offset), value, times: 1 } }
    }

    fn write(time: u64, offset: u32, before: u32, value: u32) -> TraceEntry {
        TraceEntry { time, what: Traced::Write { register: register(offset), before, value, mapped: false } }
    }

    fn lines(entries: &[TraceEntry]) -> Vec<String> {
        let page = Page::with_room(usize::MAX);
        let mut writer = LineWriter::new(Box::new(page.clone()));
        for entry in entries {
            writer.add(*entry);
        }
        drop(writer);
        page.text().lines().map(|line| line.trim_start().to_owned()).collect()
    }

    #[test]
    fn a_write_shows_the_fields_that_it_changes() {
        let text = lines(&[write(12_345, 0x1028, 0, 0x0200_0000), write(20_000, 0x3C00, 0x80000, 0x20000)]);
        assert_eq!(
            text,
            ["12.345 W RXDCTL[0] 0x02000000 ENABLE=1", "20.000 W RXPBSIZE[0] 0x00020000 SIZE=0x80"]
        );
    }

    #[test]
    fn polls_are_folded_until_something_else_happens() {
        let mut entries = vec![read(0, 0x8, 0x80000); 37];
        entries.push(read(1000, 0x8, 0));
        entries.push(write(2000, 0x888, 0, 0x7FFF_FFFF));
        assert_eq!(
            lines(&entries),
            [
                "0.000 R STATUS 0x00080000 GIO=1 x37",
                "1.000 R STATUS 0x00000000 GIO=0",
                "2.000 W EIMC 0x7fffffff RTXQ=0xffff OTHERS=0x7fff"
            ]
        );
    }

    #[test]
    fn a_poll_that_never_ends_is_written_now_and_then() {
        let page = Page::with_room(usize::MAX);
        let mut writer = LineWriter::new(Box::new(page.clone()));
        for n in 0..2500 {
            writer.add(read(n * 1_000_000, 0x42A4, 0));
        }
        assert_eq!(page.text().lines().count(), 2, "the third second is not over");
        assert!(page.text().contains("R LINKS 0x00000000 x1000"), "{}", page.text());
    }

    #[test]
    fn everything_else_has_a_line_too() {
        let queue = Queue { side: Side::Tx, number: 3 };
        let fault = DmaFault { iova: 0, length: 60, write: true };
        let whats = [
            Traced::Doorbell { queue, head: 5, before: 12, tail: 37 },
            Traced::Config { offset: 4, length: 2, value: 6 },
            Traced::Enabled { queue, base: 0x10000, slots: 512, head: 0 },
            Traced::Fault { queue: Some(queue), slot: 5, fault },
            Traced::Fault { queue: None, slot: 0, fault },
            Traced::Memory { iova: 0x100000, size: 4096, mapped: false },
            Traced::Client { present: true },
            Traced::Reset,
            Traced::Write { register: register(0x19), before: 0, value: 1, mapped: true },
        ];
        let text = lines(&whats.map(|what| TraceEntry { time: 0, what }));
        let expected = [
            "D TDT[3] 37 from 12, head 5",
            "P 0x004 0x0006 (2 bytes)",
            "Q TX queue 3 enabled: 512 slots at 0x10000, head 0",
            "F TX queue 3 slot 5: write of 60 bytes at 0x0",
            "F device: write of 60 bytes at 0x0",
            "M unmapped 0x100000 (4096 bytes)",
            "C driver attached",
            "X reset",
            "w 0x00019 0x00000001",
        ];
        assert_eq!(text, expected.map(|line| format!("0.000 {line}")));
    }

    #[test]
    fn a_full_disk_ends_the_trace_and_is_told() {
        let page = Page::with_room(100);
        let mut writer = LineWriter::new(Box::new(page.clone()));
        let errors = writer.errors();
        for n in 0..100 {
            writer.add(write(n, 0x5080, 0, n as u32));
        }
        drop(writer);
        assert_eq!(errors.take().unwrap().kind(), io::ErrorKind::StorageFull);
        assert!(errors.take().is_none());
        assert!(page.text().ends_with('\n'), "whole lines only: {:?}", page.text());
    }

    #[test]
    fn a_register_access_is_written_at_once() {
        let page = Page::with_room(usize::MAX);
        let mut writer = LineWriter::new(Box::new(page.clone()));
        writer.add(write(0, 0x5080, 0, 0x100));
        assert!(page.text().ends_with("W FCTRL 0x00000100 MPE=1\n"));
    }
}

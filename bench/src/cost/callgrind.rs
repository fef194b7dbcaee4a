//! Instructions and allocations per packet, counted by valgrind's callgrind.
//!
//! The contender runs twice, over different numbers of packets; the difference between the runs is what packets cost,
//! without starting and ending. Under callgrind a driver is so slow that the lab always has packets waiting, so that next to
//! nothing is counted for looking into empty rings.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Counted;
use crate::contender::Contender;
use crate::error::Error;
use crate::plan::Point;
use crate::track::{Track, Trouble};

/// Languages whose programs callgrind can follow: compiled ahead of time, and no code of a virtual machine among them.
pub const LANGUAGES: &[&str] = &["C", "C++", "Rust", "Swift", "OCaml", "Haskell", "Zig"];
/// Packets of the shorter and of the longer run. Until the link is up a driver looks into empty rings, now longer and now shorter,
/// which is some million instructions: little beside what so many packets cost.
const PACKETS: [u64; 2] = [10_000, 1_510_000];
/// Functions that allocate.
const ALLOCATORS: &[&str] = &["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"];

/// Counts of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Totals {
    instructions: u64,
    allocations: u64,
}

/// Whether valgrind is here, or the command that installs it.
pub fn available() -> Result<(), &'static str> {
    let found = Command::new("valgrind").arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).status();
    match found {
        Ok(status) if status.success() => Ok(()),
        _ => Err("valgrind is not installed (sudo apt-get install valgrind)"),
    }
}

/// Instructions per packet and allocations per million packets.
///
/// # Errors
/// If the lab does not work. Whatever else goes wrong is a reason in words.
pub fn count(track: &Track<'_>, contender: &Contender, point: &Point) -> Result<[Counted; 2], Error> {
    let why = |why: String| Ok(Counted::neither(why));
    let directory = tempfile::tempdir().map_err(Error::Directory)?;
    let mut totals = Vec::new();
    for packets in PACKETS {
        let file = directory.path().join(format!("{packets}.out"));
        let wrap = |command: Command| under_callgrind(command, &file);
        match track.so_many(contender, point, packets, &wrap) {
            Ok(said) => match read(&file) {
                Some(counts) => totals.push((said.received, counts)),
                None => return why("callgrind has written nothing that can be read".to_owned()),
            },
            Err(Trouble::Broken(error)) => return Err(error),
            Err(Trouble::Refused(refusal)) => return why(format!("under callgrind it {refusal}")),
        }
    }
    let [(few, short), (many, long)] = totals[..] else { return why("callgrind did not run".to_owned()) };
    if many <= few {
        return why("the longer run was not longer".to_owned());
    }
    let per_packet = |short: u64, long: u64| long.saturating_sub(short) as f64 / (many - few) as f64;
    let value = |value| Counted::Value { value, by: "callgrind".to_owned() };
    Ok([
        value(per_packet(short.instructions, long.instructions)),
        value(per_packet(short.allocations, long.allocations) * 1e6),
    ])
}

fn under_callgrind(command: Command, file: &Path) -> Command {
    let mut wrapped = Command::new("valgrind");
    let mut out = OsString::from("--callgrind-out-file=");
    out.push(file);
    wrapped.args(["-q", "--tool=callgrind"]).arg(out).arg(command.get_program()).args(command.get_args());
    if let Some(directory) = command.get_current_dir() {
        wrapped.current_dir(directory);
    }
    wrapped
}

fn read(file: &Path) -> Option<Totals> {
    parse(&std::fs::read_to_string(file).ok()?)
}

/// The totals of a callgrind file: the summary, and all calls whose callee allocates. A name is given once with its number
/// (`cfn=(12) malloc`), after that only the number.
fn parse(text: &str) -> Option<Totals> {
    let mut instructions = None;
    let mut allocators = std::collections::HashSet::new();
    let mut callee_allocates = false;
    let mut allocations = 0;
    for line in text.lines() {
        if let Some(total) = line.strip_prefix("summary:").or_else(|| line.strip_prefix("totals:")) {
            instructions = total.split_whitespace().next()?.parse().ok();
        } else if let Some(name) = line.strip_prefix("cfn=").or_else(|| line.strip_prefix("fn=")) {
            let (number, name) = name.split_once(' ').unwrap_or((name, ""));
            if ALLOCATORS.contains(&name) {
                allocators.insert(number);
            }
            callee_allocates = line.starts_with('c') && allocators.contains(number);
        } else if let Some(calls) = line.strip_prefix("calls=").filter(|_| callee_allocates) {
            allocations += calls.split_whitespace().next()?.parse::<u64>().ok()?;
        }
    }
    Some(Totals { instructions: instructions?, allocations })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_totals_and_calls_of_allocators() {
        let text = "events: Ir\nsummary: 1234\n\nfn=(1) main\n10 5\ncfn=(2) malloc\ncalls=3 0\n11 40\n\
                    cfn=(3) free\ncalls=3 0\n12 9\nfn=(4) other\n20 1\ncfn=(2)\ncalls=4 0\n21 50\n\
                    fn=(2)\n1 7\ncfn=(5) _int_malloc\ncalls=7 0\n\ntotals: 1234\n";
        assert_eq!(parse(text), Some(Totals { instructions: 1234, allocations: 7 }));
        assert_eq!(parse("nothing"), None);
    }
}

//! Allocations and garbage collections per million packets, as a language's runtime has counted them itself.

use super::Counted;
use crate::contender::Contender;
use crate::error::Error;
use crate::plan::Point;
use crate::track::{Track, Trouble};

/// Packets of the run in which is counted.
const PACKETS: u64 = 5_000_000;

/// Bytes allocated and collections, both per million packets.
///
/// # Errors
/// If the lab does not work. Whatever else goes wrong is a reason in words.
pub fn count(track: &Track<'_>, contender: &Contender, point: &Point) -> Result<[Counted; 2], Error> {
    let why = |why: String| Ok(Counted::neither(why));
    let said = match track.so_many(contender, point, PACKETS, &|command| command) {
        Ok(said) => said,
        Err(Trouble::Broken(error)) => return Err(error),
        Err(Trouble::Refused(refusal)) => return why(format!("it {refusal}")),
    };
    let Some(counts) = said.runtime.filter(|_| said.received > 0) else {
        return why("its app does not tell".to_owned());
    };
    let per_million = |count: u64| Counted::Value {
        value: count as f64 * 1e6 / said.received as f64,
        by: "the runtime".to_owned(),
    };
    Ok([per_million(counts.allocated_bytes), per_million(counts.collections)])
}

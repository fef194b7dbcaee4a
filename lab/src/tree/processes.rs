//! The processes of a mount namespace, and what they have mapped.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::guard;

/// One line of `/proc/PID/maps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// First address.
    pub start: u64,
    /// Address after the last.
    pub end: u64,
    /// Shared with others, and writable.
    pub shared: bool,
    /// From the start of the file.
    pub offset: u64,
    /// Device of the file, as (major, minor).
    pub device: (u32, u32),
    /// Inode of the file.
    pub inode: u64,
}

impl Area {
    /// Parses `7f..-7f.. rw-s 00000000 00:0f 1234  /path`.
    fn parse(line: &str) -> Option<Area> {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let modes = words.next()?;
        let offset = words.next()?;
        let (major, minor) = words.next()?.split_once(':')?;
        let hex = |word: &str| u64::from_str_radix(word, 16).ok();
        Some(Area {
            start: hex(start)?,
            end: hex(end)?,
            shared: modes.ends_with('s') && modes.starts_with("rw"),
            offset: hex(offset)?,
            device: (hex(major)? as u32, hex(minor)? as u32),
            inode: words.next()?.parse().ok()?,
        })
    }
}

/// What `process` has mapped of files; nothing if it is gone.
pub fn areas(process: u32) -> Vec<Area> {
    let text = fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
    text.lines().filter_map(Area::parse).filter(|area| area.inode != 0).collect()
}

/// Processes that share this one's mount namespace, without this one and its guard.
pub fn companions() -> Vec<u32> {
    let namespace =
        |process: &str| fs::metadata(format!("/proc/{process}/ns/mnt")).ok().map(|link| link.ino());
    let own = namespace("self");
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let guard = guard::process();
    numbers
        .filter(|number| *number != std::process::id() && Some(*number) != guard && own.is_some())
        .filter(|number| namespace(&number.to_string()) == own)
        .collect()
}

/// Threads of `process`.
pub fn threads(process: u32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Whether `thread` is there, and has not ended but for being waited for.
pub fn is_alive(thread: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{thread}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

/// How many threads `process` has; 0 if it is gone.
pub fn thread_count(process: u32) -> u64 {
    fs::metadata(format!("/proc/{process}/task")).map_or(0, |tasks| tasks.nlink().saturating_sub(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_of_maps() {
        let line = "7f1200000000-7f1200200000 rw-s 00400000 00:10 4711    /dev/hugepages/rtemap_0 (deleted)";
        let area = Area::parse(line).unwrap();
        assert_eq!((area.start, area.end), (0x7f12_0000_0000, 0x7f12_0020_0000));
        assert_eq!((area.shared, area.offset, area.device, area.inode), (true, 0x40_0000, (0, 0x10), 4711));
        assert!(!Area::parse("00400000-00452000 rw-p 00000000 08:02 173521 /usr/bin/x").unwrap().shared);
        assert_eq!(Area::parse("nonsense"), None);
    }

    #[test]
    fn a_process_has_areas_and_threads() {
        let own = std::process::id();
        assert!(!areas(own).is_empty());
        assert_eq!(threads(own).len() as u64, thread_count(own));
        assert_eq!((areas(u32::MAX).len(), thread_count(u32::MAX)), (0, 0));
    }
}

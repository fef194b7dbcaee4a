//! How many hugepages there can be.

use std::fs;
use std::io;
use std::path::PathBuf;

/// Size of a hugepage, in KiB, as the kernel names it.
pub const PAGE_KIB: u64 = 2048;

/// More hugepages than the machine has set aside may be made, as long as this lives. They are taken from free memory when a
/// driver maps them and go back when it unmaps them, so nothing is lost should this process be killed.
#[derive(Debug)]
pub struct Overcommit {
    added: u64,
}

impl Overcommit {
    /// Allows `mib` MiB more.
    ///
    /// # Errors
    ///
    /// The kernel has no hugepages of this size, or does not let this process change their number.
    pub fn allow(mib: u64) -> io::Result<Self> {
        let added = mib.div_ceil(PAGE_KIB / 1024);
        write(read()? + added)?;
        Ok(Overcommit { added })
    }
}

impl Drop for Overcommit {
    fn drop(&mut self) {
        // Others may have changed the number meanwhile; only what was added is taken back.
        if let Ok(now) = read() {
            let _ = write(now.saturating_sub(self.added));
        }
    }
}

fn path() -> PathBuf {
    format!("/sys/kernel/mm/hugepages/hugepages-{PAGE_KIB}kB/nr_overcommit_hugepages").into()
}

fn read() -> io::Result<u64> {
    fs::read_to_string(path())?.trim().parse().map_err(io::Error::other)
}

fn write(number: u64) -> io::Result<()> {
    fs::write(path(), number.to_string())
}

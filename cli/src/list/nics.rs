//! The software NICs of the labs that run: their sockets, and whether a driver has them.

use std::path::Path;

use serde::Serialize;

use crate::pci::Machine;
use crate::ui;

/// One software NIC.
#[derive(Debug, Serialize)]
pub struct Nic {
    name: String,
    /// What a driver opens: `unix:/run/user/1000/ringway/left.sock`.
    address: String,
    /// Whether a driver is connected.
    in_use: bool,
}

/// `SO_ACCEPTCON` in the flags of `/proc/net/unix`: somebody listens.
const LISTENS: &str = "00010000";
/// `SS_CONNECTED` in its states.
const CONNECTED: &str = "03";

/// Those whose sockets are in `directory`, by name. Nobody is connected to for it: a NIC has one driver at a time.
pub fn all(machine: &Machine, directory: &Path) -> Vec<Nic> {
    // Num RefCount Protocol Flags Type St Inode Path
    let text = machine.read("/proc/net/unix").unwrap_or_default();
    let sockets: Vec<_> = text
        .lines()
        .filter_map(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            Some((*words.get(3)?, *words.get(5)?, *words.get(7)?))
        })
        .collect();
    let listeners = sockets.iter().filter(|(flags, ..)| *flags == LISTENS);
    let nic = |&(_, _, path): &(&str, &str, &str)| {
        let name = Path::new(path).strip_prefix(directory).ok()?.to_str()?.strip_suffix(".sock")?;
        Some(Nic {
            name: name.to_owned(),
            address: format!("unix:{path}"),
            in_use: sockets.iter().any(|&(_, state, other)| state == CONNECTED && other == path),
        })
    };
    let mut found: Vec<_> = listeners.filter_map(nic).collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// As a table, if there are any.
pub fn print(nics: &[Nic]) {
    if nics.is_empty() {
        return;
    }
    let mut table = ui::table(&["software NIC", "in use", "address"]);
    for nic in nics {
        table.add_row([nic.name.as_str(), if nic.in_use { "yes" } else { "no" }, nic.address.as_str()]);
    }
    ui::say("");
    ui::say(table.trim_fmt());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pci::tree::Tree;

    const UNIX: &str = "\
Num       RefCount Protocol Flags    Type St Inode Path
00000000a: 00000002 00000000 00010000 0001 01 11 /run/user/7/ringway/right.sock
00000000b: 00000002 00000000 00010000 0001 01 12 /run/user/7/ringway/left.sock
00000000c: 00000003 00000000 00000000 0001 03 13 /run/user/7/ringway/right.sock
00000000d: 00000003 00000000 00000000 0001 03 14
00000000e: 00000002 00000000 00010000 0001 01 15 /run/user/8/ringway/other.sock
00000000f: 00000002 00000000 00010000 0001 01 16 /run/user/7/ringway/notes
";

    #[test]
    fn says_which_sockets_listen_and_which_have_a_driver() {
        let tree = Tree::new();
        tree.write("proc/net/unix", UNIX);
        let found = all(&tree.machine(), Path::new("/run/user/7/ringway"));
        let found: Vec<_> =
            found.iter().map(|nic| (nic.name.as_str(), nic.in_use, nic.address.as_str())).collect();
        assert_eq!(
            found,
            [
                ("left", false, "unix:/run/user/7/ringway/left.sock"),
                ("right", true, "unix:/run/user/7/ringway/right.sock"),
            ]
        );
    }

    #[test]
    fn a_machine_that_shows_no_sockets_has_no_nics() {
        assert!(all(&Tree::new().machine(), Path::new("/run")).is_empty());
    }
}

//! How a function was found, kept until it is given back: in `/run`, since a reboot undoes all of it.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::pci::{Function, Machine};

/// What `bind` changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The driver that had it.
    pub driver: Option<String>,
    /// The driver that it was reserved for.
    pub driver_override: Option<String>,
}

impl Record {
    /// How the function stands now.
    pub fn of(function: &Function) -> Record {
        let reserved = fs::read_to_string(function.path("driver_override")).unwrap_or_default();
        let reserved = reserved.trim();
        let driver_override = (!matches!(reserved, "" | "(null)")).then(|| reserved.to_owned());
        Record { driver: function.driver(), driver_override }
    }

    /// Keeps it.
    pub fn keep(&self, machine: &Machine, function: &Function) -> Result<(), Failure> {
        let path = path(machine, function);
        let text = serde_json::json!(self).to_string();
        let directory = path.parent().map_or(Ok(()), fs::create_dir_all);
        directory.and_then(|()| fs::write(&path, text)).map_err(|error| {
            let cause =
                format!("cannot note in {} how {} was found: {error}", path.display(), function.address);
            Failure::open(cause, format!("sudo ringway bind {}", function.address))
        })
    }

    /// What was kept, if anything.
    pub fn kept(machine: &Machine, function: &Function) -> Option<Record> {
        serde_json::from_str(&fs::read_to_string(path(machine, function)).ok()?).ok()
    }

    /// Forgets it.
    pub fn forget(machine: &Machine, function: &Function) {
        let _ = fs::remove_file(path(machine, function));
    }
}

fn path(machine: &Machine, function: &Function) -> PathBuf {
    machine.path("/run/ringway/pci").join(format!("{}.json", function.address))
}

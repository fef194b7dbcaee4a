//! `spec/house.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The rules as data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Who may know whom.
    pub room: Vec<Room>,
    /// What everybody may read.
    pub data: Data,
    /// How sources look.
    pub language: BTreeMap<String, Language>,
    /// What every driver has.
    pub roster: Roster,
    /// The drivers.
    pub driver: Vec<Driver>,
    /// Where dangerous words may stand.
    pub fence: Fence,
    /// How long files and functions may be.
    pub size: Vec<Size>,
    /// What may stand nowhere.
    pub deny: Deny,
}

/// A directory with its own borders.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    /// Directory; a last component `*` matches any one name.
    pub path: String,
    /// Rooms whose packages and files it may use.
    pub knows: Vec<String>,
}

/// Facts that every room may read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Files and directories.
    pub paths: Vec<String>,
}

/// How the sources of a language look.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// Of source files, without dot.
    pub extensions: Vec<String>,
    /// What opens a comment that ends with the line.
    pub line_comments: Vec<String>,
    /// What opens and what closes other comments.
    #[serde(default)]
    pub block_comments: Vec<(String, String)>,
    /// What opens the tests at the end of a file.
    pub tests: Option<String>,
    /// The word that opens a function with a body in braces.
    pub functions: Option<String>,
    /// Files that say what a package depends on; `*` at the start matches anything.
    pub build_files: Vec<String>,
    /// Words that belong into the fence.
    pub dangerous: Vec<String>,
}

/// What every driver has.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roster {
    /// Stems that must exist.
    pub stems: Vec<String>,
    /// Stems that begin with the header.
    pub headed: Vec<String>,
    /// Headed stems whose header cites a key.
    pub cited: Vec<String>,
    /// Stems without large hex literals.
    pub literals: Vec<String>,
    /// The largest hex literal there.
    pub largest_literal: u64,
    /// Step tags: each once per device.
    pub tags: Vec<String>,
}

/// A driver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Driver {
    /// Its room.
    pub path: String,
    /// A key of `language`.
    pub language: String,
    /// Where its sources are, below the room.
    pub source: String,
    /// Kinds of device that it drives.
    pub devices: Vec<String>,
    /// Further stems that it has: the ways to a function.
    #[serde(default)]
    pub ways: Vec<String>,
}

/// Where dangerous words may stand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fence {
    /// In drivers: stems.
    pub stems: Vec<String>,
    /// Elsewhere: files and directories.
    pub files: Vec<String>,
}

/// How long files and functions may be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Directory.
    pub path: String,
    /// Lines of a file.
    pub file: usize,
    /// Lines of a function.
    pub function: usize,
}

/// What may stand nowhere.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deny {
    /// Starts of paths.
    pub paths: Vec<String>,
    /// Anything else.
    pub words: Vec<String>,
    /// Files and directories that must name them.
    pub except: Vec<String>,
}

//! The tracked files of the repository.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Text of every tracked file, by path from the root. Files that are no UTF-8 text have none.
#[derive(Clone, Debug, Default)]
pub struct Tree(BTreeMap<String, String>);

impl Tree {
    /// Reads what git tracks below `root`, and what it would track if added.
    pub fn tracked(root: &Path) -> Result<Self> {
        let output = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .output()
            .context("starting git")?;
        ensure!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
        let mut files = BTreeMap::new();
        for name in String::from_utf8(output.stdout)?.split('\0').filter(|name| !name.is_empty()) {
            // A file that is tracked but deleted in the work tree is as good as gone.
            if let Ok(bytes) = std::fs::read(root.join(name)) {
                files.insert(name.to_owned(), String::from_utf8(bytes).unwrap_or_default());
            }
        }
        Ok(Tree(files))
    }

    /// A tree of these files.
    pub fn of(files: &[(&str, &str)]) -> Self {
        Tree(files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
    }

    /// Paths and texts.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The text of one file.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// Whether `file` is `place` or lies below it. Everything lies below the empty place.
pub fn is_below(file: &str, place: &str) -> bool {
    place.is_empty() || file.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path that `relative` means in a file at `file`; `None` if it leaves the repository.
pub fn resolve(file: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_by_components() {
        assert!(is_below("lab/src/x.rs", "lab") && is_below("lab", "lab") && is_below("x", ""));
        assert!(!is_below("laboratory/x", "lab") && !is_below("lab", "lab/src"));
    }

    #[test]
    fn relative_paths_resolve_from_the_file() {
        assert_eq!(resolve("a/b/c.rs", "../d.rs").as_deref(), Some("a/d.rs"));
        assert_eq!(resolve("a/Cargo.toml", "../b").as_deref(), Some("b"));
        assert_eq!(resolve("a/x", "../../b"), None);
    }
}

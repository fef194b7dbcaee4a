//! The rules of the house (`spec/house.toml`), and what breaks them.
//!
//! Each rule is a module with one function from [`House`] to violations. They look at text, not at meaning: a parser per
//! language would be more than the rules are worth. Where that makes a rule blind, its module says so.

pub mod cites;
pub mod config;
pub mod deny;
pub mod fence;
pub mod rooms;
pub mod roster;
pub mod size;
pub mod source;
pub mod tree;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};

use crate::citations::Citations;
use crate::table::Table;
use config::{Config, Driver, Language};
use source::Source;
use tree::Tree;

/// Something that the house does not allow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// From the root of the repository.
    pub file: String,
    /// Counted from 1; 1 where the file as a whole is meant.
    pub line: usize,
    /// Which rule.
    pub rule: &'static str,
    /// What is wrong and, where it is not plain, what to do.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.rule, self.message)
    }
}

/// The rules and all that they are held against.
#[derive(Debug)]
pub struct House {
    /// `spec/house.toml`.
    pub config: Config,
    /// The tracked files.
    pub tree: Tree,
    /// Keys that may be cited.
    pub keys: BTreeSet<String>,
    /// The sources that keys name.
    pub citations: Citations,
}

impl House {
    /// Reads rules, tables and tracked files below `root`.
    pub fn read(root: &Path) -> Result<Self> {
        let spec = root.join("spec");
        let path = spec.join("house.toml");
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let config: Config = toml::from_str(&text).with_context(|| path.display().to_string())?;
        let citations = Citations::read(&spec.join("citations.toml"))?;
        let tables = ["ixgbe", "vfio"].map(|name| Table::read(&spec.join(format!("{name}.toml"))));
        let tables = tables.into_iter().collect::<Result<Vec<_>>>()?;
        let keys = citations.known(&tables);
        Ok(House { config, tree: Tree::tracked(root)?, keys, citations })
    }

    /// Everything that breaks a rule, in the order of files.
    pub fn violations(&self) -> Vec<Violation> {
        let rules = [rooms::check, fence::check, roster::check, size::check, cites::check, deny::check];
        let mut all: Vec<Violation> = rules.iter().flat_map(|rule| rule(self)).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The language of a file, by its extension.
    pub fn language_of(&self, file: &str) -> Option<&Language> {
        let extension = file.rsplit_once('.')?.1;
        self.config
            .language
            .values()
            .find(|language| language.extensions.iter().any(|known| known == extension))
    }

    /// Every file of a known language, taken apart into code and comments.
    pub fn sources(&self) -> impl Iterator<Item = (&str, Source)> {
        self.tree
            .files()
            .filter_map(|(file, text)| Some((file, Source::split(text, self.language_of(file)?))))
    }

    /// The driver that a file belongs to.
    pub fn driver_of(&self, file: &str) -> Option<&Driver> {
        self.config.driver.iter().find(|driver| tree::is_below(file, &driver.path))
    }
}

/// Whether a file was written by the generator.
pub fn is_generated(text: &str) -> bool {
    text.lines().take(6).any(|line| line.contains("Generated from spec/"))
}

#[cfg(test)]
pub(crate) mod testing {
    //! A small house for the rules' tests.

    use super::*;

    /// A house with the real rules and these files in place of the tracked ones.
    pub(crate) fn house(files: &[(&str, &str)]) -> House {
        let citations: Citations =
            toml::from_str("[sources.82599]\ntitle = \"Data sheet\"\nform = \"numbers\"\n[sources.\"vfio.h\"]\ntitle = \"Header\"\nform = \"names\"").unwrap();
        House {
            config: toml::from_str(include_str!("../../house.toml")).unwrap(),
            tree: Tree::of(files),
            keys: BTreeSet::from(["82599:8.2.3.8.7".to_owned(), "82599:7.1.6.1".to_owned()]),
            citations,
        }
    }

    /// `file:line: message` of each violation.
    pub(crate) fn said(violations: Vec<Violation>) -> Vec<String> {
        violations.iter().map(|v| format!("{}:{}: {}", v.file, v.line, v.message)).collect()
    }
}

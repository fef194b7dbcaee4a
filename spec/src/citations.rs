//! Citation keys: `source:place`, such as `82599:8.2.3.8.7` or `vfio.h:vfio_irq_set`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::table::Table;

/// How places of a source look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Section numbers.
    Numbers,
    /// Identifiers or headings.
    Names,
}

/// A document that may be cited.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its title.
    pub title: String,
    /// How its places look.
    pub form: Form,
    /// Places that may be cited beside those that the tables cite, with their titles.
    #[serde(default)]
    pub sections: BTreeMap<String, String>,
}

/// The sources, as `spec/citations.toml` lists them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Citations {
    /// By the word before the colon.
    pub sources: BTreeMap<String, Source>,
}

impl Citations {
    /// Reads the list.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Whether `key` names a known source and a place that looks like one of it.
    pub fn well_formed(&self, key: &str) -> Result<(), String> {
        let Some((source, place)) = key.split_once(':') else {
            return Err(format!("citation `{key}` is not of the form `source:place`"));
        };
        let Some(known) = self.sources.get(source) else {
            return Err(format!("citation `{key}`: source `{source}` is not in spec/citations.toml"));
        };
        let good = match known.form {
            Form::Numbers => place
                .split('.')
                .all(|n| !n.is_empty() && n.len() <= 3 && n.bytes().all(|b| b.is_ascii_digit())),
            Form::Names => !place.is_empty() && place.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'),
        };
        if good { Ok(()) } else { Err(format!("citation `{key}`: `{place}` is no place of `{source}`")) }
    }

    /// Every key that a source file may cite: those of the tables and the extra sections.
    pub fn known(&self, tables: &[Table]) -> BTreeSet<String> {
        let mut keys = BTreeSet::new();
        for table in tables {
            keys.extend(table.registers.iter().filter_map(|r| r.cite.clone()));
            keys.extend(table.descriptors.iter().filter_map(|d| d.cite.clone()));
            keys.extend(table.constants.iter().filter_map(|c| c.cite.clone()));
            keys.extend(table.structures.iter().filter_map(|s| s.cite.clone()));
        }
        for (name, source) in &self.sources {
            keys.extend(source.sections.keys().map(|place| format!("{name}:{place}")));
        }
        keys
    }
}

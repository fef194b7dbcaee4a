//! `spec/outputs.toml`: which file gets which part of which table.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::table::Table;

/// One generated file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Where, from the root of the repository.
    pub path: String,
    /// `spec/TABLE.toml`.
    pub table: String,
    /// `spec/templates/TEMPLATE.j2`.
    pub template: String,
    /// Directories whose sources use it.
    pub sources: Vec<String>,
    /// Everything, instead of the lists.
    #[serde(default)]
    pub all: bool,
    /// With the device's side: access, reset values, reserved bits.
    #[serde(default)]
    pub model: bool,
    /// The sources are being written: entries that nothing uses yet are let pass.
    #[serde(default)]
    pub draft: bool,
    /// Registers.
    #[serde(default)]
    pub registers: Vec<String>,
    /// Descriptor layouts.
    #[serde(default)]
    pub descriptors: Vec<String>,
    /// Groups of numbers.
    #[serde(default)]
    pub constants: Vec<String>,
    /// Structures.
    #[serde(default)]
    pub structures: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outputs {
    output: Vec<Output>,
}

/// Reads the list of generated files.
pub fn read(path: &Path) -> Result<Vec<Output>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let outputs: Outputs = toml::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(outputs.output)
}

impl Output {
    /// Names that this file asks for, of all kinds.
    pub fn asked(&self) -> impl Iterator<Item = &String> {
        self.registers.iter().chain(&self.descriptors).chain(&self.constants).chain(&self.structures)
    }

    /// The part of `table` that this file gets, in the table's order. Refuses names that the table does not have and
    /// names that are listed twice.
    pub fn select(&self, table: &Table) -> Result<Table> {
        if self.all {
            return Ok(table.clone());
        }
        Ok(Table {
            name: table.name.clone(),
            title: table.title.clone(),
            registers: self.pick(&self.registers, &table.registers, |r| &r.name)?,
            descriptors: self.pick(&self.descriptors, &table.descriptors, |d| &d.name)?,
            constants: self.pick(&self.constants, &table.constants, |c| &c.name)?,
            structures: self.pick(&self.structures, &table.structures, |s| &s.name)?,
        })
    }

    fn pick<T: Clone>(
        &self,
        names: &[String],
        rows: &[T],
        name_of: impl Fn(&T) -> &String,
    ) -> Result<Vec<T>> {
        for (n, name) in names.iter().enumerate() {
            if !rows.iter().any(|row| name_of(row) == name) {
                bail!("{}: `{name}` is not in spec/{}.toml", self.path, self.table);
            }
            if names[..n].contains(name) {
                bail!("{}: `{name}` is listed twice", self.path);
            }
        }
        Ok(rows.iter().filter(|row| names.contains(name_of(row))).cloned().collect())
    }
}

//! The tables as the generator sees them: rows with the defaults of their chapters filled in.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::rows::{Access, Bank, Constants, Descriptor, Field, Others, Reset, Structure};

/// One register row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisterRow {
    name: String,
    title: String,
    at: Option<u32>,
    count: Option<u16>,
    stride: Option<u32>,
    #[serde(default)]
    banks: Vec<Bank>,
    cite: Option<String>,
    driver: Option<Access>,
    device: Option<Access>,
    reset: Option<Reset>,
    reset_first: Option<u64>,
    others: Option<Others>,
    alias_of: Option<String>,
    touched_by: Option<Vec<String>>,
    #[serde(default)]
    fields: Vec<Field>,
}

/// Registers with common defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chapter {
    title: String,
    cite: Option<String>,
    driver: Option<Access>,
    device: Option<Access>,
    reset: Option<Reset>,
    touched_by: Option<Vec<String>>,
    #[serde(default)]
    rows: Vec<RegisterRow>,
    #[serde(default)]
    register: Vec<RegisterRow>,
}

/// A register with everything filled in.
#[derive(Clone, Debug)]
pub struct Register {
    /// Name in the data sheet.
    pub name: String,
    /// One line of meaning.
    pub title: String,
    /// Title of the chapter it stands in.
    pub chapter: String,
    /// Where it is; a scalar is one bank of one.
    pub banks: Vec<Bank>,
    /// Reached by a number.
    pub array: bool,
    /// Citation key, if any was given.
    pub cite: Option<String>,
    /// What the driver may do.
    pub driver: Access,
    /// What the device does.
    pub device: Access,
    /// Value after reset.
    pub reset: Reset,
    /// Value of number 0 after reset.
    pub reset_first: Option<u64>,
    /// What the uncovered bits are.
    pub others: Others,
    /// The register that this is another address of.
    pub alias_of: Option<String>,
    /// Foreign drivers that touch it.
    pub touched_by: Vec<String>,
    /// The fields.
    pub fields: Vec<Field>,
}

impl Register {
    /// Every offset that it occupies.
    pub fn offsets(&self) -> impl Iterator<Item = u32> + '_ {
        self.banks.iter().flat_map(|bank| (0..u32::from(bank.count)).map(|n| bank.at + n * bank.stride))
    }

    /// How many registers it is.
    pub fn count(&self) -> u32 {
        self.banks.iter().map(|bank| u32::from(bank.count)).sum()
    }

    /// Bits of the fields whose access by the driver satisfies `wanted`; whole words have the register's access.
    pub fn bits_where(&self, wanted: impl Fn(Access) -> bool) -> u32 {
        let mut covered = 0;
        let mut mask = 0;
        for field in &self.fields {
            covered |= field.bits.mask() as u32;
            if wanted(field.driver.unwrap_or(self.driver)) {
                mask |= field.bits.mask() as u32;
            }
        }
        let rest = self.fields.is_empty() || self.others == Others::Storage;
        if rest && wanted(self.driver) { mask | !covered } else { mask }
    }

    /// Bits that the data sheet reserves.
    pub fn reserved(&self) -> u32 {
        if self.fields.is_empty() || self.others == Others::Storage {
            return 0;
        }
        !self.fields.iter().fold(0, |all, field| all | field.bits.mask() as u32)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceRow {
    name: String,
    title: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    device: DeviceRow,
    #[serde(default)]
    chapter: Vec<Chapter>,
    #[serde(default)]
    descriptor: Vec<Descriptor>,
    #[serde(default)]
    constants: Vec<Constants>,
    #[serde(default)]
    structure: Vec<Structure>,
}

/// One table: a device's registers and descriptors, or a protocol's numbers and structures.
#[derive(Clone, Debug)]
pub struct Table {
    /// Short name.
    pub name: String,
    /// One line.
    pub title: String,
    /// Registers in the order of the file.
    pub registers: Vec<Register>,
    /// Descriptor layouts.
    pub descriptors: Vec<Descriptor>,
    /// Groups of numbers.
    pub constants: Vec<Constants>,
    /// Structures.
    pub structures: Vec<Structure>,
}

impl Table {
    /// Reads a table from TOML text. Errors are TOML's own, with line and column.
    pub fn parse(text: &str) -> Result<Self> {
        let raw: RawTable = toml::from_str(text)?;
        let mut registers = Vec::new();
        for chapter in &raw.chapter {
            for row in chapter.rows.iter().chain(&chapter.register) {
                registers.push(fill(chapter, row)?);
            }
        }
        inherit(&mut registers);
        Ok(Table {
            name: raw.device.name,
            title: raw.device.title,
            registers,
            descriptors: raw.descriptor,
            constants: raw.constants,
            structures: raw.structure,
        })
    }

    /// Reads a table from a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        Table::parse(&text).with_context(|| path.display().to_string())
    }
}

/// Fills a chapter's defaults into one of its rows.
fn fill(chapter: &Chapter, row: &RegisterRow) -> Result<Register> {
    let array = row.count.is_some() || !row.banks.is_empty();
    let banks = match (row.at, row.banks.is_empty()) {
        (Some(at), true) => vec![Bank { at, count: row.count.unwrap_or(1), stride: row.stride.unwrap_or(4) }],
        (None, false) if row.count.is_none() && row.stride.is_none() => row.banks.clone(),
        _ => anyhow::bail!("{}: want either `at` (with `count` and `stride`) or `banks`", row.name),
    };
    anyhow::ensure!(
        row.count.is_some() == row.stride.is_some(),
        "{}: `count` and `stride` belong together",
        row.name
    );
    Ok(Register {
        name: row.name.clone(),
        title: row.title.clone(),
        chapter: chapter.title.clone(),
        banks,
        array,
        cite: row.cite.clone().or_else(|| chapter.cite.clone()),
        driver: row.driver.or(chapter.driver).unwrap_or_default(),
        device: row.device.or(chapter.device).unwrap_or_default(),
        reset: row.reset.or(chapter.reset).unwrap_or_default(),
        reset_first: row.reset_first,
        others: row.others.unwrap_or_default(),
        alias_of: row.alias_of.clone(),
        touched_by: row.touched_by.clone().or_else(|| chapter.touched_by.clone()).unwrap_or_default(),
        fields: row.fields.clone(),
    })
}

/// An alias behaves as the register that it is another address of.
fn inherit(registers: &mut [Register]) {
    let originals = registers.to_vec();
    for alias in registers.iter_mut() {
        let Some(original) = originals.iter().find(|r| Some(&r.name) == alias.alias_of.as_ref()) else {
            continue;
        };
        alias.driver = original.driver;
        alias.device = original.device;
        alias.reset = original.reset;
        alias.reset_first = original.reset_first;
        alias.others = original.others;
        alias.fields = original.fields.clone();
    }
}

//! The rows of the tables as they stand in TOML: words of the grammar that README.md describes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bits::Bits;

/// What one side may do with a register or a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Reads what was written.
    #[default]
    Rw,
    /// Reads; writes have no effect.
    Ro,
    /// A read clears.
    Rc,
    /// A read clears, and written ones clear.
    RcW1c,
    /// Written ones clear.
    W1c,
    /// Written ones set.
    W1s,
    /// Written ones start something and clear themselves.
    Sc,
    /// A read that returns 0 sets it.
    Rs,
    /// A read returns nothing useful.
    Wo,
    /// This side does not touch it.
    None,
}

impl Access {
    /// A write by this side has an effect.
    pub fn writes(self) -> bool {
        !matches!(self, Access::Ro | Access::Rc | Access::None)
    }
}

/// Value after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Reset {
    /// This value.
    Value(u64),
    /// Whatever was there: the word `random`.
    Undefined(Undefined),
}

/// The word `random` in place of a reset value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Undefined {
    /// Undefined after power-up and reset.
    Random,
}

impl Default for Reset {
    fn default() -> Self {
        Reset::Value(0)
    }
}

/// What the bits are that no field covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// Reserved by the data sheet.
    #[default]
    Reserved,
    /// They exist, behave as the register, and nobody here needs their names.
    Storage,
}

/// A run of equally spaced registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    /// Offset of the first.
    pub at: u32,
    /// How many.
    pub count: u16,
    /// Bytes from one to the next.
    pub stride: u32,
}

/// A field of a register or of a descriptor.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Name in the data sheet.
    pub name: String,
    /// Which bits.
    pub bits: Bits,
    /// Quadword of a descriptor (0 or 1); absent in registers.
    #[serde(default)]
    pub quad: u8,
    /// One line of meaning.
    pub title: String,
    /// What the driver may do, where it differs from the register.
    pub driver: Option<Access>,
    /// What the device does, where it differs from the register.
    pub device: Option<Access>,
    /// Enumerated values.
    #[serde(default)]
    pub values: BTreeMap<String, u64>,
    /// The field is a part (or another reading) of this one: exempt from the overlap rule against it.
    pub within: Option<String>,
}

/// A 16-byte descriptor layout.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Descriptor {
    /// Name, lower case.
    pub name: String,
    /// One line of meaning.
    pub title: String,
    /// Citation key.
    pub cite: Option<String>,
    /// The fields.
    pub fields: Vec<Field>,
}

/// A group of numbers.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
    /// Name, lower case.
    pub name: String,
    /// One line of meaning.
    pub title: String,
    /// Citation key.
    #[serde(rename(serialize = "section"))]
    pub cite: Option<String>,
    /// Type on the wire: `u8`, `u16`, `u32`, `u64`.
    #[serde(rename(deserialize = "type"))]
    pub kind: String,
    /// The numbers.
    pub values: Vec<Constant>,
}

/// A number.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Name, upper case.
    pub name: String,
    /// The number.
    pub value: u64,
    /// One line of meaning.
    pub title: String,
    /// C expression of the same value in the kernel's headers.
    pub witness: Option<String>,
}

/// A structure on the wire.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// Name, lower case.
    pub name: String,
    /// One line of meaning.
    pub title: String,
    /// Citation key.
    #[serde(rename(serialize = "section"))]
    pub cite: Option<String>,
    /// Size of the fixed part.
    pub bytes: u32,
    /// What may follow: `bytes`, a structure's name, or `more` (newer versions append fields).
    pub tail: Option<String>,
    /// C type in the kernel's headers.
    pub witness: Option<String>,
    /// The members.
    pub fields: Vec<Member>,
}

/// A member of a structure.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Name, upper case.
    pub name: String,
    /// Offset in bytes.
    pub at: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// One line of meaning.
    pub title: String,
    /// C member in the kernel's headers.
    pub witness: Option<String>,
}

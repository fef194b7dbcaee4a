//! What the generator refuses in a table. Each rule is a function that says everything it finds wrong.

use std::collections::{BTreeMap, BTreeSet};

use crate::citations::Citations;
use crate::rows::{Field, Reset, Structure};
use crate::table::{Register, Table};

/// Every objection to `table`; empty if it may be used.
pub fn refuse(table: &Table, citations: &Citations) -> Vec<String> {
    let mut objections = Vec::new();
    names(table, &mut objections);
    cites(table, citations, &mut objections);
    for register in &table.registers {
        banks(register, &mut objections);
        resets(register, &mut objections);
        alias(register, &table.registers, &mut objections);
        fields(&register.name, &register.fields, 32, 0, &mut objections);
    }
    addresses(&table.registers, &mut objections);
    for descriptor in &table.descriptors {
        fields(&descriptor.name, &descriptor.fields, 64, 1, &mut objections);
    }
    for structure in &table.structures {
        members(structure, &table.structures, &mut objections);
    }
    constants(table, &mut objections);
    objections
}

fn is_name(name: &str, upper: bool) -> bool {
    let letter = |c: char| if upper { c.is_ascii_uppercase() } else { c.is_ascii_lowercase() };
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '_')
}

/// Duplicate and ill-formed names. Fields and the values of fields share one name space, as they do in the output.
fn names(table: &Table, out: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    let upper = table.registers.iter().map(|r| (&r.name, true));
    let lower = table.descriptors.iter().map(|d| (&d.name, false));
    let lower = lower.chain(table.constants.iter().map(|c| (&c.name, false)));
    let lower = lower.chain(table.structures.iter().map(|s| (&s.name, false)));
    for (name, is_upper) in upper.chain(lower) {
        if !is_name(name, is_upper) {
            let case = if is_upper { "upper" } else { "lower" };
            out.push(format!("{name}: want a name of {case}-case letters, digits and `_`"));
        }
        // Registers become lower-case modules beside descriptors and structures.
        if !seen.insert(name.to_ascii_lowercase()) {
            out.push(format!("{name}: duplicate name"));
        }
    }
    for (owner, inner) in inner_names(table) {
        let mut seen = BTreeSet::new();
        for name in inner {
            if !is_name(&name, true) {
                out.push(format!("{owner}.{name}: want a name of upper-case letters, digits and `_`"));
            }
            if !seen.insert(name.clone()) {
                out.push(format!("{owner}.{name}: duplicate name"));
            }
        }
    }
}

fn field_names(fields: &[Field]) -> Vec<String> {
    let values =
        |field: &Field| field.values.keys().map(|v| format!("{}_{v}", field.name)).collect::<Vec<_>>();
    fields.iter().flat_map(|field| [vec![field.name.clone()], values(field)].concat()).collect()
}

/// Every group with the names inside it.
fn inner_names(table: &Table) -> Vec<(&String, Vec<String>)> {
    let originals = table.registers.iter().filter(|r| r.alias_of.is_none());
    let registers = originals.map(|r| (&r.name, field_names(&r.fields)));
    let descriptors = table.descriptors.iter().map(|d| (&d.name, field_names(&d.fields)));
    let constants =
        table.constants.iter().map(|c| (&c.name, c.values.iter().map(|v| v.name.clone()).collect()));
    let structures =
        table.structures.iter().map(|s| (&s.name, s.fields.iter().map(|f| f.name.clone()).collect()));
    registers.chain(descriptors).chain(constants).chain(structures).collect()
}

/// Missing and ill-formed citations, and titles that say nothing.
fn cites(table: &Table, citations: &Citations, out: &mut Vec<String>) {
    let registers = table.registers.iter().map(|r| (&r.name, &r.title, &r.cite));
    let descriptors = table.descriptors.iter().map(|d| (&d.name, &d.title, &d.cite));
    let constants = table.constants.iter().map(|c| (&c.name, &c.title, &c.cite));
    let structures = table.structures.iter().map(|s| (&s.name, &s.title, &s.cite));
    for (name, title, cite) in registers.chain(descriptors).chain(constants).chain(structures) {
        match cite {
            None => out.push(format!("{name}: no citation")),
            Some(key) => out.extend(citations.well_formed(key).err().map(|why| format!("{name}: {why}"))),
        }
        if title.trim().is_empty() {
            out.push(format!("{name}: no title"));
        }
    }
}

/// Alignment, stride, and banks within 32 bits.
fn banks(register: &Register, out: &mut Vec<String>) {
    for bank in &register.banks {
        let name = &register.name;
        if bank.count == 0 {
            out.push(format!("{name}: a bank of none"));
        }
        if bank.stride < 4 {
            out.push(format!("{name}: stride {} is smaller than a register (4)", bank.stride));
        }
        if bank.at % 4 != 0 || bank.stride % 4 != 0 {
            out.push(format!(
                "{name}: 0x{:05x} with stride {} is not aligned to 4 bytes",
                bank.at, bank.stride
            ));
        }
    }
}

/// Reset values that do not fit, into the word or into the field that they touch.
fn resets(register: &Register, out: &mut Vec<String>) {
    let value = match register.reset {
        Reset::Value(value) => Some(value),
        Reset::Undefined(_) => None,
    };
    for value in value.iter().chain(&register.reset_first) {
        if *value > u64::from(u32::MAX) {
            out.push(format!("{}: reset value 0x{value:x} is wider than 32 bits", register.name));
        } else if *value as u32 & register.reserved() != 0 {
            let stray = *value as u32 & register.reserved();
            out.push(format!(
                "{}: reset value 0x{value:08x} sets reserved bits 0x{stray:08x}",
                register.name
            ));
        }
    }
}

/// Aliases that name nothing, or another alias, or differ in number.
fn alias(register: &Register, all: &[Register], out: &mut Vec<String>) {
    let Some(target) = &register.alias_of else { return };
    let name = &register.name;
    match all.iter().find(|r| r.name == *target) {
        None => out.push(format!("{name}: alias of {target}, which does not exist")),
        Some(t) if t.alias_of.is_some() => {
            out.push(format!("{name}: alias of {target}, which is an alias itself"))
        }
        Some(t) if t.count() < register.count() || t.array != register.array => {
            out.push(format!("{name}: {} of them, but {target} has {}", register.count(), t.count()));
        }
        Some(_) => {}
    }
}

/// Two registers at one address, or banks of one register over each other.
fn addresses(registers: &[Register], out: &mut Vec<String>) {
    let mut owner: BTreeMap<u32, &str> = BTreeMap::new();
    let mut reported = BTreeSet::new();
    for register in registers {
        for offset in register.offsets() {
            if let Some(other) = owner.insert(offset, &register.name)
                && reported.insert((other, &register.name))
            {
                out.push(format!("{}: overlaps {other} at 0x{offset:05x}", register.name));
            }
        }
    }
}

/// Fields outside their word, over each other, or with values that do not fit.
fn fields(owner: &str, fields: &[Field], word_bits: u8, last_quad: u8, out: &mut Vec<String>) {
    for (n, field) in fields.iter().enumerate() {
        let name = format!("{owner}.{}", field.name);
        if field.bits.high >= word_bits {
            out.push(format!("{name}: bits {} are outside of {word_bits} bits", field.bits));
        }
        if field.quad > last_quad {
            out.push(format!("{name}: quadword {} does not exist", field.quad));
        }
        for (value_name, value) in &field.values {
            if *value > field.bits.mask() >> field.bits.low {
                out.push(format!(
                    "{name}_{value_name}: {value} does not fit into {} bits",
                    field.bits.width()
                ));
            }
        }
        if field.title.trim().is_empty() {
            out.push(format!("{name}: no title"));
        }
        if let Some(outer) = &field.within {
            let inside =
                |f: &&Field| f.quad == field.quad && f.bits.mask() & field.bits.mask() == field.bits.mask();
            if !fields.iter().filter(|f| f.name == *outer).any(|f| inside(&f)) {
                out.push(format!("{name}: is not within {outer}"));
            }
        }
        for other in &fields[..n] {
            let related =
                field.within.as_ref() == Some(&other.name) || other.within.as_ref() == Some(&field.name);
            let overlap = field.quad == other.quad && field.bits.mask() & other.bits.mask() != 0;
            if overlap && !related {
                out.push(format!("{name}: bits {} overlap {} ({})", field.bits, other.name, other.bits));
            }
        }
    }
}

/// Members outside their structure, over each other or with gaps between them, or tails that name nothing.
fn members(structure: &Structure, all: &[Structure], out: &mut Vec<String>) {
    let mut end = 0;
    for member in &structure.fields {
        let name = format!("{}.{}", structure.name, member.name);
        if !matches!(member.bytes, 1 | 2 | 4 | 8) {
            out.push(format!("{name}: {} bytes is no integer", member.bytes));
        }
        if member.at < end {
            out.push(format!("{name}: offset {} overlaps the member before, which ends at {end}", member.at));
        } else if member.at > end {
            out.push(format!("{name}: offset {} leaves a gap after {end}; name the padding", member.at));
        }
        end = member.at + member.bytes;
        if end > structure.bytes {
            out.push(format!("{name}: ends at {end}, after the structure ({} bytes)", structure.bytes));
        }
    }
    if end < structure.bytes {
        out.push(format!("{}: its members end at {end}, not at {}", structure.name, structure.bytes));
    }
    if let Some(tail) = &structure.tail
        && !matches!(tail.as_str(), "bytes" | "more")
        && !all.iter().any(|s| s.name == *tail)
    {
        out.push(format!("{}: tail `{tail}` is neither `bytes`, `more` nor a structure", structure.name));
    }
}

/// Numbers that do not fit their type.
fn constants(table: &Table, out: &mut Vec<String>) {
    for group in &table.constants {
        let largest = match group.kind.as_str() {
            "u8" => u64::from(u8::MAX),
            "u16" => u64::from(u16::MAX),
            "u32" => u64::from(u32::MAX),
            "u64" => u64::MAX,
            kind => {
                out.push(format!("{}: type `{kind}` is not one of u8, u16, u32, u64", group.name));
                continue;
            }
        };
        for value in group.values.iter().filter(|value| value.value > largest) {
            out.push(format!(
                "{}.{}: {} does not fit into {}",
                group.name, value.name, value.value, group.kind
            ));
        }
    }
}

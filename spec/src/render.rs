//! Templates: from a table to a source file. The README lists what a template sees.

use anyhow::{Context, Result};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value, context};
use serde::Serialize;

use crate::outputs::Output;
use crate::rows::{Access, Descriptor, Field, Reset};
use crate::table::{Register, Table};

/// A register as templates see it.
#[derive(Serialize)]
struct RegisterView<'a> {
    name: &'a str,
    title: &'a str,
    section: &'a str,
    array: bool,
    count: u32,
    banks: Vec<BankView>,
    driver: &'static str,
    device: &'static str,
    reset: u32,
    reset_first: u32,
    random: bool,
    writable: u32,
    self_clearing: u32,
    reserved: u32,
    alias_of: Option<&'a str>,
    fields: Vec<FieldView<'a>>,
}

#[derive(Serialize)]
struct BankView {
    first: u32,
    count: u16,
    offset: u32,
    stride: u32,
}

#[derive(Serialize)]
struct FieldView<'a> {
    name: &'a str,
    title: &'a str,
    bits: String,
    quad: u8,
    shift: u8,
    width: u8,
    mask: u64,
    driver: &'static str,
    values: Vec<(&'a str, u64)>,
}

/// Word for an access kind, as the data sheet abbreviates it.
pub fn access_word(access: Access) -> &'static str {
    match access {
        Access::Rw => "RW",
        Access::Ro => "RO",
        Access::Rc => "RC",
        Access::RcW1c => "RCW1C",
        Access::W1c => "W1C",
        Access::W1s => "W1S",
        Access::Sc => "SC",
        Access::Rs => "RS",
        Access::Wo => "WO",
        Access::None => "NONE",
    }
}

fn field_view(field: &Field, driver: Access) -> FieldView<'_> {
    let mut values: Vec<(&str, u64)> =
        field.values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    values.sort_by_key(|(_, value)| *value);
    FieldView {
        name: &field.name,
        title: &field.title,
        bits: field.bits.to_string(),
        quad: field.quad,
        shift: field.bits.low,
        width: field.bits.width(),
        mask: field.bits.mask(),
        driver: access_word(field.driver.unwrap_or(driver)),
        values,
    }
}

fn register_view(register: &Register) -> RegisterView<'_> {
    let (reset, random) = match register.reset {
        Reset::Value(value) => (value as u32, false),
        Reset::Undefined(_) => (0, true),
    };
    let mut first = 0;
    let banks = register.banks.iter().map(|bank| {
        let view = BankView { first, count: bank.count, offset: bank.at, stride: bank.stride };
        first += u32::from(bank.count);
        view
    });
    RegisterView {
        name: &register.name,
        title: &register.title,
        section: register.cite.as_deref().unwrap_or(""),
        array: register.array,
        count: register.count(),
        banks: banks.collect(),
        driver: access_word(register.driver),
        device: access_word(register.device),
        reset,
        reset_first: register.reset_first.map_or(reset, |value| value as u32),
        random,
        writable: register.bits_where(Access::writes),
        self_clearing: register.bits_where(|access| access == Access::Sc),
        reserved: register.reserved(),
        alias_of: register.alias_of.as_deref(),
        fields: register.fields.iter().map(|field| field_view(field, register.driver)).collect(),
    }
}

/// A descriptor as templates see it.
#[derive(Serialize)]
struct DescriptorView<'a> {
    name: &'a str,
    title: &'a str,
    section: &'a str,
    fields: Vec<FieldView<'a>>,
}

fn descriptor_view(descriptor: &Descriptor) -> DescriptorView<'_> {
    DescriptorView {
        name: &descriptor.name,
        title: &descriptor.title,
        section: descriptor.cite.as_deref().unwrap_or(""),
        fields: descriptor.fields.iter().map(|field| field_view(field, Access::Rw)).collect(),
    }
}

/// `rx_read` or `DESC_TYPE` to `RxRead`, `DescType`.
fn pascal(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        let mut letters = part.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.extend(letters.map(|c| c.to_ascii_lowercase()));
    }
    out
}

/// A number in hexadecimal, with at least `digits` digits and no prefix.
fn hex(value: u64, digits: Option<usize>) -> String {
    format!("{value:0width$x}", width = digits.unwrap_or(1))
}

fn environment() -> Result<Environment<'static>> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    environment.set_syntax(syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
    environment.add_filter("hex", hex);
    environment.add_filter("pascal", pascal);
    Ok(environment)
}

/// Renders `table` (already cut down to what the file gets) by the text of a template.
pub fn render(template: &str, table: &Table, output: &Output) -> Result<String> {
    let environment = environment()?;
    let registers: Vec<_> = table.registers.iter().map(register_view).collect();
    let descriptors: Vec<_> = table.descriptors.iter().map(descriptor_view).collect();
    let context = context! {
        name => &table.name,
        title => &table.title,
        table => format!("spec/{}.toml", output.table),
        path => &output.path,
        model => output.model,
        registers => Value::from(Serde(registers)),
        descriptors => Value::from(Serde(descriptors)),
        constants => Value::from(Serde(&table.constants)),
        structures => Value::from(Serde(&table.structures)),
    };
    environment
        .render_str(template, context)
        .with_context(|| format!("{}: template {}", output.path, output.template))
}

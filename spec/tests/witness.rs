//! The witness: what `vfio.toml` says, compared with the headers of the kernel by a small C program.
//!
//! Every row with a `witness` becomes one line of the program's output: the value that the C compiler sees. Names that
//! the installed header does not have (older kernels) are left out; the test fails if that leaves too few.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use ringway_spec::rows::{Constants, Structure};
use ringway_spec::table::Table;

/// One comparison.
struct Claim {
    /// Row of the table.
    row: String,
    /// C expression.
    expression: String,
    /// What the table says.
    value: u64,
    /// The C value may be larger: newer kernels append to the structure.
    at_least: bool,
}

fn claims(constants: &[Constants], structures: &[Structure], header: &str) -> Vec<Claim> {
    let cited =
        |cite: &Option<String>| cite.as_ref().is_some_and(|key| key.starts_with(&format!("{header}:")));
    let mut claims = Vec::new();
    for group in constants.iter().filter(|group| cited(&group.cite)) {
        for value in &group.values {
            let Some(expression) = value.witness.clone() else { continue };
            let row = format!("{}.{}", group.name, value.name);
            claims.push(Claim { row, expression, value: value.value, at_least: false });
        }
    }
    for structure in structures.iter().filter(|structure| cited(&structure.cite)) {
        let Some(kind) = &structure.witness else { continue };
        let at_least = structure.tail.as_deref() == Some("more");
        let claim = |row: String, expression, value: u32, at_least| Claim {
            row,
            expression,
            value: value.into(),
            at_least,
        };
        claims.push(claim(structure.name.clone(), format!("sizeof({kind})"), structure.bytes, at_least));
        for field in &structure.fields {
            let Some(member) = &field.witness else { continue };
            let row = format!("{}.{}", structure.name, field.name);
            claims.push(claim(row.clone(), format!("offsetof({kind}, {member})"), field.at, false));
            claims.push(claim(row + " size", format!("sizeof((({kind} *)0)->{member})"), field.bytes, false));
        }
    }
    claims
}

/// Runs the C compiler on `source`. `RINGWAY_KERNEL_HEADERS` names a directory of newer headers than the installed.
fn cc(directory: &Path, source: &str, arguments: &[&str]) -> bool {
    let file = directory.join("witness.c");
    std::fs::write(&file, source).unwrap();
    let mut command = Command::new("cc");
    if let Some(include) = std::env::var_os("RINGWAY_KERNEL_HEADERS") {
        command.arg("-I").arg(include);
    }
    let output = command.args(arguments).arg(&file).arg("-o").arg(directory.join("witness")).output();
    output.is_ok_and(|output| output.status.success())
}

/// A program that prints what the C compiler thinks of `claims`.
fn program(header: &str, claims: &[&Claim]) -> String {
    let mut c = String::from("#include <stddef.h>\n#include <stdio.h>\n#include <linux/types.h>\n");
    c += &format!("#include <linux/{header}>\nint main(void)\n{{\n");
    for Claim { row, expression, .. } in claims {
        c += &format!("    printf(\"{row}=%llu\\n\", (unsigned long long)({expression}));\n");
    }
    c + "    return 0;\n}\n"
}

/// Those of `claims` that the header knows: older ones lack some names. Halves what does not compile.
fn compiling<'a>(directory: &Path, header: &str, claims: &[&'a Claim]) -> Vec<&'a Claim> {
    if cc(directory, &program(header, claims), &["-fsyntax-only"]) {
        return claims.to_vec();
    }
    if claims.len() < 2 {
        return Vec::new();
    }
    let (left, right) = claims.split_at(claims.len() / 2);
    [compiling(directory, header, left), compiling(directory, header, right)].concat()
}

/// What the C compiler says, by row; or why it cannot be asked.
fn ask(directory: &Path, header: &str, claims: &[Claim]) -> Result<BTreeMap<String, u64>, String> {
    if Command::new("cc").arg("--version").output().is_err() {
        return Err("no C compiler (`cc`)".to_owned());
    }
    if !cc(directory, &program(header, &[]), &[]) {
        return Err(format!("no <linux/{header}> (Debian: linux-libc-dev)"));
    }
    let known = compiling(directory, header, &claims.iter().collect::<Vec<_>>());
    assert!(cc(directory, &program(header, &known), &[]), "what compiles in parts compiles together");
    let output = Command::new(directory.join("witness")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let pairs = text.lines().map(|line| line.split_once('=').unwrap());
    Ok(pairs.map(|(row, value)| (row.to_owned(), value.parse().unwrap())).collect())
}

/// Objections of the witness to `claims`.
fn lies(claims: &[Claim], said: &BTreeMap<String, u64>) -> Vec<String> {
    let wrong = |claim: &&Claim| match said.get(&claim.row) {
        Some(value) if claim.at_least => *value < claim.value,
        Some(value) => *value != claim.value,
        None => false,
    };
    let say = |claim: &Claim| format!("{}: table {}, kernel {}", claim.row, claim.value, said[&claim.row]);
    claims.iter().filter(wrong).map(say).collect()
}

/// Compares all rows of `vfio.toml` that cite `header`; at least `least` of them must be known to the header.
fn compare(header: &str, least: usize) {
    let table = Table::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("vfio.toml")).unwrap();
    let claims = claims(&table.constants, &table.structures, header);
    let directory = tempfile::tempdir().unwrap();
    match ask(directory.path(), header, &claims) {
        Err(why) => eprintln!("skipped: {why}"),
        Ok(said) => {
            assert_eq!(lies(&claims, &said), Vec::<String>::new());
            assert!(said.len() >= least, "{header} knows only {} of {} rows", said.len(), claims.len());
            eprintln!("{header}: {} of {} rows confirmed", said.len(), claims.len());
        }
    }
}

#[test]
fn vfio_agrees_with_the_kernel() {
    compare("vfio.h", 130);
}

#[test]
fn iommufd_agrees_with_the_kernel() {
    compare("iommufd.h", 50);
}

#[test]
fn pci_agrees_with_the_kernel() {
    compare("pci_regs.h", 20);
}

#[test]
fn a_wrong_row_is_found() {
    let claim = |value, at_least| Claim { row: "x".to_owned(), expression: "16".to_owned(), value, at_least };
    let said = BTreeMap::from([("x".to_owned(), 16)]);
    assert_eq!(lies(&[claim(20, false)], &said), ["x: table 20, kernel 16"]);
    assert_eq!(lies(&[claim(12, false)], &said), ["x: table 12, kernel 16"]);
    assert_eq!(lies(&[claim(20, true)], &said), ["x: table 20, kernel 16"]);
    assert_eq!(lies(&[claim(12, true), claim(16, false)], &said), Vec::<String>::new());
}

//! The templates of languages that have no driver yet, rendered from the real tables. C is compiled, with an assertion
//! for every constant that is worked out here from the table and not by the template.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringway_spec::outputs::Output;
use ringway_spec::render::render;
use ringway_spec::table::Table;

fn spec() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn table(name: &str) -> Table {
    Table::read(&spec().join(format!("{name}.toml"))).unwrap()
}

fn rendered(name: &str, template: &str) -> String {
    let text = std::fs::read_to_string(spec().join(format!("templates/{template}.j2"))).unwrap();
    let output =
        format!("path = \"test\"\ntable = \"{name}\"\ntemplate = \"{template}\"\nsources = []\nall = true");
    let output: Output = toml::from_str(&output).unwrap();
    render(&text, &table(name), &output).unwrap()
}

/// `_Static_assert`s for everything that regs.h should hold.
fn assertions_on_registers(table: &Table) -> String {
    let mut c = String::new();
    let mut same =
        |left: String, right: u64| writeln!(c, "_Static_assert({left} == {right}u, \"{left}\");").unwrap();
    for register in &table.registers {
        let name = format!("IXGBE_{}", register.name);
        for (n, offset) in register.offsets().enumerate() {
            let place = if register.array { format!("{name}({n})") } else { name.clone() };
            same(place, u64::from(offset));
        }
        for field in register.fields.iter().filter(|_| register.alias_of.is_none()) {
            let ones = (0..64).filter(|bit| (field.bits.low..=field.bits.high).contains(bit));
            same(format!("{name}_{}", field.name), ones.map(|bit| 1_u64 << bit).sum());
            for (value, number) in &field.values {
                same(format!("{name}_{}_{value}", field.name), *number);
                same(format!("RINGWAY_PUT({name}_{}, {number}u)", field.name), number << field.bits.low);
            }
        }
    }
    for descriptor in &table.descriptors {
        for field in &descriptor.fields {
            let name = format!("IXGBE_{}_{}", descriptor.name.to_uppercase(), field.name);
            let ones = (0..64).filter(|bit| (field.bits.low..=field.bits.high).contains(bit));
            same(name.clone(), ones.map(|bit| 1_u64 << bit).sum());
            same(format!("{name}_QUAD"), u64::from(field.quad));
        }
    }
    c
}

/// `_Static_assert`s for everything that wire.h should hold.
fn assertions_on_wire(table: &Table) -> String {
    let mut c = String::from("#include <stddef.h>\n");
    for group in &table.constants {
        for value in &group.values {
            let name = format!("WIRE_{}_{}", group.name.to_uppercase(), value.name);
            writeln!(c, "_Static_assert({name} == {}, \"{name}\");", value.value).unwrap();
        }
    }
    for structure in &table.structures {
        for field in &structure.fields {
            // `errno` is a macro in C.
            let member = if field.name == "ERRNO" { "errnum".to_owned() } else { field.name.to_lowercase() };
            let place = format!("offsetof(struct wire_{}, {member})", structure.name);
            writeln!(c, "_Static_assert({place} == {}, \"{place}\");", field.at).unwrap();
        }
    }
    c
}

fn compile(directory: &Path, source: &str) -> Result<(), String> {
    let file = directory.join("test.c");
    std::fs::write(&file, source).unwrap();
    let output = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"])
        .arg(&file)
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(text) }
}

fn have_cc() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: no C compiler (`cc`)");
    }
    found
}

#[test]
fn c_registers_compile_to_the_values_of_the_table() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("regs.h"), rendered("ixgbe", "regs.h")).unwrap();
    if have_cc() {
        let source = format!("#include \"regs.h\"\n{}", assertions_on_registers(&table("ixgbe")));
        compile(directory.path(), &source).unwrap();
        let wrong =
            compile(directory.path(), "#include \"regs.h\"\n_Static_assert(IXGBE_RDT(64) == 0x2018, \"\");");
        assert!(wrong.is_err(), "a wrong assertion must not compile");
    }
}

#[test]
fn c_wire_compiles_to_the_values_of_the_table() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("wire.h"), rendered("vfio", "wire.h")).unwrap();
    if have_cc() {
        let source = format!("#include \"wire.h\"\n{}", assertions_on_wire(&table("vfio")));
        compile(directory.path(), &source).unwrap();
    }
}

#[test]
fn c_sharp_holds_every_register_and_closes_every_brace() {
    let regs = rendered("ixgbe", "Regs.cs");
    for line in [
        "    public static readonly Register CTRL = new(\"CTRL\", 0x00000);",
        "    public static readonly Registers TDT = new(\"TDT\", new Bank(0, 128, 0x06018, 64));",
        "    public static readonly Field RST = new(26, 1);",
        "    public static readonly QuadField PAYLEN = new(1, 46, 18);",
        "    public const uint DESCTYPE_ADV_ONE_BUFFER = 1;",
    ] {
        assert!(regs.lines().any(|l| l == line), "{line}");
    }
    for register in table("ixgbe").registers {
        let kind = if register.array { "Registers" } else { "Register" };
        let wanted = format!(" {kind} {0} = new(\"{0}\", ", register.name);
        assert!(regs.contains(&wanted), "{}", register.name);
    }
    let wire = rendered("vfio", "Wire.cs");
    assert!(wire.contains("    public static class RegionAccess\n"));
    assert!(wire.contains("        public const ushort DEVICE_RESET = 0xd;\n"));
    for text in [regs, wire] {
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}

#[test]
fn templates_are_short() {
    for template in ["regs.h", "wire.h", "Regs.cs", "Wire.cs", "wire.rs"] {
        let text = std::fs::read_to_string(spec().join(format!("templates/{template}.j2"))).unwrap();
        assert!(text.lines().count() <= 100, "{template}: {} lines", text.lines().count());
    }
}

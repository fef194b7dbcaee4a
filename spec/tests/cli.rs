//! The two programs, from outside: a small repository is made, checked, broken and mended.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const TABLE: &str = r#"
[device]
name = "nic"
title = "A card"
[[chapter]]
title = "All"
cite = "82599:8.2"
rows = [ { name = "CTRL", title = "Control", at = 0 }, { name = "RDT", title = "Tail", at = 0x100, count = 2, stride = 0x40 } ]
"#;

const OUTPUTS: &str = r#"
[[output]]
path = "driver/regs.txt"
table = "nic"
template = "regs.txt"
sources = ["driver"]
registers = ["CTRL", "RDT"]
"#;

const TEMPLATE: &str =
    "{% for r in registers %}\n{{ r.name }} {{ r.banks[0].offset|hex(4) }}\n{% endfor %}\n";

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn repository() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "spec/nic.toml", TABLE);
    write(root.path(), "spec/outputs.toml", OUTPUTS);
    write(
        root.path(),
        "spec/citations.toml",
        "[sources.82599]\ntitle = \"Data sheet\"\nform = \"numbers\"\n",
    );
    write(root.path(), "spec/templates/regs.txt.j2", TEMPLATE);
    write(root.path(), "driver/main.txt", "uses CTRL and RDT");
    root
}

fn spec(root: &TempDir, command: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ringway-spec"))
        .arg("--root")
        .arg(root.path())
        .arg(command)
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn generate_writes_and_check_compares() {
    let root = repository();
    let missing = spec(&root, "check");
    assert_eq!(missing.status.code(), Some(1));
    let want =
        "driver/regs.txt: differs from spec/; run `cargo run -p ringway-spec -- generate` and commit it\n";
    assert_eq!(out(&missing), want);

    assert_eq!(out(&spec(&root, "generate")), "wrote driver/regs.txt\n");
    assert_eq!(
        std::fs::read_to_string(root.path().join("driver/regs.txt")).unwrap(),
        "CTRL 0000\nRDT 0100\n"
    );
    assert_eq!(out(&spec(&root, "generate")), "unchanged driver/regs.txt\n");
    assert!(spec(&root, "check").status.success());

    write(root.path(), "driver/regs.txt", "CTRL 0004\nRDT 0100\n");
    assert_eq!(out(&spec(&root, "check")), want);
}

#[test]
fn check_refuses_what_the_sources_do_not_use() {
    let root = repository();
    write(root.path(), "driver/main.txt", "uses CTRL alone");
    spec(&root, "generate");
    let output = spec(&root, "check");
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<String> = out(&output).lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "driver/regs.txt: `RDT` is listed in spec/outputs.toml but not used");
    assert!(lines[1].starts_with("spec/nic.toml: RDT: nobody uses it"), "{lines:?}");
}

#[test]
fn a_broken_table_is_named_with_all_that_is_wrong() {
    let root = repository();
    write(root.path(), "spec/nic.toml", &TABLE.replace("at = 0x100", "at = 0").replace("cite", "# cite"));
    let output = spec(&root, "generate");
    assert_eq!(output.status.code(), Some(1));
    let text = err(&output);
    for want in ["spec/nic.toml: CTRL: no citation", "spec/nic.toml: RDT: overlaps CTRL at 0x00000"] {
        assert!(text.contains(want), "{text}");
    }
}

#[test]
fn names_that_the_table_does_not_have_are_refused() {
    for (list, want) in
        [("\"RDH\"", "`RDH` is not in spec/nic.toml"), ("\"RDT\", \"RDT\"", "`RDT` is listed twice")]
    {
        let root = repository();
        write(root.path(), "spec/outputs.toml", &OUTPUTS.replace("\"CTRL\", \"RDT\"", list));
        assert!(err(&spec(&root, "generate")).contains(want));
    }
}

#[test]
fn house_prints_a_line_for_each_violation() {
    let root = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["house.toml", "citations.toml", "ixgbe.toml", "vfio.toml", "outputs.toml"] {
        write(root.path(), &format!("spec/{name}"), &std::fs::read_to_string(here.join(name)).unwrap());
    }
    let git = Command::new("git").arg("init").arg("--quiet").arg(root.path()).status();
    if !git.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no git");
        return;
    }
    let house =
        || Command::new(env!("CARGO_BIN_EXE_ringway-house")).arg("--root").arg(root.path()).output().unwrap();
    let clean = house();
    assert!(clean.status.success(), "{}{}", out(&clean), err(&clean));

    write(root.path(), "lab/src/a.rs", "// 82599:99.1\nunsafe {}\n");
    let output = house();
    assert_eq!(output.status.code(), Some(1));
    let want = "lab/src/a.rs:1: cites: `82599:99.1` is in no table of spec/ and not in spec/citations.toml\n\
                lab/src/a.rs:2: fence: `unsafe` outside of the fence (spec/house.toml, fence.files)\n";
    assert_eq!(out(&output), want);
}

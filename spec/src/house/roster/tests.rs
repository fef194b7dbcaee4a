use super::*;
use crate::house::testing::{house, said};

fn headed(stem: &str) -> String {
    format!("// {stem} · 82599:8.2.3.8.7\n// One sentence.\n\n")
}

/// A driver that has all it needs.
fn whole() -> Vec<(String, String)> {
    let stems = [
        "bus/mod",
        "bus/vfio_user",
        "bus/vfio",
        "bus/sysfs",
        "mmio",
        "dma",
        "packet",
        "ring",
        "device",
        "ixgbe/desc",
        "ixgbe/init",
        "ixgbe/stats",
    ];
    let mut files: Vec<(String, String)> =
        stems.map(|stem| (stem.to_owned(), headed(stem.trim_end_matches("/mod")))).into();
    files.push(("ixgbe/regs".to_owned(), "// Generated from spec/ixgbe.toml\n".to_owned()));
    files.push(("app/main".to_owned(), String::new()));
    files.push(("conform/main".to_owned(), String::new()));
    let rx = "f(); // [rx.poll]\n// [rx.take]\n// [rx.refill]\n// [rx.publish]\n";
    let tx = "// [tx.reclaim]\n// [tx.fill]\n// [tx.publish]\n";
    files.push(("ixgbe/rx".to_owned(), headed("ixgbe/rx") + rx));
    files.push(("ixgbe/tx".to_owned(), headed("ixgbe/tx") + tx));
    files
}

/// What the rule says of the whole driver with one file replaced (or, with an empty text, taken away).
fn with(stem: &str, text: &str) -> Vec<String> {
    let mut files = whole();
    files.retain(|(name, _)| name != stem);
    if !text.is_empty() {
        files.push((stem.to_owned(), text.to_owned()));
    }
    let named: Vec<(String, String)> =
        files.into_iter().map(|(stem, text)| (format!("drivers/rust/src/{stem}.rs"), text)).collect();
    let files: Vec<(&str, &str)> = named.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    said(check(&house(&files)))
}

#[test]
fn lets_a_whole_driver_pass() {
    assert_eq!(with("extra", "fn f() {}"), Vec::<String>::new());
}

#[test]
fn refuses_a_missing_stem() {
    assert_eq!(with("ring", ""), ["drivers/rust:1: no file for the stem `ring`"]);
    assert_eq!(with("bus/vfio_user", ""), ["drivers/rust:1: no file for the stem `bus/vfio_user`"]);
}

#[test]
fn refuses_a_missing_header() {
    let form = "want a header: `ring · SOURCES`, then one sentence, then an empty line";
    assert_eq!(with("ring", "//! Ring.\n\n"), [format!("drivers/rust/src/ring.rs:1: {form}")]);
    assert_eq!(
        with("ring", "// rings · ours\n// A sentence.\n"),
        [format!("drivers/rust/src/ring.rs:1: {form}")]
    );
    let open = format!("drivers/rust/src/ring.rs:1: the header's sentence is missing or has no end: {form}");
    for text in ["// ring · ours\n\n// A sentence.\n", "// ring · ours\n// A sentence\n"] {
        assert_eq!(with("ring", text), [open.as_str()]);
    }
}

#[test]
fn refuses_a_device_header_without_key() {
    let text = "// ixgbe/desc · ours\n// A sentence.\n";
    assert_eq!(
        with("ixgbe/desc", text),
        ["drivers/rust/src/ixgbe/desc.rs:1: the header of `ixgbe/desc` cites no source key"]
    );
}

#[test]
fn refuses_missing_and_repeated_tags() {
    let text =
        headed("ixgbe/tx") + "// [tx.reclaim]\n// [tx.fill]\nlet s = \"[tx.publish]\";\n// [tx.fill]\n";
    let want = [
        "drivers/rust/src/ixgbe/tx.rs:7: step tag [tx.fill] a second time",
        "drivers/rust:1: no step tag [tx.publish] in ixgbe",
    ];
    let mut said = with("ixgbe/tx", &text);
    said.sort();
    assert_eq!(said, want);
}

#[test]
fn refuses_large_hex_literals_where_masks_would_be() {
    let text =
        headed("ixgbe/init") + "a(0xFF);\nb(0x1_00u32); // 0x1000\n#[cfg(test)]\nmod tests {\nc(0x100)\n}\n";
    let want = ["drivers/rust/src/ixgbe/init.rs:5: `0x1_00u32`: a number above 0xff has a name in spec/"];
    assert_eq!(with("ixgbe/init", &text), want);
    let below = with("ixgbe/init/link", "x(0xFFFF);");
    assert_eq!(
        below,
        ["drivers/rust/src/ixgbe/init/link.rs:1: `0xFFFF`: a number above 0xff has a name in spec/"]
    );
    assert_eq!(with("mmio", &(headed("mmio") + "x(0xFFFF);\n")), Vec::<String>::new());
}

#[test]
fn a_stem_is_found_in_any_spelling() {
    let house = house(&[]);
    let driver = &house.config.driver[0];
    let is = |stem: &str, file: &str| is_stem(driver, stem, &format!("drivers/rust/src/{file}"));
    assert!(is("ixgbe/rx", "Ixgbe/Rx.cs") && is("ixgbe/rx", "main/java/org/x/ixgbe/Rx.java"));
    assert!(is("bus", "bus/mod.rs") && is("bus", "bus.rs") && is("dma", "internal/dma/dma.go"));
    assert!(is("bus/vfio_user", "Bus/VfioUser.cs"));
    assert!(!is("ring", "string.rs") && !is("ixgbe/rx", "virtio/rx.rs") && !is("bus", "bus/vfio_user.rs"));
    assert!(is_under_stem(driver, "bus", "drivers/rust/src/bus/vfio_user.rs"));
    assert!(!is_under_stem(driver, "bus", "drivers/rust/src/busy.rs"));
}

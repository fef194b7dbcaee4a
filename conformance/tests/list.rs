//! The list of cases in `README.md` is the list of cases. `RINGWAY_FIX=1 cargo test --test list` writes it anew.

use std::fmt::Write;
use std::path::Path;

use ringway_conformance::cases;

const BEGIN: &str = "<!-- cases: generated -->\n";
const END: &str = "<!-- cases: end -->\n";

fn list() -> String {
    let mut text = String::new();
    let mut last = "";
    for (module, case) in cases::all() {
        if module != last {
            last = module;
            write!(text, "\n**{module}**\n\n").expect("a string takes everything");
        }
        let needs = case.needs.map(|feature| format!(", needs `{feature}`")).unwrap_or_default();
        writeln!(text, "* {} ({}{needs})", case.name.replace('_', " "), case.cites)
            .expect("a string takes everything");
    }
    text + "\n"
}

#[test]
fn the_readme_lists_every_case() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).expect("README.md");
    let (before, rest) = text.split_once(BEGIN).expect("the list begins");
    let (listed, after) = rest.split_once(END).expect("the list ends");
    let wanted = list();
    if std::env::var_os("RINGWAY_FIX").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{wanted}{END}{after}"))
            .expect("README.md can be written");
    } else {
        assert!(
            listed == wanted,
            "the list in README.md is old: RINGWAY_FIX=1 cargo test -p ringway-conformance --test list"
        );
    }
}

#[test]
fn names_are_sentences_and_unique() {
    let mut names = std::collections::BTreeSet::new();
    for (module, case) in cases::all() {
        assert!(names.insert((module, case.name)), "{module}::{} twice", case.name);
        assert!(case.name.split('_').count() >= 2, "{} is no sentence", case.name);
        let (source, place) = case.cites.split_once(':').expect("a citation is SOURCE:PLACE");
        assert!(
            ["82599", "vfio-user", "protocol", "design"].contains(&source) && !place.is_empty(),
            "{}",
            case.cites
        );
    }
}

//! The table of rules in the room's manual is made from the catalogue.

use std::fs;
use std::path::Path;

use crate::sanitizer::RULES;

const BEGIN: &str = "<!-- rules: made by the test below `sanitizer::tests::readme` -->\n";
const END: &str = "<!-- end of rules -->";

fn table() -> String {
    let mut text = String::from("\n| rule | severity | 82599 | what was wrong |\n|---|---|---|---|\n");
    for rule in RULES {
        let section = rule.section.trim_start_matches("82599 ");
        text += &format!("| `{}` | {} | {section} | {} |\n", rule.id, rule.severity, rule.title);
    }
    text + "\n"
}

/// With `RINGWAY_BLESS=1` in the environment the table is written instead of compared.
#[test]
fn the_manual_lists_all_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let begin = text.find(BEGIN).expect("the mark where rules begin") + BEGIN.len();
    let end = begin + text[begin..].find(END).expect("the mark where rules end");
    if std::env::var_os("RINGWAY_BLESS").is_some() {
        fs::write(&path, [&text[..begin], &table(), &text[end..]].concat()).unwrap();
        return;
    }
    assert!(
        text[begin..end] == table(),
        "lab/README.md does not list the rules as they are; run this test with RINGWAY_BLESS=1 and look at the diff"
    );
}

//! Citation keys in sources exist.

use super::{House, Violation};
use crate::citations::Form;

const RULE: &str = "cites";

/// Keys (`82599:7.1.6`, `82599 7.1.6`) in comments and texts of sources that are not in `spec/`.
pub fn check(house: &House) -> Vec<Violation> {
    let mut out = Vec::new();
    for (file, text) in house.tree.files() {
        if house.language_of(file).is_none() || file.starts_with("spec/") {
            continue; // the generator's own tests cite what does not exist
        }
        for (n, line) in text.lines().enumerate() {
            for key in keys(house, line).into_iter().filter(|key| !is_known(house, key)) {
                let message = format!("`{key}` is in no table of spec/ and not in spec/citations.toml");
                out.push(Violation { file: file.to_owned(), line: n + 1, rule: RULE, message });
            }
        }
    }
    out
}

/// The keys in a line, in the form with a colon.
pub fn keys(house: &House, line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, source) in &house.citations.sources {
        for (at, _) in line.match_indices(name.as_str()) {
            if line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/')) {
                continue;
            }
            let rest = &line[at + name.len()..];
            let place = match source.form {
                Form::Numbers => rest.strip_prefix([':', ' ']).map(section),
                Form::Names => rest.strip_prefix(':').map(identifier),
            };
            if let Some(place) = place.filter(|place| !place.is_empty()) {
                found.push(format!("{name}:{place}"));
            }
        }
    }
    found
}

/// A section number at the start of `text`: at least two numbers, or it is just a number in a sentence.
fn section(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    if number.starts_with(|c: char| c.is_ascii_digit()) && number.contains('.') { number } else { "" }
}

fn identifier(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// A key is known if it is listed, if it is a chapter of a listed section, or if its source has names for places.
fn is_known(house: &House, key: &str) -> bool {
    let source = key.split(':').next().and_then(|name| house.citations.sources.get(name));
    source.is_some_and(|source| source.form == Form::Names)
        || house.keys.contains(key)
        || house.keys.iter().any(|known| known.starts_with(&format!("{key}.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::testing::{house, said};

    #[test]
    fn refuses_keys_that_do_not_exist() {
        let text = "// 82599:8.2.3.8.7 and 82599 7.1.6.1. Chapter 82599:8.2.3. An 82599 4 times, 182599:9.9.\n\
                    // 82599:9.9.9 and (82599 7.1.60).\n";
        let house = house(&[("lab/src/a.rs", text)]);
        let want = [
            "lab/src/a.rs:2: `82599:9.9.9` is in no table of spec/ and not in spec/citations.toml",
            "lab/src/a.rs:2: `82599:7.1.60` is in no table of spec/ and not in spec/citations.toml",
        ];
        assert_eq!(said(check(&house)), want);
    }

    #[test]
    fn names_need_only_a_known_source() {
        let house = house(&[]);
        assert_eq!(keys(&house, "see vfio.h:vfio_irq_set."), ["vfio.h:vfio_irq_set"]);
        assert!(is_known(&house, "vfio.h:vfio_irq_set"));
    }
}

//! No file and no function longer than a reader can hold in mind.
//!
//! Functions are found by their opening word and the braces that follow; closures and what macros make are not seen.

use super::config::Size;
use super::roster::is_test_file;
use super::source::Source;
use super::tree::is_below;
use super::{House, Violation, is_generated};

const RULE: &str = "size";

/// Files and functions that are too long. Tests do not count.
pub fn check(house: &House) -> Vec<Violation> {
    let mut out = Vec::new();
    for (file, source) in house.sources() {
        let generated = house.tree.text(file).is_some_and(is_generated);
        let Some(size) = house.config.size.iter().find(|size| is_below(file, &size.path)) else { continue };
        if generated || is_test_file(file) {
            continue;
        }
        let mut say =
            |line, message| out.push(Violation { file: file.to_owned(), line, rule: RULE, message });
        if source.tests_from > size.file {
            say(1, format!("{} lines without tests, {} are the limit", source.tests_from, size.file));
        }
        if let Some(opening) = house.language_of(file).and_then(|language| language.functions.as_ref()) {
            for (line, name, lines) in long_functions(&source, opening, size) {
                say(line, format!("`{name}` has {lines} lines, {} are the limit", size.function));
            }
        }
    }
    out
}

/// Line, name and length of every function that is too long.
fn long_functions(source: &Source, opening: &str, size: &Size) -> Vec<(usize, String, usize)> {
    let code: String = source.code_lines().flat_map(|(_, line)| [line, "\n"]).collect();
    let mut found = Vec::new();
    let opening = format!("{opening} ");
    for (at, _) in code.match_indices(&opening) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let after = &code[at + opening.len()..];
        let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let Some(length) = body(after) else { continue };
        let line = code[..at].matches('\n').count() + 1;
        let lines = after[..length].matches('\n').count() + 1;
        if !name.is_empty() && lines > size.function {
            found.push((line, name, lines));
        }
    }
    found
}

/// Bytes up to the brace that closes the body; `None` for a declaration without body.
fn body(text: &str) -> Option<usize> {
    let open = text.find(['{', ';'])?;
    // A `;` may stand in an array type of the signature.
    let open = match (text.as_bytes()[open], text.find('{')) {
        (b'{', _) => open,
        (_, Some(brace)) if text[..open].contains('[') && !text[..open].contains(']') => brace,
        _ => return None,
    };
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::testing::{house, said};

    fn function(lines: usize) -> String {
        format!("fn long(x: [u8; 4]) -> u8 {{\n{}}}\n", "    f(\"}\"); // }\n".repeat(lines - 2))
    }

    #[test]
    fn refuses_long_functions() {
        let text = format!("fn short() {{}}\nfn declared();\n\n{}", function(51));
        let house = house(&[("drivers/rust/src/a.rs", &text), ("drivers/rust/src/b.rs", &function(50))]);
        assert_eq!(said(check(&house)), ["drivers/rust/src/a.rs:4: `long` has 51 lines, 50 are the limit"]);
    }

    #[test]
    fn refuses_long_files_but_for_their_tests() {
        let long = "//\n".repeat(281);
        let tested = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", "//\n".repeat(280), "//\n".repeat(99));
        let generated = format!("//! Generated from spec/x.toml; do not edit.\n{long}");
        let files = [
            ("drivers/rust/src/a.rs", long.as_str()),
            ("drivers/rust/src/b.rs", tested.as_str()),
            ("drivers/rust/src/ixgbe/regs.rs", generated.as_str()),
            ("drivers/rust/src/tests.rs", long.as_str()),
        ];
        let want = ["drivers/rust/src/a.rs:1: 281 lines without tests, 280 are the limit"];
        assert_eq!(said(check(&house(&files))), want);
    }
}

//! The fence: a language's dangerous words stand only where they are expected and reviewed.

use super::roster::is_under_stem;
use super::source::has_word;
use super::tree::is_below;
use super::{House, Violation};

const RULE: &str = "fence";

/// Dangerous words outside the fence. Tests count too: what is sound there is sound in the fence.
pub fn check(house: &House) -> Vec<Violation> {
    let mut out = Vec::new();
    for (file, source) in house.sources() {
        let Some(language) = house.language_of(file) else { continue };
        if is_inside(house, file) {
            continue;
        }
        for (n, line) in source.code.lines().enumerate() {
            for word in language.dangerous.iter().filter(|word| has_word(line, word)) {
                let message = format!("`{word}` outside of the fence ({})", fence_of(house, file));
                out.push(Violation { file: file.to_owned(), line: n + 1, rule: RULE, message });
            }
        }
    }
    out
}

fn is_inside(house: &House, file: &str) -> bool {
    match house.driver_of(file) {
        Some(driver) => house.config.fence.stems.iter().any(|stem| is_under_stem(driver, stem, file)),
        None => house.config.fence.files.iter().any(|place| is_below(file, place)),
    }
}

fn fence_of(house: &House, file: &str) -> String {
    match house.driver_of(file) {
        Some(_) => house.config.fence.stems.join(", "),
        None => "spec/house.toml, fence.files".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::testing::{house, said};

    #[test]
    fn refuses_dangerous_words_outside_of_the_fence() {
        let text = "//! unsafe is a word\nfn f() { unsafe { g() } }\n#![allow(unsafe_code)]\n";
        let house = house(&[("drivers/rust/src/ixgbe/rx.rs", text), ("drivers/rust/src/dma.rs", text)]);
        let want = [
            "drivers/rust/src/ixgbe/rx.rs:2: `unsafe` outside of the fence (bus, mmio, dma)",
            "drivers/rust/src/ixgbe/rx.rs:3: `allow(unsafe_code)` outside of the fence (bus, mmio, dma)",
        ];
        assert_eq!(said(check(&house)), want);
    }

    #[test]
    fn refuses_them_in_other_rooms_but_for_the_listed_files() {
        let text = "unsafe { g() }\n";
        let house = house(&[
            ("lab/src/wire/null.rs", text),
            ("lab/src/memory.rs", text),
            ("lab/src/memory/x.rs", text),
        ]);
        let want = ["lab/src/wire/null.rs:1: `unsafe` outside of the fence (spec/house.toml, fence.files)"];
        assert_eq!(said(check(&house)), want);
    }
}

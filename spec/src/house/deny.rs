//! What may stand in no tracked file: paths of somebody's machine, and words that say that something is unfinished.

use super::tree::is_below;
use super::{House, Violation};

const RULE: &str = "deny";

/// Every occurrence.
pub fn check(house: &House) -> Vec<Violation> {
    let deny = &house.config.deny;
    let mut out = Vec::new();
    for (file, text) in house.tree.files() {
        if deny.except.iter().any(|place| is_below(file, place)) {
            continue;
        }
        for (n, line) in text.lines().enumerate() {
            let paths = deny.paths.iter().filter(|path| starts_path(line, path));
            let words = deny.words.iter().filter(|word| line.contains(word.as_str()));
            for found in paths.chain(words) {
                let message = format!("`{found}` may stand in no tracked file");
                out.push(Violation { file: file.to_owned(), line: n + 1, rule: RULE, message });
            }
        }
    }
    out
}

/// `path` stands in `line` and is not the middle of a longer path or word.
fn starts_path(line: &str, path: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '}' | '*' | '$' | ')');
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(inside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::testing::{house, said};

    #[test]
    fn refuses_paths_and_words() {
        let text = "see /home/me/x\nfine: a/home/b and $root/work/\n// TODO later\n";
        let house = house(&[("README.md", text), ("spec/house.toml", text)]);
        let want = [
            "README.md:1: `/home/` may stand in no tracked file",
            "README.md:3: `TODO` may stand in no tracked file",
        ];
        assert_eq!(said(check(&house)), want);
    }
}

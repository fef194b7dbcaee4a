//! Who uses what: rows that nobody uses are refused, and entries of `outputs.toml` that the sources do not use.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::outputs::Output;
use crate::table::Table;

/// The identifiers that occur in some sources.
#[derive(Clone, Debug, Default)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// Identifiers of every file below `directories`, except the `generated` ones. Missing directories are empty.
    pub fn of(root: &Path, directories: &[String], generated: &BTreeSet<PathBuf>) -> Result<Self> {
        let mut words = Words::default();
        for directory in directories {
            words.visit(&root.join(directory), generated)?;
        }
        Ok(words)
    }

    fn visit(&mut self, path: &Path, generated: &BTreeSet<PathBuf>) -> Result<()> {
        if !path.is_dir() {
            return Ok(());
        }
        let entries = std::fs::read_dir(path).with_context(|| format!("reading {}", path.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                let skip = path.file_name().is_some_and(|name| name == "target" || name == "node_modules");
                if !skip {
                    self.visit(&path, generated)?;
                }
            } else if !generated.contains(&path)
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                self.add(&text);
            }
        }
        Ok(())
    }

    /// Adds the identifiers of a text. What `//` opens is a comment in most languages, and to name is not to use.
    pub fn add(&mut self, text: &str) {
        for line in text.lines() {
            let code = line.split("//").next().unwrap_or("");
            let words =
                code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
            self.0.extend(words.map(str::to_owned));
        }
    }

    /// The name occurs: as it stands, or as languages without modules spell it.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
            || self.0.contains(&name.to_ascii_uppercase())
            || self.0.contains(&squeezed(name))
    }
}

/// `rx_read` as `RxRead`.
fn squeezed(name: &str) -> String {
    let capital = |part: &str| {
        let (head, tail) = part.split_at(part.len().min(1));
        head.to_ascii_uppercase() + &tail.to_ascii_lowercase()
    };
    name.split('_').map(capital).collect()
}

/// Registers that neither a source of this repository nor a foreign driver touches.
pub fn unused(table: &Table, words: &Words) -> Vec<String> {
    let touched = |name: &str| table.registers.iter().any(|r| r.name == name && !r.touched_by.is_empty());
    let used = |name: &str| touched(name) || words.has(name);
    table
        .registers
        .iter()
        .filter(|r| !used(&r.name) && !r.alias_of.as_deref().is_some_and(used))
        .map(|r| {
            format!(
                "{}: nobody uses it (no source names it, and `touched_by` names no foreign driver)",
                r.name
            )
        })
        .collect()
}

/// Entries of a file's lists that its sources do not use.
pub fn idle(output: &Output, words: &Words) -> Vec<String> {
    if output.all || output.draft {
        return Vec::new();
    }
    let idle = output.asked().filter(|name| !words.has(name));
    idle.map(|name| format!("{}: `{name}` is listed in spec/outputs.toml but not used", output.path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = r#"
        [device]
        name = "test"
        title = "Test"
        [[chapter]]
        title = "All"
        cite = "82599:1"
        rows = [
          { name = "LONELY", title = "Nobody", at = 0 },
          { name = "NAMED", title = "Named in a source", at = 4 },
          { name = "FOREIGN", title = "Touched by others", at = 8, touched_by = ["linux"] },
          { name = "NAMED_ALIAS", title = "Alias", at = 12, alias_of = "NAMED" },
        ]
    "#;

    fn words(text: &str) -> Words {
        let mut words = Words::default();
        words.add(text);
        words
    }

    #[test]
    fn refuses_a_register_that_nobody_uses() {
        let objections = unused(&Table::parse(TABLE).unwrap(), &words("regs::NAMED.offset"));
        assert_eq!(objections.len(), 1, "{objections:?}");
        assert!(objections[0].starts_with("LONELY: nobody uses it"));
    }

    #[test]
    fn refuses_a_listed_entry_that_the_source_does_not_name() {
        let output: Output = toml::from_str(
            r#"path = "x"
               table = "test"
               template = "t"
               sources = []
               registers = ["NAMED", "LONELY"]
               structures = ["irq_set"]"#,
        )
        .unwrap();
        let objections = idle(&output, &words("NAMED IrqSet"));
        assert_eq!(objections, ["x: `LONELY` is listed in spec/outputs.toml but not used"]);
    }

    #[test]
    fn part_of_a_word_is_no_use() {
        assert!(!words("RDTX xRDT").has("RDT"));
    }

    #[test]
    fn a_comment_is_no_use() {
        assert!(!words("f(); // RDT\n").has("RDT") && words("// a\nRDT.at(0)").has("RDT"));
    }
}

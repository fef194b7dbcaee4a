//! Who may know whom: dependencies of packages, names of packages in sources, and paths that lead into another room.

use std::collections::BTreeMap;

use super::config::Room;
use super::source::{Source, has_word};
use super::tree::{is_below, resolve};
use super::{House, Violation};

const RULE: &str = "rooms";

/// Everything that crosses a border where it may not.
pub fn check(house: &House) -> Vec<Violation> {
    let packages = packages(house);
    let mut out = Vec::new();
    for (file, text) in house.tree.files() {
        let Some((room, rule)) = room_of(house, file) else { continue };
        let mut border = Border { house, file, room: &room, rule, out: &mut out };
        if file.ends_with("Cargo.toml") {
            border.dependencies(text, &packages);
        }
        if let Some(language) = house.language_of(file) {
            let source = Source::split(text, language);
            border.names(&source.code, &packages);
            border.paths(&source.literals);
        } else if is_build_file(house, file) {
            border.paths(text);
        }
    }
    out
}

/// The room of a file, by the longest path that matches, and its rule.
fn room_of<'h>(house: &'h House, file: &str) -> Option<(String, &'h Room)> {
    let matches = house.config.room.iter().filter_map(|rule| Some((room_path(&rule.path, file)?, rule)));
    matches.max_by_key(|(path, _)| path.len())
}

/// The room that `pattern` makes of `file`: `drivers/*` and `drivers/c/x.c` give `drivers/c`.
fn room_path(pattern: &str, file: &str) -> Option<String> {
    let Some(parent) = pattern.strip_suffix("/*") else {
        return is_below(file, pattern).then(|| pattern.to_owned());
    };
    let (name, _) = file.strip_prefix(parent)?.strip_prefix('/')?.split_once('/')?;
    Some(format!("{parent}/{name}"))
}

fn is_build_file(house: &House, file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let fits =
        |pattern: &String| pattern.strip_prefix('*').map_or(name == pattern, |end| name.ends_with(end));
    house.config.language.values().any(|language| language.build_files.iter().any(fits))
}

/// Rooms of the Cargo packages of this repository, by name of the package.
fn packages(house: &House) -> BTreeMap<String, String> {
    let manifests = house.tree.files().filter(|(file, _)| file.ends_with("Cargo.toml"));
    let named = manifests.filter_map(|(file, text)| {
        let manifest: toml::Table = text.parse().ok()?;
        let name = manifest.get("package")?.get("name")?.as_str()?.to_owned();
        Some((name, room_of(house, file)?.0))
    });
    named.collect()
}

/// Names of the packages that a manifest depends on, in whatever way.
fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in manifest {
        let Some(table) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            let real = |(name, value): (&String, &toml::Value)| {
                value.get("package").and_then(toml::Value::as_str).unwrap_or(name).to_owned()
            };
            found.extend(table.iter().map(real));
        } else if key == "target" || key == "workspace" {
            found.extend(table.values().filter_map(toml::Value::as_table).flat_map(dependencies));
        }
    }
    found
}

/// Whether a line of a manifest is the one that asks for a package: as a key, or as the real name of a renamed one.
fn mentions(line: &str, package: &str) -> bool {
    let key =
        line.trim_start().strip_prefix(package).is_some_and(|rest| rest.trim_start().starts_with(['=', '.']));
    let asks = |line: &str| line.contains("package") && line.contains('=') && line.contains('{');
    key || asks(line) && line.contains(&format!("\"{package}\""))
}

struct Border<'a> {
    house: &'a House,
    file: &'a str,
    room: &'a str,
    rule: &'a Room,
    out: &'a mut Vec<Violation>,
}

impl Border<'_> {
    fn may(&self, other: &str) -> bool {
        other == self.room || self.rule.knows.iter().any(|known| known == other)
    }

    fn violation(&mut self, line: usize, message: String) {
        self.out.push(Violation { file: self.file.to_owned(), line, rule: RULE, message });
    }

    fn dependencies(&mut self, text: &str, packages: &BTreeMap<String, String>) {
        let Ok(manifest) = text.parse::<toml::Table>() else { return };
        for name in dependencies(&manifest) {
            let Some(other) = packages.get(&name).filter(|other| !self.may(other)) else { continue };
            let line = text.lines().position(|line| mentions(line, &name)).map_or(1, |n| n + 1);
            self.violation(line, format!("{} may not know {other} (package `{name}`)", self.room));
        }
    }

    fn names(&mut self, code: &str, packages: &BTreeMap<String, String>) {
        for (package, other) in packages {
            if self.may(other) {
                continue;
            }
            let name = package.replace('-', "_");
            let used =
                |line: &str| has_word(line, &format!("{name}::")) || has_word(line, &format!("use {name}"));
            for (n, _) in code.lines().enumerate().filter(|(_, line)| used(line)) {
                self.violation(n + 1, format!("{} may not know {other} (`{name}`)", self.room));
            }
        }
    }

    /// Relative paths that lead upwards and out of the room.
    fn paths(&mut self, text: &str) {
        let part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
        for (n, line) in text.lines().enumerate() {
            let words = line.split(|c: char| !part(c)).filter(|word| word.starts_with("../"));
            for word in words.map(str::to_owned).collect::<Vec<_>>() {
                let Some(target) = resolve(self.file, &word) else { continue };
                let data = self.house.config.data.paths.iter().any(|place| is_below(&target, place));
                // The directory of a room is not below itself with a slash: ask for a file in it.
                let other = room_of(self.house, &format!("{target}/x")).map(|(room, _)| room);
                if let Some(other) = other.filter(|other| !data && !self.may(other)) {
                    self.violation(n + 1, format!("{} may not know {other} (path `{word}`)", self.room));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::testing::{house, said};

    const LAB: (&str, &str) = ("lab/Cargo.toml", "[package]\nname = \"ringway-lab\"\n");
    const DRIVER: (&str, &str) = ("drivers/rust/Cargo.toml", "[package]\nname = \"ringway\"\n");

    #[test]
    fn refuses_a_forbidden_dependency_in_any_table() {
        let manifest =
            |table: &str| format!("[package]\nname = \"ringway-lab\"\n[{table}]\nringway = \"1\"\n");
        for table in ["dependencies", "dev-dependencies", "target.'cfg(unix)'.build-dependencies"] {
            let house = house(&[("lab/Cargo.toml", &manifest(table)), DRIVER]);
            assert_eq!(
                said(check(&house)),
                ["lab/Cargo.toml:4: lab may not know drivers/rust (package `ringway`)"]
            );
        }
    }

    #[test]
    fn refuses_a_renamed_dependency() {
        let text = "[package]\nname = \"ringway\"\n[dependencies]\nnic = { package = \"ringway-lab\", path = \"x\" }\n";
        let house = house(&[LAB, ("drivers/rust/Cargo.toml", text)]);
        let want = "drivers/rust/Cargo.toml:4: drivers/rust may not know lab (package `ringway-lab`)";
        assert_eq!(said(check(&house)), [want]);
    }

    #[test]
    fn refuses_a_forbidden_name() {
        let house =
            house(&[LAB, DRIVER, ("drivers/rust/src/x.rs", "// ringway_lab::a\nuse ringway_lab::b;\n")]);
        assert_eq!(
            said(check(&house)),
            ["drivers/rust/src/x.rs:2: drivers/rust may not know lab (`ringway_lab`)"]
        );
    }

    #[test]
    fn refuses_a_path_into_another_room() {
        // Put together here, or the rule would find it in this file.
        let text = concat!("#[path = \"..", "/../../lab/src/ixgbe/rx.rs\"]\nmod rx;\n");
        let source = ("drivers/rust/src/x.rs", text);
        let module = ("drivers/go/go.mod", "module x\nreplace y => ../rust\n");
        let want = [
            "drivers/go/go.mod:2: drivers/go may not know drivers/rust (path `../rust`)",
            concat!(
                "drivers/rust/src/x.rs:1: drivers/rust may not know lab (path `..",
                "/../../lab/src/ixgbe/rx.rs`)"
            ),
        ];
        assert_eq!(said(check(&house(&[source, module]))), want);
    }

    #[test]
    fn lets_pass_what_is_allowed() {
        let cli = (
            "cli/Cargo.toml",
            "[package]\nname = \"c\"\n[dependencies]\nringway-lab = { path = \"../lab\" }\n",
        );
        let vectors = ("drivers/rust/src/ring.rs", "include_str!(\"../../../spec/vectors/ring.json\")");
        assert_eq!(said(check(&house(&[LAB, DRIVER, cli, vectors]))), Vec::<String>::new());
    }
}

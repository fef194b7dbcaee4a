//! The roster of a driver: the same stems in every language, their headers, step tags, and no typed masks.

use std::collections::BTreeMap;

use super::config::{Driver, Language};
use super::source::Source;
use super::tree::is_below;
use super::{House, Violation, cites, is_generated};

const RULE: &str = "roster";

/// Missing stems, headers, tags; large literals.
pub fn check(house: &House) -> Vec<Violation> {
    let mut out = Vec::new();
    for driver in &house.config.driver {
        let Some(language) = house.config.language.get(&driver.language) else {
            out.push(violation(
                "spec/house.toml",
                1,
                format!("{}: no language `{}`", driver.path, driver.language),
            ));
            continue;
        };
        let files = sources(house, driver, language);
        if files.is_empty() {
            continue; // the driver has not moved in yet
        }
        stems(house, driver, &files, &mut out);
        tags(house, driver, &files, &mut out);
        literals(house, driver, &files, &mut out);
    }
    out
}

fn violation(file: &str, line: usize, message: String) -> Violation {
    Violation { file: file.to_owned(), line, rule: RULE, message }
}

type Files<'a> = BTreeMap<&'a str, (&'a str, Source)>;

/// Texts and parts of the driver's sources, without generated files.
fn sources<'a>(house: &'a House, driver: &Driver, language: &Language) -> Files<'a> {
    let place = format!("{}/{}", driver.path, driver.source);
    let files =
        house.tree.files().filter(|(file, _)| is_below(file, &place) && house.language_of(file).is_some());
    files.map(|(file, text)| (file, (text, Source::split(text, language)))).collect()
}

/// Stem of a file below the driver's source root, in lower case and without separators inside of names: `Ixgbe/VfioUser.cs`
/// is `ixgbe/vfiouser`, and `bus/mod.rs`, `bus/index.js`, `dma/dma.go` are `bus`, `bus`, `dma`.
fn stem_of(driver: &Driver, file: &str) -> Option<String> {
    let inside = file.strip_prefix(&format!("{}/{}/", driver.path, driver.source))?;
    let path = inside.rsplit_once('.').map_or(inside, |(path, _)| path);
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    let own = parent.rsplit('/').next().is_some_and(|folder| plain(folder) == plain(name));
    let index = matches!(name, "mod" | "index" | "main" | "__init__");
    Some(plain(if !parent.is_empty() && (own || index) { parent } else { path }))
}

fn plain(stem: &str) -> String {
    stem.chars().filter(|c| *c != '_' && *c != '-').map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a file is the stem's own, whatever folders stand before it.
fn is_stem(driver: &Driver, stem: &str, file: &str) -> bool {
    let wanted = plain(stem);
    stem_of(driver, file).is_some_and(|own| own == wanted || own.ends_with(&format!("/{wanted}")))
}

/// Whether a file is the stem's own or lies in its folder.
pub fn is_under_stem(driver: &Driver, stem: &str, file: &str) -> bool {
    let wanted = format!("{}/", plain(stem));
    let own = stem_of(driver, file);
    is_stem(driver, stem, file)
        || own.is_some_and(|own| own.starts_with(&wanted) || own.contains(&format!("/{wanted}")))
}

/// `{device}/rx` for each device of the driver; other stems as they are.
fn expand<'a>(driver: &'a Driver, stems: &'a [String]) -> impl Iterator<Item = String> + 'a {
    stems.iter().flat_map(|stem| {
        let devices =
            if stem.contains("{device}") { driver.devices.as_slice() } else { &driver.devices[..1] };
        devices.iter().map(move |device| stem.replace("{device}", device))
    })
}

/// Every stem is there, and those that must have a header have it.
fn stems(house: &House, driver: &Driver, files: &Files<'_>, out: &mut Vec<Violation>) {
    let roster = &house.config.roster;
    let headed: Vec<String> = expand(driver, &roster.headed).chain(driver.ways.iter().cloned()).collect();
    let cited: Vec<String> = expand(driver, &roster.cited).collect();
    for stem in expand(driver, &roster.stems).chain(driver.ways.iter().cloned()) {
        let Some((file, (text, _))) = files.iter().find(|(file, _)| is_stem(driver, &stem, file)) else {
            out.push(violation(&driver.path, 1, format!("no file for the stem `{stem}`")));
            continue;
        };
        if headed.contains(&stem) && !is_generated(text) {
            let needs_key = cited.contains(&stem);
            out.extend(header(house, &stem, text, needs_key).map(|message| violation(file, 1, message)));
        }
    }
}

/// What is wrong with a file's header: `ID · SOURCES`, then a sentence, all in the comment that opens the file.
fn header(house: &House, stem: &str, text: &str, needs_key: bool) -> Option<String> {
    let inside =
        |line: &str| line.trim_start_matches(['/', '*', '#', '-', '(', '{', '!', ';', ' ']).trim().to_owned();
    let opening: Vec<String> =
        text.lines().take(8).take_while(|line| !line.trim().is_empty()).map(inside).collect();
    let opening: Vec<&String> = opening.iter().filter(|line| !line.is_empty()).collect();
    let form = format!("want a header: `{stem} · SOURCES`, then one sentence, then an empty line");
    let Some((id, keys)) = opening.first().and_then(|line| line.split_once('·')) else { return Some(form) };
    let sentence = opening.get(1..).unwrap_or(&[]);
    if plain(id.trim()) != plain(stem) || keys.trim().is_empty() {
        return Some(form);
    }
    if !sentence.last().is_some_and(|line| line.trim_end_matches([' ', '*', '/']).ends_with('.')) {
        return Some(format!("the header's sentence is missing or has no end: {form}"));
    }
    (needs_key && cites::keys(house, keys).is_empty())
        .then(|| format!("the header of `{stem}` cites no source key"))
}

/// Each step tag once per device, in comments of that device's files.
fn tags(house: &House, driver: &Driver, files: &Files<'_>, out: &mut Vec<Violation>) {
    for device in &driver.devices {
        let inside = |file: &&str| is_under_stem(driver, device, file);
        for tag in &house.config.roster.tags {
            let mark = format!("[{tag}]");
            let mut places = Vec::new();
            for (file, (_, source)) in files.iter().filter(|(file, _)| inside(file)) {
                let lines = source.comments.lines().enumerate();
                places.extend(lines.filter(|(_, line)| line.contains(&mark)).map(|(n, _)| (*file, n + 1)));
            }
            if places.is_empty() {
                out.push(violation(&driver.path, 1, format!("no step tag {mark} in {device}")));
            }
            let again = |&(file, line): &(&str, usize)| {
                violation(file, line, format!("step tag {mark} a second time"))
            };
            out.extend(places.iter().skip(1).map(again));
        }
    }
}

/// Hex literals that are masks or offsets: those have names.
fn literals(house: &House, driver: &Driver, files: &Files<'_>, out: &mut Vec<Violation>) {
    let largest = house.config.roster.largest_literal;
    for stem in expand(driver, &house.config.roster.literals) {
        for (file, (_, source)) in files.iter().filter(|(file, _)| is_under_stem(driver, &stem, file)) {
            if is_test_file(file) {
                continue;
            }
            for (line, code) in source.code_lines() {
                for literal in hex_literals(code).filter(|(_, value)| *value > u128::from(largest)) {
                    let message =
                        format!("`{}`: a number above 0x{largest:x} has a name in spec/", literal.0);
                    out.push(violation(file, line, message));
                }
            }
        }
    }
}

/// Files that hold nothing but tests.
pub fn is_test_file(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.split('.').next().unwrap_or(name);
    stem == "tests" || stem.ends_with("_test") || file.contains("/tests/") || file.contains("/test/")
}

fn hex_literals(code: &str) -> impl Iterator<Item = (&str, u128)> {
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter_map(|word| {
        let digits: String = word.strip_prefix("0x").or(word.strip_prefix("0X"))?.replace('_', "");
        let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        Some((word, u128::from_str_radix(&digits[..end], 16).ok()?))
    })
}

#[cfg(test)]
mod tests;

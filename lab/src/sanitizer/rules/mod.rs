//! The catalogue: every rule of the data sheet that the sanitizer knows.
//!
//! Rules are grouped by what they are about, one file a group; [`RULES`] is all of them. A rule's `id` is stable: tests,
//! expected-failure lists and users' own filters refer to it.

use std::fmt;

use serde::Serialize;

pub mod buffers;
pub mod general;
pub mod receive;
pub mod rings;
pub mod transmit;
pub mod transmit_descriptors;

/// How bad it is to break a rule. The order is the order of badness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Correct, but slower than it needs to be.
    Hint,
    /// Works on the cards and drivers we know of, although the data sheet says otherwise.
    Note,
    /// The data sheet forbids it or asks for something that was left out; a real card may misbehave.
    Warning,
    /// Packets or memory can be lost or corrupted.
    Error,
}

impl Severity {
    /// Lower-case name, as in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One rule of the data sheet.
#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Rule {
    /// Stable name, `subject.what_went_wrong`.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where the data sheet says so, as `82599 7.1.6`.
    pub section: &'static str,
    /// What went wrong, in a few words.
    pub title: &'static str,
    /// What the hardware does and why that matters.
    pub explanation: &'static str,
    /// What the driver should do instead.
    pub remedy: &'static str,
}

/// Declares a group of rules: a `static` for each, and `GROUP`, the list of them.
macro_rules! rules {
    ($($name:ident = $id:literal, $severity:ident, $section:literal, $title:literal,
        $explanation:literal, $remedy:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, " (", $section, ").")]
            pub static $name: $crate::sanitizer::rules::Rule = $crate::sanitizer::rules::Rule {
                id: $id,
                severity: $crate::sanitizer::rules::Severity::$severity,
                section: $section,
                title: $title,
                explanation: $explanation,
                remedy: $remedy,
            };
        )*
        /// The rules of this group, in the order of the file.
        pub static GROUP: &[&$crate::sanitizer::rules::Rule] = &[$(&$name),*];
    };
}
use rules;

const GROUPS: &[&[&Rule]] = &[
    general::GROUP,
    receive::GROUP,
    transmit::GROUP,
    rings::GROUP,
    transmit_descriptors::GROUP,
    buffers::GROUP,
];

const COUNT: usize = {
    let mut count = 0;
    let mut group = 0;
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

/// Every rule, group by group.
pub static RULES: [&Rule; COUNT] = {
    let mut all = [GROUPS[0][0]; COUNT];
    let (mut next, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut place = 0;
        while place < GROUPS[group].len() {
            all[next] = GROUPS[group][place];
            next += 1;
            place += 1;
        }
        group += 1;
    }
    all
};

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_well_formed() {
        let mut seen = HashSet::new();
        for rule in RULES {
            assert!(seen.insert(rule.id), "{} occurs twice", rule.id);
            let (subject, what) = rule.id.split_once('.').expect("subject.what");
            let plain =
                |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            assert!(!subject.is_empty() && plain(subject) && !what.is_empty() && plain(what), "{}", rule.id);
            assert!(find(rule.id).is_some_and(|found| std::ptr::eq(found, rule)));
        }
        assert!(RULES.len() >= 30);
    }

    #[test]
    fn every_rule_says_where_why_and_what_to_do() {
        for rule in RULES {
            let digits = rule
                .section
                .strip_prefix("82599 ")
                .unwrap_or_else(|| panic!("{}: {}", rule.id, rule.section));
            assert!(
                digits.split('.').all(|part| part.parse::<u8>().is_ok()),
                "{}: {}",
                rule.id,
                rule.section
            );
            for text in [rule.title, rule.explanation, rule.remedy] {
                assert!(
                    text.len() > 10 && !text.contains('|') && !text.contains('\n'),
                    "{}: {text}",
                    rule.id
                );
            }
            assert!(rule.explanation.ends_with('.') && rule.remedy.ends_with('.'), "{}", rule.id);
        }
    }
}

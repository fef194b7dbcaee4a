//! Findings, and the handle through which others read them while the NIC runs.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Serialize, Serializer};

use super::rules::{Rule, Severity};
use crate::clock::Nanos;
use crate::events::Queue;

/// Findings that are kept with their message; later ones are only counted. Every rule and place makes one, so that a
/// driver has to be wrong in very many ways to get here.
const MOST_FINDINGS: usize = 1000;

/// Where a rule was broken. Repetitions at the same place are counted, not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The device as a whole.
    Device,
    /// The register at this offset.
    Register(u32),
    /// This queue.
    Queue(Queue),
}

/// A rule that the driver broke at one place, once or repeatedly.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Which rule.
    pub rule: &'static Rule,
    /// What happened the first time: registers or slots, values, and what was expected.
    pub message: String,
    /// When it happened first.
    #[serde(rename = "time_ns", serialize_with = "nanoseconds")]
    pub time: Nanos,
    /// Nanoseconds from the driver's attaching to the first time.
    pub after_attach_ns: u64,
    /// How often it happened at this place.
    pub count: u64,
}

fn nanoseconds<S: Serializer>(time: &Nanos, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.0)
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rule { id, severity, section, .. } = self.rule;
        write!(f, "{severity}: {id}: {} ({section})", self.message)?;
        if self.count > 1 {
            write!(f, " [{} times]", self.count)?;
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Kept {
    findings: Vec<Finding>,
    /// Where in `findings` the one for this rule and place is.
    places: HashMap<(&'static str, Place), usize>,
}

#[derive(Debug, Default)]
struct Shared {
    kept: Mutex<Kept>,
    occurrences: AtomicU64,
    strict: AtomicBool,
    fatal: AtomicBool,
}

impl Shared {
    /// Nothing can be left half done under this lock, so a panic elsewhere does not spoil it.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the sanitizer has found. Clones share the same findings; any thread may ask.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    shared: Arc<Shared>,
}

impl Findings {
    /// In strict mode the first finding of severity [`Severity::Warning`] or worse makes [`fatal`](Self::fatal) true.
    pub fn set_strict(&self, strict: bool) {
        self.shared.strict.store(strict, Ordering::Relaxed);
        let fatal = strict && self.worst() >= Some(Severity::Warning);
        self.shared.fatal.store(fatal, Ordering::Relaxed);
    }

    /// Whether the run should be stopped. Cheap enough to ask all the time.
    pub fn fatal(&self) -> bool {
        self.shared.fatal.load(Ordering::Relaxed)
    }

    /// All findings so far, in the order in which they were made.
    pub fn all(&self) -> Vec<Finding> {
        self.shared.kept().findings.clone()
    }

    /// All findings so far, which are forgotten: what happens again will be reported again.
    pub fn take(&self) -> Vec<Finding> {
        let mut kept = self.shared.kept();
        kept.places.clear();
        self.shared.fatal.store(false, Ordering::Relaxed);
        std::mem::take(&mut kept.findings)
    }

    /// Number of different findings, each a rule at a place.
    pub fn count(&self) -> usize {
        self.shared.kept().findings.len()
    }

    /// Number of findings of this severity or worse.
    pub fn at_least(&self, severity: Severity) -> usize {
        self.shared.kept().findings.iter().filter(|finding| finding.rule.severity >= severity).count()
    }

    /// How often any rule was broken since the sanitizer was made, repetitions and taken findings included.
    pub fn occurrences(&self) -> u64 {
        self.shared.occurrences.load(Ordering::Relaxed)
    }

    /// Severity of the worst finding.
    pub fn worst(&self) -> Option<Severity> {
        self.shared.kept().findings.iter().map(|finding| finding.rule.severity).max()
    }

    /// One line such as `1 error, 2 warnings`, or `no findings`.
    pub fn summary(&self) -> String {
        let kept = self.shared.kept();
        let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note, Severity::Hint]
            .into_iter()
            .filter_map(|severity| {
                let count = kept.findings.iter().filter(|finding| finding.rule.severity == severity).count();
                let plural = if count == 1 { "" } else { "s" };
                (count > 0).then(|| format!("{count} {severity}{plural}"))
            })
            .collect();
        if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") }
    }
}

/// The sanitizer's end of [`Findings`].
#[derive(Debug)]
pub(super) struct Reporter {
    shared: Arc<Shared>,
    attached: Nanos,
    pub now: Nanos,
}

impl Reporter {
    pub fn new() -> (Self, Findings) {
        let findings = Findings::default();
        let reporter = Reporter {
            shared: Arc::clone(&findings.shared),
            attached: Nanos::default(),
            now: Nanos::default(),
        };
        (reporter, findings)
    }

    pub fn attached(&mut self, now: Nanos) {
        self.attached = now;
    }

    /// Records that `rule` was broken at `place`. The message is only made if it is the first time.
    #[cold]
    pub fn report(&mut self, rule: &'static Rule, place: Place, message: impl FnOnce() -> String) {
        self.shared.occurrences.fetch_add(1, Ordering::Relaxed);
        let mut kept = self.shared.kept();
        let kept = &mut *kept;
        if let Some(known) = kept.places.get(&(rule.id, place)) {
            kept.findings[*known].count += 1;
            return;
        }
        if rule.severity >= Severity::Warning && self.shared.strict.load(Ordering::Relaxed) {
            self.shared.fatal.store(true, Ordering::Relaxed);
        }
        if kept.findings.len() >= MOST_FINDINGS {
            return;
        }
        kept.places.insert((rule.id, place), kept.findings.len());
        let after_attach_ns = self.now.since(self.attached);
        kept.findings.push(Finding { rule, message: message(), time: self.now, after_attach_ns, count: 1 });
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{general, rings};
    use super::*;

    fn reporter() -> (Reporter, Findings) {
        let (mut reporter, findings) = Reporter::new();
        reporter.attached(Nanos(1000));
        reporter.now = Nanos(1500);
        (reporter, findings)
    }

    #[test]
    fn repetitions_are_counted_and_not_listed() {
        let (mut reporter, findings) = reporter();
        for n in 0..5 {
            reporter.report(&general::READ_ONLY, Place::Register(8), || format!("time {n}"));
        }
        reporter.report(&general::READ_ONLY, Place::Register(12), || "elsewhere".to_owned());
        let all = findings.all();
        assert_eq!(
            all.iter().map(|f| (f.message.as_str(), f.count)).collect::<Vec<_>>(),
            [("time 0", 5), ("elsewhere", 1)]
        );
        assert_eq!((findings.count(), findings.occurrences()), (2, 6));
        assert_eq!(all[0].after_attach_ns, 500);
        assert_eq!(findings.summary(), "2 warnings");
    }

    #[test]
    fn what_was_taken_is_reported_again() {
        let (mut reporter, findings) = reporter();
        reporter.report(&general::READ_ONLY, Place::Device, String::new);
        assert_eq!(findings.take().len(), 1);
        assert_eq!((findings.count(), findings.worst()), (0, None));
        reporter.report(&general::READ_ONLY, Place::Device, String::new);
        assert_eq!(findings.count(), 1);
    }

    #[test]
    fn strict_mode_is_fatal_from_a_warning_on() {
        let (mut reporter, findings) = reporter();
        findings.set_strict(true);
        reporter.report(&rings::RX_HEAD_REWRITTEN, Place::Device, String::new);
        assert!(!findings.fatal(), "a note is not fatal");
        reporter.report(&general::READ_ONLY, Place::Device, String::new);
        assert!(findings.fatal());
        findings.take();
        assert!(!findings.fatal());
    }

    #[test]
    fn strict_mode_looks_back() {
        let (mut reporter, findings) = reporter();
        reporter.report(&general::READ_ONLY, Place::Device, String::new);
        assert!(!findings.fatal());
        findings.set_strict(true);
        assert!(findings.fatal());
    }

    #[test]
    fn a_flood_of_places_is_bounded() {
        let (mut reporter, findings) = reporter();
        for n in 0..5000 {
            reporter.report(&general::UNKNOWN, Place::Register(n), String::new);
        }
        assert_eq!(findings.count(), MOST_FINDINGS);
        assert_eq!(findings.occurrences(), 5000);
    }

    #[test]
    fn a_finding_says_rule_section_and_count() {
        let (mut reporter, findings) = reporter();
        reporter.report(&general::READ_ONLY, Place::Device, || "STATUS written with 0x1".to_owned());
        reporter.report(&general::READ_ONLY, Place::Device, String::new);
        let finding = findings.all().remove(0);
        assert_eq!(
            finding.to_string(),
            "warning: reg.read_only: STATUS written with 0x1 (82599 8.2.3) [2 times]"
        );
        let json = serde_json::to_value(&finding).unwrap();
        assert_eq!((&json["rule"]["id"], &json["count"]), (&"reg.read_only".into(), &2.into()));
        assert_eq!((&json["rule"]["severity"], &json["time_ns"]), (&"warning".into(), &1500.into()));
    }
}

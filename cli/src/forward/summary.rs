//! What a run has shown, for people and for programs.

use ringway_lab::sanitizer::{Finding, Severity};
use ringway_lab::wire::latency::LatencySummary;
use serde::Serialize;

/// Everything that is known at the end of a run.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The driver's name.
    pub driver: String,
    /// Its version, as it says itself.
    pub version: String,
    /// How it reached the devices, as it says itself.
    pub way: String,
    /// Seconds from the first packet to the last, by the lab's clock.
    pub elapsed_s: f64,
    /// The user ended the run before its time.
    pub interrupted: bool,
    /// One for each direction that had traffic.
    pub flows: Vec<Flow>,
    /// What the driver says that it counted against what the lab counted; empty if the driver said nothing.
    pub counters: Vec<Difference>,
    /// The driver told its counters at the end.
    pub counters_told: bool,
    /// Slots that the driver could not account for.
    pub slots_lost: u64,
    /// Packets that the driver says it took and could not send on.
    pub driver_dropped: u64,
    /// Resident memory of the driver, start and end of the run, in bytes, if the kernel told.
    pub memory: Option<Memory>,
    /// What the sanitizer found, one for each rule.
    pub findings: Vec<Broken>,
    /// Whether the sanitizer looked at all.
    pub sanitized: bool,
    /// A finding is a bad verdict.
    pub strict: bool,
    /// More is sent than the driver can be expected to carry: loss is no fault if it is counted.
    pub overload: bool,
}

/// One direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Flow {
    /// `a -> b`.
    pub name: String,
    /// Packets that were meant to be sent, if their number was set before.
    pub planned: Option<u64>,
    /// Packets that the first NIC took off its wire.
    pub sent: u64,
    /// Packets that came out of the second one, right or wrong.
    pub received: u64,
    /// Bytes that came out, without FCS.
    pub bytes: u64,
    /// Packets that never came out.
    pub lost: u64,
    /// Packets that the first NIC or the driver dropped and counted, by reason.
    pub dropped: Vec<Dropped>,
    /// Packets that came out more than once.
    pub duplicates: u64,
    /// Packets that were overtaken.
    pub reordered: u64,
    /// Packets that came out with wrong bytes, or that nobody has sent.
    pub wrong: u64,
    /// Packets a second.
    pub rate_pps: f64,
    /// From the wire of the one NIC to the wire of the other.
    pub latency: Option<LatencySummary>,
    /// What is known of the first packet that went wrong.
    pub first_wrong: Option<String>,
}

/// Why a NIC dropped packets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// Name of the reason.
    pub reason: &'static str,
    /// How many.
    pub packets: u64,
}

/// A counter about which driver and lab do not agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// `a` or `b`.
    pub device: String,
    /// Name of the counter as in the app's JSON.
    pub counter: &'static str,
    /// What the driver says.
    pub driver: u64,
    /// What the lab counted.
    pub lab: u64,
}

/// Resident memory of the driver's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// When the devices were open, in bytes.
    pub start: u64,
    /// When the traffic had ended, in bytes.
    pub end: u64,
}

/// A rule that the driver broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// `a` or `b`.
    pub device: String,
    /// The rule's id.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The section of the data sheet.
    pub section: &'static str,
    /// What happened the first time, with register or slot and values.
    pub message: String,
    /// What the driver should do instead.
    pub remedy: &'static str,
    /// At how many places: registers, queues.
    pub places: u64,
    /// How often it happened, at all places together.
    pub count: u64,
}

impl Broken {
    /// The findings at the NIC called `device`, one for each rule.
    pub fn by_rule(device: &str, findings: &[Finding]) -> Vec<Self> {
        let mut by_rule: Vec<Broken> = Vec::new();
        for finding in findings {
            match by_rule.iter_mut().find(|broken| broken.rule == finding.rule.id) {
                Some(broken) => {
                    broken.places += 1;
                    broken.count += finding.count;
                }
                None => by_rule.push(Broken::new(device, finding)),
            }
        }
        by_rule
    }

    fn new(device: &str, finding: &Finding) -> Self {
        Broken {
            device: device.to_owned(),
            rule: finding.rule.id,
            severity: finding.rule.severity,
            section: finding.rule.section,
            message: finding.message.clone(),
            remedy: finding.rule.remedy,
            places: 1,
            count: finding.count,
        }
    }

    /// Bad enough for `--strict`: a driver that works on this lab may not work on a card.
    fn is_serious(&self) -> bool {
        self.severity >= Severity::Warning
    }
}

impl Summary {
    /// Why the verdict is bad, in words; empty if it is good.
    pub fn complaints(&self) -> Vec<String> {
        let overload = self.overload;
        let mut complaints: Vec<_> = self.flows.iter().flat_map(|flow| flow.complaints(overload)).collect();
        if self.interrupted {
            complaints.push("stopped before its end".to_owned());
        } else {
            complaints.extend(self.flows.iter().filter_map(Flow::unsent));
        }
        if self.slots_lost > 0 {
            complaints.push(format!("driver lost {} slots", self.slots_lost));
        }
        if !self.counters_told {
            complaints.push("driver told no counters at its end".to_owned());
        } else if !self.counters.is_empty() {
            complaints.push(format!("{} counters differ", self.counters.len()));
        }
        let serious = self.findings.iter().filter(|broken| broken.is_serious()).count();
        if self.strict && serious > 0 {
            complaints.push(format!("{serious} rules of the data sheet broken"));
        }
        complaints
    }

    /// One object for programs.
    pub fn json(&self) -> serde_json::Value {
        let complaints = self.complaints();
        let mut value = serde_json::to_value(self).unwrap_or_default();
        value["event"] = "summary".into();
        value["ok"] = complaints.is_empty().into();
        value["complaints"] = complaints.into();
        value["note"] = NOTE.into();
        value
    }
}

/// What every rate from the lab has to be read with.
pub const NOTE: &str = "rates are the driver's CPU cost on a software NIC, not the speed of a card";

impl Flow {
    /// The first NIC did not take everything off its wire.
    fn unsent(&self) -> Option<String> {
        if self.sent == 0 {
            return Some(format!("no packet was taken off the wire ({})", self.name));
        }
        let left = self.planned?.checked_sub(self.sent).filter(|left| *left > 0)?;
        Some(format!("{left} packets were never taken off the wire ({})", self.name))
    }

    /// Packets that were lost and that neither NIC nor driver has counted.
    fn uncounted(&self) -> u64 {
        let counted = self.dropped.iter().map(|dropped| dropped.packets).sum();
        self.lost.saturating_sub(counted)
    }

    fn complaints(&self, overload: bool) -> Vec<String> {
        let lost = if overload { (self.uncounted(), "lost and not counted") } else { (self.lost, "lost") };
        [lost, (self.duplicates, "duplicated"), (self.reordered, "out of order"), (self.wrong, "wrong")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} packets {what} ({})", self.name))
            .collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn clean() -> Summary {
        let latency = LatencySummary {
            samples: 812,
            mean_ns: 1_500.0,
            min_ns: 900,
            p50_ns: 1_200,
            p90_ns: 1_900,
            p99_ns: 4_100,
            p999_ns: 20_500,
            max_ns: 812_000,
        };
        let flow = Flow {
            name: "a -> b".into(),
            sent: 812,
            received: 812,
            bytes: 271_828,
            rate_pps: 66.5,
            latency: Some(latency),
            ..Flow::default()
        };
        Summary {
            driver: "rust".into(),
            version: "0.1.0".into(),
            way: "vfio-user".into(),
            elapsed_s: 12.21,
            interrupted: false,
            flows: vec![flow],
            counters: vec![],
            counters_told: true,
            slots_lost: 0,
            driver_dropped: 0,
            memory: None,
            findings: vec![],
            sanitized: true,
            strict: false,
            overload: false,
        }
    }

    pub fn finding() -> Broken {
        Broken {
            device: "a".into(),
            rule: "ring.tail_past_head",
            severity: Severity::Error,
            section: "82599 7.1.9",
            message: "RDT[0] = 17 is past RDH[0] = 12".into(),
            remedy: "leave one descriptor free",
            places: 1,
            count: 3,
        }
    }

    #[test]
    fn a_clean_run_has_nothing_to_complain_of() {
        assert_eq!(clean().complaints(), Vec::<String>::new());
        assert_eq!(clean().json()["ok"], true);
        assert_eq!(clean().json()["flows"][0]["latency"]["p999_ns"], 20_500);
    }

    #[test]
    fn each_thing_that_is_wrong_is_said() {
        let mut summary = clean();
        summary.flows[0].lost = 2;
        summary.flows[0].wrong = 1;
        summary.slots_lost = 4;
        assert_eq!(
            summary.complaints(),
            ["2 packets lost (a -> b)", "1 packets wrong (a -> b)", "driver lost 4 slots"]
        );
        assert_eq!(summary.json()["ok"], false);
    }

    #[test]
    fn packets_that_were_never_sent_are_missed_unless_the_user_stopped_it() {
        let mut summary = clean();
        summary.flows[0].planned = Some(1000);
        assert_eq!(summary.complaints(), ["188 packets were never taken off the wire (a -> b)"]);
        summary.flows[0].sent = 0;
        summary.flows[0].planned = None;
        assert_eq!(summary.complaints(), ["no packet was taken off the wire (a -> b)"]);
        summary.interrupted = true;
        assert_eq!(summary.complaints(), ["stopped before its end"]);
    }

    #[test]
    fn in_overload_counted_loss_is_no_fault() {
        let mut summary = clean();
        summary.flows[0].lost = 5;
        summary.flows[0].dropped.push(Dropped { reason: "full", packets: 5 });
        assert_eq!(summary.complaints().len(), 1);
        summary.overload = true;
        assert!(summary.complaints().is_empty());
        summary.flows[0].lost = 6;
        assert_eq!(summary.complaints(), ["1 packets lost and not counted (a -> b)"]);
    }

    #[test]
    fn a_finding_is_fatal_only_when_strict() {
        let mut summary = clean();
        summary.findings.push(finding());
        assert!(summary.complaints().is_empty());
        summary.strict = true;
        summary.findings.push(Broken { severity: Severity::Note, ..finding() });
        assert_eq!(summary.complaints(), ["1 rules of the data sheet broken"]);
    }
}

//! The summary as text.

use super::summary::{Broken, Flow, NOTE, Summary};
use crate::ui::{self, Paint};

/// Lines for the terminal.
pub fn render(summary: &Summary, paint: Paint) -> Vec<String> {
    let mut lines = vec![row(
        "driver",
        format!("{} {}, reached the NICs over {}", summary.driver, summary.version, summary.way),
    )];
    for flow in &summary.flows {
        lines.extend(flow_lines(flow, paint));
    }
    lines.push(row("counters", counters(summary, paint)));
    for difference in &summary.counters {
        let place = format!("{} {}", difference.device, difference.counter);
        lines.push(row(
            "",
            format!("{place}: driver says {}, lab counted {}", difference.driver, difference.lab),
        ));
    }
    lines.push(row("slots lost", zero_is_good(summary.slots_lost, paint)));
    if let Some(memory) = summary.memory {
        lines.push(row(
            "memory",
            format!("{} at start, {} at end", ui::bytes(memory.start), ui::bytes(memory.end)),
        ));
    }
    lines.extend(findings(summary, paint));
    lines.push(row("", paint.dim(NOTE)));
    lines.push(verdict(summary, paint));
    lines
}

fn row(label: &str, text: impl AsRef<str>) -> String {
    format!("{label:<12}{}", text.as_ref())
}

fn flow_lines(flow: &Flow, paint: Paint) -> Vec<String> {
    let arrived = flow.received - flow.duplicates.min(flow.received);
    let packets = format!(
        "{} of {} packets arrived, {}",
        ui::grouped(arrived),
        ui::grouped(flow.sent),
        ui::bytes(flow.bytes)
    );
    let dropped: Vec<_> =
        flow.dropped.iter().map(|by| format!("{} {}", ui::grouped(by.packets), by.reason)).collect();
    let lost = match dropped.is_empty() {
        true => zero_is_good(flow.lost, paint),
        false => format!("{} (counted: {})", zero_is_good(flow.lost, paint), dropped.join(", ")),
    };
    let mut lines = vec![
        row(&flow.name, packets),
        row("  lost", lost),
        row("  reordered", zero_is_good(flow.reordered, paint)),
        row("  duplicate", zero_is_good(flow.duplicates, paint)),
        row("  wrong", zero_is_good(flow.wrong, paint)),
        row("  rate", ui::rate(flow.rate_pps)),
    ];
    if let Some(first) = &flow.first_wrong {
        lines.push(row("  first", first));
    }
    if let Some(latency) = &flow.latency {
        let parts = [
            ("p50", latency.p50_ns),
            ("p90", latency.p90_ns),
            ("p99", latency.p99_ns),
            ("p99.9", latency.p999_ns),
            ("max", latency.max_ns),
        ];
        let parts: Vec<_> =
            parts.iter().map(|(name, value)| format!("{name} {}", ui::duration(*value))).collect();
        lines.push(row("  latency", parts.join("  ")));
    }
    lines
}

fn zero_is_good(count: u64, paint: Paint) -> String {
    let text = ui::grouped(count);
    if count == 0 { paint.good(&text) } else { paint.bad(&text) }
}

fn counters(summary: &Summary, paint: Paint) -> String {
    match (summary.counters_told, summary.counters.is_empty()) {
        (false, _) => paint.bad("the driver told none at its end"),
        (true, true) => paint.good("driver and lab agree"),
        (true, false) => paint.bad("driver and lab differ"),
    }
}

fn findings(summary: &Summary, paint: Paint) -> Vec<String> {
    let head = match (summary.sanitized, summary.findings.len()) {
        (false, _) => "off".to_owned(),
        (true, 0) => paint.good("no finding"),
        (true, count) => paint.bad(&format!("{count} rules broken")),
    };
    let mut lines = vec![row("sanitizer", head)];
    for broken in &summary.findings {
        let times = times(broken);
        lines.push(row(
            "",
            format!(
                "{} {} on NIC {}, {times} [{}]",
                broken.severity,
                paint.strong(broken.rule),
                broken.device,
                broken.section
            ),
        ));
        lines.push(row("", format!("  {}", broken.message)));
        lines.push(row("", paint.dim(&format!("  -> {}", broken.remedy))));
    }
    lines
}

fn times(broken: &Broken) -> String {
    match (broken.count, broken.places) {
        (1, _) => "once".to_owned(),
        (count, 1) => format!("{} times", ui::grouped(count)),
        (count, places) => format!("{} times at {} places, first", ui::grouped(count), ui::grouped(places)),
    }
}

fn verdict(summary: &Summary, paint: Paint) -> String {
    let complaints = summary.complaints();
    match complaints.is_empty() {
        true => row("verdict", paint.good("good")),
        false => row("verdict", paint.bad(&format!("BAD: {}", complaints.join(", ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forward::summary::tests::{clean, finding};
    use crate::forward::summary::{Difference, Dropped, Memory};

    #[test]
    fn a_clean_run_reads_like_this() {
        let expected = "\
driver      rust 0.1.0, reached the NICs over vfio-user
a -> b      812 of 812 packets arrived, 272 kB
  lost      0
  reordered 0
  duplicate 0
  wrong     0
  rate      66.5 pps
  latency   p50 1.20 us  p90 1.90 us  p99 4.10 us  p99.9 20.5 us  max 812 us
counters    driver and lab agree
slots lost  0
sanitizer   no finding
            rates are the driver's CPU cost on a software NIC, not the speed of a card
verdict     good";
        assert_eq!(render(&clean(), Paint::off()).join("\n"), expected);
    }

    #[test]
    fn a_bad_run_reads_like_this() {
        let mut summary = clean();
        summary.flows[0].received = 810;
        summary.flows[0].lost = 2;
        summary.flows[0].dropped.push(Dropped { reason: "no descriptor", packets: 1 });
        summary.flows[0].latency = None;
        summary.counters.push(Difference {
            device: "a".into(),
            counter: "rx_packets",
            driver: 810,
            lab: 811,
        });
        summary.memory = Some(Memory { start: 12_000_000, end: 12_100_000 });
        summary.findings.push(finding());
        summary.strict = true;
        let expected = "\
driver      rust 0.1.0, reached the NICs over vfio-user
a -> b      810 of 812 packets arrived, 272 kB
  lost      2 (counted: 1 no descriptor)
  reordered 0
  duplicate 0
  wrong     0
  rate      66.5 pps
counters    driver and lab differ
            a rx_packets: driver says 810, lab counted 811
slots lost  0
memory      12.0 MB at start, 12.1 MB at end
sanitizer   1 rules broken
            error ring.tail_past_head on NIC a, 3 times [82599 7.1.9]
              RDT[0] = 17 is past RDH[0] = 12
              -> leave one descriptor free
            rates are the driver's CPU cost on a software NIC, not the speed of a card
verdict     BAD: 2 packets lost (a -> b), 1 counters differ, 1 rules of the data sheet broken";
        assert_eq!(render(&summary, Paint::off()).join("\n"), expected);
    }
}

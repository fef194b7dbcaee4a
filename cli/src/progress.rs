//! Tells how far a run is: a bar on a terminal, plain lines elsewhere, objects for programs.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::ui;

/// Time between two plain lines or objects.
const EVERY: Duration = Duration::from_secs(1);

/// How far a run is, in packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Packets to be sent in all, if that is known.
    pub total: Option<u64>,
    /// Packets that have gone into a NIC.
    pub sent: u64,
    /// Packets that have come out of the other.
    pub arrived: u64,
}

/// Where progress goes.
pub struct Progress {
    form: Form,
    started: Instant,
    told: Instant,
    arrived_then: u64,
}

enum Form {
    Bar(ProgressBar),
    Lines,
    Objects,
}

impl Progress {
    /// `json` wants objects on standard output; otherwise it is told on standard error.
    pub fn new(json: bool, total: Option<u64>) -> Self {
        let form = match (json, std::io::stderr().is_terminal()) {
            (true, _) => Form::Objects,
            (false, true) => Form::Bar(bar(total)),
            (false, false) => Form::Lines,
        };
        let now = Instant::now();
        Progress { form, started: now, told: now, arrived_then: 0 }
    }

    /// To be called often; tells when it is time.
    pub fn update(&mut self, step: &Step) {
        let now = Instant::now();
        if let Form::Bar(bar) = &self.form {
            bar.set_position(step.arrived);
        }
        let passed = now.duration_since(self.told);
        if passed < EVERY {
            return;
        }
        let rate = step.arrived.saturating_sub(self.arrived_then) as f64 / passed.as_secs_f64();
        (self.told, self.arrived_then) = (now, step.arrived);
        self.tell(step, now.duration_since(self.started).as_secs_f64(), rate);
    }

    fn tell(&self, step: &Step, time: f64, rate: f64) {
        match &self.form {
            Form::Bar(bar) => bar.set_message(ui::rate(rate)),
            Form::Lines => ui::note(line(step, time, rate)),
            Form::Objects => ui::say(
                json!({
                    "event": "progress", "time_s": time, "total": step.total, "sent": step.sent,
                    "arrived": step.arrived, "rate_pps": rate,
                })
                .to_string(),
            ),
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => {
            (ProgressBar::new(total), "{bar:30} {human_pos} of {human_len} packets  {msg}  {eta} left")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {human_pos} packets  {msg}  {elapsed}"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

fn line(step: &Step, time: f64, rate: f64) -> String {
    let of = step.total.map_or_else(String::new, |total| format!(" of {}", ui::grouped(total)));
    let under_way = step.sent.saturating_sub(step.arrived);
    format!(
        "{time:5.0} s  {}{of} packets arrived, {} on the way, {}",
        ui::grouped(step.arrived),
        ui::grouped(under_way),
        ui::rate(rate)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_says_how_far_it_is() {
        let step = Step { total: Some(2_000), sent: 1_212, arrived: 1_200 };
        assert_eq!(
            line(&step, 12.3, 97.6),
            "   12 s  1 200 of 2 000 packets arrived, 12 on the way, 97.6 pps"
        );
        let endless = Step { total: None, sent: 5, arrived: 5 };
        assert_eq!(line(&endless, 1.0, 5.0), "    1 s  5 packets arrived, 0 on the way, 5 pps");
    }
}

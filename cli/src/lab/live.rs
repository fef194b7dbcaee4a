//! What a running lab shows: counters of each NIC, once a second.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use ringway_lab::ixgbe::Counters;
use serde_json::json;

use crate::ui::{self, Paint};

/// One NIC at one moment.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// A driver has it.
    pub driver: bool,
    /// Its link is up.
    pub link: bool,
    /// What went through its port.
    pub counters: Counters,
    /// What the driver sent and what got nowhere: descriptors that made no sense, a full cable, an interface that is down.
    pub tx_lost: u64,
    /// Findings of its sanitizer so far.
    pub findings: usize,
}

/// Shows samples in whatever way suits the reader.
pub struct Live {
    form: Form,
    before: Option<(Instant, Vec<Sample>)>,
}

enum Form {
    /// Drawn over and over in place; holds the number of lines on the screen.
    Screen(usize),
    /// A line for each NIC whose counters have changed.
    Lines,
    /// An object for each second.
    Objects,
}

impl Live {
    /// `json` wants objects.
    pub fn new(json: bool) -> Self {
        let form = match (json, std::io::stdout().is_terminal()) {
            (true, _) => Form::Objects,
            (false, true) => Form::Screen(0),
            (false, false) => Form::Lines,
        };
        Live { form, before: None }
    }

    /// Prints a line that stays, above the counters.
    pub fn print(&mut self, line: &str) {
        match &mut self.form {
            Form::Screen(lines) => {
                ui::say(format!("{}{line}", erase(*lines)));
                *lines = 0;
            }
            Form::Lines => ui::say(line),
            Form::Objects => ui::note(line),
        }
    }

    /// Shows the counters of now.
    pub fn show(&mut self, now: Instant, samples: Vec<Sample>) {
        let rows: Vec<_> = samples.iter().map(|sample| self.row(now, sample)).collect();
        match &mut self.form {
            Form::Screen(lines) => {
                let text = screen(&rows, Paint::stdout());
                let mut out = std::io::stdout().lock();
                let _ = write!(out, "{}{text}", erase(*lines));
                let _ = out.flush();
                *lines = text.lines().count();
            }
            Form::Lines => rows.iter().filter(|row| row.moved).for_each(|row| ui::say(row.line())),
            Form::Objects => ui::say(
                json!({
                    "event": "counters",
                    "nics": rows.iter().map(Row::json).collect::<Vec<_>>(),
                })
                .to_string(),
            ),
        }
        self.before = Some((now, samples));
    }

    fn row<'a>(&self, now: Instant, sample: &'a Sample) -> Row<'a> {
        let before = self.before.as_ref();
        let earlier = before.and_then(|(_, samples)| samples.iter().find(|other| other.name == sample.name));
        let seconds = before.map_or(0.0, |(then, _)| now.duration_since(*then).as_secs_f64());
        let rate = |now: u64, then: u64| if seconds > 0.0 { (now - then) as f64 / seconds } else { 0.0 };
        let then = earlier.map(|earlier| earlier.counters).unwrap_or(sample.counters);
        Row {
            sample,
            rx_pps: rate(sample.counters.rx_frames, then.rx_frames),
            tx_pps: rate(sample.counters.tx_frames, then.tx_frames),
            moved: earlier.is_none_or(|earlier| {
                earlier.counters != sample.counters
                    || earlier.tx_lost != sample.tx_lost
                    || earlier.driver != sample.driver
                    || earlier.link != sample.link
            }),
        }
    }
}

struct Row<'a> {
    sample: &'a Sample,
    rx_pps: f64,
    tx_pps: f64,
    moved: bool,
}

impl Row<'_> {
    fn line(&self) -> String {
        let Sample { name, driver, link, counters, tx_lost, findings } = self.sample;
        format!(
            "{name}: driver {}, link {}, rx {} ({}), tx {} ({}), rx dropped {}, tx lost {}, findings {findings}",
            if *driver { "yes" } else { "no" },
            if *link { "up" } else { "down" },
            ui::grouped(counters.rx_frames),
            ui::rate(self.rx_pps),
            ui::grouped(counters.tx_frames),
            ui::rate(self.tx_pps),
            ui::grouped(counters.dropped.total()),
            ui::grouped(*tx_lost),
        )
    }

    fn json(&self) -> serde_json::Value {
        let Sample { name, driver, link, counters, tx_lost, findings } = self.sample;
        json!({
            "name": name, "driver": driver, "link": link, "rx_pps": self.rx_pps, "tx_pps": self.tx_pps,
            "rx_packets": counters.rx_frames, "rx_bytes": counters.rx_bytes,
            "tx_packets": counters.tx_frames, "tx_bytes": counters.tx_bytes,
            "dropped": counters.dropped.total(), "tx_lost": tx_lost, "findings": findings,
        })
    }
}

/// Moves the cursor up over what was drawn, and wipes it.
fn erase(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\x1b[{lines}A\x1b[J") }
}

fn screen(rows: &[Row<'_>], paint: Paint) -> String {
    let mut table = ui::table(&[
        "NIC",
        "driver",
        "link",
        "rx",
        "tx",
        "rx packets",
        "tx packets",
        "rx dropped",
        "tx lost",
        "findings",
    ]);
    for row in rows {
        let Sample { name, driver, link, counters, tx_lost, findings } = row.sample;
        table.add_row([
            name.clone(),
            if *driver { "yes".into() } else { "-".into() },
            if *link { "up".into() } else { "down".into() },
            ui::rate(row.rx_pps),
            ui::rate(row.tx_pps),
            ui::grouped(counters.rx_frames),
            ui::grouped(counters.tx_frames),
            ui::grouped(counters.dropped.total()),
            ui::grouped(*tx_lost),
            findings.to_string(),
        ]);
    }
    let hint = paint.dim("Ctrl-C takes the lab down.");
    format!("{}\n{hint}\n", table.trim_fmt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn sample(frames: u64) -> Sample {
        let counters = Counters { rx_frames: frames, ..Counters::default() };
        Sample { name: "a".into(), driver: true, counters, ..Sample::default() }
    }

    #[test]
    fn a_rate_is_what_came_since_the_last_look() {
        let start = Instant::now();
        let live = Live { form: Form::Lines, before: Some((start, vec![sample(1000)])) };
        let now = sample(3000);
        let row = live.row(start + Duration::from_secs(2), &now);
        assert_eq!((row.rx_pps, row.tx_pps, row.moved), (1000.0, 0.0, true));
        assert_eq!(
            row.line(),
            "a: driver yes, link down, rx 3 000 (1.00 kpps), tx 0 (0 pps), rx dropped 0, tx lost 0, findings 0"
        );
        assert_eq!(row.json()["rx_packets"], 3000);
    }

    #[test]
    fn the_first_look_has_no_rate() {
        let live = Live { form: Form::Lines, before: None };
        let now = sample(3000);
        assert_eq!(live.row(Instant::now(), &now).rx_pps, 0.0);
    }

    #[test]
    fn a_screen_has_a_row_for_each_nic() {
        let sample = sample(12_345);
        let row = Row { sample: &sample, rx_pps: 1500.0, tx_pps: 0.0, moved: true };
        let text = screen(&[row], Paint::off());
        assert!(text.lines().nth(1).unwrap().contains("12 345"), "{text}");
        assert_eq!(text.lines().count(), 3);
    }
}

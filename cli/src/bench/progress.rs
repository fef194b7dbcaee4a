//! Tells how far a measurement is: a bar on a terminal, plain lines elsewhere, objects for programs.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use ringway_bench::run::Progress;
use serde_json::json;

use crate::ui;

/// Where progress goes.
pub enum Place {
    /// A terminal.
    Terminal(ProgressBar),
    /// A log: a line for each round.
    Log {
        /// The round that was told last.
        round: usize,
    },
    /// A program.
    Program,
}

impl Place {
    /// `json` wants objects on standard output; otherwise it is told on standard error.
    pub fn new(json: bool) -> Place {
        match (json, std::io::stderr().is_terminal()) {
            (true, _) => Place::Program,
            (false, true) => {
                let bar = ProgressBar::new(1);
                if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent} %  {msg}  {eta} left") {
                    bar.set_style(style);
                }
                Place::Terminal(bar)
            }
            (false, false) => Place::Log { round: 0 },
        }
    }

    /// A step begins.
    pub fn tell(&mut self, progress: &Progress) {
        let Progress { done, of, what, round } = progress;
        match self {
            Place::Terminal(bar) => {
                bar.set_length(*of as u64);
                bar.set_position(*done as u64);
                bar.set_message(if *round > 0 { format!("round {round}: {what}") } else { what.clone() });
            }
            Place::Log { round: told } if *told != *round => {
                *told = *round;
                ui::note(format!("{:3} %  round {round}: {what}", 100 * done / (*of).max(1)));
            }
            Place::Log { .. } => {}
            Place::Program => ui::say(
                json!({ "event": "progress", "done": done, "of": of, "round": round, "what": what })
                    .to_string(),
            ),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Place::Terminal(bar) = self {
            bar.finish_and_clear();
        }
    }
}

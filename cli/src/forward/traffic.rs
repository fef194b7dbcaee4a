//! What the lab sends through the driver, whatever it is made of.

use std::time::Duration;

use super::captured::Captured;
use super::generated::Generated;
use super::summary::Flow;
use crate::progress::Step;

/// The traffic of a run.
pub enum Traffic {
    /// A capture, from NIC a to NIC b.
    Capture(Captured),
    /// Packets with sequence numbers, both ways.
    Generated(Generated),
}

/// How far the traffic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// In packets, all directions together.
    pub step: Step,
    /// Nothing more will be sent.
    pub finished_sending: bool,
}

impl State {
    /// Everything was sent, and has arrived.
    pub fn complete(&self) -> bool {
        self.finished_sending && self.step.sent == self.step.arrived
    }
}

impl Traffic {
    /// Lets it go.
    pub fn start(&self) {
        match self {
            Traffic::Capture(captured) => captured.handle.start(),
            Traffic::Generated(generated) => generated.start(),
        }
    }

    /// Sends nothing more.
    pub fn stop(&self) {
        match self {
            Traffic::Capture(captured) => captured.handle.hold(),
            Traffic::Generated(generated) => generated.stop(),
        }
    }

    /// How far it is.
    pub fn state(&self) -> State {
        match self {
            Traffic::Capture(captured) => captured.state(),
            Traffic::Generated(generated) => generated.state(),
        }
    }

    /// The longest time in which nothing may move although all is well.
    pub fn longest_gap(&self) -> Duration {
        match self {
            Traffic::Capture(captured) => captured.longest_gap,
            Traffic::Generated(generated) => generated.longest_gap,
        }
    }

    /// How long it lasts, if its end is a matter of time.
    pub fn duration(&self) -> Option<Duration> {
        match self {
            Traffic::Capture(_) => None,
            Traffic::Generated(generated) => generated.duration,
        }
    }

    /// What was counted in each direction, the first from NIC a to NIC b.
    pub fn flows(&self) -> Vec<Flow> {
        match self {
            Traffic::Capture(captured) => vec![captured.flow()],
            Traffic::Generated(generated) => generated.flows(),
        }
    }

    /// Seconds from the first packet to the last.
    pub fn elapsed_s(&self) -> f64 {
        match self {
            Traffic::Capture(captured) => captured.handle.report().elapsed_s,
            Traffic::Generated(generated) => generated.elapsed_s(),
        }
    }
}

/// A wrong byte in words.
pub fn wrong_byte(packet: &str, offset: usize, expected: Option<u8>, got: Option<u8>) -> String {
    let show = |byte: Option<u8>| byte.map_or_else(|| "nothing".to_owned(), |byte| format!("{byte:#04x}"));
    format!("{packet} at byte {offset}: {} instead of {}", show(got), show(expected))
}

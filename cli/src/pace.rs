//! How fast a capture is played.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ringway_lab::wire::pcap::Timing;
use serde::Deserialize;

/// The distance in time between the frames of a replay.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(try_from = "String")]
pub enum Pace {
    /// As recorded.
    Original,
    /// As recorded, but so many times faster.
    Scaled(f64),
    /// At so many frames a second.
    Rate(f64),
    /// As fast as they are taken.
    Max,
}

impl Pace {
    /// As the lab says it.
    pub fn timing(self) -> Timing {
        match self {
            Pace::Original => Timing::Original,
            Pace::Scaled(factor) => Timing::Scaled(factor),
            Pace::Rate(rate) => Timing::Rate(rate),
            Pace::Max => Timing::Fastest,
        }
    }

    /// The longest time between two frames of a replay, if `recorded` is the longest one of the capture.
    pub fn longest(self, recorded: Duration) -> Duration {
        let seconds = match self {
            Pace::Original => recorded.as_secs_f64(),
            Pace::Scaled(factor) => recorded.as_secs_f64() / factor,
            Pace::Rate(rate) => 1.0 / rate,
            Pace::Max => 0.0,
        };
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "original" => Ok(Pace::Original),
            None if text == "max" => Ok(Pace::Max),
            Some(("scaled", factor)) => Ok(Pace::Scaled(positive(factor)?)),
            Some(("rate", rate)) => Ok(Pace::Rate(packet_rate(rate)?)),
            _ => Err(format!("`{text}` is none of original, max, scaled=FACTOR, rate=PPS")),
        }
    }
}

impl TryFrom<String> for Pace {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Original => out.write_str("original"),
            Pace::Scaled(factor) => write!(out, "scaled={factor}"),
            Pace::Rate(rate) => write!(out, "rate={rate}"),
            Pace::Max => out.write_str("max"),
        }
    }
}

/// Packets a second: `1500`, `250k`, `1.5M`.
pub fn packet_rate(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1e3),
        None => text.strip_suffix('M').map_or((text, 1.0), |number| (number, 1e6)),
    };
    Ok(positive(number)? * scale)
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err(format!("`{text}` is no number above 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_way_to_say_it() {
        assert_eq!("original".parse(), Ok(Pace::Original));
        assert_eq!("max".parse(), Ok(Pace::Max));
        assert_eq!("scaled=2.5".parse(), Ok(Pace::Scaled(2.5)));
        assert_eq!("rate=1.5M".parse(), Ok(Pace::Rate(1_500_000.0)));
        assert_eq!(packet_rate("250k"), Ok(250_000.0));
    }

    #[test]
    fn the_longest_gap_follows_the_pace() {
        let recorded = Duration::from_secs(10);
        assert_eq!(Pace::Original.longest(recorded), recorded);
        assert_eq!(Pace::Scaled(4.0).longest(recorded), Duration::from_millis(2500));
        assert_eq!(Pace::Rate(0.5).longest(recorded), Duration::from_secs(2));
        assert_eq!(Pace::Scaled(1e-300).longest(recorded), Duration::MAX);
        assert_eq!(Pace::Max.longest(recorded), Duration::ZERO);
    }

    #[test]
    fn refuses_what_would_never_end() {
        for bad in ["", "fast", "scaled=0", "scaled=-1", "rate=NaN", "rate=inf", "scaled=", "max=1"] {
            assert!(bad.parse::<Pace>().is_err(), "{bad}");
        }
    }
}

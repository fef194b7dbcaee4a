//! Ways in which the NIC can misbehave, armed by whoever tests a driver.
//!
//! A fault is named in text as `kind key=value ...`, for example `dead-dd side=rx after=100 for=1`; see [`Plan`].

use std::fmt;
use std::str::FromStr;

use crate::events::Side;
use crate::ixgbe::Noise;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// `lying-length extra=N`: a receive write-back claims N bytes more than the buffer holds.
    LyingLength {
        /// Bytes beyond the end of the buffer.
        extra: u16,
    },
    /// `dd-without-eop`: the last (or only) descriptor of a received frame is done, but says that more follows.
    DdWithoutEop,
    /// `dead-dd side=rx|tx`: the work is done, but never written back.
    DeadDd(Side),
    /// `late-dd side=rx|tx delay_us=N`: the write-back comes that much later. Those behind it wait, so order is kept.
    LateDd {
        /// Which queues.
        side: Side,
        /// How late, in microseconds.
        delay_us: u32,
    },
    /// `stale-dd`: after a received frame the next descriptor is written back too, a copy of the first, although no
    /// frame is in its buffer.
    StaleDd,
    /// `head-stuck side=rx|tx`: RDH or TDH keeps its value.
    HeadStuck(Side),
    /// `enable-never-reads-back side=rx|tx`: RXDCTL.ENABLE or TXDCTL.ENABLE is refused: it reads 0 and the queue stays
    /// off. A driver that maps the page sees its own write for a moment.
    EnableNeverReadsBack(Side),
    /// `reset-never-clears`: CTRL.RST and LRST stay set.
    ResetNeverClears,
    /// `link-never-comes`: no link, whatever the driver does.
    LinkNeverComes,
    /// `link-flap up_us=N down_us=N`: the link comes and goes.
    LinkFlap {
        /// How long it is up, in microseconds.
        up_us: u32,
        /// How long it is down, in microseconds.
        down_us: u32,
    },
    /// `eeprom-never-done`: EEC.ARD and EERD.DONE stay 0.
    EepromNeverDone,
    /// `dma-init-never-done`: RDRXCTL.DMAIDONE stays 0.
    DmaInitNeverDone,
    /// `missed`: a frame finds no room in the packet buffer and is counted in MPC.
    Missed,
    /// `disconnect`: the driver's connection is cut, when a frame was received or sent.
    Disconnect,
}

/// A fault and when it strikes. Frames (for faults that concern frames) are counted from the moment of arming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What goes wrong.
    pub fault: Fault,
    /// `after=N`: the first N occasions pass without it.
    pub after: u64,
    /// `for=M`: it strikes M times; without it, for ever.
    pub times: Option<u64>,
    /// `one_in=K`: of those occasions it takes one in K, chosen by the NIC's seed.
    pub one_in: u32,
}

impl Plan {
    /// Always, from now on.
    pub fn always(fault: Fault) -> Self {
        Plan { fault, after: 0, times: None, one_in: 1 }
    }

    /// Once, after `after` occasions.
    pub fn once_after(fault: Fault, after: u64) -> Self {
        Plan { fault, after, times: Some(1), one_in: 1 }
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Rx => "rx",
        Side::Tx => "tx",
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::LyingLength { extra } => write!(f, "lying-length extra={extra}"),
            Fault::DdWithoutEop => f.write_str("dd-without-eop"),
            Fault::DeadDd(side) => write!(f, "dead-dd side={}", side_name(*side)),
            Fault::LateDd { side, delay_us } => {
                write!(f, "late-dd side={} delay_us={delay_us}", side_name(*side))
            }
            Fault::StaleDd => f.write_str("stale-dd"),
            Fault::HeadStuck(side) => write!(f, "head-stuck side={}", side_name(*side)),
            Fault::EnableNeverReadsBack(side) => {
                write!(f, "enable-never-reads-back side={}", side_name(*side))
            }
            Fault::ResetNeverClears => f.write_str("reset-never-clears"),
            Fault::LinkNeverComes => f.write_str("link-never-comes"),
            Fault::LinkFlap { up_us, down_us } => write!(f, "link-flap up_us={up_us} down_us={down_us}"),
            Fault::EepromNeverDone => f.write_str("eeprom-never-done"),
            Fault::DmaInitNeverDone => f.write_str("dma-init-never-done"),
            Fault::Missed => f.write_str("missed"),
            Fault::Disconnect => f.write_str("disconnect"),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fault)?;
        if self.after != 0 {
            write!(f, " after={}", self.after)?;
        }
        if let Some(times) = self.times {
            write!(f, " for={times}")?;
        }
        if self.one_in > 1 {
            write!(f, " one_in={}", self.one_in)?;
        }
        Ok(())
    }
}

/// Why a text names no fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseFaultError {
    /// There is no fault of that name.
    #[error("there is no fault named {0:?}; known are {names}", names = NAMES.join(", "))]
    Unknown(String),
    /// A word behind the name is not `key=value`, or its value is no number or side.
    #[error("{0:?} is not understood (expected key=value, with a number, rx or tx)")]
    BadWord(String),
    /// The fault has no such key.
    #[error("fault {fault} takes no {key:?}")]
    UnknownKey {
        /// The fault's name.
        fault: String,
        /// The key.
        key: String,
    },
    /// The fault needs a key that is not there.
    #[error("fault {fault} needs {key}=")]
    Missing {
        /// The fault's name.
        fault: String,
        /// The key.
        key: &'static str,
    },
}

/// Names of all faults.
pub const NAMES: [&str; 14] = [
    "lying-length",
    "dd-without-eop",
    "dead-dd",
    "late-dd",
    "stale-dd",
    "head-stuck",
    "enable-never-reads-back",
    "reset-never-clears",
    "link-never-comes",
    "link-flap",
    "eeprom-never-done",
    "dma-init-never-done",
    "missed",
    "disconnect",
];

/// The `key=value` words of a fault, taken one by one.
struct Keys<'a> {
    fault: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Keys<'a> {
    fn new(fault: &'a str, words: impl Iterator<Item = &'a str>) -> Result<Self, ParseFaultError> {
        let pair =
            |word: &'a str| word.split_once('=').ok_or_else(|| ParseFaultError::BadWord(word.to_owned()));
        Ok(Keys { fault, pairs: words.map(pair).collect::<Result<_, _>>()? })
    }

    fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.pairs.iter().position(|(name, _)| *name == key)?;
        Some(self.pairs.remove(at).1)
    }

    fn number<N: FromStr>(&mut self, key: &str) -> Result<Option<N>, ParseFaultError> {
        let Some(text) = self.take(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| ParseFaultError::BadWord(format!("{key}={text}")))
    }

    fn needed<N: FromStr>(&mut self, key: &'static str) -> Result<N, ParseFaultError> {
        let missing = ParseFaultError::Missing { fault: self.fault.to_owned(), key };
        self.number(key)?.ok_or(missing)
    }

    fn side(&mut self) -> Result<Side, ParseFaultError> {
        match self.take("side") {
            Some("rx") => Ok(Side::Rx),
            Some("tx") => Ok(Side::Tx),
            Some(other) => Err(ParseFaultError::BadWord(format!("side={other}"))),
            None => Err(ParseFaultError::Missing { fault: self.fault.to_owned(), key: "side" }),
        }
    }

    fn finish(self) -> Result<(), ParseFaultError> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) => {
                Err(ParseFaultError::UnknownKey { fault: self.fault.to_owned(), key: (*key).to_owned() })
            }
        }
    }
}

impl FromStr for Plan {
    type Err = ParseFaultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let mut keys = Keys::new(name, words)?;
        let fault = match name {
            "lying-length" => Fault::LyingLength { extra: keys.number("extra")?.unwrap_or(64) },
            "dd-without-eop" => Fault::DdWithoutEop,
            "dead-dd" => Fault::DeadDd(keys.side()?),
            "late-dd" => Fault::LateDd { side: keys.side()?, delay_us: keys.needed("delay_us")? },
            "stale-dd" => Fault::StaleDd,
            "head-stuck" => Fault::HeadStuck(keys.side()?),
            "enable-never-reads-back" => Fault::EnableNeverReadsBack(keys.side()?),
            "reset-never-clears" => Fault::ResetNeverClears,
            "link-never-comes" => Fault::LinkNeverComes,
            "link-flap" => Fault::LinkFlap { up_us: keys.needed("up_us")?, down_us: keys.needed("down_us")? },
            "eeprom-never-done" => Fault::EepromNeverDone,
            "dma-init-never-done" => Fault::DmaInitNeverDone,
            "missed" => Fault::Missed,
            "disconnect" => Fault::Disconnect,
            unknown => return Err(ParseFaultError::Unknown(unknown.to_owned())),
        };
        let plan = Plan {
            fault,
            after: keys.number("after")?.unwrap_or(0),
            times: keys.number("for")?,
            one_in: keys.number("one_in")?.unwrap_or(1),
        };
        keys.finish()?;
        Ok(plan)
    }
}

/// An armed fault.
#[derive(Clone, Debug)]
struct Armed {
    plan: Plan,
    occasions: u64,
    struck: u64,
}

impl Armed {
    fn spent(&self) -> bool {
        self.plan.times.is_some_and(|times| self.struck >= times)
    }
}

/// The faults armed on one NIC.
#[derive(Debug)]
pub struct Faults {
    armed: Vec<Armed>,
    noise: Noise,
    frames: [bool; 2],
}

impl Faults {
    /// None armed; `seed` chooses where a fault is random.
    pub fn new(seed: u64) -> Self {
        Faults { armed: Vec::new(), noise: Noise::new(seed), frames: [false; 2] }
    }

    /// Arms a fault. Several may be armed at a time, also of the same kind.
    pub fn arm(&mut self, plan: Plan) {
        self.armed.push(Armed { plan, occasions: 0, struck: 0 });
        self.refresh();
    }

    /// Disarms every fault equal to `fault`.
    pub fn disarm(&mut self, fault: Fault) {
        self.armed.retain(|armed| armed.plan.fault != fault);
        self.refresh();
    }

    /// Disarms all.
    pub fn clear(&mut self) {
        self.armed.clear();
        self.refresh();
    }

    /// What is armed, and how often each has struck.
    pub fn armed(&self) -> impl Iterator<Item = (Plan, u64)> + '_ {
        self.armed.iter().map(|armed| (armed.plan, armed.struck))
    }

    /// How often `fault` has struck, summed over all plans that name it.
    pub fn struck(&self, fault: Fault) -> u64 {
        self.armed.iter().filter(|armed| armed.plan.fault == fault).map(|armed| armed.struck).sum()
    }

    /// Anything that concerns frames of this direction is armed. The data path asks this once a batch.
    #[inline]
    pub(crate) fn concern(&self, side: Side) -> bool {
        self.frames[side as usize]
    }

    fn refresh(&mut self) {
        for side in [Side::Rx, Side::Tx] {
            self.frames[side as usize] = self.armed.iter().any(|armed| match armed.plan.fault {
                Fault::LyingLength { .. } | Fault::DdWithoutEop | Fault::StaleDd | Fault::Missed => {
                    side == Side::Rx
                }
                Fault::DeadDd(which) | Fault::HeadStuck(which) | Fault::LateDd { side: which, .. } => {
                    which == side
                }
                _ => false,
            });
        }
    }

    /// One occasion for the first armed fault that `pick` recognises: whether it strikes, and with what.
    pub(crate) fn strike<T>(&mut self, pick: impl Fn(Fault) -> Option<T>) -> Option<T> {
        let mut result = None;
        for armed in &mut self.armed {
            let Some(found) = pick(armed.plan.fault) else { continue };
            armed.occasions += 1;
            if result.is_some() || armed.occasions <= armed.plan.after || armed.spent() {
                continue;
            }
            if self.noise.one_in(armed.plan.one_in) {
                armed.struck += 1;
                result = Some(found);
            }
        }
        result
    }

    /// Whether a fault that is a condition rather than an event holds. It holds as long as it is armed.
    pub(crate) fn holds<T>(&self, pick: impl Fn(Fault) -> Option<T>) -> Option<T> {
        self.armed.iter().find_map(|armed| pick(armed.plan.fault))
    }

    /// [`holds`](Self::holds) for a fault without parameters.
    pub(crate) fn is_armed(&self, fault: Fault) -> bool {
        self.holds(|armed| (armed == fault).then_some(())).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for text in [
            "lying-length extra=64",
            "dd-without-eop after=3",
            "dead-dd side=rx after=100 for=1",
            "late-dd side=tx delay_us=500 one_in=7",
            "stale-dd for=2",
            "head-stuck side=tx",
            "enable-never-reads-back side=rx",
            "reset-never-clears",
            "link-never-comes",
            "link-flap up_us=1000 down_us=20",
            "eeprom-never-done",
            "dma-init-never-done",
            "missed for=5",
            "disconnect after=1000 for=1",
        ] {
            assert_eq!(text.parse::<Plan>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn every_name_is_known() {
        for name in NAMES {
            let full = format!("{name} side=rx delay_us=1 up_us=1 down_us=1 extra=1");
            assert!(
                !matches!(full.parse::<Plan>(), Err(ParseFaultError::Unknown(_))),
                "{name} is listed but not parsed"
            );
        }
    }

    #[test]
    fn mistakes_are_named() {
        assert!(matches!("deaddd".parse::<Plan>(), Err(ParseFaultError::Unknown(_))));
        assert!(matches!("dead-dd".parse::<Plan>(), Err(ParseFaultError::Missing { key: "side", .. })));
        assert!(matches!("dead-dd side=up".parse::<Plan>(), Err(ParseFaultError::BadWord(_))));
        assert!(matches!("missed side=rx".parse::<Plan>(), Err(ParseFaultError::UnknownKey { .. })));
        assert!(matches!("missed often".parse::<Plan>(), Err(ParseFaultError::BadWord(_))));
        assert!(matches!("".parse::<Plan>(), Err(ParseFaultError::Unknown(_))));
    }

    #[test]
    fn strikes_after_and_for() {
        let mut faults = Faults::new(1);
        faults.arm("dead-dd side=rx after=2 for=3".parse().unwrap());
        let pick = |fault| matches!(fault, Fault::DeadDd(Side::Rx)).then_some(());
        let hits: Vec<bool> = (0..7).map(|_| faults.strike(pick).is_some()).collect();
        assert_eq!(hits, [false, false, true, true, true, false, false]);
        assert_eq!(faults.struck(Fault::DeadDd(Side::Rx)), 3);
        assert!(faults.concern(Side::Rx) && !faults.concern(Side::Tx));
    }

    #[test]
    fn the_seed_chooses() {
        let hits = |seed| {
            let mut faults = Faults::new(seed);
            faults.arm("missed one_in=4".parse().unwrap());
            (0..64)
                .map(|_| faults.strike(|fault| (fault == Fault::Missed).then_some(())).is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!(hits(5), hits(5));
        assert_ne!(hits(5), hits(6));
    }

    #[test]
    fn disarmed_faults_do_not_hold() {
        let mut faults = Faults::new(0);
        faults.arm(Plan::always(Fault::LinkNeverComes));
        assert!(faults.is_armed(Fault::LinkNeverComes));
        faults.disarm(Fault::LinkNeverComes);
        assert!(!faults.is_armed(Fault::LinkNeverComes));
    }
}

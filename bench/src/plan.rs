//! Workloads as data: what `workloads.toml` says, and the points that follow from it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The file, as it was when this was built.
const WORKLOADS: &str = include_str!("../workloads.toml");

/// What the drivers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Workload {
    /// Between two NICs, both ways, byte 48 of each packet incremented.
    Forward,
    /// The same with packets that are all there already, many at a time: what the driver takes for them, without the lab.
    Bursts,
    /// Sends packets of its own.
    Generate,
    /// Receives, and writes what it has received to nowhere.
    Capture,
}

impl Workload {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Bursts => "bursts",
            other => other.app(),
        }
    }

    /// The name of the drivers' app.
    pub fn app(self) -> &'static str {
        match self {
            Workload::Forward | Workload::Bursts => "forward",
            Workload::Generate => "generate",
            Workload::Capture => "capture",
        }
    }
}

/// A workload with all its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Point {
    /// What is done.
    pub workload: Workload,
    /// Bytes of a frame, with FCS.
    pub size: u16,
    /// Packets that the driver takes at once.
    pub batch: u32,
    /// Descriptors of each ring.
    pub ring: u32,
    /// Queues of each NIC.
    #[serde(default = "one")]
    pub queues: u16,
    /// Flows of the traffic, by which a NIC spreads packets over queues.
    #[serde(default = "one")]
    pub flows: u32,
}

fn one<N: From<u8>>() -> N {
    N::from(1)
}

impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Point { workload, size, batch, ring, queues, flows } = self;
        write!(out, "{} {size} B, batch {batch}, ring {ring}", workload.name())?;
        match flows {
            1 => Ok(()),
            _ => write!(out, ", queues {queues}, flows {flows}"),
        }
    }
}

/// The numbers of a point that is not swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// See [`Point::size`].
    pub size: u16,
    /// See [`Point::batch`].
    pub batch: u32,
    /// See [`Point::ring`].
    pub ring: u32,
    /// See [`Point::flows`]; of the points over queues alone.
    #[serde(default = "one")]
    pub flows: u32,
}

/// A set of workloads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// What it is for.
    pub about: String,
    /// How often each contender runs each point.
    pub rounds: usize,
    /// Full load before each measurement, the same for all, so that JIT compilers are done.
    pub warm_up: u64,
    /// Length of a measurement.
    pub measure: u64,
    /// Frame sizes of `forward`.
    pub sizes: Vec<u16>,
    /// Batches of `forward`.
    pub batches: Vec<u32>,
    /// Rings of `forward`.
    pub rings: Vec<u32>,
    /// Batches of `bursts`.
    #[serde(default)]
    pub bursts: Vec<u32>,
    /// Queues of `forward`.
    #[serde(default)]
    pub queues: Vec<u16>,
    /// Frame sizes of `generate`.
    pub generate: Vec<u16>,
    /// Frame sizes of `capture`.
    pub capture: Vec<u16>,
    /// Offered loads at which latency is measured, in percent of the contender's own maximum.
    pub loads: Vec<u32>,
    /// Length of each of those measurements.
    pub load_measure: u64,
    /// Halvings of the search for the highest rate without loss; 0 for no search.
    pub lossless_steps: u32,
    /// Length of each of its steps.
    pub lossless_measure: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    base: Base,
    set: BTreeMap<String, Set>,
}

/// What a run does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Name of the set.
    pub name: String,
    /// The numbers that hold while another is swept.
    pub base: Base,
    /// The set, with changes from the command line.
    pub set: Set,
    /// Only points whose name contains this.
    #[serde(default)]
    pub only: Option<String>,
    /// Queues that were left out because there are fewer cores.
    #[serde(default)]
    pub left_out: Vec<u16>,
    /// Queues whose threads share cores.
    #[serde(default)]
    pub sharing: Vec<u16>,
}

impl Plan {
    /// The set called `name`; `None` if there is none.
    pub fn named(name: &str) -> Option<Plan> {
        let File { base, mut set } = toml::from_str(WORKLOADS).expect("a test reads this file");
        Some(Plan {
            name: name.to_owned(),
            base,
            set: set.remove(name)?,
            only: None,
            left_out: Vec::new(),
            sharing: Vec::new(),
        })
    }

    /// The point of `forward` with the base's numbers.
    pub fn base_point(&self) -> Point {
        let Base { size, batch, ring, .. } = self.base;
        Point { workload: Workload::Forward, size, batch, ring, queues: 1, flows: 1 }
    }

    /// The point of `bursts` with the base's numbers.
    pub fn burst_point(&self) -> Point {
        Point { workload: Workload::Bursts, ..self.base_point() }
    }

    /// The point of `forward` with so many queues.
    pub fn queue_point(&self, queues: u16) -> Point {
        Point { queues, flows: self.base.flows, ..self.base_point() }
    }

    /// Every point at which a rate is measured, each once, the base first.
    pub fn points(&self) -> Vec<Point> {
        let base = self.base_point();
        let mut points = vec![base];
        points.extend(self.set.batches.iter().map(|&batch| Point { batch, ..base }));
        points.extend(self.set.sizes.iter().map(|&size| Point { size, ..base }));
        points.extend(self.set.rings.iter().map(|&ring| Point { ring, ..base }));
        points.extend(self.set.queues.iter().map(|&queues| self.queue_point(queues)));
        points.extend(self.set.bursts.iter().map(|&batch| Point { batch, ..self.burst_point() }));
        let apps = [(Workload::Generate, &self.set.generate), (Workload::Capture, &self.set.capture)];
        for (workload, sizes) in apps {
            points.extend(sizes.iter().map(|&size| Point { workload, size, ..base }));
        }
        let mut seen = std::collections::HashSet::new();
        points.retain(|point| seen.insert(*point));
        if let Some(only) = &self.only {
            points.retain(|point| point.to_string().contains(only));
        }
        points
    }

    /// The first point of `capture`, if there is one.
    pub fn captures(&self) -> Option<Point> {
        self.points().into_iter().find(|point| point.workload == Workload::Capture)
    }

    /// Leaves out the points with more queues than there are `cores` for contenders.
    pub fn fit(&mut self, cores: usize) {
        let (fit, left_out) = self.set.queues.iter().partition(|queues| usize::from(**queues) <= cores);
        (self.set.queues, self.left_out) = (fit, left_out);
    }

    /// Runs these numbers of queues whatever the `cores`; where there are fewer, threads share them.
    pub fn force(&mut self, queues: &[u16], cores: usize) {
        self.set.queues = queues.to_vec();
        self.sharing = queues.iter().copied().filter(|queues| usize::from(*queues) > cores).collect();
    }

    /// What the reader has to know of the points that were chosen.
    pub fn notes(&self) -> Vec<String> {
        let list = |queues: &[u16]| queues.iter().map(u16::to_string).collect::<Vec<_>>();
        let mut notes = Vec::new();
        if !self.left_out.is_empty() {
            let (words, option) = (list(&self.left_out).join(", "), list(&self.left_out).join(","));
            notes.push(format!(
                "not measured with {words} queues: there are too few cores for as many threads (--queues {option} would let \
                 them share)"
            ));
        }
        if !self.sharing.is_empty() {
            notes.push(format!(
                "with {} queues threads share cores: this shows what sharing costs, not what queues bring",
                list(&self.sharing).join(", ")
            ));
        }
        notes
    }

    /// Leaves only the points whose name contains `text`, and nothing but rates.
    pub fn restrict(&mut self, text: &str) {
        self.only = Some(text.to_owned());
        self.set.loads.clear();
        self.set.lossless_steps = 0;
    }

    /// Full load before each measurement.
    pub fn warm_up(&self) -> Duration {
        Duration::from_millis(self.set.warm_up)
    }

    /// Length of a measurement.
    pub fn measure(&self) -> Duration {
        Duration::from_millis(self.set.measure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_holds_both_sets() {
        let quick = Plan::named("quick").unwrap();
        let full = Plan::named("full").unwrap();
        assert!(Plan::named("other").is_none());
        assert!(quick.set.rounds >= 5 && full.set.rounds >= quick.set.rounds);
        assert_eq!(full.set.sizes, [64, 128, 256, 512, 1024, 1518]);
        assert_eq!((full.set.batches[0], *full.set.batches.last().unwrap()), (1, 256));
        assert_eq!((full.set.rings[0], *full.set.rings.last().unwrap()), (64, 4096));
    }

    #[test]
    fn each_point_comes_once_and_the_base_first() {
        let plan = Plan::named("full").unwrap();
        let points = plan.points();
        let unique: std::collections::HashSet<_> = points.iter().collect();
        assert_eq!((points.len(), points[0]), (unique.len(), plan.base_point()));
        assert_eq!(points.len(), 1 + 8 + 5 + 6 + 4 + 6 + 2 + 2);
        assert_eq!(points[0].to_string(), "forward 64 B, batch 32, ring 512");
        assert_eq!(plan.queue_point(2).to_string(), "forward 64 B, batch 32, ring 512, queues 2, flows 256");
    }

    #[test]
    fn more_queues_than_cores_are_left_out_unless_they_are_asked_for() {
        let mut plan = Plan::named("full").unwrap();
        plan.fit(2);
        assert_eq!((&plan.set.queues[..], &plan.left_out[..]), (&[1, 2][..], &[4, 8][..]));
        assert!(plan.notes()[0].contains("4, 8 queues") && plan.notes()[0].contains("--queues 4,8"));
        let mut plan = Plan::named("quick").unwrap();
        plan.fit(1);
        assert!(plan.notes().is_empty());
        plan.force(&[1, 2, 4], 2);
        assert_eq!((&plan.set.queues[..], &plan.sharing[..]), (&[1, 2, 4][..], &[4][..]));
        assert!(plan.notes()[0].contains("with 4 queues threads share cores"), "{:?}", plan.notes());
    }
}

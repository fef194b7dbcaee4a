//! `bursts`: what a driver takes for packets that are all there already; see [`ringway_lab::engine::bursts`].

use std::time::Duration;

use ringway_lab::engine::bursts::Options;

use super::{Memory, RateSample, Times, Track, Trouble, fails};
use crate::contender::Contender;
use crate::judge::Refusal;
use crate::plan::Point;

/// How long the lab's thread may be away from everything else: the user may want to stop.
const SLICE: Duration = Duration::from_millis(100);

impl Track<'_> {
    /// The rate within bursts, by the one in the middle. The warm-up is that of full load.
    pub(super) fn bursts(
        &self,
        contender: &Contender,
        point: &Point,
        times: Times,
        seed: u64,
    ) -> Result<RateSample, Trouble> {
        let (pair, mut app) = self.at_full_load(contender, point, times.warm_up, seed)?;
        let mut seen = pair.rig.bursts(Options::of(point.ring, SLICE))?;
        let mut left = times.measure.saturating_sub(SLICE);
        while !left.is_zero() {
            self.run_for(&mut app, Duration::ZERO)?;
            let slice = pair.rig.bursts(Options::of(point.ring, left.min(SLICE)))?;
            seen.add(&slice);
            left = left.saturating_sub(SLICE);
        }
        let memory = Memory::of(app.pid());
        let (_, losses) = pair.finish(self, contender, app)?;
        match seen.packets_per_second() {
            Some(pps) => Ok(RateSample::new(pps, losses, 0.0, memory)),
            None if seen.unfinished > 0 => {
                Err(fails(format!("not one of {} bursts was forwarded whole", seen.unfinished)))
            }
            None => Err(Refusal::Nothing.into()),
        }
    }
}

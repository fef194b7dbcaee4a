//! `generate` at full load: the contender makes packets, the lab counts them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ringway_lab::clock::Nanos;
use ringway_lab::wire::{Frame, Wire};

use super::{Memory, RateSample, Times, Track, Trouble, fails};
use crate::contender::Contender;
use crate::judge::{Losses, Refusal};
use crate::plan::Point;
use crate::rig::{Glance, Rig};

const FCS: usize = 4;
const MAC: [u8; 6] = [0x02, 0, 0, 0, 0, 0x0a];

/// Takes frames and looks whether they can be what `generate` makes: of the right length, from the right address, and each
/// one another than the one before.
struct Sink {
    length: usize,
    last: Vec<u8>,
    wrong: Arc<AtomicU64>,
}

impl Wire for Sink {
    fn peek(&mut self, _now: Nanos) -> Option<Frame<'_>> {
        None
    }

    fn advance(&mut self, _now: Nanos) {}

    fn send(&mut self, frame: &[u8], _now: Nanos) {
        let right = frame.len() == self.length && frame.get(6..12) == Some(&MAC) && *frame != self.last;
        if !right {
            self.wrong.store(self.wrong.load(Relaxed) + 1, Relaxed);
        }
        self.last.clear();
        self.last.extend_from_slice(frame);
    }
}

impl Track<'_> {
    pub(super) fn generate(
        &self,
        contender: &Contender,
        point: &Point,
        times: Times,
        seed: u64,
    ) -> Result<RateSample, Trouble> {
        let wrong = Arc::new(AtomicU64::new(0));
        let length = usize::from(point.size) - FCS;
        let sink = Sink { length, last: Vec::with_capacity(length), wrong: Arc::clone(&wrong) };
        let rig = Rig::start(vec![(Box::new(sink), MAC)], self.lab_core, seed)?;
        let mut app = self.start(contender, point, &rig)?;
        self.run_for(&mut app, times.warm_up)?;
        rig.reset_load()?;
        let before = rig.glance()?;
        self.run_for(&mut app, times.measure)?;
        let after = rig.glance()?;
        let busy = rig.busy_share()?;
        let memory = Memory::of(app.pid());
        let said = app.finish()?.ok_or_else(|| fails("its app ended without a final line"))?;
        let arrived = rig.glance()?.ports.first().map_or(0, |port| port.tx_frames);
        match wrong.load(Relaxed) {
            0 => {}
            packets => return Err(Refusal::WrongFrames { packets }.into()),
        }
        match said.sent.saturating_sub(arrived) {
            0 => {}
            packets => return Err(Refusal::DropsSilently { packets }.into()),
        }
        let pps = per_second(&before, &after, |port| port.tx_frames);
        if pps == 0.0 {
            return Err(Refusal::Nothing.into());
        }
        Ok(RateSample::new(pps, Losses::default(), busy, memory))
    }
}

/// From two looks at the ports.
pub(super) fn per_second(
    before: &Glance,
    after: &Glance,
    count: impl Fn(&ringway_lab::ixgbe::Counters) -> u64,
) -> f64 {
    let nanos = after.at.since(before.at);
    let sum = |glance: &Glance| glance.ports.iter().map(&count).sum::<u64>();
    if nanos == 0 { 0.0 } else { (sum(after) - sum(before)) as f64 * 1e9 / nanos as f64 }
}

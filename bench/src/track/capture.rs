//! `capture` to nowhere at full load: the lab sends, the contender receives.

use std::time::Duration;

use ringway_lab::wire::generator::{self, Rate};

use super::generate::per_second;
use super::{Memory, RateSample, Times, Track, Trouble, fails, generator as options};
use crate::contender::Contender;
use crate::error::Error;
use crate::judge::{Losses, Refusal};
use crate::plan::Point;
use crate::rig::Rig;

/// What lies in the ring when the source stops is taken in this time.
const LAST: Duration = Duration::from_millis(100);

impl Track<'_> {
    /// What was received is what the NIC has delivered: how much that is cannot depend on what the contender says, but it
    /// must not say less.
    pub(super) fn capture(
        &self,
        contender: &Contender,
        point: &Point,
        times: Times,
        seed: u64,
    ) -> Result<RateSample, Trouble> {
        let options = options(point, Rate::Max, 64, 0);
        let (wire, handle) = generator::one_way(&options).map_err(Error::Workload)?;
        let rig = Rig::start(vec![(Box::new(wire), options.destinations[0])], self.lab_core, seed)?;
        let mut app = self.start(contender, point, &rig)?;
        handle.start();
        self.run_for(&mut app, times.warm_up)?;
        rig.reset_load()?;
        let before = rig.glance()?;
        self.run_for(&mut app, times.measure)?;
        let after = rig.glance()?;
        let busy = rig.busy_share()?;
        handle.stop();
        self.run_for(&mut app, LAST)?;
        let memory = Memory::of(app.pid());
        let delivered = rig.glance()?.ports.first().map_or(0, |port| port.rx_delivered);
        let said = app.finish()?.ok_or_else(|| fails("its app ended without a final line"))?;
        let errors: u64 = said.devices.iter().map(|device| device.rx_errors).sum();
        match delivered.saturating_sub(said.received + errors) {
            0 => {}
            packets => return Err(Refusal::DropsSilently { packets }.into()),
        }
        let pps = per_second(&before, &after, |port| port.rx_delivered);
        if pps == 0.0 {
            return Err(Refusal::Nothing.into());
        }
        Ok(RateSample::new(pps, Losses::default(), busy, memory))
    }
}

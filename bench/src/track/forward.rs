//! `forward` at full load, at a load that is none, and from the start of the process to the first packet.

use std::process::Command;
use std::time::{Duration, Instant};

use ringway_lab::wire::Wire;
use ringway_lab::wire::generator::{self, Direction, GeneratorHandle, GeneratorOptions, Rate, Report};

use super::{Memory, OPENING, RateSample, Times, Track, Trouble, again, fails, generator as options};
use crate::app::App;
use crate::contender::{Contender, Work};
use crate::error::Error;
use crate::event::{AppEvent, Final};
use crate::judge::{self, Losses, Refusal};
use crate::plan::Point;
use crate::rig::Rig;
use crate::window;

/// Packets a second in each direction that are no load for anybody.
const NO_LOAD: f64 = 5_000.0;
/// How long that lasts.
const ADMISSION: Duration = Duration::from_millis(400);
/// Longest run under an instrument that slows it down.
const SLOW: Duration = Duration::from_secs(60);
/// How often to look for the first packet.
const FIRST_EVERY: Duration = Duration::from_micros(500);

/// Two NICs with generators.
pub(super) struct Pair {
    pub rig: Rig,
    pub handle: GeneratorHandle,
}

impl Pair {
    /// With a window, or open at both ends.
    pub fn start(
        track: &Track<'_>,
        contender: &Contender,
        options: &GeneratorOptions,
        window: Option<u64>,
        seed: u64,
    ) -> Result<Pair, Error> {
        let options = match contender.work() {
            Work::Touch => options.clone(),
            Work::Swap => GeneratorOptions { increment: 0, swapped: true, ..options.clone() },
        };
        let (first, second, handle) = generator::pair(&options)?;
        let wires: [Box<dyn Wire>; 2] = match window {
            Some(window) => window::pair([first, second], window).map(|wire| Box::new(wire) as Box<dyn Wire>),
            None => [Box::new(first), Box::new(second)],
        };
        let wires = wires.into_iter().zip(options.destinations).collect();
        Ok(Pair { rig: Rig::start_as(contender.addresses(), wires, track.lab_core, seed)?, handle })
    }

    /// Ends the contender in order and judges the whole run.
    pub fn finish(
        self,
        track: &Track<'_>,
        contender: &Contender,
        app: App,
    ) -> Result<(Report, Losses), Trouble> {
        self.handle.stop();
        track.settle(&self.handle)?;
        let said = app.finish()?;
        self.rig.flush()?;
        let report = self.handle.report();
        let ports = self.rig.glance()?.ports;
        if contender.tells_counters() && said.is_none() {
            return Err(fails("its app ended without a final line"));
        }
        let losses = judge::forward(&report.directions, &ports, said.as_ref())?;
        Ok((report, losses))
    }
}

impl Track<'_> {
    /// Full load.
    pub(super) fn forward(
        &self,
        contender: &Contender,
        point: &Point,
        times: Times,
        seed: u64,
    ) -> Result<RateSample, Trouble> {
        self.forward_observed(contender, point, times, seed, &mut |_| {})
    }

    /// A contender that has been at full load for the warm-up, and its traffic.
    pub(super) fn at_full_load(
        &self,
        contender: &Contender,
        point: &Point,
        warm_up: Duration,
        seed: u64,
    ) -> Result<(Pair, App), Trouble> {
        let options = options(point, Rate::Max, 64, 1);
        let pair = Pair::start(self, contender, &options, Some(window::size_for(point.ring)), seed)?;
        let mut app = self.start(contender, point, &pair.rig)?;
        pair.handle.start();
        if !contender.tells_counters() {
            self.await_first(&mut app, &pair.handle)?;
        }
        self.run_for(&mut app, warm_up)?;
        Ok((pair, app))
    }

    /// Full load; `observe` is given the process when the measurement begins.
    ///
    /// # Errors
    /// If the contender is to be refused, or the lab does not work.
    pub fn forward_observed(
        &self,
        contender: &Contender,
        point: &Point,
        times: Times,
        seed: u64,
        observe: &mut dyn FnMut(u32),
    ) -> Result<RateSample, Trouble> {
        let (pair, mut app) = self.at_full_load(contender, point, times.warm_up, seed)?;
        observe(app.pid());
        pair.rig.reset_load()?;
        let before = pair.handle.report();
        self.run_for(&mut app, times.measure)?;
        let after = pair.handle.report();
        let busy = pair.rig.busy_share()?;
        let memory = Memory::of(app.pid());
        let (_, losses) = pair.finish(self, contender, app)?;
        Ok(RateSample::new(arrived_per_second(&before, &after), losses, busy, memory))
    }

    /// A load that is none: every packet must come through as it should. Who fails here is refused before anything is
    /// measured.
    ///
    /// # Errors
    /// If it does not, or the lab does not work.
    pub fn admit(&self, contender: &Contender, point: &Point, seed: u64) -> Result<(), Trouble> {
        again(contender, || self.try_to_admit(contender, point, seed))
    }

    fn try_to_admit(&self, contender: &Contender, point: &Point, seed: u64) -> Result<(), Trouble> {
        let options = options(point, Rate::PerSecond(NO_LOAD), 1, 1);
        // The window is for machines that stall: not even then there is a reason to drop.
        let pair = Pair::start(self, contender, &options, Some(window::size_for(point.ring)), seed)?;
        let mut app = self.start(contender, point, &pair.rig)?;
        pair.handle.start();
        self.await_first(&mut app, &pair.handle)?;
        self.run_for(&mut app, ADMISSION)?;
        let (report, losses) = pair.finish(self, contender, app)?;
        match losses.missing {
            0 => Ok(()),
            packets => Err(Refusal::DropsWithoutNeed { packets, of: report.sent() }.into()),
        }
    }

    /// Forwards so many packets with a command changed by `wrap`, and returns what it says of it.
    ///
    /// # Errors
    /// If it fails, or the lab does not work.
    pub fn so_many(
        &self,
        contender: &Contender,
        point: &Point,
        packets: u64,
        wrap: &dyn Fn(Command) -> Command,
    ) -> Result<Final, Trouble> {
        let pair = Pair::start(
            self,
            contender,
            &options(point, Rate::Max, 64, 1),
            Some(window::size_for(point.ring)),
            1,
        )?;
        let mut command = self.command(contender, point, &pair.rig);
        command.args(["--packets", &packets.to_string()]);
        let mut command = wrap(command);
        self.pin(&mut command, point)?;
        let mut app = App::start(&contender.name, command)?;
        pair.handle.start();
        let deadline = Instant::now() + SLOW;
        while Instant::now() < deadline {
            self.go_on()?;
            if let Some(AppEvent::Final(said)) = app.next(Duration::from_millis(50))? {
                // What the instrument has counted is written at the very end.
                app.wait_for_end(SLOW)?;
                pair.rig.flush()?;
                let report = pair.handle.report();
                return match report.is_clean() {
                    true => Ok(said),
                    false => Err(fails("it forwards wrong packets")),
                };
            }
        }
        Err(fails(format!("it takes longer than {} s for {packets} packets", SLOW.as_secs())))
    }

    /// Seconds from the start of the process to the first packet that it has forwarded.
    ///
    /// # Errors
    /// If none comes, or the lab does not work.
    pub fn first_packet(&self, contender: &Contender, point: &Point, seed: u64) -> Result<f64, Trouble> {
        again(contender, || self.try_first_packet(contender, point, seed))
    }

    fn try_first_packet(&self, contender: &Contender, point: &Point, seed: u64) -> Result<f64, Trouble> {
        let options = options(point, Rate::PerSecond(NO_LOAD), 1, 1);
        let pair = Pair::start(self, contender, &options, Some(window::size_for(point.ring)), seed)?;
        pair.handle.start();
        let mut command = self.command(contender, point, &pair.rig);
        self.pin(&mut command, point)?;
        let began = Instant::now();
        let mut app = match contender.tells_counters() {
            true => App::start(&contender.name, command)?,
            false => App::start_foreign(&contender.name, command)?,
        };
        while pair.handle.report().received() == 0 {
            self.go_on()?;
            if began.elapsed() > OPENING {
                return Err(Refusal::Nothing.into());
            }
            if let Some(AppEvent::Final(_)) = app.next(FIRST_EVERY)? {
                return Err(fails("it ended before it was asked to"));
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        pair.finish(self, contender, app)?;
        Ok(seconds)
    }
}

/// From what the sinks have published, each with its own time.
pub(super) fn arrived_per_second(before: &Report, after: &Report) -> f64 {
    let pairs = before.directions.iter().zip(&after.directions);
    pairs.map(|(before, after)| rate_of(before, after, |direction| direction.received)).sum()
}

fn rate_of(before: &Direction, after: &Direction, count: impl Fn(&Direction) -> u64) -> f64 {
    let nanos = after.received_at_ns.saturating_sub(before.received_at_ns);
    if nanos == 0 { 0.0 } else { (count(after) - count(before)) as f64 * 1e9 / nanos as f64 }
}

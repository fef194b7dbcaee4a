//! Packet source and packet sink in one wire.
//!
//! What the source at one NIC sends is expected at the sink of the other NIC ([`pair`]) or of the same one ([`echo`]).
//! Every byte of every frame is checked. The wire is made to cost little: a frame is a template with a few fields
//! patched in, counters are the wire's own and are published only now and then, and the time is read once a round by
//! whoever polls.

mod handle;
mod image;
mod options;
mod pace;
mod report;
mod sequence;
mod sink;
mod source;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

pub use handle::GeneratorHandle;
pub use options::{GeneratorOptions, LONGEST, OptionsError, Rate, SHORTEST, Sizes};
pub use report::{Direction, Report};
pub use sink::Corruption;

use self::handle::{Published, Shared};
use self::image::Image;
use self::pace::Pace;
use self::sink::Sink;
use self::source::Source;
use super::{Burst, Frame, Wire};
use crate::clock::Nanos;

/// Counts are published so often while frames flow.
const PUBLISH_EVERY_NS: u64 = 100_000;
/// And so often while none do, so that a reader sees that time goes by.
const PUBLISH_IDLE_NS: u64 = 10_000_000;

/// Wires for two NICs with a driver between that forwards from each to the other.
///
/// # Errors
/// If the options make no sense.
pub fn pair(
    options: &GeneratorOptions,
) -> Result<(GeneratorWire, GeneratorWire, GeneratorHandle), OptionsError> {
    options.check()?;
    let images = [0, 1].map(|stream| Arc::new(Image::new(options, stream)));
    let come = images.each_ref().map(|image| as_it_comes(options, image));
    let first = GeneratorWire::new(options, &images[0], Some(&come[1]));
    let second = GeneratorWire::new(options, &images[1], Some(&come[0]));
    let (a, b) = (&first.shared, &second.shared);
    let directions = vec![[Arc::clone(a), Arc::clone(b)], [Arc::clone(b), Arc::clone(a)]];
    Ok((first, second, GeneratorHandle { directions }))
}

/// A wire for one NIC whose driver sends back what it receives.
///
/// # Errors
/// If the options make no sense.
pub fn echo(options: &GeneratorOptions) -> Result<(GeneratorWire, GeneratorHandle), OptionsError> {
    options.check()?;
    let image = Arc::new(Image::new(options, 0));
    let comes = as_it_comes(options, &image);
    Ok(single(GeneratorWire::new(options, &image, Some(&comes))))
}

/// What the driver makes of a stream, but for byte 48.
fn as_it_comes(options: &GeneratorOptions, image: &Arc<Image>) -> Arc<Image> {
    if options.swapped { Arc::new(image.swapped()) } else { Arc::clone(image) }
}

/// A wire for one NIC whose driver sends frames of its own, or none: they are counted as unexpected, and not looked
/// at. With a count of 0 nothing is sent to the driver.
///
/// # Errors
/// If the options make no sense.
pub fn one_way(options: &GeneratorOptions) -> Result<(GeneratorWire, GeneratorHandle), OptionsError> {
    options.check()?;
    let image = Arc::new(Image::new(options, 0));
    Ok(single(GeneratorWire::new(options, &image, None)))
}

fn single(wire: GeneratorWire) -> (GeneratorWire, GeneratorHandle) {
    let directions = vec![[Arc::clone(&wire.shared), Arc::clone(&wire.shared)]];
    (wire, GeneratorHandle { directions })
}

/// The end of one NIC. Made by [`pair`], [`echo`] and [`one_way`].
#[derive(Debug)]
pub struct GeneratorWire {
    source: Source,
    sink: Sink,
    shared: Arc<Shared>,
    /// Something was counted that is not published.
    dirty: bool,
    published_at: Nanos,
}

impl GeneratorWire {
    fn new(options: &GeneratorOptions, sends: &Arc<Image>, expects: Option<&Arc<Image>>) -> Self {
        let interval = pace::interval(options.rate);
        let running = !options.hold;
        GeneratorWire {
            source: Source::new(Arc::clone(sends), Pace::new(interval), running, options.count),
            sink: Sink::new(expects.cloned(), options.increment, options.latency_every),
            shared: Shared::new(running, interval),
            dirty: false,
            published_at: Nanos(0),
        }
    }

    fn obey(&mut self) {
        self.source.running = self.shared.running.load(Relaxed);
        let interval = self.shared.interval.load(Relaxed);
        if interval != self.source.pace.interval() {
            self.source.pace = Pace::new(interval);
        }
    }

    fn publish(&mut self, to: &mut Published, at: Nanos) {
        to.at_ns = at.0;
        to.sent = self.source.sent;
        to.received = self.sink.counts();
        self.sink.samples.drain(..).for_each(|latency| to.latencies.record(latency));
        self.dirty = false;
        self.published_at = at;
    }
}

impl Wire for GeneratorWire {
    #[inline]
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        self.source.peek(now).map(|bytes| Frame { bytes, fcs_good: true })
    }

    #[inline]
    fn advance(&mut self, _now: Nanos) {
        self.source.advance();
        self.dirty = true;
    }

    #[inline]
    fn send(&mut self, frame: &[u8], now: Nanos) {
        self.sink.take(frame, now);
        self.dirty = true;
    }

    #[inline]
    fn burst(&mut self, now: Nanos, most: usize) -> Burst<'_> {
        self.source.burst(now, most)
    }

    #[inline]
    fn advance_burst(&mut self, frames: usize, _now: Nanos) {
        self.source.advance_burst(frames);
        self.dirty = true;
    }

    #[inline]
    fn send_burst(&mut self, burst: Burst<'_>, now: Nanos) {
        burst.frames().for_each(|frame| self.sink.take(frame, now));
        self.dirty = true;
    }

    fn poll(&mut self, now: Nanos) -> bool {
        self.obey();
        let every = if self.dirty { PUBLISH_EVERY_NS } else { PUBLISH_IDLE_NS };
        if now.since(self.published_at) < every && !self.sink.samples_are_many() {
            return false;
        }
        // Somebody who reads must not hold up the frames: the next round will do.
        let shared = Arc::clone(&self.shared);
        if let Ok(mut published) = shared.published.try_lock() {
            self.publish(&mut published, now);
        }
        false
    }

    fn next_due(&mut self, _now: Nanos) -> Option<Nanos> {
        self.source.next_due()
    }

    fn exhausted(&self) -> bool {
        self.source.exhausted()
    }

    fn flush(&mut self) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        self.publish(&mut shared.lock(), Nanos::now());
        Ok(())
    }
}

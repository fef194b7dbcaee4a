//! Looking now and then whether the device is still there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Function;
use crate::error::Result;

/// Notices a dead peer although the driver only polls memory: every few polls in vain it looks at the clock, and every
/// few milliseconds at the device.
pub(crate) struct Watch {
    function: Arc<dyn Function>,
    polls: u32,
    checked: Instant,
}

impl Watch {
    const POLLS: u32 = 16;
    const INTERVAL: Duration = Duration::from_millis(20);

    pub(crate) fn new(function: Arc<dyn Function>) -> Watch {
        Watch { function, polls: 0, checked: Instant::now() }
    }

    /// To be called after each poll in vain.
    #[inline]
    pub(crate) fn in_vain(&mut self) -> Result<()> {
        self.polls += 1;
        if self.polls < Watch::POLLS { Ok(()) } else { self.look() }
    }

    #[cold]
    fn look(&mut self) -> Result<()> {
        self.polls = 0;
        if self.checked.elapsed() >= Watch::INTERVAL {
            self.checked = Instant::now();
            self.function.check()?;
        }
        Ok(())
    }
}

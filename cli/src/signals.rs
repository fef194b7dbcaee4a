//! SIGINT and SIGTERM: the first asks for an orderly end, the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

/// Tells whether the user has asked for an end.
#[derive(Clone, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Takes over SIGINT and SIGTERM for the rest of the process's life. To be called once.
    pub fn on_signals() -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // The order matters: the shutdown sees the flag that an earlier signal has set.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
            signal_hook::flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Stop(stop))
    }

    /// An end was asked for.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

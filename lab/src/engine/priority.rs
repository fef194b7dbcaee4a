//! The priority of the polling thread.

/// As `nice` counts: the highest.
const URGENT: i32 = -20;

/// Goes before other programs while a driver that takes its NIC for a card sets it up: it may want an answer within half a
/// millisecond, which is less than another program's turn on a core. While packets flow it is a program like others, or a
/// driver on the same core would starve.
#[derive(Debug, Default)]
pub(super) struct Priority {
    urgent: bool,
}

impl Priority {
    /// To be called when it may have changed.
    #[inline]
    pub fn set(&mut self, urgent: bool) {
        if urgent != self.urgent {
            self.change(urgent);
        }
    }

    #[cold]
    fn change(&mut self, urgent: bool) {
        self.urgent = urgent;
        // On Linux this concerns the calling thread only. Without the right to it (CAP_SYS_NICE) nothing changes.
        let _ = rustix::process::nice(if urgent { URGENT } else { -URGENT });
    }
}

//! Lines from standard input, until its end or SIGTERM.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags};
use signal_hook::consts::{SIGINT, SIGTERM};

/// What came.
pub enum Line {
    Command(String),
    /// End of input, or a signal.
    End,
}

/// Standard input with a second ear for signals: a plain blocking read would be taken up again after one.
pub struct Input {
    bytes: Vec<u8>,
    wake: UnixStream,
    signalled: Arc<AtomicBool>,
}

impl Input {
    pub fn new() -> io::Result<Input> {
        let (wake, write) = UnixStream::pair()?;
        let signalled = Arc::new(AtomicBool::new(false));
        for signal in [SIGTERM, SIGINT] {
            signal_hook::flag::register(signal, signalled.clone())?;
            signal_hook::low_level::pipe::register(signal, write.try_clone()?)?;
        }
        Ok(Input { bytes: Vec::new(), wake, signalled })
    }

    /// True once a signal has come.
    pub fn signalled(&self) -> Arc<AtomicBool> {
        self.signalled.clone()
    }

    /// The next line, without its end.
    pub fn next(&mut self) -> Line {
        loop {
            if self.signalled.load(Ordering::Relaxed) {
                return Line::End;
            }
            if let Some(end) = self.bytes.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.bytes.drain(..=end).collect();
                return Line::Command(String::from_utf8_lossy(&line).trim().to_string());
            }
            if !self.read_more() {
                return Line::End;
            }
        }
    }

    /// Waits for input or a signal; false at the end of input.
    fn read_more(&mut self) -> bool {
        let stdin = io::stdin();
        let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.wake, PollFlags::IN)];
        if rustix::event::poll(&mut fds, None).is_err() || fds[0].revents().is_empty() {
            return true;
        }
        let mut chunk = [0; 1 << 16];
        match rustix::io::read(&stdin, &mut chunk) {
            Ok(0) => false,
            Ok(bytes) => {
                self.bytes.extend_from_slice(&chunk[..bytes]);
                true
            }
            Err(rustix::io::Errno::INTR) => true,
            Err(_) => false,
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        // Nobody reads the pipe but us; what is in it does not matter.
        let _ = self.wake.set_nonblocking(true).and_then(|()| self.wake.read(&mut [0; 16]));
    }
}

//! Eventfds of the client: telling them from other files, and signalling without ever waiting.

use std::os::fd::{AsFd, AsRawFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::readlink;
use rustix::io::write;

/// Whether `fd` is an eventfd. A client could hand over a full pipe instead, and whoever writes to it waits for ever.
/// Without /proc it is believed.
pub(super) fn is_eventfd(fd: &impl AsRawFd) -> bool {
    match readlink(format!("/proc/self/fd/{}", fd.as_raw_fd()), Vec::new()) {
        Ok(name) => name.as_bytes() == b"anon_inode:[eventfd]",
        Err(_) => true,
    }
}

/// Adds 1 to the eventfd. Never waits: a counter that is full has been signalled often enough.
pub fn signal(eventfd: impl AsFd) {
    let mut ready = [PollFd::new(&eventfd, PollFlags::OUT)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    if poll(&mut ready, Some(&now)) == Ok(1) {
        // The only error left is that the counter has been filled since, which is as good as a signal.
        let _ = write(&eventfd, &1u64.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use rustix::event::{EventfdFlags, eventfd};
    use rustix::io::read;

    use super::*;

    #[test]
    fn eventfds_are_told_from_other_files() {
        assert!(is_eventfd(&eventfd(0, EventfdFlags::CLOEXEC).unwrap()));
        assert!(!is_eventfd(&std::os::unix::net::UnixStream::pair().unwrap().0));
        assert!(!is_eventfd(&tempfile::tempfile().unwrap()));
    }

    #[test]
    fn a_full_eventfd_does_not_block() {
        let fd = eventfd(0, EventfdFlags::CLOEXEC).unwrap();
        signal(&fd);
        signal(&fd);
        let mut count = [0; 8];
        read(&fd, &mut count).unwrap();
        assert_eq!(u64::from_ne_bytes(count), 2);
        write(&fd, &(u64::MAX - 1).to_ne_bytes()).unwrap();
        signal(&fd);
        read(&fd, &mut count).unwrap();
        assert_eq!(u64::from_ne_bytes(count), u64::MAX - 1);
    }
}

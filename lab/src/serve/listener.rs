//! The socket in the file system: making it, and taking it away again.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags, Stat, fchmod, flock, lstat, open, unlink};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, accept_with, bind, connect, listen, socket_with,
};

/// Connections that wait to be accepted. More get EAGAIN at once.
const BACKLOG: i32 = 16;

/// How long another server may take to make or remove its socket in the same directory.
const LOCK_DEADLINE: Duration = Duration::from_secs(1);

/// Why a socket could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The path does not fit into a socket address.
    #[error("{}: a socket's path may have 107 bytes, this one has {}", path.display(), path.as_os_str().len())]
    TooLong {
        /// Of the socket.
        path: PathBuf,
    },
    /// Somebody is listening there.
    #[error("{}: another server is listening here; stop it or choose another path", path.display())]
    Live {
        /// Of the socket.
        path: PathBuf,
    },
    /// Something else is there, which is not ours to remove.
    #[error("{}: exists and is not a socket", path.display())]
    NotASocket {
        /// Of the file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{}: {what}: {source}", path.display())]
    System {
        /// Of the socket.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        source: io::Error,
    },
}

/// A listening socket; its file is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Listener {
    socket: OwnedFd,
    path: PathBuf,
    /// Device and inode of the socket's file: whatever else is at the path one day is not ours.
    file: (u64, u64),
}

impl Listener {
    /// Listens at `path`, which only this user may connect to. A socket that a dead server left is replaced.
    pub fn bind(path: &Path) -> Result<Self, BindError> {
        let system = |what| {
            move |errno: Errno| BindError::System { path: path.to_owned(), what, source: errno.into() }
        };
        let address = SocketAddrUnix::new(path).map_err(|_| BindError::TooLong { path: path.to_owned() })?;
        let _lock = lock_directory(path).map_err(system("cannot lock the directory"))?;
        remove_stale(path, &address)?;
        let socket = stream_socket().map_err(system("cannot make a socket"))?;
        // Before the bind, so that there is no moment in which others could connect.
        fchmod(&socket, Mode::RUSR | Mode::WUSR).map_err(system("cannot restrict the socket"))?;
        bind(&socket, &address).map_err(system("cannot make the socket"))?;
        let listening = listen(&socket, BACKLOG).and_then(|()| lstat(path));
        match listening {
            Ok(stat) => Ok(Listener { socket, path: path.to_owned(), file: identity(&stat) }),
            Err(errno) => {
                let _ = unlink(path);
                Err(system("cannot listen")(errno))
            }
        }
    }

    /// The next connection, if one is waiting.
    pub fn accept(&self) -> Option<OwnedFd> {
        accept_with(&self.socket, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK).ok()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if lstat(&self.path).is_ok_and(|stat| identity(&stat) == self.file) {
            let _ = unlink(&self.path);
        }
    }
}

fn stream_socket() -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
}

fn identity(stat: &Stat) -> (u64, u64) {
    (stat.st_dev, stat.st_ino)
}

/// Keeps two servers from both finding the same stale socket, where the slower one would remove the socket that the
/// faster one has just made. Held as long as the result lives.
fn lock_directory(path: &Path) -> Result<OwnedFd, Errno> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let directory = open(directory, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let deadline = Instant::now() + LOCK_DEADLINE;
    loop {
        match flock(&directory, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::AGAIN) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            Err(Errno::AGAIN) => return Err(Errno::AGAIN),
            // Some network file systems cannot lock; then this race is not closed.
            Ok(()) | Err(_) => return Ok(directory),
        }
    }
}

/// Makes `path` free, unless somebody uses it.
fn remove_stale(path: &Path, address: &SocketAddrUnix) -> Result<(), BindError> {
    let system =
        |what| move |errno: Errno| BindError::System { path: path.to_owned(), what, source: errno.into() };
    let stat = match lstat(path) {
        Err(Errno::NOENT) => return Ok(()),
        other => other.map_err(system("cannot look at the path"))?,
    };
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_socket() {
        return Err(BindError::NotASocket { path: path.to_owned() });
    }
    let probe = stream_socket().map_err(system("cannot make a socket"))?;
    match connect(&probe, address) {
        // EAGAIN: alive, only its queue is full. EPROTOTYPE: alive, but not a stream socket.
        Ok(()) | Err(Errno::AGAIN | Errno::PROTOTYPE) => Err(BindError::Live { path: path.to_owned() }),
        Err(Errno::CONNREFUSED) => unlink(path).map_err(system("cannot remove the stale socket")),
        Err(errno) => Err(system("cannot find out whether a server is listening")(errno)),
    }
}

//! Taking a function from the kernel, and giving it back.

use std::fs::{self, File};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::bus::pci::PciFunction;
use crate::bus::wire::pci;
use crate::error::{Error, Result};
use crate::mmio::Window;

/// IFF_UP in an interface's `flags`.
const UP: u32 = 1;

/// What is held of a function. Dropped from top to bottom: the lock goes last.
pub(super) struct Claim {
    pub(super) window: Arc<Window>,
    _command: SavedCommand,
    _driver: Option<KernelDriver>,
    _lock: File,
}

impl Claim {
    /// Takes the function, unless somebody has come to need it since it was opened. Nothing has changed after an error.
    pub(super) fn take(function: &PciFunction, config: &Arc<File>) -> Result<Claim> {
        refuse_if_up(function)?;
        let lock = lock(function)?;
        let length = lock.metadata().map_or(0, |file| file.len());
        let length = u32::try_from(length).map_err(|_| no_registers(function, length))?;
        let driver = KernelDriver::unbind(function)?;
        let command = SavedCommand::of(function, config)?;
        let window =
            Window::map(lock.as_fd(), 0, 0, length).map_err(|_| no_registers(function, length.into()))?;
        Ok(Claim { window: Arc::new(window), _command: command, _driver: driver, _lock: lock })
    }
}

fn no_registers(function: &PciFunction, length: u64) -> Error {
    let name = function.name();
    Error::Unsupported(format!("{name}: its resource0 of {length} bytes cannot be mapped; use VFIO"))
}

/// Somebody may be logged in through an interface that is up.
pub(super) fn refuse_if_up(function: &PciFunction) -> Result<()> {
    let name = function.name();
    for interface in function.names("net") {
        let flags = function.number(&format!("net/{interface}/flags")).unwrap_or(0);
        if flags & UP != 0 {
            return Err(Error::PermissionDenied {
                what: format!("the kernel uses {name} as {interface}, which is up"),
                remedy: format!("sudo ip link set {interface} down"),
            });
        }
    }
    Ok(())
}

/// A lock on `resource0`, so that no other driver in user space takes the function. Gone with this process.
fn lock(function: &PciFunction) -> Result<File> {
    let resource = function.open("resource0")?;
    match rustix::fs::flock(&resource, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(resource),
        Err(Errno::WOULDBLOCK) => Err(Error::PermissionDenied {
            what: format!("{} is in use by another driver in user space", function.name()),
            remedy: "stop that one first".into(),
        }),
        Err(errno) => Err(function.refused(&function.path("resource0"), &errno.into())),
    }
}

/// The kernel's driver of the function, which gets it back on drop.
struct KernelDriver {
    /// Its own directory: the function's link to it is gone once it has let go.
    directory: PathBuf,
    function: String,
}

impl KernelDriver {
    /// Asks the driver, if there is one, to let go.
    fn unbind(function: &PciFunction) -> Result<Option<KernelDriver>> {
        let Ok(directory) = fs::canonicalize(function.path("driver")) else { return Ok(None) };
        let path = directory.join("unbind");
        fs::write(&path, function.name()).map_err(|error| function.refused(&path, &error))?;
        Ok(Some(KernelDriver { directory, function: function.name().to_owned() }))
    }
}

impl Drop for KernelDriver {
    fn drop(&mut self) {
        // Whether the driver wants it again is the driver's business; `ringway list` shows how it ended.
        let _ = fs::write(self.directory.join("bind"), &self.function);
    }
}

/// The command register as it was found: bus master and memory bits above all. Written back on drop.
struct SavedCommand {
    config: Arc<File>,
    word: [u8; 2],
}

impl SavedCommand {
    fn of(function: &PciFunction, config: &Arc<File>) -> Result<SavedCommand> {
        let mut word = [0; 2];
        let read = config.read_exact_at(&mut word, pci::COMMAND);
        read.map_err(|error| function.refused(&function.path("config"), &error))?;
        Ok(SavedCommand { config: config.clone(), word })
    }
}

impl Drop for SavedCommand {
    fn drop(&mut self) {
        // A card that is gone needs no command.
        let _ = self.config.write_all_at(&self.word, pci::COMMAND);
    }
}

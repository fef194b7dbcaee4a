//! The files of one function, as the kernel would have them in sysfs.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::address::Address;
use super::namespace::{DEVICES, DRIVER};
use crate::device::Device;

/// VFIO's index of the configuration space.
const CONFIG: u32 = 7;
/// Regions that are BARs.
const BARS: u32 = 6;
/// `IORESOURCE_MEM` and the bits that tell of a 64-bit prefetchable one, of linux/ioport.h.
const MEMORY: u64 = 0x0014_220C;
/// Addresses on a bus that does not exist. Drivers take 0 for a BAR that is not there.
const FIRST_ADDRESS: u64 = 0xF000_0000;
const STRIDE: u64 = 0x0100_0000;

/// What the files lead to.
pub struct Contents<'a> {
    /// BARs that are there: index, and the file that holds it.
    pub bars: &'a [(u32, BorrowedFd<'a>)],
    /// The configuration space.
    pub config: BorrowedFd<'a>,
    /// The terminal behind `/dev/uioN`.
    pub terminal: &'a Path,
}

/// Where the function's files are.
pub fn directory(address: Address) -> PathBuf {
    Path::new(DEVICES).join(address.to_string())
}

/// Makes all of them.
///
/// # Errors
///
/// What the system says to a file that cannot be made.
pub fn make(address: Address, device: &mut dyn Device, contents: &Contents<'_>) -> io::Result<()> {
    let directory = directory(address);
    fs::create_dir(&directory)?;
    for (name, offset, bytes) in IDENTITY {
        fs::write(directory.join(name), format!("0x{}\n", hex(device, offset, bytes)?))?;
    }
    for (name, text) in PLAIN {
        fs::write(directory.join(name), text)?;
    }
    fs::write(directory.join("resource"), resource(address, device))?;
    for (index, file) in contents.bars {
        symlink(open_file(*file), directory.join(format!("resource{index}")))?;
    }
    symlink(open_file(contents.config), directory.join("config"))?;
    symlink(DRIVER, directory.join("driver"))?;
    make_uio(address, &directory, contents)
}

/// Takes all of them away again, as far as they are there.
pub fn remove(address: Address) {
    let name = uio(address);
    let _ = fs::remove_dir_all(directory(address));
    let _ = fs::remove_dir_all(Path::new("/sys/class/uio").join(&name));
    let _ = fs::remove_file(Path::new("/dev").join(&name));
}

/// Values that stand in the configuration space: name, offset, bytes.
const IDENTITY: [(&str, u64, usize); 6] = [
    ("vendor", 0x00, 2),
    ("device", 0x02, 2),
    ("subsystem_vendor", 0x2C, 2),
    ("subsystem_device", 0x2E, 2),
    ("revision", 0x08, 1),
    ("class", 0x09, 3),
];

const PLAIN: [(&str, &str); 5] =
    [("numa_node", "-1\n"), ("enable", "1\n"), ("irq", "0\n"), ("reset", ""), ("max_vfs", "0\n")];

/// The highest byte first, as the kernel prints numbers.
fn hex(device: &mut dyn Device, offset: u64, bytes: usize) -> io::Result<String> {
    let mut data = [0; 4];
    device.read(CONFIG, offset, &mut data[..bytes])?;
    Ok(data[..bytes].iter().rev().map(|byte| format!("{byte:02x}")).collect())
}

/// One line for each BAR, the ROM, and what bridges have: first address, last address, flags.
fn resource(address: Address, device: &dyn Device) -> String {
    let first = FIRST_ADDRESS + STRIDE * address.place() as u64;
    let mut text = String::new();
    let mut next = first;
    for region in device.regions().iter().take(BARS as usize) {
        match region.size {
            0 => text.push_str(&line(0, 0, 0)),
            size => {
                text.push_str(&line(next, next + size - 1, MEMORY));
                next += size.next_multiple_of(0x10_0000);
            }
        }
    }
    for _ in BARS..13 {
        text.push_str(&line(0, 0, 0));
    }
    text
}

fn line(first: u64, last: u64, flags: u64) -> String {
    format!("{first:#018x} {last:#018x} {flags:#018x}\n")
}

/// Opens anew what this process has open.
fn open_file(file: BorrowedFd<'_>) -> PathBuf {
    PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
}

/// Name of the function's UIO device.
fn uio(address: Address) -> String {
    format!("uio{}", address.place())
}

fn make_uio(address: Address, directory: &Path, contents: &Contents<'_>) -> io::Result<()> {
    let name = uio(address);
    let maps = directory.join("uio").join(&name).join("maps");
    fs::create_dir_all(&maps)?;
    let class = Path::new("/sys/class/uio").join(&name);
    fs::create_dir(&class)?;
    symlink(directory, class.join("device"))?;
    fs::write(class.join("name"), "igb_uio\n")?;
    symlink(contents.terminal, Path::new("/dev").join(&name))
}

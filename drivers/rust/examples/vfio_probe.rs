//! Tries the ways to a real card on one that QEMU can play: an e1000e, which this driver does not drive, but whose transmit ring is
//! simple enough to see whether DMA, interrupts and the IOMMU do what `ringway::bus` promises. See `conformance/vm`.
//!
//! ```text
//! vfio_probe try ADDRESS [OTHER]    every step, one line each
//! vfio_probe send ADDRESS           one frame, by sysfs as well
//! vfio_probe open ADDRESS           only opens it
//! vfio_probe keep ADDRESS           holds it until the host wants it back
//! ```

use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ringway::bus::{self, Function};
use ringway::mmio::Window;
use ringway::{DmaMemory, Error, Result};

/// The registers of an 82574 that are needed to send a frame and to cause an interrupt.
mod regs {
    pub const CTRL: u64 = 0x0000;
    pub const STATUS: u64 = 0x0008;
    pub const ICR: u64 = 0x00C0;
    pub const ICS: u64 = 0x00C8;
    pub const IMS: u64 = 0x00D0;
    pub const IMC: u64 = 0x00D8;
    pub const IVAR: u64 = 0x00E4;
    pub const TCTL: u64 = 0x0400;
    pub const TDBAL: u64 = 0x3800;
    pub const TDBAH: u64 = 0x3804;
    pub const TDLEN: u64 = 0x3808;
    pub const TDH: u64 = 0x3810;
    pub const TDT: u64 = 0x3818;
}

/// Where nothing is mapped.
const NOWHERE: u64 = 8 << 30;
/// The frame begins so far behind the ring.
const FRAME: u32 = 4096;
const TEXT: &[u8] = b"ringway was here, by way of an IOMMU, written in Rust";
/// How long the card may take for one frame.
const PATIENCE: Duration = Duration::from_secs(2);

struct Card {
    function: Arc<dyn Function>,
    memory: DmaMemory,
    /// The memory once more, word by word.
    words: Window,
}

impl Card {
    fn open(address: &str, memory: &DmaMemory) -> Result<Card> {
        let function = bus::open(address)?;
        function.claim(memory)?;
        let words = Window::map(memory.file(), 0, 0, memory.len() as u32)?;
        Ok(Card { function, memory: memory.clone(), words })
    }

    fn read(&self, register: u64) -> Result<u32> {
        let mut word = [0; 4];
        self.function.read(0, register, &mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn write(&self, register: u64, value: u32) -> Result<()> {
        self.function.write(0, register, &value.to_le_bytes())
    }

    /// Writes to DMA memory.
    fn put(&self, offset: u32, bytes: &[u8]) {
        for (at, word) in (offset..).step_by(4).zip(bytes.as_chunks::<4>().0) {
            self.words.store(at, u32::from_le_bytes(*word));
        }
    }

    fn is_done(&self) -> bool {
        self.words.load(12) & 1 != 0
    }

    /// Where the card sees the ring, and behind it the frame.
    fn ring(&self) -> u64 {
        self.memory.runs()[0].iova
    }

    /// Sends one frame whose ring is at `ring`; true if the card wrote back that it is done.
    fn transmit(&self, ring: u64) -> Result<bool> {
        let mut frame = vec![0xFF; 6];
        frame.extend([2, 0, 0, 0, 0, 1, 0x88, 0xB5]);
        frame.extend_from_slice(TEXT);
        frame.resize(128, 0);
        self.put(FRAME, &frame);
        // Length, EOP, IFCS and RS; status 0.
        let mut descriptor = (self.ring() + u64::from(FRAME)).to_le_bytes().to_vec();
        descriptor.extend((frame.len() as u32 | 0x0B << 24).to_le_bytes());
        descriptor.extend([0; 4]);
        self.put(0, &descriptor);
        self.write(regs::TCTL, 0)?;
        self.write(regs::TDBAL, ring as u32)?;
        self.write(regs::TDBAH, (ring >> 32) as u32)?;
        self.write(regs::TDLEN, 8 * 16)?;
        self.write(regs::TDH, 0)?;
        self.write(regs::TDT, 0)?;
        self.write(regs::TCTL, 1 << 1)?;
        self.write(regs::TDT, 1)?;
        let start = Instant::now();
        while !self.is_done() {
            // A card that has read a ring, its own or nobody's, is at its end at once.
            if start.elapsed() > PATIENCE || (ring == NOWHERE && self.read(regs::TDH)? == 1) {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(true)
    }
}

/// One line for each step; the first that fails ends it.
fn step(name: &str, good: bool, detail: impl std::fmt::Display) -> Result<()> {
    println!("{} {name}: {detail}", if good { "ok" } else { "FAILED" });
    if good { Ok(()) } else { Err(Error::DeviceFailed(name.to_owned())) }
}

fn try_all(address: &str, other: Option<&str>) -> Result<()> {
    let card = send(address)?;
    interrupt(&card)?;
    if let Some(other) = other {
        second(&card, other)?;
    }
    let stray = card.transmit(NOWHERE)?;
    step("stray", !stray, format!("a ring at {NOWHERE:#x}, where nothing is mapped"))?;
    card.function.unmap_dma(&card.memory)?;
    step("unmapped", !card.transmit(card.ring())?, format!("a ring at {:#x}, taken away", card.ring()))?;
    // QEMU's card does not forget its registers when it is put to sleep, which is how the kernel resets it.
    card.function.reset()?;
    step("reset", true, "by the bus")?;
    card.function.check()?;
    bus::disable_dma(&*card.function)
}

/// Opens the card by whichever way its address says, and sends a frame.
fn send(address: &str) -> Result<Card> {
    let memory = DmaMemory::for_devices(&[address], 4 << 20)?;
    let card = Card::open(address, &memory)?;
    let (vendor, device) = bus::identity(&*card.function)?;
    let way = card.function.way().to_string();
    step("identity", vendor != 0xFFFF, format!("{way} {vendor:04x}:{device:04x}"))?;
    registers(&card)?;
    card.function.map_dma(&memory)?;
    bus::enable_dma(&*card.function)?;
    let ring = card.ring();
    step("dma", card.transmit(ring)?, format!("a frame by a ring at {ring:#x}, reported as done"))?;
    Ok(card)
}

fn registers(card: &Card) -> Result<()> {
    bus::enable_memory(&*card.function)?;
    let mapped: Vec<_> = card.function.windows(0).iter().map(|window| window.range()).collect();
    step("window", mapped == [(0, 0x2_0000)], format!("{mapped:x?}"))?;
    card.write(regs::CTRL, 1 << 26)?;
    std::thread::sleep(Duration::from_millis(20));
    let (status, control) = (card.read(regs::STATUS)?, card.read(regs::CTRL)?);
    step("registers", status != u32::MAX && control & 1 << 26 == 0, format!("STATUS {status:#x}"))
}

/// Has the card cause its "other" interrupt by hand, in vector 1.
fn interrupt(card: &Card) -> Result<()> {
    use rustix::event::{EventfdFlags, eventfd};
    let event = || eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC);
    let make = || event().map_err(|errno| Error::OutOfMemory(errno.to_string()));
    let (zero, one) = (make()?, make()?);
    let count = card.function.vectors()?;
    card.function.bind_vectors(0, &[zero.as_fd(), one.as_fd()])?;
    card.write(regs::IVAR, (8 | 1) << 16)?;
    card.write(regs::IMS, 1 << 24)?;
    card.write(regs::ICS, 1 << 24)?;
    let start = Instant::now();
    let mut word = [0; 8];
    while rustix::io::read(&one, &mut word).is_err() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(1));
    }
    let (fired, quiet) = (u64::from_ne_bytes(word) > 0, rustix::io::read(&zero, &mut [0; 8]).is_err());
    // What is left pending would come by the pin once MSI-X is off.
    card.write(regs::IMC, u32::MAX)?;
    card.read(regs::ICR)?;
    card.function.unbind_vectors()?;
    step("interrupt", fired && quiet, format!("vector 1 of {count} by its eventfd"))
}

/// Another function in the same address space: the memory is pinned once, and stays for the one when the other goes.
fn second(card: &Card, address: &str) -> Result<()> {
    let other = bus::open(address)?;
    let (vendor, device) = bus::identity(&*other)?;
    other.map_dma(&card.memory)?;
    drop(other);
    step("second", card.transmit(card.ring())?, format!("{vendor:04x}:{device:04x} came and went"))
}

/// Holds the function until the host asks for it.
fn keep(address: &str) -> Result<()> {
    let card = Card::open(address, &DmaMemory::for_devices(&[address], 4 << 20)?)?;
    println!("ok keep: holding {address}");
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if let Err(error) = card.function.check() {
            return step("wanted back", error.to_string().contains("wants it back"), error);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    step("wanted back", false, "nobody asked for it")
}

fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["try", address] => try_all(address, None),
        ["try", address, other] => try_all(address, Some(other)),
        ["keep", address] => keep(address),
        ["send", address] => send(address).map(|_| ()),
        ["open", address] => DmaMemory::for_devices(&[address], 4 << 20).and_then(|memory| {
            let card = Card::open(address, &memory)?;
            card.function.map_dma(&memory)
        }),
        _ => {
            eprintln!("usage: vfio_probe try ADDRESS [OTHER] | send, open or keep ADDRESS");
            return 2.into();
        }
    };
    match done {
        Ok(()) => 0.into(),
        Err(error) => {
            eprintln!("vfio_probe: {error}");
            1.into()
        }
    }
}

//! Any sequence of accesses to the 82599's registers, configuration space and doorbell pages, with frames arriving
//! and time passing, and the sanitizer and the trace looking on.
//!
//! Whatever is done, nothing panics, every round ends, a register reads what was seen of it just before without side
//! effects, and after a function level reset the NIC works as if nothing had happened.

use std::fs::File;
use std::os::unix::fs::FileExt;

use arbitrary::{Arbitrary, Result, Unstructured};
use ringway_lab::device::Device;
use ringway_lab::events::Watch;
use ringway_lab::ixgbe::regs::REGISTERS;
use ringway_lab::ixgbe::{Doorbells, NicConfig};
use ringway_lab::memory::Prot;
use ringway_lab::sanitizer::Sanitizer;
use ringway_lab::trace::Trace;

use crate::common::{Bench, IOVA, MEMORY, frame};
use crate::input::{bytes, steps};

/// A whole run.
#[derive(Arbitrary, Debug)]
pub struct Input {
    pub seed: u64,
    pub trapped: bool,
    /// Begin with a NIC that is up, with a queue each way, or with one fresh from power-up.
    pub ready: bool,
    #[arbitrary(with = steps)]
    pub steps: Vec<Step>,
}

/// One thing that happens.
#[derive(Arbitrary, Debug)]
pub enum Step {
    Read(Where),
    Write(Where, Value),
    /// A store to the file behind the doorbell pages, of which the client has all.
    Store {
        offset: u32,
        value: Value,
    },
    ReadRegion {
        #[arbitrary(with = region)]
        region: u8,
        offset: u16,
        count: u8,
    },
    WriteRegion {
        #[arbitrary(with = region)]
        region: u8,
        offset: u16,
        #[arbitrary(with = bytes)]
        data: Vec<u8>,
    },
    Poll {
        micros: u16,
    },
    Frame {
        length: u16,
        mark: u8,
        bad_fcs: bool,
    },
    Link(bool),
    Trigger {
        index: u8,
        vector: u8,
    },
    Memory {
        page: u16,
        pages: u8,
        mapped: bool,
    },
    Reset,
    Reconnect,
}

/// A register.
#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Where {
    /// One that the table knows.
    Known { register: u16, number: u16 },
    /// Any dword of the BAR.
    Anywhere(u16),
}

/// A value worth writing.
#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Value {
    Any(u32),
    Small(u8),
    Bit(u8),
    Memory(u16),
    Ones,
}

/// Configuration space, the MSI-X table, or BAR0.
fn region(input: &mut Unstructured<'_>) -> Result<u8> {
    input.choose(&[7, 7, 3, 0]).copied()
}

impl Where {
    fn offset(self) -> u32 {
        match self {
            Where::Anywhere(word) => u32::from(word) % 0x8000 * 4,
            Where::Known { register, number } => {
                let registers = REGISTERS[usize::from(register) % REGISTERS.len()].registers;
                registers.at(number % registers.len()).offset
            }
        }
    }
}

impl Value {
    pub fn word(self) -> u32 {
        match self {
            Value::Any(word) => word,
            Value::Small(word) => word.into(),
            Value::Bit(bit) => 1 << (bit % 32),
            Value::Memory(page) => (IOVA as u32) + u32::from(page) % 0x500 * 0x1000,
            Value::Ones => u32::MAX,
        }
    }
}

/// Plays the steps, then sees whether the NIC can still be used.
pub fn run(input: Input) {
    let doorbells = if input.trapped { Doorbells::Trapped } else { Doorbells::Mapped };
    let mut bench = Bench::with(NicConfig { doorbells, seed: input.seed, ..NicConfig::new("fuzz") });
    let (sanitizer, findings) = Sanitizer::new(Watch::Descriptors);
    bench.nic.add_observer(Box::new(sanitizer));
    let (trace, _) = Trace::ring(64);
    bench.nic.add_observer(Box::new(trace));
    if input.ready {
        bench.bring_up();
        bench.open_rx(0, 8);
        bench.open_tx(0, 8);
    }
    for one in input.steps {
        step(&mut bench, one);
    }
    findings.take();
    recovers(&mut bench);
}

fn step(bench: &mut Bench, step: Step) {
    match step {
        Step::Read(place) => read(bench, place.offset()),
        Step::Write(place, value) => {
            let offset = u64::from(place.offset());
            bench.nic.synchronise();
            bench.nic.write(0, offset, &value.word().to_le_bytes()).expect("every dword can be written");
        }
        Step::Store { offset, value } => {
            if let Some((file, _)) = bench.nic.mappable(0) {
                let file = File::from(file.try_clone_to_owned().expect("a descriptor"));
                let length = file.metadata().expect("a file").len();
                let at = u64::from(offset & !3) % length;
                file.write_all_at(&value.word().to_le_bytes(), at).expect("a page");
            }
        }
        Step::ReadRegion { region, offset, count } => {
            let mut data = vec![0; usize::from(count).max(1)];
            if let Some(offset) = inside(bench, region, offset, data.len()) {
                let _ = bench.nic.read(region.into(), offset, &mut data);
            }
        }
        Step::WriteRegion { region, offset, data } => {
            if let Some(offset) = inside(bench, region, offset, data.len()) {
                let _ = bench.nic.write(region.into(), offset, &data);
            }
        }
        Step::Poll { micros } => bench.pass(u64::from(micros) * 1000),
        Step::Frame { length, mark, bad_fcs } => {
            let frame = frame(usize::from(length % 16384).max(14), mark);
            if bad_fcs { bench.wire.inject_bad_fcs(frame) } else { bench.wire.inject(frame) }
        }
        Step::Link(up) => bench.nic.set_link(up),
        Step::Trigger { index, vector } => {
            let _ = bench.nic.trigger(index.into(), vector.into());
        }
        Step::Memory { page, pages, mapped } => memory(bench, page, pages, mapped),
        Step::Reset => bench.nic.reset(),
        Step::Reconnect => {
            bench.nic.detached();
            bench.nic.attached();
        }
    }
}

/// A read shows what `peek` has shown.
fn read(bench: &mut Bench, offset: u32) {
    bench.nic.synchronise();
    let (once, twice) = (bench.nic.peek(offset), bench.nic.peek(offset));
    let mut data = [0; 4];
    bench.nic.read(0, offset.into(), &mut data).expect("every dword can be read");
    assert_eq!((once, twice), (u32::from_le_bytes(data), once), "peek and read of {offset:#x}");
}

/// The server checks bounds before the device is asked.
fn inside(bench: &Bench, region: u8, offset: u16, count: usize) -> Option<u64> {
    let size = bench.nic.regions().get(usize::from(region))?.size;
    let offset = u64::from(offset).checked_rem(size)?;
    (count > 0 && offset + count as u64 <= size).then_some(offset)
}

fn memory(bench: &mut Bench, page: u16, pages: u8, mapped: bool) {
    let offset = u64::from(page) * 0x1000 % MEMORY;
    let size = u64::from(pages).max(1) * 0x1000;
    let changed = if mapped {
        bench.nic.memory().map(&bench.memory, offset, IOVA + offset, size, Prot::READ_WRITE).is_ok()
    } else {
        let all: Vec<_> = bench.nic.memory().ranges().collect();
        let range = all.get(usize::from(page) % all.len().max(1)).copied();
        range.is_some_and(|(iova, size)| bench.nic.memory().unmap(iova, size).is_ok())
    };
    if changed {
        bench.nic.memory_changed(IOVA + offset, size, mapped);
    }
}

/// After a reset, a frame comes in and one goes out.
pub fn recovers(bench: &mut Bench) {
    bench.nic.memory().clear();
    bench.nic.memory().map(&bench.memory, 0, IOVA, MEMORY, Prot::READ_WRITE).expect("nothing is mapped");
    bench.nic.reset();
    bench.nic.set_link(true);
    bench.wire.clear();
    bench.bring_up();
    bench.open_rx(0, 8);
    bench.open_tx(0, 8);
    let come = frame(100, 0x5a);
    bench.arrive(std::slice::from_ref(&come));
    let received = bench.take(0).expect("nothing was received after a reset");
    assert_eq!(received.bytes, come);
    let go = frame(200, 0xa5);
    bench.send(0, &go);
    assert_eq!(bench.wire.sent(), [go], "after a reset");
}

//! Any descriptors, in rings that are set up properly or nearly so: the NIC reads and writes the driver's memory as
//! they say, with the sanitizer looking on.
//!
//! Whatever they say, nothing panics, every round ends, no byte is written that is not mapped for writing, no frame on
//! the wire is longer than the card can send, and after a reset the NIC works.

use arbitrary::Arbitrary;
use ringway_lab::device::Device;
use ringway_lab::events::Watch;
use ringway_lab::ixgbe::regs::{self, Register, tx_context, tx_data, tx_legacy};
use ringway_lab::ixgbe::{Doorbells, NicConfig};
use ringway_lab::memory::Prot;
use ringway_lab::sanitizer::Sanitizer;

use crate::common::{Bench, IOVA, MEMORY, RX_RINGS, TX_BUFFERS, TX_RINGS, frame};
use crate::input::{bytes, rare, steps};
use crate::ixgbe_registers::{Value, recovers};

/// Memory that the NIC may only read lies here.
const READ_ONLY: u64 = 0x2_0000_0000;
const READ_ONLY_BYTES: u64 = 0x4000;
/// Slots of the rings.
const SLOTS: u32 = 16;
/// Queues in use each way.
const QUEUES: u16 = 2;
/// The longest frame that MAXFRS can allow is shorter than this.
const LONGEST: usize = 0x1_0000;

/// A whole run.
#[derive(Arbitrary, Debug)]
pub struct Input {
    pub trapped: bool,
    pub jumbo: bool,
    /// SRRCTL of each queue, beyond what is sensible.
    #[arbitrary(with = rare)]
    pub split: Option<(u32, u32)>,
    #[arbitrary(with = steps)]
    pub steps: Vec<Step>,
}

/// One thing that happens.
#[derive(Arbitrary, Debug)]
pub enum Step {
    /// A descriptor is written into the receive ring.
    Receive {
        queue: bool,
        slot: u8,
        packet: Address,
        header: Address,
    },
    /// A descriptor is written into the transmit ring.
    Transmit {
        queue: bool,
        slot: u8,
        descriptor: Descriptor,
    },
    RxTail {
        queue: bool,
        value: u16,
    },
    TxTail {
        queue: bool,
        value: u16,
    },
    /// A register of a queue, or one that changes how frames are treated.
    Register {
        which: u8,
        queue: bool,
        value: Value,
    },
    /// Bytes of a packet to be sent.
    Packet {
        at: u8,
        kind: Packet,
    },
    /// Frames come in.
    Arrive {
        packet: Packet,
        count: u8,
        bad_fcs: bool,
    },
    Settle,
}

/// An address in a descriptor.
#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Address {
    Memory(u32),
    Packet(u8),
    NearTheEnd(u16),
    ReadOnly(u16),
    Any(u64),
}

/// What the driver asks to be sent.
#[derive(Arbitrary, Debug)]
pub enum Descriptor {
    Data { address: Address, length: u16, paylen: u32, command: u8, options: u16 },
    Context { vlan: u16, maclen: u8, iplen: u16, kind: u16, mss: u16, l4len: u8 },
    Legacy { address: Address, length: u16, command: u8, offset: u8, start: u8 },
    Any([u64; 2]),
}

/// A packet that makes some sense.
#[derive(Arbitrary, Debug)]
pub enum Packet {
    Plain {
        length: u16,
        mark: u8,
    },
    Ipv4 {
        vlan: bool,
        protocol: u8,
        ihl: u8,
        total: u16,
        length: u16,
    },
    Ipv6 {
        next: u8,
        payload: u16,
        length: u16,
        #[arbitrary(with = bytes)]
        options: Vec<u8>,
    },
    Any(#[arbitrary(with = bytes)] Vec<u8>),
}

impl Address {
    fn iova(self) -> u64 {
        match self {
            Address::Memory(offset) => IOVA + u64::from(offset) % MEMORY,
            Address::Packet(number) => IOVA + packet_at(number),
            Address::NearTheEnd(before) => (IOVA + MEMORY).wrapping_sub(u64::from(before)),
            Address::ReadOnly(offset) => READ_ONLY + u64::from(offset) % READ_ONLY_BYTES,
            Address::Any(address) => address,
        }
    }
}

impl Descriptor {
    fn words(&self) -> [u64; 2] {
        match self {
            Descriptor::Any(words) => *words,
            Descriptor::Data { address, length, paylen, command, options } => [
                address.iova(),
                u64::from(*length)
                    | tx_data::DTYP.put(tx_data::DTYP_DATA)
                    | tx_data::DEXT.put(1)
                    | u64::from(command & 0xdf) << 24
                    | u64::from(options & 0x3fff) << 32
                    | u64::from(paylen & 0x3_ffff) << 46,
            ],
            Descriptor::Context { vlan, maclen, iplen, kind, mss, l4len } => [
                u64::from(iplen & 0x1ff) | u64::from(maclen & 0x7f) << 9 | u64::from(*vlan) << 16,
                tx_context::DTYP.put(tx_context::DTYP_CONTEXT)
                    | tx_context::DEXT.put(1)
                    | u64::from(kind & 0x7ff) << 9
                    | u64::from(*l4len) << 40
                    | u64::from(*mss) << 48,
            ],
            Descriptor::Legacy { address, length, command, offset, start } => [
                address.iova(),
                tx_legacy::LENGTH.put(u64::from(*length))
                    | u64::from(*offset) << 16
                    | u64::from(command & 0xdf) << 24
                    | u64::from(*start) << 40,
            ],
        }
    }
}

impl Packet {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Packet::Any(bytes) => {
                let mut bytes = bytes.clone();
                bytes.resize(bytes.len().max(14), 0);
                bytes
            }
            Packet::Plain { length, mark } => frame(usize::from(length % 16384).max(14), *mark),
            Packet::Ipv4 { vlan, protocol, ihl, total, length } => {
                let mut bytes = frame(14, 1)[..12].to_vec();
                bytes.extend(if *vlan { &[0x81, 0, 0, 5, 8, 0][..] } else { &[8, 0] });
                bytes.extend([0x40 | ihl & 0xf, 0]);
                bytes.extend(total.to_be_bytes());
                bytes.extend([0, 1, 0, 0, 64, *protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
                bytes.resize(bytes.len() + usize::from(length % 9200), 0x77);
                bytes
            }
            Packet::Ipv6 { next, payload, length, options } => {
                let mut bytes = frame(14, 2)[..12].to_vec();
                bytes.extend([0x86, 0xdd, 0x60, 0, 0, 0]);
                bytes.extend(payload.to_be_bytes());
                bytes.extend([*next, 64]);
                bytes.extend([0x20; 32]);
                bytes.extend(options);
                bytes.resize(bytes.len() + usize::from(length % 9200), 0x66);
                bytes
            }
        }
    }
}

/// Where packet `number` lies in the driver's memory.
fn packet_at(number: u8) -> u64 {
    TX_BUFFERS + u64::from(number % 16) * 0x4000
}

/// Plays the steps, then sees whether the NIC can still be used.
pub fn run(input: Input) {
    let doorbells = if input.trapped { Doorbells::Trapped } else { Doorbells::Mapped };
    let mut bench = Bench::with(NicConfig { doorbells, ..NicConfig::new("fuzz") });
    let (sanitizer, findings) = Sanitizer::new(Watch::Descriptors);
    bench.nic.add_observer(Box::new(sanitizer));
    let prot = Prot::READ;
    let mapped = bench.nic.memory().map(&bench.memory, 0, READ_ONLY, READ_ONLY_BYTES, prot);
    mapped.expect("nothing is there");
    bench.bring_up();
    if input.jumbo {
        bench.set(regs::HLREG0, regs::hlreg0::JUMBOEN.mask());
        bench.write(regs::MAXFRS, 0x3f00_0000);
    }
    for queue in 0..QUEUES {
        bench.open_rx(queue, SLOTS);
        bench.open_tx(queue, SLOTS);
    }
    if let Some((one, two)) = input.split {
        bench.write(regs::SRRCTL.at(0), one);
        bench.write(regs::SRRCTL.at(1), two);
    }
    for one in input.steps {
        step(&mut bench, one);
        findings.take();
    }
    settle(&mut bench);
    recovers(&mut bench);
}

fn step(bench: &mut Bench, step: Step) {
    let at = |ring: u64, queue: bool, slot: u8| {
        ring + u64::from(queue) * 0x8000 + u64::from(u32::from(slot) % SLOTS) * 16
    };
    match step {
        Step::Receive { queue, slot, packet, header } => {
            bench.put_words(at(RX_RINGS, queue, slot), [packet.iova(), header.iova()]);
        }
        Step::Transmit { queue, slot, descriptor } => {
            bench.put_words(at(TX_RINGS, queue, slot), descriptor.words());
        }
        Step::RxTail { queue, value } => bench.store(regs::RDT.at(queue.into()), value.into()),
        Step::TxTail { queue, value } => bench.store(regs::TDT.at(queue.into()), value.into()),
        Step::Register { which, queue, value } => {
            bench.store(changeable(which, queue.into()), value.word());
        }
        Step::Packet { at, kind } => {
            let bytes = kind.bytes();
            bench.put(packet_at(at), &bytes[..bytes.len().min(0x4000)]);
        }
        Step::Arrive { packet, count, bad_fcs } => {
            for _ in 0..count % 40 {
                let frame = packet.bytes();
                if bad_fcs { bench.wire.inject_bad_fcs(frame) } else { bench.wire.inject(frame) }
            }
        }
        Step::Settle => settle(bench),
    }
}

/// Registers that a running driver may well change, wisely or not.
fn changeable(which: u8, queue: u16) -> Register {
    let all = [
        regs::RDLEN.at(queue),
        regs::RDH.at(queue),
        regs::RDBAL.at(queue),
        regs::RDBAH.at(queue),
        regs::RXDCTL.at(queue),
        regs::SRRCTL.at(queue),
        regs::TDLEN.at(queue),
        regs::TDH.at(queue),
        regs::TDBAL.at(queue),
        regs::TDBAH.at(queue),
        regs::TXDCTL.at(queue),
        regs::TDWBAL.at(queue),
        regs::TDWBAH.at(queue),
        regs::PSRTYPE.at(queue),
        regs::RSCCTL.at(queue),
        regs::HLREG0,
        regs::MAXFRS,
        regs::FCTRL,
        regs::RXCSUM,
        regs::MRQC,
        regs::VLNCTRL,
        regs::RDRXCTL,
        regs::DMATXCTL,
        regs::RXCTRL,
    ];
    all[usize::from(which) % all.len()]
}

/// Lets the NIC work until it has nothing to do. Descriptors cannot keep it busy for ever: each ring has few.
fn settle(bench: &mut Bench) {
    bench.nic.synchronise();
    let mut rounds = 0;
    while bench.poll() > 0 {
        rounds += 1;
        assert!(rounds < 20_000, "the NIC never comes to rest");
    }
    for frame in bench.wire.sent() {
        assert!(frame.len() < LONGEST, "a frame of {} bytes was sent", frame.len());
    }
}

//! The short ways of receiving and transmitting do exactly what the long ones do.
//!
//! Two NICs get the same work. One is watched by somebody who wants to hear of each descriptor, which only the long ways can
//! tell of; the other goes the short ways wherever it can.

use std::sync::{Arc, Mutex};

use ringway_lab::clock::Nanos;
use ringway_lab::events::{Event, Observer, Scene, Watch};
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::ixgbe::regs::{self, Register, mrqc, rx_writeback, tx_data};
use ringway_lab::wire::generator::{self, GeneratorOptions, GeneratorWire, Sizes};
use ringway_lab::wire::{Burst, Frame, Wire};

use crate::common::{Bench, LAST, MEMORY};

/// Hears of everything and does nothing.
struct Listener;

impl Observer for Listener {
    fn watch(&self) -> Watch {
        Watch::Descriptors
    }

    fn event(&mut self, _scene: &Scene<'_>, _event: &Event) {}
}

type Sent = Arc<Mutex<Vec<Vec<u8>>>>;

/// A generator's wire that keeps what the NIC sends.
struct Recorder {
    source: GeneratorWire,
    sent: Sent,
}

impl Wire for Recorder {
    fn peek(&mut self, now: Nanos) -> Option<Frame<'_>> {
        self.source.peek(now)
    }

    fn advance(&mut self, now: Nanos) {
        self.source.advance(now);
    }

    fn send(&mut self, frame: &[u8], _now: Nanos) {
        self.sent.lock().unwrap().push(frame.to_vec());
    }

    fn burst(&mut self, now: Nanos, most: usize) -> Burst<'_> {
        self.source.burst(now, most)
    }

    fn advance_burst(&mut self, frames: usize, now: Nanos) {
        self.source.advance_burst(frames, now);
    }
}

/// A NIC with two receive queues, RSS and one transmit queue.
fn bench(options: &GeneratorOptions, watched: bool) -> (Bench, Sent) {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let (source, _handle) = generator::one_way(options).unwrap();
    let sent = Sent::default();
    if watched {
        bench.nic.add_observer(Box::new(Listener));
    }
    bench.set(regs::HLREG0, regs::hlreg0::TXPADEN.mask() | regs::hlreg0::TXCRCEN.mask());
    bench.write(regs::RSSRK.at(0), 0x1234_5678);
    (0..32).for_each(|word| bench.write(regs::RETA.at(word), 0x0001_0001));
    bench.write(regs::MRQC, mrqc::MRQE.put(mrqc::MRQE_RSS) | mrqc::UDP_IPV4.mask() | mrqc::IPV4.mask());
    for queue in 0..2 {
        bench.open_rx(queue, 64);
    }
    bench.open_tx(0, 64);
    // Not before: frames for a queue that is not open are dropped without end.
    bench.nic.replace_wire(Box::new(Recorder { source, sent: Arc::clone(&sent) }));
    (bench, sent)
}

/// What a packet asks for: most ask for nothing, some cannot be sent, some take the long way.
fn flags(number: usize) -> (u64, usize) {
    match number % 11 {
        3 => (tx_data::EOP.mask() | tx_data::IFCS.mask(), 0),
        5 => (LAST | tx_data::VLE.mask(), 0),
        7 => (LAST, 16),
        9 => (LAST, 30),
        _ if number.is_multiple_of(4) => (LAST, 0),
        _ => (LAST & !tx_data::RS.mask(), 0),
    }
}

/// A few hundred rounds. Returns everything that can be seen afterwards.
fn work((mut bench, sent): (Bench, Sent)) -> (Vec<u8>, Vec<u32>, Vec<Vec<u8>>) {
    let mut number = 0;
    for round in 0..200 {
        bench.poll();
        for queue in 0..2 {
            let mut taken = 0;
            while taken < 7 + round % 30 {
                let Some(received) = bench.take(queue) else { break };
                taken += 1;
                assert!(rx_writeback::EOP.is_set(&received.words));
                let (flags, length) = flags(number);
                number += 1;
                let bytes = if length == 0 { &received.bytes[..] } else { &received.bytes[..length] };
                let words = bench.data(0, bytes, bytes.len(), flags);
                bench.push(0, words);
                if number.is_multiple_of(16) {
                    bench.ring(0);
                }
            }
        }
        bench.ring(0);
    }
    assert!(number > 2000, "{number} packets passed");
    let counters = statistics().map(|register| bench.read(register)).collect();
    let memory = bench.get(0, MEMORY as usize);
    let sent = sent.lock().unwrap().clone();
    (memory, counters, sent)
}

/// Every statistics register that frames count in, and the heads.
fn statistics() -> impl Iterator<Item = Register> {
    let classes = [regs::PRC64, regs::PRC127, regs::PRC255, regs::PRC511, regs::PRC1023, regs::PRC1522];
    let sent = [regs::PTC64, regs::PTC127, regs::PTC255, regs::PTC511, regs::PTC1023, regs::PTC1522];
    let both =
        [regs::GPRC, regs::GPTC, regs::TPR, regs::TPT, regs::GORCL, regs::GOTCL, regs::TORL, regs::XEC];
    let queues = [regs::QPRC.at(0), regs::QBRC_L.at(0), regs::RDH.at(0), regs::RDH.at(1), regs::TDH.at(0)];
    classes.into_iter().chain(sent).chain(both).chain(queues)
}

fn compare(options: &GeneratorOptions) {
    let short = work(bench(options, false));
    let long = work(bench(options, true));
    assert_eq!(short.1, long.1, "statistics");
    assert_eq!(short.2.len(), long.2.len(), "frames sent");
    assert!(short.2 == long.2, "what was sent differs");
    assert!(short.0 == long.0, "the driver's memory differs");
}

#[test]
fn short_frames_of_one_flow() {
    compare(&GeneratorOptions::default());
}

#[test]
fn many_flows_to_several_queues() {
    compare(&GeneratorOptions { flows: 64, ..Default::default() });
}

#[test]
fn all_sizes_up_to_the_buffer() {
    let sizes = Sizes::List(vec![64, 1518, 65, 128, 97, 600, 100]);
    compare(&GeneratorOptions { sizes, flows: 4, ..Default::default() });
}

#[test]
fn an_end_is_kept() {
    let options = GeneratorOptions { count: Some(2500), ..Default::default() };
    compare(&options);
}

#[test]
fn what_was_found_out_is_forgotten_when_a_register_changes() {
    let (mut bench, _sent) = bench(&GeneratorOptions { count: Some(1000), ..Default::default() }, false);
    bench.poll();
    assert!(bench.read(regs::GPRC) > 32);
    let dropped = bench.nic.counters().dropped.address;
    bench.write(regs::FCTRL, 0);
    while bench.take(0).is_some() || bench.take(1).is_some() {}
    bench.poll();
    assert_eq!(bench.read(regs::GPRC), 0);
    assert!(bench.nic.counters().dropped.address > dropped);
}

//! What observers are told, and in which order.

use std::sync::{Arc, Mutex};

use crate::common::{BOTH, Bench, IOVA, frame};
use ringway_lab::device::Device;
use ringway_lab::events::{Event, Observer, Queue, Scene, Side, Watch};
use ringway_lab::ixgbe::Doorbells;
use ringway_lab::ixgbe::regs;

#[derive(Clone, Default)]
struct Recorder {
    watch: Watch,
    events: Arc<Mutex<Vec<Event>>>,
    /// RXCTRL as it was when it was about to be written.
    peeked: Arc<Mutex<Vec<u32>>>,
}

impl Observer for Recorder {
    fn watch(&self) -> Watch {
        self.watch
    }

    fn event(&mut self, scene: &Scene<'_>, event: &Event) {
        if matches!(event, Event::RegisterWrite { offset, .. } if *offset == regs::RXCTRL.offset) {
            self.peeked.lock().unwrap().push((scene.peek)(regs::RXCTRL.offset));
        }
        self.events.lock().unwrap().push(*event);
    }
}

impl Recorder {
    fn on(bench: &mut Bench, watch: Watch) -> Self {
        let recorder = Recorder { watch, ..Recorder::default() };
        bench.nic.add_observer(Box::new(recorder.clone()));
        recorder
    }

    fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.events.lock().unwrap())
    }
}

const RX0: Queue = Queue { side: Side::Rx, number: 0 };

#[test]
fn the_life_of_a_descriptor() {
    for doorbells in BOTH {
        let mut bench = Bench::ready(doorbells);
        let recorder = Recorder::on(&mut bench, Watch::Descriptors);
        bench.open_rx(0, 8);
        bench.nic.synchronise();
        let events = recorder.take();
        let enabled = events
            .iter()
            .position(|e| matches!(e, Event::QueueEnabled { queue: RX0, base: IOVA, slots: 8, head: 0 }));
        let doorbell = events
            .iter()
            .position(|e| matches!(e, Event::Doorbell { queue: RX0, head: 0, before: 0, tail: 7 }));
        assert!(enabled.unwrap() < doorbell.unwrap());
        let handed: Vec<_> = events[doorbell.unwrap()..]
            .iter()
            .filter_map(|e| match e {
                Event::HandedOver { queue: RX0, slot, words } => Some((*slot, words[0])),
                _ => None,
            })
            .collect();
        let expected: Vec<_> = (0..7).map(|slot| (slot, IOVA + bench.rx_buffer(0, slot))).collect();
        assert_eq!(handed, expected);
        bench.arrive(&[frame(60, 1)]);
        let events = recorder.take();
        let [fetched, completed, moved] = &events[..] else { panic!("{events:?}") };
        assert!(matches!(fetched, Event::Fetched { queue: RX0, slot: 0, .. }));
        assert!(matches!(completed, Event::Completed { queue: RX0, slot: 0, written: Some(_) }));
        assert!(matches!(moved, Event::HeadMoved { queue: RX0, head: 1 }));
    }
}

#[test]
fn observers_hear_only_what_they_asked_for() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let coarse = Recorder::on(&mut bench, Watch::Registers);
    let fine = Recorder::on(&mut bench, Watch::Descriptors);
    let deaf = Recorder::on(&mut bench, Watch::Off);
    bench.open_rx(0, 8);
    bench.arrive(&[frame(60, 1)]);
    let per_descriptor = |events: &[Event]| {
        events.iter().filter(|e| matches!(e, Event::Fetched { .. } | Event::HandedOver { .. })).count()
    };
    let coarse = coarse.take();
    assert_eq!(per_descriptor(&coarse), 0);
    assert!(coarse.iter().any(|e| matches!(e, Event::HeadMoved { .. })));
    assert_eq!(per_descriptor(&fine.take()), 8);
    assert!(deaf.take().is_empty());
}

#[test]
fn writes_are_told_before_they_take_effect() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let recorder = Recorder::on(&mut bench, Watch::Registers);
    bench.write(regs::RXCTRL, 0);
    bench.write(regs::RXCTRL, 1);
    assert_eq!(*recorder.peeked.lock().unwrap(), [1, 0]);
    assert!(matches!(
        recorder.take()[..],
        [Event::RegisterWrite { before: 1, value: 0, .. }, Event::RegisterWrite { before: 0, value: 1, .. },]
    ));
}

#[test]
fn long_writes_to_config_space_are_told_in_words() {
    const CONFIG: u32 = 7;
    let mut bench = Bench::ready(Doorbells::Mapped);
    let recorder = Recorder::on(&mut bench, Watch::Registers);
    bench.nic.write(CONFIG, 0, &[0, 0, 0, 0, 6, 0, 0, 0, 9]).unwrap();
    assert!(matches!(
        recorder.take()[..],
        [
            Event::ConfigWrite { offset: 0, length: 4, value: 0 },
            Event::ConfigWrite { offset: 4, length: 4, value: 6 },
            Event::ConfigWrite { offset: 8, length: 1, value: 9 },
        ]
    ));
}

#[test]
fn stores_into_mapped_pages_are_seen() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    let recorder = Recorder::on(&mut bench, Watch::Registers);
    let before = bench.load(regs::RDBAL.at(5));
    bench.store(regs::RDBAL.at(5), !before);
    bench.nic.synchronise();
    let offset = regs::RDBAL.at(5).offset;
    let events = recorder.take();
    assert!(
        events.iter().any(|e| matches!(e, Event::MappedWrite { offset: o, before: b, value } if *o == offset && *b == before && *value == !before)),
        "{events:?}"
    );
    bench.nic.synchronise();
    assert!(recorder.take().is_empty(), "told once");
}

#[test]
fn the_nics_own_stores_are_no_news() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.open_tx(0, 8);
    let recorder = Recorder::on(&mut bench, Watch::Registers);
    recorder.take();
    bench.arrive(&[frame(60, 1)]);
    bench.send(0, &frame(60, 1));
    bench.nic.synchronise();
    assert!(!recorder.take().iter().any(|e| matches!(e, Event::MappedWrite { .. })));
}

#[test]
fn resets_and_clients_are_told() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    let recorder = Recorder::on(&mut bench, Watch::Registers);
    bench.write(regs::CTRL, regs::ctrl::RST.mask());
    let events = recorder.take();
    let places = [
        events.iter().position(|e| matches!(e, Event::RegisterWrite { .. })),
        events.iter().position(|e| matches!(e, Event::QueueDisabled { queue: RX0, .. })),
        events.iter().position(|e| matches!(e, Event::Reset)),
    ];
    assert!(places[0].unwrap() < places[1].unwrap() && places[1] < places[2], "{events:?}");
    bench.nic.write(7, 4, &[2, 0]).unwrap();
    bench.nic.memory_changed(IOVA, 4096, true);
    bench.nic.detached();
    assert!(matches!(
        recorder.take()[..],
        [
            Event::ConfigWrite { offset: 4, length: 2, value: 2 },
            Event::MemoryMapped { iova: IOVA, size: 4096, mapped: true },
            Event::Client { present: false },
        ]
    ));
}

#[test]
fn faults_and_nonsense_are_told() {
    let mut bench = Bench::ready(Doorbells::Mapped);
    bench.open_rx(0, 8);
    bench.put_words(bench.rx_descriptor(0, 0), [0x10, 0]);
    let recorder = Recorder::on(&mut bench, Watch::Registers);
    bench.arrive(&[frame(60, 1)]);
    assert!(
        recorder.take().iter().any(
            |e| matches!(e, Event::DmaFault { queue: Some(RX0), slot: 0, fault } if fault.iova == 0x10 && fault.write)
        )
    );
}

//! The whole driver by the two ways to a real card, on a card that is a file with a thread behind it.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::bus::Way;
use crate::bus::sysfs::Sysfs;
use crate::bus::tree::{NIC, Tree};
use crate::bus::vfio::Vfio;
use crate::bus::vfio::tests::{group, nodes};
use crate::device::Device;
use crate::mmio::Window;

/// Lets resets end, and everything else be memory. Gone when dropped.
struct Card(Arc<AtomicBool>, Option<std::thread::JoinHandle<()>>);

impl Card {
    fn play(registers: Window) -> Card {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                let control = registers.load(CTRL.offset);
                if control & (ctrl::RST.mask() | ctrl::LRST.mask()) != 0 {
                    let mut ready = HashMap::new();
                    after_reset(&mut ready);
                    ready.iter().for_each(|(offset, value)| registers.store(*offset, *value));
                    registers.store(CTRL.offset, 0);
                } else if ctrl::GIO_DIS.is_set(control) {
                    registers.store(STATUS.offset, 0);
                }
                std::thread::yield_now();
            }
        });
        Card(stop, Some(thread))
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        let _ = self.1.take().map(std::thread::JoinHandle::join);
    }
}

fn resource0(tree: &Tree) -> Window {
    let path = tree.path(&format!("devices/{NIC}/resource0"));
    let file = std::fs::File::options().read(true).write(true).open(path).unwrap();
    Window::map(std::os::fd::AsFd::as_fd(&file), 0, 0, BAR0_BYTES as u32).unwrap()
}

#[test]
fn opens_and_closes_by_group_and_by_node() {
    for (tree, kernel) in [group(), nodes()] {
        let memory = memory();
        let function = Arc::new(Vfio::open(&kernel.session(), &tree.find(NIC).unwrap()).unwrap());
        let card = Card::play(kernel.card());
        let device = Device::open_on(function, &memory, &small()).unwrap();
        assert_eq!((device.control().way(), device.control().address()), (Way::Vfio, NIC));
        assert_eq!(device.mac(), [2, 0, 0, 1, 2, 3]);
        assert_eq!(tree.command("device"), 6, "memory and bus master");
        assert_eq!(kernel.state().maps, [(memory.address() as u64, DmaMemory::IOVA, memory.len() as u64)]);
        device.close().unwrap();
        drop(card);
        assert_eq!(tree.command("device"), 2);
        assert!(kernel.state().maps.is_empty());
    }
}

#[test]
fn opens_and_closes_over_sysfs_with_physical_addresses() {
    let (tree, memory) = (Tree::new(), DmaMemory::fake_huge(8 << 20));
    let function = Arc::new(Sysfs::open(tree.find(NIC).unwrap()).unwrap());
    let card = Card::play(resource0(&tree));
    let device = Device::open_on(function, &memory, &small()).unwrap();
    assert_eq!(device.control().way(), Way::Sysfs);
    let registers = resource0(&tree);
    let ring =
        u64::from(registers.load(RDBAH.at(0).offset)) << 32 | u64::from(registers.load(RDBAL.at(0).offset));
    let inside = |run: &crate::dma::Run| (run.iova..run.iova + run.bytes as u64).contains(&ring);
    assert!(memory.runs().iter().any(inside), "{ring:#x}");
    assert_eq!(tree.command("devices/0000:03:00.0/config"), 6);
    device.close().unwrap();
    drop(card);
    assert_eq!(tree.command("devices/0000:03:00.0/config"), 2);
    assert_eq!(tree.read("drivers/ixgbe/bind"), NIC);
}

#[test]
fn a_failed_open_gives_the_card_back() {
    let (tree, memory) = (Tree::new(), DmaMemory::fake_huge(8 << 20));
    let function = Arc::new(Sysfs::open(tree.find(NIC).unwrap()).unwrap());
    let error = Device::open_on(function, &memory, &small()).unwrap_err();
    assert_eq!(error.kind(), "Timeout", "nobody plays the card: {error}");
    assert_eq!(tree.read("drivers/ixgbe/bind"), NIC);
    let (tree, kernel) = group();
    let function = Arc::new(Vfio::open(&kernel.session(), &tree.find(NIC).unwrap()).unwrap());
    let error = Device::open_on(function, &memory, &small()).unwrap_err();
    assert_eq!(error.kind(), "Timeout", "{error}");
    assert_eq!(kernel.state().resets, 1, "by the bus, since the registers do not answer");
}

#[test]
fn another_card_is_left_alone() {
    let (tree, memory) = (Tree::new(), DmaMemory::fake_huge(8 << 20));
    std::os::unix::fs::FileExt::write_all_at(
        &std::fs::File::options().write(true).open(tree.path(&format!("devices/{NIC}/config"))).unwrap(),
        &[0x86, 0x80, 0x33, 0x15],
        0,
    )
    .unwrap();
    let function = Arc::new(Sysfs::open(tree.find(NIC).unwrap()).unwrap());
    let error = Device::open_on(function, &memory, &small()).unwrap_err();
    assert_eq!(error.kind(), "Unsupported");
    assert!(error.to_string().contains("8086:1533"), "{error}");
    assert_eq!(tree.read("drivers/ixgbe/unbind"), "");
}

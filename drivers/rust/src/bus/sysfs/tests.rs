//! The way over sysfs, on a tree of files.

use super::*;
use crate::bus::tree::{BAR_BYTES, DISK, NIC, SIBLING, Tree};
use crate::bus::{self, wire};

const CONFIG: &str = "devices/0000:03:00.0/config";

fn memory() -> DmaMemory {
    DmaMemory::fake_huge(4 << 20)
}

fn open(tree: &Tree, address: &str) -> Result<Sysfs> {
    Sysfs::open(tree.find(address)?)
}

/// Opens and claims, and checks that a failure left everything alone.
fn refusal(tree: &Tree, address: &str) -> (&'static str, String) {
    let error = open(tree, address).and_then(|sysfs| sysfs.claim(&memory())).unwrap_err();
    assert_eq!(tree.read("drivers/ixgbe/unbind"), "", "{error}");
    assert_eq!(tree.command(CONFIG), 2);
    assert!(!error.to_string().contains('\n'));
    (error.kind(), error.to_string())
}

fn assert_refused(tree: &Tree, address: &str, kind: &str, words: &[&str]) {
    let (its_kind, message) = refusal(tree, address);
    assert_eq!(its_kind, kind, "{message}");
    for word in words {
        assert!(message.contains(word), "{message} lacks {word}");
    }
}

#[test]
fn opening_looks_and_claiming_takes() {
    let tree = Tree::new();
    let sysfs = open(&tree, "03:00.0").unwrap();
    assert_eq!((sysfs.address(), sysfs.way().to_string().as_str()), (NIC, "sysfs"));
    assert_eq!((sysfs.size(0), sysfs.size(7), sysfs.size(4)), (BAR_BYTES, 256, 0));
    assert_eq!(bus::identity(&sysfs).unwrap(), (0x8086, 0x10fb));
    assert_eq!(tree.read("drivers/ixgbe/unbind"), "");
    sysfs.claim(&memory()).unwrap();
    assert_eq!(tree.read("drivers/ixgbe/unbind"), NIC);
    assert_eq!(tree.read("drivers/ixgbe/bind"), "");
    assert_eq!(sysfs.windows(0).len(), 1);
    assert!(sysfs.windows(1).is_empty());
}

#[test]
fn registers_are_loads_and_stores_of_resource0() {
    let tree = Tree::new();
    let sysfs = open(&tree, NIC).unwrap();
    let mut word = [0; 4];
    assert_eq!(sysfs.read(0, 8, &mut word).unwrap_err().kind(), "DeviceFailed");
    sysfs.claim(&memory()).unwrap();
    sysfs.write(0, 8, &7u32.to_le_bytes()).unwrap();
    sysfs.windows(0)[0].store(12, 9);
    sysfs.read(0, 8, &mut word).unwrap();
    assert_eq!(word, [7, 0, 0, 0]);
    assert_eq!(std::fs::read(tree.path("devices/0000:03:00.0/resource0")).unwrap()[12], 9);
    for (region, offset, bytes) in [(0, BAR_BYTES, 4), (0, 2, 4), (0, 8, 2), (1, 0, 4), (7, 256, 4)] {
        let error = sysfs.read(region, offset, &mut word[..bytes]).unwrap_err();
        assert_eq!(error.kind(), "DeviceFailed", "{region} {offset}");
    }
}

#[test]
fn everything_is_given_back() {
    let tree = Tree::new();
    let sysfs = open(&tree, NIC).unwrap();
    sysfs.claim(&memory()).unwrap();
    bus::enable_dma(&sysfs).unwrap();
    assert_eq!(tree.command(CONFIG), 6);
    drop(sysfs);
    assert_eq!(tree.command(CONFIG), 2);
    assert_eq!(tree.read("drivers/ixgbe/bind"), NIC);
    open(&tree, NIC).unwrap().claim(&memory()).unwrap();
}

#[test]
fn a_function_without_driver_is_taken_as_it_is() {
    let tree = Tree::new();
    let sysfs = open(&tree, SIBLING).unwrap();
    sysfs.claim(&memory()).unwrap();
    drop(sysfs);
    assert_eq!(tree.read("drivers/ixgbe/bind"), "");
}

#[test]
fn what_is_no_network_card_is_left_alone() {
    let tree = Tree::new();
    assert_refused(&tree, DISK, "Unsupported", &["no Ethernet controller", "0x010802", "nothing was done"]);
}

#[test]
fn what_is_not_there_is_no_device() {
    let tree = Tree::new();
    let error = open(&tree, "0000:05:00.0").map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), "NoSuchDevice");
    assert!(error.to_string().contains("no such PCI function"), "{error}");
}

#[test]
fn an_interface_that_is_up_is_in_use() {
    let tree = Tree::new();
    tree.interface(NIC, "enp3s0", "0x1003\n");
    assert_refused(&tree, NIC, "PermissionDenied", &["enp3s0", "is up", "sudo ip link set enp3s0 down"]);
    tree.interface(NIC, "enp3s0", "0x1002\n");
    let sysfs = open(&tree, NIC).unwrap();
    tree.interface(NIC, "enp3s0", "0x1003\n");
    assert_eq!(sysfs.claim(&memory()).unwrap_err().kind(), "PermissionDenied", "up since it was opened");
    tree.interface(NIC, "enp3s0", "0x1002\n");
    sysfs.claim(&memory()).unwrap();
}

#[test]
fn a_second_driver_in_user_space_is_refused() {
    let tree = Tree::new();
    let first = open(&tree, SIBLING).unwrap();
    first.claim(&memory()).unwrap();
    assert_refused(&tree, SIBLING, "PermissionDenied", &["another driver in user space", "stop that one"]);
    drop(first);
    open(&tree, SIBLING).unwrap().claim(&memory()).unwrap();
}

#[test]
fn an_iommu_that_translates_is_in_the_way() {
    let tree = Tree::new();
    tree.group(NIC, "12");
    tree.write("groups/12/type", "DMA-FQ\n");
    assert_refused(&tree, NIC, "Unsupported", &["DMA-FQ", "sudo ringway bind 0000:03:00.0"]);
    tree.write("groups/12/type", "identity\n");
    open(&tree, NIC).unwrap().claim(&memory()).unwrap();
}

#[test]
fn memory_without_physical_addresses_is_refused() {
    let tree = Tree::new();
    let sysfs = open(&tree, NIC).unwrap();
    let error = sysfs.claim(&DmaMemory::new(4096).unwrap()).unwrap_err();
    assert!(error.to_string().contains("DmaMemory::for_devices"), "{error}");
    assert_eq!(sysfs.map_dma(&DmaMemory::new(4096).unwrap()).unwrap_err().kind(), "Unsupported");
    sysfs.map_dma(&memory()).unwrap();
}

#[test]
fn a_driver_that_does_not_let_go_keeps_it() {
    let tree = Tree::new();
    std::fs::remove_file(tree.path("drivers/ixgbe/unbind")).unwrap();
    std::fs::create_dir(tree.path("drivers/ixgbe/unbind")).unwrap();
    assert_refused(&tree, NIC, "Unsupported", &["drivers/ixgbe/unbind"]);
    assert_eq!(tree.read("drivers/ixgbe/bind"), "");
}

#[test]
fn registers_that_cannot_be_mapped_are_found_before_it_is_lost() {
    let tree = Tree::new();
    std::fs::File::create(tree.path("devices/0000:03:00.0/resource0")).unwrap().set_len(100).unwrap();
    let error = open(&tree, NIC).unwrap().claim(&memory()).unwrap_err();
    assert!(error.to_string().contains("100 bytes cannot be mapped"), "{error}");
    assert_eq!(tree.read("drivers/ixgbe/bind"), NIC);
}

#[test]
fn a_refused_file_says_how_to_get_at_it() {
    let function = Tree::new().find(NIC).unwrap();
    let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    let error = function.refused(&function.path("config"), &denied);
    assert_eq!(error.kind(), "PermissionDenied");
    for word in ["config", "run as root", "sudo ringway bind 0000:03:00.0 --user $USER"] {
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn there_are_no_interrupts_and_a_reset_only_if_the_kernel_has_one() {
    let tree = Tree::new();
    let sysfs = open(&tree, NIC).unwrap();
    let event = rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC).unwrap();
    let event = std::os::fd::AsFd::as_fd(&event);
    assert_eq!(sysfs.vectors().unwrap(), 0);
    assert_eq!(sysfs.bind_vectors(0, &[event]).unwrap_err().kind(), "Unsupported");
    sysfs.unbind_vectors().unwrap();
    assert_eq!(sysfs.reset().unwrap_err().kind(), "Unsupported");
    tree.write("devices/0000:03:00.0/reset", "");
    sysfs.reset().unwrap();
    assert_eq!(tree.read("devices/0000:03:00.0/reset"), "1");
}

#[test]
fn a_card_that_was_pulled_out_is_noticed() {
    let tree = Tree::new();
    let sysfs = open(&tree, NIC).unwrap();
    sysfs.check().unwrap();
    sysfs.write(CONFIG_SPACE, wire::pci::REVISION_ID, &[0xFF; 4]).unwrap();
    let error = sysfs.check().unwrap_err();
    assert_eq!(error.kind(), "DeviceFailed");
    assert!(error.to_string().contains("removed"), "{error}");
}

//! Taking and giving back, on a machine made of files.

use super::*;
use crate::pci::tree::{DISK, NIC, SIBLING, Tree};

const OVERRIDE: &str = "sys/bus/pci/devices/0000:03:00.0/driver_override";
const RECORD: &str = "run/ringway/pci/0000:03:00.0.json";

fn grouped() -> Tree {
    let tree = Tree::new();
    tree.group(NIC, "12", "DMA-FQ");
    tree
}

fn function(tree: &Tree, address: &str) -> Function {
    Function::named(&tree.machine(), address).unwrap()
}

fn take_it(tree: &Tree, address: &str, force: u8) -> Result<Group, Failure> {
    take(&tree.machine(), &function(tree, address), force)
}

fn assert_refused(tree: &Tree, address: &str, force: u8, words: &[&str]) {
    let failure = take_it(tree, address, force).unwrap_err();
    let text = format!("{}. {}", failure.cause, failure.remedy);
    for word in words {
        assert!(text.contains(word), "{text} lacks {word}");
    }
    assert_eq!(failure.exit, Exit::CannotOpen);
    assert_eq!(tree.told("ixgbe", "unbind"), "", "{text}");
    assert_eq!(tree.read(OVERRIDE), "(null)\n");
    assert!(!tree.path(RECORD).exists());
}

#[test]
fn takes_it_from_its_driver_and_notes_how_it_was() {
    let tree = grouped();
    assert_eq!(take_it(&tree, NIC, 0).unwrap().number, "12");
    assert_eq!(tree.read(OVERRIDE), "vfio-pci");
    assert_eq!((tree.told("ixgbe", "unbind"), tree.told("vfio-pci", "bind")), (NIC.into(), NIC.into()));
    let record = Record { driver: Some("ixgbe".into()), driver_override: None };
    assert_eq!(Record::kept(&tree.machine(), &function(&tree, NIC)), Some(record));
}

#[test]
fn what_is_on_vfio_already_stays_there() {
    let tree = grouped();
    tree.bind(NIC, "vfio-pci");
    take_it(&tree, NIC, 0).unwrap();
    assert_eq!(tree.told("vfio-pci", "unbind"), "");
    assert!(!tree.path(RECORD).exists(), "how it was found is not known");
}

#[test]
fn gives_it_back_to_the_driver_that_had_it() {
    let tree = grouped();
    tree.write(OVERRIDE, "ixgbe\n");
    take_it(&tree, NIC, 0).unwrap();
    tree.bind(NIC, "vfio-pci");
    let (machine, nic) = (tree.machine(), function(&tree, NIC));
    change::back(&machine, &nic, Record::kept(&machine, &nic).as_ref()).unwrap();
    assert_eq!((tree.told("vfio-pci", "unbind"), tree.told("ixgbe", "bind")), (NIC.into(), NIC.into()));
    assert_eq!(tree.read(OVERRIDE), "ixgbe");
}

#[test]
fn a_function_that_had_no_driver_gets_none() {
    let tree = Tree::new();
    tree.group(SIBLING, "13", "DMA-FQ");
    take_it(&tree, SIBLING, 0).unwrap();
    tree.bind(SIBLING, "vfio-pci");
    let (machine, port) = (tree.machine(), function(&tree, SIBLING));
    change::back(&machine, &port, Record::kept(&machine, &port).as_ref()).unwrap();
    assert_eq!((tree.told("ixgbe", "bind"), tree.read("sys/bus/pci/drivers_probe")), ("".into(), "".into()));
}

#[test]
fn without_a_record_the_kernel_decides() {
    let tree = grouped();
    tree.bind(NIC, "vfio-pci");
    change::back(&tree.machine(), &function(&tree, NIC), None).unwrap();
    assert_eq!(tree.read(OVERRIDE), "\n");
    assert_eq!(tree.read("sys/bus/pci/drivers_probe"), NIC);
}

#[test]
fn a_driver_that_has_gone_is_named() {
    let tree = grouped();
    let record = Record { driver: Some("gone".into()), driver_override: None };
    let failure = change::back(&tree.machine(), &function(&tree, NIC), Some(&record)).unwrap_err();
    assert_eq!((failure.exit, failure.remedy.as_str()), (Exit::CannotOpen, "sudo modprobe gone"));
}

#[test]
fn an_interface_that_is_up_needs_to_be_told_once() {
    let tree = grouped();
    tree.interface(NIC, "eth0", "0x1003");
    assert_refused(&tree, NIC, 0, &["eth0", "is up", "sudo ip link set eth0 down", "--force"]);
    take_it(&tree, NIC, 1).unwrap();
}

#[test]
fn the_default_route_needs_to_be_told_twice() {
    let tree = grouped();
    tree.interface(NIC, "eth0", "0x1003");
    tree.default_route("eth0");
    for force in [0, 1] {
        assert_refused(
            &tree,
            NIC,
            force,
            &["eth0", "default route", "cuts this machine off", "--force --force"],
        );
    }
    take_it(&tree, NIC, 2).unwrap();
}

#[test]
fn not_knowing_where_the_default_route_is_needs_to_be_told_twice() {
    let tree = grouped();
    std::fs::remove_file(tree.path("proc/net/route")).unwrap();
    assert_refused(&tree, NIC, 1, &["cannot find out", "--force --force"]);
    take_it(&tree, NIC, 2).unwrap();
}

#[test]
fn a_card_that_a_driver_over_sysfs_has_is_refused() {
    use rustix::fs::{FlockOperation, flock};
    let tree = grouped();
    let resource = std::fs::File::open(tree.path("sys/bus/pci/devices/0000:03:00.0/resource0")).unwrap();
    flock(&resource, FlockOperation::NonBlockingLockExclusive).unwrap();
    assert_refused(&tree, NIC, 2, &["driver in user space", "over sysfs", "fuser"]);
    drop(resource);
    take_it(&tree, NIC, 0).unwrap();
}

#[test]
fn what_cannot_be_taken_is_left_alone() {
    let tree = Tree::new();
    assert_refused(&tree, DISK, 2, &["no Ethernet controller", "0x010000"]);
    assert_refused(&tree, NIC, 0, &["no IOMMU", "intel_iommu=on", "over sysfs"]);
    tree.group(NIC, "12", "DMA-FQ");
    std::fs::remove_dir_all(tree.path("sys/bus/pci/drivers/vfio-pci")).unwrap();
    assert_refused(&tree, NIC, 0, &["vfio-pci", "sudo modprobe vfio-pci"]);
}

#[test]
fn a_refused_bind_puts_everything_back() {
    let tree = grouped();
    let path = tree.path("sys/bus/pci/drivers/vfio-pci/bind");
    std::fs::remove_file(&path).unwrap();
    let failure = take_it(&tree, NIC, 0).unwrap_err();
    assert!(failure.cause.contains("vfio-pci/bind"), "{}", failure.cause);
    assert_eq!(failure.exit, Exit::Failed);
    assert_eq!((tree.told("ixgbe", "bind"), tree.read(OVERRIDE)), (NIC.into(), "\n".into()));
    assert!(!tree.path(RECORD).exists());
}

#[test]
fn a_driver_that_does_not_let_go_keeps_it() {
    let tree = grouped();
    std::fs::remove_file(tree.path("sys/bus/pci/drivers/ixgbe/unbind")).unwrap();
    assert!(take_it(&tree, NIC, 0).is_err());
    assert_eq!((tree.told("vfio-pci", "bind"), tree.read(OVERRIDE)), ("".into(), "\n".into()));
}

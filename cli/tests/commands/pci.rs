//! `bind`, `unbind`, `list` and `doctor` on a machine made of files. None of it needs root.

use std::os::unix::net::{UnixListener, UnixStream};

use serde_json::Value;

use crate::support::bench::{Bench, Outcome, finish};
use crate::support::tree::{DISK, NIC, SIBLING, Tree};

/// Runs `ringway` with these arguments on the machine.
fn run(tree: &Tree, arguments: &[&str]) -> Outcome {
    let bench = Bench::new();
    finish(bench.ringway().env("RINGWAY_MACHINE", tree.path("")).args(arguments))
}

fn json(tree: &Tree, arguments: &[&str]) -> Value {
    let outcome = run(tree, &[&["--json"], arguments].concat());
    serde_json::from_str(outcome.stdout.lines().last().unwrap_or(""))
        .unwrap_or_else(|_| panic!("{outcome:?}"))
}

/// A machine with an IOMMU, and whoever runs the tests.
fn grouped() -> (Tree, String) {
    let tree = Tree::new();
    tree.group(NIC, "12", "DMA-FQ");
    (tree, rustix::process::geteuid().as_raw().to_string())
}

#[test]
fn bind_hands_a_card_to_a_user_and_unbind_gives_it_back() {
    let (tree, user) = grouped();
    tree.group(SIBLING, "12", "DMA-FQ");
    tree.bind(SIBLING, "ixgbe");
    let bound = json(&tree, &["bind", "03:00.0", "--user", &user]);
    assert_eq!((&bound["event"], &bound["address"]), (&"bind".into(), &NIC.into()));
    assert_eq!(
        (&bound["was"], &bound["driver"], &bound["group"]),
        (&"ixgbe".into(), &"vfio-pci".into(), &"12".into())
    );
    assert!(bound["nodes"][0].as_str().unwrap().ends_with("/dev/vfio/12"));
    assert!(bound["user"].is_string());
    assert!(bound.get("memlock").is_some());
    assert_eq!(tree.told("vfio-pci", "bind"), NIC);

    tree.bind(NIC, "vfio-pci");
    let again = run(&tree, &["bind", NIC]);
    assert_eq!(again.code, Some(0), "{again:?}");
    for words in ["vfio-pci -> vfio-pci", "root only", "memlock", "sudo ringway bind 0000:03:00.1"] {
        assert!(again.stdout.contains(words), "{words}: {again:?}");
    }

    let back = json(&tree, &["unbind", NIC]);
    assert_eq!((&back["event"], &back["was"]), (&"unbind".into(), &"vfio-pci".into()));
    assert_eq!((tree.told("vfio-pci", "unbind"), tree.told("ixgbe", "bind")), (NIC.into(), NIC.into()));
}

#[test]
fn unbind_leaves_a_card_alone_that_the_kernel_has() {
    let tree = Tree::new();
    let outcome = run(&tree, &["unbind", NIC]);
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.stdout.contains("ixgbe -> ixgbe"), "{outcome:?}");
    assert_eq!(tree.told("ixgbe", "unbind"), "");
}

#[test]
fn unbind_finds_a_driver_for_a_card_that_a_killed_program_left() {
    let tree = Tree::new();
    let outcome = run(&tree, &["unbind", SIBLING]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(tree.read("sys/bus/pci/drivers_probe"), SIBLING);
}

#[test]
fn a_card_that_somebody_needs_is_refused() {
    let (tree, _) = grouped();
    tree.interface(NIC, "eth0", "0x1003");
    run(&tree, &["bind", NIC]).assert_refused(3, &["eth0", "is up", "--force"]);
    tree.default_route("eth0");
    run(&tree, &["bind", NIC, "--force"]).assert_refused(3, &["eth0", "default route", "--force --force"]);
    assert_eq!(tree.told("ixgbe", "unbind"), "");
    assert_eq!(run(&tree, &["bind", NIC, "--force", "--force"]).code, Some(0));
    assert_eq!(tree.told("ixgbe", "unbind"), NIC);
}

#[test]
fn wrong_words_are_refused_by_name() {
    let (tree, _) = grouped();
    run(&tree, &["bind", "eth0"]).assert_refused(2, &["eth0", "no address", "ringway list"]);
    run(&tree, &["bind", "0000:05:00.0"]).assert_refused(3, &["0000:05:00.0", "ringway list"]);
    run(&tree, &["bind", DISK]).assert_refused(3, &["no Ethernet controller"]);
    run(&tree, &["bind", NIC, "--user", "nobody-by-this-name"]).assert_refused(2, &["nobody-by-this-name"]);
    run(&tree, &["unbind", "05:00.0"]).assert_refused(3, &["0000:05:00.0"]);
    assert_eq!(tree.told("ixgbe", "unbind"), "");
}

#[test]
fn list_shows_network_cards_and_nothing_else() {
    let (tree, _) = grouped();
    tree.interface(NIC, "eth0", "0x1003");
    tree.default_route("eth0");
    let text = run(&tree, &["list"]).stdout;
    for words in [NIC, "8086:10fb Intel 82599 (SFP+)", "ixgbe", "12", "eth0 (10000 Mbit/s)", "DEFAULT ROUTE"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains(DISK), "{text}");
    let devices = &json(&tree, &["list"])["devices"];
    assert_eq!(devices.as_array().unwrap().len(), 2);
    assert_eq!((&devices[0]["default_route"], &devices[0]["in_use"]), (&true.into(), &true.into()));
    assert_eq!((&devices[1]["driver"], &devices[1]["way"]), (&Value::Null, &"sysfs".into()));
}

#[test]
fn list_takes_its_functions_from_where_the_drivers_do() {
    let (tree, bench) = (Tree::new(), Bench::new());
    let devices = tree.path("sys/bus/pci/devices");
    let outcome = finish(bench.ringway().env("RINGWAY_SYSFS", devices).arg("list"));
    assert!(outcome.stdout.contains(SIBLING), "{outcome:?}");
}

#[test]
fn without_drivers_list_shows_cards_and_nics_all_the_same() {
    let (tree, bench) = (Tree::new(), Bench::new());
    let sockets = bench.path("run/ringway");
    std::fs::create_dir_all(&sockets).unwrap();
    let nic = UnixListener::bind(sockets.join("left.sock")).unwrap();
    let list = |words: &[&str]| {
        let mut command = bench.ringway();
        // Real but for the cards: the kernel lists the socket.
        command.env("RINGWAY_SYSFS", tree.path("sys/bus/pci/devices"));
        finish(command.env("RINGWAY_ROOT", tree.path("")).arg("list").args(words))
    };
    let outcome = list(&["--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let list_of: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(list_of["drivers"], serde_json::json!([]));
    assert!(list_of["no_drivers"].as_str().unwrap().contains("which holds no drivers/"), "{list_of}");
    assert_eq!(list_of["devices"][0]["address"], NIC);
    assert_eq!((&list_of["nics"][0]["name"], &list_of["nics"][0]["in_use"]), (&"left".into(), &false.into()));
    let driver = UnixStream::connect(sockets.join("left.sock")).unwrap();
    let accepted = nic.accept().unwrap();
    let text = list(&[]).stdout;
    drop((driver, accepted));
    for words in ["no drivers: RINGWAY_ROOT is", SIBLING, "yes", "left.sock"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn doctor_says_what_a_card_needs() {
    let (tree, _) = grouped();
    let checks = json(&tree, &["doctor"])["checks"].clone();
    let find = |name: &str| {
        let found = checks.as_array().unwrap().iter().find(|check| check["name"] == name);
        found.unwrap_or_else(|| panic!("no {name}: {checks}")).clone()
    };
    assert_eq!(find("IOMMU groups")["status"], "ok");
    assert_eq!(find("card")["fix"], "sudo ringway bind 0000:03:00.0 --user $USER");
    assert_eq!(find("hugepages")["status"], "absent");
    assert!(!checks.to_string().contains("cannot do this yet"));
}

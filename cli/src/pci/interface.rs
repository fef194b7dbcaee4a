//! Network interfaces of a function: whether somebody would miss them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Serialize;

/// IFF_UP in an interface's `flags`.
const UP: u32 = 1;

/// Bridges on bonds on VLANs end somewhere.
const DEEPEST: usize = 8;

/// One interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interface {
    /// Its name.
    pub name: String,
    /// Whether it is up.
    pub up: bool,
    /// Whether there is a link; unknown while it is down.
    pub link: Option<bool>,
    /// Speed of the link in Mbit/s, where the driver knows it.
    pub mbit: Option<u32>,
    /// The interface that has a default route: itself, or a bridge, bond or VLAN above it.
    pub default_route: Option<String>,
}

impl Interface {
    /// All interfaces of the function in this directory. `defaults` are the interfaces with a default route.
    pub fn all(function: &Path, defaults: &BTreeSet<String>) -> Vec<Interface> {
        // Most drivers put interfaces below the function; virtio has a device of its own in between.
        let between = names(function).into_iter().filter(|name| name.starts_with("virtio"));
        let places = std::iter::once("net".to_owned()).chain(between.map(|name| format!("{name}/net")));
        let mut all: Vec<_> = places
            .map(|place| function.join(place))
            .flat_map(|net| names(&net).into_iter().map(move |name| (net.clone(), name)))
            .map(|(net, name)| Interface::read(&net, name, defaults))
            .collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    fn read(net: &Path, name: String, defaults: &BTreeSet<String>) -> Interface {
        let directory = net.join(&name);
        let text = |attribute: &str| {
            fs::read_to_string(directory.join(attribute)).ok().map(|text| text.trim().to_owned())
        };
        let flags = text("flags").and_then(|text| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok());
        let mut known = vec![name.clone()];
        above(&directory, &mut known, DEEPEST);
        Interface {
            up: flags.unwrap_or(0) & UP != 0,
            link: text("carrier").and_then(|text| Some(text.parse::<u8>().ok()? != 0)),
            mbit: text("speed").and_then(|text| text.parse().ok()),
            default_route: known.into_iter().find(|name| defaults.contains(name)),
            name,
        }
    }
}

/// Adds what is built on the interface in `directory`: the kernel shows it as links `upper_NAME`.
fn above(directory: &Path, known: &mut Vec<String>, depth: usize) {
    for entry in names(directory) {
        let Some(name) = entry.strip_prefix("upper_") else { continue };
        if depth > 0 && !known.iter().any(|other| other == name) {
            known.push(name.to_owned());
            above(&directory.join(&entry), known, depth - 1);
        }
    }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pci::tree::{NIC, Tree};

    fn interfaces(tree: &Tree, defaults: &[&str]) -> Vec<Interface> {
        let function = tree.path(&format!("sys/bus/pci/devices/{NIC}"));
        Interface::all(&function, &defaults.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn reads_state_and_link() {
        let tree = Tree::new();
        tree.interface(NIC, "eth0", "0x1003");
        let expected = Interface {
            name: "eth0".into(),
            up: true,
            link: Some(true),
            mbit: Some(10000),
            default_route: None,
        };
        assert_eq!(interfaces(&tree, &["wlan0"]), [expected]);
        assert_eq!(interfaces(&tree, &["eth0"])[0].default_route.as_deref(), Some("eth0"));
    }

    #[test]
    fn finds_interfaces_of_virtio_behind_its_own_device() {
        let tree = Tree::new();
        tree.write(&format!("sys/bus/pci/devices/{NIC}/virtio3/net/ens3/flags"), "0x1003\n");
        let names: Vec<_> = interfaces(&tree, &[]).into_iter().map(|it| (it.name, it.up)).collect();
        assert_eq!(names, [("ens3".to_owned(), true)]);
    }

    #[test]
    fn an_interface_that_is_down_has_no_link_to_speak_of() {
        let tree = Tree::new();
        tree.interface(NIC, "eth0", "0x1002");
        for attribute in ["carrier", "speed"] {
            tree.write(&format!("sys/bus/pci/devices/{NIC}/net/eth0/{attribute}"), "-1\n");
        }
        let interface = &interfaces(&tree, &[])[0];
        assert_eq!((interface.up, interface.link, interface.mbit), (false, None, None));
    }

    #[test]
    fn a_route_over_a_bridge_on_a_bond_is_a_route_over_its_port() {
        let tree = Tree::new();
        tree.interface(NIC, "eth0", "0x1003");
        tree.write("sys/devices/virtual/net/bond0/flags", "0x1003");
        tree.write("sys/devices/virtual/net/br0/flags", "0x1003");
        let net = format!("sys/bus/pci/devices/{NIC}/net/eth0");
        tree.link(&format!("{net}/upper_bond0"), "sys/devices/virtual/net/bond0");
        tree.link("sys/devices/virtual/net/bond0/upper_br0", "sys/devices/virtual/net/br0");
        tree.link("sys/devices/virtual/net/br0/upper_bond0", "sys/devices/virtual/net/bond0");
        assert_eq!(interfaces(&tree, &["br0"])[0].default_route.as_deref(), Some("br0"));
    }
}

//! The network cards of this machine: who has them, and how our drivers would reach them.

use serde::Serialize;

use crate::pci::{Function, Group, Interface, Machine};
use crate::ui;

/// One PCI function.
#[derive(Debug, Serialize)]
pub struct Device {
    address: String,
    /// Vendor and device: `8086:10fb`.
    id: String,
    /// What it is, if our drivers drive it.
    name: Option<&'static str>,
    /// The kernel driver that has it.
    driver: Option<String>,
    /// Its IOMMU group.
    group: Option<String>,
    interfaces: Vec<Interface>,
    /// Whether the kernel uses one of its interfaces.
    in_use: bool,
    /// Whether the default route goes over it; null if the kernel does not say.
    default_route: Option<bool>,
    /// How our drivers would reach it: `vfio`, `sysfs`, or `vfio after bind`; null if there is no driver for it.
    way: Option<&'static str>,
}

/// All of them, by address.
pub fn all(machine: &Machine) -> Vec<Device> {
    Function::networks(machine).iter().map(|function| look(machine, function)).collect()
}

fn look(machine: &Machine, function: &Function) -> Device {
    let known = function.interfaces(machine).ok();
    let default_route =
        known.as_ref().map(|all| all.iter().any(|interface| interface.default_route.is_some()));
    let interfaces = known.unwrap_or_else(|| function.interfaces_without_routes());
    let driver = function.driver();
    let group = function.group();
    let way = match (driver.as_deref(), group.as_ref().and_then(Group::mode).as_deref()) {
        (Some("vfio-pci"), _) => "vfio",
        (_, None | Some("identity")) => "sysfs",
        // The IOMMU would stop a card that is given physical addresses.
        (_, Some(_)) => "vfio after bind",
    };
    Device {
        address: function.address.clone(),
        id: function.identity(),
        name: function.driven(),
        driver,
        group: group.map(|group| group.number),
        in_use: interfaces.iter().any(|interface| interface.up),
        interfaces,
        default_route,
        way: function.driven().map(|_| way),
    }
}

/// As a table.
pub fn print(devices: &[Device]) {
    if devices.is_empty() {
        ui::say("no network cards on the PCI bus; software NICs need none (`ringway lab`)");
        return;
    }
    let mut table =
        ui::table(&["device", "id", "kernel driver", "IOMMU group", "interface", "in use", "way"]);
    for device in devices {
        table.add_row([
            device.address.clone(),
            device.name.map_or(device.id.clone(), |name| format!("{} {name}", device.id)),
            device.driver.clone().unwrap_or("-".to_owned()),
            device.group.clone().unwrap_or("none".to_owned()),
            interfaces(&device.interfaces),
            use_of(device).to_owned(),
            device.way.unwrap_or("no driver for it").to_owned(),
        ]);
    }
    ui::say(table.trim_fmt());
}

/// `eth0 (10000 Mbit/s)`, `eth1 (no link)`, `eth2 (down)`.
fn interfaces(interfaces: &[Interface]) -> String {
    let one = |interface: &Interface| {
        let state = match (interface.up, interface.link, interface.mbit) {
            (false, ..) => "down".to_owned(),
            (true, Some(true), Some(mbit)) => format!("{mbit} Mbit/s"),
            (true, Some(true), None) => "link".to_owned(),
            (true, ..) => "no link".to_owned(),
        };
        format!("{} ({state})", interface.name)
    };
    let all: Vec<_> = interfaces.iter().map(one).collect();
    if all.is_empty() { "-".to_owned() } else { all.join(", ") }
}

fn use_of(device: &Device) -> &'static str {
    match (device.default_route, device.in_use) {
        (Some(true), _) => "DEFAULT ROUTE",
        (_, true) => "yes",
        (_, false) => "no",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pci::tree::{NIC, SIBLING, Tree};

    #[test]
    fn says_who_has_it_and_who_would_miss_it() {
        let tree = Tree::new();
        tree.interface(NIC, "eth0", "0x1003");
        tree.default_route("eth0");
        tree.bind(SIBLING, "vfio-pci");
        tree.group(SIBLING, "7", "DMA-FQ");
        tree.group(NIC, "6", "DMA-FQ");
        let [first, second] = &all(&tree.machine())[..] else { panic!("two ports") };
        assert_eq!((first.address.as_str(), first.driver.as_deref()), (NIC, Some("ixgbe")));
        assert_eq!((first.way, first.group.as_deref()), (Some("vfio after bind"), Some("6")));
        assert_eq!(
            (use_of(first), interfaces(&first.interfaces).as_str()),
            ("DEFAULT ROUTE", "eth0 (10000 Mbit/s)")
        );
        assert_eq!((second.way, second.group.as_deref()), (Some("vfio"), Some("7")));
        assert_eq!((use_of(second), interfaces(&second.interfaces).as_str()), ("no", "-"));
    }

    #[test]
    fn not_to_know_the_routes_is_not_to_have_none() {
        let tree = Tree::new();
        tree.interface(NIC, "eth0", "0x1003");
        std::fs::remove_file(tree.path("proc/net/route")).unwrap();
        let first = &all(&tree.machine())[0];
        assert_eq!((first.default_route, use_of(first)), (None, "yes"));
        assert_eq!((first.way, first.group.as_deref()), (Some("sysfs"), None));
    }
}

//! One PCI function.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::{Group, Interface, Machine, address, route};
use crate::failure::Failure;

/// PCI class of network controllers, and of Ethernet controllers among them.
const NETWORK: u32 = 0x02;
const ETHERNET: u32 = 0x0200;

/// Vendor and device of what the drivers drive, with its name.
const DRIVEN: [(u32, u32, &str); 2] =
    [(0x8086, 0x10fb, "Intel 82599 (SFP+)"), (0x8086, 0x10f8, "Intel 82599 (backplane)")];

/// A function that is there.
#[derive(Clone, Debug)]
pub struct Function {
    /// With its domain: `0000:03:00.0`.
    pub address: String,
    directory: PathBuf,
}

impl Function {
    /// The one at an address as people write it.
    pub fn named(machine: &Machine, text: &str) -> Result<Function, Failure> {
        let wanted = "Name a PCI function such as 0000:03:00.0; `ringway list` shows what is there";
        let Some(address) = address::canonical(text) else {
            return Err(Failure::usage(format!("{text} is no address of a PCI function"), wanted));
        };
        let missing = || format!("no PCI function {address} in {}", machine.devices().display());
        Function::find(machine, &address).ok_or_else(|| Failure::open(missing(), wanted))
    }

    /// The one with this canonical address, if there is one.
    pub fn find(machine: &Machine, address: &str) -> Option<Function> {
        let directory = machine.devices().join(address);
        directory.is_dir().then(|| Function { address: address.to_owned(), directory })
    }

    /// All network functions, by address.
    pub fn networks(machine: &Machine) -> Vec<Function> {
        let entries = fs::read_dir(machine.devices()).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let functions = names.iter().filter_map(|name| Function::find(machine, name));
        functions.filter(|function| function.class() >> 16 == NETWORK).collect()
    }

    /// Something in its directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn number(&self, attribute: &str) -> u32 {
        let text = fs::read_to_string(self.path(attribute)).unwrap_or_default();
        u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).unwrap_or(0)
    }

    /// Class, subclass and programming interface: `0x020000`.
    pub fn class(&self) -> u32 {
        self.number("class")
    }

    /// True if it is an Ethernet controller.
    pub fn is_ethernet(&self) -> bool {
        self.class() >> 8 == ETHERNET
    }

    /// `8086:10fb`.
    pub fn identity(&self) -> String {
        format!("{:04x}:{:04x}", self.number("vendor"), self.number("device"))
    }

    /// The name of what it is, if our drivers drive it.
    pub fn driven(&self) -> Option<&'static str> {
        let (vendor, device) = (self.number("vendor"), self.number("device"));
        DRIVEN.iter().find(|known| (known.0, known.1) == (vendor, device)).map(|known| known.2)
    }

    /// The kernel driver that has it.
    pub fn driver(&self) -> Option<String> {
        let target = fs::read_link(self.path("driver")).ok()?;
        Some(target.file_name()?.to_string_lossy().into_owned())
    }

    /// Its IOMMU group.
    pub fn group(&self) -> Option<Group> {
        Group::of(&self.directory)
    }

    /// Its interfaces.
    ///
    /// # Errors
    /// If the kernel does not say where the default route is.
    pub fn interfaces(&self, machine: &Machine) -> std::io::Result<Vec<Interface>> {
        Ok(Interface::all(&self.directory, &route::defaults(machine)?))
    }

    /// Its interfaces, as far as they can be told without the routes.
    pub fn interfaces_without_routes(&self) -> Vec<Interface> {
        Interface::all(&self.directory, &BTreeSet::new())
    }

    /// Its node of the newer kind of VFIO, if the kernel has one.
    pub fn node(&self, machine: &Machine) -> Option<PathBuf> {
        let entries = fs::read_dir(self.path("vfio-dev")).into_iter().flatten().flatten();
        let name =
            entries.map(|entry| entry.file_name()).find(|name| name.to_string_lossy().starts_with("vfio"))?;
        Some(machine.path("/dev/vfio/devices").join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Exit;
    use crate::pci::tree::{DISK, NIC, SIBLING, Tree};

    #[test]
    fn only_network_functions_are_listed() {
        let tree = Tree::new();
        let names: Vec<_> = Function::networks(&tree.machine()).into_iter().map(|f| f.address).collect();
        assert_eq!(names, [NIC, SIBLING]);
    }

    #[test]
    fn says_what_it_is_and_who_has_it() {
        let tree = Tree::new();
        let machine = tree.machine();
        let nic = Function::named(&machine, "03:00.0").unwrap();
        assert_eq!((nic.identity().as_str(), nic.driven()), ("8086:10fb", Some("Intel 82599 (SFP+)")));
        assert_eq!(nic.driver().as_deref(), Some("ixgbe"));
        assert!(nic.is_ethernet());
        assert!(nic.group().is_none());
        let disk = Function::named(&machine, DISK).unwrap();
        assert_eq!((disk.is_ethernet(), disk.driven()), (false, None));
    }

    #[test]
    fn a_group_names_who_is_in_the_way() {
        let tree = Tree::new();
        tree.group(NIC, "12", "DMA-FQ");
        tree.group(SIBLING, "12", "DMA-FQ");
        let machine = tree.machine();
        let group = Function::named(&machine, NIC).unwrap().group().unwrap();
        assert_eq!((group.number.as_str(), group.mode().as_deref()), ("12", Some("DMA-FQ")));
        assert_eq!(group.obstacles(&machine), [(NIC.to_owned(), "ixgbe".to_owned())]);
        tree.bind(NIC, "vfio-pci");
        tree.bind(SIBLING, "pcieport");
        assert!(group.obstacles(&machine).is_empty());
    }

    #[test]
    fn what_is_no_address_and_what_is_not_there_are_different_mistakes() {
        let machine = Tree::new().machine();
        assert_eq!(Function::named(&machine, "eth0").unwrap_err().exit, Exit::Usage);
        assert_eq!(Function::named(&machine, "0000:05:00.0").unwrap_err().exit, Exit::CannotOpen);
    }
}

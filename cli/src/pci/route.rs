//! Which interfaces the default route goes over.

use std::collections::BTreeSet;
use std::io;

use super::Machine;

/// RTF_UP and RTF_REJECT of the kernel's routing tables.
const UP: u32 = 1;
const REJECT: u32 = 0x200;

/// The interfaces with a default route, IPv4 or IPv6, in this network namespace.
///
/// # Errors
/// If the kernel does not say. Not to know is no reason to believe that there is none.
pub fn defaults(machine: &Machine) -> io::Result<BTreeSet<String>> {
    let mut found: BTreeSet<_> = machine.read("/proc/net/route")?.lines().filter_map(of_ipv4).collect();
    // Without IPv6 there is no such file.
    let ipv6 = machine.read("/proc/net/ipv6_route").unwrap_or_default();
    found.extend(ipv6.lines().filter_map(of_ipv6));
    Ok(found)
}

/// `Iface Destination Gateway Flags RefCnt Use Metric Mask ...`, numbers in hexadecimal.
fn of_ipv4(line: &str) -> Option<String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let [name, destination, _, flags, _, _, _, mask, ..] = words[..] else { return None };
    let is_default = number(destination)? == 0 && number(mask)? == 0;
    (is_default && in_use(flags)?).then(|| name.to_owned())
}

/// `destination length source length next-hop metric references use flags interface`.
fn of_ipv6(line: &str) -> Option<String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let [_, length, _, _, _, _, _, _, flags, name] = words[..] else { return None };
    (number(length)? == 0 && name != "lo" && in_use(flags)?).then(|| name.to_owned())
}

fn in_use(flags: &str) -> Option<bool> {
    Some(number(flags)? & (UP | REJECT) == UP)
}

fn number(hex: &str) -> Option<u32> {
    u32::from_str_radix(hex, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pci::tree::Tree;

    #[test]
    fn finds_default_routes_of_both_families() {
        let tree = Tree::new();
        let ipv4 = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n\
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n\
            eth1\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n\
            eth2\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n";
        let zeros = "0".repeat(32);
        let ipv6 = format!(
            "{zeros} 00 {zeros} 00 fe800000000000000000000000000001 00000064 1 0 00000003 wlan0\n\
             {zeros} 00 {zeros} 00 {zeros} ffffffff 1 0 00200200 lo\n\
             fe80{} 40 {zeros} 00 {zeros} 00000100 1 0 00000001 eth1\n",
            "0".repeat(28)
        );
        tree.write("proc/net/route", ipv4);
        let names: Vec<_> = defaults(&tree.machine()).unwrap().into_iter().collect();
        assert_eq!(names, ["eth0"]);
        tree.write("proc/net/ipv6_route", &ipv6);
        let names: Vec<_> = defaults(&tree.machine()).unwrap().into_iter().collect();
        assert_eq!(names, ["eth0", "wlan0"]);
    }

    #[test]
    fn not_to_know_is_an_error() {
        let tree = Tree::new();
        std::fs::remove_file(tree.path("proc/net/route")).unwrap();
        assert!(defaults(&tree.machine()).is_err());
    }
}

//! What the driver says that it counted, against what the lab saw at its ports.

use ringway_lab::ixgbe::Counters;

use super::rig::NAMES;
use super::summary::{Difference, Dropped};
use ringway_bench::event::DeviceCounts;

/// Bytes of the FCS, which the driver counts and a frame of the lab does not carry.
const FCS: u64 = 4;

/// Every counter about which driver and lab do not agree.
pub fn compare(driver: &[DeviceCounts], lab: &[Counters; 2]) -> Vec<Difference> {
    let silent = DeviceCounts::default();
    let of_device = |(place, lab): (usize, &Counters)| {
        let driver = driver.get(place).unwrap_or(&silent);
        compare_one(NAMES[place], driver, lab)
    };
    lab.iter().enumerate().flat_map(of_device).collect()
}

fn compare_one(device: &str, driver: &DeviceCounts, lab: &Counters) -> Vec<Difference> {
    let mut pairs = vec![
        ("rx_packets", driver.rx_packets, accepted(lab)),
        ("tx_packets", driver.tx_packets, lab.tx_frames),
        ("tx_bytes", driver.tx_bytes, lab.tx_bytes + FCS * lab.tx_frames),
        ("rx_missed", driver.rx_missed, lab.dropped.missed + lab.dropped.no_descriptor),
    ];
    // The lab does not know the bytes of the frames that it dropped.
    if lab.dropped.total() == 0 {
        pairs.push(("rx_bytes", driver.rx_bytes, lab.rx_bytes + FCS * lab.rx_frames));
    }
    let differ = pairs.into_iter().filter(|(_, driver, lab)| driver != lab);
    differ
        .map(|(counter, driver, lab)| Difference { device: device.to_owned(), counter, driver, lab })
        .collect()
}

/// Good frames that the port took in, those included that then found no way into memory: the card counts them (GPRC).
fn accepted(lab: &Counters) -> u64 {
    let by = &lab.dropped;
    lab.rx_delivered + by.queue_off + by.no_descriptor + by.missed + by.unstorable + by.dma_fault
}

/// The reasons for which a port dropped frames, those that occurred.
pub fn dropped(port: &Counters) -> Vec<Dropped> {
    let by = &port.dropped;
    let reasons = [
        ("bad FCS", by.bad_fcs),
        ("too short", by.runt),
        ("too long", by.oversize),
        ("address filter", by.address),
        ("VLAN filter", by.vlan),
        ("MAC control", by.control),
        ("queue off", by.queue_off),
        ("no descriptor", by.no_descriptor),
        ("packet buffer full", by.missed),
        ("does not fit the ring", by.unstorable),
        ("DMA fault", by.dma_fault),
    ];
    let occurred = reasons.into_iter().filter(|(_, packets)| *packets > 0);
    occurred.map(|(reason, packets)| Dropped { reason, packets }).collect()
}

/// What the driver took from a device and the other one did not accept.
pub fn dropped_by_driver(device: &DeviceCounts) -> Option<Dropped> {
    let reason = "by the driver, the other NIC was full";
    (device.dropped > 0).then_some(Dropped { reason, packets: device.dropped })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab() -> Counters {
        let mut lab = Counters { rx_frames: 10, rx_bytes: 600, rx_delivered: 10, ..Counters::default() };
        lab.tx_frames = 2;
        lab.tx_bytes = 120;
        lab
    }

    fn driver() -> DeviceCounts {
        DeviceCounts {
            rx_packets: 10,
            rx_bytes: 640,
            tx_packets: 2,
            tx_bytes: 128,
            ..DeviceCounts::default()
        }
    }

    #[test]
    fn a_driver_counts_the_fcs_and_the_lab_does_not() {
        assert_eq!(compare(&[driver(), driver()], &[lab(), lab()]), []);
    }

    #[test]
    fn a_frame_that_found_no_descriptor_was_received_and_missed() {
        let mut short = lab();
        short.rx_delivered = 7;
        short.dropped.no_descriptor = 3;
        let driver = DeviceCounts { rx_missed: 3, ..driver() };
        assert_eq!(compare(&[driver, driver], &[short, short]), []);
    }

    #[test]
    fn each_difference_is_named() {
        let wrong = DeviceCounts { tx_bytes: 120, rx_missed: 1, ..driver() };
        let found = compare(&[driver(), wrong], &[lab(), lab()]);
        let found: Vec<_> = found.iter().map(|d| (d.device.as_str(), d.counter, d.driver, d.lab)).collect();
        assert_eq!(found, [("b", "tx_bytes", 120, 128), ("b", "rx_missed", 1, 0)]);
    }

    #[test]
    fn a_driver_that_says_nothing_of_a_device_differs() {
        assert_eq!(compare(&[driver()], &[lab(), lab()]).len(), 4);
    }

    #[test]
    fn reasons_are_listed_only_if_they_occurred() {
        let mut port = lab();
        assert_eq!(dropped(&port), []);
        port.dropped.missed = 3;
        assert_eq!(dropped(&port), [Dropped { reason: "packet buffer full", packets: 3 }]);
    }
}

//! The way by which a testee reaches the NICs of a case.

use std::path::Path;

/// As a testee calls it in its answer to `open`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Way {
    /// A socket.
    #[default]
    #[value(name = "vfio-user")]
    VfioUser,
    /// A PCI function below `/sys/bus/pci/devices`, with all registers in plain memory.
    Sysfs,
}

impl Way {
    /// As testees call it.
    pub fn name(self) -> &'static str {
        match self {
            Way::VfioUser => "vfio-user",
            Way::Sysfs => "sysfs",
        }
    }
}

/// MiB of hugepages that a testee is told to take: the largest pool of any case, and rings for it.
pub const TESTEE_MIB: u64 = 128;

/// An address in the words of the protocol: a path is that of a socket, and anything else a PCI function.
pub fn spoken(address: &Path) -> String {
    if address.is_absolute() { format!("unix:{}", address.display()) } else { address.display().to_string() }
}

/// Why a case cannot be played over sysfs; `None` if it can.
pub fn not_over_sysfs(name: &str) -> Option<&'static str> {
    NOT_OVER_SYSFS.iter().find(|(case, _)| *case == name).map(|(_, reason)| *reason)
}

const ORDER: &str = "it looks at the order of accesses, and plain memory shows none";
const READS: &str = "it looks at reads, and plain memory shows none";
const READ_BACK: &str = "plain memory reads back whatever was stored";
const SOCKET: &str = "it is about the socket";

/// Cases by name, each with the reason.
const NOT_OVER_SYSFS: &[(&str, &str)] = &[
    ("init_order::masks_interrupts_before_and_after_the_reset", ORDER),
    ("init_order::waits_for_the_eeprom_and_for_dma", READS),
    ("init_order::sets_the_filters_before_reception_is_on", ORDER),
    ("init_order::strips_the_crc_in_both_places", ORDER),
    ("init_order::lets_the_card_add_crc_and_padding", ORDER),
    ("init_order::gives_the_ring_before_it_enables_the_receive_queue", ORDER),
    ("init_order::hands_out_receive_slots_only_when_the_queue_is_enabled", ORDER),
    ("init_order::switches_transmission_on_before_a_transmit_queue", ORDER),
    ("init_order::waits_until_a_transmit_queue_is_enabled", READS),
    ("lying::a_receive_queue_that_never_starts_is_a_timeout", READ_BACK),
    ("lying::a_transmit_queue_that_never_starts_is_a_timeout", READ_BACK),
    ("open::works_when_nothing_can_be_mapped", "everything is mapped"),
    ("open::refuses_a_socket_that_nobody_serves", SOCKET),
    ("rx::rings_the_doorbell_once_a_batch", ORDER),
    ("tx::rings_the_doorbell_once_a_batch", ORDER),
    ("tx::sends_nothing_when_there_is_nothing", ORDER),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_cases_and_has_all_that_need_messages() {
        let cases: Vec<_> = crate::cases::all()
            .map(|(module, case)| (format!("{module}::{}", case.name), case.trapped))
            .collect();
        for (name, _) in NOT_OVER_SYSFS {
            assert!(cases.iter().any(|(case, _)| case == name), "{name} is no case");
        }
        for (name, _) in cases.iter().filter(|(_, trapped)| *trapped) {
            assert!(not_over_sysfs(name).is_some(), "{name} wants messages");
        }
    }

    #[test]
    fn addresses_are_spoken_as_the_protocol_wants_them() {
        assert_eq!(spoken(Path::new("/tmp/a")), "unix:/tmp/a");
        assert_eq!(spoken(Path::new("0000:03:00.0")), "0000:03:00.0");
    }
}

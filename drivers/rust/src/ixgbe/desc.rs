// ixgbe/desc · 82599:7.1.6 82599:7.2.3.2
// Read form and write-back form as functions over the generated fields; a descriptor is two 64-bit words.

//! Descriptors: what the driver writes, and how it reads what the device wrote back.
//!
//! Receive, read form (driver to device) and write-back form (device to driver), advanced, one buffer:
//!
//! ```text
//!         63                     32 31    30         21 20   17 16      4 3       0
//!        ┌──────────────────────────────────────────────────────────────────────────┐
//! read 0 │                            packet buffer address                         │
//! read 1 │                      header buffer address = 0 (bit 0: DD)               │
//!        ├─────────────────────────┬─────┬─────────────┬───────┬─────────┬──────────┤
//! back 0 │        RSS hash         │ SPH │ header len  │ RSCCNT│ pkt type│ RSS type │
//!        ├────────────┬────────────┼─────┴─────────────┼───────┴─────────┴──────────┤
//! back 1 │    VLAN    │   length   │   errors (31:20)  │  status (19:0): EOP 1, DD 0 │
//!        └────────────┴────────────┴───────────────────┴────────────────────────────┘
//!         63        48 47        32
//! ```
//!
//! Transmit, advanced data:
//!
//! ```text
//!         63          46 45   40 39 38 36 35  32 31   24 23  20 19    16 15         0
//!        ┌──────────────────────────────────────────────────────────────────────────┐
//! read 0 │                               buffer address                             │
//!        ├──────────────┬───────┬──┬─────┬──────┬───────┬──────┬────────┬───────────┤
//! read 1 │    PAYLEN    │ POPTS │CC│ IDX │ STA  │ DCMD  │ DTYP │  0     │  DTALEN   │
//!        └──────────────┴───────┴──┴─────┴──────┴───────┴──────┴────────┴───────────┘
//! back 1 │                                 DD 32 │                                    all else undefined
//! ```

use super::regs::{rx_read, rx_writeback, tx_data, tx_writeback};

/// A receive descriptor that gives the buffer at `iova` to the device.
#[inline(always)]
pub(super) const fn receive(iova: u64) -> [u64; 2] {
    [rx_read::BUFFER.put(iova), rx_read::HEADER.put(0)]
}

/// The second word of a receive descriptor after write-back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Received(pub(super) u64);

impl Received {
    /// The device is done with the descriptor.
    #[inline(always)]
    pub(super) const fn done(self) -> bool {
        self.0 & rx_writeback::DD.mask() != 0
    }

    /// The packet ends in this buffer.
    #[inline(always)]
    pub(super) const fn ends(self) -> bool {
        self.0 & rx_writeback::EOP.mask() != 0
    }

    /// The port saw an error. Only valid where the packet ends; only such packets come that FCTRL.SBP lets through.
    #[inline(always)]
    pub(super) const fn is_bad(self) -> bool {
        self.0 & rx_writeback::RXE.mask() != 0
    }

    /// A good packet that ends in this very buffer and has at most `longest` bytes.
    #[inline(always)]
    pub(super) const fn is_whole(self, longest: u16) -> bool {
        let wanted = rx_writeback::DD.mask() | rx_writeback::EOP.mask();
        self.0 & (wanted | rx_writeback::RXE.mask()) == wanted && self.length().wrapping_sub(1) < longest
    }

    /// Bytes in the buffer, as the device claims.
    #[inline(always)]
    pub(super) const fn length(self) -> u16 {
        rx_writeback::LENGTH.get(&[0, self.0]) as u16
    }
}

/// The RSS hash in the first word of a written-back receive descriptor, if the packet was of a kind that is hashed.
#[inline(always)]
pub(super) const fn rss_hash(word: u64) -> Option<u32> {
    let back = [word, 0];
    if rx_writeback::RSS_TYPE.get(&back) == rx_writeback::RSS_TYPE_NONE {
        return None;
    }
    Some(rx_writeback::RSS_HASH.get(&back) as u32)
}

/// What every transmit descriptor of ours has set: advanced data, and an FCS to be added by the device.
const TRANSMIT: u64 = tx_data::DTYP.put(tx_data::DTYP_DATA) | tx_data::DEXT.put(1) | tx_data::IFCS.put(1);

/// A transmit descriptor for `length` bytes at `iova`, of a packet of `total` bytes that ends here or not.
#[inline(always)]
pub(super) const fn transmit(iova: u64, length: usize, total: usize, ends: bool) -> [u64; 2] {
    let command = TRANSMIT | if ends { tx_data::EOP.mask() } else { 0 };
    let lengths = tx_data::DTALEN.put(length as u64) | tx_data::PAYLEN.put(total as u64);
    [tx_data::BUFFER.put(iova), command | lengths]
}

/// Asks the device to say when it is done. Legal only in the descriptor in which a packet ends. [82599:7.2.3.2.4]
pub(super) const REPORT: u64 = tx_data::RS.mask();

/// True if the device has said so in the second word.
#[inline(always)]
pub(super) const fn transmitted(word: u64) -> bool {
    word & tx_writeback::DD.mask() != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receive_descriptor_has_no_status() {
        assert_eq!(receive(0x1_0000_0840), [0x1_0000_0840, 0]);
        assert!(!Received(receive(u64::MAX)[1]).done());
    }

    #[test]
    fn reads_a_write_back() {
        // DD, EOP, 60 bytes, VLAN tag 5.
        let back = Received(5 << 48 | 60 << 32 | 3);
        assert!(back.done() && back.ends() && !back.is_bad());
        assert_eq!(back.length(), 60);
        assert!(Received(1 << 29).is_bad());
        assert!(back.is_whole(60) && !back.is_whole(59));
        for other in [back.0 & !1, back.0 & !2, back.0 | 1 << 29, back.0 & !(60 << 32)] {
            assert!(!Received(other).is_whole(60), "{other:#x}");
        }
        assert_eq!(rss_hash(0x51cc_c178 << 32 | 1), Some(0x51cc_c178));
        assert_eq!(rss_hash(0x51cc_c178 << 32), None);
    }

    /// The words that other drivers write for a whole packet: facts of 82599, section (b).
    #[test]
    fn writes_what_is_known_to_work() {
        let [address, command] = transmit(0x1_0000_0840, 60, 60, true);
        assert_eq!(address, 0x1_0000_0840);
        assert_eq!(command, (60 << 14) << 32 | 0x2330_0000 | 60);
        assert_eq!(command | REPORT, (60 << 14) << 32 | 0x2B30_0000 | 60);
        assert_eq!(transmit(0, 2048, 5000, false)[1], (5000 << 14) << 32 | 0x2230_0000 | 2048);
    }

    #[test]
    fn a_fresh_transmit_descriptor_is_not_done() {
        assert!(!transmitted(transmit(u64::MAX, 2048, 15872, true)[1] | REPORT));
        assert!(transmitted(1 << 32));
    }

    /// The vectors that the descriptors of all languages share, as far as this driver writes or reads the layout.
    #[test]
    fn agrees_with_the_shared_vectors() {
        let number = |value: &serde_json::Value| {
            u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
        };
        let (mut seen, vectors) = ([0; 4], crate::vectors("descriptors"));
        for case in vectors["cases"].as_array().unwrap() {
            let words = [number(&case["words"][0]), number(&case["words"][1])];
            let field = |name: &str| case["fields"].get(name).map_or(0, number);
            match case["layout"].as_str().unwrap() {
                "rx_read" if field("HEADER") == 0 => {
                    assert_eq!(receive(field("BUFFER")), words, "{case}");
                    seen[0] += 1;
                }
                "rx_writeback" => {
                    let back = Received(words[1]);
                    assert_eq!(
                        (u64::from(back.done()), u64::from(back.ends())),
                        (field("DD"), field("EOP")),
                        "{case}"
                    );
                    assert_eq!(
                        (u64::from(back.length()), u64::from(back.is_bad())),
                        (field("LENGTH"), field("RXE"))
                    );
                    let hash = (field("RSS_TYPE") != 0).then_some(field("RSS_HASH") as u32);
                    assert_eq!(rss_hash(words[0]), hash, "{case}");
                    seen[1] += 1;
                }
                "tx_data" if words[1] & !0xFFFF_C000_2F30_FFFF == 0 && field("IFCS") == 1 => {
                    let (length, total) = (field("DTALEN") as usize, field("PAYLEN") as usize);
                    let [buffer, command] = transmit(field("BUFFER"), length, total, field("EOP") == 1);
                    let report = if field("RS") == 1 { REPORT } else { 0 };
                    assert_eq!([buffer, command | report], words, "{case}");
                    seen[2] += 1;
                }
                "tx_writeback" => {
                    assert_eq!(u64::from(transmitted(words[1])), field("DD"), "{case}");
                    seen[3] += 1;
                }
                _ => {}
            }
        }
        assert!(seen.iter().all(|count| *count > 0), "vectors by layout: {seen:?}");
    }
}

//! What goes into a device and what it says of itself.

use std::time::Duration;

/// How a device is to be opened. All fields have sensible defaults:
///
/// ```
/// let config = ringway::Config { promiscuous: true, ..Default::default() };
/// assert_eq!((config.rx_queues, config.ring_slots, config.pool_slots), (1, 512, 2048));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Receive queues, 1 to 16. With more than one the device spreads TCP and UDP over all of them by their RSS hash;
    /// everything else comes to queue 0. [82599 7.1.2.8]
    pub rx_queues: u16,
    /// Transmit queues, 1 to 64.
    pub tx_queues: u16,
    /// Descriptors of each ring, a multiple of 8 from 16 to 8192. A ring holds one packet less.
    pub ring_slots: u32,
    /// Slots of the device's pool: at least enough to fill its receive rings.
    pub pool_slots: u32,
    /// Receive every good frame, not only those for this device's address and broadcasts.
    pub promiscuous: bool,
    /// Longest frame to receive, in bytes with FCS, without VLAN tags; 64 to 15872.
    pub max_frame: u32,
    /// How long `open` waits for the link; zero does not wait.
    pub link_wait: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            rx_queues: 1,
            tx_queues: 1,
            ring_slots: 512,
            pool_slots: 2048,
            promiscuous: false,
            max_frame: 1518,
            link_wait: Duration::ZERO,
        }
    }
}

/// Counters since the device was opened, 64 bits wide. Bytes are as on the wire, FCS included.
///
/// The device's own byte counters are 36 bits wide: read them at least every 50 seconds at full rate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Good frames that the port accepted, those included that were then missed.
    pub rx_packets: u64,
    /// Bytes of those frames.
    pub rx_bytes: u64,
    /// Frames sent.
    pub tx_packets: u64,
    /// Bytes of those frames.
    pub tx_bytes: u64,
    /// Good frames that found no descriptor or no buffer space.
    pub rx_missed: u64,
    /// Bad frames, and packets thrown away because the device's description of them was impossible.
    pub rx_errors: u64,
}

/// State of the link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Link {
    /// True if there is a link.
    pub up: bool,
    /// Its speed in Mbit/s, 0 if there is none.
    pub mbit: u32,
}

/// How many slots of a pool are in a device's rings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RingSlots {
    /// In receive rings.
    pub rx: usize,
    /// In transmit rings.
    pub tx: usize,
}

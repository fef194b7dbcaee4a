//! What really went through the port: never cleared by the driver, and independent of its registers.

/// Counts since the NIC was made. Bytes are without FCS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Frames taken from the wire, whatever became of them.
    pub rx_frames: u64,
    /// Bytes of those.
    pub rx_bytes: u64,
    /// Frames written to the driver's memory and completed (or meant to be, where a fault is armed).
    pub rx_delivered: u64,
    /// Frames handed to the wire.
    pub tx_frames: u64,
    /// Bytes of those.
    pub tx_bytes: u64,
    /// Received frames that were not delivered, by reason.
    pub dropped: Dropped,
    /// Frames that the driver handed over and that could not be sent: bad descriptors or DMA faults.
    pub tx_lost: u64,
    /// DMA accesses outside of what the driver has mapped.
    pub dma_faults: u64,
    /// Descriptors that made no sense.
    pub bad_descriptors: u64,
    /// Interrupts delivered.
    pub interrupts: u64,
    /// Resets by the driver (CTRL.RST, CTRL.LRST, function level reset).
    pub resets: u64,
}

/// Received frames that were not delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Wrong FCS.
    pub bad_fcs: u64,
    /// Shorter than 64 bytes with FCS.
    pub runt: u64,
    /// Longer than MAXFRS (or 1518 without JUMBOEN) allows.
    pub oversize: u64,
    /// Not for any address that the driver wants.
    pub address: u64,
    /// VLAN that the driver does not want.
    pub vlan: u64,
    /// MAC control frames (pause), which the NIC keeps to itself.
    pub control: u64,
    /// The queue it belongs to is not enabled.
    pub queue_off: u64,
    /// No descriptor, and SRRCTL.DROP_EN is set.
    pub no_descriptor: u64,
    /// No room in the packet buffer.
    pub missed: u64,
    /// Needs more descriptors than the ring can ever have, or its buffers have no size.
    pub unstorable: u64,
    /// The driver's memory could not be reached.
    pub dma_fault: u64,
}

impl Dropped {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.bad_fcs
            + self.runt
            + self.oversize
            + self.address
            + self.vlan
            + self.control
            + self.queue_off
            + self.no_descriptor
            + self.missed
            + self.unstorable
            + self.dma_fault
    }
}

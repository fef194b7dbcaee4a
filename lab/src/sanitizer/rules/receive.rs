//! Rules about the receive unit and its descriptors.

super::rules! {
    FILTER_WHILE_RECEIVING = "rx.filter_changed_while_receiving", Warning, "82599 8.2.3.7.1",
        "FCTRL was changed while the receiver was on",
        "The filters are not made to change under traffic: packets on their way may be accepted or dropped wrongly.",
        "Clear RXCTRL.RXEN, change FCTRL, set RXCTRL.RXEN again.";
    CRC_STRIP = "rx.crc_strip_disagrees", Error, "82599 8.2.3.8.8",
        "RDRXCTL.CRCSTRIP and HLREG0.RXCRCSTRP disagree",
        "One unit strips the CRC and the other counts on it: lengths are off by four bytes.",
        "Set both bits, or clear both, before RXCTRL.RXEN.";
    RSC_FIRST_SIZE = "rx.rsc_first_size", Warning, "82599 8.2.3.8.8",
        "RDRXCTL.RSCFRSTSIZE was left at its reset value",
        "The data sheet tells software to write 0 here; the hardware default of 8 is not a working value.",
        "Clear RDRXCTL.RSCFRSTSIZE before RXCTRL.RXEN.";
    RDRXCTL_FIXES = "rx.rdrxctl_fixes", Warning, "82599 8.2.3.8.8",
        "RDRXCTL.RSCACKC or RDRXCTL.FCOE_WRFIX was left 0",
        "Both bits repair defects of the chip. They are 0 after a reset and the data sheet tells software to set them.",
        "Set RDRXCTL.RSCACKC and RDRXCTL.FCOE_WRFIX before RXCTRL.RXEN.";
    PACKET_BUFFER = "rx.packet_buffer_size", Warning, "82599 8.2.3.8.9",
        "The receive packet buffers do not fit the chip's memory",
        "All packet buffers in use share 512 KiB. Without DCB only RXPBSIZE[0] is used.",
        "Without DCB write 0x80000 (512 KiB) or less to RXPBSIZE[0] and 0 to the others.";
    FLOW_THRESHOLD = "rx.flow_threshold", Warning, "82599 4.6.3.2",
        "FCRTH[0].RTH is not below the size of the packet buffer, or 0",
        "The threshold must be set even when flow control is off: the chip uses it to guard the packet buffer.",
        "Write FCRTH[0] = bytes of RXPBSIZE[0] - 0x6000, with FCEN clear if flow control is off.";
    MODE_WHILE_RECEIVING = "rx.mode_changed_while_receiving", Warning, "82599 8.2.3.7.12",
        "MRQC.MRQE was changed while the receiver was on",
        "It decides how packets find their queue. A packet that is being classified can end up anywhere.",
        "Choose the mode before RXCTRL.RXEN.";
    TABLE_NOT_WRITTEN = "rx.table_not_written", Warning, "82599 4.6.7",
        "A table is in use that was not written completely since the reset",
        "MTA, VFTA, RETA and RSSRK are memories that no reset clears; what was not written is undefined.",
        "Write all words of the table before the feature (MCSTCTRL.MFE, VLNCTRL.VFE, RSS) is turned on.";
    JUMBO_OFF = "rx.jumbo_off", Warning, "82599 8.2.3.22.13",
        "MAXFRS asks for jumbo frames but HLREG0.JUMBOEN is 0",
        "MAXFRS.MFS only counts with JUMBOEN: frames longer than 1518 bytes are dropped.",
        "Set HLREG0.JUMBOEN, or leave MAXFRS at 1518.";
    ENABLED_BEFORE_QUEUES = "rx.enabled_before_queues", Note, "82599 4.6.7",
        "RXCTRL.RXEN was set before any receive queue was enabled",
        "The receive path is to be opened after all other settings. Until a queue is there, every packet is dropped.",
        "Enable the queues and give them descriptors first, then set RXCTRL.RXEN.";
    PATH_NOT_HALTED = "rx.data_path_not_halted", Note, "82599 4.6.7",
        "RXCTRL.RXEN was set without halting the receive data path around it",
        "The chip may start in the middle of a frame that is arriving.",
        "Set SECRXCTRL.RX_DIS, wait for SECRXSTAT.RDY, set RXCTRL.RXEN, clear SECRXCTRL.RX_DIS.";
    DCA_BIT_12 = "rx.dca_bit_12", Warning, "82599 8.2.3.11.1",
        "DCA_RXCTRL bit 12 was left set on a queue in use",
        "The bit is 1 after a reset and reserved: it must be cleared.",
        "Clear bit 12 of DCA_RXCTRL[n] of every receive queue that is used.";
    SNOOP = "rx.snoop_not_disabled", Warning, "82599 4.6.7",
        "CTRL_EXT.NS_DIS was not set, and packets are being received",
        "Without it the card may write packets without snooping the caches, and the processor reads stale bytes.",
        "Set bit 16 of CTRL_EXT when the receive path is enabled.";
    RETA_QUEUE = "rx.reta_to_disabled_queue", Warning, "82599 7.1.2.8",
        "The redirection table sends packets to a queue that is not enabled",
        "Packets for a disabled queue are dropped.",
        "Fill all 128 entries of RETA with queues that are enabled.";
    VLAN_STRIP_82598 = "rx.vlan_strip_82598", Warning, "82599 8.2.3.7.2",
        "VLNCTRL bit 31 was set, which strips VLAN tags on the 82598 only",
        "On the 82599 the bit is reserved and nothing is stripped.",
        "Set RXDCTL.VME of each queue instead.";
    PACKET_LIMIT = "rx.packet_limit", Note, "82599 8.2.3.8.6",
        "RXDCTL.RLPML_EN was set, which does not work on the 82599",
        "The limit of the packet length per queue exists on later chips only.",
        "Limit the length by MAXFRS.";
    ADDRESS_WHILE_VALID = "rx.address_changed_while_valid", Note, "82599 8.2.3.7.8",
        "RAL was changed while the address was valid and the receiver was on",
        "Between the two writes the filter holds half of the old and half of the new address.",
        "Clear RAH.AV first, write RAL, then write RAH with AV set.";
    BUFFER_SIZE = "rx.buffer_size", Error, "82599 8.2.3.8.7",
        "SRRCTL.BSIZEPACKET is 0 or larger than 16 KiB",
        "The card needs the size of the buffers to know where to go on in the next one; only 1 to 16 KiB are defined.",
        "Write the size of a buffer in KiB, rounded down, before the queue is enabled.";
    DESCRIPTOR_TYPE = "rx.descriptor_type", Error, "82599 8.2.3.8.7",
        "SRRCTL.DESCTYPE has a reserved value",
        "Only 0 (legacy), 1 (advanced, one buffer), 2 and 5 (header split) are defined.",
        "Write 1 for advanced descriptors with one buffer.";
    HEADER_SPLIT = "rx.header_split", Warning, "82599 7.1.10",
        "Header split was chosen",
        "Header splitting can cause unpredictable behaviour and should not be used with this chip. This model does not do it.",
        "Use SRRCTL.DESCTYPE = 1, advanced descriptors with one buffer.";
    STALE_DD = "rx.stale_dd", Warning, "82599 7.1.6.1",
        "A receive descriptor was handed over with its done bit set",
        "Bit 0 of the header address is where the card will report DD. A driver that looks there finds the descriptor done before the card has touched it.",
        "Write the whole second quadword as 0 when the descriptor is refilled.";
    ODD_ADDRESS = "rx.odd_buffer_address", Warning, "82599 7.1.6.1",
        "A receive buffer starts at an odd address",
        "Depending on the no-snoop setting the lowest bit of the address is not part of it.",
        "Align buffers, at least to 2 bytes; a cache line is better.";
}

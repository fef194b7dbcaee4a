//! Rules about transmit descriptors and the packets they describe.

super::rules! {
    STALE_DD = "tx.stale_dd", Warning, "82599 7.2.3.2.4",
        "A transmit descriptor was handed over with its done bit set",
        "DD is left from the last write-back. A driver that looks there takes the packet for sent and reuses its buffer while the card still reads it.",
        "Write the whole second quadword when a descriptor is filled.";
    RESERVED_BITS = "tx.reserved_bits", Warning, "82599 7.2.3.2.4",
        "Reserved bits of a transmit descriptor were set",
        "They may have a meaning in silicon.",
        "Build the second quadword from named fields only.";
    RS_WITHOUT_EOP = "tx.rs_without_eop", Warning, "82599 7.2.3.2.4",
        "RS was set on a descriptor that does not end its packet",
        "Completion is reported per packet: RS is defined together with EOP only.",
        "Set RS on the last descriptor of a packet.";
    RS_MISSING = "tx.rs_missing", Warning, "82599 7.2.3.5",
        "A whole ring of descriptors was handed over without RS",
        "The card reports only descriptors with RS. Without any, the driver never learns what was sent, and runs out of slots.",
        "Set RS on every packet, or on one in a few dozen, and always at least twice a ring.";
    WTHRESH_IGNORES_RS = "tx.wthresh_ignores_rs", Note, "82599 7.2.3.5.1",
        "RS was left out on a packet although TXDCTL.WTHRESH is not 0",
        "With WTHRESH above 0 the card collects finished descriptors and expects RS on every packet.",
        "Set WTHRESH to 0 when RS is set only now and then.";
    MIXED_FORMATS = "tx.mixed_formats", Error, "82599 7.2.3.2",
        "One packet mixes legacy and advanced descriptors",
        "The format of a packet's first descriptor holds for all of them.",
        "Set or clear DEXT in all descriptors of a packet alike.";
    PAYLOAD_LENGTH = "tx.payload_length", Error, "82599 7.2.3.2.4",
        "PAYLEN is not the length of the packet",
        "The card counts on PAYLEN of the first descriptor: a wrong one truncates the packet or hangs the queue. With TSE it is the payload after the headers.",
        "Write the sum of all DTALEN of the packet to PAYLEN of its first descriptor (with TSE, less the headers).";
    NULL_DESCRIPTOR = "tx.null_descriptor", Note, "82599 7.2.3.2.4",
        "A transmit descriptor has no data",
        "It transfers nothing and costs a slot.",
        "Leave empty buffers out.";
    TOO_SHORT = "tx.frame_too_short", Error, "82599 7.2.1.1",
        "A packet is shorter than the card can send",
        "Padding starts from 17 bytes; anything shorter can hang the transmitter.",
        "Pad packets to 17 bytes or more (60 without HLREG0.TXPADEN) in software.";
    TOO_LONG = "tx.frame_too_long", Warning, "82599 7.2.1.1",
        "A packet is longer than 15.5 KiB",
        "The packet buffer of the card takes frames up to 15872 bytes.",
        "Split the data, or use TCP segmentation.";
    TOO_MANY_DESCRIPTORS = "tx.too_many_descriptors", Error, "82599 7.2.1.1",
        "A packet is spread over more descriptors than the card can hold",
        "The card keeps 40 descriptors a queue; a packet may use 38 less TXDCTL.WTHRESH, or it never starts.",
        "Copy small pieces together.";
    PAD_WITHOUT_CRC = "tx.pad_without_crc", Warning, "82599 7.2.3.2.2",
        "A packet to be padded does not ask for a CRC",
        "HLREG0.TXPADEN lengthens short packets, so the CRC must come from the card: IFCS is required.",
        "Set IFCS in all descriptors.";
    CONTEXT_MISSING = "tx.context_missing", Error, "82599 7.2.3.2.3",
        "An offload refers to a context that was never given",
        "Checksum, VLAN and segmentation take header lengths, tag and MSS from the context of that index.",
        "Hand over a context descriptor with this IDX before the packet.";
    CONTEXT_INDEX = "tx.context_index", Error, "82599 7.2.3.2.3",
        "A context index above 1 was used",
        "A queue has two contexts, 0 and 1.",
        "Use IDX 0 or 1.";
    CONTEXT_LENGTHS = "tx.context_lengths", Warning, "82599 7.2.3.2.3",
        "The header lengths in the context cannot be right for the checksum asked for",
        "The card finds the IP and L4 headers by MACLEN (at least 14) and IPLEN (at least 20).",
        "Fill in the header lengths of the packet.";
    SEGMENTATION = "tx.segmentation", Error, "82599 7.2.4",
        "Segmentation was asked for with an MSS or L4 header length of 0",
        "The card would have to cut the payload into pieces of no size.",
        "Write MSS and L4LEN in the context.";
    TAIL_SPLITS_PACKET = "tx.tail_splits_packet", Note, "82599 7.2.3.3",
        "The tail was moved into the middle of a packet",
        "The card starts to fetch and then waits for the rest, holding up its arbiter.",
        "Move the tail to the end of a packet.";
}

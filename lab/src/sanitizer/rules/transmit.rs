//! Rules about the transmit unit.

super::rules! {
    QUEUE_BEFORE_TE = "tx.queue_before_te", Warning, "82599 4.6.8",
        "A transmit queue was enabled while DMATXCTL.TE was 0",
        "The master switch comes first: a queue that is enabled without it may never become ready.",
        "Set DMATXCTL.TE before the first TXDCTL.ENABLE.";
    ARBITER_RUNNING = "tx.arbiter_running", Warning, "82599 4.6.8",
        "Transmit packet buffers or queues were rearranged while the arbiter was running",
        "DTXMXSZRQ, TXPBSIZE, TXPBTHRESH and MTQC may change only while RTTDCS.ARBDIS is 1.",
        "Set RTTDCS.ARBDIS, write them, clear RTTDCS.ARBDIS.";
    PACKET_BUFFER = "tx.packet_buffer_size", Warning, "82599 8.2.3.9.13",
        "The transmit packet buffers do not fit the chip's memory",
        "All packet buffers in use share 160 KiB. Without DCB only TXPBSIZE[0] is used.",
        "Without DCB write 0x28000 (160 KiB) to TXPBSIZE[0] and 0 to the others.";
    THRESHOLD = "tx.threshold_above_buffer", Warning, "82599 8.2.3.9.16",
        "TXPBTHRESH is larger than the packet buffer it guards",
        "The threshold keeps room for one more packet. Above the buffer's size it never holds back, and the buffer can overflow.",
        "Write TXPBTHRESH[n] = TXPBSIZE[n] in KiB, less the largest packet.";
    REQUEST_LIMIT = "tx.request_limit", Note, "82599 4.6.11.3.4",
        "DTXMXSZRQ was not set to 0xFFF although DCB is off",
        "At its reset value the card asks for 4 KiB at a time, which limits its speed.",
        "Write 0xFFF to DTXMXSZRQ when DCB is off.";
    HOST_THRESHOLD = "tx.host_threshold", Note, "82599 8.2.3.9.10",
        "TXDCTL.PTHRESH is used with TXDCTL.HTHRESH = 0",
        "Prefetching then fetches single descriptors, each in a PCIe transaction of its own.",
        "Give HTHRESH a value of 1 or more whenever PTHRESH is not 0.";
    HEAD_WRITEBACK = "tx.head_writeback_address", Warning, "82599 8.2.3.9.11",
        "The head write-back address is not 16-byte aligned",
        "The data sheet contradicts itself about the alignment; cards write nothing unless it is 16.",
        "Align the word that TDWBAL and TDWBAH point to on 16 bytes.";
    DISABLED_WHILE_SENDING = "tx.disabled_while_sending", Note, "82599 4.6.8",
        "A transmit queue was disabled with packets still in its ring",
        "What the card has not fetched yet is never sent.",
        "Wait, with a deadline, until TDH equals TDT before clearing TXDCTL.ENABLE.";
}

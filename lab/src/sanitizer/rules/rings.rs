//! Rules about descriptor rings, their heads, tails and owners; each for receive and for transmit.

super::rules! {
    RX_MISALIGNED = "rx.ring_misaligned", Error, "82599 8.2.3.8.1",
        "The receive ring does not start on a 128-byte boundary",
        "The card ignores the low seven bits of RDBAL and reads descriptors from somewhere else.",
        "Align the ring on 128 bytes.";
    TX_MISALIGNED = "tx.ring_misaligned", Error, "82599 8.2.3.9.5",
        "The transmit ring does not start on a 128-byte boundary",
        "The card ignores the low seven bits of TDBAL and reads descriptors from somewhere else.",
        "Align the ring on 128 bytes.";
    RX_LENGTH = "rx.ring_length", Error, "82599 8.2.3.8.3",
        "RDLEN is 0, no multiple of 128, or above 128 KiB",
        "The length is in bytes, 16 a descriptor, in steps of 8 descriptors.",
        "Write 16 times the number of descriptors, a multiple of 8 up to 8192.";
    TX_LENGTH = "tx.ring_length", Error, "82599 8.2.3.9.7",
        "TDLEN is 0, no multiple of 128, or above 128 KiB",
        "The length is in bytes, 16 a descriptor, in steps of 8 descriptors.",
        "Write 16 times the number of descriptors, a multiple of 8 up to 8192.";
    RX_NOT_SET = "rx.ring_not_set", Error, "82599 4.6.7",
        "A receive queue was enabled before its ring was programmed",
        "RDBAL and RDBAH are undefined after a reset: the card reads descriptors from, and writes packets to, arbitrary memory.",
        "Write RDBAL, RDBAH and RDLEN after the reset and before RXDCTL.ENABLE.";
    TX_NOT_SET = "tx.ring_not_set", Error, "82599 4.6.8",
        "A transmit queue was enabled before its ring was programmed",
        "TDBAL and TDBAH are undefined after a reset: the card sends arbitrary memory.",
        "Write TDBAL, TDBAH and TDLEN after the reset and before TXDCTL.ENABLE.";
    RX_CHANGED = "rx.ring_changed_while_enabled", Error, "82599 4.6.7.1",
        "The ring of a receive queue was changed while the queue was enabled",
        "Descriptors that the card has prefetched are from the old ring, those that it writes back go to the new one.",
        "Clear RXDCTL.ENABLE, wait until it reads 0, then change RDBAL, RDBAH, RDLEN or SRRCTL.";
    TX_CHANGED = "tx.ring_changed_while_enabled", Error, "82599 4.6.8",
        "The ring of a transmit queue was changed while the queue was enabled",
        "Descriptors that the card has prefetched are from the old ring, those that it writes back go to the new one.",
        "Clear TXDCTL.ENABLE, wait until it reads 0, then change TDBAL, TDBAH or TDLEN.";
    RX_TAIL_DISABLED = "rx.tail_while_disabled", Error, "82599 4.6.7.1.1",
        "RDT was moved while the receive queue was disabled",
        "The tail is ignored until RXDCTL.ENABLE reads 1, and the queue then starts without descriptors.",
        "Enable the queue, wait until RXDCTL.ENABLE reads 1, then write RDT.";
    TX_TAIL_DISABLED = "tx.tail_while_disabled", Error, "82599 4.6.8.1",
        "TDT was moved while the transmit queue was disabled",
        "The tail is ignored until TXDCTL.ENABLE reads 1: these packets are not sent.",
        "Enable the queue, wait until TXDCTL.ENABLE reads 1, then write TDT.";
    RX_ENABLE_NOT_READ = "rx.tail_before_enable_read", Warning, "82599 4.6.7.1.1",
        "RDT was moved before RXDCTL.ENABLE was seen to be 1",
        "A queue takes some time to become ready; a tail that moves earlier is ignored.",
        "After setting RXDCTL.ENABLE read it until it is 1, with a deadline, then write RDT.";
    TX_ENABLE_NOT_READ = "tx.tail_before_enable_read", Warning, "82599 4.6.8.1",
        "TDT was moved before TXDCTL.ENABLE was seen to be 1",
        "A queue takes some time to become ready; a tail that moves earlier is ignored.",
        "After setting TXDCTL.ENABLE read it until it is 1, with a deadline, then write TDT.";
    RX_TAIL_BEYOND = "rx.tail_beyond_ring", Error, "82599 7.1.9",
        "RDT was set to a slot that the ring does not have",
        "The card walks past the end of the ring and takes whatever lies there for descriptors.",
        "Keep the tail below the number of descriptors: it wraps to 0.";
    TX_TAIL_BEYOND = "tx.tail_beyond_ring", Error, "82599 7.2.3.3",
        "TDT was set to a slot that the ring does not have",
        "The card walks past the end of the ring and takes whatever lies there for descriptors.",
        "Keep the tail below the number of descriptors: it wraps to 0.";
    RX_TAIL_PAST_HEAD = "rx.tail_past_head", Error, "82599 7.1.9",
        "RDT passed RDH: descriptors were given to the card that it already had",
        "The card owns the slots from head to tail. Head equal to tail means none, so a ring of n holds at most n - 1; a tail that passes the head hands slots over twice, or makes a full ring look empty.",
        "Move the tail only over slots that have been processed, and never onto the head.";
    TX_TAIL_PAST_HEAD = "tx.tail_past_head", Error, "82599 7.2.3.3",
        "TDT passed TDH: descriptors were given to the card that it already had",
        "The card owns the slots from head to tail. Head equal to tail means none, so a ring of n holds at most n - 1; a tail that passes the head sends packets twice, or makes a full ring look empty.",
        "Fill only slots whose packets are done, and keep one slot free.";
    RX_HEAD_MOVED = "rx.head_moved_by_driver", Error, "82599 8.2.3.8.4",
        "RDH was changed while the receive queue was enabled",
        "The head belongs to the card. It may be written between a reset and the enabling of the queue only.",
        "Remove the write; to start over, disable the queue first.";
    TX_HEAD_MOVED = "tx.head_moved_by_driver", Error, "82599 8.2.3.9.8",
        "TDH was changed while the transmit queue was enabled",
        "The head belongs to the card. Writing it under way can invalidate the descriptors on the chip.",
        "Remove the write; to start over, disable the queue first.";
    RX_HEAD_REWRITTEN = "rx.head_rewritten", Note, "82599 8.2.3.8.4",
        "RDH was written while the receive queue was enabled, with the value it had",
        "DPDK and ixy do so without harm, but the head belongs to the card as soon as the queue is enabled.",
        "Write RDH before RXDCTL.ENABLE, or not at all: it is 0 after a reset.";
    TX_HEAD_REWRITTEN = "tx.head_rewritten", Note, "82599 8.2.3.9.8",
        "TDH was written while the transmit queue was enabled, with the value it had",
        "It does no harm now, but the head belongs to the card as soon as the queue is enabled.",
        "Write TDH before TXDCTL.ENABLE, or not at all: it is 0 after a reset.";
    RX_DOORBELL_RATE = "rx.doorbell_per_packet", Hint, "82599 7.1.9",
        "RDT was moved by one descriptor a thousand times on end, more than a million times a second",
        "Each write to a register crosses the PCIe bus and stalls the processor; a few dozen packets can share one.",
        "Refill a batch of descriptors and move the tail once.";
    TX_DOORBELL_RATE = "tx.doorbell_per_packet", Hint, "82599 7.2.3.3",
        "TDT was moved by one descriptor a thousand times on end, more than a million times a second",
        "Each write to a register crosses the PCIe bus and stalls the processor; a few dozen packets can share one.",
        "Fill a batch of descriptors and move the tail once.";
    RX_CHANGED_DESCRIPTOR = "rx.descriptor_changed", Error, "82599 7.1.9",
        "A receive descriptor was changed while the card owned it",
        "The card may have fetched it already, or may be writing it back at this very moment.",
        "Write a descriptor only before the tail passes it and after its DD bit was seen.";
    TX_CHANGED_DESCRIPTOR = "tx.descriptor_changed", Error, "82599 7.2.3.3",
        "A transmit descriptor was changed while the card owned it",
        "The card may have fetched it already, or may be writing it back at this very moment.",
        "Write a descriptor only before the tail passes it and after it was seen to be done.";
    RX_BAD_DESCRIPTOR = "rx.bad_descriptor", Error, "82599 7.1.6",
        "The card could make no sense of a receive descriptor",
        "It was skipped; on hardware anything may happen.",
        "Write descriptors in the format that SRRCTL.DESCTYPE announces.";
    TX_BAD_DESCRIPTOR = "tx.bad_descriptor", Error, "82599 7.2.3.2",
        "The card could make no sense of a transmit descriptor",
        "It was skipped; on hardware the queue may hang.",
        "Use advanced data (DTYP 3) or context (DTYP 2) descriptors with DEXT set, or legacy ones with DEXT clear.";
}

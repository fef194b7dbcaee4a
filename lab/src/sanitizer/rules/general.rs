//! Rules about registers as such, the order of initialisation, interrupts, the EEPROM, and leaving.

super::rules! {
    RESERVED_BITS = "reg.reserved_bits", Warning, "82599 8.2.3",
        "Reserved bits of a register were changed",
        "Bits without a meaning in the data sheet may have one in silicon. A write must carry the value that was read there, or 0 in a register whose ones have an effect.",
        "Read the register, change only the fields you mean, write it back; write 0 to reserved bits of EIMS, EIMC and EICS.";
    READ_ONLY = "reg.read_only", Warning, "82599 8.2.3",
        "A read-only register was written",
        "The write has no effect, so whatever the driver meant by it does not happen.",
        "Remove the write, or check the offset: a neighbouring register may have been meant.";
    UNKNOWN = "reg.unknown", Note, "82599 8.2.2",
        "A write to an offset where this model has no register",
        "The write is ignored. Either the offset is wrong, or the register belongs to a feature that is not modelled.",
        "Compare the offset with the register summary of the data sheet.";
    EEPROM_NOT_AWAITED = "eeprom.read_not_awaited", Warning, "82599 8.2.3.2.2",
        "A second EEPROM read was started before the first was seen to be done",
        "EERD holds one word at a time: until DONE reads 1 the data belong to no request, and a new START spoils the old one.",
        "After writing EERD.START, read EERD until DONE is 1, with a deadline, before the next word.";
    SEMAPHORE_KEPT = "semaphore.kept", Note, "82599 8.2.3.4.11",
        "The driver left while holding a semaphore",
        "SWSM and SW_FW_SYNC guard the PHY and the EEPROM between both ports, other drivers and the firmware. A bit left set makes the next owner wait until it gives up.",
        "Clear the bits that were taken on every path, also the one that leaves early.";
    NO_RESET = "init.no_reset", Error, "82599 4.6.3",
        "The data path was started without a reset",
        "Whatever the previous driver left behind is still in the registers, and most of them are undefined after power-up.",
        "Set CTRL.RST (with CTRL.LRST if the link is to be reset too) first, wait until it reads 0, then 10 ms.";
    INTERRUPTS_NOT_MASKED = "init.interrupts_not_masked", Warning, "82599 4.6.3.1",
        "Interrupts were not masked around the reset",
        "An interrupt during initialisation enters the driver while it is half set up, and the mask must be written again after the reset.",
        "Write EIMC (0x7FFFFFFF) before the reset and once more after it.";
    RESET_POLLED_EARLY = "init.reset_polled_early", Note, "82599 8.2.3.1.1",
        "A register was accessed within 1 ms of CTRL.RST",
        "During a reset the chip may not answer at all; on a real card such an access can stall the bus.",
        "Wait about 1 ms after setting CTRL.RST before the first look at any register.";
    RESET_NOT_SETTLED = "init.reset_not_settled", Warning, "82599 4.6.3.2",
        "Initialisation went on less than 10 ms after the reset",
        "The chip is still loading its configuration; what is written now may be overwritten.",
        "Wait at least 10 ms between the reset and the first register that is programmed.";
    RESET_WHILE_RUNNING = "init.reset_while_running", Warning, "82599 4.2.1.6.1",
        "A reset was issued while queues were enabled and bus mastering was on",
        "Requests in flight are cut off, and the completions that still arrive can hang the PCIe interface.",
        "Disable the queues, set CTRL.GIO_DIS, wait until STATUS.GIO reads 0, then reset.";
    EEPROM_LOAD_NOT_AWAITED = "init.eeprom_load_not_awaited", Warning, "82599 4.6.3",
        "The data path was started before EEC.ARD was seen",
        "After a reset the chip loads its settings, the MAC address among them, from the EEPROM. They may arrive after the driver has written its own.",
        "After the reset, read EEC until ARD is 1, with a deadline.";
    DMA_NOT_AWAITED = "init.dma_not_awaited", Warning, "82599 4.6.3",
        "The data path was started before RDRXCTL.DMAIDONE was seen",
        "The memories of the DMA engines are cleared after a reset; descriptors fetched before that are lost.",
        "After the reset, read RDRXCTL until DMAIDONE is 1, with a deadline.";
    STATISTICS_NOT_CLEARED = "init.statistics_not_cleared", Note, "82599 4.6.5",
        "No statistics register was read since the reset, and packets are counted already",
        "Counters hold undefined values until they are read once, so the first totals are wrong.",
        "Read every statistics register that is used once during initialisation and ignore what it says.";
    BUS_MASTER_OFF = "init.bus_master_off", Error, "82599 9.3.3",
        "A queue was enabled although the function may not master the bus",
        "Without bit 2 of the PCI command register the card cannot reach memory: no descriptor is ever fetched.",
        "Set the bus master bit (0x4) of the command register at config offset 4 before the queues are enabled.";
    QUEUES_LEFT_RUNNING = "close.queues_left_running", Warning, "82599 5.2.5.3.2",
        "The driver left while queues were enabled",
        "On hardware without an IOMMU the card goes on writing packets into memory that now belongs to somebody else.",
        "On close, and on SIGINT and SIGTERM, clear RXCTRL.RXEN and the ENABLE bits and wait until they read 0.";
    NO_VECTOR = "irq.no_vector", Note, "82599 7.3.4",
        "An interrupt cause was unmasked that no vector is assigned to",
        "With MSI-X (GPIE.MULTIPLE_MSIX) a cause whose IVAR entry is not valid is recorded in EICR but never delivered.",
        "Set the vector and the VALID bit in IVAR_MISC (other causes) or IVAR (queues) first.";
}

//! Rules about memory: who owns which bytes, and what the card may reach.

super::rules! {
    GIVEN_TWICE = "buffer.given_twice", Error, "82599 7.1.9",
        "The same memory was given to the card in two receive descriptors",
        "Two packets will be written over each other.",
        "A buffer must be in one place at a time: free, in use, or in one ring.";
    RECEIVE_OVER_SEND = "buffer.receive_over_send", Error, "82599 7.1.9",
        "The same memory was given to the card to receive into and to send from",
        "A packet that arrives overwrites the one that is being sent.",
        "Give a buffer back to a receive ring only after its transmit descriptor is done.";
    OVER_RING = "buffer.over_ring", Error, "82599 7.1.9",
        "A receive buffer lies over a descriptor ring",
        "A packet that arrives overwrites descriptors.",
        "Check the arithmetic that carves rings and buffers from the DMA memory.";
    RINGS_OVERLAP = "ring.overlap", Error, "82599 7.1.9",
        "Two enabled queues use the same memory for their rings",
        "The write-back of one destroys the descriptors of the other.",
        "Give every queue a ring of its own.";
    DMA_FAULT = "dma.fault", Error, "82599 3.1.4",
        "The card was sent to memory that the driver has not mapped",
        "With an IOMMU the access fails and the packet is lost; without one, some other memory is read or overwritten.",
        "Check the address in the descriptor against the mappings: it must be an I/O virtual address, not a pointer.";
    BUFFER_OUTSIDE = "dma.buffer_outside_mapping", Error, "82599 3.1.4",
        "A buffer was handed over that is not mapped in full",
        "The card may use all of BSIZEPACKET (up to the largest frame) or DTALEN bytes from the address.",
        "Map all of the buffer, for writing if it is to receive; check for a buffer that sticks out at the end.";
    RING_OUTSIDE = "dma.ring_outside_mapping", Error, "82599 3.1.4",
        "A queue was enabled whose ring is not mapped in full",
        "The card cannot read its descriptors or write them back.",
        "Map the ring for reading and writing before the queue is enabled.";
    UNMAPPED_IN_USE = "dma.unmapped_in_use", Error, "82599 4.6.7.1.2",
        "Memory was unmapped that the card still uses",
        "The card can access rings and buffers until the queue is disabled and ENABLE reads 0.",
        "Disable the queue, wait until ENABLE reads 0 and 100 us more, then unmap.";
}

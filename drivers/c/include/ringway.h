/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file ringway.h
 * User-space driver for the Intel 82599: fetch packets from a card (or from a software one) without the kernel.
 *
 * @code
 *     struct ringway_memory *memory;
 *     struct ringway_device *device;
 *     struct ringway_batch  *batch;
 *
 *     if (ringway_memory_create(64 << 20, &memory) < 0 ||
 *         ringway_open("unix:/run/user/1000/ringway/a.sock", memory, NULL, &device) < 0) {
 *         fprintf(stderr, "%s\n", ringway_error());
 *         return 1;
 *     }
 *     batch = ringway_batch_create(memory, 32);
 *     for (;;) {
 *         int n = ringway_receive(device, 0, batch);
 *         for (uint32_t i = 0; i < batch->count; i++)
 *             handle(ringway_packet(memory, batch->slot[i]), ringway_packet_length(memory, batch->slot[i]));
 *         ringway_batch_release(batch);
 *     }
 * @endcode
 *
 * Four ideas carry everything:
 *  - *One DMA memory.* Every device of a process sees the same mapping; rings and packets are carved from it.
 *  - *A packet is a slot*, a number. At any instant a slot is in exactly one of: a pool, a batch, a receive ring, a
 *    transmit ring. Lengths live in a dense array, so that a packet costs one cache line and not two.
 *  - *Batches.* Nothing is allocated after open.
 *  - *One doorbell a batch.*
 *
 * Threads: queue i of every device that shares a memory, and pool i behind it, belong to one thread. There is no lock
 * on a packet's way; a thread that stays with its queue number needs none. Meanwhile one other thread may call
 * ringway_stats() and ringway_link(). Everything else wants the queues to rest.
 *
 * Errors: functions return 0 or a count, or a negative errno; ringway_error() then holds one line that names the cause
 * (for a wait: the register, the mask and the time) and, where there is one, the remedy. The library never prints,
 * never ends the process and never waits without a deadline.
 */
#ifndef RINGWAY_H
#define RINGWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that a packet may occupy in its slot: the receive buffer size that the device is told (82599:8.2.3.8.7). */
#define RINGWAY_SLOT_BYTES 2048u

/** Version of this library. */
#define RINGWAY_VERSION "0.1.0"

struct ringway_memory;
struct ringway_device;

/** What a slot holds; one 8-byte word beside the packet data. */
struct ringway_packet_info {
	uint16_t length; /**< bytes in this slot, without FCS */
	uint16_t flags;  /**< RINGWAY_MORE */
	uint32_t hash;   /**< RSS hash (82599:7.1.2.8.1); 0 if the device reported none */
};

/** The packet goes on in the next slot of the batch (frames longer than a slot). */
#define RINGWAY_MORE 1u

/** Packets on their way: slots that belong to neither a pool nor a ring. */
struct ringway_batch {
	struct ringway_memory *memory;
	uint32_t capacity; /**< slots that fit */
	uint32_t count;    /**< slots held, from slot[0] */
	uint32_t slot[];
};

/** How to open a device. Zero in any field means the default in brackets. */
struct ringway_options {
	uint16_t rx_queues;   /**< [1] at most 16: RSS spreads over them (82599:7.1.2.8) */
	uint16_t tx_queues;   /**< [1] at most 32 */
	uint32_t ring_slots;  /**< [512] descriptors of each ring: 64 to 4096, a multiple of 8 */
	uint32_t pool_slots;  /**< [2048] packets of the device, shared out evenly to its receive queues */
	uint32_t max_frame;   /**< [1518] longest frame in bytes with FCS, without VLAN tag; up to 15872 */
	uint32_t link_wait_ms;/**< [0] wait so long for the link; fail if it does not come */
	bool promiscuous;     /**< [false] take frames for any address */
};

/** 64-bit counters since open. Bytes are as on the wire, with FCS. */
struct ringway_stats {
	uint64_t rx_packets, tx_packets;
	uint64_t rx_bytes, tx_bytes;
	uint64_t rx_missed; /**< good frames for which there was no descriptor or no packet buffer */
	uint64_t rx_errors; /**< bad frames, and packets thrown away because the device lied about them */
};

/** Where the slots of a device's pools are. What `total` has beyond the first three is in batches. */
struct ringway_slots {
	uint32_t pool; /**< free */
	uint32_t rx;   /**< in the device's receive rings */
	uint32_t tx;   /**< in transmit rings, whichever device they belong to */
	uint32_t total;
};

/** State of the link (82599:8.2.3.22.20). */
struct ringway_link {
	bool up;
	uint32_t mbit; /**< 0 while down */
};

/** One line about the last error of this thread. Never NULL. */
const char *ringway_error(void);

/**
 * Creates the memory that devices see: a sealed, shared memfd.
 * @param bytes  size; about an eighth goes to rings, the rest is packets of 2112 bytes
 * @return 0, -EINVAL below 2 MiB, -ENOMEM
 */
int ringway_memory_create(size_t bytes, struct ringway_memory **memory);
/**
 * Creates memory of hugepages at known physical addresses: what a function needs that is reached over sysfs. Wants root
 * and free hugepages of 2 MiB. Devices reached another way can use it too.
 * @param bytes  size, rounded up to whole hugepages
 * @return 0, -EINVAL below 2 MiB, -ENOMEM no hugetlbfs, too few hugepages or too low a limit of locked memory, -EACCES
 *         physical addresses are hidden from this user
 */
int ringway_memory_create_huge(size_t bytes, struct ringway_memory **memory);
/** Whether a device at `address` would be reached over sysfs, and so needs ringway_memory_create_huge(). */
bool ringway_needs_hugepages(const char *address);
/** Gives the memory back. Every device that uses it must be closed. */
void ringway_memory_destroy(struct ringway_memory *memory);

/**
 * Opens the device at `address`, resets it, and starts its queues. Not to be called, nor ringway_close(), by two threads at
 * once.
 * @param address  `unix:/path` is a vfio-user socket; `0000:03:00.0` a PCI function: bound to vfio-pci it is reached by
 *                 kernel VFIO, otherwise over sysfs, taken from its kernel driver until it is closed. RINGWAY_SYSFS in the
 *                 environment replaces /sys/bus/pci/devices.
 * @param options  NULL for the defaults
 * @return 0; -ENOENT nothing there that is a device, -EACCES not allowed or taken by another driver, -ENOTSUP not
 *         supported, -EINVAL a bad option, -ENOMEM memory too small or not of hugepages, -ETIMEDOUT the device did not answer, -EIO it failed
 */
int ringway_open(const char *address, struct ringway_memory *memory, const struct ringway_options *options,
                 struct ringway_device **device);
/**
 * Sends what the transmit rings still hold (for at most 500 ms: without a link it stays), quiesces the queues, stops DMA,
 * gives everything back, a kernel driver's function too. Packets of this device must not be in anybody's batch.
 */
void ringway_close(struct ringway_device *device);

/** A batch for up to `capacity` slots, or NULL. */
struct ringway_batch *ringway_batch_create(struct ringway_memory *memory, uint32_t capacity);
/** Releases what the batch holds, then the batch. */
void ringway_batch_destroy(struct ringway_batch *batch);
/** Gives the packets of a batch back to their pools. */
void ringway_batch_release(struct ringway_batch *batch);

/**
 * Receives packets behind those that the batch holds, as many as are there and fit. A packet of several slots is
 * never split over two calls.
 * @return slots received (0 if none are there); -EMSGSIZE if the next packet has more slots than an empty batch of this
 *         capacity holds (it stays where it is); -EIO if the device is gone
 */
int ringway_receive(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch);
/**
 * Sends packets from the front of the batch; what the ring cannot take stays, in order.
 * @return slots taken, or -EIO if the device is gone
 */
int ringway_transmit(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch);
/**
 * Takes up to `count` empty slots from the device's pool behind what the batch holds.
 * @return slots taken
 */
uint32_t ringway_allocate(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch, uint32_t count);

/** First byte of a packet. */
uint8_t *ringway_packet(const struct ringway_memory *memory, uint32_t slot);
/** Length and flags of a packet; writable, so that a packet can be built. */
struct ringway_packet_info *ringway_packet_info(const struct ringway_memory *memory, uint32_t slot);

/** Reads the counters. */
int ringway_stats(struct ringway_device *device, struct ringway_stats *stats);
/** Reads the link. */
int ringway_link(struct ringway_device *device, struct ringway_link *link);
/**
 * Waits until the device has read everything that was transmitted (TDH has reached TDT, 82599:4.6.8.1).
 * @return 0, -ETIMEDOUT if that was not so after `deadline_ms`, -EIO if the device is gone
 */
int ringway_drain(struct ringway_device *device, uint32_t deadline_ms);
/** Turns promiscuous mode on or off. */
int ringway_promiscuous(struct ringway_device *device, bool on);
/** Takes back what has been sent, then counts slots. */
void ringway_slots(struct ringway_device *device, struct ringway_slots *slots);
/** Whether a slot belongs to a pool of this device. */
bool ringway_owns(const struct ringway_device *device, uint32_t slot);
/** The station address, six bytes. */
const uint8_t *ringway_mac(const struct ringway_device *device);
/** Which way the device was reached: "vfio-user", "vfio" or "sysfs". */
const char *ringway_way(const struct ringway_device *device);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device -- the verbs: open, receive, transmit, stats, close
 * What is common to every device; the 82599 itself is in ixgbe/.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ixgbe/ixgbe.h"
#include "ring.h"

#define PCI_IDS           0u
#define PCI_COMMAND       4u
#define PCI_MEMORY_MASTER 6u          /* memory space and bus master enable */
#define VENDOR_INTEL      0x8086u
#define MAX_FRAME         15872u      /* 82599:8.2.3.22.13 */

static const uint16_t supported[] = { 0x10FB, 0x10F8, 0x154D, 0x1528 };

int bus_open(const char *address, struct bus **bus)
{
	if (strncmp(address, "unix:", 5) == 0)
		return vfio_user_open(address + 5, bus);
	return error_set(ENOTSUP, "%s: only unix:/path addresses are supported so far, not PCI ones", address);
}

/* --- options ---------------------------------------------------------------------------------------------------- */

static void set_defaults(struct ringway_options *options)
{
	if (!options->rx_queues)
		options->rx_queues = 1;
	if (!options->tx_queues)
		options->tx_queues = 1;
	if (!options->ring_slots)
		options->ring_slots = 512;
	if (!options->pool_slots)
		options->pool_slots = 2048;
	if (!options->max_frame)
		options->max_frame = 1518;
}

static int check_options(const struct ringway_options *options)
{
	if (options->rx_queues > IXGBE_RX_QUEUES || options->tx_queues > IXGBE_TX_QUEUES)
		return error_set(ENOTSUP, "%u receive and %u transmit queues: at most %u and %u", options->rx_queues,
		                 options->tx_queues, IXGBE_RX_QUEUES, IXGBE_TX_QUEUES);
	if (options->ring_slots < 64 || options->ring_slots > 4096 || options->ring_slots % 8)
		return error_set(ENOTSUP, "a ring of %u descriptors: it needs 64 to 4096, a multiple of 8", options->ring_slots);
	if (options->max_frame < 64 || options->max_frame > MAX_FRAME)
		return error_set(ENOTSUP, "frames of %u bytes: from 64 to %u are possible", options->max_frame, MAX_FRAME);
	if (options->pool_slots / options->rx_queues < options->ring_slots)
		return error_set(ENOMEM, "a pool of %u slots cannot fill %u receive rings of %u", options->pool_slots,
		                 options->rx_queues, options->ring_slots);
	return 0;
}

/* --- queues ----------------------------------------------------------------------------------------------------- */

static int create_rx(struct ringway_device *device, uint32_t q)
{
	const struct ringway_options *options = &device->options;
	uint32_t slots = options->ring_slots, share = options->pool_slots / options->rx_queues;
	struct ixgbe_rx *rx = &device->rx[q];
	int error;

	if (q == 0) /* the first pool takes what cannot be shared evenly */
		share += options->pool_slots % options->rx_queues;
	error = pool_create(device->memory, share, &device->pool[q]);
	if (error < 0)
		return error;
	*rx = (struct ixgbe_rx){ .slots = slots, .pool = device->pool[q], .memory = device->memory,
		.longest = (options->max_frame + 4 - IXGBE_FCS_BYTES + RINGWAY_SLOT_BYTES - 1) / RINGWAY_SLOT_BYTES,
		.hash = options->rx_queues > 1, .tail = doorbell_at(device->bus, IXGBE_RDT(q)) };
	rx->ring = dma_ring_allocate(device->memory, slots * sizeof(*rx->ring));
	rx->slot = calloc(slots, sizeof(*rx->slot));
	if (!rx->ring || !rx->slot)
		return error_set(ENOMEM, "no memory left for a receive ring of %u descriptors", slots);
	return 0;
}

static int create_tx(struct ringway_device *device, uint32_t q)
{
	uint32_t slots = device->options.ring_slots;
	struct ixgbe_tx *tx = &device->tx[q];

	*tx = (struct ixgbe_tx){ .slots = slots, .memory = device->memory, .tail = doorbell_at(device->bus, IXGBE_TDT(q)) };
	tx->ring = dma_ring_allocate(device->memory, slots * sizeof(*tx->ring));
	tx->slot = calloc(slots, sizeof(*tx->slot));
	tx->group_end = calloc(slots, sizeof(*tx->group_end));
	if (!tx->ring || !tx->slot || !tx->group_end)
		return error_set(ENOMEM, "no memory left for a transmit ring of %u descriptors", slots);
	return 0;
}

static int create_queues(struct ringway_device *device)
{
	int error = 0;

	for (uint32_t q = 0; !error && q < device->options.rx_queues; q++)
		error = create_rx(device, q);
	for (uint32_t q = 0; !error && q < device->options.tx_queues; q++)
		error = create_tx(device, q);
	return error;
}

/* Slots of other devices that are still in these transmit rings go home; the device has stopped reading them. */
static void destroy_queues(struct ringway_device *device)
{
	const size_t bytes = device->options.ring_slots * sizeof(struct descriptor);

	for (uint32_t q = 0; q < device->options.tx_queues; q++) {
		struct ixgbe_tx *tx = &device->tx[q];

		for (; tx->clean != tx->fill; tx->clean = ring_next(tx->clean, tx->slots))
			pool_give_back(tx->memory, tx->slot[tx->clean]);
		dma_ring_free(device->memory, tx->ring, bytes);
		free(tx->slot);
		free(tx->group_end);
	}
	for (uint32_t q = 0; q < device->options.rx_queues; q++) {
		struct ixgbe_rx *rx = &device->rx[q];

		for (; rx->take != rx->fill; rx->take = ring_next(rx->take, rx->slots))
			pool_give_back(rx->memory, rx->slot[rx->take]);
		dma_ring_free(device->memory, rx->ring, bytes);
		free(rx->slot);
		pool_retire(device->pool[q]);
	}
}

/* --- the devices that share a memory ------------------------------------------------------------------------------ */

static int enlist(struct ringway_memory *memory, struct ringway_device *device)
{
	for (uint32_t i = 0; i < DMA_DEVICES; i++) {
		if (!memory->devices[i]) {
			memory->devices[i] = device;
			return 0;
		}
	}
	return error_set(ENOMEM, "%u devices already share this memory", DMA_DEVICES);
}

static void discharge(struct ringway_memory *memory, const struct ringway_device *device)
{
	for (uint32_t i = 0; i < DMA_DEVICES; i++)
		if (memory->devices[i] == device)
			memory->devices[i] = NULL;
}

/* --- open, close ------------------------------------------------------------------------------------------------ */

static int check_identity(struct bus *bus, const char *address)
{
	uint32_t ids, command;
	int error = bus->ops->read(bus, BUS_CONFIG, PCI_IDS, 4, &ids);

	if (error < 0)
		return error;
	for (size_t i = 0; i < sizeof(supported) / sizeof(supported[0]); i++) {
		if (ids != ((uint32_t)supported[i] << 16 | VENDOR_INTEL))
			continue;
		error = bus->ops->read(bus, BUS_CONFIG, PCI_COMMAND, 2, &command);
		return error < 0 ? error : bus->ops->write(bus, BUS_CONFIG, PCI_COMMAND, 2, command | PCI_MEMORY_MASTER);
	}
	return error_set(ENOTSUP, "%s: device %04x:%04x is no Intel 82599", address, ids & 0xFFFF, ids >> 16);
}

static int bring_up(struct ringway_device *device, const char *address)
{
	int error = bus_open(address, &device->bus);

	if (!error)
		error = check_identity(device->bus, address);
	if (!error)
		error = create_queues(device);
	if (!error)
		error = device->bus->ops->map_memory(device->bus, device->memory);
	if (error)
		return error;
	device->memory_mapped = true;
	error = ixgbe_reset(device);
	if (!error)
		error = ixgbe_init(device);
	if (!error)
		error = ixgbe_start(device);
	return error ? error : ixgbe_wait_for_link(device);
}

int ringway_open(const char *address, struct ringway_memory *memory, const struct ringway_options *options,
                 struct ringway_device **out)
{
	struct ringway_device *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return error_set(ENOMEM, "out of memory");
	device->memory = memory;
	if (options)
		device->options = *options;
	set_defaults(&device->options);
	error = check_options(&device->options);
	if (error < 0) {
		free(device);
		return error;
	}
	error = enlist(memory, device);
	if (error == 0)
		error = bring_up(device, address);
	if (error < 0) {
		char *cause = strdup(ringway_error()); /* closing may fail too, and would be the less interesting error */

		ringway_close(device);
		if (cause)
			error_set(-error, "%s", cause);
		free(cause);
		return error;
	}
	*out = device;
	return 0;
}

void ringway_close(struct ringway_device *device)
{
	if (!device)
		return;
	if (device->memory_mapped && !device->dead) {
		ixgbe_stop(device);
		device->bus->ops->unmap_memory(device->bus, device->memory);
	}
	destroy_queues(device);
	if (device->bus)
		device->bus->ops->close(device->bus);
	discharge(device->memory, device);
	free(device);
}

/* --- the verbs -------------------------------------------------------------------------------------------------- */

static int is_gone(const struct ringway_device *device)
{
	return device->dead ? error_set(EIO, "the device is gone") : 0;
}

int ringway_receive(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch)
{
	if (__builtin_expect(device->dead, 0))
		return is_gone(device);
	return ixgbe_receive(device, &device->rx[queue], batch);
}

int ringway_transmit(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch)
{
	if (__builtin_expect(device->dead, 0))
		return is_gone(device);
	return ixgbe_transmit(device, &device->tx[queue], batch);
}

uint32_t ringway_allocate(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch, uint32_t count)
{
	struct pool *pool = device->pool[queue % device->options.rx_queues];
	uint32_t room = batch->capacity - batch->count;

	if (count > pool->free && queue < device->options.tx_queues)
		ixgbe_tx_reclaim(&device->tx[queue]);
	if (count > room)
		count = room;
	if (count > pool->free)
		count = pool->free;
	for (uint32_t i = 0; i < count; i++)
		batch->slot[batch->count++] = pool->stack[--pool->free];
	return count;
}

/* Remembers that the peer is gone, so that nothing waits for it again. */
static int note(struct ringway_device *device, int error)
{
	if (error == -EIO)
		device->dead = true;
	return error;
}

int ringway_stats(struct ringway_device *device, struct ringway_stats *stats)
{
	int error = device->dead ? is_gone(device) : note(device, ixgbe_stats_read(device));

	if (error < 0)
		return error;
	*stats = device->stats;
	for (uint32_t q = 0; q < device->options.rx_queues; q++)
		stats->rx_errors += device->rx[q].thrown;
	return 0;
}

int ringway_link(struct ringway_device *device, struct ringway_link *link)
{
	return device->dead ? is_gone(device) : note(device, ixgbe_link_read(device, link));
}

int ringway_promiscuous(struct ringway_device *device, bool on)
{
	return device->dead ? is_gone(device) : note(device, ixgbe_set_promiscuous(device, on));
}

bool ringway_owns(const struct ringway_device *device, uint32_t slot)
{
	uint8_t home = device->memory->home[slot];

	for (uint32_t q = 0; q < device->options.rx_queues; q++)
		if (device->pool[q] && device->pool[q]->number == home)
			return true;
	return false;
}

/* Slots of `device` among the descriptors from..to of some ring. */
static uint32_t count_owned(const struct ringway_device *device, const uint32_t *slot, uint32_t from, uint32_t to,
                            uint32_t slots)
{
	uint32_t count = 0;

	for (; from != to; from = ring_next(from, slots))
		count += ringway_owns(device, slot[from]);
	return count;
}

void ringway_slots(struct ringway_device *device, struct ringway_slots *slots)
{
	*slots = (struct ringway_slots){ .total = device->options.pool_slots };
	for (uint32_t i = 0; i < DMA_DEVICES; i++) {
		struct ringway_device *other = device->memory->devices[i];

		for (uint32_t q = 0; other && q < other->options.tx_queues; q++) {
			struct ixgbe_tx *tx = &other->tx[q];

			ixgbe_tx_reclaim(tx);
			slots->tx += count_owned(device, tx->slot, tx->clean, tx->fill, tx->slots);
		}
	}
	for (uint32_t q = 0; q < device->options.rx_queues; q++) {
		slots->pool += device->pool[q]->free;
		slots->rx += count_owned(device, device->rx[q].slot, device->rx[q].take, device->rx[q].fill, device->rx[q].slots);
	}
}

const uint8_t *ringway_mac(const struct ringway_device *device)
{
	return device->mac;
}

const char *ringway_way(const struct ringway_device *device)
{
	return device->bus->ops->way;
}

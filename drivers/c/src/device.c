/*
 * device · no source: this is ours
 * The verbs as functions on an opaque structure; open and close, options and queues are in the folder of this name.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "error.h"
#include "ixgbe/ixgbe.h"
#include "ring.h"

static int is_gone(const struct ringway_device *device)
{
	return device->dead ? error_set(EIO, "the device is gone") : 0;
}

int ringway_receive(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch)
{
	if (__builtin_expect(atomic_load_explicit(&device->dead, memory_order_relaxed), 0))
		return is_gone(device);
	return ixgbe_receive(device, &device->rx[queue], batch);
}

int ringway_transmit(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch)
{
	if (__builtin_expect(atomic_load_explicit(&device->dead, memory_order_relaxed), 0))
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

int ringway_drain(struct ringway_device *device, uint32_t deadline_ms)
{
	return device->dead ? is_gone(device) : note(device, ixgbe_drain(device, deadline_ms));
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

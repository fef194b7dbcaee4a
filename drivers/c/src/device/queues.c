/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings, pools and bookkeeping of a device's queues: made from its options, and taken apart when it has stopped. */
#include <errno.h>
#include <stdlib.h>

#include "../error.h"
#include "../ixgbe/vector.h"
#include "../ring.h"
#include "device.h"

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
		.hash = options->rx_queues > 1, .vector = vector_is_there(), .tail = doorbell_at(device->bus, IXGBE_RDT(q)) };
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

	*tx = (struct ixgbe_tx){ .slots = slots, .memory = device->memory, .vector = vector_is_there(),
		.tail = doorbell_at(device->bus, IXGBE_TDT(q)) };
	tx->ring = dma_ring_allocate(device->memory, slots * sizeof(*tx->ring));
	tx->slot = calloc(slots, sizeof(*tx->slot));
	tx->group_end = calloc(slots, sizeof(*tx->group_end));
	if (!tx->ring || !tx->slot || !tx->group_end)
		return error_set(ENOMEM, "no memory left for a transmit ring of %u descriptors", slots);
	return 0;
}

int queues_create(struct ringway_device *device)
{
	int error = 0;

	for (uint32_t q = 0; !error && q < device->options.rx_queues; q++)
		error = create_rx(device, q);
	for (uint32_t q = 0; !error && q < device->options.tx_queues; q++)
		error = create_tx(device, q);
	return error;
}

/* Slots of other devices that are still in these transmit rings go home; the device has stopped reading them. */
void queues_destroy(struct ringway_device *device)
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

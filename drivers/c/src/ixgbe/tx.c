/*
 * ixgbe/tx · 82599:7.2.1 82599:7.2.3
 * Completion is asked for (RS) at the end of each batch and every 32 descriptors within it; the descriptors up to an RS form
 * a group, which is reclaimed whole when its last descriptor says DD.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "../error.h"
#include "../fetch.h"
#include "../ring.h"
#include "ixgbe.h"
#include "vector.h"

#define DESCRIPTORS_PER_LINE 4u  /* of cache */
#define FETCHED_AHEAD        32u /* descriptors */

void ixgbe_tx_reclaim(struct ixgbe_tx *tx)
{
	/* [tx.reclaim] */
	while (tx->clean != tx->group) {
		uint32_t end = tx->group_end[tx->clean];

		if (!(desc_status(&tx->ring[end]) & IXGBE_TX_WRITEBACK_DD))
			return;
		end = ring_next(end, tx->slots);
		if (tx->vector)
			vector_tx_reclaim(tx, end);
		while (tx->clean != end) {
			pool_give_back(tx->memory, tx->slot[tx->clean]);
			tx->clean = ring_next(tx->clean, tx->slots);
		}
	}
}

/* What the device sends is padded to 60 in any case. */
static void lengthen(struct ringway_memory *memory, uint32_t slot)
{
	struct ringway_packet_info *info = &memory->info[slot];

	memset(dma_slot(memory, slot) + info->length, 0, TX_SHORTEST_BYTES - info->length);
	info->length = TX_SHORTEST_BYTES;
}

/* Slots of the packet at `first` of the batch; `bytes` receives its length. 0 if its end is missing. */
static uint32_t packet_slots(const struct ringway_batch *batch, uint32_t first, uint32_t *bytes)
{
	*bytes = 0;
	for (uint32_t i = first; i < batch->count; i++) {
		const struct ringway_packet_info *info = &batch->memory->info[batch->slot[i]];

		*bytes += info->length;
		if (!(info->flags & RINGWAY_MORE))
			return i + 1 - first;
	}
	return 0;
}

static inline void put_in_ring(struct ixgbe_tx *tx, uint32_t slot, uint64_t command)
{
	desc_tx_fill(&tx->ring[tx->fill], dma_iova(tx->memory, dma_slot(tx->memory, slot)),
	             command | tx->memory->info[slot].length);
	tx->slot[tx->fill] = slot;
	tx->fill = ring_next(tx->fill, tx->slots);
}

/* Puts packets from the front of the batch into the ring. Returns the slots used. */
static uint32_t fill_ring(struct ixgbe_tx *tx, const struct ringway_batch *batch)
{
	uint32_t room = ring_free(tx->clean, tx->fill, tx->slots), done = 0;

	if (tx->vector)
		done = vector_tx_fill(tx, batch, room);
	room -= done;
	while (done < batch->count) {
		uint32_t bytes, last = tx->fill;
		uint32_t slots = packet_slots(batch, done, &bytes);

		if (slots == 0 || slots > room)
			break;
		if (__builtin_expect(bytes < TX_SHORTEST_BYTES && slots == 1, 0)) {
			lengthen(tx->memory, batch->slot[done]);
			bytes = TX_SHORTEST_BYTES;
		}
		room -= slots;
		for (uint32_t i = 0; i < slots; i++) {
			uint64_t end = i + 1 == slots ? IXGBE_TX_DATA_EOP : 0;

			last = tx->fill;
			put_in_ring(tx, batch->slot[done++], TX_COMMAND | end | RINGWAY_PUT(IXGBE_TX_DATA_PAYLEN, bytes));
		}
		if (ring_used(tx->group, tx->fill, tx->slots) >= TX_GROUP_SLOTS || done == batch->count)
			tx_end_group(tx, last);
	}
	if (tx->group != tx->fill) /* the ring was full before the batch was empty */
		tx_end_group(tx, tx->fill == 0 ? tx->slots - 1 : tx->fill - 1);
	return done;
}

static void take_from_front(struct ringway_batch *batch, uint32_t done)
{
	batch->count -= done;
	for (uint32_t i = 0; i < batch->count; i++)
		batch->slot[i] = batch->slot[done + i];
}

static int look_at_peer(struct ringway_device *device, struct ixgbe_tx *tx)
{
	if (watch_in_vain(&tx->watch, device->bus) == 0)
		return 0;
	device->dead = true;
	return -EIO;
}

/* The descriptors that come after those that were filled, `done` of them: the device wrote them last. */
static void fetch_ahead(const struct ixgbe_tx *tx, uint32_t done)
{
	uint32_t count = done < FETCHED_AHEAD ? done : FETCHED_AHEAD;
	uint32_t index = ring_advance(tx->fill, FETCHED_AHEAD - count, tx->slots);

	for (uint32_t i = 0; i < count; i += DESCRIPTORS_PER_LINE) {
		fetch_to_write(&tx->ring[index]);
		index = ring_advance(index, DESCRIPTORS_PER_LINE, tx->slots);
	}
}

int ixgbe_transmit(struct ringway_device *device, struct ixgbe_tx *tx, struct ringway_batch *batch)
{
	uint32_t done;
	int error;

	ixgbe_tx_reclaim(tx);
	/* [tx.fill] */
	done = fill_ring(tx, batch);
	if (done == 0)
		return look_at_peer(device, tx);
	/* [tx.publish] */
	error = doorbell_ring(&tx->tail, tx->fill);
	take_from_front(batch, done); /* heard or not, the ring has them now */
	fetch_ahead(tx, done);
	if (error == 0)
		return (int)done;
	device->dead = true;
	return -EIO;
}

/*
 * ixgbe/rx · 82599:7.1.6 82599:7.1.9
 * Two cursors walk the ring: `take` follows the device, `fill` lends slots to what was taken. If the pool runs dry `fill`
 * simply falls behind, and catches up when packets come home.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "../error.h"
#include "../fetch.h"
#include "ixgbe.h"
#include "vector.h"

/* Descriptors that are collected before the tail moves; a doorbell costs both sides a cache line. */
#define PUBLISH_AT     16u

static inline uint32_t length_of(uint64_t status)
{
	return (uint32_t)RINGWAY_GET(status, IXGBE_RX_WRITEBACK_LENGTH);
}

/* An ordinary packet: complete, undamaged, and not longer than its slot. */
static inline bool is_plain(uint64_t status)
{
	return (status & (IXGBE_RX_WRITEBACK_EOP | RX_FATAL)) == IXGBE_RX_WRITEBACK_EOP &&
	       length_of(status) <= RINGWAY_SLOT_BYTES;
}

static inline void put_in_batch(struct ixgbe_rx *rx, struct ringway_batch *batch, uint32_t index, uint64_t status,
                                uint16_t flags)
{
	uint32_t slot = rx->slot[index];
	uint32_t hash = rx->hash ? (uint32_t)(rx->ring[index].word[0] >> 32) : 0;

	rx->memory->info[slot] = (struct ringway_packet_info){ .length = (uint16_t)length_of(status), .flags = flags,
		.hash = hash };
	fetch_to_write(dma_slot(rx->memory, slot)); /* whoever forwards it will touch its headers */
	batch->slot[batch->count++] = slot;
}

/* --- packets that are not plain: long ones, damaged ones, lies ---------------------------------------------------- */

/* Descriptors of the packet at `take`, up to its EOP: 0 if it is not complete yet, more than `longest` if it never
 * will be a packet. */
static uint32_t chain_length(const struct ixgbe_rx *rx)
{
	uint32_t index = rx->take;
	uint32_t limit = ring_used(rx->take, rx->fill, rx->slots);

	for (uint32_t n = 1; n <= limit; n++, index = ring_next(index, rx->slots)) {
		uint64_t status = desc_status(&rx->ring[index]);

		if (!(status & IXGBE_RX_WRITEBACK_DD))
			return n > rx->longest ? n - 1 : 0; /* what is not done still belongs to the device */
		if (status & IXGBE_RX_WRITEBACK_EOP || n > rx->longest)
			return n;
	}
	return 0;
}

static bool chain_is_good(const struct ixgbe_rx *rx, uint32_t descriptors)
{
	uint32_t index = rx->take;
	uint64_t status = 0;

	for (uint32_t n = 0; n < descriptors; n++, index = ring_next(index, rx->slots)) {
		status = desc_status(&rx->ring[index]);
		if (length_of(status) > RINGWAY_SLOT_BYTES || length_of(status) == 0)
			return false;
	}
	return descriptors <= rx->longest && (status & IXGBE_RX_WRITEBACK_EOP) && !(status & RX_FATAL);
}

static void throw_away(struct ixgbe_rx *rx, uint32_t descriptors)
{
	for (uint32_t n = 0; n < descriptors; n++) {
		rx->skip = !(desc_status(&rx->ring[rx->take]) & IXGBE_RX_WRITEBACK_EOP);
		pool_give_back(rx->memory, rx->slot[rx->take]);
		rx->take = ring_next(rx->take, rx->slots);
	}
}

/* Takes one packet that is not plain, or throws it away. Returns false if it has to wait. */
static bool take_odd(struct ixgbe_rx *rx, struct ringway_batch *batch, int *error)
{
	uint32_t descriptors;

	if (rx->skip) { /* the rest of a packet that was thrown away */
		throw_away(rx, 1);
		return true;
	}
	descriptors = chain_length(rx);
	if (descriptors == 0)
		return false;
	if (!chain_is_good(rx, descriptors)) {
		rx->thrown++;
		throw_away(rx, descriptors);
		return true;
	}
	if (descriptors > batch->capacity - batch->count) {
		if (batch->count == 0)
			*error = error_set(EMSGSIZE, "a packet of %u slots does not fit into a batch of %u", descriptors, batch->capacity);
		return false;
	}
	for (; descriptors; descriptors--) {
		put_in_batch(rx, batch, rx->take, desc_status(&rx->ring[rx->take]), descriptors > 1 ? RINGWAY_MORE : 0);
		rx->take = ring_next(rx->take, rx->slots);
	}
	return true;
}

/* --- the path of every packet ------------------------------------------------------------------------------------- */

int ixgbe_rx_refill(struct ixgbe_rx *rx, uint32_t publish_at)
{
	struct pool *pool = rx->pool;
	uint32_t room = ring_free(rx->take, rx->fill, rx->slots);
	uint32_t count = room < pool->free ? room : pool->free;

	/* [rx.refill] */
	for (uint32_t n = rx->vector ? vector_rx_refill(rx, count) : 0; n < count; n++) {
		uint32_t slot = pool->stack[--pool->free];

		rx->slot[rx->fill] = slot;
		desc_rx_arm(&rx->ring[rx->fill], dma_iova(rx->memory, dma_slot(rx->memory, slot)));
		rx->fill = ring_next(rx->fill, rx->slots);
	}
	rx->pending += count;
	if (rx->pending < publish_at && (pool->free || !rx->pending)) /* an empty pool has nothing to wait for */
		return 0;
	/* [rx.publish] the tail is one behind the last descriptor that the device may use */
	rx->pending = 0;
	return doorbell_ring(&rx->tail, rx->fill);
}

static int look_at_peer(struct ringway_device *device, struct ixgbe_rx *rx)
{
	if (watch_in_vain(&rx->watch, device->bus) == 0)
		return 0;
	device->dead = true;
	return -EIO;
}

int ixgbe_receive(struct ringway_device *device, struct ixgbe_rx *rx, struct ringway_batch *batch)
{
	const uint32_t before = batch->count;
	int error = 0;

	if (rx->vector)
		vector_rx_take(rx, batch);
	while (batch->count < batch->capacity && rx->take != rx->fill) {
		/* [rx.poll] */
		uint64_t status = desc_status(&rx->ring[rx->take]);

		if (!(status & IXGBE_RX_WRITEBACK_DD))
			break;
		/* [rx.take] */
		if (__builtin_expect(is_plain(status) && !rx->skip, 1)) {
			put_in_batch(rx, batch, rx->take, status, 0);
			rx->take = ring_next(rx->take, rx->slots);
		} else if (!take_odd(rx, batch, &error)) {
			break;
		}
	}
	if (rx->take != rx->fill && batch->count == before && ring_free(rx->take, rx->fill, rx->slots) == 0)
		return error < 0 ? error : look_at_peer(device, rx);
	if (ixgbe_rx_refill(rx, PUBLISH_AT) < 0) {
		device->dead = true;
		return -EIO;
	}
	return error < 0 && batch->count == before ? error : (int)(batch->count - before);
}

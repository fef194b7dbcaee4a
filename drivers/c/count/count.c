/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forwards packets from a card made of memory back to it, so that `make count` can say how many instructions a packet costs
 * in each function: count BATCH ROUNDS. The card's part is played here and does not count.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "fake.h"
#include "ixgbe/ixgbe.h"

#define RING 512u

static void fill(struct ixgbe_rx *rx, uint32_t *at, uint32_t count)
{
	for (; count; count--, *at = ring_next(*at, RING))
		rx->ring[*at].word[1] = IXGBE_RX_WRITEBACK_DD | IXGBE_RX_WRITEBACK_EOP |
		                        RINGWAY_PUT(IXGBE_RX_WRITEBACK_LENGTH, UINT64_C(60));
}

static void drain(struct ixgbe_tx *tx, uint32_t *at)
{
	for (; *at != tx->fill; *at = ring_next(*at, RING))
		if (tx->ring[*at].word[1] & IXGBE_TX_DATA_RS)
			tx->ring[*at].word[1] = IXGBE_TX_WRITEBACK_DD;
}

int main(int argc, char **argv)
{
	uint32_t size = argc > 1 ? (uint32_t)atoi(argv[1]) : 32, rounds = argc > 2 ? (uint32_t)atoi(argv[2]) : 10000;
	struct fake *fake = fake_begin();
	struct ringway_memory *memory;
	struct ringway_device *device;
	struct ringway_batch *batch;
	uint32_t rx_at = 0, tx_at = 0;

	fake->bus.area[0] = (struct bus_area){ .bytes = FAKE_BAR_BYTES, .base = (volatile uint8_t *)fake->reg };
	fake->bus.areas = 1; /* a doorbell is a store */
	if (ringway_memory_create(16u << 20, &memory) < 0 || ringway_open("fake:", memory, NULL, &device) < 0) {
		fprintf(stderr, "%s\n", ringway_error());
		return 1;
	}
	batch = ringway_batch_create(memory, size);
	for (uint32_t round = 0; round < rounds; round++) {
		fill(&device->rx[0], &rx_at, size);
		if (ringway_receive(device, 0, batch) != (int)size || ringway_transmit(device, 0, batch) != (int)size)
			return 1;
		drain(&device->tx[0], &tx_at);
	}
	ringway_batch_destroy(batch);
	ringway_close(device);
	ringway_memory_destroy(memory);
	fake_end(fake);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"

#include <string.h>

#include "ring.h"
#include "tests.h"

void rig_begin(struct rig *rig, uint32_t pool_slots, uint32_t batch)
{
	const struct ringway_options options = { .ring_slots = RIG_RING, .pool_slots = pool_slots, .max_frame = 8000 };

	*rig = (struct rig){ .fake = fake_begin() };
	assert_int_equal(ringway_memory_create(8u << 20, &rig->memory), 0);
	for (uint32_t i = 0; i < rig->memory->extents; i++) /* downwards, as physical pages may be */
		rig->memory->extent_iova[i] = (uint64_t)(100 - i) << 30;
	assert_int_equal(ringway_open("fake:", rig->memory, &options, &rig->device), 0);
	rig->batch = ringway_batch_create(rig->memory, batch);
}

void rig_end(struct rig *rig)
{
	ringway_batch_destroy(rig->batch);
	ringway_close(rig->device);
	ringway_memory_destroy(rig->memory);
	fake_end(rig->fake);
}

/* Where the device's address is in the memory. */
static uint8_t *at(const struct rig *rig, uint64_t iova)
{
	uint64_t extent = 100 - (iova >> 30);

	assert_true(extent < rig->memory->extents && (iova & ((1u << 30) - 1)) >> DMA_EXTENT_SHIFT == 0);
	return rig->memory->base + (extent << DMA_EXTENT_SHIFT) + (iova & ((1u << DMA_EXTENT_SHIFT) - 1));
}

bool rig_receives(struct rig *rig, uint32_t length, uint64_t status)
{
	struct descriptor *descriptor = &rig->device->rx[0].ring[rig->rx_at];
	uint8_t *bytes;

	if (rig->rx_at == rig->fake->reg[IXGBE_RDT(0) / 4])
		return false;
	assert_true(descriptor->word[1] == 0); /* armed: no old DD, no header buffer */
	bytes = at(rig, descriptor->word[0]);
	assert_ptr_equal(bytes, dma_slot(rig->memory, rig->device->rx[0].slot[rig->rx_at]));
	memset(bytes, (int)rig->rx_at, length < RINGWAY_SLOT_BYTES ? length : RINGWAY_SLOT_BYTES);
	descriptor->word[0] = 0; /* no RSS hash */
	descriptor->word[1] = RINGWAY_PUT(IXGBE_RX_WRITEBACK_LENGTH, (uint64_t)length) | status | IXGBE_RX_WRITEBACK_DD;
	rig->rx_at = ring_next(rig->rx_at, RIG_RING);
	return true;
}

uint32_t rig_sends(struct rig *rig)
{
	uint32_t count = 0;

	for (; rig->tx_at != rig->fake->reg[IXGBE_TDT(0) / 4]; rig->tx_at = ring_next(rig->tx_at, RIG_RING), count++) {
		struct descriptor *descriptor = &rig->device->tx[0].ring[rig->tx_at];

		if (descriptor->word[1] & IXGBE_TX_DATA_RS)
			descriptor->word[1] = IXGBE_TX_WRITEBACK_DD;
	}
	return count;
}

void rig_lost_nothing(struct rig *rig)
{
	struct ringway_slots slots;

	ringway_slots(rig->device, &slots);
	assert_int_equal(slots.pool + slots.rx + slots.tx + rig->batch->count, slots.total);
}

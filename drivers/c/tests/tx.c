/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests.h"

#include <errno.h>
#include <string.h>

#include "rig.h"
#include "ring.h"

static struct rig rig;

static int set_up(void **state)
{
	(void)state;
	rig_begin(&rig, 512, 256);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rig_lost_nothing(&rig);
	rig_end(&rig);
	return 0;
}

/* Puts a packet of `length` bytes into the batch, over as many slots as it needs. */
static void build(uint32_t length)
{
	uint32_t slots = (length + RINGWAY_SLOT_BYTES - 1) / RINGWAY_SLOT_BYTES;

	assert_int_equal(ringway_allocate(rig.device, 0, rig.batch, slots), slots);
	for (uint32_t i = rig.batch->count - slots; i < rig.batch->count; i++, length -= RINGWAY_SLOT_BYTES) {
		uint16_t part = (uint16_t)(length < RINGWAY_SLOT_BYTES ? length : RINGWAY_SLOT_BYTES);

		*ringway_packet_info(rig.memory, rig.batch->slot[i]) =
			(struct ringway_packet_info){ .length = part, .flags = i + 1 < rig.batch->count ? RINGWAY_MORE : 0 };
	}
}

static uint64_t word(uint32_t index)
{
	return rig.device->tx[0].ring[index].word[1];
}

static void descriptors_say_what_the_packets_are(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 20; i++)
		build(60 + i);
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 20);
	assert_int_equal(rig.batch->count, 0);
	for (uint32_t i = 0; i < 20; i++) {
		uint32_t slot = rig.device->tx[0].slot[i];

		assert_true(rig.device->tx[0].ring[i].word[0] == dma_iova(rig.memory, dma_slot(rig.memory, slot)));
		assert_int_equal(RINGWAY_GET(word(i), IXGBE_TX_DATA_DTALEN), 60 + i);
		assert_int_equal(RINGWAY_GET(word(i), IXGBE_TX_DATA_PAYLEN), 60 + i);
		assert_int_equal(RINGWAY_GET(word(i), IXGBE_TX_DATA_DTYP), IXGBE_TX_DATA_DTYP_DATA);
		assert_true(word(i) & IXGBE_TX_DATA_EOP && word(i) & IXGBE_TX_DATA_IFCS && word(i) & IXGBE_TX_DATA_DEXT);
		assert_int_equal(!!(word(i) & IXGBE_TX_DATA_RS), i == 19);
	}
	assert_int_equal(rig.fake->reg[IXGBE_TDT(0) / 4], 20);
}

static void completion_is_asked_for_every_32(void **state)
{
	uint32_t since = 0;

	(void)state;
	for (uint32_t i = 0; i < 63; i++)
		build(60);
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 63);
	for (uint32_t i = 0; i < 63; i++) {
		since = word(i) & IXGBE_TX_DATA_RS ? 0 : since + 1;
		assert_true(since < 32);
	}
	assert_int_equal(since, 0);
}

static void a_full_ring_takes_fewer_and_the_rest_stays_in_order(void **state)
{
	uint32_t slot[100];

	(void)state;
	for (int i = 0; i < 100; i++)
		build(60);
	memcpy(slot, rig.batch->slot, sizeof(slot));
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 63);
	assert_int_equal(rig.batch->count, 37);
	assert_memory_equal(rig.batch->slot, slot + 63, 37 * sizeof(slot[0]));
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 0);
	assert_int_equal(rig_sends(&rig), 63);
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 37);
	assert_memory_equal(&rig.device->tx[0].slot[63], slot + 63, sizeof(slot[0]));
	assert_memory_equal(rig.device->tx[0].slot, slot + 64, 36 * sizeof(slot[0]));
}

static void every_number_of_packets_goes_out_and_comes_home(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t count = round % 64;

		for (uint32_t i = 0; i < count; i++)
			build(60 + i);
		assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), count);
		rig_lost_nothing(&rig);
		assert_int_equal(rig_sends(&rig), count);
		ixgbe_tx_reclaim(&rig.device->tx[0]);
		assert_int_equal(rig.device->pool[0]->free, 512 - (RIG_RING - 1));
	}
}

/* The slots of two devices in one group, in every mixture of four. */
static void slots_go_home_to_their_own_pool(void **state)
{
	struct pool *own = rig.device->pool[0], *other;
	uint32_t free_before = own->free;

	(void)state;
	assert_int_equal(pool_create(rig.memory, 60, &other), 0);
	for (uint32_t mixture = 0; mixture < 16; mixture++) {
		for (uint32_t i = 0; i < 60; i++) {
			struct pool *from = mixture >> i % 4 & 1 ? own : other;
			uint32_t slot = from->stack[--from->free];

			*ringway_packet_info(rig.memory, slot) = (struct ringway_packet_info){ .length = 60 };
			rig.batch->slot[rig.batch->count++] = slot;
		}
		assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 60);
		assert_int_equal(rig_sends(&rig), 60);
		ixgbe_tx_reclaim(&rig.device->tx[0]);
		assert_int_equal(own->free, free_before);
		assert_int_equal(other->free, 60);
		for (uint32_t i = 0; i < 60; i++)
			assert_int_equal(rig.memory->home[other->stack[i]], other->number);
	}
}

static void what_is_not_reported_is_not_taken_back(void **state)
{
	(void)state;
	for (int i = 0; i < 63; i++)
		build(60);
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 63);
	rig.device->tx[0].ring[62].word[1] = IXGBE_TX_WRITEBACK_DD; /* the last group only: the first still counts */
	ixgbe_tx_reclaim(&rig.device->tx[0]);
	assert_int_equal(rig.device->tx[0].clean, 0);
}

static void long_and_short_packets_mix(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 64; round++) { /* so that a long packet crosses the end of the ring everywhere */
		uint32_t first = rig.tx_at;

		build(60);
		build(5000);
		build(61);
		assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 5);
		for (uint32_t i = 0; i < 5; i++) {
			uint64_t status = word(ring_advance(first, i, RIG_RING));
			static const uint32_t part[] = { 60, 2048, 2048, 904, 61 }, whole[] = { 60, 5000, 5000, 5000, 61 };

			assert_int_equal(RINGWAY_GET(status, IXGBE_TX_DATA_DTALEN), part[i]);
			assert_int_equal(RINGWAY_GET(status, IXGBE_TX_DATA_PAYLEN), whole[i]);
			assert_int_equal(!!(status & IXGBE_TX_DATA_EOP), i != 1 && i != 2);
		}
		assert_int_equal(rig_sends(&rig), 5);
	}
}

static void a_long_packet_is_not_sent_in_part(void **state)
{
	(void)state;
	for (int i = 0; i < 62; i++)
		build(60);
	build(3000);
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 62);
	assert_int_equal(rig.batch->count, 2);
	assert_int_equal(rig.fake->reg[IXGBE_TDT(0) / 4], 62);
}

static void what_is_too_short_is_lengthened_with_zeros(void **state)
{
	(void)state;
	for (int i = 0; i < 9; i++) {
		build(i == 4 ? 14 : 60);
		memset(ringway_packet(rig.memory, rig.batch->slot[i]), 0xEE, 64);
	}
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), 9);
	for (uint32_t i = 0; i < 9; i++) {
		assert_int_equal(RINGWAY_GET(word(i), IXGBE_TX_DATA_DTALEN), i == 4 ? 17 : 60);
		assert_int_equal(RINGWAY_GET(word(i), IXGBE_TX_DATA_PAYLEN), i == 4 ? 17 : 60);
	}
	assert_memory_equal(ringway_packet(rig.memory, rig.device->tx[0].slot[4]) + 13, "\xEE\0\0\0\xEE", 5);
}

static void a_dead_peer_is_noticed_when_the_doorbell_rings(void **state)
{
	(void)state;
	build(60);
	rig.fake->gone = true;
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), -EIO);
	assert_int_equal(ringway_transmit(rig.device, 0, rig.batch), -EIO);
	ringway_batch_release(rig.batch);
}

int test_tx(const char *name)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(descriptors_say_what_the_packets_are, set_up, tear_down),
		cmocka_unit_test_setup_teardown(completion_is_asked_for_every_32, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_ring_takes_fewer_and_the_rest_stays_in_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_number_of_packets_goes_out_and_comes_home, set_up, tear_down),
		cmocka_unit_test_setup_teardown(slots_go_home_to_their_own_pool, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_not_reported_is_not_taken_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_and_short_packets_mix, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_long_packet_is_not_sent_in_part, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_too_short_is_lengthened_with_zeros, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_dead_peer_is_noticed_when_the_doorbell_rings, set_up, tear_down),
	};

	return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests.h"

#include <errno.h>

#include "rig.h"
#include "ring.h"

#define EOP IXGBE_RX_WRITEBACK_EOP
#define RXE IXGBE_RX_WRITEBACK_RXE

static struct rig rig;

static int set_up(void **state)
{
	(void)state;
	rig_begin(&rig, 512, 32);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rig_lost_nothing(&rig);
	rig_end(&rig);
	return 0;
}

static int receive(void)
{
	return ringway_receive(rig.device, 0, rig.batch);
}

/* The slot at `index` of the batch is what the card wrote into its descriptor `number`. */
static void assert_packet(uint32_t index, uint32_t number, uint32_t length, uint32_t flags)
{
	const struct ringway_packet_info *info = ringway_packet_info(rig.memory, rig.batch->slot[index]);

	assert_int_equal(info->length, length);
	assert_int_equal(info->flags, flags);
	assert_int_equal(ringway_packet(rig.memory, rig.batch->slot[index])[0], number % RIG_RING);
}

static void nothing_is_no_error(void **state)
{
	(void)state;
	assert_int_equal(receive(), 0);
}

static void every_number_of_packets_comes_in_order(void **state)
{
	uint32_t number = 0;

	(void)state;
	for (uint32_t round = 0; round < 200; round++) {
		uint32_t count = round % 33;

		for (uint32_t i = 0; i < count; i++)
			assert_true(rig_receives(&rig, 60 + (number + i) % 1455, EOP));
		assert_int_equal(receive(), count);
		for (uint32_t i = 0; i < count; i++, number++)
			assert_packet(i, number, 60 + number % 1455, 0);
		ringway_batch_release(rig.batch);
	}
}

static void no_more_than_the_batch_takes(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++)
		assert_true(rig_receives(&rig, 60, EOP));
	for (uint32_t capacity = 1; capacity <= 8; capacity++) {
		rig.batch->capacity = capacity;
		assert_int_equal(receive(), capacity);
		ringway_batch_release(rig.batch);
	}
	rig.batch->capacity = 32;
	assert_int_equal(receive(), 4);
}

static void a_hole_in_the_middle_ends_the_batch(void **state)
{
	struct descriptor *hole;
	uint64_t done;

	(void)state;
	for (uint32_t at = 0; at < 16; at++) { /* each place that a vector of descriptors can have */
		uint32_t first = rig.rx_at;

		for (int i = 0; i < 20; i++)
			assert_true(rig_receives(&rig, 60, EOP));
		hole = &rig.device->rx[0].ring[ring_advance(first, at, RIG_RING)];
		done = hole->word[1];
		hole->word[1] = 0;
		assert_int_equal(receive(), at);
		assert_int_equal(receive(), 0);
		hole->word[1] = done;
		assert_int_equal(receive(), 20 - at);
		for (uint32_t i = 0; i < 20; i++)
			assert_packet(i, first + i, 60, 0);
		ringway_batch_release(rig.batch);
	}
}

static void odd_packets_among_plain_ones(void **state)
{
	struct ringway_stats stats;

	(void)state;
	for (uint32_t at = 0; at < 12; at++) {
		uint32_t first = rig.rx_at, index = 0;

		for (uint32_t i = 0; i < 12; i++) {
			if (i == at) { /* three slots long, damaged, too long for its slot */
				assert_true(rig_receives(&rig, 2048, 0) && rig_receives(&rig, 2048, 0) && rig_receives(&rig, 9, EOP));
				assert_true(rig_receives(&rig, 60, EOP | RXE));
				assert_true(rig_receives(&rig, 2049, EOP));
			}
			assert_true(rig_receives(&rig, 60, EOP));
		}
		assert_int_equal(receive(), 15);
		for (uint32_t i = 0; i < 12; i++) {
			if (i == at) {
				assert_packet(index++, first++, 2048, RINGWAY_MORE);
				assert_packet(index++, first++, 2048, RINGWAY_MORE);
				assert_packet(index++, first++, 9, 0);
				first += 2;
			}
			assert_packet(index++, first++, 60, 0);
		}
		ringway_batch_release(rig.batch);
	}
	assert_int_equal(ringway_stats(rig.device, &stats), 0);
	assert_true(stats.rx_errors == 24);
}

static void a_packet_is_not_split_over_two_batches(void **state)
{
	(void)state;
	assert_true(rig_receives(&rig, 60, EOP));
	assert_true(rig_receives(&rig, 2048, 0) && rig_receives(&rig, 100, EOP));
	rig.batch->capacity = 2;
	assert_int_equal(receive(), 1);
	ringway_batch_release(rig.batch);
	assert_int_equal(receive(), 2);
	assert_packet(0, 1, 2048, RINGWAY_MORE);
	ringway_batch_release(rig.batch);
	assert_true(rig_receives(&rig, 2048, 0) && rig_receives(&rig, 100, EOP));
	rig.batch->capacity = 1;
	assert_int_equal(receive(), -EMSGSIZE);
	assert_error_names("2 slots");
	rig.batch->capacity = 32;
	assert_int_equal(receive(), 2);
}

static void a_packet_without_an_end_is_thrown_away_to_its_end(void **state)
{
	(void)state;
	for (int i = 0; i < 6; i++) /* more parts than a frame of 8000 bytes can have */
		assert_true(rig_receives(&rig, 2048, 0));
	assert_int_equal(receive(), 0);
	assert_true(rig_receives(&rig, 5, EOP)); /* the end of the same packet */
	assert_true(rig_receives(&rig, 61, EOP));
	assert_int_equal(receive(), 1);
	assert_packet(0, 7, 61, 0);
	assert_int_equal(rig.device->rx[0].thrown, 1);
}

static void the_tail_stays_one_behind_the_head(void **state)
{
	uint32_t number = 0;

	(void)state;
	for (int i = 0; i < 500; i++) {
		while (rig_receives(&rig, 60, EOP))
			number++;
		assert_int_equal(ring_free(rig.device->rx[0].take, rig.device->rx[0].fill, RIG_RING), 0);
		assert_true(receive() > 0);
		ringway_batch_release(rig.batch);
	}
	assert_true(number > 5000);
}

static void an_empty_pool_is_survived(void **state)
{
	struct ringway_batch *held = ringway_batch_create(rig.memory, 512);
	uint32_t got = 0;
	int n;

	(void)state;
	do {
		while (rig_receives(&rig, 60, EOP))
			;
		n = ringway_receive(rig.device, 0, held);
		got += (uint32_t)n;
	} while (n > 0);
	assert_int_equal(got, 512);
	assert_int_equal(rig.device->pool[0]->free, 0);
	ringway_batch_destroy(held);
	assert_int_equal(receive(), 0);
	assert_true(rig_receives(&rig, 60, EOP));
	assert_int_equal(receive(), 1);
}

static void a_dead_peer_is_noticed_while_idle(void **state)
{
	int n = 0;

	(void)state;
	assert_int_equal(receive(), 0);
	rig.fake->gone = true;
	for (uint32_t i = 0; n == 0 && i < 1u << 30; i++)
		n = receive();
	assert_int_equal(n, -EIO);
}

int test_rx(const char *name)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_is_no_error, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_number_of_packets_comes_in_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_more_than_the_batch_takes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_hole_in_the_middle_ends_the_batch, set_up, tear_down),
		cmocka_unit_test_setup_teardown(odd_packets_among_plain_ones, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_packet_is_not_split_over_two_batches, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_packet_without_an_end_is_thrown_away_to_its_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_tail_stays_one_behind_the_head, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_empty_pool_is_survived, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_dead_peer_is_noticed_while_idle, set_up, tear_down),
	};

	return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

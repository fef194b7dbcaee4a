/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "packet.h"

static int set_up(void **state)
{
	struct ringway_memory *memory;
	int error = ringway_memory_create(4u << 20, &memory);

	*state = memory;
	return error;
}

static int tear_down(void **state)
{
	ringway_memory_destroy(*state);
	return 0;
}

static uint32_t take(struct pool *pool)
{
	return pool->stack[--pool->free];
}

static void no_slot_is_in_two_pools(void **state)
{
	struct ringway_memory *memory = *state;
	bool *seen = calloc(memory->slots, sizeof(*seen));
	struct pool *pool[2];

	assert_int_equal(pool_create(memory, 700, &pool[0]), 0);
	assert_int_equal(pool_create(memory, 700, &pool[1]), 0);
	for (int p = 0; p < 2; p++) {
		while (pool[p]->free) {
			uint32_t slot = take(pool[p]);

			assert_false(seen[slot]);
			assert_int_equal(memory->home[slot], pool[p]->number);
			seen[slot] = true;
		}
	}
	free(seen);
}

static void a_pool_skips_what_lies_across_extents(void **state)
{
	struct ringway_memory *memory = *state;
	struct pool *pool;
	uint32_t usable = 0;

	for (uint32_t slot = 0; slot < memory->slots; slot++)
		usable += memory->home[slot] != DMA_NOBODYS;
	assert_int_equal(usable, memory->slots - 1); /* 4 MiB: one border, which no slot happens to begin at */
	assert_int_equal(pool_create(memory, usable + 1, &pool), -ENOMEM);
	assert_error_names("no room");
	assert_int_equal(pool_create(memory, usable, &pool), 0);
	while (pool->free)
		assert_int_equal(memory->home[take(pool)], pool->number);
}

static void the_slot_given_back_last_is_taken_first(void **state)
{
	struct ringway_memory *memory = *state;
	struct pool *pool;
	uint32_t slot[3];

	assert_int_equal(pool_create(memory, 8, &pool), 0);
	for (int i = 0; i < 3; i++)
		slot[i] = take(pool);
	pool_give_back(memory, slot[1]);
	pool_give_back(memory, slot[2]);
	assert_int_equal(take(pool), slot[2]);
	assert_int_equal(take(pool), slot[1]);
}

static void a_batch_gives_slots_back_to_their_pools(void **state)
{
	struct ringway_memory *memory = *state;
	struct ringway_batch *batch = ringway_batch_create(memory, 8);
	struct pool *pool[2];

	for (int p = 0; p < 2; p++)
		assert_int_equal(pool_create(memory, 4, &pool[p]), 0);
	for (int i = 0; i < 8; i++)
		batch->slot[batch->count++] = take(pool[i % 2]);
	assert_int_equal(pool[0]->free + pool[1]->free, 0);
	ringway_batch_release(batch);
	assert_int_equal(batch->count, 0);
	assert_int_equal(pool[0]->free, 4);
	assert_int_equal(pool[1]->free, 4);
	batch->slot[batch->count++] = take(pool[1]);
	ringway_batch_destroy(batch);
	assert_int_equal(pool[1]->free, 4);
}

static void a_retired_pool_waits_for_its_slots(void **state)
{
	struct ringway_memory *memory = *state;
	struct pool *pool, *next;
	uint32_t slot;
	uint8_t number;

	assert_int_equal(pool_create(memory, 4, &pool), 0);
	number = pool->number;
	slot = take(pool);
	pool_retire(pool);
	assert_int_equal(pool_create(memory, 4, &next), 0);
	assert_int_not_equal(next->number, number); /* one slot is still away, and says where it belongs */
	pool_retire(next);
	pool_give_back(memory, slot);
	assert_int_equal(pool_create(memory, 4, &next), 0);
	assert_int_equal(next->number, number);
}

static void the_number_of_pools_ends(void **state)
{
	struct ringway_memory *memory = *state;
	struct pool *pool;

	for (unsigned i = 0; i < DMA_POOLS; i++)
		assert_int_equal(pool_create(memory, 1, &pool), 0);
	assert_int_equal(pool_create(memory, 1, &pool), -ENOMEM);
	pool_retire(memory->pools[7]);
	assert_int_equal(pool_create(memory, 1, &pool), 0);
	assert_int_equal(pool->number, 7);
}

int test_packet(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_slot_is_in_two_pools, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_pool_skips_what_lies_across_extents, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_slot_given_back_last_is_taken_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_batch_gives_slots_back_to_their_pools, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_retired_pool_waits_for_its_slots, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_number_of_pools_ends, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("packet", tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests.h"

#include "ring.h"
#include "vectors.h"

static void counts_as_the_vectors_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < ring_cases_count; i++) {
		assert_int_equal(ring_used(ring_cases[i].head, ring_cases[i].tail, ring_cases[i].size), ring_cases[i].used);
		assert_int_equal(ring_free(ring_cases[i].head, ring_cases[i].tail, ring_cases[i].size), ring_cases[i].free);
		assert_int_equal(ring_next(ring_cases[i].head, ring_cases[i].size), ring_cases[i].next_head);
		assert_int_equal(ring_next(ring_cases[i].tail, ring_cases[i].size), ring_cases[i].next_tail);
	}
}

static void wraps_as_the_vectors_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < ring_wraps_count; i++) {
		uint32_t size = ring_wraps[i].size, index = ring_wraps[i].index;

		assert_int_equal(ring_advance(0, index, size), ring_wraps[i].slot);
		if (index > 0) /* the same index in two steps */
			assert_int_equal(ring_advance(ring_advance(0, index - 1, size), 1, size), ring_wraps[i].slot);
	}
}

int test_ring(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_as_the_vectors_do),
		cmocka_unit_test(wraps_as_the_vectors_do),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "unit.h"

#include <slick/buffer.h>

static void begins_without_memory(void **state)
{
	struct slick_buf buf;
	unsigned int before = allocations;

	(void)state;
	assert_int_equal(slick_buf_init(&buf, 0, 1000), 0);
	assert_int_equal(allocations, before);
	assert_non_null(slick_buf_peek(&buf));
	assert_int_equal(slick_buf_used(&buf), 0);
	assert_int_equal(slick_buf_room(&buf), 1000);
	assert_int_equal(slick_buf_append(&buf, "abc", 3), 0);
	assert_int_equal(allocations, before + 1);
	assert_memory_equal(slick_buf_peek(&buf), "abc", 3);
	slick_buf_free(&buf);
	slick_buf_free(&buf);
}

static void starts_over_when_it_is_empty(void **state)
{
	struct slick_buf buf;

	(void)state;
	assert_int_equal(slick_buf_init(&buf, 64, 64), 0);
	assert_int_equal(slick_buf_append(&buf, "abcdef", 6), 0);
	slick_buf_discard(&buf, 2);
	assert_int_equal(buf.head, 2);
	assert_memory_equal(slick_buf_peek(&buf), "cdef", 4);
	slick_buf_discard(&buf, 4);
	assert_int_equal(buf.head, 0);
	assert_int_equal(buf.tail, 0);
	assert_int_equal(slick_buf_append(&buf, "xy", 2), 0);
	slick_buf_discard(&buf, 1000);
	assert_int_equal(slick_buf_used(&buf), 0);
	assert_int_equal(buf.tail, 0);
	slick_buf_free(&buf);
}

static void grows_by_doubling_up_to_the_limit(void **state)
{
	static u8 bytes[5000];
	struct slick_buf buf;
	size_t total = 0;

	(void)state;
	fill_pattern(bytes, sizeof(bytes), 0);
	assert_int_equal(slick_buf_init(&buf, 300, 5000), 0);
	while (total < sizeof(bytes)) {
		size_t before = buf.size;

		assert_int_equal(slick_buf_append(&buf, bytes + total, 100), 0);
		total += 100;
		assert_true(buf.size == before || buf.size == before * 2 || buf.size == 5000);
		assert_pattern(slick_buf_peek(&buf), total, 0);
	}
	assert_int_equal(buf.size, 5000);
	assert_int_equal(slick_buf_append(&buf, bytes, 1), -ENOBUFS);
	assert_null(slick_buf_reserve(&buf, 1));
	assert_int_equal(slick_buf_used(&buf), 5000);
	slick_buf_free(&buf);
}

static void no_length_is_too_long_to_refuse(void **state)
{
	struct slick_buf buf;

	(void)state;
	assert_int_equal(slick_buf_init(&buf, 16, 100), 0);
	assert_int_equal(slick_buf_append(&buf, "abcdefghijkl", 12), 0);
	assert_null(slick_buf_reserve(&buf, SIZE_MAX));
	assert_null(slick_buf_reserve(&buf, SIZE_MAX - 11));
	assert_null(slick_buf_reserve(&buf, 89));
	assert_int_equal(slick_buf_append(&buf, "", SIZE_MAX), -ENOBUFS);
	assert_int_equal(slick_buf_append(&buf, NULL, 0), 0);
	assert_non_null(slick_buf_reserve(&buf, 88));
	assert_int_equal(slick_buf_used(&buf), 12);
	slick_buf_free(&buf);
}

static void a_limit_below_the_size_wins(void **state)
{
	struct slick_buf buf;

	(void)state;
	assert_int_equal(slick_buf_init(&buf, 1000, 10), 0);
	assert_int_equal(buf.size, 10);
	slick_buf_free(&buf);
	assert_int_equal(slick_buf_init(&buf, 0, 10), 0);
	assert_int_equal(slick_buf_append(&buf, "abc", 3), 0);
	assert_int_equal(buf.size, 10);
	slick_buf_free(&buf);
}

static void never_allocates_at_its_full_size(void **state)
{
	u8 bytes[48];
	struct slick_buf buf;
	unsigned int before;
	size_t put = 0, taken = 0;

	(void)state;
	assert_int_equal(slick_buf_init(&buf, 100, 100), 0);
	before = allocations;
	while (put < 100000) {
		size_t length = put % sizeof(bytes) + 1;

		fill_pattern(bytes, length, put);
		if (slick_buf_append(&buf, bytes, length) == 0) {
			put += length;
			continue;
		}
		length = taken % 29 + 1;
		assert_pattern(slick_buf_peek(&buf), length, taken);
		slick_buf_discard(&buf, length);
		taken += length;
	}
	assert_int_equal(allocations, before);
	assert_int_equal(slick_buf_used(&buf), put - taken);
	slick_buf_free(&buf);
}

/* A queue that stays long must not be moved for every few bytes: it grows, and then it is quiet. */
static void a_long_queue_is_not_moved_again_and_again(void **state)
{
	u8 bytes[1000] = { 0 };
	struct slick_buf buf;
	unsigned int moves = 0;
	int i;

	(void)state;
	assert_int_equal(slick_buf_init(&buf, 1024, 1 << 20), 0);
	assert_int_equal(slick_buf_append(&buf, bytes, 1000), 0);
	for (i = 0; i < 10000; i++) {
		size_t head = buf.head;

		assert_int_equal(slick_buf_append(&buf, bytes, 10), 0);
		moves += buf.head < head;
		slick_buf_discard(&buf, 10);
	}
	assert_true(buf.size <= 4096);
	assert_true(moves <= 10000 * 10 / 1000 + 3);
	slick_buf_free(&buf);
}

static void moves_where_it_has_to(void **state)
{
	struct slick_buf buf;
	const u8 *data;

	(void)state;
	assert_int_equal(slick_buf_init(&buf, 8, 1000), 0);
	data = buf.data;
	assert_int_equal(slick_buf_append(&buf, "abcdefgh", 8), 0);
	slick_buf_discard(&buf, 6);
	assert_int_equal(slick_buf_append(&buf, "ijklmn", 6), 0);
	assert_ptr_equal(buf.data, data);
	assert_memory_equal(slick_buf_peek(&buf), "ghijklmn", 8);
	slick_buf_free(&buf);
}

static void does_without_memory_that_is_refused(void **state)
{
	struct slick_buf buf;

	(void)state;
	allocations_left = 0;
	assert_int_equal(slick_buf_init(&buf, 8, 100), -ENOMEM);
	slick_buf_free(&buf);
	allocations_left = 1;
	assert_int_equal(slick_buf_init(&buf, 8, 100), 0);
	assert_int_equal(slick_buf_append(&buf, "abcdefgh", 8), 0);
	assert_int_equal(slick_buf_append(&buf, "i", 1), -ENOMEM);
	assert_memory_equal(slick_buf_peek(&buf), "abcdefgh", 8);
	/* Growing would be better here, but moving does. */
	slick_buf_discard(&buf, 1);
	assert_int_equal(slick_buf_append(&buf, "i", 1), 0);
	assert_memory_equal(slick_buf_peek(&buf), "bcdefghi", 8);
	allocations_left = -1;
	slick_buf_free(&buf);
}

void buffer_tests(void)
{
	const struct CMUnitTest buffers[] = {
		cmocka_unit_test(begins_without_memory),
		cmocka_unit_test(starts_over_when_it_is_empty),
		cmocka_unit_test(grows_by_doubling_up_to_the_limit),
		cmocka_unit_test(no_length_is_too_long_to_refuse),
		cmocka_unit_test(a_limit_below_the_size_wins),
		cmocka_unit_test(never_allocates_at_its_full_size),
		cmocka_unit_test(a_long_queue_is_not_moved_again_and_again),
		cmocka_unit_test(moves_where_it_has_to),
		cmocka_unit_test(does_without_memory_that_is_refused),
	};

	RUN_GROUP(buffers);
}

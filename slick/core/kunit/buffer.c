// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include <slick/buffer.h>

#include "kunit.h"

static void begins_without_memory(struct kunit *test)
{
	struct slick_buf buf;

	KUNIT_ASSERT_EQ(test, slick_buf_init(&buf, 0, 1000), 0);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, slick_buf_peek(&buf));
	KUNIT_EXPECT_EQ(test, slick_buf_append(&buf, "abc", 3), 0);
	KUNIT_EXPECT_EQ(test, memcmp(slick_buf_peek(&buf), "abc", 3), 0);
	slick_buf_free(&buf);
}

static void grows_up_to_the_limit(struct kunit *test)
{
	u8 bytes[100];
	struct slick_buf buf;
	size_t total;

	KUNIT_ASSERT_EQ(test, slick_buf_init(&buf, 300, 200000), 0);
	for (total = 0; total < 200000; total += sizeof(bytes)) {
		slick_fill_pattern(bytes, sizeof(bytes), total);
		KUNIT_ASSERT_EQ(test, slick_buf_append(&buf, bytes, sizeof(bytes)), 0);
	}
	KUNIT_EXPECT_EQ(test, buf.size, (size_t)200000);
	KUNIT_EXPECT_EQ(test, slick_buf_append(&buf, bytes, 1), -ENOBUFS);
	KUNIT_EXPECT_TRUE(test, slick_is_pattern(slick_buf_peek(&buf), 200000, 0));
	slick_buf_free(&buf);
}

static void keeps_the_order(struct kunit *test)
{
	u8 bytes[48];
	struct slick_buf buf;
	size_t put = 0, taken = 0, length;

	KUNIT_ASSERT_EQ(test, slick_buf_init(&buf, 100, 100), 0);
	while (put < 20000) {
		length = put % sizeof(bytes) + 1;
		slick_fill_pattern(bytes, length, put);
		if (!slick_buf_append(&buf, bytes, length)) {
			put += length;
			continue;
		}
		length = taken % 29 + 1;
		if (!slick_is_pattern(slick_buf_peek(&buf), length, taken))
			break;
		slick_buf_discard(&buf, length);
		taken += length;
	}
	KUNIT_EXPECT_GE(test, put, (size_t)20000);
	KUNIT_EXPECT_EQ(test, slick_buf_used(&buf), put - taken);
	slick_buf_free(&buf);
}

static void refuses_any_length_over_the_limit(struct kunit *test)
{
	struct slick_buf buf;

	KUNIT_ASSERT_EQ(test, slick_buf_init(&buf, 16, 100), 0);
	KUNIT_EXPECT_EQ(test, slick_buf_append(&buf, "abcdefghijkl", 12), 0);
	KUNIT_EXPECT_PTR_EQ(test, slick_buf_reserve(&buf, SIZE_MAX), (u8 *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, slick_buf_reserve(&buf, SIZE_MAX - 11), (u8 *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, slick_buf_reserve(&buf, 89), (u8 *)NULL);
	KUNIT_EXPECT_EQ(test, slick_buf_used(&buf), (size_t)12);
	slick_buf_free(&buf);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(begins_without_memory),
	KUNIT_CASE(grows_up_to_the_limit),
	KUNIT_CASE(keeps_the_order),
	KUNIT_CASE(refuses_any_length_over_the_limit),
	{ }
};

struct kunit_suite slick_buffer_suite = {
	.name = "slick_buffer",
	.test_cases = cases,
};

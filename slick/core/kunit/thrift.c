// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include <slick/thrift.h>

#include "kunit.h"

static const struct slick_thrift_limits usual;

static size_t make_msg(u8 *at, size_t size, s32 key, const void *payload, u32 length)
{
	struct slick_thrift_writer writer;

	slick_thrift_begin(&writer, at, size, "msg", SLICK_THRIFT_ONEWAY, 0);
	slick_thrift_put_i32(&writer, 1, key);
	slick_thrift_put_string(&writer, 2, payload, length);
	return (size_t)slick_thrift_end(&writer);
}

static void reads_what_was_written(struct kunit *test)
{
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	struct slick_thrift_msg msg;
	u8 frame[64];
	size_t cut;

	KUNIT_ASSERT_EQ(test, make_msg(frame, sizeof(frame), -7, "payload", 7), (size_t)41);
	KUNIT_EXPECT_EQ(test, slick_get_be32(frame + 22), (u32)-7);
	for (cut = 0; cut < 41; cut++)
		KUNIT_ASSERT_EQ(test, slick_thrift_parse(frame, cut, &usual, &msg), 0);
	KUNIT_ASSERT_EQ(test, slick_thrift_parse(frame, 41, &usual, &msg), 1);
	KUNIT_EXPECT_TRUE(test, slick_thrift_is(&msg, "msg"));
	KUNIT_EXPECT_FALSE(test, slick_thrift_is(&msg, "msh"));
	slick_thrift_fields(&msg, &iter);
	KUNIT_ASSERT_EQ(test, slick_thrift_next(&iter, &field), 1);
	KUNIT_EXPECT_EQ(test, slick_thrift_i32(&field), -7);
	KUNIT_ASSERT_EQ(test, slick_thrift_next(&iter, &field), 1);
	KUNIT_EXPECT_EQ(test, field.length, 7u);
	KUNIT_EXPECT_EQ(test, memcmp(field.value, "payload", 7), 0);
	KUNIT_EXPECT_EQ(test, slick_thrift_next(&iter, &field), 0);
}

static void refuses_what_is_wrong(struct kunit *test)
{
	const struct slick_thrift_limits small = { .max_frame = 20 };
	struct slick_thrift_msg msg;
	u8 frame[64];

	make_msg(frame, sizeof(frame), 1, "payload", 7);
	KUNIT_EXPECT_EQ(test, slick_thrift_parse(frame, 41, &small, &msg), -EMSGSIZE);
	slick_put_be32(frame + 4, 0x80020004);
	KUNIT_EXPECT_EQ(test, slick_thrift_parse(frame, 41, &usual, &msg), -EPROTO);
	slick_put_be32(frame + 4, 0x80010004);
	slick_put_be32(frame + 8, 0xffffffff);
	KUNIT_EXPECT_EQ(test, slick_thrift_parse(frame, 41, &usual, &msg), -EPROTO);
	slick_put_be32(frame, 0xffffffff);
	KUNIT_EXPECT_EQ(test, slick_thrift_parse(frame, 41, &usual, &msg), -EPROTO);
}

/* The note that the walk keeps lies on the stack, which is short here. */
static void goes_only_so_deep(struct kunit *test)
{
	u8 body[3 * 70 + 71];
	struct slick_thrift_iter iter = { .at = body };
	struct slick_thrift_field field;
	u32 levels, i;

	for (levels = 1; levels <= 70; levels++) {
		u8 *end = body;

		for (i = 0; i < levels; i++) {
			*end++ = SLICK_THRIFT_STRUCT;
			*end++ = 0;
			*end++ = 1;
		}
		memset(end, 0, levels + 1);
		iter.at = body;
		iter.end = end + levels + 1;
		iter.depth = 1000;
		KUNIT_EXPECT_EQ(test, slick_thrift_next(&iter, &field),
				levels <= SLICK_THRIFT_DEEPEST ? 1 : -ELOOP);
	}
}

static void counts_that_lie_are_refused(struct kunit *test)
{
	u8 body[9] = { SLICK_THRIFT_LIST, 0, 1, SLICK_THRIFT_I64 };
	static const u32 lies[] = { 1, 0x20000000, 0x7fffffff, 0x80000000, 0xffffffff };
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lies); i++) {
		slick_put_be32(body + 4, lies[i]);
		iter.at = body;
		iter.end = body + sizeof(body);
		iter.depth = 1;
		KUNIT_EXPECT_EQ(test, slick_thrift_next(&iter, &field), -EPROTO);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(reads_what_was_written),
	KUNIT_CASE(refuses_what_is_wrong),
	KUNIT_CASE(goes_only_so_deep),
	KUNIT_CASE(counts_that_lie_are_refused),
	{ }
};

struct kunit_suite slick_thrift_suite = {
	.name = "slick_thrift",
	.test_cases = cases,
};

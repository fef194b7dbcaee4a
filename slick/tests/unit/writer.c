// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "unit.h"

#include "message.h"

static void writes_these_bytes(void **state)
{
	static const u8 expected[] = {
		0, 0, 0, 35, 0x80, 1, 0, 4, 0, 0, 0, 6, 'f', 'a', 'i', 'l', 'e', 'd', 1, 2, 3, 4,
		8, 0, 1, 0xff, 0xff, 0xff, 0xff, 11, 0xff, 0xfe, 0, 0, 0, 2, 'n', 'o', 0,
	};
	struct slick_thrift_writer writer;
	u8 data[64];

	(void)state;
	slick_thrift_begin(&writer, data, sizeof(data), "failed", SLICK_THRIFT_ONEWAY, 0x01020304);
	slick_thrift_put_i32(&writer, 1, -1);
	slick_thrift_put_string(&writer, -2, "no", 2);
	assert_int_equal(slick_thrift_end(&writer), sizeof(expected));
	assert_memory_equal(data, expected, sizeof(expected));
}

static void counts_on_where_there_is_no_room(void **state)
{
	struct slick_thrift_writer writer;
	u8 whole[64], data[64];
	size_t length = make_msg(whole, sizeof(whole), 5, 13);
	u8 payload[13];
	size_t size;

	(void)state;
	fill_pattern(payload, sizeof(payload), 5);
	for (size = 0; size <= length; size++) {
		memset(data, 0xee, sizeof(data));
		slick_thrift_begin(&writer, size ? data : NULL, size, "msg",
				   SLICK_THRIFT_ONEWAY, 0);
		slick_thrift_put_i32(&writer, 1, 5);
		slick_thrift_put_string(&writer, 2, payload, sizeof(payload));
		if (size < length)
			assert_int_equal(slick_thrift_end(&writer), -ENOBUFS);
		else
			assert_int_equal(slick_thrift_end(&writer), length);
		assert_int_equal(writer.length, length);
		assert_int_equal(data[size], 0xee);
	}
	assert_memory_equal(data, whole, length);
}

static void no_length_wraps_around(void **state)
{
	struct slick_thrift_writer writer;
	u8 data[64];

	(void)state;
	slick_thrift_begin(&writer, data, sizeof(data), "msg", SLICK_THRIFT_CALL, 0);
	writer.length = SIZE_MAX - 2;
	slick_thrift_put_i32(&writer, 1, 5);
	assert_int_equal(writer.length, SIZE_MAX);
	slick_thrift_put_string(&writer, 1, "", 0xffffffffu);
	assert_int_equal(slick_thrift_end(&writer), -ENOBUFS);
}

static void writes_what_is_read(void **state)
{
	const struct slick_thrift_limits usual = { 0 };
	static u8 frame[70100];
	size_t lengths[] = { 0, 1, 31, 32, 4096, 65536, 70000 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t length = make_msg(frame, sizeof(frame), (s32)i - 3, lengths[i]);
		struct slick_thrift_msg msg;

		assert_int_equal(length, 34 + lengths[i]);
		assert_int_equal(slick_thrift_parse(frame, length, &usual, &msg), 1);
		assert_msg(&msg, (s32)i - 3, lengths[i]);
	}
}

void writer_tests(void)
{
	const struct CMUnitTest writers[] = {
		cmocka_unit_test(writes_these_bytes),
		cmocka_unit_test(counts_on_where_there_is_no_room),
		cmocka_unit_test(no_length_wraps_around),
		cmocka_unit_test(writes_what_is_read),
	};

	RUN_GROUP(writers);
}

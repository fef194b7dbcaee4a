// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Frames and the header of a message. */
#include "unit.h"

#include <stdlib.h>

#include "message.h"

static const struct slick_thrift_limits usual;

static void reads_a_message(void **state)
{
	static struct bytes bytes;
	struct slick_thrift_msg msg;

	(void)state;
	begin_message(&bytes, "connect", SLICK_THRIFT_CALL, 0xfffffffe);
	add_field(&bytes, SLICK_THRIFT_BOOL, 3);
	add_u8(&bytes, 1);
	add_u8(&bytes, 0);
	end_message(&bytes);
	add(&bytes, "behind", 6);
	assert_int_equal(slick_thrift_parse(bytes.data, bytes.length, &usual, &msg), 1);
	assert_ptr_equal(msg.frame, bytes.data);
	assert_int_equal(msg.frame_length, bytes.length - 6);
	assert_int_equal(msg.name_length, 7);
	assert_memory_equal(msg.name, "connect", 7);
	assert_int_equal(msg.kind, SLICK_THRIFT_CALL);
	assert_int_equal(msg.sequence, -2);
	assert_ptr_equal(msg.body, bytes.data + 4 + 4 + 4 + 7 + 4);
	assert_int_equal(msg.body_length, 5);
	assert_int_equal(msg.max_depth, SLICK_THRIFT_MAX_DEPTH);
	assert_true(slick_thrift_is(&msg, "connect"));
	assert_false(slick_thrift_is(&msg, "connec"));
	assert_false(slick_thrift_is(&msg, "connects"));
	assert_false(slick_thrift_is(&msg, "connecT"));
	assert_false(slick_thrift_is(&msg, ""));
}

/* In memory of its own each time, so that a byte read too far is found. */
static void waits_for_the_last_byte(void **state)
{
	u8 frame[64];
	size_t length = make_msg(frame, sizeof(frame), 7, 20);
	size_t cut;

	(void)state;
	for (cut = 0; cut <= length; cut++) {
		struct slick_thrift_msg msg;
		u8 *part = malloc(cut ? cut : 1);

		memcpy(part, frame, cut);
		assert_int_equal(slick_thrift_parse(part, cut, &usual, &msg), cut == length);
		assert_int_equal(slick_thrift_frame(part, cut, &usual), cut < 4 ? 0 : length);
		free(part);
	}
}

static void the_smallest_message_is_seventeen_bytes(void **state)
{
	static struct bytes bytes;
	struct slick_thrift_msg msg;
	size_t length;

	(void)state;
	begin_message(&bytes, "", SLICK_THRIFT_REPLY, 1);
	add_u8(&bytes, 0);
	end_message(&bytes);
	assert_int_equal(bytes.length, 17);
	assert_int_equal(slick_thrift_parse(bytes.data, 17, &usual, &msg), 1);
	assert_true(slick_thrift_is(&msg, ""));
	assert_int_equal(msg.body_length, 1);
	for (length = 0; length < 13; length++) {
		slick_put_be32(bytes.data, (u32)length);
		assert_int_equal(slick_thrift_parse(bytes.data, 17, &usual, &msg), -EPROTO);
		assert_int_equal(slick_thrift_frame(bytes.data, 17, &usual), length + 4);
	}
}

static void no_frame_is_longer_than_allowed(void **state)
{
	struct slick_thrift_limits limits = { .max_frame = 49 };
	struct slick_thrift_limits widest = { .max_frame = 0xffffffffu };
	struct slick_thrift_msg msg;
	u8 frame[64];
	size_t length = make_msg(frame, sizeof(frame), 7, 20);

	(void)state;
	assert_int_equal(length, 54);
	assert_int_equal(slick_thrift_parse(frame, length, &limits, &msg), -EMSGSIZE);
	/* The first four bytes are enough to know. */
	assert_int_equal(slick_thrift_parse(frame, 4, &limits, &msg), -EMSGSIZE);
	assert_int_equal(slick_thrift_frame(frame, 4, &limits), -EMSGSIZE);
	limits.max_frame = 50;
	assert_int_equal(slick_thrift_parse(frame, length, &limits, &msg), 1);
	slick_put_be32(frame, SLICK_THRIFT_MAX_FRAME);
	assert_int_equal(slick_thrift_frame(frame, 4, &usual), SLICK_THRIFT_MAX_FRAME + 4);
	slick_put_be32(frame, SLICK_THRIFT_MAX_FRAME + 1);
	assert_int_equal(slick_thrift_frame(frame, 4, &usual), -EMSGSIZE);
	slick_put_be32(frame, 0x7fffffff);
	assert_true(slick_thrift_frame(frame, 4, &widest) == 0x80000003ll);
	assert_int_equal(slick_thrift_parse(frame, length, &widest, &msg), 0);
}

static void a_negative_length_is_no_length(void **state)
{
	const struct slick_thrift_limits widest = { .max_frame = 0xffffffffu };
	const u32 lengths[] = { 0x80000000u, 0xffffffffu, 0x80010001u };
	struct slick_thrift_msg msg;
	u8 frame[64];
	size_t length = make_msg(frame, sizeof(frame), 7, 20);
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		slick_put_be32(frame, lengths[i]);
		assert_int_equal(slick_thrift_parse(frame, length, &usual, &msg), -EPROTO);
		assert_int_equal(slick_thrift_frame(frame, length, &usual), -EPROTO);
		assert_int_equal(slick_thrift_frame(frame, length, &widest), -EPROTO);
	}
}

static void refuses_what_is_not_the_strict_protocol(void **state)
{
	/* Old and other versions, the compact protocol, a name's length without a version. */
	const u32 firsts[] = {
		0x00010004u, 0x80020004u, 0x81010004u, 0x00000003u, 0x82210104u,
		0x80010000u, 0x80010005u, 0x800100ffu,
	};
	struct slick_thrift_msg msg;
	u8 frame[64];
	size_t length = make_msg(frame, sizeof(frame), 7, 20);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		slick_put_be32(frame + 4, firsts[i]);
		assert_int_equal(slick_thrift_parse(frame, length, &usual, &msg), -EPROTO);
	}
	for (i = SLICK_THRIFT_CALL; i <= SLICK_THRIFT_ONEWAY; i++) {
		/* The byte between version and kind is nobody's. */
		slick_put_be32(frame + 4, 0x8001ab00u | (u32)i);
		assert_int_equal(slick_thrift_parse(frame, length, &usual, &msg), 1);
		assert_int_equal(msg.kind, i);
	}
}

static void the_name_must_end_within_the_frame(void **state)
{
	struct slick_thrift_msg msg;
	u8 frame[64];
	size_t length = make_msg(frame, sizeof(frame), 7, 20);
	const u32 bad[] = { 38, 39, 50, 54, 0x7fffffff, 0x80000000u, 0xffffffffu };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		slick_put_be32(frame + 8, bad[i]);
		assert_int_equal(slick_thrift_parse(frame, length, &usual, &msg), -EPROTO);
	}
	slick_put_be32(frame + 8, 37);
	assert_int_equal(slick_thrift_parse(frame, length, &usual, &msg), 1);
	assert_int_equal(msg.body_length, 1);
	assert_ptr_equal(msg.body, frame + length - 1);
}

static void the_key_of_a_msg_lies_at_22(void **state)
{
	u8 frame[64];

	(void)state;
	assert_int_equal(make_msg(frame, sizeof(frame), 0x01020304, 5), 34 + 5);
	assert_int_equal(slick_get_be32(frame + 22), 0x01020304);
}

void thrift_tests(void)
{
	const struct CMUnitTest headers[] = {
		cmocka_unit_test(reads_a_message),
		cmocka_unit_test(waits_for_the_last_byte),
		cmocka_unit_test(the_smallest_message_is_seventeen_bytes),
		cmocka_unit_test(no_frame_is_longer_than_allowed),
		cmocka_unit_test(a_negative_length_is_no_length),
		cmocka_unit_test(refuses_what_is_not_the_strict_protocol),
		cmocka_unit_test(the_name_must_end_within_the_frame),
		cmocka_unit_test(the_key_of_a_msg_lies_at_22),
	};

	RUN_GROUP(headers);
}

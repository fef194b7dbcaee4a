// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The walk along fields: any order, nested ones, wrong ones. */
#include "unit.h"

#include <stdlib.h>

#include "message.h"

static const struct slick_thrift_limits usual;

/* How many fields a body has, or what was wrong. Each is in memory of its own. */
static int walk(const struct bytes *body, u32 depth)
{
	u8 *copy = malloc(body->length ? body->length : 1);
	struct slick_thrift_msg msg = {
		.body = copy, .body_length = (u32)body->length, .max_depth = depth,
	};
	struct slick_thrift_iter iter;
	struct slick_thrift_field field;
	int fields = 0, ret;

	memcpy(copy, body->data, body->length);
	slick_thrift_fields(&msg, &iter);
	while ((ret = slick_thrift_next(&iter, &field)) == 1) {
		assert_true(field.value >= copy);
		assert_true(field.length <= body->length);
		assert_true(field.value + field.length <= copy + body->length);
		fields++;
	}
	/* What was wrong stays wrong, and an end stays one. */
	assert_int_equal(slick_thrift_next(&iter, &field), ret);
	free(copy);
	return ret ? ret : fields;
}

static void add_plain_fields(struct bytes *body)
{
	static const u8 zeros[16];

	add_field(body, SLICK_THRIFT_BOOL, 1);
	add(body, zeros, 1);
	add_field(body, SLICK_THRIFT_I8, 2);
	add(body, zeros, 1);
	add_field(body, SLICK_THRIFT_DOUBLE, 3);
	add(body, zeros, 8);
	add_field(body, SLICK_THRIFT_I16, 4);
	add(body, zeros, 2);
	add_field(body, SLICK_THRIFT_I32, 5);
	add(body, zeros, 4);
	add_field(body, SLICK_THRIFT_I64, 6);
	add(body, zeros, 8);
	add_field(body, SLICK_THRIFT_STRING, 7);
	add_string(body, "");
	add_field(body, SLICK_THRIFT_UUID, 8);
	add(body, zeros, 16);
}

static void every_plain_type_has_its_length(void **state)
{
	static const u32 lengths[] = { 1, 1, 8, 2, 4, 8, 0, 16 };
	static struct bytes body;
	struct slick_thrift_iter iter;
	struct slick_thrift_field field;
	s16 id;

	(void)state;
	body.length = 0;
	add_plain_fields(&body);
	add_u8(&body, 0);
	iter.at = body.data;
	iter.end = body.data + body.length;
	iter.depth = 0;
	for (id = 1; id <= 8; id++) {
		assert_int_equal(slick_thrift_next(&iter, &field), 1);
		assert_int_equal(field.id, id);
		assert_int_equal(field.length, lengths[id - 1]);
	}
	assert_int_equal(slick_thrift_next(&iter, &field), 0);
}

static void ids_and_numbers_have_a_sign(void **state)
{
	static struct bytes body;
	struct slick_thrift_iter iter;
	struct slick_thrift_field field;

	(void)state;
	body.length = 0;
	add_field(&body, SLICK_THRIFT_I32, 0xfffe);
	add_be32(&body, 0x80000000u);
	add_u8(&body, 0);
	iter.at = body.data;
	iter.end = body.data + body.length;
	iter.depth = 0;
	assert_int_equal(slick_thrift_next(&iter, &field), 1);
	assert_int_equal(field.id, -2);
	assert_int_equal(slick_thrift_i32(&field), INT32_MIN);
}

/* Everything in everything: struct, list of structs, map of lists, set, map of plain ones. */
static void add_nested(struct bytes *body, unsigned int which)
{
	switch (which) {
	case 0:
		add_field(body, SLICK_THRIFT_STRUCT, 10);
		add_plain_fields(body);
		add_field(body, SLICK_THRIFT_LIST, 9);
		add_list(body, SLICK_THRIFT_STRUCT, 3);
		add_u8(body, 0);
		add_plain_fields(body);
		add_u8(body, 0);
		add_u8(body, 0);
		add_u8(body, 0);
		break;
	case 1:
		add_field(body, SLICK_THRIFT_MAP, 11);
		add_map(body, SLICK_THRIFT_STRING, SLICK_THRIFT_LIST, 2);
		add_string(body, "one");
		add_list(body, SLICK_THRIFT_I16, 2);
		add_be32(body, 0x00010002);
		add_string(body, "none");
		add_list(body, SLICK_THRIFT_STRING, 0);
		break;
	case 2:
		add_field(body, SLICK_THRIFT_SET, 12);
		add_list(body, SLICK_THRIFT_STRING, 2);
		add_string(body, "");
		add_string(body, "two");
		break;
	case 3:
		add_field(body, SLICK_THRIFT_MAP, 13);
		add_map(body, SLICK_THRIFT_I8, SLICK_THRIFT_I32, 1);
		add_u8(body, 0);
		add_be32(body, 0x0b0c0d0e);
		break;
	default:
		add_field(body, SLICK_THRIFT_I32, 1);
		add_be32(body, 4711);
	}
}

#define KINDS 5

static void add_in_order(struct bytes *body, unsigned int order)
{
	unsigned int left = KINDS, used = 0;

	body->length = 0;
	while (left) {
		unsigned int pick = order % left, which = 0;

		order /= left--;
		while (used & 1u << which || pick--)
			which += 1;
		used |= 1u << which;
		add_nested(body, which);
	}
	add_u8(body, 0);
}

static void finds_a_field_in_any_order(void **state)
{
	static struct bytes body;
	unsigned int order;

	(void)state;
	for (order = 0; order < 120; order++) {
		struct slick_thrift_iter iter;
		struct slick_thrift_field field;
		int fields = 0, found = 0;

		add_in_order(&body, order);
		iter.at = body.data;
		iter.end = body.data + body.length;
		iter.depth = 16;
		while (slick_thrift_next(&iter, &field) == 1) {
			fields++;
			if (field.id == 1) {
				assert_int_equal(field.type, SLICK_THRIFT_I32);
				found += slick_thrift_i32(&field);
			}
		}
		assert_ptr_equal(iter.at, iter.end - 1);
		assert_int_equal(fields, KINDS);
		assert_int_equal(found, 4711);
	}
}

static void nothing_that_is_cut_is_whole(void **state)
{
	static struct bytes body, cut;
	unsigned int order;

	(void)state;
	for (order = 0; order < 120; order += 17) {
		add_in_order(&body, order);
		assert_int_equal(walk(&body, 16), KINDS);
		cut = body;
		for (cut.length = 0; cut.length < body.length; cut.length++)
			assert_int_equal(walk(&cut, 16), -EPROTO);
	}
}

static void nothing_may_stand_behind_the_stop(void **state)
{
	static struct bytes body;

	(void)state;
	body.length = 0;
	add_nested(&body, 4);
	add_u8(&body, 0);
	assert_int_equal(walk(&body, 0), 1);
	add_u8(&body, 0);
	assert_int_equal(walk(&body, 0), -EPROTO);
}

static void types_that_do_not_exist_are_refused(void **state)
{
	static struct bytes body;
	unsigned int type;

	(void)state;
	for (type = 1; type < 256; type++) {
		bool exists = type <= 16 && type != 1 && type != 5 && type != 7 && type != 9;

		if (exists)
			continue;
		body.length = 0;
		add_field(&body, (u8)type, 1);
		add_be32(&body, 0);
		add_be32(&body, 0);
		add_u8(&body, 0);
		assert_int_equal(walk(&body, 16), -EPROTO);
		body.length = 0;
		add_field(&body, SLICK_THRIFT_LIST, 1);
		add_list(&body, (u8)type, 1);
		add_be32(&body, 0);
		add_u8(&body, 0);
		assert_int_equal(walk(&body, 16), -EPROTO);
		body.length = 0;
		add_field(&body, SLICK_THRIFT_MAP, 1);
		add_map(&body, (u8)type, SLICK_THRIFT_I8, 1);
		add_be32(&body, 0);
		add_u8(&body, 0);
		assert_int_equal(walk(&body, 16), -EPROTO);
	}
	/* In an element, STOP is no type either. */
	body.length = 0;
	add_field(&body, SLICK_THRIFT_LIST, 1);
	add_list(&body, SLICK_THRIFT_STOP, 1);
	add_be32(&body, 0);
	assert_int_equal(walk(&body, 16), -EPROTO);
}

/* Writers differ in what they name as the type of nothing. */
static void what_is_empty_needs_no_type(void **state)
{
	static struct bytes body;

	(void)state;
	body.length = 0;
	add_field(&body, SLICK_THRIFT_LIST, 1);
	add_list(&body, 0, 0);
	add_field(&body, SLICK_THRIFT_MAP, 2);
	add_map(&body, 0, 0, 0);
	add_u8(&body, 0);
	assert_int_equal(walk(&body, 1), 2);
}

static void counts_and_lengths_that_lie_are_refused(void **state)
{
	static const u32 lies[] = { 2, 100, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x20000000u };
	static const u8 types[] = {
		SLICK_THRIFT_BOOL, SLICK_THRIFT_I64, SLICK_THRIFT_STRING, SLICK_THRIFT_STRUCT,
		SLICK_THRIFT_MAP, SLICK_THRIFT_LIST, SLICK_THRIFT_UUID,
	};
	static struct bytes body;
	size_t lie, type;

	(void)state;
	for (lie = 0; lie < sizeof(lies) / sizeof(lies[0]); lie++) {
		for (type = 0; type < sizeof(types); type++) {
			body.length = 0;
			add_field(&body, SLICK_THRIFT_LIST, 1);
			add_list(&body, types[type], lies[lie]);
			add_u8(&body, 0);
			assert_int_equal(walk(&body, 16), -EPROTO);
			body.length = 0;
			add_field(&body, SLICK_THRIFT_MAP, 1);
			add_map(&body, types[type], types[type], lies[lie]);
			add_u8(&body, 0);
			assert_int_equal(walk(&body, 16), -EPROTO);
		}
		body.length = 0;
		add_field(&body, SLICK_THRIFT_STRING, 1);
		add_be32(&body, lies[lie]);
		add_u8(&body, 0);
		assert_int_equal(walk(&body, 16), -EPROTO);
	}
}

static void add_deep(struct bytes *body, u32 levels)
{
	u32 i;

	body->length = 0;
	add_field(body, SLICK_THRIFT_STRUCT, 1);
	for (i = 1; i < levels; i++)
		add_field(body, SLICK_THRIFT_STRUCT, 1);
	for (i = 0; i <= levels; i++)
		add_u8(body, 0);
}

static void goes_only_so_deep(void **state)
{
	static struct bytes body;

	(void)state;
	add_deep(&body, 1);
	assert_int_equal(walk(&body, 0), -ELOOP);
	assert_int_equal(walk(&body, 1), 1);
	add_deep(&body, 16);
	assert_int_equal(walk(&body, 15), -ELOOP);
	assert_int_equal(walk(&body, 16), 1);
	add_deep(&body, SLICK_THRIFT_DEEPEST);
	assert_int_equal(walk(&body, 1000), 1);
	add_deep(&body, SLICK_THRIFT_DEEPEST + 1);
	assert_int_equal(walk(&body, 0xffffffffu), -ELOOP);
	/* Beside each other is not within each other. */
	body.length = 0;
	add_field(&body, SLICK_THRIFT_LIST, 1);
	add_list(&body, SLICK_THRIFT_LIST, 1000);
	while (body.length < 3 + 5 + 5000)
		add_list(&body, SLICK_THRIFT_I64, 0);
	add_u8(&body, 0);
	assert_int_equal(walk(&body, 2), 1);
	assert_int_equal(walk(&body, 1), -ELOOP);
}

static void the_depth_comes_from_the_limits(void **state)
{
	const struct slick_thrift_limits limits = { .max_depth = 3 };
	static struct bytes bytes;
	struct slick_thrift_msg msg;

	(void)state;
	begin_message(&bytes, "x", SLICK_THRIFT_CALL, 0);
	add_u8(&bytes, 0);
	end_message(&bytes);
	assert_int_equal(slick_thrift_parse(bytes.data, bytes.length, &limits, &msg), 1);
	assert_int_equal(msg.max_depth, 3);
	assert_int_equal(slick_thrift_parse(bytes.data, bytes.length, &usual, &msg), 1);
	assert_int_equal(msg.max_depth, SLICK_THRIFT_MAX_DEPTH);
}

void walk_tests(void)
{
	const struct CMUnitTest walks[] = {
		cmocka_unit_test(every_plain_type_has_its_length),
		cmocka_unit_test(ids_and_numbers_have_a_sign),
		cmocka_unit_test(finds_a_field_in_any_order),
		cmocka_unit_test(nothing_that_is_cut_is_whole),
		cmocka_unit_test(nothing_may_stand_behind_the_stop),
		cmocka_unit_test(types_that_do_not_exist_are_refused),
		cmocka_unit_test(what_is_empty_needs_no_type),
		cmocka_unit_test(counts_and_lengths_that_lie_are_refused),
		cmocka_unit_test(goes_only_so_deep),
		cmocka_unit_test(the_depth_comes_from_the_limits),
	};

	RUN_GROUP(walks);
}

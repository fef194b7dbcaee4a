// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Messages that lie in pieces: nothing may depend on where they are cut. */
#include "unit.h"

#include "message.h"
#include "pieces.h"

static const struct slick_thrift_limits usual;
static const u8 zeros[16];

static void add_plain(struct bytes *to)
{
	static const struct {
		u8 type;
		u32 length;
	} fields[] = {
		{ SLICK_THRIFT_BOOL, 1 }, { SLICK_THRIFT_I8, 1 }, { SLICK_THRIFT_DOUBLE, 8 },
		{ SLICK_THRIFT_I16, 2 }, { SLICK_THRIFT_I32, 4 }, { SLICK_THRIFT_I64, 8 },
		{ SLICK_THRIFT_UUID, 16 },
	};
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		add_field(to, fields[i].type, (u16)(0xfffd + i));
		add(to, zeros, fields[i].length);
	}
}

static void add_containers(struct bytes *to)
{
	add_field(to, SLICK_THRIFT_LIST, 20);
	add_list(to, SLICK_THRIFT_I16, 3);
	add(to, zeros, 6);
	add_field(to, SLICK_THRIFT_MAP, 21);
	add_map(to, SLICK_THRIFT_STRING, SLICK_THRIFT_STRUCT, 2);
	add_string(to, "one");
	add_field(to, SLICK_THRIFT_BOOL, 1);
	add_u8(to, 1);
	add_u8(to, 0);
	add_string(to, "");
	add_u8(to, 0);
	add_field(to, SLICK_THRIFT_MAP, 22);
	add_map(to, SLICK_THRIFT_I8, SLICK_THRIFT_I32, 2);
	add(to, zeros, 10);
	add_field(to, SLICK_THRIFT_MAP, 23);
	add_map(to, 0, 0, 0);
	add_field(to, SLICK_THRIFT_SET, 24);
	add_list(to, SLICK_THRIFT_LIST, 2);
	add_list(to, SLICK_THRIFT_STRING, 1);
	add_string(to, "in a list in a set");
	add_list(to, SLICK_THRIFT_STRUCT, 0);
}

/* A message with all there is in it; what is added behind it is still part of its body. */
static void make_everything(struct bytes *to)
{
	begin_message(to, "everything", SLICK_THRIFT_CALL, 0x80000001);
	add_plain(to);
	add_field(to, SLICK_THRIFT_STRING, 10);
	add_string(to, "a string");
	add_containers(to);
	add_field(to, SLICK_THRIFT_STRING, 11);
	add_string(to, "");
	add_u8(to, 0);
	end_message(to);
}

static void no_cut_changes_a_field(void **state)
{
	static struct bytes bytes;

	(void)state;
	make_everything(&bytes);
	assert_cuts_change_nothing(bytes.data, (u32)bytes.length, &usual);
	/* Another frame behind it is nobody's business. */
	add(&bytes, "\0\0\0\1x", 5);
	assert_cuts_change_nothing(bytes.data, (u32)bytes.length, &usual);
}

static void no_cut_makes_it_whole_too_early(void **state)
{
	static struct bytes bytes;
	u32 length;

	(void)state;
	make_everything(&bytes);
	for (length = 0; length < bytes.length; length++) {
		u32 piece;

		for (piece = 1; piece < 6; piece++)
			assert_cut_changes_nothing(bytes.data, length, 0, piece, &usual);
	}
}

/* Each byte of it made wrong in turn: the same verdict, whatever it is. */
static void no_cut_makes_wrong_right(void **state)
{
	static const u8 wrong[] = { 0, 1, 9, 12, 13, 15, 0x7f, 0x80, 0xff };
	static struct bytes bytes;
	size_t at, i;
	u32 piece;

	(void)state;
	make_everything(&bytes);
	for (at = 0; at < bytes.length; at++) {
		u8 right = bytes.data[at];

		for (i = 0; i < sizeof(wrong); i++) {
			bytes.data[at] = wrong[i];
			for (piece = 1; piece < 9; piece += 3)
				assert_cut_changes_nothing(bytes.data, (u32)bytes.length,
							   (u32)at % piece, piece, &usual);
		}
		bytes.data[at] = right;
	}
}

static void a_body_that_is_cut_short_stays_wrong(void **state)
{
	static struct bytes bytes, cut;
	u32 length;

	(void)state;
	make_everything(&bytes);
	for (length = 4; length < bytes.length; length++) {
		cut.length = 0;
		add(&cut, bytes.data, length);
		end_message(&cut);
		assert_cut_changes_nothing(cut.data, length, 1, 2, &usual);
		assert_cut_changes_nothing(cut.data, length, 0, 7, &usual);
	}
}

static void limits_hold_in_pieces(void **state)
{
	struct slick_thrift_limits limits = { 0 };
	static struct bytes bytes;
	u32 levels, i;

	(void)state;
	for (levels = 1; levels < 70; levels++) {
		begin_message(&bytes, "deep", SLICK_THRIFT_ONEWAY, 0);
		for (i = 0; i < levels; i++)
			add_field(&bytes, SLICK_THRIFT_STRUCT, 1);
		for (i = 0; i <= levels; i++)
			add_u8(&bytes, 0);
		end_message(&bytes);
		limits.max_depth = levels % 3 ? 40 : 80;
		assert_cut_changes_nothing(bytes.data, (u32)bytes.length, 0, 2, &limits);
		assert_cut_changes_nothing(bytes.data, (u32)bytes.length, 2, 3, &usual);
	}
	make_everything(&bytes);
	limits.max_frame = (u32)bytes.length - 4;
	assert_cuts_change_nothing(bytes.data, (u32)bytes.length, &limits);
	limits.max_frame--;
	assert_cuts_change_nothing(bytes.data, (u32)bytes.length, &limits);
}

static const u8 *nothing_there(void *context, u32 offset, u32 number, u8 *scratch)
{
	u32 *left = context;

	(void)offset;
	memset(scratch, 0, number);
	return (*left)-- ? scratch : NULL;
}

/* An skb may lie in memory that no processor can read. */
static void what_cannot_be_looked_at_is_no_message(void **state)
{
	struct slick_thrift_head head = { .frame_length = 30, .body = 20, .max_depth = 3 };
	struct slick_thrift_place place;
	struct slick_thrift_walk walk;
	u32 left = 0;
	const struct slick_thrift_source nothing = {
		.at = nothing_there, .context = &left, .length = 30,
	};

	(void)state;
	assert_int_equal(slick_thrift_read_head(&nothing, &usual, &head), -EPROTO);
	left = 0;
	slick_thrift_places(&nothing, &head, &walk);
	assert_int_equal(slick_thrift_next_place(&walk, &place), -EPROTO);
}

/* A value is never asked for, and no byte more often than it takes to know its type. */
static void values_are_not_looked_at(void **state)
{
	static u8 frame[70100];
	u32 length = (u32)make_msg(frame, sizeof(frame), 5, 70000), at;
	struct slick_thrift_head head;
	struct slick_thrift_place place;
	struct slick_thrift_walk walk;
	struct pieces pieces;

	(void)state;
	pieces_begin(&pieces, length);
	for (at = 0; at < length; at += 1448)
		pieces_add(&pieces, frame + at, length - at < 1448 ? length - at : 1448);
	assert_int_equal(slick_thrift_read_head(&pieces.source, &usual, &head), 1);
	slick_thrift_places(&pieces.source, &head, &walk);
	assert_int_equal(slick_thrift_next_place(&walk, &place), 1);
	assert_int_equal(slick_thrift_next_place(&walk, &place), 1);
	assert_int_equal(place.length, 70000);
	assert_int_equal(slick_thrift_next_place(&walk, &place), 0);
	assert_int_equal(pieces.looks, 3 + 3);
	pieces_end(&pieces);
}

void scatter_tests(void)
{
	const struct CMUnitTest scattered[] = {
		cmocka_unit_test(no_cut_changes_a_field),
		cmocka_unit_test(no_cut_makes_it_whole_too_early),
		cmocka_unit_test(no_cut_makes_wrong_right),
		cmocka_unit_test(a_body_that_is_cut_short_stays_wrong),
		cmocka_unit_test(limits_hold_in_pieces),
		cmocka_unit_test(what_cannot_be_looked_at_is_no_message),
		cmocka_unit_test(values_are_not_looked_at),
	};

	RUN_GROUP(scattered);
}

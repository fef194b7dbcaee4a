// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The parser and the walk, compared with a second reading of the same bytes that is written the
 * other way round: with recursion, and over each value of its own. Then the walk along the same
 * bytes in pieces, compared with the walk in one place.
 */
#include "fuzz.h"

#include <slick/thrift.h>

#include "../pieces.h"

const char *fuzz_name = "fuzz_thrift";

#define BAD (-1)
#define DEEP (-2)

/* Behind a value, or BAD, or DEEP: positions in `bytes`, of which there are `size`. */
static long value_end(const u8 *bytes, long at, long size, u8 type, u32 depth);

static long fields_end(const u8 *bytes, long at, long size, u32 depth)
{
	while (at < size && bytes[at]) {
		u8 type = bytes[at];

		if (at + 3 > size)
			return BAD;
		at = value_end(bytes, at + 3, size, type, depth);
		if (at < 0)
			return at;
	}
	return at < size ? at + 1 : BAD;
}

static long values_end(const u8 *bytes, long at, long size, bool map, u32 depth)
{
	u8 key, type;
	u32 count;

	if (at + (map ? 6 : 5) > size)
		return BAD;
	key = bytes[at];
	at += map;
	type = bytes[at];
	count = slick_get_be32(bytes + at + 1);
	at += 5;
	if (count > (u32)(size - at) || (map && count > (u32)(size - at) / 2))
		return BAD;
	while (count--) {
		if (map)
			at = value_end(bytes, at, size, key, depth);
		if (at >= 0)
			at = value_end(bytes, at, size, type, depth);
		if (at < 0)
			return at;
	}
	return at;
}

static long value_end(const u8 *bytes, long at, long size, u8 type, u32 depth)
{
	static const u8 sizes[] = { 0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 16 };

	if (type >= 12 && type <= 15) {
		if (!depth)
			return DEEP;
		return type == 12 ? fields_end(bytes, at, size, depth - 1)
				  : values_end(bytes, at, size, type == 13, depth - 1);
	}
	if (type == 11) {
		if (size - at < 4 || slick_get_be32(bytes + at) > (u32)(size - at - 4))
			return BAD;
		return at + 4 + (long)slick_get_be32(bytes + at);
	}
	if (type >= sizeof(sizes) || !sizes[type] || size - at < sizes[type])
		return BAD;
	return at + sizes[type];
}

static void walk(const struct slick_thrift_msg *msg)
{
	u32 depth = msg->max_depth < SLICK_THRIFT_DEEPEST ? msg->max_depth : SLICK_THRIFT_DEEPEST;
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	long at = 0;
	int ret;

	slick_thrift_fields(msg, &iter);
	while ((ret = slick_thrift_next(&iter, &field)) == 1) {
		long end;

		must(field.type == msg->body[at]);
		must(field.value == msg->body + at + (field.type == SLICK_THRIFT_STRING ? 7 : 3));
		end = value_end(msg->body, at + 3, msg->body_length, field.type, depth);
		must(end > at);
		must(field.value + field.length == msg->body + end);
		must(iter.at == msg->body + end);
		at = end;
	}
	must(slick_thrift_next(&iter, &field) == ret);
	must(iter.at == msg->body + at);
	if (ret == 0) {
		must(at == (long)msg->body_length - 1 && msg->body[at] == 0);
		fuzz_good++;
	} else if (at < (long)msg->body_length && msg->body[at]) {
		long end = at + 3 > msg->body_length ? BAD :
			   value_end(msg->body, at + 3, msg->body_length, msg->body[at], depth);

		must(ret == (end == DEEP ? -ELOOP : -EPROTO));
		must(end < 0);
	} else {
		must(ret == -EPROTO);
	}
}

static void parse(const u8 *bytes, size_t size, const struct slick_thrift_limits *limits)
{
	while (size) {
		struct slick_thrift_msg msg;
		s64 frame = slick_thrift_frame(bytes, size, limits);
		int ret = slick_thrift_parse(bytes, size, limits, &msg);

		if (frame <= 0 || (u64)frame > size) {
			must(ret == (frame < 0 ? (int)frame : 0));
			fuzz_frames += ret != 0;
			return;
		}
		must(ret == 1 || ret == -EPROTO);
		fuzz_frames++;
		if (ret == 1) {
			must(msg.frame == bytes && msg.frame_length == frame);
			must(msg.name == bytes + 12 && msg.body == msg.name + msg.name_length + 4);
			must(msg.body + msg.body_length == bytes + frame && msg.body_length >= 1);
			must(msg.kind >= SLICK_THRIFT_CALL && msg.kind <= SLICK_THRIFT_ONEWAY);
			walk(&msg);
		}
		bytes += frame;
		size -= (size_t)frame;
	}
}

/* Cut where `cuts` says: into single bytes, small pieces, and long ones among them. */
static void scatter(const u8 *bytes, size_t size, const struct slick_thrift_limits *limits,
		    u32 cuts)
{
	struct pieces pieces;
	u32 at, part;

	pieces_begin(&pieces, size);
	for (at = 0; at < size; at += part) {
		cuts = cuts * 1664525 + 1013904223;
		part = cuts >> 30 ? (cuts >> 16) % 9 + 1 : (cuts >> 16) % 400 + 1;
		if (part > size - at)
			part = (u32)size - at;
		pieces_add(&pieces, bytes + at, part);
	}
	same_message(&pieces.source, bytes, limits);
	pieces_end(&pieces);
}

/* The same bytes as a stream, and as the body of a message whose header is right. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u8 header[15] = { 0x80, 1, 0, 4, 0, 0, 0, 3, 'm', 's', 'g' };
	struct input input = { data, size };
	struct slick_thrift_limits limits;
	u32 cuts;
	u8 *copy;

	limits.max_frame = take_u8(&input) & 1 ? take_u16(&input) : 0;
	limits.max_depth = take_u8(&input) % 80;
	cuts = take_u16(&input);
	/* Memory that ends where the bytes do. */
	copy = malloc(input.left + 19);
	memcpy(copy + 19, input.at, input.left);
	parse(copy + 19, input.left, &limits);
	scatter(copy + 19, input.left, &limits, cuts);
	slick_put_be32(copy, (u32)input.left + 15);
	memcpy(copy + 4, header, sizeof(header));
	parse(copy, input.left + 19, &limits);
	scatter(copy, input.left + 19, &limits, cuts);
	free(copy);
	return 0;
}

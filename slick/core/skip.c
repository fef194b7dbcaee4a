// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Over a value that holds others, wherever the bytes lie. */
#include "thrift_wire.h"

/* A container that is being skipped. The values of a struct have no end but its STOP. */
struct level {
	u32 left;	/* values; a pair of a map is two */
	u8 container;
	u8 type;	/* of a value, or of a map's values */
	u8 key_type;
};

struct skip {
	const struct slick_thrift_source *source;
	u32 at, end;
	u8 scratch[SLICK_THRIFT_LOOK];
};

static inline u32 left(const struct skip *skip)
{
	return skip->end - skip->at;
}

/* The next bytes, which are then behind us; NULL: there are not so many. */
static inline const u8 *take(struct skip *skip, u32 number)
{
	u32 at = skip->at;

	if (number > left(skip))
		return NULL;
	skip->at += number;
	return slick_thrift_look(skip->source, at, number, skip->scratch);
}

static inline int pass(struct skip *skip, u64 number)
{
	if (number > left(skip))
		return -EPROTO;
	skip->at += (u32)number;
	return 0;
}

/* A value that is no container. */
static inline int pass_plain(struct skip *skip, u8 type)
{
	u32 size = wire_size(type);
	const u8 *bytes;

	if (type == SLICK_THRIFT_STRING) {
		bytes = take(skip, 4);
		if (!bytes)
			return -EPROTO;
		size = slick_get_be32(bytes);
	} else if (!size) {
		return -EPROTO;
	}
	return pass(skip, size);
}

/* Reads what stands before the values of a container. */
static int open_level(struct skip *skip, struct level *level, u8 container)
{
	u32 header = container == SLICK_THRIFT_MAP ? 6 : 5;
	const u8 *bytes;
	u32 count, each;

	level->container = container;
	if (container == SLICK_THRIFT_STRUCT)
		return 0;
	bytes = take(skip, header);
	if (!bytes)
		return -EPROTO;
	level->key_type = bytes[0];
	level->type = bytes[header - 5];
	count = slick_get_be32(bytes + header - 4);
	/* No value is shorter than a byte: a count beyond that, or a negative one, is a lie. */
	if (count > left(skip))
		return -EPROTO;
	each = wire_size(level->type);
	if (container == SLICK_THRIFT_MAP) {
		if (count > left(skip) / 2)
			return -EPROTO;
		if (!each || !wire_size(level->key_type))
			each = 0;
		else
			each += wire_size(level->key_type);
		level->left = count * 2;
	} else {
		level->left = count;
	}
	if (!each)
		return 0;
	/* All of one size: over them in one step. */
	level->left = 0;
	return pass(skip, (u64)count * each);
}

/* The type of the next value in a level, and we are before it; 0: the level is over; -EPROTO. */
static int next_value(struct skip *skip, struct level *level)
{
	const u8 *bytes;
	u8 type;

	if (level->container != SLICK_THRIFT_STRUCT) {
		if (!level->left)
			return 0;
		level->left--;
		if (level->container == SLICK_THRIFT_MAP && level->left % 2)
			return level->key_type ? level->key_type : -EPROTO;
		return level->type ? level->type : -EPROTO;
	}
	bytes = take(skip, 1);
	if (!bytes)
		return -EPROTO;
	type = *bytes;
	if (type != SLICK_THRIFT_STOP && pass(skip, WIRE_FIELD_HEADER - 1))
		return -EPROTO;
	return type;
}

/* No recursion: whoever sends the bytes must not decide how much stack is used. */
int slick_thrift_skip(const struct slick_thrift_source *source, u32 end, u32 *at, u8 type,
		      u32 depth)
{
	struct level levels[SLICK_THRIFT_DEEPEST];
	struct skip skip = { .source = source, .at = *at, .end = end };
	int next = type, ret = 0;
	u32 open = 0;

	if (depth > SLICK_THRIFT_DEEPEST)
		depth = SLICK_THRIFT_DEEPEST;
	do {
		if (next < 0)
			return next;
		if (!next) {
			open--;
		} else if (wire_is_container((u8)next)) {
			if (open == depth)
				return -ELOOP;
			ret = open_level(&skip, &levels[open++], (u8)next);
		} else {
			ret = pass_plain(&skip, (u8)next);
		}
		if (ret)
			return ret;
		if (open)
			next = next_value(&skip, &levels[open - 1]);
	} while (open);
	*at = skip.at;
	return 0;
}

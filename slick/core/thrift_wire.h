/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What bytes mean in the strict binary protocol, said once: for messages that lie in one place
 * (thrift.c), for those that do not (scatter.c), and for values within values (skip.c).
 */
#ifndef SLICK_THRIFT_WIRE_H
#define SLICK_THRIFT_WIRE_H

#include <slick/thrift.h>

#define WIRE_VERSION 0x80010000u
#define WIRE_VERSION_MASK 0xffff0000u
#define WIRE_KIND_MASK 0xffu
#define WIRE_FIXED 12		/* of a message: version and kind, length of the name, sequence */
#define WIRE_FIELD_HEADER 3	/* type, id */

/* Bytes of a value whose type says it all; 0: it does not, or there is no such type. */
static inline u32 wire_size(u8 type)
{
	static const u8 sizes[] = {
		[SLICK_THRIFT_BOOL] = 1,
		[SLICK_THRIFT_I8] = 1,
		[SLICK_THRIFT_DOUBLE] = 8,
		[SLICK_THRIFT_I16] = 2,
		[SLICK_THRIFT_I32] = 4,
		[SLICK_THRIFT_I64] = 8,
		[SLICK_THRIFT_UUID] = 16,
	};

	return type < sizeof(sizes) ? sizes[type] : 0;
}

static inline bool wire_is_container(u8 type)
{
	return type >= SLICK_THRIFT_STRUCT && type <= SLICK_THRIFT_LIST;
}

/* Whether so long a frame can be a message: an empty name and a STOP are the least there can be. */
static inline bool wire_is_enough(u32 frame)
{
	return frame >= SLICK_THRIFT_FRAME_HEADER + WIRE_FIXED + 1;
}

/*
 * The eight bytes behind the length of a frame that is long enough: whether they begin a message.
 */
static inline bool wire_head(const u8 *at, u32 frame, u32 *kind, u32 *name_length)
{
	u32 first = slick_get_be32(at);

	*name_length = slick_get_be32(at + 4);
	*kind = first & WIRE_KIND_MASK;
	return (first & WIRE_VERSION_MASK) == WIRE_VERSION &&
	       *name_length < frame - SLICK_THRIFT_FRAME_HEADER - WIRE_FIXED &&
	       *kind - SLICK_THRIFT_CALL <= SLICK_THRIFT_ONEWAY - SLICK_THRIFT_CALL;
}

/*
 * The field at `at`, where `left` bytes of the struct are left, of which the first seven are there:
 * how many bytes stand before its value (of a string the length is among them), and how long it is.
 * A `length` of 0 behind three bytes is that of a container, which has yet to be found. 0: STOP,
 * and nothing is behind it; -EPROTO.
 */
static inline int wire_field(const u8 *at, size_t left, u8 *type, u32 *length)
{
	if (unlikely(!left))
		return -EPROTO;
	*type = at[0];
	if (*type == SLICK_THRIFT_STOP)
		return left == 1 ? 0 : -EPROTO;
	if (unlikely(left < WIRE_FIELD_HEADER))
		return -EPROTO;
	left -= WIRE_FIELD_HEADER;
	if (*type == SLICK_THRIFT_STRING) {
		if (unlikely(left < 4))
			return -EPROTO;
		*length = slick_get_be32(at + WIRE_FIELD_HEADER);
		return likely(*length <= left - 4) ? WIRE_FIELD_HEADER + 4 : -EPROTO;
	}
	*length = wire_size(*type);
	if (unlikely(*length > left || (!*length && !wire_is_container(*type))))
		return -EPROTO;
	return WIRE_FIELD_HEADER;
}

static inline s16 wire_id(const u8 *at)
{
	return (s16)(at[1] << 8 | at[2]);
}

static inline bool wire_is_open(int header, u32 length)
{
	return header == WIRE_FIELD_HEADER && !length;
}

/*
 * skip.c: moves `at` behind a value that is a container, within the bytes of `source` before `end`.
 * 0, -EPROTO, or -ELOOP: more than `depth` in each other.
 */
int slick_thrift_skip(const struct slick_thrift_source *source, u32 end, u32 *at, u8 type,
		      u32 depth);

#endif

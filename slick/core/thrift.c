// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Apache Thrift's frames and strict binary protocol: messages, a walk along fields, a writer. */
#include <slick/thrift.h>

#define VERSION 0x80010000u
#define VERSION_MASK 0xffff0000u
#define KIND_MASK 0xffu
#define MESSAGE_FIXED 12	/* version and kind, length of the name, sequence */
#define FIELD_HEADER 3		/* type, id */

/* Bytes of a value whose type says it all; 0: it does not, or there is no such type. */
static const u8 fixed_size[] = {
	[SLICK_THRIFT_BOOL] = 1,
	[SLICK_THRIFT_I8] = 1,
	[SLICK_THRIFT_DOUBLE] = 8,
	[SLICK_THRIFT_I16] = 2,
	[SLICK_THRIFT_I32] = 4,
	[SLICK_THRIFT_I64] = 8,
	[SLICK_THRIFT_UUID] = 16,
};

static inline u32 size_of_type(u8 type)
{
	return type < sizeof(fixed_size) ? fixed_size[type] : 0;
}

static inline s64 frame_length(const u8 *bytes, size_t length,
			       const struct slick_thrift_limits *limits)
{
	u32 max = limits->max_frame;
	u32 body;

	if (length < SLICK_THRIFT_FRAME_HEADER)
		return 0;
	body = slick_get_be32(bytes);
	if (unlikely(body > (max ? max : SLICK_THRIFT_MAX_FRAME)))
		return body > SLICK_THRIFT_LONGEST_FRAME ? -EPROTO : -EMSGSIZE;
	if (unlikely(body > SLICK_THRIFT_LONGEST_FRAME))
		return -EPROTO;
	return (s64)body + SLICK_THRIFT_FRAME_HEADER;
}

s64 slick_thrift_frame(const u8 *bytes, size_t length, const struct slick_thrift_limits *limits)
{
	return frame_length(bytes, length, limits);
}
EXPORT_SYMBOL_GPL(slick_thrift_frame);

int slick_thrift_parse(const u8 *bytes, size_t length, const struct slick_thrift_limits *limits,
		       struct slick_thrift_msg *msg)
{
	s64 frame = frame_length(bytes, length, limits);
	u32 left, first, name_length;

	if (frame <= 0)
		return (int)frame;
	if ((u64)frame > length)
		return 0;
	/* An empty name and an empty struct, which is a STOP, are the least there can be. */
	left = (u32)frame - SLICK_THRIFT_FRAME_HEADER;
	if (unlikely(left < MESSAGE_FIXED + 1))
		return -EPROTO;
	left -= MESSAGE_FIXED;
	first = slick_get_be32(bytes + 4);
	name_length = slick_get_be32(bytes + 8);
	msg->kind = first & KIND_MASK;
	if (unlikely((first & VERSION_MASK) != VERSION || name_length >= left ||
		     msg->kind - SLICK_THRIFT_CALL > SLICK_THRIFT_ONEWAY - SLICK_THRIFT_CALL))
		return -EPROTO;
	msg->frame = bytes;
	msg->frame_length = (u32)frame;
	msg->name = bytes + 12;
	msg->name_length = name_length;
	msg->sequence = (s32)slick_get_be32(msg->name + name_length);
	msg->body = msg->name + name_length + 4;
	msg->body_length = left - name_length;
	msg->max_depth = limits->max_depth ? limits->max_depth : SLICK_THRIFT_MAX_DEPTH;
	return 1;
}
EXPORT_SYMBOL_GPL(slick_thrift_parse);

/* A container that is being skipped. The values of a struct have no end but its STOP. */
struct level {
	u32 left;	/* values; a pair of a map is two */
	u8 container;
	u8 type;	/* of a value, or of a map's values */
	u8 key_type;
};

/* Behind a value that is no container, or NULL. */
static inline const u8 *skip_plain(const u8 *at, const u8 *end, u8 type)
{
	u32 size = size_of_type(type);
	size_t left = end - at;

	if (type == SLICK_THRIFT_STRING) {
		if (left < 4)
			return NULL;
		size = slick_get_be32(at);
		at += 4;
		left -= 4;
	} else if (!size) {
		return NULL;
	}
	return size <= left ? at + size : NULL;
}

static inline bool is_container(u8 type)
{
	return type >= SLICK_THRIFT_STRUCT && type <= SLICK_THRIFT_LIST;
}

/* Reads what stands before the values of a container: behind it, or NULL. */
static const u8 *open_level(struct level *level, const u8 *at, const u8 *end, u8 container)
{
	u32 header = container == SLICK_THRIFT_MAP ? 6 : 5;
	u32 count, each;
	size_t left = end - at;

	level->container = container;
	if (container == SLICK_THRIFT_STRUCT)
		return at;
	if (left < header)
		return NULL;
	level->key_type = at[0];
	level->type = at[header - 5];
	count = slick_get_be32(at + header - 4);
	at += header;
	left -= header;
	/* No value is shorter than a byte: a count beyond that, or a negative one, is a lie. */
	if (count > left)
		return NULL;
	each = size_of_type(level->type);
	if (container == SLICK_THRIFT_MAP) {
		if (count > left / 2)
			return NULL;
		if (!each || !size_of_type(level->key_type))
			each = 0;
		else
			each += size_of_type(level->key_type);
		level->left = count * 2;
	} else {
		level->left = count;
	}
	if (!each)
		return at;
	/* All of one size: over them in one step. */
	level->left = 0;
	return (u64)count * each <= left ? at + (size_t)count * each : NULL;
}

/* The type of the next value in a level, and `at` moved to it; 0: the level is over; -EPROTO. */
static int next_value(struct level *level, const u8 **at, const u8 *end)
{
	size_t left = end - *at;

	if (level->container != SLICK_THRIFT_STRUCT) {
		if (!level->left)
			return 0;
		level->left--;
		if (level->container == SLICK_THRIFT_MAP && level->left % 2)
			return level->key_type ? level->key_type : -EPROTO;
		return level->type ? level->type : -EPROTO;
	}
	if (!left)
		return -EPROTO;
	if (**at == SLICK_THRIFT_STOP) {
		*at += 1;
		return 0;
	}
	if (left < FIELD_HEADER)
		return -EPROTO;
	left = **at;
	*at += FIELD_HEADER;
	return (int)left;
}

/* No recursion: whoever sends the bytes must not decide how much stack is used. */
static int skip_container(const u8 **from, const u8 *end, u8 type, u32 depth)
{
	struct level levels[SLICK_THRIFT_DEEPEST];
	const u8 *at = *from;
	u32 open = 0;
	int next = type;

	if (depth > SLICK_THRIFT_DEEPEST)
		depth = SLICK_THRIFT_DEEPEST;
	do {
		if (next < 0)
			return next;
		if (!next) {
			open--;
		} else if (is_container((u8)next)) {
			if (open == depth)
				return -ELOOP;
			at = open_level(&levels[open++], at, end, (u8)next);
		} else {
			at = skip_plain(at, end, (u8)next);
		}
		if (!at)
			return -EPROTO;
		if (open)
			next = next_value(&levels[open - 1], &at, end);
	} while (open);
	*from = at;
	return 0;
}

static int take_container(struct slick_thrift_iter *iter, struct slick_thrift_field *field)
{
	const u8 *at = field->value;
	int ret = skip_container(&at, iter->end, field->type, iter->depth);

	if (ret)
		return ret;
	field->length = (u32)(at - field->value);
	iter->at = at;
	return 1;
}

int slick_thrift_next(struct slick_thrift_iter *iter, struct slick_thrift_field *field)
{
	const u8 *at = iter->at;
	size_t left = iter->end - at;
	u32 size;

	if (unlikely(!left))
		return -EPROTO;
	if (*at == SLICK_THRIFT_STOP)
		return left == 1 ? 0 : -EPROTO;
	if (unlikely(left < FIELD_HEADER))
		return -EPROTO;
	field->type = at[0];
	field->id = (s16)(at[1] << 8 | at[2]);
	at += FIELD_HEADER;
	left -= FIELD_HEADER;
	size = size_of_type(field->type);
	if (field->type == SLICK_THRIFT_STRING) {
		if (unlikely(left < 4))
			return -EPROTO;
		size = slick_get_be32(at);
		at += 4;
		left -= 4;
	} else if (!size) {
		field->value = at;
		return is_container(field->type) ? take_container(iter, field) : -EPROTO;
	}
	if (unlikely(size > left))
		return -EPROTO;
	field->value = at;
	field->length = size;
	iter->at = at + size;
	return 1;
}
EXPORT_SYMBOL_GPL(slick_thrift_next);

static void put(struct slick_thrift_writer *writer, const void *bytes, size_t length)
{
	if (length && writer->length <= writer->size && length <= writer->size - writer->length)
		memcpy(writer->data + writer->length, bytes, length);
	writer->length += length;
	if (writer->length < length)
		writer->length = SIZE_MAX;
}

static void put_be32(struct slick_thrift_writer *writer, u32 value)
{
	u8 bytes[4];

	slick_put_be32(bytes, value);
	put(writer, bytes, sizeof(bytes));
}

static void put_field(struct slick_thrift_writer *writer, u8 type, s16 id)
{
	const u8 bytes[FIELD_HEADER] = { type, (u8)((u16)id >> 8), (u8)id };

	put(writer, bytes, sizeof(bytes));
}

void slick_thrift_begin(struct slick_thrift_writer *writer, void *data, size_t size,
			const char *name, u32 kind, s32 sequence)
{
	u32 length = (u32)strlen(name);

	writer->data = data;
	writer->size = size;
	writer->length = 0;
	put_be32(writer, 0);
	put_be32(writer, VERSION | (kind & KIND_MASK));
	put_be32(writer, length);
	put(writer, name, length);
	put_be32(writer, (u32)sequence);
}
EXPORT_SYMBOL_GPL(slick_thrift_begin);

void slick_thrift_put_i32(struct slick_thrift_writer *writer, s16 id, s32 value)
{
	put_field(writer, SLICK_THRIFT_I32, id);
	put_be32(writer, (u32)value);
}
EXPORT_SYMBOL_GPL(slick_thrift_put_i32);

void slick_thrift_put_string(struct slick_thrift_writer *writer, s16 id, const void *bytes,
			     u32 length)
{
	put_field(writer, SLICK_THRIFT_STRING, id);
	put_be32(writer, length);
	put(writer, bytes, length);
}
EXPORT_SYMBOL_GPL(slick_thrift_put_string);

s64 slick_thrift_end(struct slick_thrift_writer *writer)
{
	const u8 stop = SLICK_THRIFT_STOP;

	put(writer, &stop, sizeof(stop));
	if (writer->length > writer->size ||
	    writer->length - SLICK_THRIFT_FRAME_HEADER > SLICK_THRIFT_LONGEST_FRAME)
		return -ENOBUFS;
	slick_put_be32(writer->data, (u32)(writer->length - SLICK_THRIFT_FRAME_HEADER));
	return (s64)writer->length;
}
EXPORT_SYMBOL_GPL(slick_thrift_end);

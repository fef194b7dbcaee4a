// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Apache Thrift's frames and strict binary protocol: messages, a walk along fields, a writer. */
#include "thrift_wire.h"

static inline s64 frame_length(const u8 *bytes, size_t length,
			       const struct slick_thrift_limits *limits)
{
	u32 body;

	if (length < SLICK_THRIFT_FRAME_HEADER)
		return 0;
	body = slick_get_be32(bytes);
	if (unlikely(body > slick_thrift_max_frame(limits)))
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

	if (frame <= 0)
		return (int)frame;
	if ((u64)frame > length)
		return 0;
	if (unlikely(!wire_is_enough((u32)frame) ||
		     !wire_head(bytes + SLICK_THRIFT_FRAME_HEADER, (u32)frame, &msg->kind,
				&msg->name_length)))
		return -EPROTO;
	msg->frame = bytes;
	msg->frame_length = (u32)frame;
	msg->name = bytes + SLICK_THRIFT_FRAME_HEADER + 8;
	msg->sequence = (s32)slick_get_be32(msg->name + msg->name_length);
	msg->body = msg->name + msg->name_length + 4;
	msg->body_length = msg->frame_length - SLICK_THRIFT_FRAME_HEADER - WIRE_FIXED -
			   msg->name_length;
	msg->max_depth = slick_thrift_max_depth(limits);
	return 1;
}
EXPORT_SYMBOL_GPL(slick_thrift_parse);

static int take_container(struct slick_thrift_iter *iter, struct slick_thrift_field *field)
{
	const u32 left = (u32)(iter->end - field->value);
	const struct slick_thrift_source source = { .bytes = field->value, .length = left };
	int ret;

	field->length = 0;
	ret = slick_thrift_skip(&source, left, &field->length, field->type, iter->depth);
	if (ret)
		return ret;
	iter->at = field->value + field->length;
	return 1;
}

int slick_thrift_next(struct slick_thrift_iter *iter, struct slick_thrift_field *field)
{
	const u8 *at = iter->at;
	u32 length;
	int header;
	u8 type;

	header = wire_field(at, iter->end - at, &type, &length);
	if (unlikely(header <= 0))
		return header;
	field->type = type;
	field->id = wire_id(at);
	at += header;
	field->value = at;
	if (unlikely(wire_is_open(header, length)))
		return take_container(iter, field);
	field->length = length;
	iter->at = at + length;
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
	const u8 bytes[WIRE_FIELD_HEADER] = { type, (u8)((u16)id >> 8), (u8)id };

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
	put_be32(writer, WIRE_VERSION | (kind & WIRE_KIND_MASK));
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

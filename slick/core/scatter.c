// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Messages that do not lie in one place: the same verdicts as thrift.c's, field for field. */
#include "thrift_wire.h"

int slick_thrift_read_head(const struct slick_thrift_source *source,
			   const struct slick_thrift_limits *limits,
			   struct slick_thrift_head *head)
{
	u8 scratch[SLICK_THRIFT_LOOK];
	const u8 *bytes;
	s64 frame;

	if (source->length < SLICK_THRIFT_FRAME_HEADER)
		return 0;
	bytes = slick_thrift_look(source, 0, SLICK_THRIFT_FRAME_HEADER, scratch);
	if (!bytes)
		return -EPROTO;
	frame = slick_thrift_frame(bytes, SLICK_THRIFT_FRAME_HEADER, limits);
	if (frame < 0)
		return (int)frame;
	if (frame > source->length)
		return 0;
	head->frame_length = (u32)frame;
	if (!wire_is_enough(head->frame_length))
		return -EPROTO;
	bytes = slick_thrift_look(source, SLICK_THRIFT_FRAME_HEADER, 8, scratch);
	if (!bytes || !wire_head(bytes, head->frame_length, &head->kind, &head->name_length))
		return -EPROTO;
	head->name = SLICK_THRIFT_FRAME_HEADER + 8;
	bytes = slick_thrift_look(source, head->name + head->name_length, 4, scratch);
	if (!bytes)
		return -EPROTO;
	head->sequence = (s32)slick_get_be32(bytes);
	head->body = head->name + head->name_length + 4;
	head->max_depth = slick_thrift_max_depth(limits);
	return 1;
}
EXPORT_SYMBOL_GPL(slick_thrift_read_head);

int slick_thrift_next_place(struct slick_thrift_walk *walk, struct slick_thrift_place *place)
{
	u32 left = walk->end - walk->at, length, end;
	u8 scratch[SLICK_THRIFT_LOOK];
	const u8 *bytes;
	int header, ret;

	if (unlikely(!left))
		return -EPROTO;
	bytes = slick_thrift_look(walk->source, walk->at, left < 7 ? left : 7, scratch);
	if (unlikely(!bytes))
		return -EPROTO;
	header = wire_field(bytes, left, &place->type, &length);
	if (header <= 0)
		return header;
	place->id = wire_id(bytes);
	place->offset = walk->at + (u32)header;
	end = place->offset + length;
	if (wire_is_open(header, length)) {
		ret = slick_thrift_skip(walk->source, walk->end, &end, place->type, walk->depth);
		if (ret)
			return ret;
	}
	place->length = end - place->offset;
	walk->at = end;
	return 1;
}
EXPORT_SYMBOL_GPL(slick_thrift_next_place);

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A message that lies in pieces, each in memory of its own and of exactly its size, so that a byte
 * read too far is found; and a comparison of what the scattered walk says of it with what the other
 * says of the same bytes in one place. `must(condition)` is whoever includes this one's to define.
 */
#ifndef SLICK_TESTS_PIECES_H
#define SLICK_TESTS_PIECES_H

#include <stdlib.h>

#include <slick/thrift.h>

struct piece {
	u8 *bytes;
	u32 from, length;
};

struct pieces {
	struct piece *piece;
	size_t number;
	struct slick_thrift_source source;
	u32 looks;	/* how often it was asked */
};

/* The piece that has the byte; the search is by halves, as a frame of single bytes has many. */
static inline const struct piece *piece_of(const struct pieces *pieces, u32 offset)
{
	size_t low = 0, high = pieces->number;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (pieces->piece[middle].from <= offset)
			low = middle;
		else
			high = middle;
	}
	return &pieces->piece[low];
}

static inline const u8 *pieces_at(void *context, u32 offset, u32 number, u8 *scratch)
{
	struct pieces *pieces = context;
	const struct piece *piece;
	u32 i;

	pieces->looks++;
	must(number && number <= SLICK_THRIFT_LOOK);
	must(offset < pieces->source.length && number <= pieces->source.length - offset);
	piece = piece_of(pieces, offset);
	if (offset - piece->from + number <= piece->length)
		return piece->bytes + (offset - piece->from);
	/* What nobody asked for must not be looked at. */
	memset(scratch, 0xee, SLICK_THRIFT_LOOK);
	for (i = 0; i < number; i++) {
		piece = piece_of(pieces, offset + i);
		scratch[i] = piece->bytes[offset + i - piece->from];
	}
	return scratch;
}

/* Room for pieces of `length` bytes, which pieces_add() then gives in order. */
static inline void pieces_begin(struct pieces *pieces, size_t length)
{
	pieces->piece = malloc((length + 1) * sizeof(*pieces->piece));
	must(pieces->piece);
	pieces->number = 0;
	pieces->looks = 0;
	pieces->source = (struct slick_thrift_source){ .at = pieces_at, .context = pieces };
}

static inline void pieces_add(struct pieces *pieces, const u8 *bytes, u32 length)
{
	struct piece *piece = &pieces->piece[pieces->number];

	if (!length)
		return;
	piece->bytes = malloc(length);
	must(piece->bytes);
	memcpy(piece->bytes, bytes, length);
	piece->from = pieces->source.length;
	piece->length = length;
	pieces->source.length += length;
	pieces->number++;
}

static inline void pieces_end(struct pieces *pieces)
{
	while (pieces->number)
		free(pieces->piece[--pieces->number].bytes);
	free(pieces->piece);
}

static inline void same_fields(const struct slick_thrift_source *source,
			       const struct slick_thrift_head *head,
			       const struct slick_thrift_msg *msg)
{
	struct slick_thrift_field field;
	struct slick_thrift_place place;
	struct slick_thrift_walk walk;
	struct slick_thrift_iter iter;
	int ret;

	slick_thrift_fields(msg, &iter);
	slick_thrift_places(source, head, &walk);
	while ((ret = slick_thrift_next(&iter, &field)) == 1) {
		must(slick_thrift_next_place(&walk, &place) == 1);
		must(place.id == field.id && place.type == field.type);
		must(place.offset == field.value - msg->frame && place.length == field.length);
		must(walk.at == iter.at - msg->frame);
	}
	must(slick_thrift_next_place(&walk, &place) == ret);
	must(walk.at == iter.at - msg->frame);
	/* What was wrong stays wrong, and an end stays one. */
	must(slick_thrift_next_place(&walk, &place) == ret);
}

/* All verdicts and all places are the same as those of `bytes`, which lie in one. */
static inline void same_message(const struct slick_thrift_source *source, const u8 *bytes,
				const struct slick_thrift_limits *limits)
{
	struct slick_thrift_head head;
	struct slick_thrift_msg msg;
	int ret = slick_thrift_parse(bytes, source->length, limits, &msg);

	must(slick_thrift_read_head(source, limits, &head) == ret);
	if (ret != 1)
		return;
	must(head.frame_length == msg.frame_length);
	must(head.name == msg.name - bytes && head.name_length == msg.name_length);
	must(head.kind == msg.kind && head.sequence == msg.sequence);
	must(head.body == msg.body - bytes && head.max_depth == msg.max_depth);
	must(head.frame_length - head.body == msg.body_length);
	same_fields(source, &head, &msg);
}

#endif

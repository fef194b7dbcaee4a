/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Frames that are cut at every byte. */
#ifndef SLICK_TESTS_UNIT_PIECES_H
#define SLICK_TESTS_UNIT_PIECES_H

#define must(condition) assert_true(condition)
#include "../pieces.h"

/*
 * `bytes` in pieces of `piece` bytes, the first of which is `first` bytes long; 0: all the rest.
 */
static inline void assert_cut_changes_nothing(const u8 *bytes, u32 length, u32 first, u32 piece,
					      const struct slick_thrift_limits *limits)
{
	struct pieces pieces;
	u32 at = first;

	pieces_begin(&pieces, length);
	pieces_add(&pieces, bytes, first);
	while (at < length) {
		u32 part = piece && piece < length - at ? piece : length - at;

		pieces_add(&pieces, bytes + at, part);
		at += part;
	}
	same_message(&pieces.source, bytes, limits);
	pieces_end(&pieces);
}

/* In one place, in two pieces cut at every byte, and in many of every small size. */
static inline void assert_cuts_change_nothing(const u8 *bytes, u32 length,
					      const struct slick_thrift_limits *limits)
{
	const struct slick_thrift_source whole = { .bytes = bytes, .length = length };
	u32 cut, piece;

	same_message(&whole, bytes, limits);
	for (cut = 0; cut <= length; cut++)
		assert_cut_changes_nothing(bytes, length, cut, 0, limits);
	for (piece = 1; piece <= 20; piece++)
		for (cut = 0; cut < piece && cut <= length; cut++)
			assert_cut_changes_nothing(bytes, length, cut, piece, limits);
}

#endif

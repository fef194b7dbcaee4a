/*
 * ring · 82599:7.1.9 82599:7.2.3.3
 * Pure functions on unsigned indices below `slots`; no memory, no I/O. Rings need not be a power of two long, so the
 * wrap is a compare (which the compiler turns into a conditional move), never a mask or a division.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RINGWAY_SRC_RING_H
#define RINGWAY_SRC_RING_H

#include <stdint.h>

/** The index behind `index`. */
static inline uint32_t ring_next(uint32_t index, uint32_t slots)
{
	return index + 1 == slots ? 0 : index + 1;
}

/** The index `count` (at most `slots`) behind `index`. */
static inline uint32_t ring_advance(uint32_t index, uint32_t count, uint32_t slots)
{
	uint32_t sum = index + count;

	return sum >= slots ? sum - slots : sum;
}

/** Slots from `from` up to, not including, `to`. Equal indices mean none. */
static inline uint32_t ring_used(uint32_t from, uint32_t to, uint32_t slots)
{
	return to >= from ? to - from : to + slots - from;
}

/** Slots that can be filled at `to` before it would catch up with `from`: one slot always stays empty, because equal
 *  head and tail mean an empty ring. */
static inline uint32_t ring_free(uint32_t from, uint32_t to, uint32_t slots)
{
	return slots - 1 - ring_used(from, to, slots);
}

#endif

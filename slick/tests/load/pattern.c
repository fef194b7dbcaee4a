// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Every message is a stretch of one table of noise; where it begins tells messages that follow each
 * other apart.
 */
#include "load.h"

#define PLACES 65536

static uint8_t *table;

void pattern_open(uint32_t size)
{
	uint64_t state = 0x9e3779b97f4a7c15ull;
	size_t i, length = (size_t)PLACES + size;

	table = get_memory(length);
	for (i = 0; i < length; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		table[i] = (uint8_t)(state >> 32);
	}
}

const uint8_t *pattern_of(uint32_t stream, uint64_t sequence)
{
	/* An odd factor: the next 65535 messages of a stream all begin elsewhere. */
	return table + ((sequence * 40503 + stream * 7919ull) & (PLACES - 1));
}

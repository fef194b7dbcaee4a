// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Every message is a stretch of one table of noise; where it begins tells messages that follow each
 * other apart.
 */
#include "load.h"

#include <string.h>

#define PLACES 65536

static uint8_t *table;
static uint32_t message_size;

/* The message that was asked for last, in a frame; NULL: they are in none. */
static uint8_t *frame;
static uint32_t frame_stream;
static uint64_t frame_sequence;

void pattern_open(uint32_t size, bool thrift)
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
	message_size = size;
	frame = thrift ? get_memory(size) : NULL;
	frame_stream = UINT32_MAX;
}

/* An odd factor: the next 65535 messages of a stream all begin elsewhere. */
static const uint8_t *noise_of(uint32_t stream, uint64_t sequence)
{
	return table + ((sequence * 40503 + stream * 7919ull) & (PLACES - 1));
}

const uint8_t *pattern_of(uint32_t stream, uint64_t sequence)
{
	if (!frame)
		return noise_of(stream, sequence);
	if (frame_stream != stream || frame_sequence != sequence) {
		memcpy(frame, noise_of(stream, sequence), message_size);
		frame_msg(frame, message_size - FRAME_EXTRA);
		frame_stream = stream;
		frame_sequence = sequence;
	}
	return frame;
}

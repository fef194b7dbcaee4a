// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Framed strict TBinary, written out: the program that tests a parser does not use it. */
#include "load.h"

#include <string.h>

void put32(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 24);
	at[1] = (uint8_t)(value >> 16);
	at[2] = (uint8_t)(value >> 8);
	at[3] = (uint8_t)value;
}

uint32_t get32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Everything of `oneway msg(1: i32 key, 2: string payload)` but the key and the payload. */
void frame_msg(uint8_t *frame, uint32_t payload)
{
	static const uint8_t until_key[] = {
		0x80, 1, 0, 4,			/* version 1, oneway */
		0, 0, 0, 3, 'm', 's', 'g',
		0, 0, 0, 0,			/* sequence */
		8, 0, 1,			/* i32, field 1 */
	};

	put32(frame, FRAME_EXTRA - 4 + payload);
	memcpy(frame + 4, until_key, sizeof(until_key));
	frame[FRAME_KEY + 4] = 11; /* string, field 2 */
	frame[FRAME_KEY + 5] = 0;
	frame[FRAME_KEY + 6] = 2;
	put32(frame + FRAME_KEY + 7, payload);
	frame[FRAME_PAYLOAD + payload] = 0;
}

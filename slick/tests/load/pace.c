// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * An open loop sends when it is time to, not when an answer came. Streams take turns: stream
 * `offset` of `stride` sends every stride-th message of the whole.
 */
#include "load.h"

uint64_t pace_time(const struct pace *pace, uint64_t index)
{
	unsigned __int128 whole = (unsigned __int128)index * pace->stride + pace->offset;

	return pace->start + (uint64_t)(whole * NS / pace->rate);
}

uint64_t pace_due(const struct pace *pace, uint64_t time)
{
	uint64_t whole;

	if (time < pace->start)
		return 0;
	whole = (uint64_t)((unsigned __int128)(time - pace->start) * pace->rate / NS) + 1;
	return whole <= pace->offset ? 0 : (whole - pace->offset + pace->stride - 1) / pace->stride;
}

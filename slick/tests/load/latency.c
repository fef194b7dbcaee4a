// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* A histogram with 64 slots for each doubling, so that a percentile is right to 2 %. */
#include "load.h"

static unsigned int slot_of(uint64_t ns)
{
	unsigned int power;

	if (ns < 64)
		return (unsigned int)ns;
	power = 63 - (unsigned int)__builtin_clzll(ns);
	if (power > 46)
		return LATENCY_SLOTS - 1;
	return (power - 5) * 64 + (unsigned int)((ns >> (power - 6)) & 63);
}

static double value_of(unsigned int slot)
{
	if (slot < 64)
		return slot;
	return (double)(64 + slot % 64) * (double)(1ull << (slot / 64 - 1));
}

void latency_add(struct latency *latency, uint64_t ns)
{
	latency->slot[slot_of(ns)]++;
	latency->number++;
}

double latency_us(const struct latency *latency, double part)
{
	uint64_t seen = 0, wanted = (uint64_t)((double)latency->number * part);
	unsigned int slot;

	for (slot = 0; slot < LATENCY_SLOTS; slot++) {
		seen += latency->slot[slot];
		if (seen > wanted)
			return value_of(slot) / 1000;
	}
	return 0;
}

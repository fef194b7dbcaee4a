/* SPDX-License-Identifier: BSD-3-Clause */
/* A function made of memory: registers that remember, bits that come true by themselves as in a healthy 82599, a log of
 * writes, and faults. `fake:` is its address (fake_bus_open is linked in front of the real bus_open). */
#ifndef RINGWAY_TESTS_FAKE_H
#define RINGWAY_TESTS_FAKE_H

#include <stdbool.h>

#include "bus.h"

#define FAKE_BAR_BYTES 0x20000u
#define FAKE_WRITES    16384u

struct fake {
	struct bus bus; /* first */
	uint32_t reg[FAKE_BAR_BYTES / 4];
	uint32_t config[4];
	uint32_t stuck_at, stuck_mask, stuck_value; /* bits of one register that read as they like */
	bool gone;            /* every access fails */
	bool mapped, closed;
	uint32_t reads;
	uint32_t writes;
	struct {
		uint32_t offset, value;
	} write[FAKE_WRITES];
};

/** A new 82599. The last one made is what `fake:` opens; it stays until fake_end. */
struct fake *fake_begin(void);
void fake_end(struct fake *fake);
/** Makes the register at `offset` read `value` in the bits of `mask` whatever is written. */
void fake_stick(struct fake *fake, uint32_t offset, uint32_t mask, uint32_t value);
/** Index of the first write of `value` under `mask` to `offset` from write number `from` on, or -1. */
int fake_find_write(const struct fake *fake, uint32_t from, uint32_t offset, uint32_t mask, uint32_t value);

#endif

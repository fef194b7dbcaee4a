/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packet -- pools of slots (design: packets are slots, not objects)
 * A pool is a stack of slot numbers: the slot given back last, whose lines are still in the cache, is the next taken. A slot
 * always returns to the pool it came from, whichever ring or device let go of it.
 */
#ifndef RINGWAY_SRC_PACKET_H
#define RINGWAY_SRC_PACKET_H

#include "dma.h"

struct pool {
	struct ringway_memory *memory;
	uint32_t total; /* slots that the pool owns */
	uint32_t free;  /* slots on the stack */
	uint8_t number; /* in memory->home */
	bool retired;   /* its device is closed; it ends when the last slot has come home */
	uint32_t stack[];
};

/** Makes a pool of `slots` slots, all free. */
int pool_create(struct ringway_memory *memory, uint32_t slots, struct pool **pool);
/** The device is closed. Slots may still be in batches or in other devices' rings: the pool's number and slots are used
 *  again only when all have come home. */
void pool_retire(struct pool *pool);

/** Puts a slot on the stack of the pool that it came from. */
static inline void pool_give_back(struct ringway_memory *memory, uint32_t slot)
{
	struct pool *pool = memory->pools[memory->home[slot]];

	pool->stack[pool->free++] = slot;
}

#endif

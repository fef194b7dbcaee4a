/*
 * packet · no source: this is ours
 * Pools are stacks of slot numbers; a batch is an array of them, and nothing but the code says who owns a slot.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

static int free_number(const struct ringway_memory *memory)
{
	for (uint32_t number = 1; number <= DMA_POOLS; number++)
		if (!memory->pools[number])
			return (int)number;
	return error_set(ENOMEM, "all %u pools of the DMA memory are in use", DMA_POOLS);
}

/* Slots that belong to nobody. */
static uint32_t count_free(const struct ringway_memory *memory)
{
	uint32_t count = 0;

	for (uint32_t slot = 0; slot < memory->slots; slot++)
		count += memory->home[slot] == 0;
	return count;
}

static void end_if_home(struct pool *pool)
{
	if (!pool->retired || pool->free < pool->total)
		return;
	for (uint32_t i = 0; i < pool->total; i++)
		pool->memory->home[pool->stack[i]] = 0;
	pool->memory->pools[pool->number] = NULL;
	free(pool);
}

static void end_retired(struct ringway_memory *memory)
{
	for (uint32_t number = 1; number <= DMA_POOLS; number++)
		if (memory->pools[number])
			end_if_home(memory->pools[number]);
}

/* Fills the stack so that the lowest slot is on top. */
static void take_slots(struct pool *pool)
{
	uint32_t left = pool->total;

	for (uint32_t slot = 0; left; slot++) {
		if (pool->memory->home[slot])
			continue;
		pool->memory->home[slot] = pool->number;
		pool->stack[--left] = slot;
	}
}

int pool_create(struct ringway_memory *memory, uint32_t slots, struct pool **out)
{
	struct pool *pool;
	int number;

	end_retired(memory);
	number = free_number(memory);
	if (number < 0)
		return number;
	if (slots > count_free(memory))
		return error_set(ENOMEM, "the DMA memory of %zu bytes has no room for a pool of %u packets of %u bytes",
		                 memory->bytes, slots, DMA_SLOT_STRIDE);
	pool = malloc(sizeof(*pool) + slots * sizeof(pool->stack[0]));
	if (!pool)
		return error_set(ENOMEM, "out of memory");
	*pool = (struct pool){ .memory = memory, .total = slots, .free = slots, .number = (uint8_t)number };
	take_slots(pool);
	memory->pools[number] = pool;
	*out = pool;
	return 0;
}

void pool_retire(struct pool *pool)
{
	if (!pool)
		return;
	pool->retired = true;
	end_if_home(pool);
}

struct ringway_batch *ringway_batch_create(struct ringway_memory *memory, uint32_t capacity)
{
	struct ringway_batch *batch = malloc(sizeof(*batch) + capacity * sizeof(batch->slot[0]));

	if (!batch) {
		error_set(ENOMEM, "out of memory for a batch of %u", capacity);
		return NULL;
	}
	*batch = (struct ringway_batch){ .memory = memory, .capacity = capacity };
	return batch;
}

void ringway_batch_release(struct ringway_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++)
		pool_give_back(batch->memory, batch->slot[i]);
	batch->count = 0;
}

void ringway_batch_destroy(struct ringway_batch *batch)
{
	if (!batch)
		return;
	ringway_batch_release(batch);
	free(batch);
}

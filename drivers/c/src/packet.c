/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static int free_number(const struct ringway_memory *memory)
{
	for (uint32_t number = 1; number <= DMA_POOLS; number++)
		if (!memory->pools[number])
			return (int)number;
	return error_set(ENOMEM, "all %u pools of the DMA memory are in use", DMA_POOLS);
}

/* First of `slots` slots that belong to nobody, or memory->slots. */
static uint32_t free_run(const struct ringway_memory *memory, uint32_t slots)
{
	uint32_t run = 0;

	for (uint32_t slot = 0; slot < memory->slots; slot++) {
		run = memory->home[slot] ? 0 : run + 1;
		if (run == slots)
			return slot + 1 - slots;
	}
	return memory->slots;
}

static void end_if_home(struct pool *pool)
{
	if (!pool->retired || pool->free < pool->total)
		return;
	memset(pool->memory->home + pool->first, 0, pool->total);
	pool->memory->pools[pool->number] = NULL;
	free(pool);
}

static void end_retired(struct ringway_memory *memory)
{
	for (uint32_t number = 1; number <= DMA_POOLS; number++)
		if (memory->pools[number])
			end_if_home(memory->pools[number]);
}

int pool_create(struct ringway_memory *memory, uint32_t slots, struct pool **out)
{
	struct pool *pool;
	uint32_t first;
	int number;

	end_retired(memory);
	number = free_number(memory);
	first = free_run(memory, slots);
	if (number < 0)
		return number;
	if (first == memory->slots)
		return error_set(ENOMEM, "the DMA memory of %zu bytes has no room for a pool of %u packets of %u bytes",
		                 memory->bytes, slots, DMA_SLOT_STRIDE);
	pool = malloc(sizeof(*pool) + slots * sizeof(pool->stack[0]));
	if (!pool)
		return error_set(ENOMEM, "out of memory");
	*pool = (struct pool){ .memory = memory, .first = first, .total = slots, .free = slots, .number = (uint8_t)number };
	for (uint32_t i = 0; i < slots; i++)
		pool->stack[i] = first + slots - 1 - i;
	memset(memory->home + first, number, slots);
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

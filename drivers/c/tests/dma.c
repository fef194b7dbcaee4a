/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "tests.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dma.h"

static int set_up(void **state)
{
	struct ringway_memory *memory;
	int error = ringway_memory_create(5u << 20, &memory);

	*state = memory;
	return error;
}

static int tear_down(void **state)
{
	ringway_memory_destroy(*state);
	return 0;
}

static void too_little_is_refused(void **state)
{
	struct ringway_memory *memory;

	(void)state;
	assert_int_equal(ringway_memory_create((2u << 20) - 1, &memory), -EINVAL);
	assert_error_names("2097151");
}

static void file_cannot_shrink(void **state)
{
	struct ringway_memory *memory = *state;

	assert_int_equal(ftruncate(memory->fd, 4096), -1);
	assert_int_equal(errno, EPERM);
}

static void iova_follows_the_extents(void **state)
{
	struct ringway_memory *memory = *state;
	const size_t extent = 1u << DMA_EXTENT_SHIFT;

	assert_int_equal(memory->extents, 3);
	memory->extent_iova[0] = 0x700000000;
	memory->extent_iova[1] = 0x100000000; /* not behind the first one, as physical pages are */
	assert_true(dma_iova(memory, memory->base) == 0x700000000);
	assert_true(dma_iova(memory, memory->base + extent - 1) == 0x700000000 + extent - 1);
	assert_true(dma_iova(memory, memory->base + extent) == 0x100000000);
	assert_true(dma_iova(memory, memory->base + extent + 64) == 0x100000040);
}

static void no_slot_crosses_an_extent(void **state)
{
	struct ringway_memory *memory = *state;

	for (uint32_t slot = 0; slot < memory->slots; slot++) {
		uint8_t *first = dma_slot(memory, slot), *last = first + RINGWAY_SLOT_BYTES - 1;

		assert_true(last < memory->base + memory->bytes);
		if (memory->home[slot] == DMA_NOBODYS)
			continue;
		assert_true(dma_iova(memory, last) - dma_iova(memory, first) == RINGWAY_SLOT_BYTES - 1);
		assert_int_equal((first - memory->base) >> DMA_EXTENT_SHIFT, (last - memory->base) >> DMA_EXTENT_SHIFT);
	}
}

static void rings_are_zeroed_aligned_and_used_again(void **state)
{
	struct ringway_memory *memory = *state;
	uint8_t *first = dma_ring_allocate(memory, 8192), *second = dma_ring_allocate(memory, 100);

	assert_non_null(first);
	assert_non_null(second);
	assert_int_equal((second - memory->base) % DMA_PAGE_BYTES, 0);
	assert_true(second >= first + 8192);
	memset(first, 0xFF, 8192);
	dma_ring_free(memory, first, 8192);
	assert_ptr_equal(dma_ring_allocate(memory, 8192), first);
	for (size_t i = 0; i < 8192; i++)
		assert_int_equal(first[i], 0);
}

static void a_ring_stays_within_its_extent(void **state)
{
	struct ringway_memory *memory;

	(void)state; /* 32 MiB have 4 MiB for rings: a 64 KiB ring that began below 2 MiB would end above */
	assert_int_equal(ringway_memory_create(32u << 20, &memory), 0);
	for (uint8_t *ring; (ring = dma_ring_allocate(memory, 65536 - 4096)) != NULL;)
		assert_int_equal((ring - memory->base) >> DMA_EXTENT_SHIFT, (ring + 65536 - 4097 - memory->base) >> DMA_EXTENT_SHIFT);
	ringway_memory_destroy(memory);
}

static void rings_end_when_the_pages_do(void **state)
{
	struct ringway_memory *memory = *state;
	uint32_t pages = 0;

	while (dma_ring_allocate(memory, DMA_PAGE_BYTES))
		pages++;
	assert_int_equal(pages, memory->pages);
	assert_null(dma_ring_allocate(memory, 1));
}

int test_dma(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_little_is_refused),
		cmocka_unit_test_setup_teardown(file_cannot_shrink, set_up, tear_down),
		cmocka_unit_test_setup_teardown(iova_follows_the_extents, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_slot_crosses_an_extent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rings_are_zeroed_aligned_and_used_again, set_up, tear_down),
		cmocka_unit_test(a_ring_stays_within_its_extent),
		cmocka_unit_test_setup_teardown(rings_end_when_the_pages_do, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("dma", tests, NULL, NULL);
}

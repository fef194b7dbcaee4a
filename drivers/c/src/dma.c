/*
 * dma · vfio-user DMA_MAP
 * One mapping, made once; the front goes to rings by pages, the rest is packets, and everything has its tables beside it.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "dma.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"

#define MIN_BYTES   (2u << 20)
#define FIRST_IOVA  (1ull << 32) /* above what a 32-bit program could confuse with a pointer, inside every IOMMU's range */
#define EXTENT      (1ull << DMA_EXTENT_SHIFT)
#define EXTENT_PAGES (EXTENT / DMA_PAGE_BYTES)

/* A sealed file cannot shrink under the device, which would otherwise fault on pages that are gone. */
static int sealed_file(size_t bytes)
{
	int fd = memfd_create("ringway", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return error_set(errno, "cannot create DMA memory: memfd_create: %s", strerror(errno));
	if (ftruncate(fd, (off_t)bytes) < 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		int cause = errno;

		close(fd);
		return error_set(cause, "cannot size and seal %zu bytes of DMA memory: %s", bytes, strerror(cause));
	}
	return fd;
}

/* Shared, so that another process can be given the file. Everything is touched now and not while packets come. */
static int map_file(struct ringway_memory *memory)
{
	memory->base = mmap(NULL, memory->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (memory->physical ? MAP_POPULATE : 0),
	                    memory->fd, 0);
	if (memory->base != MAP_FAILED)
		return 0;
	memory->base = NULL;
	if (memory->physical)
		return error_set(ENOMEM, "not enough free hugepages for %zu MiB of DMA memory: echo %zu | sudo tee "
		                 "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", memory->bytes >> 20,
		                 (size_t)(memory->bytes / EXTENT));
	return error_set(ENOMEM, "cannot map %zu bytes of DMA memory: %s", memory->bytes, strerror(errno));
}

/* The device reaches a packet by the address of its first byte alone. */
static bool crosses_extents(const struct ringway_memory *memory, uint32_t slot)
{
	size_t first = (size_t)(dma_slot(memory, slot) - memory->base);

	return first >> DMA_EXTENT_SHIFT != (first + RINGWAY_SLOT_BYTES - 1) >> DMA_EXTENT_SHIFT;
}

static int carve(struct ringway_memory *memory)
{
	size_t ring_bytes = (memory->bytes / 8 + DMA_PAGE_BYTES - 1) & ~(size_t)(DMA_PAGE_BYTES - 1);

	memory->pages = (uint32_t)(ring_bytes / DMA_PAGE_BYTES);
	memory->packets = memory->base + ring_bytes;
	memory->slots = (uint32_t)((memory->bytes - ring_bytes) / DMA_SLOT_STRIDE);
	memory->extents = (uint32_t)((memory->bytes + EXTENT - 1) >> DMA_EXTENT_SHIFT);
	memory->page_used = calloc(memory->pages, 1);
	memory->info = calloc(memory->slots, sizeof(*memory->info));
	memory->home = calloc(memory->slots + 3, 1); /* vectors of homes are read as words */
	memory->extent_iova = calloc(memory->extents, sizeof(*memory->extent_iova));
	if (!memory->page_used || !memory->info || !memory->home || !memory->extent_iova)
		return error_set(ENOMEM, "out of memory for the tables of %u packet slots", memory->slots);
	for (uint32_t i = 0; i < memory->extents; i++)
		memory->extent_iova[i] = FIRST_IOVA + i * EXTENT;
	for (uint32_t slot = 0; slot < memory->slots; slot++)
		if (crosses_extents(memory, slot))
			memory->home[slot] = DMA_NOBODYS;
	return 0;
}

static int create(size_t bytes, bool physical, struct ringway_memory **out)
{
	const size_t unit = physical ? EXTENT : DMA_PAGE_BYTES;
	struct ringway_memory *memory;
	int error;

	if (bytes < MIN_BYTES)
		return error_set(EINVAL, "DMA memory of %zu bytes is too small: at least %u", bytes, MIN_BYTES);
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return error_set(ENOMEM, "out of memory");
	memory->bytes = (bytes + unit - 1) & ~(unit - 1);
	memory->physical = physical;
	memory->fd = physical ? huge_file(memory->bytes) : sealed_file(memory->bytes);
	error = memory->fd < 0 ? memory->fd : map_file(memory);
	if (!error)
		error = carve(memory);
	if (!error && physical)
		error = huge_addresses(memory);
	if (error < 0) {
		ringway_memory_destroy(memory);
		return error;
	}
	*out = memory;
	return 0;
}

int ringway_memory_create(size_t bytes, struct ringway_memory **memory)
{
	return create(bytes, false, memory);
}

int ringway_memory_create_huge(size_t bytes, struct ringway_memory **memory)
{
	return create(bytes, true, memory);
}

struct dma_run dma_run_at(const struct ringway_memory *memory, size_t offset)
{
	size_t extent = offset >> DMA_EXTENT_SHIFT, end = extent;

	if (offset >= memory->bytes)
		return (struct dma_run){ .offset = offset };
	do
		end++;
	while (end < memory->extents && memory->extent_iova[end] == memory->extent_iova[end - 1] + EXTENT);
	end <<= DMA_EXTENT_SHIFT;
	return (struct dma_run){ .offset = offset, .iova = memory->extent_iova[extent],
		.bytes = (end < memory->bytes ? end : memory->bytes) - offset };
}

void ringway_memory_destroy(struct ringway_memory *memory)
{
	if (!memory)
		return;
	for (uint32_t number = 1; number <= DMA_POOLS; number++)
		free(memory->pools[number]);
	if (memory->base)
		munmap(memory->base, memory->bytes);
	if (memory->fd >= 0)
		close(memory->fd);
	free(memory->page_used);
	free(memory->info);
	free(memory->home);
	free(memory->extent_iova);
	free(memory);
}

void *dma_ring_allocate(struct ringway_memory *memory, size_t bytes)
{
	uint32_t want = (uint32_t)((bytes + DMA_PAGE_BYTES - 1) / DMA_PAGE_BYTES), run = 0;

	for (uint32_t page = 0; page < memory->pages; page++) {
		if (page % EXTENT_PAGES == 0)
			run = 0; /* the next extent may be anywhere */
		run = memory->page_used[page] ? 0 : run + 1;
		if (run == want) {
			uint32_t first = page + 1 - want;
			uint8_t *ring = memory->base + (size_t)first * DMA_PAGE_BYTES;

			memset(memory->page_used + first, 1, want);
			return memset(ring, 0, (size_t)want * DMA_PAGE_BYTES);
		}
	}
	return NULL;
}

void dma_ring_free(struct ringway_memory *memory, void *ring, size_t bytes)
{
	size_t first;

	if (!ring)
		return;
	first = (size_t)((uint8_t *)ring - memory->base) / DMA_PAGE_BYTES;
	memset(memory->page_used + first, 0, (bytes + DMA_PAGE_BYTES - 1) / DMA_PAGE_BYTES);
}

uint8_t *ringway_packet(const struct ringway_memory *memory, uint32_t slot)
{
	return dma_slot(memory, slot);
}

struct ringway_packet_info *ringway_packet_info(const struct ringway_memory *memory, uint32_t slot)
{
	return &memory->info[slot];
}

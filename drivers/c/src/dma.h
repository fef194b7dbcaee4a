/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dma -- the one memory that devices and the program share (design: one DMA memory)
 * A sealed memfd, or a file of hugepages where a device has no IOMMU, mapped once. The front is handed out in pages to
 * rings; the rest is packet slots, 33 cache lines apart: with a stride of 2048 the first lines of all packets would fall into
 * two sets of the first-level cache.
 */
#ifndef RINGWAY_SRC_DMA_H
#define RINGWAY_SRC_DMA_H

#include "ringway.h"

#define DMA_PAGE_BYTES    4096u
#define DMA_SLOT_STRIDE   2112u
#define DMA_EXTENT_SHIFT  21 /* contiguity is only promised within 2 MiB: the size of a hugepage */
#define DMA_POOLS         254u
#define DMA_NOBODYS       255u /* home of a slot that lies across two extents */
#define DMA_DEVICES       64u

struct pool;

struct ringway_memory {
	uint8_t *base;
	size_t bytes;
	int fd;
	uint64_t *extent_iova; /* device address of each 2 MiB extent */
	uint32_t extents;
	bool physical;         /* extent_iova holds physical addresses: reachable without an IOMMU */

	uint8_t *page_used;    /* front part: one flag a page */
	uint32_t pages;

	uint8_t *packets;      /* first slot */
	uint32_t slots;
	struct ringway_packet_info *info; /* by slot */
	uint8_t *home;         /* by slot: number of the pool that owns it, 0 for none, DMA_NOBODYS */
	struct pool *pools[DMA_POOLS + 1];
	struct ringway_device *devices[DMA_DEVICES]; /* open on this memory */
};

/** Device address of a byte of the memory. */
static inline uint64_t dma_iova(const struct ringway_memory *memory, const void *address)
{
	size_t offset = (size_t)((const uint8_t *)address - memory->base);

	return memory->extent_iova[offset >> DMA_EXTENT_SHIFT] + (offset & ((1u << DMA_EXTENT_SHIFT) - 1));
}

/** First byte of a slot. */
static inline uint8_t *dma_slot(const struct ringway_memory *memory, uint32_t slot)
{
	return memory->packets + (size_t)slot * DMA_SLOT_STRIDE;
}

/** A stretch of the memory whose device addresses follow each other. */
struct dma_run {
	size_t offset; /* in the memory and in its file */
	uint64_t iova;
	size_t bytes;  /* 0: the memory is at its end */
};

/** The run that begins at `offset`, a multiple of an extent. */
struct dma_run dma_run_at(const struct ringway_memory *memory, size_t offset);

/** Opens an unlinked file of `bytes` on hugetlbfs. Its descriptor, or a negative errno whose line says what to do. */
int huge_file(size_t bytes);
/** Locks the mapped memory and fills extent_iova with its physical addresses. */
int huge_addresses(struct ringway_memory *memory);

/** Takes `bytes` (at most an extent) of zeroed, page-aligned ring memory within one extent; NULL if there is none left. */
void *dma_ring_allocate(struct ringway_memory *memory, size_t bytes);
/** Gives ring memory back. */
void dma_ring_free(struct ringway_memory *memory, void *ring, size_t bytes);

#endif

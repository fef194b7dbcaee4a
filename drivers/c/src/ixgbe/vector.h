/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ixgbe/vector -- four descriptors at a time, for processors with AVX2 (82599:7.1.9, 82599:7.2.3)
 * These functions do the bulk of what rx.c and tx.c do, and stop at the first thing that is not plain: an odd packet, the
 * end of the ring, fewer than four. The scalar code goes on from there, and is the whole driver where there is no AVX2.
 */
#ifndef RINGWAY_SRC_IXGBE_VECTOR_H
#define RINGWAY_SRC_IXGBE_VECTOR_H

#include "ixgbe.h"

/** Whether the processor has AVX2 and RINGWAY_C_SCALAR=1 is not in the environment. */
bool vector_is_there(void);

/** Takes plain packets into the batch. */
void vector_rx_take(struct ixgbe_rx *rx, struct ringway_batch *batch);
/** Lends up to `count` slots of the pool to empty descriptors; the pool and the ring have that many. Returns how many. */
uint32_t vector_rx_refill(struct ixgbe_rx *rx, uint32_t count);

/** Puts up to `room` plain packets from the front of the batch into the ring, and ends full groups. Returns how many. */
uint32_t vector_tx_fill(struct ixgbe_tx *tx, const struct ringway_batch *batch, uint32_t room);
/** Gives the slots from tx->clean up to `end` back to their pools, in fours that have one pool. */
void vector_tx_reclaim(struct ixgbe_tx *tx, uint32_t end);

#if defined(__x86_64__)
#include <immintrin.h>

/* Device addresses of four slots, with the arithmetic of dma_iova and dma_slot. */
__attribute__((target("avx2"))) static inline __m256i vector_iova(const struct ringway_memory *memory, __m128i slots)
{
	const __m256i first = _mm256_set1_epi64x(memory->packets - memory->base);
	const __m256i inside = _mm256_set1_epi64x((1 << DMA_EXTENT_SHIFT) - 1);
	__m256i offset = _mm256_mul_epu32(_mm256_cvtepu32_epi64(slots), _mm256_set1_epi64x(DMA_SLOT_STRIDE));
	__m256i extent;

	offset = _mm256_add_epi64(offset, first);
	extent = _mm256_srli_epi64(offset, DMA_EXTENT_SHIFT);
	return _mm256_add_epi64(_mm256_i64gather_epi64((const long long *)memory->extent_iova, extent, 8),
	                        _mm256_and_si256(offset, inside));
}

/* Writes four descriptors, of which `word0` and `word1` hold the words in order. */
__attribute__((target("avx2"))) static inline void vector_store(struct descriptor *to, __m256i word0, __m256i word1)
{
	__m256i even = _mm256_unpacklo_epi64(word0, word1), odd = _mm256_unpackhi_epi64(word0, word1); /* 0 2, 1 3 */

	_mm256_storeu_si256((__m256i *)to, _mm256_permute2x128_si256(even, odd, 0x20));
	_mm256_storeu_si256((__m256i *)to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
}
#endif

#endif

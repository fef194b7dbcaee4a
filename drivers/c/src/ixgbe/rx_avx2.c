/* SPDX-License-Identifier: BSD-3-Clause */
/* Receiving four descriptors at a time; see vector.h and, for what it means, rx.c. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../fetch.h"
#include "../ring.h"
#include "vector.h"

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

bool vector_is_there(void)
{
	const char *scalar = getenv("RINGWAY_C_SCALAR");

	return __builtin_cpu_supports("avx2") && !(scalar && strcmp(scalar, "1") == 0);
}

/* One word of each of four descriptors, in order. */
AVX2 static inline __m256i words(const struct descriptor *from, int which)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)from), high = _mm256_loadu_si256((const __m256i *)from + 1);
	__m256i word = which ? _mm256_unpackhi_epi64(low, high) : _mm256_unpacklo_epi64(low, high);

	return _mm256_permute4x64_epi64(word, 0xD8); /* 0 2 1 3 */
}

AVX2 static inline bool all_are_plain(__m256i status, __m256i length)
{
	const __m256i wanted = _mm256_set1_epi64x(IXGBE_RX_WRITEBACK_DD | IXGBE_RX_WRITEBACK_EOP);
	const __m256i looked_at = _mm256_or_si256(wanted, _mm256_set1_epi64x(RX_FATAL));
	__m256i good = _mm256_cmpeq_epi64(_mm256_and_si256(status, looked_at), wanted);
	__m256i too_long = _mm256_cmpgt_epi64(length, _mm256_set1_epi64x(RINGWAY_SLOT_BYTES));

	return _mm256_movemask_epi8(_mm256_andnot_si256(too_long, good)) == -1;
}

/* Length, no flags, and the hash: eight bytes. */
static inline void put_info(const struct ringway_memory *memory, int slot, long long word)
{
	_Static_assert(sizeof(memory->info[0]) == sizeof(word), "one store");
	memcpy(&memory->info[(uint32_t)slot], &word, sizeof(word));
}

AVX2 void vector_rx_take(struct ixgbe_rx *rx, struct ringway_batch *batch)
{
	uint32_t lent = ring_used(rx->take, rx->fill, rx->slots), end = rx->slots - rx->take;
	uint32_t room = batch->capacity - batch->count;
	uint32_t left = lent < end ? lent : end;

	for (left = left < room ? left : room; left >= 4 && !rx->skip; left -= 4) {
		const struct descriptor *from = &rx->ring[rx->take];
		__m256i status = words(from, 1), length = _mm256_srli_epi64(_mm256_slli_epi64(status, 16), 48);
		__m128i slots = _mm_loadu_si128((const __m128i *)&rx->slot[rx->take]);

		if (!all_are_plain(status, length))
			break;
		if (rx->hash) { /* only now: what DD vouches for is read after DD */
			__asm__ volatile("" ::: "memory");
			length = _mm256_blend_epi32(length, words(from, 0), 0xAA);
		}
		_mm_storeu_si128((__m128i *)&batch->slot[batch->count], slots);
		put_info(rx->memory, _mm_extract_epi32(slots, 0), _mm256_extract_epi64(length, 0));
		put_info(rx->memory, _mm_extract_epi32(slots, 1), _mm256_extract_epi64(length, 1));
		put_info(rx->memory, _mm_extract_epi32(slots, 2), _mm256_extract_epi64(length, 2));
		put_info(rx->memory, _mm_extract_epi32(slots, 3), _mm256_extract_epi64(length, 3));
		for (uint32_t i = 0; i < 4; i++)
			fetch_to_write(dma_slot(rx->memory, rx->slot[rx->take + i]));
		batch->count += 4;
		rx->take = ring_advance(rx->take, 4, rx->slots);
	}
}

AVX2 uint32_t vector_rx_refill(struct ixgbe_rx *rx, uint32_t count)
{
	struct pool *pool = rx->pool;
	uint32_t end = rx->slots - rx->fill, done = 0;

	for (count = count < end ? count : end; count - done >= 4; done += 4) {
		__m128i slots;

		pool->free -= 4;
		slots = _mm_loadu_si128((const __m128i *)&pool->stack[pool->free]);
		_mm_storeu_si128((__m128i *)&rx->slot[rx->fill + done], slots);
		vector_store(&rx->ring[rx->fill + done], vector_iova(rx->memory, slots), _mm256_setzero_si256());
	}
	rx->fill = ring_advance(rx->fill, done, rx->slots);
	return done;
}

#else

bool vector_is_there(void)
{
	return false;
}

void vector_rx_take(struct ixgbe_rx *rx, struct ringway_batch *batch)
{
	(void)rx;
	(void)batch;
}

uint32_t vector_rx_refill(struct ixgbe_rx *rx, uint32_t count)
{
	(void)rx;
	(void)count;
	return 0;
}

#endif

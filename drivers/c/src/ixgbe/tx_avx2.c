/* SPDX-License-Identifier: BSD-3-Clause */
/* Transmitting four descriptors at a time; see vector.h and, for what it means, tx.c. */
#include "../ring.h"
#include "vector.h"

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

/* Each of the four is a whole packet (no flags), and none is so short that it has to be lengthened. */
AVX2 static inline bool all_are_plain(__m256i info)
{
	__m256i flags_and_length = _mm256_and_si256(info, _mm256_set1_epi64x(UINT32_MAX));
	__m256i good = _mm256_cmpgt_epi64(flags_and_length, _mm256_set1_epi64x(TX_SHORTEST_BYTES - 1));
	__m256i odd = _mm256_cmpgt_epi64(flags_and_length, _mm256_set1_epi64x(UINT16_MAX));

	return _mm256_movemask_epi8(_mm256_andnot_si256(odd, good)) == -1;
}

AVX2 uint32_t vector_tx_fill(struct ixgbe_tx *tx, const struct ringway_batch *batch, uint32_t room)
{
	const __m256i command = _mm256_set1_epi64x(TX_COMMAND | IXGBE_TX_DATA_EOP);
	const int payload_shift = __builtin_ctzll(IXGBE_TX_DATA_PAYLEN);
	uint32_t end = tx->slots - tx->fill, done = 0, left = batch->count < room ? batch->count : room;

	for (left = left < end ? left : end; left - done >= 4; done += 4) {
		__m128i slots = _mm_loadu_si128((const __m128i *)&batch->slot[done]);
		__m256i info = _mm256_i32gather_epi64((const long long *)tx->memory->info, slots, 8), length;

		if (!all_are_plain(info))
			break;
		length = _mm256_and_si256(info, _mm256_set1_epi64x(UINT16_MAX));
		vector_store(&tx->ring[tx->fill], vector_iova(tx->memory, slots),
		             _mm256_or_si256(command, _mm256_or_si256(length, _mm256_slli_epi64(length, payload_shift))));
		_mm_storeu_si128((__m128i *)&tx->slot[tx->fill], slots);
		tx->fill = ring_advance(tx->fill, 4, tx->slots);
		if (ring_used(tx->group, tx->fill, tx->slots) >= TX_GROUP_SLOTS)
			tx_end_group(tx, (tx->fill ? tx->fill : tx->slots) - 1);
	}
	return done;
}

/* Homes are bytes: a gather of words reads three bytes too many, which the table has. */
AVX2 void vector_tx_reclaim(struct ixgbe_tx *tx, uint32_t end)
{
	while (tx->clean + 4 <= tx->slots && ring_used(tx->clean, end, tx->slots) >= 4) {
		__m128i slots = _mm_loadu_si128((const __m128i *)&tx->slot[tx->clean]);
		__m128i homes = _mm_and_si128(_mm_i32gather_epi32((const int *)tx->memory->home, slots, 1), _mm_set1_epi32(0xFF));
		struct pool *pool = tx->memory->pools[_mm_cvtsi128_si32(homes)];

		if (_mm_movemask_epi8(_mm_cmpeq_epi32(homes, _mm_shuffle_epi32(homes, 0))) != 0xFFFF)
			return;
		_mm_storeu_si128((__m128i *)&pool->stack[pool->free], slots);
		pool->free += 4;
		tx->clean = ring_advance(tx->clean, 4, tx->slots);
	}
}

#else

uint32_t vector_tx_fill(struct ixgbe_tx *tx, const struct ringway_batch *batch, uint32_t room)
{
	(void)tx;
	(void)batch;
	(void)room;
	return 0;
}

void vector_tx_reclaim(struct ixgbe_tx *tx, uint32_t end)
{
	(void)tx;
	(void)end;
}

#endif

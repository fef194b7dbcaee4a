/* SPDX-License-Identifier: BSD-3-Clause */
/* spec/vectors as C tables; vectors.py writes them. */
#ifndef RINGWAY_TESTS_VECTORS_H
#define RINGWAY_TESTS_VECTORS_H

#include <stddef.h>
#include <stdint.h>

extern const struct ring_case {
	uint32_t size, head, tail, used, free, next_head, next_tail;
} ring_cases[];
extern const size_t ring_cases_count;

extern const struct ring_wrap {
	uint32_t size, index, slot;
} ring_wraps[];
extern const size_t ring_wraps_count;

/* One field of one descriptor: what encoding it gives, and what decoding the words gives. */
extern const struct descriptor_field {
	const char *what;
	uint64_t mask;
	int quad;
	uint64_t value, words[2];
} descriptor_fields[];
extern const size_t descriptor_fields_count;

extern const struct rx_read {
	uint64_t buffer, words[2];
} rx_reads[];
extern const size_t rx_reads_count;

extern const uint32_t rss_key[10];

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the unit tests have in common. */
#ifndef SLICK_TESTS_UNIT_H
#define SLICK_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <slick/port.h>

/* How many allocations succeed from now on; -1: all of them. */
extern int allocations_left;
extern unsigned int allocations;

/* Each runs a group and adds to the two; how it went is told by cmocka. */
extern unsigned int tests_run, tests_failed;

#define RUN_GROUP(tests) run_group(tests, sizeof(tests) / sizeof((tests)[0]), #tests)

#define run_group(tests, count, name)							\
	do {										\
		int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);	\
											\
		tests_run += count;							\
		tests_failed += failed < 0 ? 1 : (unsigned int)failed;			\
	} while (0)

void buffer_tests(void);
void bsock_read_tests(void);
void bsock_write_tests(void);
void bsock_mark_tests(void);
void lend_tests(void);
void thrift_tests(void);
void walk_tests(void);
void scatter_tests(void);
void writer_tests(void);
void tsock_tests(void);
void forward_tests(void);

/* A byte that depends on where it is, so that bytes out of place are seen. */
static inline u8 pattern(size_t at)
{
	return (u8)(at * 31 + at / 251 + 7);
}

static inline void fill_pattern(u8 *bytes, size_t length, size_t from)
{
	size_t i;

	for (i = 0; i < length; i++)
		bytes[i] = pattern(from + i);
}

#define assert_pattern(bytes, length, from)						\
	do {										\
		size_t pattern_at;							\
											\
		for (pattern_at = 0; pattern_at < (length); pattern_at++)		\
			assert_int_equal((bytes)[pattern_at],				\
					 pattern((from) + pattern_at));			\
	} while (0)

#endif

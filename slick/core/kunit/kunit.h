/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the suites have in common. */
#ifndef SLICK_KUNIT_H
#define SLICK_KUNIT_H

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/jiffies.h>

#include <slick/port.h>

extern struct kunit_suite slick_buffer_suite, slick_thrift_suite, slick_bsock_suite;
extern struct kunit_suite slick_tstrp_suite, slick_whole_suite, slick_room_suite, slick_strp_suite;
extern struct kunit_suite slick_loop_suite, slick_end_suite, slick_taken_suite;

/* A byte that depends on where it is, so that bytes out of place are seen. */
static inline u8 slick_pattern(size_t at)
{
	return (u8)(at * 31 + at / 251 + 7);
}

static inline void slick_fill_pattern(u8 *bytes, size_t length, size_t from)
{
	size_t i;

	for (i = 0; i < length; i++)
		bytes[i] = slick_pattern(from + i);
}

static inline bool slick_is_pattern(const u8 *bytes, size_t length, size_t from)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (bytes[i] != slick_pattern(from + i))
			return false;
	return true;
}

/* Generous, for a machine that is emulated and full of checks. */
#define SLICK_PATIENCE (20 * HZ)

/* Whether `condition` came true before the patience ended. */
#define SLICK_COMES_TRUE(condition)							\
({											\
	unsigned long end = jiffies + SLICK_PATIENCE;					\
											\
	while (!(condition) && time_before(jiffies, end))				\
		usleep_range(1000, 2000);						\
	(condition);									\
})

#endif

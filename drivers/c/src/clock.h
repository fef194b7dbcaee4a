/* SPDX-License-Identifier: BSD-3-Clause */
/* clock -- time that only goes forward, for deadlines and for looks now and then */
#ifndef RINGWAY_SRC_CLOCK_H
#define RINGWAY_SRC_CLOCK_H

#include <stdint.h>
#include <time.h>

/** Microseconds of CLOCK_MONOTONIC. */
static inline uint64_t clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

#endif

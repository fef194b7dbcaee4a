/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "watch.h"

#include <time.h>

#define INTERVAL_NS 20000000u

int watch_look(struct watch *watch, struct bus *bus)
{
	struct timespec now;
	uint64_t now_ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	watch->polls = 0;
	if (now_ns - watch->looked_ns < INTERVAL_NS)
		return 0;
	watch->looked_ns = now_ns;
	return bus->ops->alive(bus);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "watch.h"

#include "clock.h"

#define INTERVAL_US 20000u

int watch_look(struct watch *watch, struct bus *bus)
{
	const uint64_t now_us = clock_us();

	watch->polls = 0;
	if (now_us - watch->looked_us < INTERVAL_US)
		return 0;
	watch->looked_us = now_us;
	return bus->ops->alive(bus);
}

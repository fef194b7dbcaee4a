/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch -- noticing that the device is gone although the driver only polls memory
 * Every few polls in vain look at the clock (no system call), and every few milliseconds at the device (one). Counting polls
 * alone would not do: a busy loop polls ten million times a second, a program that also does other things perhaps a thousand.
 */
#ifndef RINGWAY_SRC_WATCH_H
#define RINGWAY_SRC_WATCH_H

#include "bus.h"

#define WATCH_POLLS 16u

struct watch {
	uint32_t polls;      /* in vain, since the clock was read */
	uint64_t looked_us;  /* CLOCK_MONOTONIC of the last look at the device */
};

/** Looks at the clock, and if it is time at the device. Returns 0, or -EIO if the device is gone. */
int watch_look(struct watch *watch, struct bus *bus);

/** To be called after each poll in vain. Returns 0, or -EIO if the device is gone. */
static inline int watch_in_vain(struct watch *watch, struct bus *bus)
{
	return ++watch->polls < WATCH_POLLS ? 0 : watch_look(watch, bus);
}

#endif

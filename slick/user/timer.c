// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * A heap of deadlines. An event that is told something moves its deadline, but its place is kept:
 * only when the old deadline comes does it go to where it belongs. So a busy connection with a
 * timeout costs one store a callback.
 */
#include "internal.h"

#include <time.h>

u64 slick_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (u64)time.tv_sec * 1000 + (u64)time.tv_nsec / 1000000;
}

static void put(struct slick_loop *loop, u32 at, struct slick_ev *ev)
{
	loop->timers[at] = ev;
	ev->timer = at;
}

static void rise(struct slick_loop *loop, struct slick_ev *ev)
{
	u32 at = ev->timer;

	while (at && loop->timers[(at - 1) / 2]->deadline > ev->deadline) {
		put(loop, at, loop->timers[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	put(loop, at, ev);
}

static void sink(struct slick_loop *loop, struct slick_ev *ev)
{
	u32 at = ev->timer, child;

	for (child = 2 * at + 1; child < loop->timers_used; child = 2 * at + 1) {
		if (child + 1 < loop->timers_used &&
		    loop->timers[child + 1]->deadline < loop->timers[child]->deadline)
			child++;
		if (loop->timers[child]->deadline >= ev->deadline)
			break;
		put(loop, at, loop->timers[child]);
		at = child;
	}
	put(loop, at, ev);
}

int slick_timers_reserve(struct slick_loop *loop, u32 number)
{
	u32 size = loop->timers_size ? loop->timers_size : 64;
	struct slick_ev **timers;

	while (size < number)
		size *= 2;
	if (size == loop->timers_size)
		return 0;
	timers = realloc(loop->timers, size * sizeof(*timers));
	if (!timers)
		return -ENOMEM;
	loop->timers = timers;
	loop->timers_size = size;
	return 0;
}

void slick_timer_set(struct slick_ev *ev, u32 milliseconds)
{
	struct slick_loop *loop = ev->loop;

	loop->now = slick_clock();
	ev->timeout = milliseconds;
	ev->told = loop->now;
	ev->deadline = loop->now + milliseconds;
	if (ev->timer == NO_TIMER)
		put(loop, loop->timers_used++, ev);
	rise(loop, ev);
	sink(loop, ev);
}

void slick_timer_clear(struct slick_ev *ev)
{
	struct slick_loop *loop = ev->loop;
	u32 at = ev->timer;
	struct slick_ev *last;

	ev->timeout = 0;
	if (at == NO_TIMER)
		return;
	ev->timer = NO_TIMER;
	last = loop->timers[--loop->timers_used];
	if (last == ev)
		return;
	put(loop, at, last);
	rise(loop, last);
	sink(loop, last);
}

u64 slick_timers_next(const struct slick_loop *loop)
{
	return loop->timers_used ? loop->timers[0]->deadline : NEVER;
}

void slick_timers_expire(struct slick_loop *loop)
{
	struct slick_ev *ev;
	u64 due;

	while (loop->timers_used && loop->timers[0]->deadline <= loop->now) {
		ev = loop->timers[0];
		/* What it is about to be told counts as told. */
		due = (ev->ready ? loop->now : ev->told) + ev->timeout;
		if (due <= loop->now) {
			slick_ev_happened(ev, SLICK_TIMEOUT);
			due = loop->now + ev->timeout;
		}
		ev->deadline = due;
		sink(loop, ev);
	}
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#define _GNU_SOURCE /* epoll_pwait2 */
#include "load.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define EVENTS 256

uint64_t now;
static int set = -1;

uint64_t clock_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NS + (uint64_t)time.tv_nsec;
}

void watch_open(void)
{
	set = epoll_create1(EPOLL_CLOEXEC);
	if (set < 0)
		die("no epoll set: %s", strerror(errno));
	now = clock_ns();
}

static void tell(struct watch *watch, int operation, uint32_t interest)
{
	struct epoll_event event = { .events = interest, .data.ptr = watch };

	if (epoll_ctl(set, operation, watch->fd, &event))
		die("a socket cannot be watched: %s", strerror(errno));
	watch->interest = interest;
}

void watch_add(struct watch *watch, uint32_t interest)
{
	tell(watch, EPOLL_CTL_ADD, interest);
}

void watch_want(struct watch *watch, uint32_t interest)
{
	if (watch->fd >= 0 && watch->interest != interest)
		tell(watch, EPOLL_CTL_MOD, interest);
}

void watch_end(struct watch *watch)
{
	if (watch->fd >= 0)
		close(watch->fd);
	watch->fd = -1;
}

void watch_wait(uint64_t until)
{
	struct epoll_event events[EVENTS];
	uint64_t left = until > now ? until - now : 0;
	const struct timespec limit = {
		.tv_sec = (time_t)(left / NS), .tv_nsec = (long)(left % NS),
	};
	struct watch *watch;
	int number, i;

	number = epoll_pwait2(set, events, EVENTS, &limit, NULL);
	now = clock_ns();
	if (number < 0 && errno != EINTR)
		die("epoll failed: %s", strerror(errno));
	for (i = 0; i < number; i++) {
		watch = events[i].data.ptr;
		if (watch->fd >= 0)
			watch->ready(watch, events[i].events);
	}
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

#include <sys/eventfd.h>
#include <unistd.h>

#define DEFAULT_BUDGET 64

static const struct {
	const char *name;
	const struct slick_backend_ops *ops;
} backends[] = {
	[SLICK_BACKEND_EPOLL] = { "epoll", &slick_epoll_ops },
#ifdef SLICK_WITH_LIBEVENT
	[SLICK_BACKEND_LIBEVENT] = { "libevent", &slick_libevent_ops },
#else
	[SLICK_BACKEND_LIBEVENT] = { "libevent", NULL },
#endif
#ifdef SLICK_WITH_URING
	[SLICK_BACKEND_URING] = { "io_uring", &slick_uring_ops },
#else
	[SLICK_BACKEND_URING] = { "io_uring", NULL },
#endif
};

#define BACKENDS (sizeof(backends) / sizeof(backends[0]))

int slick_backend_parse(const char *name, enum slick_backend *backend)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (!strcmp(name, backends[i].name)) {
			*backend = i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *slick_backend_name(enum slick_backend backend)
{
	return (size_t)backend < BACKENDS ? backends[backend].name : "?";
}

static void loop_free(struct slick_loop *loop)
{
	if (loop->wake >= 0)
		close(loop->wake);
	free(loop->timers);
	free(loop->socks);
	free(loop);
}

struct slick_loop *slick_user_loop_create(const char *name, u32 budget, enum slick_backend backend)
{
	struct slick_loop *loop;
	int error;

	if ((size_t)backend >= BACKENDS)
		return ERR_PTR(-EINVAL);
	if (!backends[backend].ops)
		return ERR_PTR(-EOPNOTSUPP);
	loop = calloc(1, sizeof(*loop));
	if (!loop)
		return ERR_PTR(-ENOMEM);
	loop->ops = backends[backend].ops;
	loop->budget = budget ? budget : DEFAULT_BUDGET;
	if (name)
		strncpy(loop->name, name, sizeof(loop->name) - 1);
	INIT_LIST_HEAD(&loop->events);
	INIT_LIST_HEAD(&loop->ready);
	INIT_LIST_HEAD(&loop->changed);
	INIT_LIST_HEAD(&loop->dead);
	loop->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	error = loop->wake < 0 ? -errno : loop->ops->open(loop);
	if (error) {
		loop_free(loop);
		return ERR_PTR(error);
	}
	return loop;
}

struct slick_loop *slick_loop_create(struct net *net, const struct slick_loop_cfg *cfg)
{
	if (net || cfg->context != SLICK_USER)
		return ERR_PTR(-EINVAL);
	return slick_user_loop_create(cfg->name, cfg->budget, SLICK_BACKEND_EPOLL);
}

static void loop_bury(struct slick_loop *loop)
{
	while (!list_empty(&loop->dead))
		slick_ev_end(list_first_entry(&loop->dead, struct slick_ev, all));
}

void slick_loop_destroy(struct slick_loop *loop)
{
	loop->ending = true;
	loop_bury(loop);
	while (!list_empty(&loop->events))
		slick_ev_end(list_first_entry(&loop->events, struct slick_ev, all));
	loop_bury(loop);
	loop->ops->close(loop);
	loop_free(loop);
}

u32 slick_loop_budget(const struct slick_loop *loop)
{
	return loop->budget;
}

enum slick_context slick_loop_context(const struct slick_loop *loop)
{
	(void)loop;
	return SLICK_USER;
}

void slick_loop_counts(const struct slick_loop *loop, struct slick_loop_counts *counts)
{
	*counts = loop->counts;
}

static void loop_update(struct slick_loop *loop)
{
	struct slick_ev *ev;

	while (!list_empty(&loop->changed)) {
		ev = list_first_entry(&loop->changed, struct slick_ev, changed_in);
		list_del_init(&ev->changed_in);
		loop->ops->update(ev);
	}
}

/* Events that are queued from here on have their turn in the next round. */
static void loop_call(struct slick_loop *loop)
{
	struct slick_ev *ev;

	loop->round++;
	while (!list_empty(&loop->ready)) {
		ev = list_first_entry(&loop->ready, struct slick_ev, ready_in);
		if (ev->round == loop->round)
			break;
		list_del_init(&ev->ready_in);
		slick_ev_call(ev);
	}
}

static int wait_for(const struct slick_loop *loop, u64 deadline)
{
	u64 next = slick_timers_next(loop);

	if (!list_empty(&loop->ready))
		return 0;
	if (deadline < next)
		next = deadline;
	if (next == NEVER)
		return -1;
	if (next <= loop->now)
		return 0;
	return next - loop->now > 60000 ? 60000 : (int)(next - loop->now);
}

static int loop_round(struct slick_loop *loop, u64 deadline)
{
	bool clocked = deadline != NEVER || loop->timers_used;
	int error;

	loop_bury(loop);
	loop_update(loop);
	loop->counts.waits++;
	error = loop->ops->wait(loop, wait_for(loop, deadline));
	if (error)
		return error;
	if (clocked || loop->timers_used) {
		loop->now = slick_clock();
		slick_timers_expire(loop);
	}
	loop_call(loop);
	return 0;
}

int slick_loop_run(struct slick_loop *loop, int milliseconds)
{
	u64 deadline, count;
	int error = 0;

	loop->now = slick_clock();
	deadline = milliseconds < 0 ? NEVER : loop->now + (u64)milliseconds;
	while (!loop->stop && !error) {
		error = loop_round(loop, deadline);
		if (!error && !loop->stop && loop->now >= deadline)
			error = -ETIME;
	}
	loop_bury(loop);
	if (loop->stop) {
		loop->stop = 0;
		if (read(loop->wake, &count, sizeof(count)) < 0 && errno != EAGAIN)
			return -errno;
		return 0;
	}
	return error;
}

void slick_loop_stop(struct slick_loop *loop)
{
	const u64 one = 1;
	int saved = errno;

	loop->stop = 1;
	if (write(loop->wake, &one, sizeof(one)) < 0)
		loop->stop = 1; /* the counter is full, so that the wait ends anyway */
	errno = saved;
}

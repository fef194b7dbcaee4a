// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#ifdef SLICK_WITH_LIBEVENT

#define _GNU_SOURCE /* POLLRDHUP */
#include "internal.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <poll.h>

struct libevent_backend {
	struct event_base *base;
	struct event wake, timer;
};

/*
 * One event a socket: interest changes seldom, and the change list makes one system call of its
 * removal and return.
 */
struct libevent_ev {
	struct slick_ev ev;
	struct event event;
	short armed;	/* 0: not added */
	bool moved;	/* bytes came since it was called last */
};

static struct libevent_ev *libevent_of(struct slick_ev *ev)
{
	return container_of(ev, struct libevent_ev, ev);
}

static void woken(evutil_socket_t fd, short events, void *data)
{
	(void)fd;
	(void)events;
	event_base_loopbreak(data);
}

static void elapsed(evutil_socket_t fd, short events, void *data)
{
	(void)fd;
	(void)events;
	(void)data; /* the wait is over, which is all that was wanted */
}

static struct event_base *base_create(void)
{
	struct event_config *config = event_config_new();
	struct event_base *base = NULL;

	if (!config)
		return NULL;
	if (!event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK) &&
	    !event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST) &&
	    !event_config_require_features(config, EV_FEATURE_ET | EV_FEATURE_EARLY_CLOSE))
		base = event_base_new_with_config(config);
	event_config_free(config);
	return base;
}

static int libevent_open(struct slick_loop *loop)
{
	struct libevent_backend *backend = calloc(1, sizeof(*backend));

	if (!backend)
		return -ENOMEM;
	backend->base = base_create();
	if (!backend->base) {
		free(backend);
		return -ENOMEM;
	}
	event_assign(&backend->wake, backend->base, loop->wake, EV_READ | EV_PERSIST, woken,
		     backend->base);
	event_assign(&backend->timer, backend->base, -1, 0, elapsed, NULL);
	if (event_add(&backend->wake, NULL)) {
		event_base_free(backend->base);
		free(backend);
		return -ENOMEM;
	}
	loop->backend = backend;
	return 0;
}

static void libevent_close(struct slick_loop *loop)
{
	struct libevent_backend *backend = loop->backend;

	event_del(&backend->wake);
	event_del(&backend->timer);
	event_base_free(backend->base);
	free(backend);
}

/*
 * Where neither is wanted, errors have to be heard still: libevent gives them to readers and
 * writers only, and an edge-triggered writer is not called again for what it heard already.
 */
static short interest(const struct slick_ev *ev)
{
	short mask = 0;

	if (!ev->wanted && (ev->eof_told || ev->error_told))
		return 0;
	if (!ev->wanted)
		return EV_WRITE | EV_CLOSED | EV_ET | EV_PERSIST;
	if (ev->wanted & SLICK_READ)
		mask |= EV_READ;
	if (ev->wanted & SLICK_WRITE)
		mask |= EV_WRITE;
	if (!ev->listener && (!ev->eof_told || (ev->wanted & SLICK_READ)))
		mask |= EV_CLOSED;
	return mask | EV_PERSIST;
}

static u32 look(const struct slick_ev *ev)
{
	struct pollfd one = { .fd = ev->sock, .events = POLLIN | POLLOUT | POLLRDHUP };
	u32 what = 0;

	if (poll(&one, 1, 0) <= 0)
		return 0;
	if (one.revents & POLLIN)
		what |= SLICK_READ;
	if (one.revents & POLLOUT)
		what |= SLICK_WRITE;
	if (one.revents & (POLLRDHUP | POLLHUP))
		what |= SLICK_EOF;
	if (one.revents & POLLERR)
		what |= SLICK_ERROR;
	return what;
}

/*
 * libevent says "readable and writable" where the kernel says "dead": where that could be meant,
 * the kernel is asked.
 */
static void happened(evutil_socket_t fd, short events, void *data)
{
	struct libevent_ev *own = data;

	(void)fd;
	if (own->ev.listener || (events == EV_READ && own->moved)) {
		own->moved = false;
		slick_ev_happened(&own->ev, SLICK_READ);
		return;
	}
	slick_ev_happened(&own->ev, look(&own->ev));
}

static int libevent_tell(struct slick_ev *ev)
{
	struct libevent_backend *backend = ev->loop->backend;
	struct libevent_ev *own = libevent_of(ev);
	short mask = interest(ev);

	if (mask == own->armed)
		return 0;
	if (own->armed)
		event_del(&own->event);
	/*
	 * Merged with what follows, a removal would leave its edge trigger behind in the kernel.
	 * Callbacks that this brings only queue.
	 */
	if ((own->armed & EV_ET) && mask)
		event_base_loop(backend->base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
	own->armed = 0;
	if (!mask)
		return 0;
	if (event_assign(&own->event, backend->base, ev->sock, mask, happened, own) ||
	    event_add(&own->event, NULL))
		return -ENOMEM;
	own->armed = mask;
	return 0;
}

static int libevent_add(struct slick_ev *ev)
{
	libevent_of(ev)->moved = true;
	return libevent_tell(ev);
}

static void libevent_update(struct slick_ev *ev)
{
	if (libevent_tell(ev))
		slick_ev_happened(ev, SLICK_ERROR);
}

static void libevent_remove(struct slick_ev *ev)
{
	if (libevent_of(ev)->armed)
		event_del(&libevent_of(ev)->event);
}

static int libevent_wait(struct slick_loop *loop, int milliseconds)
{
	struct libevent_backend *backend = loop->backend;
	const struct timeval limit = {
		.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000,
	};

	if (milliseconds > 0 && event_add(&backend->timer, &limit))
		return -ENOMEM;
	/* Once in any case: without it libevent goes on as long as something is active. */
	if (event_base_loop(backend->base, EVLOOP_ONCE | (milliseconds ? 0 : EVLOOP_NONBLOCK)) < 0)
		return -EIO;
	return 0;
}

static ssize_t libevent_recv(struct slick_ev *ev, void *bytes, size_t length)
{
	ssize_t got = slick_sock_recv(ev, bytes, length);

	if (got > 0)
		libevent_of(ev)->moved = true;
	return got;
}

const struct slick_backend_ops slick_libevent_ops = {
	.open = libevent_open,
	.close = libevent_close,
	.ev_size = sizeof(struct libevent_ev),
	.add = libevent_add,
	.update = libevent_update,
	.remove = libevent_remove,
	.wait = libevent_wait,
	.accept = slick_sock_accept,
	.recv = libevent_recv,
	.error = slick_sock_error,
};

#endif

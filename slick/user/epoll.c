// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

#include <sys/epoll.h>
#include <unistd.h>

#define EVENTS 256 /* that one call brings */

struct epoll_backend {
	int fd;
	struct epoll_event events[EVENTS];
};

struct epoll_ev {
	struct slick_ev ev;
	u32 armed;	/* what the kernel was told last */
	bool added;
};

static struct epoll_ev *epoll_of(struct slick_ev *ev)
{
	return container_of(ev, struct epoll_ev, ev);
}

static int epoll_open(struct slick_loop *loop)
{
	struct epoll_event wake = { .events = EPOLLIN, .data.ptr = NULL };
	struct epoll_backend *backend = calloc(1, sizeof(*backend));
	int error;

	if (!backend)
		return -ENOMEM;
	backend->fd = epoll_create1(EPOLL_CLOEXEC);
	if (backend->fd < 0 || epoll_ctl(backend->fd, EPOLL_CTL_ADD, loop->wake, &wake)) {
		error = -errno;
		if (backend->fd >= 0)
			close(backend->fd);
		free(backend);
		return error;
	}
	loop->backend = backend;
	return 0;
}

static void epoll_close(struct slick_loop *loop)
{
	struct epoll_backend *backend = loop->backend;

	close(backend->fd);
	free(backend);
}

static u32 interest(const struct slick_ev *ev)
{
	u32 mask = 0;

	if (ev->wanted & SLICK_READ)
		mask |= EPOLLIN;
	if (ev->wanted & SLICK_WRITE)
		mask |= EPOLLOUT;
	if (!ev->listener && (!ev->eof_told || (ev->wanted & SLICK_READ)))
		mask |= EPOLLRDHUP;
	return mask;
}

/*
 * Hang-ups and errors are told by the kernel whether they are wanted or not: where they were told
 * and nothing else is wanted, the socket has to leave the set.
 */
static bool belongs(const struct slick_ev *ev)
{
	return ev->wanted || !(ev->error_told || ev->eof_told);
}

static int epoll_tell(struct slick_ev *ev)
{
	struct epoll_backend *backend = ev->loop->backend;
	struct epoll_ev *own = epoll_of(ev);
	struct epoll_event event = { .events = interest(ev), .data.ptr = ev };
	int operation = own->added ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	if (!belongs(ev))
		operation = EPOLL_CTL_DEL;
	if (operation == EPOLL_CTL_DEL ? !own->added : own->added && own->armed == event.events)
		return 0;
	if (epoll_ctl(backend->fd, operation, ev->sock, &event))
		return errno == EEXIST ? -EBUSY : -errno;
	own->added = operation != EPOLL_CTL_DEL;
	own->armed = event.events;
	return 0;
}

static int epoll_add(struct slick_ev *ev)
{
	return epoll_tell(ev);
}

static void epoll_update(struct slick_ev *ev)
{
	/* Only for want of memory: the connection cannot be served, and its owner hears so. */
	if (epoll_tell(ev))
		slick_ev_happened(ev, SLICK_ERROR);
}

static void epoll_remove(struct slick_ev *ev)
{
	struct epoll_backend *backend = ev->loop->backend;

	if (epoll_of(ev)->added)
		epoll_ctl(backend->fd, EPOLL_CTL_DEL, ev->sock, NULL);
}

static u32 meaning(u32 events)
{
	u32 what = 0;

	if (events & EPOLLIN)
		what |= SLICK_READ;
	if (events & EPOLLOUT)
		what |= SLICK_WRITE;
	if (events & (EPOLLRDHUP | EPOLLHUP))
		what |= SLICK_EOF;
	if (events & EPOLLERR)
		what |= SLICK_ERROR;
	return what;
}

static int epoll_wait_events(struct slick_loop *loop, int milliseconds)
{
	struct epoll_backend *backend = loop->backend;
	int number = epoll_wait(backend->fd, backend->events, EVENTS, milliseconds);
	int i;

	if (number < 0)
		return errno == EINTR ? 0 : -errno;
	for (i = 0; i < number; i++) {
		if (backend->events[i].data.ptr)
			slick_ev_happened(backend->events[i].data.ptr,
					  meaning(backend->events[i].events));
	}
	return 0;
}

const struct slick_backend_ops slick_epoll_ops = {
	.open = epoll_open,
	.close = epoll_close,
	.ev_size = sizeof(struct epoll_ev),
	.add = epoll_add,
	.update = epoll_update,
	.remove = epoll_remove,
	.wait = epoll_wait_events,
	.accept = slick_sock_accept,
	.recv = slick_sock_recv,
	.error = slick_sock_error,
};

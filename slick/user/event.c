// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* 0: an ordinary TCP socket. */
static int sock_check(slick_sock_t sock)
{
	int type = 0, protocol = 0;
	socklen_t length = sizeof(type);
	char ulp[16] = "";

	if (getsockopt(sock, SOL_SOCKET, SO_TYPE, &type, &length))
		return errno == ENOTSOCK ? -EOPNOTSUPP : -errno;
	length = sizeof(protocol);
	if (getsockopt(sock, SOL_SOCKET, SO_PROTOCOL, &protocol, &length))
		return -errno;
	if (type != SOCK_STREAM || protocol != IPPROTO_TCP)
		return -EOPNOTSUPP;
	length = sizeof(ulp) - 1;
	if (!getsockopt(sock, IPPROTO_TCP, TCP_ULP, ulp, &length) && length && ulp[0])
		return -EBUSY;
	return 0;
}

/* Marks the descriptor as this loop's. */
static int sock_claim(struct slick_loop *loop, slick_sock_t sock)
{
	size_t at = (size_t)sock / 8, size;
	u8 *socks;

	if (at >= loop->socks_size) {
		size = at * 2 + 64;
		socks = realloc(loop->socks, size);
		if (!socks)
			return -ENOMEM;
		memset(socks + loop->socks_size, 0, size - loop->socks_size);
		loop->socks = socks;
		loop->socks_size = size;
	}
	if (loop->socks[at] & (1u << (sock % 8)))
		return -EBUSY;
	loop->socks[at] |= (u8)(1u << (sock % 8));
	return 0;
}

static void sock_unclaim(struct slick_loop *loop, slick_sock_t sock)
{
	loop->socks[sock / 8] &= (u8)~(1u << (sock % 8));
}

struct slick_ev *slick_ev_create(struct slick_loop *loop, slick_sock_t sock,
				 const struct slick_ev_ops *ops, void *data, u32 what,
				 bool listener)
{
	struct slick_ev *ev;
	int error;

	if (loop->ending)
		return ERR_PTR(-ESHUTDOWN);
	error = sock_check(sock);
	if (!error)
		error = slick_timers_reserve(loop, loop->number + 1);
	if (!error)
		error = sock_claim(loop, sock);
	if (error)
		return ERR_PTR(error);
	ev = calloc(1, loop->ops->ev_size);
	if (!ev) {
		sock_unclaim(loop, sock);
		return ERR_PTR(-ENOMEM);
	}
	ev->loop = loop;
	ev->ops = ops;
	ev->data = data;
	ev->sock = sock;
	ev->wanted = what & (SLICK_READ | SLICK_WRITE);
	ev->listener = listener;
	ev->timer = NO_TIMER;
	INIT_LIST_HEAD(&ev->ready_in);
	INIT_LIST_HEAD(&ev->changed_in);
	error = loop->ops->add(ev);
	if (error) {
		sock_unclaim(loop, sock);
		free(ev);
		return ERR_PTR(error);
	}
	list_add_tail(&ev->all, &loop->events);
	loop->number++;
	return ev;
}

struct slick_ev *slick_ev_add(struct slick_loop *loop, slick_sock_t sock,
			      const struct slick_ev_ops *ops, void *data, u32 what)
{
	return slick_ev_create(loop, sock, ops, data, what, false);
}

void slick_ev_end(struct slick_ev *ev)
{
	struct slick_loop *loop = ev->loop;

	ev->dead = true;
	slick_timer_clear(ev);
	list_del_init(&ev->all);
	list_del_init(&ev->ready_in);
	loop->ops->remove(ev);
	list_del_init(&ev->changed_in);
	sock_unclaim(loop, ev->sock);
	loop->number--;
	if (ev->ops->release)
		ev->ops->release(ev);
	free(ev);
}

void slick_ev_del(struct slick_ev *ev)
{
	slick_ev_end(ev);
}

void slick_ev_del_async(struct slick_ev *ev)
{
	if (ev->dead)
		return;
	ev->dead = true;
	slick_timer_clear(ev);
	list_del_init(&ev->ready_in);
	list_del_init(&ev->all);
	list_add_tail(&ev->all, &ev->loop->dead);
}

void slick_ev_happened(struct slick_ev *ev, u32 what)
{
	if (ev->dead)
		return;
	ev->ready |= what;
	if (!list_empty(&ev->ready_in))
		return;
	ev->round = ev->loop->round;
	list_add_tail(&ev->ready_in, &ev->loop->ready);
}

void slick_ev_changed(struct slick_ev *ev)
{
	if (list_empty(&ev->changed_in) && !ev->dead)
		list_add_tail(&ev->changed_in, &ev->loop->changed);
}

/*
 * An end or an error that was told need not be told again, unless something is wanted that it
 * answers.
 */
static void remember_told(struct slick_ev *ev, u32 what)
{
	if (((what & SLICK_EOF) && !ev->eof_told) || ((what & SLICK_ERROR) && !ev->error_told)) {
		ev->eof_told |= !!(what & SLICK_EOF);
		ev->error_told |= !!(what & SLICK_ERROR);
		slick_ev_changed(ev);
	}
}

void slick_ev_call(struct slick_ev *ev)
{
	struct slick_loop *loop = ev->loop;
	u32 what = (ev->ready | ev->again) & (ev->wanted | ALWAYS);
	bool again = ev->queued_again;

	ev->ready = 0;
	ev->again = 0;
	ev->queued_again = false;
	if (!what && !again)
		return;
	if (ev->eof_told)
		what |= SLICK_EOF;
	/* A connection that failed is writable too; only one of the two is its outcome. */
	if (what & SLICK_ERROR)
		what &= ~SLICK_WRITE;
	if (what & (SLICK_EOF | SLICK_ERROR))
		remember_told(ev, what);
	ev->told = loop->now;
	loop->counts.callbacks++;
	switch (ev->ops->event(ev, what)) {
	case SLICK_DONE:
		break;
	case SLICK_AGAIN:
		ev->again = what & ~(SLICK_KICK | SLICK_TIMEOUT);
		ev->queued_again = true;
		slick_ev_happened(ev, 0);
		break;
	case SLICK_CLOSE:
		slick_ev_del_async(ev);
		return;
	}
	if (loop->ops->called && !ev->dead)
		loop->ops->called(ev);
}

void *slick_ev_data(const struct slick_ev *ev)
{
	return ev->data;
}

struct slick_loop *slick_ev_loop(const struct slick_ev *ev)
{
	return ev->loop;
}

slick_sock_t slick_ev_sock(const struct slick_ev *ev)
{
	return ev->sock;
}

void slick_ev_want(struct slick_ev *ev, u32 what)
{
	what &= SLICK_READ | SLICK_WRITE;
	if (what == ev->wanted)
		return;
	ev->wanted = what;
	slick_ev_changed(ev);
}

void slick_ev_timeout(struct slick_ev *ev, u32 milliseconds)
{
	if (!milliseconds || ev->dead)
		slick_timer_clear(ev);
	else
		slick_timer_set(ev, milliseconds);
}

void slick_ev_kick(struct slick_ev *ev)
{
	slick_ev_happened(ev, SLICK_KICK);
}

int slick_ev_error(struct slick_ev *ev)
{
	return ev->loop->ops->error(ev);
}

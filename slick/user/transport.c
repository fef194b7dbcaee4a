// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#define _GNU_SOURCE /* accept4 */

#include "internal.h"

#include <sys/socket.h>

ssize_t slick_sock_recv(struct slick_ev *ev, void *bytes, size_t length)
{
	ssize_t got;

	do {
		got = recv(ev->sock, bytes, length, MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

int slick_sock_accept(struct slick_ev *ev)
{
	int sock = accept4(ev->sock, NULL, NULL, SOCK_CLOEXEC);

	return sock < 0 ? -errno : sock;
}

int slick_sock_error(struct slick_ev *ev)
{
	int error = 0;
	socklen_t length = sizeof(error);

	if (getsockopt(ev->sock, SOL_SOCKET, SO_ERROR, &error, &length))
		return -errno;
	return -error;
}

static ssize_t transport_recv(void *context, void *bytes, size_t length)
{
	struct slick_ev *ev = context;

	return ev->loop->ops->recv(ev, bytes, length);
}

/*
 * A plain system call on every backend, io_uring too: it says at once how much was taken, and the
 * bytes need not be kept until a completion comes. A send in flight on the ring would need a copy
 * of them, and the next one would have to wait for it.
 */
static ssize_t transport_send(void *context, const void *bytes, size_t length, bool more)
{
	struct slick_ev *ev = context;
	ssize_t sent;

	do {
		sent = send(ev->sock, bytes, length,
			    MSG_DONTWAIT | MSG_NOSIGNAL | (more ? MSG_MORE : 0));
	} while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : sent;
}

static void transport_want(void *context, u32 what)
{
	slick_ev_want(context, what);
}

static void transport_shut(void *context)
{
	struct slick_ev *ev = context;

	shutdown(ev->sock, SHUT_WR);
}

static const struct slick_transport_ops transport_ops = {
	.recv = transport_recv,
	.send = transport_send,
	.want = transport_want,
	.shut = transport_shut,
};

void slick_ev_transport(struct slick_ev *ev, struct slick_transport *transport)
{
	transport->ops = &transport_ops;
	transport->context = ev;
}

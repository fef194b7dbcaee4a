// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Without descriptors or memory nothing can be taken from the backlog, and asking at once again
 * would only burn the processor.
 */
#define NO_ROOM_PAUSE 100 /* milliseconds */

static bool no_room(int error)
{
	return error == -EMFILE || error == -ENFILE || error == -ENOBUFS || error == -ENOMEM;
}

static enum slick_ret listener_event(struct slick_ev *ev, u32 what)
{
	struct slick_listener *listener = ev->data;
	struct slick_loop *loop = ev->loop;
	u32 left = loop->budget;
	int sock;

	if (what & SLICK_TIMEOUT) {
		slick_ev_timeout(ev, 0);
		slick_ev_want(ev, SLICK_READ);
	}
	while (left--) {
		sock = loop->ops->accept(ev);
		if (sock >= 0) {
			loop->counts.accepted++;
			if (listener->accept(loop, sock, listener->data))
				loop->counts.refused++;
			if (ev->dead)
				return SLICK_DONE;
		} else if (no_room(sock)) {
			loop->counts.refused++;
			slick_ev_want(ev, 0);
			slick_ev_timeout(ev, NO_ROOM_PAUSE);
			return SLICK_DONE;
		} else if (sock == -EAGAIN) {
			return SLICK_DONE;
		}
		/* Any other error is of a connection that died in the backlog. */
	}
	return SLICK_AGAIN;
}

static void listener_release(struct slick_ev *ev)
{
	slick_sock_close(ev->sock);
	free(ev->data);
}

const struct slick_ev_ops slick_listener_ops = {
	.event = listener_event,
	.release = listener_release,
};

/* What accepted sockets inherit is set here, once: small answers go at once. */
static int listener_socket(const struct sockaddr *address, int length, int backlog)
{
	int sock = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			  IPPROTO_TCP);
	const int on = 1, off = 0;
	int error;

	if (sock < 0)
		return -errno;
	if (setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) ||
	    (address->sa_family == AF_INET6 &&
	     setsockopt(sock, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off))) ||
	    bind(sock, address, (socklen_t)length) || listen(sock, backlog)) {
		error = -errno;
		close(sock);
		return error;
	}
	return sock;
}

struct slick_ev *slick_listen(struct slick_loop *loop, const struct sockaddr *address, int length,
			      int backlog, slick_accept_fn accept, void *data)
{
	struct slick_listener *listener = calloc(1, sizeof(*listener));
	struct slick_ev *ev;
	int sock;

	if (!listener)
		return ERR_PTR(-ENOMEM);
	listener->accept = accept;
	listener->data = data;
	sock = listener_socket(address, length, backlog);
	if (sock < 0) {
		free(listener);
		return ERR_PTR(sock);
	}
	ev = slick_ev_create(loop, sock, &slick_listener_ops, listener, SLICK_READ, true);
	if (IS_ERR(ev)) {
		close(sock);
		free(listener);
	}
	return ev;
}

int slick_connect(struct slick_loop *loop, const struct sockaddr *address, int length,
		  slick_sock_t *sock)
{
	const int on = 1;
	int error;

	(void)loop;
	*sock = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	if (*sock < 0)
		return -errno;
	if (setsockopt(*sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) ||
	    (connect(*sock, address, (socklen_t)length) && errno != EINPROGRESS)) {
		error = -errno;
		close(*sock);
		return error;
	}
	return 0;
}

void slick_sock_close(slick_sock_t sock)
{
	close(sock);
}

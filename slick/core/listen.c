// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Sockets that are ours: listening, connecting, closing. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/net.h>
#include <linux/tcp.h>
#include <net/inet_connection_sock.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "internal.h"
#include "trace.h"

#define RETRY (HZ / 10)	/* where there was no memory for a connection that waits */

/*
 * With the lock of the connection that came, not of the listener. A connection that nobody has
 * accepted yet has inherited it, but not what it would have to tell: its data are none, or of a
 * sockmap that a BPF program has put it into.
 */
static void listen_data_ready(struct sock *sk)
{
	struct slick_ev *ev;

	if (READ_ONCE(sk->sk_state) != TCP_LISTEN)
		return;
	rcu_read_lock();
	ev = rcu_dereference_sk_user_data(sk);
	if (ev)
		slick_ev_poke(ev);
	rcu_read_unlock();
}

/*
 * Gives a connection the callback that it would have had without us. Not where somebody has it by
 * now: he has kept ours, to call it or to put it back, and knows nothing of the end of our module.
 */
static int disinherit(const struct slick_ev *ev, struct sock *sk)
{
	int error = 0;

	lock_sock(sk);
	write_lock_bh(&sk->sk_callback_lock);
	if (slick_sock_taken(sk))
		error = -EBUSY;
	else
		WRITE_ONCE(sk->sk_data_ready, ev->saved.data_ready);
	write_unlock_bh(&sk->sk_callback_lock);
	release_sock(sk);
	return error;
}

static int accept_one(struct slick_ev *ev)
{
	struct socket *sock;
	int error;

	error = kernel_accept(ev->sock, &sock, O_NONBLOCK);
	if (error)
		return error;
	error = disinherit(ev, sock->sk);
	if (error) {
		slick_ev_refused(ev->loop, sock, error);
		sock_release(sock);
		return 0;
	}
	tcp_sock_set_nodelay(sock->sk);
	slick_count(ev->loop, SLICK_COUNT_ACCEPTED);
	trace_slick_accept(ev->loop, sock->sk);
	error = ev->accept(ev->loop, sock, ev->data);
	if (error) {
		/* The socket may be gone. */
		slick_count(ev->loop, SLICK_COUNT_REFUSED);
		trace_slick_refused(ev->loop, ev->sk, error);
	}
	return 0;
}

static enum slick_step listen_step(struct slick_ev *ev)
{
	u32 left = ev->loop->budget;
	int error = 0;

	/* The timer of a try that failed has done its work. */
	WRITE_ONCE(ev->timeout, 0);
	while (left-- && !test_bit(SLICK_DYING, &ev->flags)) {
		error = accept_one(ev);
		if (error == -EAGAIN)
			return SLICK_STEP_IDLE;
		/* A connection that died while it waited is one less. */
		if (error == -ECONNABORTED)
			continue;
		if (error) {
			slick_count(ev->loop, SLICK_COUNT_REFUSED);
			trace_slick_refused(ev->loop, ev->sk, error);
			slick_ev_timeout(ev, jiffies_to_msecs(RETRY));
			return SLICK_STEP_IDLE;
		}
	}
	return SLICK_STEP_MORE;
}

const struct slick_kind slick_listen_kind = {
	.step = listen_step,
	.data_ready = listen_data_ready,
	.transport = &slick_process_transport,
	.listens = true,
};

static enum slick_ret listen_event(struct slick_ev *ev, u32 what)
{
	return SLICK_DONE;
}

static void listen_release(struct slick_ev *ev)
{
	sock_release(ev->sock);
}

static const struct slick_ev_ops listen_ops = {
	.event = listen_event,
	.release = listen_release,
};

static int listen_bind(struct socket *sock, const struct sockaddr *address, int length)
{
	struct sockaddr_storage copy;

	if (length <= 0 || length > sizeof(copy))
		return -EINVAL;
	memcpy(&copy, address, length);
	/* Both families at `::`, whatever the namespace's default is. */
	if (copy.ss_family == AF_INET6)
		sock->sk->sk_ipv6only = 0;
	sock_set_reuseaddr(sock->sk);
	return kernel_bind(sock, (struct sockaddr *)&copy, length);
}

struct slick_ev *slick_listen(struct slick_loop *loop, const struct sockaddr *address, int length,
			      int backlog, slick_accept_fn accept, void *data)
{
	struct slick_ev *ev;
	struct socket *sock;
	int error;

	error = sock_create_kern(loop->net, address->sa_family, SOCK_STREAM, IPPROTO_TCP, &sock);
	if (error)
		return ERR_PTR(error);
	error = listen_bind(sock, address, length);
	if (error)
		goto release;
	ev = slick_ev_new(loop, sock, &listen_ops, data, &slick_listen_kind, 0);
	error = PTR_ERR_OR_ZERO(ev);
	if (error)
		goto release;
	ev->accept = accept;
	/* Before the first event: to accept where nobody listens would be an error. */
	error = kernel_listen(sock, backlog);
	if (error) {
		kfree(ev);
		goto release;
	}
	ev = slick_ev_begin(ev);
	error = PTR_ERR_OR_ZERO(ev);
	if (!error)
		return ev;
release:
	sock_release(sock);
	return ERR_PTR(error);
}
EXPORT_SYMBOL_GPL(slick_listen);

int slick_connect(struct slick_loop *loop, const struct sockaddr *address, int length,
		  struct socket **sock)
{
	struct sockaddr_storage copy;
	int error;

	if (length <= 0 || length > sizeof(copy))
		return -EINVAL;
	memcpy(&copy, address, length);
	error = sock_create_kern(loop->net, copy.ss_family, SOCK_STREAM, IPPROTO_TCP, sock);
	if (error)
		return error;
	tcp_sock_set_nodelay((*sock)->sk);
	error = kernel_connect(*sock, (struct sockaddr *)&copy, length, O_NONBLOCK);
	if (!error || error == -EINPROGRESS)
		return 0;
	sock_release(*sock);
	*sock = NULL;
	return error;
}
EXPORT_SYMBOL_GPL(slick_connect);

// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The end of a socket that is ours. */
#include <linux/net.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "compat.h"
#include "internal.h"

/*
 * A kernel's socket does not keep its network namespace, so that closing it stops its timers, and
 * bytes that the peer has not acknowledged are never sent again. While the namespace lives a closed
 * socket shall end as any process's does: it keeps the namespace until then. In one that ends
 * nothing is kept.
 */
static void linger(struct sock *sk)
{
	struct net *net = sock_net(sk);

	if (sk->sk_net_refcnt || sk->sk_state == TCP_CLOSE || sk->sk_state == TCP_LISTEN)
		return;
	if (!maybe_get_net(net))
		return;
	slick_sock_hold_net(sk);
	put_net(net);
}

void slick_sock_close(struct socket *sock)
{
	linger(sock->sk);
	sock_release(sock);
}
EXPORT_SYMBOL_GPL(slick_sock_close);

// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What the owner of an event asks of it, and tells it. */
#include <net/sock.h>

#include "internal.h"

void *slick_ev_data(const struct slick_ev *ev)
{
	return ev->data;
}
EXPORT_SYMBOL_GPL(slick_ev_data);

struct slick_loop *slick_ev_loop(const struct slick_ev *ev)
{
	return ev->loop;
}
EXPORT_SYMBOL_GPL(slick_ev_loop);

struct socket *slick_ev_sock(const struct slick_ev *ev)
{
	return ev->sock;
}
EXPORT_SYMBOL_GPL(slick_ev_sock);

void slick_ev_want(struct slick_ev *ev, u32 what)
{
	u32 before = READ_ONCE(ev->wanted);

	WRITE_ONCE(ev->wanted, what);
	if (!(what & ~before))
		return;
	/*
	 * What is new may hold already: whoever brings bytes, or serves with the socket's lock,
	 * either sees the wish or is seen here.
	 */
	smp_mb();
	if (!READ_ONCE(ev->serving))
		slick_ev_poke(ev);
}
EXPORT_SYMBOL_GPL(slick_ev_want);

void slick_ev_timeout(struct slick_ev *ev, u32 milliseconds)
{
	u32 timeout = msecs_to_jiffies(milliseconds);

	WRITE_ONCE(ev->timeout, timeout);
	WRITE_ONCE(ev->last, jiffies);
	if (timeout)
		mod_timer(&ev->timer, jiffies + timeout);
}
EXPORT_SYMBOL_GPL(slick_ev_timeout);

void slick_ev_kick(struct slick_ev *ev)
{
	set_bit(SLICK_KICKED, &ev->flags);
	slick_ev_poke(ev);
}
EXPORT_SYMBOL_GPL(slick_ev_kick);

int slick_ev_error(struct slick_ev *ev)
{
	int broken = xchg(&ev->broken, 0);

	return broken ? broken : sock_error(ev->sk);
}
EXPORT_SYMBOL_GPL(slick_ev_error);

void slick_ev_transport(struct slick_ev *ev, struct slick_transport *transport)
{
	transport->ops = ev->kind->transport;
	transport->context = ev;
}
EXPORT_SYMBOL_GPL(slick_ev_transport);

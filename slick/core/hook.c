// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The socket's own callbacks, which become ours while it has an event. */
#include <net/inet_connection_sock.h>
#include <net/tcp.h>

#include "internal.h"

struct slick_ev *slick_ev_of(const struct sock *sk)
{
	void *data = rcu_dereference_protected(__sk_user_data(sk), lockdep_sock_is_held(sk));

	return (struct slick_ev *)((uintptr_t)data & SK_USER_DATA_PTRMASK);
}

/* The next two are called with the socket's lock held, by a softirq or by a process. */
static void state_change(struct sock *sk)
{
	struct slick_ev *ev = slick_ev_of(sk);

	if (!ev)
		return;
	ev->saved.state_change(sk);
	slick_ev_poke(ev);
}

static void write_space(struct sock *sk)
{
	struct slick_ev *ev = slick_ev_of(sk);

	if (!ev)
		return;
	/* Clears SOCK_NOSPACE if there is enough. */
	ev->saved.write_space(sk);
	if (sk_stream_is_writeable(sk))
		slick_ev_poke(ev);
}

/* May be called without the socket's lock, hence the other one. */
static void error_report(struct sock *sk)
{
	void (*report)(struct sock *sk) = NULL;
	struct slick_ev *ev;

	read_lock_bh(&sk->sk_callback_lock);
	ev = __locked_read_sk_user_data_with_flags(sk, 0);
	if (ev) {
		report = ev->saved.error_report;
		slick_ev_poke(ev);
	}
	read_unlock_bh(&sk->sk_callback_lock);
	if (report)
		report(sk);
}

int slick_sock_check(const struct socket *sock)
{
	const struct sock *sk = sock->sk;

	if (!sk || sock->type != SOCK_STREAM || sk->sk_protocol != IPPROTO_TCP)
		return -EOPNOTSUPP;
	if (sk->sk_family != AF_INET && sk->sk_family != AF_INET6)
		return -EOPNOTSUPP;
	return sk->sk_state == TCP_LISTEN ? -EINVAL : 0;
}

/*
 * kTLS and its like leave their mark as a ULP and nowhere else, a sockmap and most others as data.
 * The protocol says less: a connection of a listener in a sockmap has another than its creator.
 */
bool slick_sock_taken(const struct sock *sk)
{
	return sk->sk_user_data || inet_csk(sk)->icsk_ulp_ops;
}

static void take(struct sock *sk, struct slick_ev *ev)
{
	struct slick_saved *saved = &ev->saved;

	saved->data_ready = sk->sk_data_ready;
	saved->state_change = sk->sk_state_change;
	saved->write_space = sk->sk_write_space;
	saved->error_report = sk->sk_error_report;
	saved->allocation = sk->sk_allocation;
	saved->task_frag = sk->sk_use_task_frag;
	/* Not for the connections that a listener's socket is copied to. */
	__rcu_assign_sk_user_data_with_flags(sk, ev, SK_USER_DATA_NOCOPY);
	WRITE_ONCE(sk->sk_data_ready, ev->kind->data_ready);
	if (ev->kind->listens)
		return;
	sk->sk_state_change = state_change;
	sk->sk_write_space = write_space;
	sk->sk_error_report = error_report;
	if (ev->kind->locked) {
		sk->sk_allocation = GFP_ATOMIC;
		/* In a softirq the task is anybody's. */
		sk->sk_use_task_frag = false;
	}
}

static void give_back(struct sock *sk, const struct slick_ev *ev)
{
	const struct slick_saved *saved = &ev->saved;

	WRITE_ONCE(sk->sk_data_ready, saved->data_ready);
	rcu_assign_sk_user_data(sk, NULL);
	if (ev->kind->listens)
		return;
	sk->sk_state_change = saved->state_change;
	sk->sk_write_space = saved->write_space;
	sk->sk_error_report = saved->error_report;
	sk->sk_allocation = saved->allocation;
	sk->sk_use_task_frag = saved->task_frag;
}

int slick_hook(struct slick_ev *ev)
{
	struct sock *sk = ev->sk;
	int error = 0;

	lock_sock(sk);
	write_lock_bh(&sk->sk_callback_lock);
	if (slick_sock_taken(sk))
		error = -EBUSY;
	else
		take(sk, ev);
	write_unlock_bh(&sk->sk_callback_lock);
	release_sock(sk);
	return error;
}

/*
 * Behind it none of the callbacks uses the event: those of a connection run under one of the two
 * locks. A listener's runs under its new connection's lock instead, and has to be waited for.
 */
void slick_unhook(struct slick_ev *ev)
{
	struct sock *sk = ev->sk;

	lock_sock(sk);
	write_lock_bh(&sk->sk_callback_lock);
	give_back(sk, ev);
	write_unlock_bh(&sk->sk_callback_lock);
	if (ev->kind->unhooked)
		ev->kind->unhooked(ev);
	release_sock(sk);
	if (ev->kind->listens)
		synchronize_rcu();
}

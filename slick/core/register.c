// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The interface of the original: a function for a socket, and no more. */
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/sched.h>

#include <slick/register.h>

#include "internal.h"

struct registered {
	void (*callback)(struct socket *sock, u32 what, void *data);
	void *data;
	struct task_struct *caller;	/* of callback(), while it runs */
};

static DEFINE_MUTEX(usual_lock);

static enum slick_ret registered_event(struct slick_ev *ev, u32 what)
{
	struct registered *one = slick_ev_data(ev);

	WRITE_ONCE(one->caller, current);
	one->callback(slick_ev_sock(ev), what, one->data);
	WRITE_ONCE(one->caller, NULL);
	return SLICK_DONE;
}

static void registered_release(struct slick_ev *ev)
{
	kfree(slick_ev_data(ev));
}

static const struct slick_ev_ops registered_ops = {
	.event = registered_event,
	.release = registered_release,
};

/* The loop of all that are registered in a namespace; it ends with the namespace. */
static struct slick_loop *usual(struct net *net)
{
	const struct slick_loop_cfg cfg = { .name = "register_sock", .context = SLICK_PERCPU };
	struct slick_net *here = slick_net_of(net);
	struct slick_loop *loop;

	mutex_lock(&usual_lock);
	loop = here->usual;
	if (!loop) {
		loop = slick_loop_create(net, &cfg);
		if (!IS_ERR(loop))
			here->usual = loop;
	}
	mutex_unlock(&usual_lock);
	return loop;
}

int register_sock(struct socket *sock, void (*callback)(struct socket *sock, u32 what, void *data),
		  void *data)
{
	struct registered *one;
	struct slick_loop *loop;
	struct slick_ev *ev;

	if (!sock->sk)
		return -EOPNOTSUPP;
	loop = usual(sock_net(sock->sk));
	if (IS_ERR(loop))
		return PTR_ERR(loop);
	one = kzalloc(sizeof(*one), GFP_KERNEL);
	if (!one)
		return -ENOMEM;
	one->callback = callback;
	one->data = data;
	ev = slick_ev_add(loop, sock, &registered_ops, one, SLICK_READ);
	if (IS_ERR(ev)) {
		kfree(one);
		return PTR_ERR(ev);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(register_sock);

/* Whose data a socket has is known by whose callback it has. */
static struct slick_ev *registered_ev(struct sock *sk)
{
	struct slick_ev *ev = NULL;

	lock_sock(sk);
	if (sk->sk_data_ready == slick_process_kind.data_ready)
		ev = slick_ev_of(sk);
	release_sock(sk);
	return ev && ev->ops == &registered_ops ? ev : NULL;
}

void unregister_sock(struct socket *sock)
{
	struct slick_ev *ev = registered_ev(sock->sk);
	struct registered *one;

	/* The end of the namespace was faster, or it never was. */
	if (!ev)
		return;
	one = slick_ev_data(ev);
	if (READ_ONCE(one->caller) == current)
		slick_ev_del_async(ev);
	else
		slick_ev_del(ev);
}
EXPORT_SYMBOL_GPL(unregister_sock);

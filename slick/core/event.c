// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Events: their life from slick_ev_add() to release(). */
#include <linux/net.h>

#include "internal.h"
#include "trace.h"

/* How often an event is served before those behind it in the queue have their turn. */
#define ROUNDS 4

void slick_ev_poke(struct slick_ev *ev)
{
	if (!(atomic_fetch_or(SLICK_OWNED | SLICK_POKED, &ev->state) & SLICK_OWNED))
		slick_context_queue(ev);
}

bool slick_ev_doom(struct slick_ev *ev)
{
	const int doom = SLICK_OWNED | SLICK_POKED | SLICK_DOOMED;

	if (test_and_set_bit(SLICK_DYING, &ev->flags))
		return false;
	/* In one step: the owner may end and free it as soon as it is told. */
	if (!(atomic_fetch_or(doom, &ev->state) & SLICK_OWNED))
		slick_context_queue(ev);
	return true;
}

enum slick_ret slick_ev_call(struct slick_ev *ev, u32 what)
{
	enum slick_ret ret;

	slick_count(ev->loop, SLICK_COUNT_CALLBACKS);
	ret = ev->ops->event(ev, what);
	trace_slick_event(ev, what, ret);
	if (unlikely(ev->timeout))
		WRITE_ONCE(ev->last, jiffies);
	if (ret == SLICK_AGAIN) {
		slick_count(ev->loop, SLICK_COUNT_AGAIN);
		/* What is left may lie in the user's buffer, of which the socket says nothing. */
		ev->again = what & (SLICK_READ | SLICK_WRITE) ?: SLICK_READ;
	} else if (ret == SLICK_CLOSE) {
		slick_ev_doom(ev);
	}
	return ret;
}

/* By the owner: the socket is its user's again, and the event is no more. */
static void end(struct slick_ev *ev)
{
	struct slick_loop *loop = ev->loop;
	struct completion *gone;

	slick_unhook(ev);
	if (ev->kind->gone)
		ev->kind->gone(ev);
	timer_delete_sync(&ev->timer);
	slick_loop_hide(loop, ev);
	trace_slick_close(ev);
	slick_count(loop, SLICK_COUNT_CLOSED);
	if (ev->ops->release)
		ev->ops->release(ev);
	__skb_queue_purge(&ev->lent);
	gone = READ_ONCE(ev->gone);
	kfree(ev);
	if (gone)
		complete(gone);
	slick_loop_leave(loop);
}

/*
 * By the owner. Whoever pokes before the exchange is seen by the step behind it; who pokes later
 * is seen by the last line of the loop, or becomes the next owner.
 */
void slick_ev_serve(struct slick_ev *ev)
{
	enum slick_step step;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		if (unlikely(atomic_xchg(&ev->state, SLICK_OWNED) & SLICK_DOOMED)) {
			end(ev);
			return;
		}
		step = ev->kind->step(ev);
		if (step == SLICK_STEP_MORE)
			break;
		if (step == SLICK_STEP_IDLE &&
		    atomic_cmpxchg(&ev->state, SLICK_OWNED, 0) == SLICK_OWNED)
			return;
	}
	slick_context_queue(ev);
}

static enum slick_step process_step(struct slick_ev *ev)
{
	u32 what = slick_ev_take(ev);

	if (!what)
		return SLICK_STEP_IDLE;
	return slick_ev_call(ev, what) == SLICK_AGAIN ? SLICK_STEP_MORE : SLICK_STEP_SERVED;
}

/* With the socket's lock held. Who is not asked for SLICK_READ need not be poked. */
static void process_data_ready(struct sock *sk)
{
	struct slick_ev *ev = slick_ev_of(sk);

	if (unlikely(!ev))
		return;
	if (unlikely(!(READ_ONCE(ev->wanted) & SLICK_READ))) {
		/*
		 * With slick_ev_want(): of a byte that comes and a wish that is made at the same
		 * time one sees the other.
		 */
		smp_mb();
		if (!(READ_ONCE(ev->wanted) & SLICK_READ))
			return;
	}
	slick_ev_poke(ev);
}

const struct slick_kind slick_process_kind = {
	.step = process_step,
	.data_ready = process_data_ready,
	.transport = &slick_process_transport,
};

static void timer_expired(struct timer_list *timer)
{
	struct slick_ev *ev = container_of(timer, struct slick_ev, timer);
	unsigned long timeout = READ_ONCE(ev->timeout);
	unsigned long due = READ_ONCE(ev->last) + timeout;

	if (!timeout || test_bit(SLICK_DYING, &ev->flags))
		return;
	if (time_before(jiffies, due)) {
		mod_timer(timer, due);
		return;
	}
	set_bit(SLICK_TIMED_OUT, &ev->flags);
	WRITE_ONCE(ev->last, jiffies);
	mod_timer(timer, jiffies + timeout);
	slick_ev_poke(ev);
}

struct slick_ev *slick_ev_new(struct slick_loop *loop, struct socket *sock,
			      const struct slick_ev_ops *ops, void *data,
			      const struct slick_kind *kind, u32 what)
{
	struct slick_ev *ev = kzalloc(max(kind->size, sizeof(*ev)), GFP_KERNEL);

	if (!ev)
		return ERR_PTR(-ENOMEM);
	ev->loop = loop;
	ev->sock = sock;
	ev->sk = sock->sk;
	ev->ops = ops;
	ev->data = data;
	ev->kind = kind;
	ev->wanted = what;
	__skb_queue_head_init(&ev->lent);
	timer_setup(&ev->timer, timer_expired, 0);
	slick_context_bind(ev);
	return ev;
}

struct slick_ev *slick_ev_begin(struct slick_ev *ev)
{
	struct slick_loop *loop = ev->loop;
	int error;

	/* Owned, so that nobody serves it who sees it on the list before it is hooked. */
	atomic_set(&ev->state, SLICK_OWNED);
	error = slick_loop_enter(loop, ev);
	if (error) {
		kfree(ev);
		return ERR_PTR(error);
	}
	error = slick_hook(ev);
	if (error) {
		slick_loop_hide(loop, ev);
		kfree(ev);
		slick_loop_leave(loop);
		return ERR_PTR(error);
	}
	/* Bytes that are there already, or a loop that ends, have poked nobody. */
	slick_context_queue(ev);
	return ev;
}

void slick_ev_refused(struct slick_loop *loop, const struct socket *sock, int error)
{
	slick_count(loop, SLICK_COUNT_REFUSED);
	trace_slick_refused(loop, sock->sk, error);
}

struct slick_ev *slick_ev_add(struct slick_loop *loop, struct socket *sock,
			      const struct slick_ev_ops *ops, void *data, u32 what)
{
	const struct slick_kind *kind = &slick_process_kind;
	int error = slick_sock_check(sock);
	struct slick_ev *ev = ERR_PTR(error);

	if (!error) {
		if (loop->context == SLICK_SOFTIRQ)
			kind = &slick_softirq_kind;
		ev = slick_ev_new(loop, sock, ops, data, kind, what);
		if (!IS_ERR(ev))
			ev = slick_ev_begin(ev);
	}
	if (IS_ERR(ev))
		slick_ev_refused(loop, sock, PTR_ERR(ev));
	return ev;
}
EXPORT_SYMBOL_GPL(slick_ev_add);

void slick_ev_del(struct slick_ev *ev)
{
	DECLARE_COMPLETION_ONSTACK(gone);

	WRITE_ONCE(ev->gone, &gone);
	if (!WARN_ON_ONCE(!slick_ev_doom(ev)))
		wait_for_completion(&gone);
}
EXPORT_SYMBOL_GPL(slick_ev_del);

void slick_ev_del_async(struct slick_ev *ev)
{
	slick_ev_doom(ev);
}
EXPORT_SYMBOL_GPL(slick_ev_del_async);

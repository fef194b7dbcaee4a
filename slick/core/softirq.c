// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The fast path: event() is called where the bytes come in, with the socket's lock held, and may
 * answer on that socket. What it leaves over, and what is no news of bytes, goes on in a work that
 * takes the lock as well, so that a softirq never does more than one budget.
 */
#include <net/sock.h>

#include "internal.h"

/*
 * With the socket's lock held: mostly in a softirq, but in a process where the bytes came while it
 * had the lock.
 */
static void softirq_data_ready(struct sock *sk)
{
	struct slick_ev *ev = slick_ev_of(sk);
	enum slick_ret ret;
	u32 what;

	/* event() itself may have brought us here: it will look again. */
	if (unlikely(!ev || ev->serving || test_bit(SLICK_DYING, &ev->flags)))
		return;
	what = slick_ev_take(ev);
	if (!what)
		return;
	WRITE_ONCE(ev->serving, true);
	ret = slick_ev_call(ev, what);
	WRITE_ONCE(ev->serving, false);
	/* With slick_ev_want(): either it sees that nobody serves, or its wish is seen here. */
	smp_mb();
	if (ret == SLICK_AGAIN || slick_ev_due(ev)) {
		slick_count(ev->loop, SLICK_COUNT_DEFERRED);
		slick_ev_poke(ev);
	}
}

static enum slick_step softirq_step(struct slick_ev *ev)
{
	enum slick_step step = SLICK_STEP_IDLE;
	struct sock *sk = ev->sk;
	u32 what;

	lock_sock(sk);
	/* While this waited for the lock, a softirq may have called it, for the last time. */
	what = test_bit(SLICK_DYING, &ev->flags) ? 0 : slick_ev_take(ev);
	if (what) {
		WRITE_ONCE(ev->serving, true);
		step = SLICK_STEP_SERVED;
		if (slick_ev_call(ev, what) == SLICK_AGAIN)
			step = SLICK_STEP_MORE;
		WRITE_ONCE(ev->serving, false);
	}
	release_sock(sk);
	return step;
}

const struct slick_kind slick_softirq_kind = {
	.step = softirq_step,
	.data_ready = softirq_data_ready,
	.transport = &slick_locked_transport,
	.locked = true,
};

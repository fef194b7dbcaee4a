// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Events whose socket is read by the kernel's strparser. All of it runs with the socket's lock. */
#include <linux/skbuff.h>
#include <net/tcp.h>

#include "strp_internal.h"
#include "trace.h"

static int parse_msg(struct strparser *strp, struct sk_buff *skb)
{
	struct strp_ev *se = container_of(strp, struct strp_ev, strp);
	unsigned int offset = strp_msg(skb)->offset;

	return se->ops->frame(&se->ev, skb, offset, skb->len - offset);
}

static void rcv_msg(struct strparser *strp, struct sk_buff *skb)
{
	struct strp_ev *se = container_of(strp, struct strp_ev, strp);
	const struct strp_msg *msg = strp_msg(skb);
	struct slick_ev *ev = &se->ev;
	enum slick_ret ret;

	slick_count(ev->loop, SLICK_COUNT_CALLBACKS);
	ret = se->ops->message(ev, skb, msg->offset, msg->full_len);
	trace_slick_event(ev, SLICK_READ, ret);
	if (unlikely(ev->timeout))
		WRITE_ONCE(ev->last, jiffies);
	consume_skb(skb);
	if (likely(ret == SLICK_DONE && !test_bit(SLICK_DYING, &ev->flags)))
		return;
	/* The step below goes on with it, or ends it; nothing is told of the messages behind. */
	strp_pause(strp);
	if (ret == SLICK_CLOSE)
		slick_ev_doom(ev);
	else
		slick_ev_poke(ev);
}

/* Bytes that came before the peer's end were read: now the end can be told. */
static int read_sock_done(struct strparser *strp, int error)
{
	struct strp_ev *se = container_of(strp, struct strp_ev, strp);

	if (unlikely(strp->sk->sk_shutdown & RCV_SHUTDOWN))
		slick_ev_poke(&se->ev);
	return error;
}

/* Answers to what came before are still sent. */
static void abort_parser(struct strparser *strp, int error)
{
	struct strp_ev *se = container_of(strp, struct strp_ev, strp);

	if (!strp->stopped) {
		strp_stop(strp);
		WRITE_ONCE(se->ev.broken, error);
		slick_ev_poke(&se->ev);
	}
}

void slick_strp_end(struct slick_ev *ev, int error)
{
	struct strp_ev *se = strp_ev_of(ev);

	abort_parser(&se->strp, error);
	/* What is left of the skb that it is reading is not to be looked at either. */
	strp_pause(&se->strp);
}
EXPORT_SYMBOL_GPL(slick_strp_end);

static const struct strp_callbacks callbacks = {
	.parse_msg = parse_msg,
	.rcv_msg = rcv_msg,
	.read_sock_done = read_sock_done,
	.abort_parser = abort_parser,
};

static void strp_ready(struct sock *sk)
{
	struct slick_ev *ev = slick_ev_of(sk);

	if (likely(ev && !test_bit(SLICK_DYING, &ev->flags)))
		strp_data_ready(&strp_ev_of(ev)->strp);
}

/*
 * The strparser waits until all of a message is in the socket's buffer. That it can get there is
 * looked after with each packet: later nothing might come any more.
 */
static void look_for_room(struct strp_ev *se)
{
	struct sock *sk = se->ev.sk;
	int missing = (int)se->strp.need_bytes - tcp_inq(sk);

	if (missing > 0 && !se->strp.stopped && !strp_room_for(sk, missing, se->longest))
		abort_parser(&se->strp, -ENOBUFS);
}

static void framed_ready(struct sock *sk)
{
	struct slick_ev *ev = slick_ev_of(sk);

	if (unlikely(!ev || test_bit(SLICK_DYING, &ev->flags)))
		return;
	strp_data_ready(&strp_ev_of(ev)->strp);
	look_for_room(strp_ev_of(ev));
}

/* All that can be read was: what is left is the beginning of a message that will never be whole. */
static bool read_out(const struct strp_ev *se)
{
	int unread = tcp_inq(se->ev.sk);

	return !unread || (!se->strp.paused && unread < se->strp.need_bytes);
}

static u32 strp_take(struct strp_ev *se)
{
	struct slick_ev *ev = &se->ev;
	struct sock *sk = ev->sk;
	u32 what = 0, news = 0;

	if (ev->dead || sk->sk_err || (ev->broken && skb_queue_empty(&se->waiting))) {
		what |= SLICK_ERROR;
		news |= SLICK_TOLD_ERROR;
		if (!ev->dead)
			slick_count(ev->loop, SLICK_COUNT_ERRORS);
		ev->dead = true;
	}
	if (sk->sk_shutdown & RCV_SHUTDOWN && skb_queue_empty(&se->waiting) && read_out(se)) {
		what |= SLICK_EOF;
		news |= SLICK_TOLD_EOF;
	}
	if (!(news & ~ev->told))
		what = 0;
	ev->told |= news;
	return READ_ONCE(ev->flags) ? slick_ev_take_flags(ev, what) : what;
}

static enum slick_step strp_step(struct slick_ev *ev)
{
	struct strp_ev *se = strp_ev_of(ev);
	enum slick_step step = SLICK_STEP_IDLE;
	struct sock *sk = ev->sk;
	u32 what;

	lock_sock(sk);
	strp_flush(se);
	if (se->strp.paused && se->memory <= STRP_LOW && !se->strp.stopped &&
	    !test_bit(SLICK_DYING, &ev->flags)) {
		if (se->longest)
			strp_room_begin(sk, se->longest);
		__strp_unpause(&se->strp);
		if (se->longest)
			look_for_room(se);
		/* A message may have paused it again. */
		step = SLICK_STEP_SERVED;
	}
	what = test_bit(SLICK_DYING, &ev->flags) ? 0 : strp_take(se);
	if (what) {
		slick_ev_call(ev, what);
		step = SLICK_STEP_SERVED;
	}
	/* There was no memory for it: no space that comes will tell. */
	if (!skb_queue_empty(&se->waiting) && slick_writable(sk))
		step = SLICK_STEP_MORE;
	release_sock(sk);
	return step;
}

static void strp_unhooked(struct slick_ev *ev)
{
	strp_stop(&strp_ev_of(ev)->strp);
}

static void strp_gone(struct slick_ev *ev)
{
	struct strp_ev *se = strp_ev_of(ev);

	strp_done(&se->strp);
	__skb_queue_purge(&se->waiting);
}

static const struct slick_kind strp_kind = {
	.step = strp_step,
	.data_ready = strp_ready,
	.unhooked = strp_unhooked,
	.gone = strp_gone,
	.size = sizeof(struct strp_ev),
	.locked = true,
};

static const struct slick_kind framed_kind = {
	.step = strp_step,
	.data_ready = framed_ready,
	.unhooked = strp_unhooked,
	.gone = strp_gone,
	.size = sizeof(struct strp_ev),
	.locked = true,
};

static struct slick_ev *strp_new(struct slick_loop *loop, struct socket *sock,
				 const struct slick_ev_ops *ops,
				 const struct slick_strp_ops *strp_ops, void *data, u32 longest)
{
	const struct slick_kind *kind = longest ? &framed_kind : &strp_kind;
	struct slick_ev *ev = slick_ev_new(loop, sock, ops, data, kind, SLICK_READ);
	struct strp_ev *se;
	int error;

	if (IS_ERR(ev))
		return ev;
	se = strp_ev_of(ev);
	se->ops = strp_ops;
	se->longest = longest;
	__skb_queue_head_init(&se->waiting);
	error = strp_init(&se->strp, sock->sk, &callbacks);
	if (error) {
		kfree(se);
		return ERR_PTR(error);
	}
	/* The first step lets it go, and thus reads what is there already. */
	strp_pause(&se->strp);
	return slick_ev_begin(ev);
}

static struct slick_ev *strp_add(struct slick_loop *loop, struct socket *sock,
				 const struct slick_ev_ops *ops,
				 const struct slick_strp_ops *strp_ops, void *data, u32 longest)
{
	int error = slick_sock_check(sock);
	struct slick_ev *ev;

	ev = error ? ERR_PTR(error) : strp_new(loop, sock, ops, strp_ops, data, longest);
	if (IS_ERR(ev))
		slick_ev_refused(loop, sock, PTR_ERR(ev));
	return ev;
}

struct slick_ev *slick_ev_add_strp(struct slick_loop *loop, struct socket *sock,
				   const struct slick_ev_ops *ops,
				   const struct slick_strp_ops *strp_ops, void *data)
{
	return strp_add(loop, sock, ops, strp_ops, data, 0);
}
EXPORT_SYMBOL_GPL(slick_ev_add_strp);

struct slick_ev *slick_ev_add_framed(struct slick_loop *loop, struct socket *sock,
				     const struct slick_ev_ops *ops,
				     const struct slick_strp_ops *strp_ops, void *data, u32 longest)
{
	if (!longest || longest > SLICK_STRP_LONGEST)
		return ERR_PTR(-EINVAL);
	return strp_add(loop, sock, ops, strp_ops, data, longest);
}
EXPORT_SYMBOL_GPL(slick_ev_add_framed);

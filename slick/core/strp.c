// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Events whose socket is read by the kernel's strparser. All of it runs with the socket's lock. */
#include <linux/skbuff.h>
#include <net/strparser.h>
#include <net/tcp.h>

#include <slick/strp.h>

#include "internal.h"
#include "trace.h"

/* Memory of answers that wait: above it nothing is read, at or below the other it goes on. */
#define STRP_HIGH (256 * 1024)
#define STRP_LOW (64 * 1024)

struct strp_ev {
	struct slick_ev ev;	/* first: the two are freed as one */
	const struct slick_strp_ops *ops;
	struct strparser strp;
	struct sk_buff_head waiting;	/* answers, and parts of answers */
	size_t memory;			/* of them */
};

/* In skb->cb of an answer that waits: which bytes are left of it. Strparser's own are behind. */
struct left {
	u32 offset;
	u32 length;
};

static struct left *left_of(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct left) > offsetof(struct sk_skb_cb, strp));
	return (struct left *)skb->cb;
}

static struct strp_ev *strp_ev_of(const struct slick_ev *ev)
{
	return container_of(ev, struct strp_ev, ev);
}

/* The way the bytes go is asked first: the send below would signal a process that is not ours. */
static int send_some(struct sock *sk, struct sk_buff *skb, u32 offset, u32 length)
{
	if (sk->sk_err)
		return -sk->sk_err;
	if (sk->sk_shutdown & SEND_SHUTDOWN)
		return -EPIPE;
	return skb_send_sock_locked(sk, skb, offset, length);
}

static int keep(struct strp_ev *se, struct sk_buff *skb, u32 offset, u32 length)
{
	/* A message of which two parts are kept is in the queue already. */
	if (skb->next)
		skb = skb_clone(skb, GFP_ATOMIC);
	else
		skb = skb_get(skb);
	if (!skb)
		return -ENOMEM;
	left_of(skb)->offset = offset;
	left_of(skb)->length = length;
	se->memory += skb->truesize;
	__skb_queue_tail(&se->waiting, skb);
	if (se->memory > STRP_HIGH)
		strp_pause(&se->strp);
	return 0;
}

int slick_strp_send(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		    unsigned int length)
{
	struct strp_ev *se = strp_ev_of(ev);
	int sent = 0;

	if (skb_queue_empty(&se->waiting)) {
		sent = send_some(ev->sk, skb, offset, length);
		if (sent == length)
			return 0;
		if (sent == -EAGAIN)
			sent = 0;
		if (sent < 0)
			return sent;
	}
	return keep(se, skb, offset + sent, length - sent);
}
EXPORT_SYMBOL_GPL(slick_strp_send);

static void drop_first(struct strp_ev *se, struct sk_buff *skb)
{
	__skb_unlink(skb, &se->waiting);
	se->memory -= skb->truesize;
	consume_skb(skb);
}

/* Sends what waits until the peer takes no more. If it never will, nothing waits any longer. */
static void flush(struct strp_ev *se)
{
	struct sk_buff *skb;
	struct left *left;
	int sent;

	while ((skb = skb_peek(&se->waiting))) {
		left = left_of(skb);
		sent = send_some(se->ev.sk, skb, left->offset, left->length);
		if (sent == -EAGAIN)
			return;
		if (sent < 0)
			sent = left->length;
		left->offset += sent;
		left->length -= sent;
		if (!left->length)
			drop_first(se, skb);
	}
}

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
	if (likely(ret == SLICK_DONE))
		return;
	/* The step below goes on with it, or ends it. */
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
	flush(se);
	if (se->strp.paused && se->memory <= STRP_LOW && !se->strp.stopped) {
		__strp_unpause(&se->strp);
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

static struct slick_ev *strp_new(struct slick_loop *loop, struct socket *sock,
				 const struct slick_ev_ops *ops,
				 const struct slick_strp_ops *strp_ops, void *data)
{
	struct slick_ev *ev = slick_ev_new(loop, sock, ops, data, &strp_kind, SLICK_READ);
	struct strp_ev *se;
	int error;

	if (IS_ERR(ev))
		return ev;
	se = strp_ev_of(ev);
	se->ops = strp_ops;
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

struct slick_ev *slick_ev_add_strp(struct slick_loop *loop, struct socket *sock,
				   const struct slick_ev_ops *ops,
				   const struct slick_strp_ops *strp_ops, void *data)
{
	int error = slick_sock_check(sock);
	struct slick_ev *ev;

	ev = error ? ERR_PTR(error) : strp_new(loop, sock, ops, strp_ops, data);
	if (IS_ERR(ev))
		slick_ev_refused(loop, sock, PTR_ERR(ev));
	return ev;
}
EXPORT_SYMBOL_GPL(slick_ev_add_strp);

// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What an event on the strparser sends: at once, or in order when the peer takes it. */
#include <linux/skbuff.h>

#include "strp_internal.h"

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

/* Bytes that lie in the skb itself, then those in the skbs of its list, each as an answer. */
static int send_parts(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		      unsigned int length)
{
	unsigned int own = skb_pagelen(skb), number = 0;
	struct sk_buff *part, *lent;
	int error = 0;

	if (offset < own) {
		number = min(length, own - offset);
		error = slick_strp_send(ev, skb, offset, number);
	}
	offset += number - own;
	length -= number;
	skb_walk_frags(skb, part) {
		if (error || !length)
			break;
		if (offset >= part->len) {
			offset -= part->len;
			continue;
		}
		/* The list is not to be touched: another skb may share it. */
		lent = skb_clone(part, GFP_ATOMIC);
		if (!lent)
			return -ENOMEM;
		number = min(length, part->len - offset);
		error = slick_strp_send(ev, lent, offset, number);
		consume_skb(lent);
		length -= number;
		offset = 0;
	}
	return error;
}

int slick_strp_send_whole(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
			  unsigned int length)
{
	struct sk_buff *part;

	skb_walk_frags(skb, part)
		if (unlikely(skb_has_frag_list(part)))
			return send_parts(ev, skb, offset, length);
	return slick_strp_send(ev, skb, offset, length);
}
EXPORT_SYMBOL_GPL(slick_strp_send_whole);

static void drop_first(struct strp_ev *se, struct sk_buff *skb)
{
	__skb_unlink(skb, &se->waiting);
	se->memory -= skb->truesize;
	consume_skb(skb);
}

void strp_flush(struct strp_ev *se)
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

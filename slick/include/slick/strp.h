/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A socket whose bytes are not copied: the kernel's strparser cuts them into messages that stay in
 * the pages they came in, and these pages are sent back. In the kernel only. A frame longer than
 * the socket's receive buffer ends the connection.
 */
#ifndef SLICK_STRP_H
#define SLICK_STRP_H

#include <slick/klibevent.h>

struct sk_buff;

/* Both with the socket's lock held and mostly in a softirq, whatever the context of the loop. */
struct slick_strp_ops {
	/*
	 * How long the message is that begins at `offset`, where `available` bytes are there:
	 * 0: more are needed to say; an error ends the connection. `available` itself may be the
	 * answer: then a message is whatever came.
	 */
	int (*frame)(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		     unsigned int available);
	/* A whole message. The skb is lent: slick_strp_send() keeps what it needs of it. */
	enum slick_ret (*message)(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
				  unsigned int length);
};

/*
 * As slick_ev_add(), on a loop of any context. event() is told of what is not a message: of
 * SLICK_EOF behind the last message and its answer, SLICK_ERROR, SLICK_TIMEOUT and SLICK_KICK; it
 * runs in process context, with the socket's lock held as well. There is no slick_ev_transport().
 */
struct slick_ev *slick_ev_add_strp(struct slick_loop *loop, slick_sock_t sock,
				   const struct slick_ev_ops *ops,
				   const struct slick_strp_ops *strp_ops, void *data);

/*
 * From message() only: sends bytes of the skb on the same socket. What the peer does not take now
 * is kept in order; above a mark no further message is read until it has taken enough. 0; else the
 * connection cannot go on: -ENOMEM, or why it is dead.
 */
int slick_strp_send(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		    unsigned int length);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A socket whose bytes are not copied: the kernel's strparser cuts them into messages that stay in
 * the pages they came in, and these pages are sent back. In the kernel only.
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
 * Likewise, where frame() says more than there is: of messages up to `longest` bytes, which the
 * socket's receive buffer is made to hold. (On one of slick_ev_add_strp() a message longer than the
 * receive buffer ends the connection.) -EINVAL: none, or more than SLICK_STRP_LONGEST. A peer whose
 * packets take so much more memory than they bring that SLICK_STRP_ROOM times the longest message
 * would not hold one is ended with -ENOBUFS.
 */
#define SLICK_STRP_LONGEST 0x2000000
#define SLICK_STRP_ROOM 16
struct slick_ev *slick_ev_add_framed(struct slick_loop *loop, slick_sock_t sock,
				     const struct slick_ev_ops *ops,
				     const struct slick_strp_ops *strp_ops, void *data,
				     u32 longest);

/*
 * From message() only: sends bytes of the skb on the same socket. What the peer does not take now
 * is kept in order; above a mark no further message is read until it has taken enough. 0; else the
 * connection cannot go on: -ENOMEM, or why it is dead.
 */
int slick_strp_send(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		    unsigned int length);
/*
 * Likewise, for messages that frame() has waited for: of what came with a list of skbs, the
 * strparser makes lists within a list, at which the kernel's way of sending an skb would stop.
 */
int slick_strp_send_whole(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
			  unsigned int length);
/*
 * From message() only, which then says SLICK_DONE: nothing is read any more, and SLICK_ERROR is
 * told with this error when the answers to what came before are sent.
 */
void slick_strp_end(struct slick_ev *ev, int error);

#endif

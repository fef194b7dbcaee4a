/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * ThriftSocket on the strparser: whole messages that stay in the pages they came in, are walked
 * there and sent on from there. In the kernel only.
 */
#ifndef SLICK_TSTRP_H
#define SLICK_TSTRP_H

#include <slick/strp.h>
#include <slick/thrift.h>

/*
 * As slick_ev_add_framed(), for frames up to the limit: -EINVAL where that is more than
 * SLICK_STRP_LONGEST. slick_strp_ops.frame() is to answer with slick_tstrp_frame().
 */
struct slick_ev *slick_ev_add_tstrp(struct slick_loop *loop, slick_sock_t sock,
				    const struct slick_ev_ops *ops,
				    const struct slick_strp_ops *strp_ops, void *data,
				    const struct slick_thrift_limits *limits);

/*
 * How long the frame is that begins at `offset`, with its header; 0: its length is not there yet,
 * -EMSGSIZE, -EPROTO: as slick_thrift_frame(). The four bytes may lie in several places.
 */
int slick_tstrp_frame(const struct slick_thrift_limits *limits, struct sk_buff *skb,
		      unsigned int offset, unsigned int available);

#define SLICK_TSTRP_DEPTH 3	/* an skb, its list, and the lists of those in it */

/* The bytes of a message in an skb, for slick_thrift_read_head() and slick_thrift_next_place(). */
struct slick_tstrp {
	struct slick_thrift_source source;
	/* The piece that was looked at last: a walk forward does not search from the front. */
	const struct sk_buff *path[SLICK_TSTRP_DEPTH];
	const u8 *piece;
	u32 from, length;	/* of the piece, in the skb */
	u32 offset;		/* of the message, in the skb */
	u32 depth;
	u32 frag;		/* the next of path[depth] */
};

/* The message is that of slick_strp_ops.message(); what it says is good until that returns. */
void slick_tstrp_source(struct slick_tstrp *walk, const struct sk_buff *skb, unsigned int offset,
			unsigned int length);

#endif

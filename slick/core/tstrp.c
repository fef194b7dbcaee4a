// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* ThriftSocket on the strparser: frames, and a look at a message in the pages of an skb. */
#include <linux/skbuff.h>

#include <slick/tstrp.h>

#include "compat.h"

static u32 longest(const struct slick_thrift_limits *limits)
{
	u32 max = slick_thrift_max_frame(limits);

	return max <= SLICK_THRIFT_LONGEST_FRAME ? max + SLICK_THRIFT_FRAME_HEADER : U32_MAX;
}

struct slick_ev *slick_ev_add_tstrp(struct slick_loop *loop, struct socket *sock,
				    const struct slick_ev_ops *ops,
				    const struct slick_strp_ops *strp_ops, void *data,
				    const struct slick_thrift_limits *limits)
{
	return slick_ev_add_framed(loop, sock, ops, strp_ops, data, longest(limits));
}
EXPORT_SYMBOL_GPL(slick_ev_add_tstrp);

int slick_tstrp_frame(const struct slick_thrift_limits *limits, struct sk_buff *skb,
		      unsigned int offset, unsigned int available)
{
	u8 scratch[SLICK_THRIFT_FRAME_HEADER];
	const u8 *bytes;
	s64 frame;

	if (available < sizeof(scratch))
		return 0;
	bytes = skb_header_pointer(skb, offset, sizeof(scratch), scratch);
	if (!bytes)
		return -EPROTO;
	frame = slick_thrift_frame(bytes, sizeof(scratch), limits);
	return frame <= INT_MAX ? frame : -EMSGSIZE;
}
EXPORT_SYMBOL_GPL(slick_tstrp_frame);

/* Goes on with an skb: its own bytes first. */
static void enter(struct slick_tstrp *walk, u32 depth, const struct sk_buff *skb)
{
	walk->depth = depth;
	walk->path[depth] = skb;
	walk->frag = 0;
	walk->piece = skb->data;
	walk->length = skb_headlen(skb);
}

/* Behind the last piece of an skb: into its list, or to the next one in the list that it is in. */
static bool next_skb(struct slick_tstrp *walk)
{
	u32 depth = walk->depth;

	if (skb_has_frag_list(walk->path[depth])) {
		if (depth + 1 == SLICK_TSTRP_DEPTH)
			return false;
		enter(walk, depth + 1, skb_shinfo(walk->path[depth])->frag_list);
		return true;
	}
	while (depth && !walk->path[depth]->next)
		depth--;
	if (!depth)
		return false;
	enter(walk, depth, walk->path[depth]->next);
	return true;
}

static bool next_piece(struct slick_tstrp *walk)
{
	const struct sk_buff *skb = walk->path[walk->depth];
	const skb_frag_t *frag;

	walk->from += walk->length;
	walk->length = 0;
	if (walk->frag == skb_shinfo(skb)->nr_frags)
		return next_skb(walk);
	if (!slick_skb_readable(skb))
		return false;
	frag = &skb_shinfo(skb)->frags[walk->frag++];
	walk->piece = skb_frag_address(frag);
	walk->length = skb_frag_size(frag);
	return true;
}

/* To the piece that has this byte of the skb. */
static bool seek(struct slick_tstrp *walk, u32 offset)
{
	if (offset < walk->from) {
		walk->from = 0;
		enter(walk, 0, walk->path[0]);
	}
	while (offset - walk->from >= walk->length)
		if (!next_piece(walk))
			return false;
	return true;
}

/* Bytes of several pieces. The walk stays at the first of them: it may ask for that once more. */
static const u8 *gather(const struct slick_tstrp *walk, u32 offset, u32 number, u8 *scratch)
{
	struct slick_tstrp ahead = *walk;
	u32 i;

	for (i = 0; i < number; i++) {
		if (!seek(&ahead, offset + i))
			return NULL;
		scratch[i] = ahead.piece[offset + i - ahead.from];
	}
	return scratch;
}

static const u8 *at(void *context, u32 offset, u32 number, u8 *scratch)
{
	struct slick_tstrp *walk = context;

	offset += walk->offset;
	/* Pages that have no address of their own have to be mapped, which copying does. */
	if (IS_ENABLED(CONFIG_HIGHMEM))
		return skb_copy_bits(walk->path[0], offset, scratch, number) ? NULL : scratch;
	if (!seek(walk, offset))
		return NULL;
	if (likely(number <= walk->length - (offset - walk->from)))
		return walk->piece + (offset - walk->from);
	return gather(walk, offset, number, scratch);
}

void slick_tstrp_source(struct slick_tstrp *walk, const struct sk_buff *skb, unsigned int offset,
			unsigned int length)
{
	walk->source = (struct slick_thrift_source){
		.at = at, .context = walk, .length = length,
	};
	walk->from = 0;
	walk->offset = offset;
	enter(walk, 0, skb);
}
EXPORT_SYMBOL_GPL(slick_tstrp_source);

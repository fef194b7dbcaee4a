/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Skbs as the strparser makes them. */
#ifndef SLICK_KUNIT_SKB_H
#define SLICK_KUNIT_SKB_H

#include <linux/skbuff.h>

/* Behind what is there, on the list of `head`. NULL is missed later, when bytes are. */
static inline void slick_skb_append(struct sk_buff *head, struct sk_buff *skb)
{
	struct sk_buff **last = &skb_shinfo(head)->frag_list;

	if (!skb)
		return;
	while (*last)
		last = &(*last)->next;
	*last = skb;
	head->len += skb->len;
	head->data_len += skb->len;
	head->truesize += skb->truesize;
}

#endif

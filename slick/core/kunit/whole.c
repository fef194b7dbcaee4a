// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Lists of skbs within a list, as the strparser may make them, sent over a real TCP connection. */
#include <linux/skbuff.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include <slick/strp.h>

#include "kunit.h"
#include "pair.h"
#include "skb.h"

#define PART 3000
#define FROM 50		/* bytes of it that are not sent, at both ends */
#define BEHIND 7
#define WHOLE (100 + 6 * PART + 1)
#define SENT (WHOLE - FROM - BEHIND)

static struct sk_buff *make(u32 *at, u32 length)
{
	struct sk_buff *skb = alloc_skb(length, GFP_ATOMIC);

	if (skb) {
		slick_fill_pattern(skb_put(skb, length), length, *at);
		*at += length;
	}
	return skb;
}

static struct sk_buff *nested(void)
{
	u32 at = 0;
	struct sk_buff *head = make(&at, 100), *first = make(&at, PART), *last;

	if (!head || !first)
		return NULL;
	slick_skb_append(first, make(&at, PART));
	slick_skb_append(first, make(&at, PART));
	slick_skb_append(head, first);
	slick_skb_append(head, make(&at, PART));
	last = make(&at, 1);
	if (!last)
		return NULL;
	slick_skb_append(last, make(&at, PART));
	slick_skb_append(last, make(&at, PART));
	slick_skb_append(head, last);
	return head->len == WHOLE ? head : NULL;
}

/* Each byte is a message. */
static int frame(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		 unsigned int available)
{
	return 1;
}

static enum slick_ret answer(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
			     unsigned int length)
{
	struct sk_buff *whole = nested();
	int error;

	if (!whole)
		return SLICK_CLOSE;
	error = slick_strp_send_whole(ev, whole, FROM, SENT);
	consume_skb(whole);
	return error ? SLICK_CLOSE : SLICK_DONE;
}

static enum slick_ret event(struct slick_ev *ev, u32 what)
{
	return SLICK_DONE;
}

static const struct slick_ev_ops ops = { .event = event };
static const struct slick_strp_ops strp_ops = { .frame = frame, .message = answer };

static void expect_answers(struct kunit *test, struct slick_pair *pair, int number)
{
	u8 *bytes = kunit_kzalloc(test, SENT, GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, bytes);
	KUNIT_EXPECT_EQ(test, slick_say(pair->peer, bytes, number), 0);
	/* Most of it has to wait until it is read. */
	msleep(50);
	for (i = 0; i < number; i++) {
		KUNIT_EXPECT_EQ(test, slick_hear(pair->peer, bytes, SENT), SENT);
		KUNIT_EXPECT_TRUE(test, slick_is_pattern(bytes, SENT, FROM));
	}
}

static void lists_within_a_list_are_sent(struct kunit *test)
{
	const struct slick_loop_cfg cfg = { .name = "whole" };
	struct slick_pair pair = { .window = 16384 };
	struct slick_loop *loop = slick_loop_create(&init_net, &cfg);
	struct slick_ev *ev;

	KUNIT_ASSERT_FALSE(test, IS_ERR(loop));
	KUNIT_EXPECT_EQ(test, slick_pair_open(&pair), 0);
	if (pair.ours) {
		pair.ours->sk->sk_sndbuf = 4608;
		pair.ours->sk->sk_userlocks |= SOCK_SNDBUF_LOCK;
		ev = slick_ev_add_strp(loop, pair.ours, &ops, &strp_ops, NULL);
		KUNIT_EXPECT_FALSE(test, IS_ERR(ev));
		if (!IS_ERR(ev)) {
			expect_answers(test, &pair, 1);
			expect_answers(test, &pair, 8);
			slick_ev_del(ev);
		}
	}
	slick_pair_close(&pair);
	slick_loop_destroy(loop);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(lists_within_a_list_are_sent),
	{ }
};

struct kunit_suite slick_whole_suite = {
	.name = "slick_whole",
	.test_cases = cases,
};

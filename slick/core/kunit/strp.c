// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The life of an event on the strparser. */
#include <linux/completion.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include <slick/strp.h>

#include "kunit.h"
#include "pair.h"

struct told {
	int messages;
	struct completion released;
};

/* Each byte is a message. */
static int frame(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		 unsigned int available)
{
	return 1;
}

static enum slick_ret delete_itself(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
				    unsigned int length)
{
	struct told *told = slick_ev_data(ev);

	if (!told->messages++)
		slick_ev_del_async(ev);
	return SLICK_DONE;
}

static enum slick_ret event(struct slick_ev *ev, u32 what)
{
	return SLICK_DONE;
}

static void release(struct slick_ev *ev)
{
	struct told *told = slick_ev_data(ev);

	complete(&told->released);
}

static const struct slick_ev_ops ops = { .event = event, .release = release };
static const struct slick_strp_ops strp_ops = { .frame = frame, .message = delete_itself };

static void no_message_is_told_behind_the_deletion(struct kunit *test)
{
	const struct slick_loop_cfg cfg = { .name = "strp" };
	struct slick_loop *loop = slick_loop_create(&init_net, &cfg);
	struct slick_pair pair = { };
	struct slick_ev *ev;
	struct told told = { };

	KUNIT_ASSERT_FALSE(test, IS_ERR(loop));
	init_completion(&told.released);
	KUNIT_EXPECT_EQ(test, slick_pair_open(&pair), 0);
	if (pair.ours) {
		ev = slick_ev_add_strp(loop, pair.ours, &ops, &strp_ops, &told);
		KUNIT_EXPECT_FALSE(test, IS_ERR(ev));
		KUNIT_EXPECT_EQ(test, slick_say(pair.peer, "messages", 8), 0);
		KUNIT_EXPECT_NE(test, wait_for_completion_timeout(&told.released, SLICK_PATIENCE),
				0);
		KUNIT_EXPECT_EQ(test, told.messages, 1);
	}
	/* It waits for the event, if that is still there. */
	slick_loop_destroy(loop);
	slick_pair_close(&pair);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(no_message_is_told_behind_the_deletion),
	{ }
};

struct kunit_suite slick_strp_suite = {
	.name = "slick_strp",
	.test_cases = cases,
};

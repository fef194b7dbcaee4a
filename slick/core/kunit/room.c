// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Receive buffers of the strparser's sockets. A loopback's packets are hardly larger than what they
 * bring; what those of a card would take on top is charged to the socket by hand.
 */
#include <net/net_namespace.h>
#include <net/sock.h>

#include <slick/strp.h>

#include "kunit.h"
#include "pair.h"

#define MESSAGE 50000
#define LONGEST 60000
#define FIRST 10	/* bytes of a message that come before the others */

struct room {
	struct slick_loop *loop;
	struct slick_pair pair;
	struct slick_ev *ev;
	u8 *bytes;
	int charged;
	bool asked;	/* how long the message is */
	bool whole;
	int error;
};

static int frame(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		 unsigned int available)
{
	struct room *room = slick_ev_data(ev);

	WRITE_ONCE(room->asked, true);
	return MESSAGE;
}

static enum slick_ret message(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
			      unsigned int length)
{
	struct room *room = slick_ev_data(ev);

	WRITE_ONCE(room->whole, length == MESSAGE);
	return SLICK_DONE;
}

static enum slick_ret event(struct slick_ev *ev, u32 what)
{
	struct room *room = slick_ev_data(ev);

	if (what & SLICK_ERROR)
		WRITE_ONCE(room->error, slick_ev_error(ev));
	return SLICK_DONE;
}

static const struct slick_ev_ops ops = { .event = event };
static const struct slick_strp_ops strp_ops = { .frame = frame, .message = message };

static void charge(struct room *room, int bytes)
{
	struct sock *sk = room->pair.ours->sk;

	lock_sock(sk);
	atomic_add(bytes, &sk->sk_rmem_alloc);
	room->charged += bytes;
	release_sock(sk);
}

static void resize(struct room *room, int size)
{
	struct sock *sk = room->pair.ours->sk;

	lock_sock(sk);
	WRITE_ONCE(sk->sk_rcvbuf, size);
	release_sock(sk);
}

static int buffer_of(const struct room *room)
{
	return READ_ONCE(room->pair.ours->sk->sk_rcvbuf);
}

static int room_begin(struct kunit *test)
{
	const struct slick_loop_cfg cfg = { .name = "room" };
	struct room *room = kunit_kzalloc(test, sizeof(*room), GFP_KERNEL);
	struct slick_loop *loop;

	if (!room)
		return -ENOMEM;
	room->bytes = kunit_kzalloc(test, MESSAGE, GFP_KERNEL);
	if (!room->bytes)
		return -ENOMEM;
	loop = slick_loop_create(&init_net, &cfg);
	if (IS_ERR(loop))
		return PTR_ERR(loop);
	room->loop = loop;
	test->priv = room;
	return slick_pair_open(&room->pair);
}

static void room_end(struct kunit *test)
{
	struct room *room = test->priv;

	if (!room)
		return;
	if (room->ev)
		slick_ev_del(room->ev);
	if (room->charged)
		charge(room, -room->charged);
	slick_pair_close(&room->pair);
	slick_loop_destroy(room->loop);
}

/* Adds the event, and lets the beginning of a message come. */
static void begin_message(struct kunit *test, struct room *room)
{
	struct slick_ev *ev = slick_ev_add_framed(room->loop, room->pair.ours, &ops, &strp_ops,
						  room, LONGEST);

	KUNIT_ASSERT_FALSE(test, IS_ERR(ev));
	room->ev = ev;
	KUNIT_ASSERT_EQ(test, slick_say(room->pair.peer, room->bytes, FIRST), 0);
	KUNIT_ASSERT_TRUE(test, SLICK_COMES_TRUE(READ_ONCE(room->asked)));
	/* And until whoever asked is done. */
	charge(room, 0);
}

static void a_buffer_is_made_to_hold_the_longest(struct kunit *test)
{
	struct room *room = test->priv;

	resize(room, 8192);
	begin_message(test, room);
	KUNIT_EXPECT_GE(test, buffer_of(room), 2 * LONGEST);
	KUNIT_EXPECT_EQ(test, slick_say(room->pair.peer, room->bytes, MESSAGE - FIRST), 0);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(READ_ONCE(room->whole)));
	KUNIT_EXPECT_EQ(test, room->error, 0);
}

static void a_buffer_grows_with_the_overhead(struct kunit *test)
{
	struct room *room = test->priv;
	const int size = 2 * LONGEST;

	begin_message(test, room);
	resize(room, size);
	charge(room, size - size / 8);
	KUNIT_EXPECT_EQ(test, slick_say(room->pair.peer, room->bytes, 1), 0);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(buffer_of(room) > size));
	KUNIT_EXPECT_LE(test, buffer_of(room), SLICK_STRP_ROOM * LONGEST);
	KUNIT_EXPECT_EQ(test, slick_say(room->pair.peer, room->bytes, MESSAGE - FIRST - 1), 0);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(READ_ONCE(room->whole)));
	KUNIT_EXPECT_EQ(test, room->error, 0);
}

static void nothing_but_overhead_ends_it(struct kunit *test)
{
	struct room *room = test->priv;
	const int most = SLICK_STRP_ROOM * LONGEST;

	begin_message(test, room);
	resize(room, most);
	charge(room, most - most / 50);
	KUNIT_EXPECT_EQ(test, slick_say(room->pair.peer, room->bytes, 1), 0);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(READ_ONCE(room->error)));
	KUNIT_EXPECT_EQ(test, room->error, -ENOBUFS);
	KUNIT_EXPECT_EQ(test, buffer_of(room), most);
	KUNIT_EXPECT_FALSE(test, room->whole);
}

static void lengths_have_a_limit(struct kunit *test)
{
	static const u32 wrong[] = { 0, SLICK_STRP_LONGEST + 1 };
	struct room *room = test->priv;
	struct slick_ev *ev;
	int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		ev = slick_ev_add_framed(room->loop, room->pair.ours, &ops, &strp_ops, room,
					 wrong[i]);
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(ev), -EINVAL);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_buffer_is_made_to_hold_the_longest),
	KUNIT_CASE(a_buffer_grows_with_the_overhead),
	KUNIT_CASE(nothing_but_overhead_ends_it),
	KUNIT_CASE(lengths_have_a_limit),
	{ }
};

struct kunit_suite slick_room_suite = {
	.name = "slick_room",
	.init = room_begin,
	.exit = room_end,
	.test_cases = cases,
};

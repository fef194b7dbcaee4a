// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Loops over a real TCP connection, in each context: what is told, and when. */
#include <linux/net.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "kunit.h"
#include "server.h"

#define MOST 4000

static void echoes(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	u8 *sent = kunit_kzalloc(test, MOST, GFP_KERNEL);
	u8 *heard = kunit_kzalloc(test, MOST, GFP_KERNEL);
	size_t length;
	int i;

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_echo), 0);
	for (i = 0; i < 100; i++) {
		length = i * 397 % MOST + 1;
		slick_fill_pattern(sent, length, i);
		KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, sent, length), 0);
		KUNIT_ASSERT_EQ(test, slick_hear(server->pair.peer, heard, length), (int)length);
		KUNIT_ASSERT_TRUE(test, slick_is_pattern(heard, length, i));
	}
	KUNIT_EXPECT_TRUE(test, slick_saw(server, SLICK_READ));
	KUNIT_EXPECT_FALSE(test, slick_saw(server, SLICK_EOF));
	slick_server_del(server);
}

/* More than the buffers of both sides hold: the echo has to wait for its peer, and go on. */
static void echoes_to_a_slow_peer(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	u8 *bytes = kunit_kzalloc(test, MOST, GFP_KERNEL);
	size_t said = 0, heard = 0;
	int i, got;

	server->pair.window = 16384;
	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_echo), 0);
	server->pair.ours->sk->sk_sndbuf = 4608;
	server->pair.ours->sk->sk_userlocks |= SOCK_SNDBUF_LOCK;
	for (i = 0; i < 15; i++, said += MOST) {
		slick_fill_pattern(bytes, MOST, said);
		KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, bytes, MOST), 0);
	}
	KUNIT_ASSERT_EQ(test, kernel_sock_shutdown(server->pair.peer, SHUT_WR), 0);
	/* It has read no more than it could keep. */
	msleep(50);
	KUNIT_EXPECT_LT(test, READ_ONCE(server->bs.received), (u64)said);
	while ((got = slick_hear(server->pair.peer, bytes, MOST)) > 0) {
		KUNIT_ASSERT_TRUE(test, slick_is_pattern(bytes, got, heard));
		heard += got;
	}
	KUNIT_EXPECT_EQ(test, got, 0);
	KUNIT_EXPECT_EQ(test, heard, said);
	KUNIT_EXPECT_TRUE(test, slick_server_released(server));
	KUNIT_EXPECT_TRUE(test, slick_saw(server, SLICK_WRITE));
}

static void a_half_close_ends_behind_the_answer(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	u8 bytes[100];

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_echo), 0);
	slick_fill_pattern(bytes, sizeof(bytes), 0);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, bytes, sizeof(bytes)), 0);
	KUNIT_ASSERT_EQ(test, kernel_sock_shutdown(server->pair.peer, SHUT_WR), 0);
	KUNIT_EXPECT_EQ(test, slick_hear(server->pair.peer, bytes, sizeof(bytes)), 100);
	KUNIT_EXPECT_EQ(test, slick_hear(server->pair.peer, bytes, 1), 0);
	KUNIT_EXPECT_TRUE(test, slick_server_released(server));
	/* Told as SLICK_EOF, or found by a callback that was reading as it came. */
	KUNIT_EXPECT_TRUE(test, server->bs.eof);
}

/* One byte a call: as long as bytes are there, it is called again. */
static enum slick_ret take_one(struct slick_server *server, struct slick_ev *ev, u32 what)
{
	u8 byte;

	server->bs.chunk = 1;
	slick_bs_fill(&server->bs);
	slick_bs_read(&server->bs, &byte, 1);
	return SLICK_DONE;
}

static void events_are_level_triggered(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	u8 bytes[50] = { };

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, take_one), 0);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, bytes, sizeof(bytes)), 0);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(READ_ONCE(server->bs.received) == 50));
	KUNIT_EXPECT_GE(test, atomic_read(&server->calls), 50);
	slick_server_del(server);
}

static void what_was_there_before_is_told(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	u8 bytes[8] = { };

	/* Nothing is wanted at first, so that the byte is there when it is. */
	KUNIT_ASSERT_EQ(test, slick_serve(test, server, 0, take_one), 0);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, bytes, 1), 0);
	msleep(20);
	KUNIT_EXPECT_EQ(test, atomic_read(&server->calls), 0);
	slick_ev_want(server->ev, SLICK_READ);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(READ_ONCE(server->bs.received) == 1));
	slick_server_del(server);
}

static enum slick_ret write_once(struct slick_server *server, struct slick_ev *ev, u32 what)
{
	if (what & SLICK_WRITE) {
		slick_bs_write_all(&server->bs, "w", 1);
		slick_ev_want(ev, SLICK_READ);
	}
	return SLICK_DONE;
}

static void room_to_write_is_told(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	u8 byte = 0;

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_WRITE, write_once), 0);
	KUNIT_EXPECT_EQ(test, slick_hear(server->pair.peer, &byte, 1), 1);
	KUNIT_EXPECT_EQ(test, byte, (u8)'w');
	slick_server_del(server);
}

static void a_kick_is_told(struct kunit *test)
{
	struct slick_server *server = slick_first(test);

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_nothing), 0);
	slick_ev_kick(server->ev);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(slick_saw(server, SLICK_KICK)));
	slick_server_del(server);
}

static void a_timeout_is_told_again_and_again(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	unsigned long begun = jiffies;
	int calls;

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_nothing), 0);
	slick_ev_timeout(server->ev, 100);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(slick_saw(server, SLICK_TIMEOUT)));
	KUNIT_EXPECT_GE(test, jiffies_to_msecs(jiffies - begun), 90u);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(atomic_read(&server->calls) >= 3));
	slick_ev_timeout(server->ev, 0);
	/* One may be on its way. */
	msleep(50);
	calls = atomic_read(&server->calls);
	msleep(300);
	KUNIT_EXPECT_EQ(test, atomic_read(&server->calls), calls);
	slick_server_del(server);
}

static void a_reset_is_an_error(struct kunit *test)
{
	struct slick_server *server = slick_first(test);

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_nothing), 0);
	sock_no_linger(server->pair.peer->sk);
	sock_release(server->pair.peer);
	server->pair.peer = NULL;
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(slick_saw(server, SLICK_ERROR)));
	KUNIT_EXPECT_EQ(test, slick_ev_error(server->ev), -ECONNRESET);
	slick_server_del(server);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(echoes, slick_context_gen_params),
	KUNIT_CASE_PARAM(echoes_to_a_slow_peer, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_half_close_ends_behind_the_answer, slick_context_gen_params),
	KUNIT_CASE_PARAM(events_are_level_triggered, slick_context_gen_params),
	KUNIT_CASE_PARAM(what_was_there_before_is_told, slick_context_gen_params),
	KUNIT_CASE_PARAM(room_to_write_is_told, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_kick_is_told, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_timeout_is_told_again_and_again, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_reset_is_an_error, slick_context_gen_params),
	{ }
};

struct kunit_suite slick_loop_suite = {
	.name = "slick_loop",
	.init = slick_fixture_begin,
	.exit = slick_fixture_end,
	.test_cases = cases,
};
